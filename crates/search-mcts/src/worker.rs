//! One thread's work on the tree: leaves are gathered, judged, and brought home.

use gamecore::{Game, Leaf};
use search_core::Watch;

use crate::descend::{Found, Path, Quest, add_hints, back_up, count_played, descend, forget};
use crate::hints::Played;
use crate::leaves::{Generator, Leaves};
use crate::mcts::best_first;
use crate::tree::Tree;

/// With priors, a position that was to get children and did not is open to the next descent.
fn reopen<G: Game, L: Leaves<G>>(tree: &mut Tree<G::Move>, path: &Path) {
    if let Some(&last) = path.nodes.last().filter(|_| L::PRIORS) {
        tree.nodes[last as usize].reopen();
    }
}

/// One thread's hands: leaves on their way, and how they were reached.
pub(crate) struct Worker<G: Game> {
    leaves: Vec<Leaf<G>>,
    paths: Vec<Path>,
    /// What playouts played, if they say so.
    played: Vec<Played>,
    /// How many of them are in use.
    pub(crate) taken: usize,
    /// Whether moves are put in the order of their priors: so that widening begins with the best.
    by_prior: bool,
}

/// What came of looking for leaves.
pub(crate) struct Gathered {
    /// Playouts that ended at known values and are counted already.
    pub(crate) known: u64,
    pub(crate) full: bool,
}

impl<G: Game> Worker<G> {
    pub(crate) fn new<L: Leaves<G>>(leaves: &L, game: &G, batch: usize, by_prior: bool) -> Self {
        let played = if L::RECORDS { vec![Played::new(leaves.rave().0); batch] } else { Vec::new() };
        let leaf = || Leaf { game: game.clone(), moves: Vec::new(), priors: Vec::new(), value: 0.0 };
        Self { leaves: (0..batch).map(|_| leaf()).collect(), paths: vec![Path::default(); batch], played, taken: 0, by_prior }
    }

    /// Descends until so many playouts are counted or have a leaf in hand.
    #[inline]
    pub(crate) fn gather<L: Leaves<G>>(
        &mut self,
        quest: &Quest<'_, G, L>,
        tree: &mut Tree<G::Move>,
        rng: &mut Generator,
        pace: &mut Watch,
        most: usize,
    ) -> Gathered {
        self.taken = 0;
        let mut gathered = Gathered { known: 0, full: false };
        while self.taken + (gathered.known as usize) < most {
            // In a slow game even the way down takes time.
            if (self.taken > 0 || gathered.known > 0) && pace.count(1) {
                break;
            }
            let (leaf, path) = (&mut self.leaves[self.taken], &mut self.paths[self.taken]);
            match descend(quest, tree, leaf, path, rng) {
                Found::Leaf => self.taken += 1,
                Found::Known(value) => {
                    back_up(tree, path, value);
                    if L::RECORDS && quest.rules.rave.is_some() {
                        self.played[self.taken].clear();
                        count_played(tree, path, value, &mut self.played[self.taken]);
                    }
                    gathered.known += 1;
                    if tree.nodes[0].is_proven() {
                        break;
                    }
                }
                Found::Busy => {
                    forget(tree, path);
                    break;
                }
                Found::Full => {
                    forget(tree, path);
                    reopen::<G, L>(tree, path);
                    gathered.full = true;
                    break;
                }
            }
        }
        gathered
    }

    /// Evaluates what is in hand; false if that was interrupted.
    #[inline]
    pub(crate) fn judge<L: Leaves<G>>(&mut self, leaves: &L, rng: &mut Generator, pace: &mut Watch) -> bool {
        let out = &mut self.leaves[..self.taken];
        let judged = if L::RECORDS {
            let played = &mut self.played[..self.taken];
            played.iter_mut().for_each(Played::clear);
            out.is_empty() || leaves.evaluate_and_record(out, played, rng, pace).is_ok()
        } else {
            out.is_empty() || leaves.evaluate(out, rng, pace).is_ok()
        };
        if cfg!(debug_assertions) && judged {
            for leaf in &self.leaves[..self.taken] {
                assert!(leaf.value.is_finite(), "the value {} is not finite, in {:?}", leaf.value, leaf.game);
            }
        }
        judged
    }

    /// Brings home what is in hand; how many playouts that were.
    #[inline]
    pub(crate) fn settle<L: Leaves<G>>(&mut self, quest: &Quest<'_, G, L>, tree: &mut Tree<G::Move>, judged: bool) -> u64 {
        for (i, (leaf, path)) in self.leaves.iter().zip(&self.paths).take(self.taken).enumerate() {
            if !judged {
                forget(tree, path);
                reopen::<G, L>(tree, path);
                continue;
            }
            let at = *path.nodes.last().unwrap_or_else(|| unreachable!("a path begins at the root")) as usize;
            if L::PRIORS && tree.nodes[at].count() == 0 && tree.has_room(leaf.moves.len()) && !tree.nodes[at].is_proven() {
                debug_assert!(
                    leaf.priors.len() == leaf.moves.len() && leaf.priors.iter().all(|&p| p.is_finite() && p >= 0.0),
                    "a finite prior of at least 0 for each of the {} moves, not {:?}; in {:?}",
                    leaf.moves.len(),
                    leaf.priors,
                    leaf.game
                );
                let prior = |i: usize| leaf.priors.get(i).copied().unwrap_or(0.0);
                tree.expand(at, leaf.moves.iter().enumerate().map(|(i, &m)| (Some(m), prior(i))));
                add_hints(quest.leaves, quest.rules, tree, at, &leaf.game, &leaf.moves);
                if self.by_prior {
                    best_first(tree, at);
                }
            }
            back_up(tree, path, f64::from(leaf.value));
            if L::RECORDS && quest.rules.rave.is_some() {
                count_played(tree, path, f64::from(leaf.value), &mut self.played[i]);
            }
            reopen::<G, L>(tree, path);
        }
        if judged { self.taken as u64 } else { 0 }
    }
}

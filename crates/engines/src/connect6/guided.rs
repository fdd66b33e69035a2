//! What the tree search is told.

use gamecore::{Bounds, Evaluator, Game, Leaf, Turn};
use games_connect6::Narrowed;
use games_connect6::eval::{Forcing, Learned};
use search_core::Watch;
use search_mcts::{Generator, Interrupted, Leaves};

use super::has_double_threats;
use super::second::{Shared, lock};

/// What a leaf of the tree search is worth.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Worth {
    /// What the evaluator says.
    #[default]
    Evaluator,
    /// What it says after so many stones, each a random one of the short list ([`Narrowed`]); or what comes of them, if the game
    /// ends before.
    Cut(u32),
    /// What comes of the game if it goes on at random.
    Playout,
}

/// What the tree search is told of a position: how stones look, by what they add to windows; what it is worth; and wins by double
/// threats.
#[derive(Clone, Debug)]
pub struct Guided {
    /// Finds wins by double threats.
    pub forcing: Forcing,
    /// [`Narrowed::promise`] is divided by this before it is exponentiated.
    pub temperature: f32,
    /// What the position is worth.
    pub worth: Worth,
    /// Finds wins of the second order, in positions that are visited often.
    pub(super) second: Option<Shared>,
}

/// Visits after which wins of the second order are looked for, and nodes for each visit, up to the most for a look.
const SECOND_FROM: u32 = 64;
const SECOND_NODES: u64 = 64;
const SECOND_MOST: u64 = 1 << 16;

impl Guided {
    /// The value of a position that is not known to be won, and how many stones were put to find it.
    fn value(&self, game: &Narrowed, rng: &mut Generator) -> (f32, u64) {
        match self.worth {
            Worth::Evaluator => (Learned.value(game), 0),
            Worth::Cut(stones) => {
                let mut now = game.clone();
                for put in 0..stones {
                    if let Turn::Over(outcome) = now.turn() {
                        return (Learned.terminal(&now, outcome), put.into());
                    }
                    let m = now.random_move(rng);
                    now.play(m);
                }
                let value = match now.turn() {
                    Turn::Over(outcome) => Learned.terminal(&now, outcome),
                    _ => Learned.value(&now),
                };
                (value, stones.into())
            }
            Worth::Playout => (game.game().random_outcome(rng).points() as f32, 0),
        }
    }

    /// Whether the mover, at the beginning of a turn, has a win of the second order that is found within so many nodes.
    fn wins_quietly(&self, game: &Narrowed, nodes: u64) -> bool {
        let Some(second) = self.second.as_ref().filter(|_| has_double_threats(game.game()) && game.game().left() == 2) else {
            return false;
        };
        let (mut go_on, mut left) = (self.forcing.go_on(), nodes.min(SECOND_MOST));
        let mut may_go_on = || {
            left = left.saturating_sub(1);
            left > 0 && go_on()
        };
        lock(second).win(game, 1, &mut may_go_on).is_some()
    }
}

impl Leaves<Narrowed> for Guided {
    const PRIORS: bool = true;
    const LOOKS_AGAIN: bool = true;

    fn evaluate(&self, leaves: &mut [Leaf<Narrowed>], rng: &mut Generator, watch: &mut Watch) -> Result<(), Interrupted> {
        for Leaf { game, moves, priors, value } in leaves.iter_mut() {
            priors.clear();
            let best = moves.iter().map(|&m| game.promise(m)).max().unwrap_or(0);
            priors.extend(moves.iter().map(|&m| ((game.promise(m) as f32 - best as f32) / self.temperature).exp()));
            let sum: f32 = priors.iter().sum();
            priors.iter_mut().for_each(|prior| *prior /= sum);
            let stones;
            (*value, stones) = self.value(game, rng);
            if watch.count(1 + stones) {
                return Err(Interrupted);
            }
        }
        Ok(())
    }

    fn bounds(&self, game: &Narrowed) -> Bounds {
        self.forcing.bounds(game)
    }

    fn bounds_again(&self, game: &Narrowed, visits: u32) -> Bounds {
        let bounds = self.forcing.bounds_again(game, visits);
        if bounds.low < bounds.high && visits >= SECOND_FROM && self.wins_quietly(game, SECOND_NODES * u64::from(visits)) {
            self.forcing.remember(game.game());
            return Bounds::exact(game.game().mover().sign());
        }
        bounds
    }
}

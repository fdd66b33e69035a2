//! What a new position in the tree is worth: playouts, evaluators, networks.

use gamecore::{Bounds, Chance, Evaluator, Game, Leaf, Outcome, Player, PolicyValue, Turn};
use rand::rngs::Xoshiro256PlusPlus;
use search_core::{Watch, check_value};

use crate::hints::Played;

/// The generator of a search's playouts.
pub type Generator = Xoshiro256PlusPlus;

/// The search is to stop; what was asked for is not finished.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Interrupted;

/// Says what new positions are worth. [`Playouts`], [`Values`] and [`Network`] are the ones that most searches need.
pub trait Leaves<G: Game>: Send + Sync {
    /// Whether it knows priors: which moves look good before anything was tried. A search then expands a position when it
    /// is evaluated, evaluates decisions only, and fills in [`Leaf::moves`].
    const PRIORS: bool = false;

    /// Whether it says beforehand which moves look good, by [`bias`](Self::bias); see [`Biased`](crate::Biased).
    const BIAS: bool = false;

    /// Whether it says which moves its playouts made; see [`Rave`](crate::Rave). A search then calls
    /// [`evaluate_and_record`](Self::evaluate_and_record).
    const RECORDS: bool = false;

    /// Whether it looks again at positions that are visited often, by [`bounds_again`](Self::bounds_again).
    const LOOKS_AGAIN: bool = false;

    /// Fills in the value of every leaf (and, with [`PRIORS`](Self::PRIORS), its priors). The leaves are not over, and
    /// their values are not known by [`bounds`](Self::bounds).
    ///
    /// `watch` is counted by whoever takes long, a ply of a playout at a time, so that the search can stop in between.
    ///
    /// # Errors
    /// If `watch` says so; the leaves do not count then.
    fn evaluate(&self, leaves: &mut [Leaf<G>], rng: &mut Generator, watch: &mut Watch) -> Result<(), Interrupted>;

    /// As [`evaluate`](Self::evaluate), and notes in `played[i]`, which is empty, the moves that were made below leaf `i`.
    ///
    /// # Errors
    /// As `evaluate`.
    #[inline(always)]
    fn evaluate_and_record(
        &self,
        leaves: &mut [Leaf<G>],
        played: &mut [Played],
        rng: &mut Generator,
        watch: &mut Watch,
    ) -> Result<(), Interrupted> {
        let _ = played;
        self.evaluate(leaves, rng, watch)
    }

    /// With [`RECORDS`](Self::RECORDS): how many different moves there are, and the `k` of [`Rave`](crate::Rave).
    fn rave(&self) -> (usize, f64) {
        (0, 0.0)
    }

    /// With [`RECORDS`](Self::RECORDS): which move that is; as the closure of [`Rave`](crate::Rave).
    #[inline(always)]
    fn index(&self, game: &G, m: G::Move) -> usize {
        let _ = (game, m);
        usize::MAX
    }

    /// With [`BIAS`](Self::BIAS): writes into `out`, which is all 0, how good each of a decision's `moves` looks for the
    /// player who makes it, on the scale of [`Selection`](crate::Selection), the weight included; as [`Biased`](crate::Biased).
    #[inline(always)]
    fn bias(&self, game: &G, moves: &[G::Move], out: &mut [f32]) {
        let _ = (game, moves, out);
    }

    /// As [`Evaluator::bounds`]: equal ends mean that the value is known.
    #[inline(always)]
    fn bounds(&self, game: &G) -> Bounds {
        let _ = game;
        Bounds::symmetric(f32::from(G::MAX_POINTS))
    }

    /// With [`LOOKS_AGAIN`](Self::LOOKS_AGAIN): as [`bounds`](Self::bounds), of a decision that has been visited so often: 4 times, then 16
    /// times, 64 times and so on. The more visits depend on a position, the more time it is worth to know its value. Like `bounds` it is asked on
    /// the way down the tree: other threads wait.
    #[inline(always)]
    fn bounds_again(&self, game: &G, visits: u32) -> Bounds {
        let _ = visits;
        self.bounds(game)
    }

    /// As [`Evaluator::terminal`].
    #[inline(always)]
    fn terminal(&self, game: &G, outcome: Outcome) -> f32 {
        let _ = game;
        outcome.points() as f32
    }
}

/// How moves are chosen in a playout. A closure is a policy if both parameters' types are written:
/// `|game: &MyGame, rng: &mut Generator| -> Move`.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is no policy of `{G}`",
    note = "a closure is one if its parameters' types are written: `|game: &{G}, rng: &mut Generator| ...`"
)]
pub trait Policy<G: Game>: Send + Sync {
    /// One of the moves of a [`Turn::Decide`] state; debug builds check it.
    fn choose(&self, game: &G, rng: &mut Generator) -> G::Move;
}

impl<G: Game, F: Fn(&G, &mut Generator) -> G::Move + Send + Sync> Policy<G> for F {
    #[inline(always)]
    fn choose(&self, game: &G, rng: &mut Generator) -> G::Move {
        self(game, rng)
    }
}

/// Every move with the same probability.
#[derive(Clone, Copy, Debug, Default)]
pub struct Uniform;

impl<G: Game> Policy<G> for Uniform {
    #[inline(always)]
    fn choose(&self, game: &G, rng: &mut Generator) -> G::Move {
        game.random_move(rng)
    }
}

/// A position is worth what comes of it when it is played out at random, to the end or for some moves.
///
/// # Examples
/// ```
/// use gamecore::testing::toys::{Pig, PigMove};
/// use search_mcts::{Generator, Mcts, Playouts};
/// // A policy that is no fool, and an evaluator after 20 moves.
/// let policy = |game: &Pig, _: &mut Generator| if game.sum() >= 15 { PigMove::Hold } else { PigMove::Roll };
/// let search = Mcts::<Pig, _>::new(Playouts::with_policy(policy).cut_after(20, |_: &Pig| 0.0));
/// # let _ = search;
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Playouts<P = Uniform, E = Never> {
    policy: P,
    /// After so many decisions, this evaluator.
    cut: Option<(u32, E)>,
}

/// The evaluator of playouts that go to the end.
#[derive(Clone, Copy, Debug)]
pub enum Never {}

impl<G: Game> Evaluator<G> for Never {
    fn value(&self, _: &G) -> f32 {
        match *self {}
    }
}

impl Playouts {
    /// Uniformly random moves to the end of the game.
    #[must_use]
    pub fn uniform() -> Self {
        Self { policy: Uniform, cut: None }
    }
}

impl<P> Playouts<P> {
    /// Moves chosen by `policy`, to the end of the game. Of a closure, write both parameters' types. If it can go on for ever in your
    /// game, [`cut_after`](Self::cut_after) ends it.
    #[must_use]
    pub fn with_policy(policy: P) -> Self {
        Self { policy, cut: None }
    }

    /// The same playouts, cut off after `decisions` decisions and valued by an evaluator (of a closure, write the parameter's
    /// type). For games whose random play is long, may never end, or says little.
    #[must_use]
    pub fn cut_after<E>(self, decisions: u32, evaluator: E) -> Playouts<P, E> {
        Playouts { policy: self.policy, cut: Some((decisions, evaluator)) }
    }
}

impl<P, E> Playouts<P, E> {
    /// What came of a position; `see` is told every move, before it is made.
    #[inline(always)]
    pub(crate) fn play_out<G: Game>(
        &self,
        start: &G,
        rng: &mut Generator,
        watch: &mut Watch,
        mut see: impl FnMut(&G, Player, G::Move),
    ) -> Result<f32, Interrupted>
    where
        P: Policy<G>,
        E: Evaluator<G>,
    {
        let mut game = start.clone();
        let mut decisions = 0;
        loop {
            match game.turn() {
                Turn::Over(outcome) => return Ok(self.terminal(&game, outcome)),
                Turn::Chance(chance) => {
                    if watch.count(1) {
                        return Err(Interrupted);
                    }
                    game.resolve(chance.sample(rng));
                }
                Turn::Decide(player) => {
                    if let Some((most, evaluator)) = &self.cut {
                        if decisions >= *most {
                            return Ok(checked(evaluator, &game));
                        }
                        decisions += 1;
                    }
                    if watch.count(1) {
                        return Err(Interrupted);
                    }
                    let m = self.policy.choose(&game, rng);
                    debug_assert!(is_legal(&game, m), "the policy's move {m:?} is not legal in {game:?}");
                    see(&game, player, m);
                    game.play(m);
                }
            }
        }
    }
}

impl<G: Game, P: Policy<G>, E: Evaluator<G>> Leaves<G> for Playouts<P, E> {
    #[inline]
    fn evaluate(&self, leaves: &mut [Leaf<G>], rng: &mut Generator, watch: &mut Watch) -> Result<(), Interrupted> {
        for leaf in leaves {
            leaf.value = self.play_out(&leaf.game, rng, watch, |_, _, _| {})?;
        }
        Ok(())
    }

    #[inline(always)]
    fn bounds(&self, game: &G) -> Bounds {
        match &self.cut {
            Some((_, evaluator)) => evaluator.bounds(game),
            None => Bounds::symmetric(f32::from(G::MAX_POINTS)),
        }
    }

    #[inline(always)]
    fn terminal(&self, game: &G, outcome: Outcome) -> f32 {
        match &self.cut {
            Some((_, evaluator)) => evaluator.terminal(game, outcome),
            None => outcome.points() as f32,
        }
    }
}

/// The evaluator's value. Debug builds: within what it promised.
#[inline(always)]
fn checked<G: Game>(evaluator: &impl Evaluator<G>, game: &G) -> f32 {
    let value = evaluator.value(game);
    check_value(evaluator, game, value);
    value
}

fn is_legal<G: Game>(game: &G, m: G::Move) -> bool {
    let mut buf = G::Moves::default();
    game.moves(&mut buf);
    buf.as_ref().contains(&m)
}

/// A position is worth what an evaluator says.
#[derive(Clone, Copy, Debug)]
pub struct Values<E>(pub E);

impl<G: Game, E: Evaluator<G>> Leaves<G> for Values<E> {
    #[inline]
    fn evaluate(&self, leaves: &mut [Leaf<G>], _: &mut Generator, watch: &mut Watch) -> Result<(), Interrupted> {
        for leaf in leaves {
            leaf.value = checked(&self.0, &leaf.game);
            if watch.count(1) {
                return Err(Interrupted);
            }
        }
        Ok(())
    }

    #[inline(always)]
    fn bounds(&self, game: &G) -> Bounds {
        self.0.bounds(game)
    }

    #[inline(always)]
    fn terminal(&self, game: &G, outcome: Outcome) -> f32 {
        self.0.terminal(game, outcome)
    }
}

/// Priors and values from a network or anything like one, asked in batches. Debug builds check that priors are what they should
/// be. The search is PUCT unless told otherwise.
///
/// # Examples
/// ```
/// use gamecore::testing::toys::Nim;
/// use gamecore::{Leaf, PolicyValue};
/// use search_core::Limits;
/// use search_mcts::{Mcts, Network, Selection};
///
/// /// Knows the rule: leave a multiple of four.
/// struct Rule;
///
/// impl PolicyValue<Nim> for Rule {
///     fn evaluate(&self, leaves: &mut [Leaf<Nim>]) {
///         for leaf in leaves {
///             let good = |m: &u8| leaf.game.after(*m) == Nim::new(12);
///             let weights: Vec<f32> = leaf.moves.iter().map(|m| if good(m) { 8.0 } else { 1.0 }).collect();
///             let sum: f32 = weights.iter().sum();
///             leaf.priors.extend(weights.iter().map(|weight| weight / sum));
///             leaf.value = 0.0; // for One
///         }
///     }
/// }
///
/// # use gamecore::Game;
/// let mut search = Mcts::new(Network(Rule)).with_selection(Selection::Puct { c: 1.5 }).with_batch(8);
/// let report = search.search(&Nim::new(15), &Limits::nodes(2_000))?;
/// assert_eq!(report.best, Some(3));
/// # Ok::<(), search_core::SearchError>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Network<N>(pub N);

impl<G: Game, N: PolicyValue<G>> Leaves<G> for Network<N> {
    const PRIORS: bool = true;

    fn evaluate(&self, leaves: &mut [Leaf<G>], _: &mut Generator, watch: &mut Watch) -> Result<(), Interrupted> {
        leaves.iter_mut().for_each(|leaf| leaf.priors.clear());
        self.0.evaluate(leaves);
        if watch.count(leaves.len() as u64) { Err(Interrupted) } else { Ok(()) }
    }
}

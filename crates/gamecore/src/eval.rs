//! What a position is worth.

use std::sync::Arc;

use crate::{Game, Outcome, Turn};

/// An interval of values, in points for [`Player::One`](crate::Player::One).
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Bounds {
    /// No value is below.
    pub low: f32,
    /// No value is above.
    pub high: f32,
}

impl Bounds {
    /// The value itself: a database, a proof.
    #[inline]
    #[must_use]
    pub const fn exact(value: f32) -> Self {
        Self { low: value, high: value }
    }

    /// `-limit ..= limit`.
    #[inline]
    #[must_use]
    pub const fn symmetric(limit: f32) -> Self {
        Self { low: -limit, high: limit }
    }
}

/// What positions are worth, in points for [`Player::One`](crate::Player::One).
///
/// A closure is an evaluator: `|g: &MyGame| -> f32` (write the parameter's type). Its values must lie within the default
/// [`bounds`](Evaluator::bounds), minus to plus `MAX_POINTS`: pruning relies on it, and searches check it in debug builds. An evaluator that is shared is
/// wrapped in an [`Arc`]. Values are `f32`, exact for integer scores below 2^24; searches that average sum in `f64`.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is no evaluator of `{G}`",
    note = "a closure is one if its parameter's type is written: `|g: &{G}| -> f32`"
)]
pub trait Evaluator<G: Game>: Send + Sync {
    /// The value of a state that is not over, its dice rolled or not. Finite, and inside [`bounds`](Evaluator::bounds).
    fn value(&self, game: &G) -> f32;

    /// The value of the state after `m`, over or not: what searches ask at their last ply.
    ///
    /// Override to work from the parent without laying out the child.
    #[inline(always)]
    fn after(&self, game: &G, m: G::Move) -> f32 {
        let next = game.after(m);
        match next.turn() {
            Turn::Over(outcome) => self.terminal(&next, outcome),
            Turn::Decide(_) | Turn::Chance(_) => self.value(&next),
        }
    }

    /// [`after`](Evaluator::after) for all siblings at once, appended to `out` in the order of `moves`.
    ///
    /// Override for a network: the parent's layer once, then differences. May round differently from `after` (by
    /// 1e-6), so a search uses one of the two.
    #[inline(always)]
    fn after_all(&self, game: &G, moves: &[G::Move], out: &mut Vec<f32>) {
        out.extend(moves.iter().map(|&m| self.after(game, m)));
    }

    /// The value of a finished game: its points, unless the evaluator uses another scale (match equity).
    #[inline(always)]
    fn terminal(&self, game: &G, outcome: Outcome) -> f32 {
        let _ = game;
        outcome.points() as f32
    }

    /// Encloses the value of `game`, and of every state and end below it that can be reached without passing a state
    /// whose value is known. Star1 and Star2 prune from it, so make it tight: finite, and no wider than need be, because
    /// values are summed with about 1e-16 of its width lost to rounding.
    ///
    /// Equal ends mean that the value is known, and searches stop there: endgame tables and proofs speak through this
    /// method, and [`value`](Evaluator::value) says the same. Asked at every node, so keep it cheap.
    #[inline(always)]
    fn bounds(&self, game: &G) -> Bounds {
        let _ = game;
        Bounds::symmetric(f32::from(G::MAX_POINTS))
    }
}

impl<G: Game, F: Fn(&G) -> f32 + Send + Sync> Evaluator<G> for F {
    #[inline(always)]
    fn value(&self, game: &G) -> f32 {
        self(game)
    }
}

/// Hands every method on to the evaluator inside.
macro_rules! forward_evaluator {
    ($($head:tt)*) => {
        $($head)* {
            #[inline(always)]
            fn value(&self, game: &G) -> f32 {
                (**self).value(game)
            }
            #[inline(always)]
            fn after(&self, game: &G, m: G::Move) -> f32 {
                (**self).after(game, m)
            }
            #[inline(always)]
            fn after_all(&self, game: &G, moves: &[G::Move], out: &mut Vec<f32>) {
                (**self).after_all(game, moves, out);
            }
            #[inline(always)]
            fn terminal(&self, game: &G, outcome: Outcome) -> f32 {
                (**self).terminal(game, outcome)
            }
            #[inline(always)]
            fn bounds(&self, game: &G) -> Bounds {
                (**self).bounds(game)
            }
        }
    };
}
forward_evaluator!(impl<G: Game, E: Evaluator<G> + ?Sized> Evaluator<G> for Arc<E>);
forward_evaluator!(impl<G: Game> Evaluator<G> for Box<dyn Evaluator<G>>);

/// A leaf on its way to a network and back. The search owns and reuses it.
#[derive(Clone, Debug)]
pub struct Leaf<G: Game> {
    /// A [`Turn::Decide`] state.
    pub game: G,
    /// Its moves, in the game's order.
    pub moves: Vec<G::Move>,
    /// Filled in by the network: a probability for each move; non-negative, sum 1.
    pub priors: Vec<f32>,
    /// Filled in by the network: points for [`Player::One`](crate::Player::One).
    pub value: f32,
}

impl<G: Game> Leaf<G> {
    /// A leaf to be evaluated.
    #[must_use]
    pub fn new(game: G) -> Self {
        let mut buf = G::Moves::default();
        game.moves(&mut buf);
        let moves = buf.as_ref().to_vec();
        Self { game, moves, priors: Vec::new(), value: 0.0 }
    }
}

/// Priors and values of many leaves in one call: what a PUCT search asks of a network.
pub trait PolicyValue<G: Game>: Send + Sync {
    /// Fills in `priors` and `value` of every leaf.
    fn evaluate(&self, leaves: &mut [Leaf<G>]);
}

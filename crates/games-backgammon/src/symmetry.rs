//! The one symmetry: the seats exchanged.

use gamecore::Symmetry;

use crate::dice::Throw;
use crate::moves::Move;
use crate::state::Backgammon;

/// A symmetry of the game.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Sym {
    /// Nothing changes.
    Identity,
    /// Player One's checkers, score and cube become Two's and the other way round; see
    /// [`with_seats_exchanged`](Backgammon::with_seats_exchanged).
    Swap,
}

impl Symmetry for Backgammon {
    type Sym = Sym;

    fn symmetries(&self) -> &'static [Sym] {
        &[Sym::Identity, Sym::Swap]
    }

    fn inverse(&self, sym: Sym) -> Sym {
        sym
    }

    fn swaps_seats(&self, sym: Sym) -> bool {
        sym == Sym::Swap
    }

    fn transformed(&self, sym: Sym) -> Self {
        match sym {
            Sym::Identity => *self,
            Sym::Swap => self.with_seats_exchanged(),
        }
    }

    /// Plays are the mover's own view: they stay the same.
    fn map_move(&self, m: Move, _: Sym) -> Move {
        m
    }

    fn map_event(&self, throw: Throw, sym: Sym) -> Throw {
        match (throw, sym) {
            (Throw::Opening { one, two }, Sym::Swap) => Throw::Opening { one: two, two: one },
            _ => throw,
        }
    }
}

//! Turns and reflections of the board.

use gamecore::{Never, Player, Symmetry};
use lines::{Point, Sym};

use crate::state::Gomoku;

/// The eight symmetries of the square. None exchanges the seats.
impl Symmetry for Gomoku {
    type Sym = Sym;

    fn symmetries(&self) -> &'static [Sym] {
        &Sym::ALL
    }

    fn inverse(&self, sym: Sym) -> Sym {
        sym.inverse()
    }

    fn swaps_seats(&self, _: Sym) -> bool {
        false
    }

    fn transformed(&self, sym: Sym) -> Self {
        let board = self.board();
        let stones = board.points().filter_map(|p| board.stone(p).map(|player: Player| (self.map_move(p, sym), player)));
        // A position under a symmetry is one.
        Self::from_stones(self.rule(), board.size(), stones, self.mover()).unwrap_or_else(|e| panic!("{self:?}: {e}"))
    }

    fn map_move(&self, m: Point, sym: Sym) -> Point {
        sym.map(m, self.board().size())
    }

    fn map_event(&self, event: Never, _: Sym) -> Never {
        event
    }
}

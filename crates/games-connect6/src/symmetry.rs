//! Turns and reflections of the board.

use gamecore::{Never, Symmetry};
use lines::{Point, Sym};

use crate::state::Connect6;

/// The eight symmetries of the square. None exchanges the seats.
impl Symmetry for Connect6 {
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
        let stones = board.points().filter_map(|p| board.stone(p).map(|player| (self.map_move(p, sym), player)));
        // A position under a symmetry is one.
        Self::study(self.rules(), stones, self.mover(), self.left()).unwrap_or_else(|e| panic!("{self:?}: {e}"))
    }

    fn map_move(&self, m: Point, sym: Sym) -> Point {
        sym.map(m, self.board().size())
    }

    fn map_event(&self, event: Never, _: Sym) -> Never {
        event
    }
}

//! Turns and reflections of the board.

use gamecore::{Never, Player, Symmetry};
use lines::Point;

use crate::state::Gomoku;

/// One of the eight symmetries of the square: perhaps columns become rows, then perhaps left and right, and top and bottom,
/// change places. None exchanges the seats.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub struct Sym(u8);

const TRANSPOSE: u8 = 1;
const LEFT_RIGHT: u8 = 2;
const TOP_BOTTOM: u8 = 4;

static ALL: [Sym; 8] = [Sym(0), Sym(1), Sym(2), Sym(3), Sym(4), Sym(5), Sym(6), Sym(7)];

impl Symmetry for Gomoku {
    type Sym = Sym;

    fn symmetries(&self) -> &'static [Sym] {
        &ALL
    }

    /// All undo themselves but the two quarter turns, which undo each other.
    fn inverse(&self, sym: Sym) -> Sym {
        match sym.0 {
            quarter if quarter == TRANSPOSE | LEFT_RIGHT => Sym(TRANSPOSE | TOP_BOTTOM),
            quarter if quarter == TRANSPOSE | TOP_BOTTOM => Sym(TRANSPOSE | LEFT_RIGHT),
            _ => sym,
        }
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
        let last = self.board().size() - 1;
        let has = |part| sym.0 & part != 0;
        let (x, y) = if has(TRANSPOSE) { (m.y(), m.x()) } else { (m.x(), m.y()) };
        let x = if has(LEFT_RIGHT) { last.saturating_sub(x) } else { x };
        let y = if has(TOP_BOTTOM) { last.saturating_sub(y) } else { y };
        Point::new(x, y).unwrap_or(m)
    }

    fn map_event(&self, event: Never, _: Sym) -> Never {
        event
    }
}

//! Turns and reflections of the square.

use crate::point::Point;

/// One of the eight symmetries of the square: perhaps columns become rows, then perhaps left and right, and top and bottom,
/// change places.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub struct Sym(u8);

const TRANSPOSE: u8 = 1;
const LEFT_RIGHT: u8 = 2;
const TOP_BOTTOM: u8 = 4;

impl Sym {
    /// All eight, the identity first.
    pub const ALL: [Self; 8] = [Self(0), Self(1), Self(2), Self(3), Self(4), Self(5), Self(6), Self(7)];

    /// The symmetry that undoes this one: itself, but for the two quarter turns, which undo each other.
    #[must_use]
    pub const fn inverse(self) -> Self {
        const TURNS: [u8; 2] = [TRANSPOSE | LEFT_RIGHT, TRANSPOSE | TOP_BOTTOM];
        match self.0 {
            turn if turn == TURNS[0] => Self(TURNS[1]),
            turn if turn == TURNS[1] => Self(TURNS[0]),
            _ => self,
        }
    }

    /// Where a point of a board of `size` columns and rows goes. Points outside the board go anywhere.
    #[must_use]
    pub fn map(self, point: Point, size: u8) -> Point {
        let last = size.saturating_sub(1);
        let has = |part| self.0 & part != 0;
        let (x, y) = if has(TRANSPOSE) { (point.y(), point.x()) } else { (point.x(), point.y()) };
        let x = if has(LEFT_RIGHT) { last.saturating_sub(x) } else { x };
        let y = if has(TOP_BOTTOM) { last.saturating_sub(y) } else { y };
        Point::new(x, y).unwrap_or(point)
    }
}

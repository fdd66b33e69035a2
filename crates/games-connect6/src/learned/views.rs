//! What empty points see along the lines through them.

use gamecore::Player;
use lines::{Board, LARGEST, Point};

/// Points on each side that can be in one row of six with a point.
const REACH: u8 = 5;
const SIDE: usize = LARGEST as usize;
pub(super) const POINTS: usize = SIDE * SIDE;
/// Codes of a line, two sides of six bits: all numbers below this.
pub const CODES: usize = 1 << 12;
/// From a point's number to the next one's, by direction: across, down, right and down, left and down.
const STRIDES: [usize; 4] = [1, SIDE, SIDE + 1, SIDE - 1];

/// What one point sees: a code by seat and direction.
///
/// For a seat a line has two sides, each of up to five points, as far as neither the edge nor a stone of the other seat blocks them.
/// A side is six bits: a bit for each of its points, the nearest lowest, set if the seat has a stone there, and a 1 above the last. The
/// code has the side before the point in its high bits and the one after it in the low ones. So it holds all that the rows of six
/// through the point have for that seat.
pub type View = [[u16; 4]; 2];

/// The [`View`]s of all empty points of a board, kept up to date stone by stone.
#[derive(Clone, PartialEq, Eq)]
pub struct Views {
    codes: [View; POINTS],
    points: [Kind; POINTS],
    size: u8,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    /// Empty, and no stone on its lines in reach.
    Far,
    /// Empty.
    Near,
    Stone,
}

/// What a stone changes for an empty point, along one direction.
pub(super) struct Change {
    pub(super) point: usize,
    pub(super) direction: usize,
    /// The codes after the stone, by seat.
    pub(super) codes: [u16; 2],
    /// Whether no other stone is in reach.
    pub(super) was_far: bool,
}

/// Steps from a point to the edges, against each direction and along it.
#[inline(always)]
fn reach(point: Point, size: u8) -> [[u8; 2]; 4] {
    let (x, y, last) = (point.x(), point.y(), size - 1);
    [[x, last - x], [y, last - y], [x.min(y), last - x.max(y)], [(last - x).min(y), x.min(last - y)]]
}

impl Views {
    /// Of a board with its stones.
    #[must_use]
    pub fn new(board: &Board) -> Self {
        let mut views = Self { codes: [[[0; 4]; 2]; POINTS], points: [Kind::Far; POINTS], size: board.size() };
        for point in board.points() {
            let sides = reach(point, board.size());
            let codes = sides.map(|[before, after]| 1 << before.min(REACH) << 6 | 1 << after.min(REACH));
            views.codes[point.index()] = [codes; 2];
        }
        for point in board.points() {
            if let Some(player) = board.stone(point) {
                views.place(point, player);
            }
        }
        views
    }

    /// Whether a point is empty and some stone is in reach on its lines.
    #[inline(always)]
    pub(super) fn is_near(&self, point: usize) -> bool {
        self.points[point] == Kind::Near
    }

    #[inline(always)]
    pub(super) fn view(&self, point: usize) -> &View {
        &self.codes[point]
    }

    /// What a stone on an empty point changes for others.
    #[inline(always)]
    pub(super) fn changes(&self, point: Point, player: Player, mut each: impl FnMut(Change)) {
        let at = point.index();
        let reach = reach(point, self.size);
        let (own, enemy) = (player.index(), player.other().index());
        for direction in 0..4 {
            for (side, shift) in [(0, 0u32), (1, 6)] {
                for distance in 1..=reach[direction][side].min(REACH) {
                    let step = STRIDES[direction] * usize::from(distance);
                    let to = if side == 0 { at - step } else { at + step };
                    if self.points[to] == Kind::Stone {
                        continue;
                    }
                    let seen = [0, 1].map(|seat| self.codes[to][seat][direction]);
                    let mut codes = seen;
                    let end = 1u16 << distance;
                    if seen[own] >> shift & 63 >= end {
                        codes[own] |= end >> 1 << shift;
                    }
                    if seen[enemy] >> shift & 63 >= end {
                        let open = seen[enemy] >> shift & ((end >> 1) - 1) | end >> 1;
                        codes[enemy] = seen[enemy] & !(63 << shift) | open << shift;
                    }
                    let was_far = self.points[to] == Kind::Far;
                    if was_far || codes != seen {
                        each(Change { point: to, direction, codes, was_far });
                    }
                }
            }
        }
    }

    /// The empty points that have a stone in reach on their lines, row by row, and what they see.
    pub fn near(&self) -> impl Iterator<Item = (usize, &View)> {
        (0..POINTS).filter(|&point| self.is_near(point)).map(|point| (point, self.view(point)))
    }

    /// Puts a stone on an empty point.
    pub fn place(&mut self, point: Point, player: Player) {
        let mut changed = [(0u16, 0u8, [0u16; 2]); 40];
        let mut count = 0;
        self.changes(point, player, |change| {
            changed[count] = (change.point as u16, change.direction as u8, change.codes);
            count += 1;
        });
        for &(to, direction, codes) in &changed[..count] {
            let to = usize::from(to);
            self.points[to] = Kind::Near;
            self.codes[to].iter_mut().zip(codes).for_each(|(seen, code)| seen[usize::from(direction)] = code);
        }
        self.points[point.index()] = Kind::Stone;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use gamecore::random;

    /// Straight from the rules of a code.
    fn view(board: &Board, point: Point) -> View {
        [Player::One, Player::Two].map(|player| {
            lines::Direction::ALL.map(|direction| {
                let side = |sign: i8| {
                    let mut code = 0u16;
                    let open = (1..=5).map_while(|k| {
                        let p = point.step(direction, sign * k).filter(|&p| board.holds(p))?;
                        (board.stone(p) != Some(player.other())).then(|| board.stone(p) == Some(player))
                    });
                    let mut count = 0;
                    for own in open {
                        code |= u16::from(own) << count;
                        count += 1;
                    }
                    code | 1 << count
                };
                side(-1) << 6 | side(1)
            })
        })
    }

    #[test]
    fn views_are_those_of_the_board() {
        let mut rng = random::generator(7);
        for size in [6, 9, 19, 20] {
            let mut board = Board::new(size).unwrap();
            let mut views = Views::new(&board);
            for i in 0..u16::from(size) * 5 {
                for point in board.empty_points() {
                    assert_eq!(*views.view(point.index()), view(&board, point), "{point:?}");
                    let near = lines::Direction::ALL.iter().any(|&direction| {
                        (-5..=5).any(|k| point.step(direction, k).is_some_and(|p| board.holds(p) && board.stone(p).is_some()))
                    });
                    assert_eq!(views.is_near(point.index()), near);
                }
                let point = board.random_empty(&mut rng).unwrap();
                let player = if i % 3 == 0 { Player::One } else { Player::Two };
                board.place(point, player);
                views.place(point, player);
            }
        }
    }
}

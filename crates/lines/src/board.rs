//! The board: two colours of stones, seen along all four directions.

use gamecore::random::below;
use gamecore::{Player, mix};
use rand::Rng;

use crate::goal::Goal;
use crate::point::{Direction, LARGEST, POINTS, Point};

/// Diagonals are numbered modulo this: two that share a number never touch within a word, one bit at least lies between.
const WRAP: usize = LARGEST as usize + 1;
/// Rows, columns, and two sets of diagonals.
const VIEWS: usize = 2 * LARGEST as usize + 2 * WRAP;

/// Stones on a square board of up to 20x20 points.
///
/// A bit for each stone, four times: by row, by column, and by both diagonals, so that every line is one word and a row of
/// stones is found with a few shifts. 664 bytes, without heap.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Board {
    stones: [[u32; VIEWS]; 2],
    count: u16,
    size: u8,
}

/// The places of a point in the four views, and its bit there.
#[inline(always)]
const fn places(x: u8, y: u8) -> [(usize, u32); 4] {
    let (column, row) = (x as usize, y as usize);
    let falling = if column >= row { column - row } else { column + WRAP - row };
    let rising = if column + row < WRAP { column + row } else { column + row - WRAP };
    const SIDE: usize = LARGEST as usize;
    [(row, x as u32), (SIDE + column, y as u32), (2 * SIDE + falling, y as u32), (2 * SIDE + WRAP + rising, y as u32)]
}

impl Board {
    /// An empty board of `size` columns and rows; `None` unless `size` is 1 to [`LARGEST`].
    #[must_use]
    pub const fn new(size: u8) -> Option<Self> {
        if size == 0 || size > LARGEST {
            return None;
        }
        Some(Self::of_size(size))
    }

    /// 1 to [`LARGEST`].
    pub(crate) const fn of_size(size: u8) -> Self {
        Self { stones: [[0; VIEWS]; 2], count: 0, size }
    }

    /// Columns, and rows.
    #[inline]
    #[must_use]
    pub const fn size(&self) -> u8 {
        self.size
    }

    /// How many stones there are.
    #[inline]
    #[must_use]
    pub const fn count(&self) -> u16 {
        self.count
    }

    /// How many points are empty.
    #[inline]
    #[must_use]
    pub const fn empty_count(&self) -> u16 {
        self.size as u16 * self.size as u16 - self.count
    }

    /// Whether the point lies on this board.
    #[inline]
    #[must_use]
    pub const fn holds(&self, point: Point) -> bool {
        point.x() < self.size && point.y() < self.size
    }

    /// Whether the point lies on this board and has no stone.
    #[inline]
    #[must_use]
    pub const fn is_empty(&self, point: Point) -> bool {
        self.holds(point) && self.occupied(point.y()) >> point.x() & 1 == 0
    }

    /// The stones of a row, a bit each.
    #[inline(always)]
    const fn occupied(&self, y: u8) -> u32 {
        self.stones[0][y as usize] | self.stones[1][y as usize]
    }

    /// The stones of one seat in a row, a bit each.
    #[inline(always)]
    pub(crate) const fn row(&self, y: u8, player: Player) -> u32 {
        self.stones[player.index()][y as usize]
    }

    /// Whose stone stands on a point.
    #[inline]
    #[must_use]
    pub const fn stone(&self, point: Point) -> Option<Player> {
        let (y, x) = (point.y() as usize, point.x());
        if self.stones[0][y] >> x & 1 != 0 {
            Some(Player::One)
        } else if self.stones[1][y] >> x & 1 != 0 {
            Some(Player::Two)
        } else {
            None
        }
    }

    /// All points of the board, row by row.
    pub fn points(&self) -> impl Iterator<Item = Point> + use<> {
        let size = self.size;
        (0..size).flat_map(move |y| (0..size).map(move |x| Point::at(x, y)))
    }

    /// The empty points, row by row.
    #[inline]
    pub fn empty_points(&self) -> impl Iterator<Item = Point> + use<'_> {
        let full = (1u32 << self.size) - 1;
        (0..self.size).flat_map(move |y| {
            let mut row = full & !self.occupied(y);
            core::iter::from_fn(move || {
                let x = row.trailing_zeros() as u8;
                (row != 0).then(|| {
                    row &= row - 1;
                    Point::at(x, y)
                })
            })
        })
    }

    /// Puts a stone on an empty point of the board.
    ///
    /// Any other point is a caller's error, debug-asserted.
    #[inline(always)]
    pub fn place(&mut self, point: Point, player: Player) {
        debug_assert!(self.is_empty(point), "{point:?} is not empty, or not on the board");
        for (view, bit) in places(point.x(), point.y()) {
            self.stones[player][view] |= 1 << bit;
        }
        self.count += 1;
    }

    /// Takes a stone off again: for tests of what a stone would do.
    ///
    /// # Panics
    /// Debug builds: if there is none of this player's.
    #[inline]
    pub fn remove(&mut self, point: Point, player: Player) {
        debug_assert_eq!(self.stone(point), Some(player), "no such stone on {point:?}");
        for (view, bit) in places(point.x(), point.y()) {
            self.stones[player][view] &= !(1 << bit);
        }
        self.count -= 1;
    }

    /// Whether `player` has a winning row on one of the four lines through `point`: after a stone there, whether it won.
    #[inline(always)]
    #[must_use]
    pub fn wins_at(&self, point: Point, player: Player, goal: Goal) -> bool {
        let (own, enemy) = (&self.stones[player], &self.stones[player.other()]);
        // Not with `map`: an array between would be written word by word and read whole.
        let [a, b, c, d] = places(point.x(), point.y());
        let rows = |(view, _): (usize, u32)| goal.rows(own[view], enemy[view]);
        rows(a) | rows(b) | rows(c) | rows(d) != 0
    }

    /// Whether `player` has a winning row anywhere.
    #[must_use]
    pub fn has_row(&self, player: Player, goal: Goal) -> bool {
        (0..VIEWS).any(|view| goal.rows(self.stones[player][view], self.stones[player.other()][view]) != 0)
    }

    /// The line through a point, as `player` sees it. Bits of other lines that share the words are left out.
    #[inline]
    pub(crate) fn line(&self, point: Point, direction: Direction, player: Player) -> Line {
        let (x, y, last) = (point.x(), point.y(), self.size - 1);
        let (view, at) = places(x, y)[direction as usize];
        // Steps to the two ends.
        let (before, after) = match direction {
            Direction::East => (x, last - x),
            Direction::South => (y, last - y),
            Direction::SouthEast => (x.min(y), last - x.max(y)),
            Direction::SouthWest => ((last - x).min(y), x.min(last - y)),
        };
        let on_line = ((2u32 << (before + after)) - 1) << (at - u32::from(before));
        let [one, two] = [self.stones[0][view], self.stones[1][view]];
        Line { own: self.stones[player][view] & on_line, empty: on_line & !(one | two), at }
    }

    /// An empty point, each with the same probability; `None` on a full board. Expected time does not depend on the board.
    #[inline(always)]
    pub fn random_empty<R: Rng + ?Sized>(&self, rng: &mut R) -> Option<Point> {
        let side = u64::from(self.size);
        if u32::from(self.empty_count()) * 8 >= u32::from(self.size) * u32::from(self.size) {
            // At least every eighth point is empty: the first empty one of random points.
            loop {
                let draw = rng.next_u64();
                let x = (((draw & 0xFFFF_FFFF) * side) >> 32) as u8;
                let y = (((draw >> 32) * side) >> 32) as u8;
                if self.occupied(y) >> x & 1 == 0 {
                    return Some(Point::at(x, y));
                }
            }
        }
        self.random_of_few(rng)
    }

    #[inline(never)]
    fn random_of_few<R: Rng + ?Sized>(&self, rng: &mut R) -> Option<Point> {
        self.empty_points().nth(below(rng, self.empty_count().into()))
    }
}

/// A line of a board: the stones of one seat and the empty points, a bit each, and the bit of the point that it is seen from.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Line {
    pub(crate) own: u32,
    pub(crate) empty: u32,
    pub(crate) at: u32,
}

/// A random number for each stone on each point: the exclusive or of those on the board is a key of its stones
/// (Zobrist 1970).
#[inline]
#[must_use]
pub const fn stone_key(point: Point, player: Player) -> u64 {
    KEYS[player.index()][point.index()]
}

static KEYS: [[u64; POINTS]; 2] = {
    let mut keys = [[0; POINTS]; 2];
    let mut i = 0;
    while i < POINTS {
        keys[0][i] = mix(0x6C69_6E65_7300_0000 + 2 * i as u64);
        keys[1][i] = mix(0x6C69_6E65_7300_0001 + 2 * i as u64);
        i += 1;
    }
    keys
};

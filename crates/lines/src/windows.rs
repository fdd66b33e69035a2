//! Windows: as many points in a row as a win needs, counted stone by stone.

use gamecore::Player;

use crate::board::Board;
use crate::goal::{Goal, Row};
use crate::point::{Direction, LARGEST, POINTS, Point};

const SIDE: usize = LARGEST as usize;
/// From a point's number to the next one's, by direction.
const STRIDES: [usize; 4] = [1, SIDE, SIDE + 1, SIDE - 1];
/// Points are looked at eight and sixteen at a time, and none is left over.
const _: () = assert!(POINTS.is_multiple_of(16));
/// Stones of both seats, more than a window has: it does not fit the board.
const OUTSIDE: u8 = 0xFF;
/// One more stone of a seat.
const STONE: [u8; 2] = [0x01, 0x10];

/// All windows of a board: rows of as many points as a win needs, in all four directions, with the number of stones that each
/// seat has in them.
///
/// A window is alive for a seat while the other has no stone in it: only then can it be won. [`place`](Self::place) looks at the up
/// to 24 windows through a point, and keeps up to date how many live ones there are of each kind, and for each point what they are
/// worth to either seat. 3.4 KiB, without heap; searches copy it. For goals where longer rows win too.
///
/// # Examples
/// ```
/// use gamecore::Player;
/// use lines::{Board, Goal, Point, Windows};
///
/// let mut board = Board::new(19).unwrap();
/// let mut windows = Windows::new(&board, Goal::SIX_OR_MORE);
/// assert_eq!(windows.alive(Player::One, 0), 924);
/// for x in [4, 5, 7, 8] {
///     windows.place(Point::new(x, 9).unwrap(), Player::One);
/// }
/// // Two stones more win: on 3 and 6, on 6 and 9.
/// assert_eq!(windows.alive(Player::One, 4), 2);
/// assert_eq!(windows.with_stones(Player::One, 4).count(), 2);
/// windows.place(Point::new(6, 9).unwrap(), Player::Two);
/// assert_eq!(windows.alive(Player::One, 4), 0);
/// ```
#[derive(Clone, PartialEq, Eq)]
pub struct Windows {
    /// By direction and first point: One's stones in the low four bits, Two's in the high ones.
    counts: [[u8; POINTS]; 4],
    /// By seat and stones.
    alive: [[u16; 7]; 2],
    /// By seat and point; of points with stones too.
    weights: [[u16; POINTS]; 2],
    /// By seat and row, a bit for each column.
    stones: [[u32; SIDE]; 2],
    length: u8,
    size: u8,
}

/// The points of a window on which there is no stone yet, in the window's direction.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Window {
    first: Point,
    direction: Direction,
    /// A bit for each point from the first on.
    empty: u8,
}

impl Window {
    /// The first point: the leftmost one, or the top one in a column.
    #[inline]
    #[must_use]
    pub const fn first(self) -> Point {
        self.first
    }

    /// Where it runs from there.
    #[inline]
    #[must_use]
    pub const fn direction(self) -> Direction {
        self.direction
    }

    /// The points without a stone.
    #[inline]
    pub fn missing(self) -> impl Iterator<Item = Point> {
        let mut empty = self.empty;
        core::iter::from_fn(move || {
            let i = empty.trailing_zeros() as usize;
            (empty != 0).then(|| {
                empty &= empty - 1;
                Point::of_index(self.first.index() + i * STRIDES[self.direction as usize])
            })
        })
    }
}

/// How many steps of a direction lead to the first and last point of the board on a line.
#[inline(always)]
const fn reach(direction: usize, x: usize, y: usize, last: usize) -> (usize, usize) {
    const fn min(a: usize, b: usize) -> usize {
        if a < b { a } else { b }
    }
    match direction {
        0 => (x, last - x),
        1 => (y, last - y),
        2 => (min(x, y), min(last - x, last - y)),
        _ => (min(last - x, y), min(x, last - y)),
    }
}

impl Windows {
    /// What a live window with so many own stones adds to the [`weight`](Self::weight) of its empty points.
    ///
    /// In hundredths of the logarithm of how often such a point is played, as a softmax regression on games of Connect6 found it for
    /// up to three stones.
    pub const WEIGHTS: [u16; 6] = [5, 36, 105, 205, 300, 600];

    /// The windows of a board, from scratch.
    ///
    /// # Panics
    /// Unless rows longer than the goal win too ([`Row::AtLeast`]): a window says nothing about its neighbours.
    #[must_use]
    pub fn new(board: &Board, goal: Goal) -> Self {
        assert!(goal.row() == Row::AtLeast, "the goal must be a row of at least so many stones, not {goal:?}");
        let (size, length) = (usize::from(board.size()), usize::from(goal.length()));
        let mut new = Self {
            counts: [[OUTSIDE; POINTS]; 4],
            alive: [[0; 7]; 2],
            weights: [[0; POINTS]; 2],
            stones: [[0; SIDE]; 2],
            length: goal.length(),
            size: board.size(),
        };
        for point in board.points() {
            for (direction, &stride) in STRIDES.iter().enumerate() {
                let (_, after) = reach(direction, point.x().into(), point.y().into(), size - 1);
                if after + 1 < length {
                    continue;
                }
                new.counts[direction][point.index()] = 0;
                for seat in 0..2 {
                    new.alive[seat][0] += 1;
                    (0..length).for_each(|i| new.weights[seat][point.index() + i * stride] += Self::WEIGHTS[0]);
                }
            }
        }
        for point in board.points() {
            if let Some(player) = board.stone(point) {
                new.place(point, player);
            }
        }
        new
    }

    /// Puts a stone on an empty point of the board.
    ///
    /// Any other point is a caller's error, debug-asserted.
    #[inline]
    pub fn place(&mut self, point: Point, player: Player) {
        debug_assert!(self.is_empty(point), "{point:?} is not empty, or not on the board");
        self.stones[player.index()][point.y() as usize] |= 1 << point.x();
        let length = usize::from(self.length);
        let (own, enemy) = (player.index(), player.other().index());
        for (direction, stride) in STRIDES.into_iter().enumerate() {
            let Some((near, far)) = self.backs(point, direction) else { continue };
            let start = point.index() - far * stride;
            // What the points of the line gain, as differences from one to the next.
            let mut changes = [[0u16; 2]; 2 * 6];
            for from in 0..=far - near {
                let first = start + from * stride;
                let count = self.counts[direction][first];
                self.counts[direction][first] = count + STONE[own];
                let stones = [usize::from(count & 15), usize::from(count >> 4)];
                let mut weigh = |seat: usize, change: u16| {
                    changes[from][seat] = changes[from][seat].wrapping_add(change);
                    changes[from + length][seat] = changes[from + length][seat].wrapping_sub(change);
                };
                if stones[enemy] == 0 {
                    self.alive[own][stones[own]] -= 1;
                    self.alive[own][stones[own] + 1] += 1;
                    // A row that is complete has no empty points to weigh.
                    let weight = |n| Self::WEIGHTS.get(n).copied().unwrap_or(0);
                    weigh(own, weight(stones[own] + 1).wrapping_sub(weight(stones[own])));
                }
                if stones[own] == 0 {
                    self.alive[enemy][stones[enemy]] -= 1;
                    weigh(enemy, Self::WEIGHTS[stones[enemy].min(5)].wrapping_neg());
                }
            }
            let mut sums = [0u16; 2];
            for (i, change) in changes.iter().enumerate().take(far - near + length) {
                for seat in 0..2 {
                    sums[seat] = sums[seat].wrapping_add(change[seat]);
                    let weight = &mut self.weights[seat][start + i * stride];
                    *weight = weight.wrapping_add(sums[seat]);
                }
            }
        }
    }

    /// How far the first points of the windows through a point lie before it, at least and at most; `None` if there are none.
    #[inline(always)]
    fn backs(&self, point: Point, direction: usize) -> Option<(usize, usize)> {
        let (x, y, last) = (usize::from(point.x()), usize::from(point.y()), usize::from(self.size) - 1);
        let (before, after) = reach(direction, x, y, last);
        let most = usize::from(self.length) - 1;
        let (near, far) = (most.saturating_sub(after), most.min(before));
        (near <= far).then_some((near, far))
    }

    /// How many windows would be alive, by seat and own stones, after a stone of `player` on an empty point.
    #[must_use]
    pub fn alive_after(&self, player: Player, point: Point) -> [[u16; 7]; 2] {
        let mut alive = self.alive;
        let (own, enemy) = (player.index(), player.other().index());
        for (direction, stride) in STRIDES.into_iter().enumerate() {
            let Some((near, far)) = self.backs(point, direction) else { continue };
            for back in near..=far {
                let count = self.counts[direction][point.index() - back * stride];
                let stones = [usize::from(count & 15), usize::from(count >> 4)];
                let open = u16::from(stones[enemy] == 0);
                alive[own][stones[own]] -= open;
                alive[own][stones[own] + 1] += open;
                alive[enemy][stones[enemy]] -= u16::from(stones[own] == 0);
            }
        }
        alive
    }

    /// How many windows through an empty point are alive for `player`, by own stones.
    #[must_use]
    pub fn alive_through(&self, player: Player, point: Point) -> [u16; 7] {
        let after = self.alive_after(player, point)[player.index()];
        let mut more = 0;
        // A stone there gives each of them one more.
        core::array::from_fn(|n| {
            more = self.alive[player.index()][n] + more - after[n];
            more
        })
    }

    /// Whether a stone can be placed on a point: it is on the board, and empty.
    #[inline]
    #[must_use]
    pub fn is_empty(&self, point: Point) -> bool {
        point.x() < self.size && point.y() < self.size && self.occupied(point.y().into()) >> point.x() & 1 == 0
    }

    /// The stones of a row, a bit for each column.
    #[inline(always)]
    const fn occupied(&self, y: usize) -> u32 {
        self.stones[0][y] | self.stones[1][y]
    }

    /// A seat's stones by row, from the top; a bit for each column, the lowest for the left one.
    #[inline]
    #[must_use]
    pub const fn stones(&self, player: Player) -> &[u32; LARGEST as usize] {
        &self.stones[player.index()]
    }

    /// Columns, and rows.
    #[inline]
    #[must_use]
    pub const fn size(&self) -> u8 {
        self.size
    }

    /// How many points a window has: stones that win.
    #[inline]
    #[must_use]
    pub const fn length(&self) -> u8 {
        self.length
    }

    /// How many windows are alive for `player` with exactly so many own stones. A window without any stone is alive for both.
    #[inline]
    #[must_use]
    pub const fn alive(&self, player: Player, stones: u8) -> u16 {
        if stones > self.length { 0 } else { self.alive[player.index()][stones as usize] }
    }

    /// Whether `player` can complete a row with so many stones more, at least one.
    #[inline]
    #[must_use]
    pub const fn can_win(&self, player: Player, stones: u8) -> bool {
        let mut missing = 1;
        while missing <= stones && missing <= self.length {
            if self.alive[player.index()][(self.length - missing) as usize] != 0 {
                return true;
            }
            missing += 1;
        }
        false
    }

    /// What the live windows through a point are worth to a seat: the sum of [`WEIGHTS`](Self::WEIGHTS) by own stones. How good a point looks,
    /// for ordering moves; 0 means that a stone there can never be part of a row. Of an occupied point it says nothing.
    #[inline]
    #[must_use]
    pub const fn weight(&self, player: Player, point: Point) -> u16 {
        self.weights[player.index()][point.index()]
    }

    /// The [`alive`](Self::alive) of both seats, by own stones.
    #[inline]
    #[must_use]
    pub const fn all_alive(&self) -> &[[u16; 7]; 2] {
        &self.alive
    }

    /// The so many empty points for which `score` of [`weight`](Self::weight)s, the one for `player` and the one for the other seat,
    /// is highest, below 2^23; the best first, and of equal ones the first.
    pub fn best_points<F: Fn(u16, u16) -> u32>(
        &self,
        player: Player,
        most: usize,
        score: F,
    ) -> impl Iterator<Item = Point> + use<F> {
        let (own, other) = (&self.weights[player.index()], &self.weights[player.other().index()]);
        // What a point scores, then its place, the first highest; 0 where there is a stone, or no board.
        let mut scored = [0u32; POINTS];
        for y in 0..usize::from(self.size) {
            let occupied = self.occupied(y);
            for x in 0..usize::from(self.size) {
                let at = y * SIDE + x;
                let value = score(own[at], other[at]) << 9 | (POINTS - at) as u32;
                scored[at] = if occupied >> x & 1 == 0 { value } else { 0 };
            }
        }
        // In order. Sixteen at a time, as most have nothing that is better than what was found before.
        let most = most.min(POINTS);
        let (mut best, mut count) = ([0u32; POINTS], 0);
        for chunk in scored.as_chunks::<16>().0 {
            let least = |best: &[u32; POINTS], count: usize| if count < most { 0 } else { best[count - 1] };
            if most == 0 || chunk.iter().fold(0, |max, &value| max.max(value)) <= least(&best, count) {
                continue;
            }
            for &value in chunk {
                if value <= least(&best, count) {
                    continue;
                }
                count += usize::from(count < most);
                let mut i = count - 1;
                while i > 0 && best[i - 1] < value {
                    best[i] = best[i - 1];
                    i -= 1;
                }
                best[i] = value;
            }
        }
        let mut found = [0u16; POINTS];
        found.iter_mut().zip(&best[..count]).for_each(|(to, &from)| *to = POINTS as u16 - (from & 511) as u16);
        (0..count).map(move |i| Point::of_index(found[i].into()))
    }

    /// The windows that are alive for `player` with exactly so many own stones, below [`length`](Self::length).
    pub fn with_stones(&self, player: Player, stones: u8) -> impl Iterator<Item = Window> + use<'_> {
        let wanted = STONE[player.index()] * stones.min(15);
        let any = self.alive(player, stones) != 0;
        let directions = if any { &Direction::ALL[..] } else { &[] };
        directions.iter().flat_map(move |&direction| {
            // Eight at a time: most eights have none.
            const LOW: u64 = u64::MAX / 255 * 0x7F;
            let (eights, _) = self.counts[direction as usize].as_chunks::<8>();
            let wanted = u64::from(wanted) * (u64::MAX / 255);
            let found = move |eight: &[u8; 8]| {
                let differs = u64::from_le_bytes(*eight) ^ wanted;
                // The high bit of each byte that does not.
                !(((differs & LOW) + LOW) | differs | LOW)
            };
            let hits = eights.iter().enumerate().map(move |(i, eight)| (i, found(eight))).filter(|&(_, bits)| bits != 0);
            hits.flat_map(move |(i, mut bits)| {
                core::iter::from_fn(move || {
                    let k = bits.trailing_zeros() as usize / 8;
                    (bits != 0).then(|| {
                        bits &= bits - 1;
                        self.window(direction, i * 8 + k)
                    })
                })
            })
        })
    }

    fn window(&self, direction: Direction, first: usize) -> Window {
        let stride = STRIDES[direction as usize];
        let empty = (0..self.length).filter(|&i| self.is_empty(Point::of_index(first + usize::from(i) * stride)));
        Window { first: Point::of_index(first), direction, empty: empty.fold(0, |bits, i| bits | 1 << i) }
    }

    /// The empty points, row by row.
    pub fn empty_points(&self) -> impl Iterator<Item = Point> + use<'_> {
        let size = self.size;
        let points = (0..size).flat_map(move |y| (0..size).map(move |x| Point::at(x, y)));
        points.filter(|&p| self.is_empty(p))
    }
}

impl core::fmt::Debug for Windows {
    /// The numbers that matter, not three kilobytes.
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_struct("Windows").field("length", &self.length).field("alive", &self.alive).finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use gamecore::random;

    /// What would be alive after a stone, and which points are best, against laying it all out.
    #[test]
    fn what_a_stone_would_do_is_known_beforehand() {
        let mut rng = random::generator(4);
        for size in [6, 9, 19] {
            let goal = Goal::new(if size == 9 { 4 } else { 6 }, Row::AtLeast).unwrap();
            let mut windows = Windows::new(&Board::new(size).unwrap(), goal);
            for turn in 0..u16::from(size) * u16::from(size) / 2 {
                let player = if turn % 2 == 0 { Player::One } else { Player::Two };
                let points: Vec<Point> = windows.empty_points().collect();
                let point = points[random::below(&mut rng, points.len())];
                let mut after = windows.clone();
                after.place(point, player);
                assert_eq!(windows.alive_after(player, point), *after.all_alive());
                let through = windows.alive_through(player, point);
                let weight: u16 = through.iter().zip(Windows::WEIGHTS).map(|(n, weight)| n * weight).sum();
                assert_eq!(weight, windows.weight(player, point));
                let score = |own: u16, other: u16| u32::from(own) * 2 + u32::from(other);
                let mut sorted = points.clone();
                let other = player.other();
                sorted.sort_by_key(|&p| core::cmp::Reverse(score(windows.weight(player, p), windows.weight(other, p))));
                for most in [0, 1, 5, 1000] {
                    let best: Vec<Point> = windows.best_points(player, most, score).collect();
                    assert_eq!(best, sorted[..most.min(sorted.len())]);
                }
                windows = after;
            }
        }
    }
}

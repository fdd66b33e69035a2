//! The board as the search sees it: lines of bits.

use arrayvec::ArrayVec;
use gamecore::Player;
use lines::{LARGEST, Point, Windows};

use crate::threats::Missing;

const SIDE: usize = LARGEST as usize;
const DIAGONALS: usize = 2 * SIDE - 1;
/// Rows, columns, diagonals down to the right, and down to the left.
const LINES: usize = 2 * SIDE + 2 * DIAGONALS;
const WORDS: usize = LINES.div_ceil(64);

/// The two seats, as numbers.
pub(super) const ATTACKER: usize = 0;
pub(super) const DEFENDER: usize = 1;

/// A point's number on a line.
#[derive(Clone, Copy)]
pub(super) struct Spot {
    pub(super) line: usize,
    pub(super) at: u32,
}

/// Where a point is, by direction.
#[inline(always)]
pub(super) fn spots(point: Point) -> [Spot; 4] {
    let (x, y) = (usize::from(point.x()), usize::from(point.y()));
    let spot = |line: usize, at: usize| Spot { line, at: at as u32 };
    [spot(y, x), spot(SIDE + x, y), spot(3 * SIDE - 1 + x - y, x), spot(2 * SIDE + DIAGONALS + x + y, y)]
}

/// The point of a spot.
#[inline(always)]
pub(super) fn point(line: usize, at: u32) -> Point {
    POINTS[line][at as usize]
}

static POINTS: [[Point; SIDE]; LINES] = {
    let Some(corner) = Point::new(0, 0) else { panic!() };
    let mut points = [[corner; SIDE]; LINES];
    let mut i = 0;
    while i < SIDE * SIDE {
        let (x, y) = (i % SIDE, i / SIDE);
        let Some(point) = Point::new(x as u8, y as u8) else { panic!() };
        points[y][x] = point;
        points[SIDE + x][y] = point;
        points[3 * SIDE - 1 + x - y][x] = point;
        points[2 * SIDE + DIAGONALS + x + y][y] = point;
        i += 1;
    }
    points
};

/// A line of the board: a bit for each point, or for each live window by its first point.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) struct Line {
    /// By seat.
    stones: [u32; 2],
    /// By seat, windows that lack one stone or two.
    hot: [u32; 2],
    /// Of the attacker's windows those that lack three stones, and four.
    pub(super) threes: u32,
    pub(super) fours: u32,
    /// Points without a stone.
    pub(super) empty: u32,
}

/// Sets of lines.
#[derive(Clone, Copy, Default)]
struct Busy {
    /// With a window that lacks one or two, by seat.
    hot: [[u64; WORDS]; 2],
    /// With one of the attacker's that lacks three or four.
    warm: [u64; WORDS],
}

/// All lines, with the windows that matter.
#[derive(Clone)]
pub(super) struct Board {
    lines: [Line; LINES],
    busy: Busy,
    pub(super) length: u32,
    /// For each stone since the root, its lines as they were before.
    before: Vec<(u8, Line)>,
}

/// Threats of one side. If there are more than fit, two stones do not stop them: each is in 24 windows.
pub(super) type Rows = ArrayVec<Missing, 49>;

impl Board {
    pub(super) fn new(windows: &Windows, attacker: Player) -> Self {
        let length = u32::from(windows.length());
        let mut board = Self { lines: [Line::default(); LINES], busy: Busy::default(), length, before: Vec::new() };
        board.clear(windows.size().into());
        for (seat, player) in [attacker, attacker.other()].into_iter().enumerate() {
            for (y, &row) in windows.stones(player).iter().enumerate() {
                for spot in ones(row).flat_map(|x| spots(point(y, x))) {
                    board.lines[spot.line].put(spot.at, seat);
                }
            }
        }
        for number in 0..LINES {
            if board.lines[number].empty != 0 {
                board.lines[number].count(ATTACKER, length);
                board.lines[number].count(DEFENDER, length);
                board.note(number);
            }
        }
        board
    }

    /// No stones.
    fn clear(&mut self, size: usize) {
        let bits = |from: usize, to: usize| (1u32 << to) - (1 << from);
        for i in 0..size {
            self.lines[i].empty = bits(0, size);
            self.lines[SIDE + i].empty = bits(0, size);
        }
        for i in 0..size {
            let (down_right, down_left) = (3 * SIDE - 1, 2 * SIDE + DIAGONALS);
            self.lines[down_right + i].empty = bits(i, size);
            self.lines[down_right - i].empty = bits(0, size - i);
            self.lines[down_left + i].empty = bits(0, i + 1);
            self.lines[down_left + 2 * (size - 1) - i].empty = bits(size - 1 - i, size);
        }
    }

    /// Keeps what a line is listed for.
    #[inline(always)]
    fn note(&mut self, number: usize) {
        let line = &self.lines[number];
        let (word, bit) = (number / 64, number % 64);
        let set = |to: &mut u64, bits: u32| *to = *to & !(1 << bit) | u64::from(bits != 0) << bit;
        for (busy, hot) in self.busy.hot.iter_mut().zip(line.hot) {
            set(&mut busy[word], hot);
        }
        set(&mut self.busy.warm[word], line.threes | line.fours);
    }

    /// Puts stones on empty points.
    #[inline]
    pub(super) fn place(&mut self, points: &[Point], seat: usize) {
        for &point in points {
            for spot in spots(point) {
                self.before.push((spot.line as u8, self.lines[spot.line]));
                let through = self.through(spot.at);
                self.lines[spot.line].place(spot.at, through, seat, self.length);
                self.note(spot.line);
            }
        }
    }

    /// Takes the last so many stones away.
    #[inline]
    pub(super) fn undo(&mut self, stones: usize) {
        for _ in 0..4 * stones {
            let Some((number, line)) = self.before.pop() else { return };
            self.lines[usize::from(number)] = line;
            self.note(number.into());
        }
    }

    /// How many stones there are since the root.
    pub(super) fn stones(&self) -> usize {
        self.before.len() / 4
    }

    #[inline(always)]
    pub(super) fn line(&self, number: usize) -> &Line {
        &self.lines[number]
    }

    /// The numbers of lines with windows of the attacker's that lack three or four.
    #[inline]
    pub(super) fn warm(&self) -> impl Iterator<Item = usize> + use<> {
        members(self.busy.warm)
    }

    #[inline]
    pub(super) fn is_empty(&self, point: Point) -> bool {
        self.lines[usize::from(point.y())].empty >> point.x() & 1 != 0
    }

    /// The empty points, row by row.
    pub(super) fn empty_points(&self) -> impl Iterator<Item = Point> + use<'_> {
        (0..SIDE).flat_map(|y| ones(self.lines[y].empty).map(move |x| point(y, x)))
    }

    /// Whether a seat has threats.
    #[inline]
    pub(super) fn threatens(&self, seat: usize) -> bool {
        self.busy.hot[seat] != [0; WORDS]
    }

    /// What its rows lack that lack one stone or two; as many as it takes to know their level.
    #[inline]
    pub(super) fn threats(&self, seat: usize) -> Rows {
        let mut rows = Rows::new();
        for number in members(self.busy.hot[seat]) {
            let line = &self.lines[number];
            let mut last = 0;
            for start in ones(line.hot(seat)) {
                let missing = line.empty & self.window(start);
                if missing != last && !rows.is_full() {
                    rows.push(missing_of(number, missing));
                }
                last = missing;
            }
        }
        rows
    }

    /// Adds the points where a stone of the seat's would make a threat, on all lines.
    pub(super) fn nearly_hot_everywhere(&self, seat: usize, out: &mut Vec<Point>) {
        (0..LINES).for_each(|number| self.nearly_hot_on(number, seat, out));
    }

    /// The same on the lines through a point.
    pub(super) fn nearly_hot(&self, point: Point, seat: usize, out: &mut Vec<Point>) {
        spots(point).iter().for_each(|spot| self.nearly_hot_on(spot.line, seat, out));
    }

    fn nearly_hot_on(&self, number: usize, seat: usize, out: &mut Vec<Point>) {
        let line = &self.lines[number];
        if at_least(line.stones[seat], self.length.saturating_sub(3)) {
            let starts = Counted::of(line.stones[seat], line.empty, self.length).lacking(3);
            out.extend(ones(self.cover(starts) & line.empty).map(|at| point(number, at)));
        }
    }

    /// Whether the stones through a point have a row of the seat's.
    pub(super) fn has_row(&self, point: Point, seat: usize) -> bool {
        spots(point).iter().any(|spot| {
            let own = self.lines[spot.line].stones[seat];
            (1..self.length).fold(own, |all, k| all & own >> k) != 0
        })
    }

    /// The points of a window.
    #[inline(always)]
    pub(super) const fn window(&self, start: u32) -> u32 {
        ((1 << self.length) - 1) << start
    }

    /// The windows through a point, by their first.
    #[inline(always)]
    pub(super) const fn through(&self, at: u32) -> u32 {
        (((1 << self.length) - 1) << at) >> (self.length - 1)
    }

    /// The points of these windows.
    #[inline(always)]
    pub(super) fn cover(&self, starts: u32) -> u32 {
        (1..self.length).fold(starts, |all, k| all | starts << k)
    }

    /// How many of these points it takes to have one in each window: 0, 1, 2, or 3 for more. Every window has one.
    #[inline(always)]
    pub(super) fn level(&self, mut starts: u32, points: u32) -> u8 {
        let mut level = 0;
        while starts != 0 && level < 3 {
            // The last one of the first window is in as many others as any.
            let last = u32::BITS - 1 - (points & self.window(starts.trailing_zeros())).leading_zeros();
            starts &= !1 << last;
            level += 1;
        }
        level
    }
}

impl Line {
    #[inline(always)]
    fn put(&mut self, at: u32, seat: usize) {
        self.stones[seat] |= 1 << at;
        self.empty &= !(1 << at);
    }

    /// Puts a stone, given the windows through its point.
    #[inline(always)]
    fn place(&mut self, at: u32, through: u32, seat: usize, length: u32) {
        self.put(at, seat);
        self.hot[1 - seat] &= !through;
        if seat == DEFENDER {
            self.threes &= !through;
            self.fours &= !through;
        }
        self.count(seat, length);
    }

    /// Counts a seat's windows.
    #[inline(always)]
    fn count(&mut self, seat: usize, length: u32) {
        // As many as the fewest that are counted.
        let fewest = length.saturating_sub(if seat == ATTACKER { 4 } else { 2 });
        if !at_least(self.stones[seat], fewest) {
            return;
        }
        let counted = Counted::of(self.stones[seat], self.empty, length);
        self.hot[seat] = counted.lacking(1) | counted.lacking(2);
        if seat == ATTACKER {
            (self.threes, self.fours) = (counted.lacking(3), counted.lacking(4));
        }
    }

    /// A seat's live windows that lack one stone or two, by their first point.
    #[inline(always)]
    pub(super) const fn hot(&self, seat: usize) -> u32 {
        self.hot[seat]
    }
}

/// A seat's live windows of a line.
struct Counted {
    alive: u32,
    /// How many stones they have, as three bits.
    bits: [u32; 3],
    length: u32,
}

impl Counted {
    #[inline(always)]
    fn of(own: u32, empty: u32, length: u32) -> Self {
        let (mut alive, mut bits) = (own | empty, [own, 0, 0]);
        for k in 1..length {
            let (stone, [ones, twos, _]) = (own >> k, bits);
            let carry = ones & stone;
            bits[0] ^= stone;
            bits[1] ^= carry;
            bits[2] ^= twos & carry;
            alive &= (own | empty) >> k;
        }
        Self { alive, bits, length }
    }

    /// Those that lack so many stones.
    #[inline(always)]
    fn lacking(&self, stones: u32) -> u32 {
        let Some(has) = self.length.checked_sub(stones) else { return 0 };
        self.bits.iter().enumerate().fold(self.alive, |all, (i, &bits)| all & if has >> i & 1 == 0 { !bits } else { bits })
    }
}

/// Whether at least so many bits are set.
#[inline(always)]
fn at_least(bits: u32, count: u32) -> bool {
    (1..count).fold(bits, |rest, _| rest & rest.wrapping_sub(1)) != 0 || count == 0
}

/// One or two points of a line.
#[inline]
pub(super) fn missing_of(line: usize, points: u32) -> Missing {
    let rest = points & (points - 1);
    let first = point(line, points.trailing_zeros());
    if rest == 0 { Missing::one(first) } else { Missing::two(first, point(line, rest.trailing_zeros())) }
}

/// The numbers of the bits that are set.
#[inline(always)]
pub(super) fn ones(mut bits: u32) -> impl Iterator<Item = u32> {
    core::iter::from_fn(move || {
        let i = bits.trailing_zeros();
        (bits != 0).then(|| {
            bits &= bits - 1;
            i
        })
    })
}

/// The numbers of the lines in a set.
#[inline(always)]
fn members(words: [u64; WORDS]) -> impl Iterator<Item = usize> {
    (0..WORDS).flat_map(move |i| {
        let mut rest = words[i];
        core::iter::from_fn(move || {
            let k = rest.trailing_zeros() as usize;
            (rest != 0).then(|| {
                rest &= rest - 1;
                i * 64 + k
            })
        })
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Connect6, Rules};
    use gamecore::random;

    /// What a stone changes, and what it leaves when it is taken away, against counting from scratch.
    #[test]
    fn windows_are_kept_up_to_date() {
        let mut rng = random::generator(6);
        for (size, length) in [(6, 6), (7, 5), (9, 4), (10, 3), (19, 6), (20, 6)] {
            let game = Connect6::start(Rules::new(size, length, 2, 1).unwrap());
            let mut windows = game.windows();
            let mut board = Board::new(&windows, Player::Two);
            let mut before = vec![board.clone()];
            for stone in 0..size * 3 {
                let points: Vec<Point> = windows.empty_points().collect();
                let point = points[random::below(&mut rng, points.len())];
                let (player, seat) = if stone % 4 < 2 { (Player::Two, ATTACKER) } else { (Player::One, DEFENDER) };
                let mut next = windows.clone();
                next.place(point, player);
                if next.alive(Player::Two, length) > 0 {
                    continue;
                }
                windows = next;
                board.place(&[point], seat);
                let slow = Board::new(&windows, Player::Two);
                assert_eq!((&board.lines, board.busy.hot, board.busy.warm), (&slow.lines, slow.busy.hot, slow.busy.warm));
                for (player, seat) in [(Player::Two, ATTACKER), (Player::One, DEFENDER)] {
                    assert_eq!(board.threatens(seat), windows.can_win(player, 2));
                    let rows: std::collections::BTreeSet<Missing> = board.threats(seat).into_iter().collect();
                    let expected = crate::Threats::of(&windows, player);
                    let all = rows.len() == expected.rows().len() || board.threats(seat).is_full();
                    assert!(all && rows.iter().all(|row| expected.rows().contains(row)), "{rows:?} {expected:?}");
                }
                assert!(windows.empty_points().eq(board.empty_points()));
                before.push(board.clone());
            }
            while let Some(expected) = before.pop() {
                assert_eq!(
                    (&board.lines, board.busy.hot, board.busy.warm),
                    (&expected.lines, expected.busy.hot, expected.busy.warm)
                );
                board.undo(1);
            }
        }
    }
}

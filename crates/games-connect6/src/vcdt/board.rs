//! The board as the search sees it: lines of bits.

use arrayvec::ArrayVec;
use gamecore::Player;
use lines::{LARGEST, Point, Windows};

use crate::threats::Missing;

const SIDE: usize = LARGEST as usize;
/// As many lines as a direction has at most: the diagonals.
const DIRECTION: usize = 2 * SIDE - 1;
/// Rows, columns, diagonals down to the right, and down to the left.
const LINES: usize = 4 * DIRECTION;

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
    let spot = |direction: usize, line: usize, at: usize| Spot { line: direction * DIRECTION + line, at: at as u32 };
    [spot(0, y, x), spot(1, x, y), spot(2, SIDE - 1 + x - y, x), spot(3, x + y, y)]
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
        points[DIRECTION + x][y] = point;
        points[2 * DIRECTION + SIDE - 1 + x - y][x] = point;
        points[3 * DIRECTION + x + y][y] = point;
        i += 1;
    }
    points
};

/// A line of the board: a bit for each point, or for each live window by its first point.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Line {
    /// Of the attacker's windows those that lack three stones, and four.
    pub(super) threes: u32,
    pub(super) fours: u32,
    /// Points without a stone.
    pub(super) empty: u32,
}

/// Two sets of windows of a line, the second in the upper half. What is written together is read together: a processor that has to
/// put a number together from several that were just written waits for them.
type Pair = u64;

const fn pair(first: u32, second: u32) -> Pair {
    first as u64 | (second as u64) << 32
}

const fn first(pair: Pair) -> u32 {
    pair as u32
}

const fn second(pair: Pair) -> u32 {
    (pair >> 32) as u32
}

/// Sets of lines, by direction.
#[derive(Clone, Copy, Default, PartialEq, Eq, Debug)]
struct Busy {
    /// With a window that lacks one or two, by seat.
    hot: [[u64; 4]; 2],
    /// With one of the attacker's that lacks three or four.
    warm: [u64; 4],
}

/// All lines, with the windows that matter.
#[derive(Clone)]
pub(super) struct Board {
    /// By seat.
    stones: [[u32; LINES]; 2],
    empty: [u32; LINES],
    /// The seats' windows that lack one stone or two.
    hot: [Pair; LINES],
    /// The attacker's that lack three, and four.
    warm: [Pair; LINES],
    busy: Busy,
    pub(super) length: u32,
    /// The stones since the root.
    placed: Vec<Point>,
    /// For each of them, the windows of the four lines through it as they were before: hot, and warm.
    before: Vec<[Pair; 2]>,
}

/// Threats of one side. If there are more than fit, two stones do not stop them: each is in 24 windows.
pub(super) type Rows = ArrayVec<Missing, 49>;

impl Board {
    pub(super) fn new(windows: &Windows, attacker: Player) -> Self {
        let length = u32::from(windows.length());
        let mut board = Self {
            stones: [[0; LINES]; 2],
            empty: [0; LINES],
            hot: [0; LINES],
            warm: [0; LINES],
            busy: Busy::default(),
            length,
            placed: Vec::new(),
            before: Vec::new(),
        };
        board.clear(windows.size().into());
        for (seat, player) in [attacker, attacker.other()].into_iter().enumerate() {
            for (y, &row) in windows.stones(player).iter().enumerate() {
                for spot in ones(row).flat_map(|x| spots(point(y, x))) {
                    board.stones[seat][spot.line] |= 1 << spot.at;
                    board.empty[spot.line] &= !(1 << spot.at);
                }
            }
        }
        for number in 0..LINES {
            if board.empty[number] != 0 {
                for seat in [ATTACKER, DEFENDER] {
                    board.count(number, seat, length);
                }
                board.note(number / DIRECTION, number);
            }
        }
        board
    }

    /// No stones.
    fn clear(&mut self, size: usize) {
        let bits = |from: usize, to: usize| (1u32 << to) - (1 << from);
        let (down_right, down_left) = (2 * DIRECTION + SIDE - 1, 3 * DIRECTION);
        for i in 0..size {
            self.empty[i] = bits(0, size);
            self.empty[DIRECTION + i] = bits(0, size);
            self.empty[down_right + i] = bits(i, size);
            self.empty[down_right - i] = bits(0, size - i);
            self.empty[down_left + i] = bits(0, i + 1);
            self.empty[down_left + 2 * (size - 1) - i] = bits(size - 1 - i, size);
        }
    }

    /// Keeps what a line of this direction is listed for.
    #[inline(always)]
    fn note(&mut self, direction: usize, number: usize) {
        let line = number - direction * DIRECTION;
        let set = |to: &mut u64, has: bool| *to = *to & !(1 << line) | u64::from(has) << line;
        let (hot, warm) = (self.hot[number], self.warm[number]);
        set(&mut self.busy.hot[ATTACKER][direction], first(hot) != 0);
        set(&mut self.busy.hot[DEFENDER][direction], second(hot) != 0);
        set(&mut self.busy.warm[direction], warm != 0);
    }

    /// Puts stones on empty points.
    #[inline]
    pub(super) fn place(&mut self, points: &[Point], seat: usize) {
        for &point in points {
            // Quicker where the length is known.
            match (self.length, seat) {
                (6, ATTACKER) => self.put(point, ATTACKER, 6),
                (6, DEFENDER) => self.put(point, DEFENDER, 6),
                (length, _) => self.put(point, seat, length),
            }
        }
    }

    #[inline(always)]
    fn put(&mut self, point: Point, seat: usize, length: u32) {
        self.placed.push(point);
        for (direction, spot) in spots(point).into_iter().enumerate() {
            let (number, bit, through) = (spot.line, 1 << spot.at, through(spot.at, length));
            self.before.push([self.hot[number], self.warm[number]]);
            self.stones[seat][number] |= bit;
            self.empty[number] &= !bit;
            if seat == ATTACKER {
                self.hot[number] &= !pair(0, through);
            } else {
                self.hot[number] &= !pair(through, 0);
                self.warm[number] &= !pair(through, through);
            }
            self.count(number, seat, length);
            self.note(direction, number);
        }
    }

    /// Counts a seat's windows of a line.
    #[inline(always)]
    fn count(&mut self, number: usize, seat: usize, length: u32) {
        // As many as the fewest that are counted.
        let fewest = length.saturating_sub(if seat == ATTACKER { 4 } else { 2 });
        let own = self.stones[seat][number];
        if !at_least(own, fewest) {
            return;
        }
        let counted = Counted::of(own, self.empty[number], length);
        let hot = counted.lacking(1) | counted.lacking(2);
        if seat == ATTACKER {
            self.hot[number] = pair(hot, second(self.hot[number]));
            self.warm[number] = pair(counted.lacking(3), counted.lacking(4));
        } else {
            self.hot[number] = pair(first(self.hot[number]), hot);
        }
    }

    /// Takes the last so many stones away.
    #[inline]
    pub(super) fn undo(&mut self, stones: usize) {
        for _ in 0..stones {
            let Some(point) = self.placed.pop() else { return };
            for (direction, spot) in spots(point).into_iter().enumerate().rev() {
                let Some([hot, warm]) = self.before.pop() else { return };
                let (number, bit) = (spot.line, 1 << spot.at);
                (self.hot[number], self.warm[number]) = (hot, warm);
                self.stones[ATTACKER][number] &= !bit;
                self.stones[DEFENDER][number] &= !bit;
                self.empty[number] |= bit;
                self.note(direction, number);
            }
        }
    }

    /// How many stones there are since the root.
    pub(super) fn stones(&self) -> usize {
        self.placed.len()
    }

    #[inline(always)]
    pub(super) fn line(&self, number: usize) -> Line {
        let warm = self.warm[number];
        Line { threes: first(warm), fours: second(warm), empty: self.empty[number] }
    }

    /// A seat's live windows of a line that lack one stone or two, by their first point.
    #[inline(always)]
    pub(super) fn hot(&self, number: usize, seat: usize) -> u32 {
        if seat == ATTACKER { first(self.hot[number]) } else { second(self.hot[number]) }
    }

    /// The numbers of lines with windows of the attacker's that lack three or four.
    #[inline]
    pub(super) fn warm(&self) -> impl Iterator<Item = usize> + use<> {
        members(self.busy.warm)
    }

    #[inline]
    pub(super) fn is_empty(&self, point: Point) -> bool {
        self.empty[usize::from(point.y())] >> point.x() & 1 != 0
    }

    /// The empty points, row by row.
    pub(super) fn empty_points(&self) -> impl Iterator<Item = Point> + use<'_> {
        (0..SIDE).flat_map(|y| ones(self.empty[y]).map(move |x| point(y, x)))
    }

    /// Whether a seat has threats.
    #[inline]
    pub(super) fn threatens(&self, seat: usize) -> bool {
        self.busy.hot[seat] != [0; 4]
    }

    /// What its rows lack that lack one stone or two; as many as it takes to know their level.
    #[inline]
    pub(super) fn threats(&self, seat: usize) -> Rows {
        let mut rows = Rows::new();
        for number in members(self.busy.hot[seat]) {
            let empty = self.empty[number];
            let mut last = 0;
            for start in ones(self.hot(number, seat)) {
                let missing = empty & self.window(start);
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
        let (own, empty) = (self.stones[seat][number], self.empty[number]);
        if at_least(own, self.length.saturating_sub(3)) {
            let starts = Counted::of(own, empty, self.length).lacking(3);
            out.extend(ones(self.cover(starts) & empty).map(|at| point(number, at)));
        }
    }

    /// Whether the stones through a point have a row of the seat's.
    pub(super) fn has_row(&self, point: Point, seat: usize) -> bool {
        spots(point).iter().any(|spot| {
            let own = self.stones[seat][spot.line];
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
        through(at, self.length)
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

/// The windows of this length through a point, by their first.
#[inline(always)]
const fn through(at: u32, length: u32) -> u32 {
    (((1 << length) - 1) << at) >> (length - 1)
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
fn members(set: [u64; 4]) -> impl Iterator<Item = usize> {
    set.into_iter().enumerate().flat_map(|(direction, mut rest)| {
        core::iter::from_fn(move || {
            let line = rest.trailing_zeros() as usize;
            (rest != 0).then(|| {
                rest &= rest - 1;
                direction * DIRECTION + line
            })
        })
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Connect6, Rules};
    use gamecore::random;

    /// What is counted.
    fn all(board: &Board) -> impl PartialEq + core::fmt::Debug + use<> {
        (board.stones, board.empty, board.hot, board.warm, board.busy)
    }

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
                assert_eq!(all(&board), all(&slow));
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
                assert_eq!(all(&board), all(&expected));
                board.undo(1);
            }
        }
    }
}

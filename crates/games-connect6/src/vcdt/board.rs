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

/// The bit of a seat's half of a word.
const HALF: [u32; 2] = [0, 32];
/// A bit for either seat.
const BOTH: u64 = 1 | 1 << 32;

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

/// A line of the board: a bit for each point, or for each window by its first point.
#[derive(Clone, Copy, Default)]
pub(super) struct Line {
    /// The attacker's in the low half, the defender's in the high one.
    stones: u64,
    /// Live windows that lack one stone or two, in the same halves.
    hot: u64,
    /// Of the attacker's live windows those that lack three stones, and four.
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
    /// What turns the three bits of the number of stones into ones, if the window lacks one, two, three, four; and whether it can.
    wanted: [([u64; 3], u64); 4],
    /// For each stone since the root.
    placed: Vec<Placed>,
}

/// What [`Board::place`] changed, as it was.
#[derive(Clone)]
struct Placed {
    spots: [Spot; 4],
    lines: [Line; 4],
    busy: Busy,
}

/// Threats of one side. No more than this many that differ can be stopped by two stones, for each of which is in 24 windows.
pub(super) type Rows = ArrayVec<Missing, 49>;

impl Board {
    pub(super) fn new(windows: &Windows, attacker: Player) -> Self {
        let length = u32::from(windows.length());
        let wanted = [1, 2, 3, 4].map(|lacks: u32| {
            let stones = length.wrapping_sub(lacks);
            ([0, 1, 2].map(|bit| if stones >> bit & 1 == 0 { u64::MAX } else { 0 }), if lacks <= length { u64::MAX } else { 0 })
        });
        let mut board = Self { lines: [Line::default(); LINES], busy: Busy::default(), length, wanted, placed: Vec::new() };
        board.clear(windows.size().into());
        for (seat, player) in [attacker, attacker.other()].into_iter().enumerate() {
            for (y, &row) in windows.stones(player).iter().enumerate() {
                let mut rest = row;
                while rest != 0 {
                    for spot in spots(point(y, rest.trailing_zeros())) {
                        board.lines[spot.line].put(spot.at, seat);
                    }
                    rest &= rest - 1;
                }
            }
        }
        for number in 0..LINES {
            let line = &board.lines[number];
            if at_least(line.of(ATTACKER), length.saturating_sub(4)) || at_least(line.of(DEFENDER), length.saturating_sub(2)) {
                board.count(number);
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

    /// Counts a line's windows.
    #[inline]
    fn count(&mut self, number: usize) {
        let line = &mut self.lines[number];
        let own = line.stones;
        let open = own | u64::from(line.empty) * BOTH;
        // Stones by window, as three bits; what one half takes from the other is no live window.
        let (mut ones, mut twos, mut fours, mut alive) = (own, 0, 0, open);
        for k in 1..self.length {
            let stone = own >> k;
            let carry = ones & stone;
            ones ^= stone;
            fours ^= twos & carry;
            twos ^= carry;
            alive &= open >> k;
        }
        let lacking = |n: usize| {
            let (flip, can) = self.wanted[n - 1];
            (ones ^ flip[0]) & (twos ^ flip[1]) & (fours ^ flip[2]) & alive & can
        };
        line.hot = lacking(1) | lacking(2);
        (line.threes, line.fours) = (lacking(3) as u32, lacking(4) as u32);
        let (hot, warm) = (line.hot, line.threes | line.fours);
        let (word, bit) = (number / 64, number % 64);
        let set = |to: &mut u64, on: bool| *to = *to & !(1 << bit) | u64::from(on) << bit;
        for (seat, half) in HALF.into_iter().enumerate() {
            set(&mut self.busy.hot[seat][word], (hot >> half) as u32 != 0);
        }
        set(&mut self.busy.warm[word], warm != 0);
    }

    /// Puts stones on empty points.
    #[inline]
    pub(super) fn place(&mut self, points: &[Point], seat: usize) {
        for &point in points {
            let spots = spots(point);
            self.placed.push(Placed { spots, lines: spots.map(|spot| self.lines[spot.line]), busy: self.busy });
            for spot in spots {
                self.lines[spot.line].put(spot.at, seat);
                self.count(spot.line);
            }
        }
    }

    /// Takes the last so many stones away.
    #[inline]
    pub(super) fn undo(&mut self, stones: usize) {
        for _ in 0..stones {
            let Some(before) = self.placed.pop() else { return };
            for (spot, line) in before.spots.into_iter().zip(before.lines) {
                self.lines[spot.line] = line;
            }
            self.busy = before.busy;
        }
    }

    /// How many stones there are since the root.
    pub(super) fn stones(&self) -> usize {
        self.placed.len()
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

    /// Whether the stones through a point have a row of the seat's.
    pub(super) fn has_row(&self, point: Point, seat: usize) -> bool {
        spots(point).iter().any(|spot| {
            let own = self.lines[spot.line].of(seat);
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
        self.stones |= 1 << (at + HALF[seat]);
        self.empty &= !(1 << at);
    }

    /// A seat's stones.
    #[inline(always)]
    const fn of(&self, seat: usize) -> u32 {
        (self.stones >> HALF[seat]) as u32
    }

    /// A seat's live windows that lack one stone or two, by their first point.
    #[inline(always)]
    pub(super) const fn hot(&self, seat: usize) -> u32 {
        (self.hot >> HALF[seat]) as u32
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

#[inline(always)]
fn members(mut words: [u64; WORDS]) -> impl Iterator<Item = usize> {
    (0..WORDS).flat_map(move |i| {
        let word = &mut words[i];
        let mut rest = *word;
        core::iter::from_fn(move || {
            let k = rest.trailing_zeros() as usize;
            (rest != 0).then(|| {
                rest &= rest - 1;
                i * 64 + k
            })
        })
    })
}

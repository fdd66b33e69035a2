//! What each empty point makes, kept up to date stone by stone.

use gamecore::Player;

use crate::board::Board;
use crate::goal::{Goal, Row};
use crate::point::{Direction, LARGEST, POINTS, Point, PointSet};
use crate::renju;
use crate::table::{KINDS, Made, PAIRS, Table, nibbles, pair_table};

const SIDE: usize = LARGEST as usize;
const DIAGONALS: usize = 2 * SIDE - 1;
const LINES: usize = 2 * SIDE + 2 * DIAGONALS;
/// A line's first point has this bit: as many bits before it stand for what is beyond the edge.
const FIRST: u32 = 6;

/// For every empty point of a board, what a stone of either seat would [make](Made) there on each of its four lines.
///
/// [`place`](Self::place) looks again only at the points that the new stone can matter to: 32 to 40 look-ups in a table (by
/// the stones around a point), most of which change nothing. The idea is common to the strong gomoku programs, Yixin and Rapfi
/// among them. 3 KiB, without heap; searches copy it.
///
/// # Examples
/// ```
/// use gamecore::Player;
/// use lines::{Board, Direction, Goal, Made, Patterns, Point};
///
/// let mut board = Board::new(15).unwrap();
/// for x in [6, 7, 8] {
///     board.place(Point::new(x, 7).unwrap(), Player::One);
/// }
/// let mut patterns = Patterns::new(&board, [Goal::FIVE_OR_MORE; 2]);
/// let beside = Point::new(9, 7).unwrap();
/// assert_eq!(patterns.made(beside, Direction::East, Player::One), Made::OpenFour);
///
/// patterns.place(Point::new(5, 7).unwrap(), Player::Two);
/// assert_eq!(patterns.made(beside, Direction::East, Player::One), Made::Four);
/// ```
#[derive(Clone)]
pub struct Patterns {
    table: &'static Table,
    pair_table: &'static [u8],
    /// By line and seat: its stones, and beyond its ends.
    lines: [[u32; 2]; LINES],
    /// By point and direction: One's [`Made`] in the low four bits, Two's in the high ones. 0 on stones.
    codes: [[u8; 4]; POINTS],
    /// By seat and kind: how many codes.
    counts: [[u16; KINDS]; 2],
    /// By seat and pair of kinds: how many points.
    pairs: [[u16; PAIRS]; 2],
    /// By seat: where some line has a five; a four or better; an open three or better.
    sets: [[PointSet; 3]; 2],
    /// By row: points at most two columns and two rows from a stone.
    near: [u32; SIDE],
    goals: [Goal; 2],
    size: u8,
    renju: bool,
}

/// The least that a point of [`Patterns::sets`] makes.
const LEAST: [Made; 3] = [Made::Five, Made::Four, Made::OpenThree];
const FIVES: usize = 0;
const FOURS: usize = 1;
const THREES: usize = 2;

/// The line through a point, and its bit there.
#[inline(always)]
const fn place_on(direction: usize, x: usize, y: usize) -> (usize, u32) {
    let (line, along) = match direction {
        0 => (y, x),
        1 => (SIDE + x, y),
        2 => (2 * SIDE + SIDE - 1 + x - y, y),
        _ => (2 * SIDE + DIAGONALS + x + y, y),
    };
    (line, along as u32 + FIRST)
}

/// From a point's number to the next one's, by direction.
const STRIDES: [isize; 4] = [1, SIDE as isize, SIDE as isize + 1, SIDE as isize - 1];

/// Whether one of four kinds is `least` or better.
#[inline(always)]
const fn any(kinds: u32, least: Made) -> bool {
    (kinds + 0x0101_0101 * (16 - least as u32)) & 0x1010_1010 != 0
}

impl Patterns {
    /// The patterns of a board, worked out from scratch. What wins may differ between the seats.
    #[must_use]
    pub fn new(board: &Board, goals: [Goal; 2]) -> Self {
        let size = usize::from(board.size());
        let mut new = Self {
            table: Table::of(goals),
            pair_table: pair_table(),
            lines: [[u32::MAX; 2]; LINES],
            codes: [[0; 4]; POINTS],
            counts: [[0; KINDS]; 2],
            pairs: [[0; PAIRS]; 2],
            sets: [[PointSet::default(); 3]; 2],
            near: [0; SIDE],
            goals,
            size: board.size(),
            renju: false,
        };
        for point in board.points() {
            for direction in 0..4 {
                let (line, bit) = place_on(direction, point.x().into(), point.y().into());
                for player in Player::BOTH {
                    new.lines[line][player] &= !(1 << bit);
                    if board.stone(point) == Some(player) {
                        new.lines[line][player] |= 1 << bit;
                    }
                }
            }
            if board.stone(point).is_some() {
                new.approach(point);
            }
        }
        for (counts, pairs) in new.counts.iter_mut().zip(&mut new.pairs) {
            counts[Made::Nothing as usize] = 4 * (size * size) as u16;
            pairs[0] = (size * size) as u16;
        }
        for point in board.points().filter(|&p| board.stone(p).is_none()) {
            for direction in 0..4 {
                let (line, bit) = place_on(direction, point.x().into(), point.y().into());
                new.look(line, bit, direction, point.index());
            }
        }
        new
    }

    /// The patterns of a board on which Player One may not do what is [forbidden](crate::renju::forbidden) in renju, and has to
    /// make exactly five; for Player Two more will do. Patterns do not know of forbidden points; [`Vcf`](crate::Vcf) does.
    #[must_use]
    pub fn of_renju(board: &Board) -> Self {
        Self { renju: true, ..Self::new(board, [Goal::EXACTLY_FIVE, Goal::FIVE_OR_MORE]) }
    }

    /// Whether the rules forbid `player` a stone on this empty point; only ever in renju.
    #[must_use]
    pub fn is_forbidden(&self, point: Point, player: Player) -> bool {
        self.renju && player == Player::One && renju::forbidden(&self.board(), point).is_some()
    }

    /// The stones without the patterns.
    #[must_use]
    pub fn board(&self) -> Board {
        let mut board = Board::of_size(self.size);
        for y in 0..self.size {
            for player in Player::BOTH {
                let [own, other] = [player, player.other()].map(|seat| self.lines[usize::from(y)][seat]);
                let row = (own & !other) >> FIRST;
                (0..self.size).filter(|x| row >> x & 1 != 0).for_each(|x| board.place(Point::at(x, y), player));
            }
        }
        board
    }

    /// What wins, by seat.
    #[inline]
    #[must_use]
    pub const fn goals(&self) -> [Goal; 2] {
        self.goals
    }

    /// Whether a stone can be placed on a point: it is on the board, and empty.
    #[inline]
    #[must_use]
    pub fn is_empty(&self, point: Point) -> bool {
        let [one, two] = self.lines[point.y() as usize];
        (one | two) >> (u32::from(point.x()) + FIRST) & 1 == 0
    }

    /// Puts a stone on an empty point.
    ///
    /// Any other point is a caller's error, debug-asserted.
    pub fn place(&mut self, point: Point, player: Player) {
        debug_assert!(self.is_empty(point), "{point:?} is not empty, or not on the board");
        let (x, y) = (usize::from(point.x()), usize::from(point.y()));
        for (direction, stride) in STRIDES.into_iter().enumerate() {
            self.change(point.index(), direction, 0);
            let (line, bit) = place_on(direction, x, y);
            self.lines[line][player] |= 1 << bit;
            let [one, two] = self.lines[line];
            // `reach` is at most FIRST, and no line is longer than SIDE.
            let reach = self.table.reach();
            let around = ((2 << (2 * reach)) - 1) << (bit - reach);
            let mut empty = !(one | two) & around;
            while empty != 0 {
                let at = empty.trailing_zeros();
                empty &= empty - 1;
                let index = point.index() as isize + (at as isize - bit as isize) * stride;
                self.look(line, at, direction, index as usize);
            }
        }
        self.approach(point);
    }

    /// Works out again what an empty point makes along a line.
    #[inline(always)]
    fn look(&mut self, line: usize, bit: u32, direction: usize, index: usize) {
        let [one, two] = self.lines[line];
        let shift = bit - self.table.reach();
        let code = self.table.code(one >> shift, two >> shift);
        if self.codes[index][direction] != code {
            self.change(index, direction, code);
        }
    }

    #[inline(always)]
    fn change(&mut self, index: usize, direction: usize, code: u8) {
        let kinds_before = u32::from_le_bytes(self.codes[index]);
        let before = core::mem::replace(&mut self.codes[index][direction], code);
        let kinds = u32::from_le_bytes(self.codes[index]);
        for (seat, shift) in [(0, 0), (1, 4)] {
            let (old, new) = (before >> shift & 15, code >> shift & 15);
            if old == new {
                continue;
            }
            self.counts[seat][usize::from(old)] -= 1;
            self.counts[seat][usize::from(new)] += 1;
            let pair = |kinds: u32| usize::from(self.pair_table[nibbles(kinds >> shift & 0x0F0F_0F0F)]);
            let (old_pair, new_pair) = (pair(kinds_before), pair(kinds));
            self.pairs[seat][old_pair] -= 1;
            self.pairs[seat][new_pair] += 1;
            // Most changes are of kinds that no set asks for.
            if old.max(new) >= LEAST[THREES] as u8 {
                self.enlist(index, seat);
            }
        }
    }

    /// Puts an empty point into the sets of a seat where it belongs, or takes it out.
    fn enlist(&mut self, index: usize, seat: usize) {
        let kinds = u32::from_le_bytes(self.codes[index]) >> (4 * seat) & 0x0F0F_0F0F;
        for (set, least) in self.sets[seat].iter_mut().zip(LEAST) {
            set.set(Point::of_index(index), any(kinds, least));
        }
    }

    /// Marks the points near a new stone.
    #[inline(always)]
    fn approach(&mut self, point: Point) {
        let y = usize::from(point.y());
        let columns = 0b11111 << point.x() >> 2;
        self.near[y.saturating_sub(2)..(y + 3).min(SIDE)].iter_mut().for_each(|row| *row |= columns);
    }

    /// What a stone of `player` would make on a point's line in one direction; [`Made::Nothing`] where a stone is already.
    #[inline]
    #[must_use]
    pub fn made(&self, point: Point, direction: Direction, player: Player) -> Made {
        Made::ALL[usize::from(self.codes[point.index()][direction as usize] >> (4 * player.index()) & 15)]
    }

    /// The same in all four directions, in the order of [`Direction::ALL`].
    #[inline]
    #[must_use]
    pub fn made_around(&self, point: Point, player: Player) -> [Made; 4] {
        self.codes[point.index()].map(|code| Made::ALL[usize::from(code >> (4 * player.index()) & 15)])
    }

    /// The same as a number below 65,536, for tables: four bits for each direction, the first in the lowest, each the place of a kind in
    /// [`Made::ALL`].
    #[inline(always)]
    #[must_use]
    pub const fn signature(&self, point: Point, player: Player) -> u16 {
        nibbles(u32::from_le_bytes(self.codes[point.index()]) >> (4 * player.index() as u32) & 0x0F0F_0F0F) as u16
    }

    /// How often the empty points make each kind for `player`, every line through a point counted by itself, in the order of
    /// [`Made::ALL`]. Points with stones count among [`Made::Nothing`].
    #[inline]
    #[must_use]
    pub const fn counts(&self, player: Player) -> &[u16; KINDS] {
        &self.counts[player.index()]
    }

    /// How often empty points have each pair of kinds as their best two for `player`: what a stone there makes on its best line and
    /// on its second best. The pair of [`Made`] `a` and `b`, `a` no worse, stands at [`pair_index`]. Points with stones count among
    /// the pairs of nothing.
    #[inline]
    #[must_use]
    pub const fn pairs(&self, player: Player) -> &[u16; PAIRS] {
        &self.pairs[player.index()]
    }

    /// All points where a stone of `player` wins.
    #[inline]
    #[must_use]
    pub const fn fives(&self, player: Player) -> &PointSet {
        &self.sets[player.index()][FIVES]
    }

    /// All points where a stone of `player` wins or makes a four, open or not: threatens to win next.
    #[inline]
    #[must_use]
    pub const fn fours(&self, player: Player) -> &PointSet {
        &self.sets[player.index()][FOURS]
    }

    /// All points where a stone of `player` makes an open three, a four, or wins.
    #[inline]
    #[must_use]
    pub const fn threes(&self, player: Player) -> &PointSet {
        &self.sets[player.index()][THREES]
    }

    /// The points where a stone of `player` wins at once or, if the opponent has no such point, one move later: it leaves two
    /// winning points or more. Not for [`Row::Unclosed`] goals, whose fives can be spoilt from beside; in renju some may be
    /// forbidden.
    pub fn double_fours(&self, player: Player) -> impl Iterator<Item = Point> + use<'_> {
        self.fours(player).iter().filter(move |&p| {
            let made = self.made_around(p, player);
            made.iter().any(|&m| m >= Made::OpenFour) || made.iter().filter(|&&m| m == Made::Four).count() >= 2
        })
    }

    /// The empty points along `direction` where a stone of `player` would make a four or better, `point` itself included.
    ///
    /// If `point` makes an open four there, a stone of the opponent on any other point of the board leaves it standing.
    pub fn defences(&self, point: Point, direction: Direction, player: Player) -> impl Iterator<Item = Point> + use<'_> {
        let reach = self.table.reach() as i8;
        (-reach..=reach)
            .filter_map(move |distance| point.step(direction, distance))
            .filter(move |&p| self.made(p, direction, player) >= Made::Four)
    }

    /// The empty points that a stone stands near to, at most two columns and two rows away; row by row.
    pub fn near(&self) -> impl Iterator<Item = Point> + use<'_> {
        self.empty_among(&self.near)
    }

    /// The empty points, row by row.
    pub fn empty_points(&self) -> impl Iterator<Item = Point> + use<'_> {
        self.empty_among(&[u32::MAX; SIDE])
    }

    fn empty_among(&self, rows: &[u32; SIDE]) -> impl Iterator<Item = Point> + use<> {
        let rows: [u32; SIDE] = core::array::from_fn(|y| {
            let [one, two] = self.lines[y];
            rows[y] & !((one | two) >> FIRST) & ((1 << SIDE) - 1)
        });
        (0..self.size).flat_map(move |y| {
            let mut row = rows[y as usize];
            core::iter::from_fn(move || {
                let x = row.trailing_zeros() as u8;
                (row != 0).then(|| {
                    row &= row - 1;
                    Point::at(x, y)
                })
            })
        })
    }

    pub(crate) const fn is_renju(&self) -> bool {
        self.renju
    }

    /// Whether a stone beside a finished row can spoil it: a four then has more answers than its winning point.
    pub(crate) const fn is_spoilt_from_beside(&self, player: Player) -> bool {
        matches!(self.goals[player.index()].row(), Row::Unclosed)
    }
}

impl PartialEq for Patterns {
    fn eq(&self, other: &Self) -> bool {
        (self.goals, self.size, self.renju) == (other.goals, other.size, other.renju)
            && (self.lines, self.codes) == (other.lines, other.codes)
            && (self.counts, self.pairs, self.sets, self.near) == (other.counts, other.pairs, other.sets, other.near)
    }
}

impl Eq for Patterns {}

impl core::fmt::Debug for Patterns {
    /// The points that matter, not three kilobytes.
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_struct("Patterns")
            .field("goals", &self.goals)
            .field("fives", &self.sets.map(|s| s[FIVES]))
            .field("fours", &self.sets.map(|s| s[FOURS]))
            .field("threes", &self.sets.map(|s| s[THREES]))
            .field("counts", &self.counts)
            .finish_non_exhaustive()
    }
}

//! Points of a board, the four ways a row can run, and sets of points.

use core::fmt;

/// The largest board has this many columns and rows.
pub const LARGEST: u8 = 20;
/// Points of the largest board. A point has the same number on boards of every size.
pub(crate) const POINTS: usize = LARGEST as usize * LARGEST as usize;

/// A point: its column and row, counted from 0 at the top left. Ordered row by row.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Point(u16);

impl Point {
    /// The point in column `x` and row `y`; `None` if the largest board has none such.
    #[inline]
    #[must_use]
    pub const fn new(x: u8, y: u8) -> Option<Self> {
        if x < LARGEST && y < LARGEST { Some(Self::at(x, y)) } else { None }
    }

    /// Both below [`LARGEST`].
    #[inline(always)]
    pub(crate) const fn at(x: u8, y: u8) -> Self {
        debug_assert!(x < LARGEST && y < LARGEST);
        Self(y as u16 * LARGEST as u16 + x as u16)
    }

    /// The point of a number below [`POINTS`].
    #[inline(always)]
    pub(crate) const fn of_index(index: usize) -> Self {
        debug_assert!(index < POINTS);
        Self(index as u16)
    }

    /// The column, 0 at the left.
    #[inline]
    #[must_use]
    pub const fn x(self) -> u8 {
        (self.0 % LARGEST as u16) as u8
    }

    /// The row, 0 at the top.
    #[inline]
    #[must_use]
    pub const fn y(self) -> u8 {
        (self.0 / LARGEST as u16) as u8
    }

    /// The point `distance` steps along `direction` (negative: against it), if the largest board has it.
    #[must_use]
    pub fn step(self, direction: Direction, distance: i8) -> Option<Self> {
        let (dx, dy) = direction.step();
        let x = i16::from(self.x()) + i16::from(dx) * i16::from(distance);
        let y = i16::from(self.y()) + i16::from(dy) * i16::from(distance);
        Self::new(u8::try_from(x).ok()?, u8::try_from(y).ok()?)
    }

    /// The point's number, row by row and [`LARGEST`] to a row whatever the board's size: below 400.
    #[inline(always)]
    #[must_use]
    pub const fn index(self) -> usize {
        self.0 as usize
    }
}

impl fmt::Debug for Point {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "({},{})", self.x(), self.y())
    }
}

/// The way a row runs. Each stands for both its ends.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub enum Direction {
    /// Along a board's row, to the right.
    East,
    /// Along a column, downwards.
    South,
    /// Right and down.
    SouthEast,
    /// Left and down.
    SouthWest,
}

impl Direction {
    /// All four.
    pub const ALL: [Self; 4] = [Self::East, Self::South, Self::SouthEast, Self::SouthWest];

    /// Columns and rows from a point to the next.
    #[inline]
    #[must_use]
    pub const fn step(self) -> (i8, i8) {
        match self {
            Self::East => (1, 0),
            Self::South => (0, 1),
            Self::SouthEast => (1, 1),
            Self::SouthWest => (-1, 1),
        }
    }
}

const WORDS: usize = POINTS.div_ceil(64);

/// A set of points.
#[derive(Clone, Copy, PartialEq, Eq, Default, Hash)]
pub struct PointSet([u64; WORDS]);

impl PointSet {
    /// Whether the set is empty.
    #[inline]
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0.iter().fold(0, |all, word| all | word) == 0
    }

    /// How many points it holds.
    #[inline]
    #[must_use]
    pub fn len(&self) -> u32 {
        self.0.iter().map(|word| word.count_ones()).sum()
    }

    /// Whether it holds `point`.
    #[inline]
    #[must_use]
    pub const fn contains(&self, point: Point) -> bool {
        self.0[point.index() / 64] >> (point.index() % 64) & 1 != 0
    }

    /// Adds a point, or takes it out.
    #[inline(always)]
    pub fn set(&mut self, point: Point, inside: bool) {
        let word = &mut self.0[point.index() / 64];
        *word = *word & !(1 << (point.index() % 64)) | u64::from(inside) << (point.index() % 64);
    }

    /// The first point, row by row.
    #[inline]
    #[must_use]
    pub fn first(&self) -> Option<Point> {
        self.iter().next()
    }

    /// The points, row by row.
    #[inline]
    pub fn iter(&self) -> impl Iterator<Item = Point> + use<> {
        let words = self.0;
        (0..WORDS).flat_map(move |i| {
            let mut word = words[i];
            core::iter::from_fn(move || {
                let bit = word.trailing_zeros() as usize;
                (word != 0).then(|| {
                    word &= word - 1;
                    Point::of_index(i * 64 + bit)
                })
            })
        })
    }
}

impl FromIterator<Point> for PointSet {
    fn from_iter<I: IntoIterator<Item = Point>>(points: I) -> Self {
        let mut set = Self::default();
        points.into_iter().for_each(|p| set.set(p, true));
        set
    }
}

impl fmt::Debug for PointSet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(self.iter()).finish()
    }
}

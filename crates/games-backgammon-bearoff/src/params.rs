//! Which positions a database has, and their order.

/// The most points that a database can have; a two-sided one has at most [`MOST_TWO_SIDED_POINTS`].
pub const MOST_POINTS: u8 = 16;
/// The most points of a two-sided database: two sides on twelve points each never meet.
pub const MOST_TWO_SIDED_POINTS: u8 = 12;
/// The most checkers of a side.
pub const MOST_CHECKERS: u8 = 15;
/// The most positions of one side that a one-sided database can have.
pub const MOST_POSITIONS: usize = 1 << 22;
/// The largest file that is written, read or mapped, in bytes: 4 GiB.
pub const MOST_BYTES: u64 = 1 << 32;

/// `CHOOSE[n][k]`: the ways of choosing `k` of `n`.
const CHOOSE: [[u32; MOST_POINTS as usize + 1]; (MOST_POINTS + MOST_CHECKERS) as usize + 1] = {
    let mut table = [[0; MOST_POINTS as usize + 1]; (MOST_POINTS + MOST_CHECKERS) as usize + 1];
    let mut n = 0;
    while n < table.len() {
        table[n][0] = 1;
        let mut k = 1;
        while k <= n && k < table[n].len() {
            table[n][k] = table[n - 1][k - 1] + table[n - 1][k];
            k += 1;
        }
        n += 1;
    }
    table
};

/// One side's checkers in play, four bits a point, point 1 the lowest.
pub(crate) type Packed = u64;

/// The positions of one side in a database: at most so many checkers in play, all on the side's first points.
///
/// # Examples
/// ```
/// use games_backgammon_bearoff::Params;
///
/// assert_eq!(Params::new(6, 15)?.positions(), 54_264);
/// assert_eq!(Params::new(6, 6)?.two_sided_bytes(), 6_830_248);
/// assert!(Params::new(6, 16).is_err());
/// # Ok::<(), games_backgammon_bearoff::ParamsError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Params {
    points: u8,
    checkers: u8,
}

impl Params {
    /// The home board and 15 checkers: the usual one-sided database.
    pub const HOME: Self = Self { points: 6, checkers: 15 };
    /// The home board and 6 checkers: the usual two-sided database.
    pub const SMALL: Self = Self { points: 6, checkers: 6 };

    /// `checkers` at most, 1 to [`MOST_CHECKERS`], on the points 1 to `points`, at most [`MOST_POINTS`].
    ///
    /// # Errors
    /// If one of them is out of range, or there are more than [`MOST_POSITIONS`] positions.
    pub const fn new(points: u8, checkers: u8) -> Result<Self, ParamsError> {
        if points == 0 || points > MOST_POINTS || checkers == 0 || checkers > MOST_CHECKERS {
            return Err(ParamsError::Range { points, checkers });
        }
        let params = Self { points, checkers };
        if params.positions() > MOST_POSITIONS {
            return Err(ParamsError::Positions { positions: params.positions() });
        }
        Ok(params)
    }

    /// The points, counted from the side's 1-point.
    #[must_use]
    pub const fn points(self) -> u8 {
        self.points
    }

    /// The most checkers in play.
    #[must_use]
    pub const fn checkers(self) -> u8 {
        self.checkers
    }

    /// Positions of one side, all checkers off included.
    #[must_use]
    pub const fn positions(self) -> usize {
        CHOOSE[(self.points + self.checkers) as usize][self.points as usize] as usize
    }

    /// The size of the two-sided database, in bytes, as a file and in memory: 8 for each pair of positions, and 40.
    #[must_use]
    pub const fn two_sided_bytes(self) -> u64 {
        8 * (self.positions() as u64).pow(2) + crate::file::FRAME as u64
    }

    /// Whether there can be a two-sided database of them.
    pub(crate) const fn two_sided(self) -> Result<Self, ParamsError> {
        if self.points > MOST_TWO_SIDED_POINTS {
            return Err(ParamsError::Contact { points: self.points });
        }
        if self.two_sided_bytes() > MOST_BYTES || self.two_sided_bytes() > isize::MAX as u64 {
            return Err(ParamsError::TwoSided { bytes: self.two_sided_bytes() });
        }
        Ok(self)
    }

    /// The checkers on points 1, 2, ..., if the database has the position. Points beyond the database's must be empty.
    pub(crate) fn pack(self, board: &[u8]) -> Option<Packed> {
        let (mut packed, mut left) = (0, self.checkers);
        for (point, &count) in board.iter().enumerate().filter(|(_, count)| **count > 0) {
            if point >= self.points.into() {
                return None;
            }
            left = left.checked_sub(count)?;
            packed |= Packed::from(count) << (4 * point);
        }
        Some(packed)
    }

    /// The number of a position, from 0. Positions of fewer checkers come first, and every play leads to a lower number.
    ///
    /// Counted from the highest point, the checkers on the first `i` points are `s[i]`. The numbers `s[i] + i - 1` rise, and
    /// the position is the sum of `(s[i] + i - 1)` choose `i`: the combinatorial number system (Knuth, "The Art of
    /// Computer Programming" 4A, 7.2.1.3).
    #[inline]
    pub(crate) fn rank(self, position: Packed) -> usize {
        let (mut sum, mut rank) = (0, 0);
        for i in 1..=usize::from(self.points) {
            sum += (position >> (4 * (usize::from(self.points) - i)) & 15) as usize;
            rank += CHOOSE[sum + i - 1][i];
        }
        rank as usize
    }

    /// The position of a number below [`positions`](Params::positions).
    pub(crate) fn unrank(self, rank: usize) -> Packed {
        let (mut rest, mut above, mut position) = (rank as u32, None, 0);
        for i in (1..=usize::from(self.points)).rev() {
            let most = above.unwrap_or_else(|| self.checkers.into());
            let sum = (0..=most).rev().find(|sum| CHOOSE[sum + i - 1][i] <= rest).unwrap_or(0);
            rest -= CHOOSE[sum + i - 1][i];
            // The sum one point farther down, less this one, stands on that point.
            if let Some(above) = above {
                position |= ((above - sum) as Packed) << (4 * (usize::from(self.points) - i - 1));
            }
            above = Some(sum);
        }
        position | (above.unwrap_or(0) as Packed) << (4 * (usize::from(self.points) - 1))
    }

    /// The first number of the positions with as many checkers as this one.
    pub(crate) fn first_of_as_many(self, position: Packed) -> usize {
        match checkers(position) {
            0 => 0,
            n => CHOOSE[usize::from(self.points) + n - 1][usize::from(self.points)] as usize,
        }
    }

    /// The numbers of all positions, by pips.
    pub(crate) fn levels(self) -> Vec<Vec<u32>> {
        let mut levels = vec![Vec::new(); usize::from(self.points) * usize::from(self.checkers) + 1];
        for rank in 0..self.positions() {
            levels[pips(self.unrank(rank))].push(rank as u32);
        }
        levels
    }
}

fn counts(position: Packed) -> impl Iterator<Item = usize> {
    (0..MOST_POINTS).map(move |point| (position >> (4 * point) & 15) as usize)
}

fn checkers(position: Packed) -> usize {
    counts(position).sum()
}

fn pips(position: Packed) -> usize {
    counts(position).zip(1..).map(|(count, point)| count * point).sum()
}

/// Why there is no database of some size.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ParamsError {
    /// No points or checkers, or too many.
    #[error("a database has 1 to {MOST_POINTS} points and 1 to {MOST_CHECKERS} checkers, not {points} and {checkers}")]
    Range {
        /// The points asked for.
        points: u8,
        /// The checkers asked for.
        checkers: u8,
    },
    /// Too many positions.
    #[error("{positions} positions; a database has at most {MOST_POSITIONS}")]
    Positions {
        /// How many there would be.
        positions: usize,
    },
    /// A two-sided database in which the sides could meet.
    #[error("a two-sided database has at most {MOST_TWO_SIDED_POINTS} points, not {points}: the sides would meet")]
    Contact {
        /// The points asked for.
        points: u8,
    },
    /// A two-sided database that is too large.
    #[error("the two-sided database would have {bytes} bytes; at most {MOST_BYTES} are possible")]
    TwoSided {
        /// Its size.
        bytes: u64,
    },
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_positions() {
        for (points, checkers) in [(6, 6), (1, 15), (16, 3), (3, 1)] {
            let params = Params::new(points, checkers).unwrap();
            let mut most = 0;
            for rank in 0..params.positions() {
                let position = params.unrank(rank);
                assert_eq!(params.rank(position), rank);
                let n = super::checkers(position);
                assert!(n >= most && n <= checkers.into());
                assert_eq!(params.first_of_as_many(position) == rank, n > most || rank == 0, "{position:x}");
                most = n;
                let board: Vec<u8> = counts(position).map(|n| n as u8).collect();
                assert_eq!(params.pack(&board), Some(position));
            }
            assert_eq!(params.pack(&[checkers + 1]), None);
            assert_eq!(params.pack(&[0; 26]), Some(0));
        }
    }

    #[test]
    fn sizes_have_limits() {
        assert_eq!(Params::new(0, 3), Err(ParamsError::Range { points: 0, checkers: 3 }));
        assert_eq!(Params::new(17, 3), Err(ParamsError::Range { points: 17, checkers: 3 }));
        assert_eq!(Params::new(12, 15), Err(ParamsError::Positions { positions: 17_383_860 }));
        assert_eq!(Params::new(13, 2).and_then(Params::two_sided), Err(ParamsError::Contact { points: 13 }));
        assert!(matches!(Params::HOME.two_sided(), Err(ParamsError::TwoSided { .. })));
        assert_eq!(Params::HOME.positions(), 54_264);
    }
}

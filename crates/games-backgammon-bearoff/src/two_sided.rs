//! The two-sided database.

use core::array;
use core::iter::{repeat, zip};

use crate::file::{FileError, Kind, Table, file_methods};
use crate::parallel;
use crate::params::{Packed, Params, ParamsError};
use crate::plays::{Plays, rolls};

/// The probability that the side on roll bears off first, both playing best: exact, for every pair of positions.
///
/// Cubeless, without gammons: the equity in points is twice the probability less 1, if both sides have a checker off or gammons
/// do not count. Within 1e-12 of the true value.
///
/// # The file
/// The [frame](crate#files) and the probabilities (8 bytes each, IEEE 754): for each position of the side on roll, by its number, those
/// against every position of the other side. Without a checker the side on roll has won; against none it has lost.
///
/// # Examples
/// ```
/// use games_backgammon_bearoff::{Params, TwoSided};
///
/// let database = TwoSided::build(Params::new(6, 2)?, 0, |_done, _all| {})?;
/// // Two checkers on the 6-point against one on the 1-point: there is one roll, 3-3 or better.
/// let p = database.wins(&[0, 0, 0, 0, 0, 2], &[1]).unwrap();
/// assert!((p - 4.0 / 36.0).abs() < 1e-12);
/// # Ok::<(), games_backgammon_bearoff::ParamsError>(())
/// ```
#[derive(Debug)]
pub struct TwoSided(Table);

impl TwoSided {
    /// Computes the database on `threads` threads (0: one a processor); the result does not depend on their number.
    ///
    /// Works backwards from the end, by the pips of both sides together. `progress` is told now and then, on the calling thread,
    /// how many pairs of positions are done and how many there are. Memory: [`two_sided_bytes`](Params::two_sided_bytes) and a
    /// tenth, beside the plays of one side.
    ///
    /// # Errors
    /// If the points are more than [`MOST_TWO_SIDED_POINTS`](crate::MOST_TWO_SIDED_POINTS), or the database would be larger than
    /// [`MOST_BYTES`](crate::MOST_BYTES).
    pub fn build(params: Params, threads: usize, mut progress: impl FnMut(u64, u64)) -> Result<Self, ParamsError> {
        let params = params.two_sided()?;
        let (threads, n) = (parallel::threads(threads), params.positions());
        let ranks: Vec<usize> = (0..n).collect();
        let results = parallel::map(threads, &ranks, |plays, &rank| results(params, params.unrank(rank), plays));
        let levels = params.levels();
        let mut bytes = Table::start(Kind::TwoSided, params, 8 * n * n);
        let cells = Table::body_mut(&mut bytes).as_chunks_mut().0;
        // Number 0 has won on roll, against everybody; all others have lost against it, and zero is there already.
        cells[..n].fill(1f64.to_le_bytes());
        let (mut done, all) = (2 * n as u64 - 1, (n * n) as u64);
        for sum in 2..2 * levels.len() - 1 {
            // Positions of the other side, and those on roll that complete the sum of pips. All that these lead to, with the other
            // side on roll, is in one row of the table.
            let pips = sum.saturating_sub(levels.len() - 1).max(1)..levels.len().min(sum);
            let work: Vec<_> = pips.flat_map(|pips| levels[pips].chunks(LANES).zip(repeat(&levels[sum - pips]))).collect();
            let found = parallel::map(threads, &work, |(), (others, level)| {
                let rows = array::from_fn(|lane| {
                    let other = others[lane.min(others.len() - 1)] as usize;
                    &cells[n * other..n * (other + 1)]
                });
                level.iter().map(|&own| wins(&results[own as usize], rows)).collect::<Vec<_>>()
            });
            for ((others, level), values) in zip(work, found) {
                for (&own, values) in zip(level, values) {
                    zip(others, values).for_each(|(&other, p)| cells[n * own as usize + other as usize] = p.to_le_bytes());
                }
                done += (others.len() * level.len()) as u64;
            }
            progress(done, all);
        }
        Ok(Self(Table::finish(params, bytes)))
    }

    /// The probability that `own`, on roll, bears off before `other`. Each has the checkers on that side's points 1, 2, ...; missing
    /// points are empty. 1 if `own` has none left, 0 if only `other` has none. `None` if the database does not have the position.
    #[must_use]
    pub fn wins(&self, own: &[u8], other: &[u8]) -> Option<f64> {
        let params = self.params();
        Some(self.wins_at([params.pack(own)?, params.pack(other)?]))
    }

    pub(crate) fn wins_at(&self, [own, other]: [Packed; 2]) -> f64 {
        let params = self.params();
        let index = params.positions() * params.rank(own) + params.rank(other);
        f64::from_le_bytes(self.0.body().as_chunks().0[index])
    }

    /// Whether every entry of a table is a probability.
    fn checked(table: Table) -> Result<Self, FileError> {
        let params = table.params().two_sided()?;
        let n = params.positions();
        if table.body().len() != 8 * n * n {
            return Err(FileError::Damaged { what: "its length is wrong" });
        }
        for (index, &bytes) in table.body().as_chunks().0.iter().enumerate() {
            let p = f64::from_le_bytes(bytes);
            let possible = if index < n {
                p == 1.0
            } else if index.is_multiple_of(n) {
                p == 0.0
            } else {
                (0.0..=1.0).contains(&p)
            };
            if !possible {
                return Err(FileError::Damaged { what: "a probability is impossible" });
            }
        }
        Ok(Self(table))
    }
}

file_methods!(TwoSided, Kind::TwoSided);

/// What each roll can lead to, and its probability.
type Results = Vec<(f64, Vec<u32>)>;

fn results(params: Params, position: Packed, plays: &mut Plays) -> Results {
    let after = |(roll, p)| (p, plays.of(position, roll).iter().map(|&position| params.rank(position) as u32).collect());
    rolls().map(after).collect()
}

/// Positions of the other side that are worked on together: each list of results is read once for all of them.
const LANES: usize = 4;

/// The probabilities of winning, from those of the other side on roll, by number of the position left to it.
#[inline]
fn wins(results: &Results, rows: [&[[u8; 8]]; LANES]) -> [f64; LANES] {
    let mut losses = [0.0; LANES];
    for (p, ranks) in results {
        let mut least = [1.0; LANES];
        for &rank in ranks {
            for (least, row) in zip(&mut least, rows) {
                *least = f64::min(*least, f64::from_le_bytes(row[rank as usize]));
            }
        }
        zip(&mut losses, least).for_each(|(sum, q)| *sum += p * q);
    }
    losses.map(|sum| (1.0 - sum).clamp(0.0, 1.0))
}

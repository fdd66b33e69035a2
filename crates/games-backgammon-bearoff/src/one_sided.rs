//! The one-sided database.

use core::iter::zip;

use crate::file::{FileError, Kind, Table, file_methods};
use crate::parallel;
use crate::params::{Packed, Params};
use crate::plays::{Plays, rolls};

/// Means that differ by less are equal; then the first play in a fixed order is taken.
const EQUAL: f64 = 1e-13;
/// Smaller probabilities at the ends of a distribution are left out.
const NEGLIGIBLE: f64 = 1e-16;
/// Bytes of an entry in the list of distributions.
const ENTRY: usize = 8;

/// How many rolls a side needs, nobody in its way: to bear off all checkers, and to bear off the next one.
///
/// The side plays for the fewest rolls on average, as in gnubg's database: that is not always the play that wins most often, and
/// differs from it by little (see [`WithBearOff`](crate::WithBearOff)). The next checker is borne off
/// by other plays, those for the fewest rolls to it, again as in gnubg: a side that has none off saves a gammon so.
///
/// # The file
/// The [frame](crate#files) and, for each position by its number, where its distribution of rolls for all checkers stands: the index
/// of its first probability (4 bytes), the rolls which that is for (2), how many follow one another (2). Then the same for the next
/// checker, and all probabilities (8 bytes each, IEEE 754).
///
/// # Examples
/// ```
/// use games_backgammon_bearoff::{OneSided, Params};
///
/// let database = OneSided::build(Params::new(6, 2)?, 0, |_done, _all| {});
/// let rolls = database.all_off(&[0, 0, 0, 0, 0, 2]).unwrap(); // two checkers on the 6-point
/// assert!((rolls.probability(1) - 4.0 / 36.0).abs() < 1e-12); // 3-3 and up
/// assert!((rolls.mean() - 2.1096).abs() < 1e-4);
/// # Ok::<(), games_backgammon_bearoff::ParamsError>(())
/// ```
#[derive(Debug)]
pub struct OneSided(Table);

/// The distribution of a number of rolls; its probabilities sum to 1 within 1e-12.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Rolls<'a> {
    /// The rolls that the first probability is for.
    first: usize,
    probabilities: &'a [[u8; 8]],
}

impl<'a> Rolls<'a> {
    /// Numbers of rolls and their probabilities, by rising number. Others have a probability below 1e-16.
    pub fn iter(self) -> impl Iterator<Item = (usize, f64)> + 'a {
        zip(self.first.., self.probabilities.iter().map(|&bytes| f64::from_le_bytes(bytes)))
    }

    /// The probability of exactly so many rolls.
    #[must_use]
    pub fn probability(self, rolls: usize) -> f64 {
        let index = rolls.checked_sub(self.first);
        index.and_then(|i| self.probabilities.get(i)).map_or(0.0, |&bytes| f64::from_le_bytes(bytes))
    }

    /// The mean number of rolls.
    #[must_use]
    pub fn mean(self) -> f64 {
        self.iter().map(|(rolls, p)| rolls as f64 * p).sum()
    }

    /// The probability that who rolls first and needs so many rolls is done before another, who needs `other`: with equal
    /// numbers the first to roll is.
    #[must_use]
    pub fn first_against(self, other: Rolls<'_>) -> f64 {
        // What the other needs is at least as much as the rolls looked at, with probability `left`.
        let (mut others, mut left, mut sum) = (other.iter().peekable(), 1.0, 0.0);
        for (rolls, p) in self.iter() {
            while let Some((_, q)) = others.next_if(|&(n, _)| n < rolls) {
                left -= q;
            }
            sum += p * left;
        }
        sum.clamp(0.0, 1.0)
    }
}

/// Distributions while they are computed, by number of the position.
struct Lists {
    means: Vec<f64>,
    entries: Vec<(u32, u16, u16)>,
    probabilities: Vec<f64>,
}

impl Lists {
    fn new(positions: usize) -> Self {
        Self { means: vec![0.0; positions], entries: vec![(0, 0, 1); positions], probabilities: vec![1.0] }
    }

    /// With probability `p`, one roll more than from a position.
    fn add(&self, rank: usize, p: f64, to: &mut Vec<f64>) {
        let (start, first, length) = self.entries[rank];
        let first = usize::from(first) + 1;
        let all = &self.probabilities[start as usize..][..length.into()];
        to.resize(to.len().max(first + all.len()), 0.0);
        zip(&mut to[first..], all).for_each(|(sum, q)| *sum += p * q);
    }

    fn put(&mut self, rank: usize, mean: f64, distribution: &[f64]) {
        let first = distribution.iter().position(|&p| p >= NEGLIGIBLE).unwrap_or(0);
        let end = distribution.iter().rposition(|&p| p >= NEGLIGIBLE).map_or(0, |last| last + 1);
        self.means[rank] = mean;
        self.entries[rank] = (self.probabilities.len() as u32, first as u16, (end - first) as u16);
        // Sums of 21 products can be one bit above 1.
        self.probabilities.extend(distribution[first..end].iter().map(|p| p.min(1.0)));
    }
}

/// The first of the least.
fn least(values: impl Iterator<Item = (usize, f64)>) -> (usize, f64) {
    values.fold((0, f64::INFINITY), |best, next| if next.1 < best.1 - EQUAL { next } else { best })
}

impl OneSided {
    /// Computes the database on `threads` threads (0: one a processor); the result does not depend on their number.
    ///
    /// `progress` is told now and then, on the calling thread, how many positions are done and how many there are. Takes about
    /// 500 bytes of memory a position, and a second or two on one processor for [`Params::HOME`]'s 54,264.
    #[must_use]
    pub fn build(params: Params, threads: usize, mut progress: impl FnMut(u64, u64)) -> Self {
        let (threads, n) = (parallel::threads(threads), params.positions());
        let (mut all, mut next) = (Lists::new(n), Lists::new(n));
        let mut done = 1;
        // Every play brings a side fewer pips.
        for level in &params.levels()[1..] {
            let found =
                parallel::map(threads, level, |plays, &rank| solve(params, params.unrank(rank as usize), plays, &all, &next));
            for (&rank, [(mean, distribution), (next_mean, next_distribution)]) in zip(level, found) {
                all.put(rank as usize, mean, &distribution);
                next.put(rank as usize, next_mean, &next_distribution);
            }
            done += level.len() as u64;
            progress(done, n as u64);
        }
        let mut body = Vec::with_capacity(2 * ENTRY * n + 8 * (all.probabilities.len() + next.probabilities.len()));
        for (lists, before) in [(&all, 0), (&next, all.probabilities.len() as u32)] {
            for &(start, first, length) in &lists.entries {
                body.extend((start + before).to_le_bytes());
                body.extend(first.to_le_bytes());
                body.extend(length.to_le_bytes());
            }
        }
        body.extend(all.probabilities.iter().chain(&next.probabilities).flat_map(|p| p.to_le_bytes()));
        let mut bytes = Table::start(Kind::OneSided, params, body.len());
        Table::body_mut(&mut bytes).copy_from_slice(&body);
        Self(Table::finish(params, bytes))
    }

    /// The rolls to bear off all checkers. `board` has the checkers on points 1, 2, ...; shorter or longer than the database's
    /// points, missing and further ones are empty. `None` if the database does not have the position.
    #[must_use]
    pub fn all_off(&self, board: &[u8]) -> Option<Rolls<'_>> {
        Some(self.all_off_at(self.params().pack(board)?))
    }

    /// The rolls to bear off one checker of these (of all of them, if none was off before, that saves a gammon): at least 1, or
    /// 0 if there is no checker. `None` if the database does not have the position.
    #[must_use]
    pub fn next_off(&self, board: &[u8]) -> Option<Rolls<'_>> {
        Some(self.next_off_at(self.params().pack(board)?))
    }

    pub(crate) fn all_off_at(&self, position: Packed) -> Rolls<'_> {
        self.rolls(self.params().rank(position))
    }

    pub(crate) fn next_off_at(&self, position: Packed) -> Rolls<'_> {
        self.rolls(self.params().positions() + self.params().rank(position))
    }

    /// A distribution by its index in the list.
    fn rolls(&self, index: usize) -> Rolls<'_> {
        let (entries, probabilities) = parts(&self.0);
        let (start, first, length) = entry(entries[index]);
        Rolls { first, probabilities: &probabilities[start..start + length] }
    }

    /// Whether every entry of a table is a distribution.
    fn checked(table: Table) -> Result<Self, FileError> {
        let params = table.params();
        if table.body().len() < 2 * ENTRY * params.positions() || !table.body().len().is_multiple_of(8) {
            return Err(FileError::Damaged { what: "its length is wrong" });
        }
        let (entries, probabilities) = parts(&table);
        for (index, &bytes) in entries.iter().enumerate() {
            let (start, first, length) = entry(bytes);
            let list = start.checked_add(length).and_then(|end| probabilities.get(start..end));
            let Some(list) = list else { return Err(FileError::Damaged { what: "a distribution stands outside of the file" }) };
            let list = || list.iter().map(|&bytes| f64::from_le_bytes(bytes));
            if !list().all(|p| (0.0..=1.0).contains(&p)) || (list().sum::<f64>() - 1.0).abs() > 1e-9 {
                return Err(FileError::Damaged { what: "a distribution is none" });
            }
            // Only without a checker no roll is needed.
            if (first == 0) != (index % params.positions() == 0) {
                return Err(FileError::Damaged { what: "a number of rolls is impossible" });
            }
        }
        Ok(Self(table))
    }
}

file_methods!(OneSided, Kind::OneSided);

/// Entries and probabilities.
fn parts(table: &Table) -> (&[[u8; 8]], &[[u8; 8]]) {
    table.body().as_chunks().0.split_at(2 * table.params().positions())
}

/// The index of the first probability, the rolls it is for, and the number of probabilities.
fn entry(bytes: [u8; ENTRY]) -> (usize, usize, usize) {
    let [a, b, c, d, first @ .., e, f] = bytes;
    (u32::from_le_bytes([a, b, c, d]) as usize, u16::from_le_bytes(first).into(), u16::from_le_bytes([e, f]).into())
}

/// Mean and distribution of the rolls for all checkers, and for the next.
fn solve(params: Params, position: Packed, plays: &mut Plays, all: &Lists, next: &Lists) -> [(f64, Vec<f64>); 2] {
    let as_many = params.first_of_as_many(position);
    let mut found = [(1.0, Vec::new()), (1.0, Vec::new())];
    for (roll, p) in rolls() {
        let ranks = plays.of(position, roll).iter().map(|&position| params.rank(position));
        let to_all = least(ranks.clone().map(|rank| (rank, all.means[rank])));
        // A position of fewer checkers has one off: as good as number 0, where nothing is left to be done.
        let to_next = least(ranks.map(|rank| if rank < as_many { (0, 0.0) } else { (rank, next.means[rank]) }));
        for ((lists, (rank, rest)), (mean, distribution)) in zip([(all, to_all), (next, to_next)], &mut found) {
            *mean += p * rest;
            lists.add(rank, p, distribution);
        }
    }
    found
}

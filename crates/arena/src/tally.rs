//! Results counted, and how sure they are.

/// A range that holds the true value with a probability of 95 %.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Interval {
    /// Its lower end.
    pub low: f64,
    /// Its upper end.
    pub high: f64,
}

impl Interval {
    /// Whether `value` is inside.
    #[must_use]
    pub fn contains(self, value: f64) -> bool {
        (self.low..=self.high).contains(&value)
    }

    /// Half its width: the number behind the "±".
    #[must_use]
    pub fn half_width(self) -> f64 {
        (self.high - self.low) / 2.0
    }
}

/// The normal distribution's 97.5 % quantile.
const Z: f64 = 1.959_963_984_540_054;

/// The interval of a mean of `n` values between `low` and `high`, from their sum and their sum of squares.
///
/// The normal approximation, after z²/2 = 1.92 imagined values at each end of the range have been added: what Agresti
/// and Coull (1998) do to proportions, here with values in between. So nothing needs a special case: without values
/// the interval is the whole range, it always holds the mean, and equal values leave a width of about 2.8/n of the
/// range (the "rule of three") instead of none.
pub(crate) fn interval(n: f64, sum: f64, squares: f64, low: f64, high: f64) -> Interval {
    let imagined = Z * Z / 2.0;
    let n = n + 2.0 * imagined;
    let mean = (sum + imagined * (low + high)) / n;
    let variance = ((squares + imagined * (low * low + high * high)) / n - mean * mean).max(0.0);
    let half = Z * (variance / n).sqrt();
    Interval { low: (mean - half).max(low), high: (mean + half).min(high) }
}

/// How often each score was reached by a unit of a match: a pair of games, or a game on its own.
///
/// The pair is the unit because its games share their start and their dice: luck that helps one seat twice cancels,
/// and the spread between pairs, not between games, says how sure a score is.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Tally {
    counts: [u64; 5],
}

impl Tally {
    /// Counts a unit that scored `quarters` quarters: 0 is all lost, 4 all won.
    ///
    /// # Panics
    /// If `quarters` is above 4.
    pub fn add(&mut self, quarters: usize) {
        self.counts[quarters] += 1;
    }

    /// How many units scored 0, 1/4, 1/2, 3/4 and 1. For pairs the classes are: both games lost; a loss and a draw;
    /// a win and a loss, or two draws; a win and a draw; both won.
    #[must_use]
    pub fn counts(&self) -> [u64; 5] {
        self.counts
    }

    /// How many units there are.
    #[must_use]
    pub fn units(&self) -> u64 {
        self.counts.iter().sum()
    }

    /// The mean score, 0 to 1; 1/2 if nothing was played.
    #[must_use]
    pub fn mean(&self) -> f64 {
        if self.units() == 0 { 0.5 } else { self.sum() / self.units() as f64 }
    }

    /// Where the true mean lies with 95 %: the normal approximation over the units, after 1.92 imagined units lost and
    /// as many won have been added (Agresti and Coull 1998, whose interval this is if there are no draws and no
    /// pairs). Defined for any number of units, and never of no width.
    ///
    /// Simulated matches of known strength: from 200 units on it held the truth in 93.7 to 96.9 % of them; with fewer
    /// in 93.4 % or more, up to always where most pairs end even.
    #[must_use]
    pub fn interval(&self) -> Interval {
        let squares = self.weighted(|score| score * score);
        interval(self.units() as f64, self.sum(), squares, 0.0, 1.0)
    }

    /// The same units seen by the other side.
    #[must_use]
    pub fn mirrored(mut self) -> Self {
        self.counts.reverse();
        self
    }

    fn sum(&self) -> f64 {
        self.weighted(|score| score)
    }

    fn weighted(&self, weight: impl Fn(f64) -> f64) -> f64 {
        self.counts.iter().zip(0u8..).map(|(&n, quarters)| n as f64 * weight(f64::from(quarters) / 4.0)).sum()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use gamecore::random::generator;
    use proptest::prelude::*;
    use rand::Rng;

    /// The share of simulated matches whose interval holds the truth.
    fn coverage(probabilities: [f64; 5], units: u64, matches: u32, seed: u64) -> f64 {
        let truth: f64 = probabilities.iter().zip(0u8..).map(|(p, q)| p * f64::from(q) / 4.0).sum();
        let mut rng = generator(seed);
        let mut held = 0;
        for _ in 0..matches {
            let mut tally = Tally::default();
            for _ in 0..units {
                let mut x = (rng.next_u64() >> 11) as f64 / (1u64 << 53) as f64;
                let class = probabilities.iter().position(|&p| {
                    x -= p;
                    x < 0.0
                });
                tally.add(class.unwrap_or(4));
            }
            held += u32::from(tally.interval().contains(truth));
        }
        f64::from(held) / f64::from(matches)
    }

    #[test]
    fn intervals_hold_the_truth_as_often_as_they_say() {
        let cases = [
            // No draws, games independent: A wins 50, 60, 80 %.
            [0.25, 0.0, 0.5, 0.0, 0.25],
            [0.16, 0.0, 0.48, 0.0, 0.36],
            [0.04, 0.0, 0.32, 0.0, 0.64],
            // Many draws.
            [0.01, 0.16, 0.66, 0.16, 0.01],
            // Mostly the dice decide, one game each.
            [0.05, 0.0, 0.85, 0.0, 0.10],
            // Pairs are all or nothing.
            [0.4, 0.0, 0.0, 0.0, 0.6],
        ];
        for (i, case) in cases.into_iter().enumerate() {
            for units in [200, 1000] {
                let coverage = coverage(case, units, 1000, i as u64);
                println!("case {i}, {units} pairs: {coverage:.3}");
                assert!((0.93..=0.97).contains(&coverage), "case {i}, {units} pairs: {coverage}");
            }
            // Few pairs: never much less than promised.
            for units in [2, 5, 20, 50] {
                let coverage = coverage(case, units, 1000, i as u64);
                println!("case {i}, {units} pairs: {coverage:.3}");
                assert!(coverage >= 0.93, "case {i}, {units} pairs: {coverage}");
            }
        }
    }

    #[test]
    fn nothing_played_says_nothing_and_equal_pairs_do_not_say_all() {
        let mut tally = Tally::default();
        let all = tally.interval();
        assert!(tally.mean() == 0.5 && all.low < 1e-9 && all.high > 1.0 - 1e-9);
        for _ in 0..100 {
            tally.add(2);
        }
        let drawn = tally.interval();
        assert!(tally.mean() == 0.5 && (0.01..0.03).contains(&drawn.half_width()), "{drawn:?}");
        let mut won = Tally::default();
        for _ in 0..100 {
            won.add(4);
        }
        assert!(won.mean() == 1.0 && won.interval().high == 1.0 && (0.95..0.98).contains(&won.interval().low));
    }

    proptest! {
        #[test]
        fn intervals_hold_the_mean_mirror_and_stay_in_range(counts in prop::array::uniform5(0..50u64)) {
            let tally = Tally { counts };
            let (interval, mirror) = (tally.interval(), tally.mirrored().interval());
            prop_assert!(interval.contains(tally.mean()), "{interval:?}");
            prop_assert!(0.0 <= interval.low && interval.high <= 1.0);
            prop_assert!((interval.low + mirror.high - 1.0).abs() < 1e-9);
            prop_assert!((tally.mean() + tally.mirrored().mean() - 1.0).abs() < 1e-9);
        }
    }
}

//! A match that ends as soon as it has decided.

use crate::{Tally, expected_score};

/// A sequential probability ratio test (Wald 1945) between two hypotheses: A is `elo0` stronger than B, or `elo1`.
///
/// The test looks after every pair at the log-likelihood ratio of what was played and ends when it leaves
/// [`bounds`](Sprt::bounds). It needs about half the games of a match of fixed length with the same errors, and, unlike
/// looking at an interval, may be watched while it runs. What it does not give is an unbiased score: a match that ended
/// early ended at a good moment.
///
/// The likelihood is the generalized one over the five results of a pair (Van den Bergh 2019, as the Stockfish project's test
/// server used it in 2020): under each hypothesis the most likely distribution whose mean is the hypothesis' score. It is
/// computed exactly, for results that never occurred too, and both hypotheses are in logistic [Elo](crate::elo()).
///
/// # Examples
/// ```
/// use arena::{Sprt, Tally, Verdict};
/// let sprt = Sprt::new(0.0, 5.0, 0.05, 0.05)?;
/// let single_games = Tally::of_games(880, 1863, 759);
/// assert!((sprt.llr(&single_games) - 2.947).abs() < 0.001);
/// assert_eq!(sprt.verdict(&single_games), Verdict::H1);
/// # Ok::<(), arena::SprtError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Sprt {
    elo: [f64; 2],
    alpha: f64,
    beta: f64,
}

/// What a test says so far.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Verdict {
    /// Nothing yet: play on.
    Running,
    /// A is weaker than the second hypothesis says.
    H0,
    /// A is stronger than the first hypothesis says.
    H1,
}

/// The hypotheses or errors of a test make no sense.
#[derive(Clone, Copy, PartialEq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum SprtError {
    /// The second hypothesis is not above the first, or they are no numbers.
    #[error("the test needs elo0 below elo1, both within -1000 to 1000, not {elo0} and {elo1}")]
    Hypotheses {
        /// The first.
        elo0: f64,
        /// The second.
        elo1: f64,
    },
    /// An error is not between 0 and 1/2.
    #[error("a probability of error lies above 0 and below 0.5, as in 0.05; alpha is {alpha}, beta {beta}")]
    Errors {
        /// Of taking the second hypothesis though the first is true.
        alpha: f64,
        /// Of taking the first though the second is true.
        beta: f64,
    },
}

impl Sprt {
    /// The fewest units (pairs) that a verdict rests on. The spread of the results is estimated from themselves, which goes
    /// wrong with very few: in 100,000 simulated tests that could end sooner, errors of a promised 5 % rose to 5.5 % where a
    /// test took about 45 pairs; with this minimum to 4.7 % at most.
    pub const LEAST_UNITS: u64 = 24;

    /// A test between `elo0` and `elo1` that takes `elo1` wrongly with probability `alpha` at most and `elo0` wrongly
    /// with `beta`.
    ///
    /// # Errors
    /// Unless -1000 <= `elo0` < `elo1` <= 1000 and both errors lie strictly between 0 and 1/2.
    pub fn new(elo0: f64, elo1: f64, alpha: f64, beta: f64) -> Result<Self, SprtError> {
        let sane = |p: f64| 0.0 < p && p < 0.5;
        if !(-1000.0 <= elo0 && elo0 < elo1 && elo1 <= 1000.0) {
            Err(SprtError::Hypotheses { elo0, elo1 })
        } else if !(sane(alpha) && sane(beta)) {
            Err(SprtError::Errors { alpha, beta })
        } else {
            Ok(Self { elo: [elo0, elo1], alpha, beta })
        }
    }

    /// The two hypotheses, in Elo.
    #[must_use]
    pub fn hypotheses(&self) -> [f64; 2] {
        self.elo
    }

    /// The two hypotheses in Elo, alpha and beta: all that the test is.
    #[must_use]
    pub fn parameters(&self) -> [f64; 4] {
        [self.elo[0], self.elo[1], self.alpha, self.beta]
    }

    /// Where the test ends: at or below the first the verdict is H0, at or above the second H1.
    #[must_use]
    pub fn bounds(&self) -> [f64; 2] {
        [(self.beta / (1.0 - self.alpha)).ln(), ((1.0 - self.beta) / self.alpha).ln()]
    }

    /// The log-likelihood ratio of `elo1` to `elo0`, natural logarithm; 0 before the first game.
    #[must_use]
    pub fn llr(&self, tally: &Tally) -> f64 {
        let [zero, one] = self.elo.map(|elo| log_likelihood(tally, expected_score(elo)));
        one - zero
    }

    /// What the test says. Never anything before [`LEAST_UNITS`](Self::LEAST_UNITS).
    #[must_use]
    pub fn verdict(&self, tally: &Tally) -> Verdict {
        let (llr, [low, high]) = (self.llr(tally), self.bounds());
        if tally.units() < Self::LEAST_UNITS {
            Verdict::Running
        } else if llr <= low {
            Verdict::H0
        } else if llr >= high {
            Verdict::H1
        } else {
            Verdict::Running
        }
    }
}

/// The log-likelihood of the tally under the most likely distribution with mean `score`, up to a constant.
///
/// Lagrange: a result of value `a` that was seen `n` times in `N` has probability `(n/N) / (1 + x (a - score))`. `x` is
/// the root of a falling function; where that lies outside the range in which no probability is negative, all was won
/// (or nothing was), and what is missing to the mean goes to a result that was never seen: the end of the range.
fn log_likelihood(tally: &Tally, score: f64) -> f64 {
    let results =
        || tally.counts().into_iter().zip(0u8..).filter(|r| r.0 > 0).map(|(n, q)| (n as f64, f64::from(q) / 4.0 - score));
    let slope = |x: f64| results().map(|(n, d)| n * d / (1.0 + x * d)).sum::<f64>();
    let (mut low, mut high) = (-1.0 / (1.0 - score), 1.0 / score);
    // 52 halvings leave the last bit.
    for _ in 0..52 {
        let middle = (low + high) / 2.0;
        if slope(middle) > 0.0 { low = middle } else { high = middle }
    }
    -results().map(|(n, d)| n * ((low + high) / 2.0 * d).ln_1p()).sum::<f64>()
}

#[cfg(test)]
mod tests {
    use super::*;
    use gamecore::random::generator;
    use rand::Rng;

    fn sprt(elo0: f64, elo1: f64) -> Sprt {
        Sprt::new(elo0, elo1, 0.05, 0.05).unwrap()
    }

    /// Tests that the Stockfish project published with its changes of 2020: the ratio printed there, the hypotheses,
    /// the five counts.
    #[test]
    fn published_tests_come_out() {
        let mut rows = 0;
        for line in include_str!("../tests/data/sprt_published.tsv").lines().filter(|l| !l.starts_with('#')) {
            let numbers: Vec<f64> = line.split('\t').skip(1).map(|word| word.parse().unwrap()).collect();
            let [llr, elo0, elo1, counts @ ..] = &numbers[..] else { panic!("{line}") };
            let mut tally = Tally::default();
            for (quarters, &n) in counts.iter().enumerate() {
                tally.add_many(quarters, n as u64);
            }
            let ours = sprt(*elo0, *elo1).llr(&tally);
            assert!((ours - llr).abs() < 0.02, "{line}: {ours}");
            rows += 1;
        }
        assert!(rows > 300);
    }

    /// The scales of Elo are not mixed: with `BayesElo`'s hypotheses these matches gave 2.27 and 0.63.
    #[test]
    fn hypotheses_are_logistic() {
        let test = sprt(0.0, 5.0);
        for (games, llr, verdict) in
            [(Tally::of_games(880, 1863, 759), 2.947, Verdict::H1), (Tally::of_games(648, 12530, 608), -9.268, Verdict::H0)]
        {
            assert!((test.llr(&games) - llr).abs() < 0.001, "{}", test.llr(&games));
            assert_eq!(test.verdict(&games), verdict);
        }
        assert!(test.bounds().into_iter().zip([-2.944, 2.944]).all(|(ours, theirs)| (ours - theirs).abs() < 0.001));
    }

    #[test]
    fn results_that_never_occurred_are_no_trouble() {
        let wide = sprt(0.0, 100.0);
        let narrow = sprt(0.0, 5.0);
        for (test, tally, llr, verdict) in [
            (wide, Tally::of_games(60, 0, 0), 14.82, Verdict::H1),
            (wide, Tally::of_games(0, 0, 60), f64::NAN, Verdict::H0),
            (narrow, Tally::of_games(400, 0, 0), 5.72, Verdict::H1),
            (narrow, Tally::of_games(0, 50, 0), -0.72, Verdict::Running),
            (narrow, Tally::default(), 0.0, Verdict::Running),
            // The same in pairs: always a win and a loss, always a win and a draw.
            (wide, Tally::of_pairs([0, 0, 60, 0, 0]), 60.0 * (2.0 - 2.0 * 0.640_065f64).ln(), Verdict::H0),
            (wide, Tally::of_pairs([0, 0, 0, 60, 0]), f64::NAN, Verdict::H1),
            (sprt(-100.0, 0.0), Tally::of_pairs([0, 60, 0, 0, 0]), f64::NAN, Verdict::H0),
        ] {
            let found = test.llr(&tally);
            assert!(found.is_finite() && (llr.is_nan() || (found - llr).abs() < 0.01), "{tally:?}: {found}");
            assert_eq!(test.verdict(&tally), verdict, "{tally:?}: {found}");
        }
    }

    #[test]
    fn senseless_tests_are_refused() {
        let error = |e0, e1, a, b| Sprt::new(e0, e1, a, b).unwrap_err().to_string();
        assert!(error(5.0, 5.0, 0.05, 0.05).contains("elo0 below elo1"));
        for bad in [f64::NAN, f64::INFINITY, -2000.0] {
            assert!(error(bad, 5.0, 0.05, 0.05).contains("elo0 below elo1"));
        }
        for bad in [0.0, 0.5, -1.0, f64::NAN] {
            assert!(error(0.0, 5.0, bad, 0.05).contains("probability") && error(0.0, 5.0, 0.05, bad).contains("probability"));
        }
    }

    /// Plays a test out: whether it took H1. Pairs are drawn from these probabilities.
    fn simulated(test: Sprt, probabilities: [f64; 5], rng: &mut impl Rng) -> bool {
        let mut tally = Tally::default();
        for _ in 0..100_000 {
            let mut x = (rng.next_u64() >> 11) as f64 / (1u64 << 53) as f64;
            let class = probabilities.iter().position(|&p| {
                x -= p;
                x < 0.0
            });
            tally.add(class.unwrap_or(4));
            match test.verdict(&tally) {
                Verdict::Running => {}
                verdict => return verdict == Verdict::H1,
            }
        }
        panic!("the test does not end: {tally:?}");
    }

    /// Moves the mean of a distribution to `score` the smoothest way: each probability times `exp(x a)`.
    fn tilted(probabilities: [f64; 5], score: f64) -> [f64; 5] {
        let (mut low, mut high) = (-50.0, 50.0);
        let at = |x: f64| {
            let weights: Vec<f64> = probabilities.iter().zip(0u8..).map(|(p, q)| p * (x * f64::from(q) / 4.0).exp()).collect();
            let sum: f64 = weights.iter().sum();
            std::array::from_fn::<f64, 5, _>(|i| weights[i] / sum)
        };
        for _ in 0..100 {
            let middle = (low + high) / 2.0;
            let mean: f64 = at(middle).iter().zip(0u8..).map(|(p, q)| p * f64::from(q) / 4.0).sum();
            if mean < score { low = middle } else { high = middle }
        }
        at(low)
    }

    /// 10,000 tests under each hypothesis, for a game with draws, one without, and one in which most pairs end even: the
    /// share of errors is not significantly (one-sided, 95 %) above the 5 % that was promised.
    #[test]
    fn errors_are_as_rare_as_promised() {
        let games = [[0.10, 0.2, 0.4, 0.2, 0.10], [0.25, 0.0, 0.5, 0.0, 0.25], [0.1, 0.0, 0.8, 0.0, 0.1]];
        let test = sprt(0.0, 60.0);
        const TESTS: u32 = 10_000;
        let most = f64::from(TESTS) * 0.05 + 1.645 * (f64::from(TESTS) * 0.05 * 0.95).sqrt();
        for (i, game) in games.into_iter().enumerate() {
            for (truth, wrong) in [(test.elo[0], true), (test.elo[1], false)] {
                let game = tilted(game, expected_score(truth));
                let mut rng = generator(i as u64);
                let errors = (0..TESTS).filter(|_| simulated(test, game, &mut rng) == wrong).count();
                println!("game {i}, truly {truth} Elo: {:.2} % wrong", errors as f64 * 100.0 / f64::from(TESTS));
                assert!(errors as f64 <= most, "game {i}, {truth} Elo: {errors} errors of {TESTS}");
            }
        }
    }
}

//! Ratings that explain all results of a tournament together.

use statrs::distribution::{ContinuousCDF, StudentsT};

use crate::Interval;

/// A contestant's strength.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Rating {
    /// In [Elo](crate::elo()); the mean of all contestants is 0.
    pub elo: f64,
    /// Where the true rating lies with 95 %; without ends before the first game.
    pub interval: Interval,
}

/// The most blocks of rounds that the intervals are computed from.
const MOST_BLOCKS: usize = 200;
/// The most groups of meetings whose imagined units are left out.
const MOST_GROUPS: usize = 50;
/// Imagined units that each meeting starts with: half of them won by either side.
const IMAGINED: usize = 4;

/// Fits ratings to the results of all meetings together.
///
/// `meetings` are the two contestants (of `n`) of each meeting of a round, `quarters` the results of the units for the
/// first of the two, 0 to 4, round by round in the order of the meetings; the last round may be incomplete.
///
/// The model is Bradley and Terry's (1952): a difference in [Elo](crate::elo()) promises a score. The fit is the most
/// likely one, by minorization and maximization (Hunter 2004). Each meeting starts with two units won and two lost that
/// nobody played: what Agresti and Coull add to a proportion, here too, so that ratings stay finite and an interval is
/// never of no width; it pulls ratings towards each other, in 100 pairs by about 4 %.
///
/// Intervals come from the jackknife: what the ratings become without each block of rounds. All games of a round share
/// their start and their dice, so the round, not the game, is what is independent.
///
/// # Panics
/// If a meeting names a contestant that is not below `n`, there are results without meetings, or one is above 4.
#[must_use]
pub fn ratings(n: usize, meetings: &[(usize, usize)], quarters: &[u8]) -> Vec<Rating> {
    let round = meetings.len().max(1);
    let rounds = quarters.len().div_ceil(round);
    let blocks: Vec<Block> = quarters
        .chunks(round * rounds.div_ceil(MOST_BLOCKS).max(1))
        .map(|block| {
            let mut sum = Block::nothing(meetings.len());
            for (i, &q) in block.iter().enumerate() {
                assert!(q <= 4, "a unit of {q} quarters");
                sum.units[i % round] += 1.0;
                sum.score[i % round] += f64::from(q) / 4.0;
            }
            sum
        })
        .collect();
    let mut whole = Block::nothing(meetings.len());
    for block in &blocks {
        whole.add(block, 1.0);
    }
    let played: Vec<bool> =
        (0..n).map(|c| meetings.iter().zip(&whole.units).any(|(&(a, b), &units)| units > 0.0 && (a == c || b == c))).collect();
    for (units, score) in whole.units.iter_mut().zip(&mut whole.score) {
        *units += IMAGINED as f64;
        *score += IMAGINED as f64 / 2.0;
    }
    let fit = strengths(n, meetings, &whole, &vec![1.0; n]);
    let center = elos(&fit);
    let mut squares = vec![0.0; n];
    let mut leave_out = |block: &Block, times: f64| {
        let mut rest = whole.clone();
        rest.add(block, -1.0);
        let without = elos(&strengths(n, meetings, &rest, &fit));
        for ((square, x), c) in squares.iter_mut().zip(without).zip(&center) {
            *square += times * (x - c) * (x - c);
        }
    };
    for block in &blocks {
        leave_out(block, 1.0);
    }
    // Of many meetings some at a time: the influences of independent units add up in the square.
    let groups = meetings.len().min(MOST_GROUPS);
    for group in 0..groups {
        for score in [0.0, 1.0] {
            let mut imagined = Block::nothing(meetings.len());
            for meeting in (group..meetings.len()).step_by(groups) {
                imagined.units[meeting] = 1.0;
                imagined.score[meeting] = score;
            }
            leave_out(&imagined, IMAGINED as f64 / 2.0);
        }
    }
    let count = (blocks.len() + IMAGINED * groups) as f64;
    let quantile = StudentsT::new(0.0, 1.0, (count - 1.0).max(1.0)).map_or(f64::INFINITY, |t| t.inverse_cdf(0.975));
    let half = |squares: f64| quantile * (squares * count / (count - 1.0).max(1.0)).sqrt();
    let rows = center.iter().zip(squares).zip(played);
    rows.map(|((&elo, squares), played)| {
        let half = if played { half(squares) } else { f64::INFINITY };
        Rating { elo, interval: Interval { low: elo - half, high: elo + half } }
    })
    .collect()
}

/// Units and scores of some rounds, by meeting.
#[derive(Clone, Debug)]
struct Block {
    units: Vec<f64>,
    score: Vec<f64>,
}

impl Block {
    fn nothing(meetings: usize) -> Self {
        Self { units: vec![0.0; meetings], score: vec![0.0; meetings] }
    }

    fn add(&mut self, other: &Self, times: f64) {
        for (mine, theirs) in self.units.iter_mut().zip(&other.units) {
            *mine += times * theirs;
        }
        for (mine, theirs) in self.score.iter_mut().zip(&other.score) {
            *mine += times * theirs;
        }
    }
}

/// The strengths that make the results most likely, up to a factor, searched from `guess`.
fn strengths(n: usize, meetings: &[(usize, usize)], results: &Block, guess: &[f64]) -> Vec<f64> {
    let mut strength = guess.to_vec();
    // Each step raises the likelihood; a few dozen are enough unless strengths are very far apart.
    for _ in 0..10_000 {
        let mut won = vec![0.0; n];
        let mut weight = vec![0.0; n];
        for ((&(a, b), &units), &score) in meetings.iter().zip(&results.units).zip(&results.score) {
            let share = units / (strength[a] + strength[b]);
            won[a] += score;
            won[b] += units - score;
            weight[a] += share;
            weight[b] += share;
        }
        let mut step: f64 = 0.0;
        for ((s, won), weight) in strength.iter_mut().zip(won).zip(weight) {
            if weight > 0.0 {
                let better = won / weight;
                step = step.max((better / *s - 1.0).abs());
                *s = better;
            }
        }
        // Or they might all drift to nothing.
        let mean = strength.iter().sum::<f64>() / n as f64;
        strength.iter_mut().for_each(|s| *s /= mean);
        if step < 1e-9 {
            break;
        }
    }
    strength
}

/// Strengths as ratings with mean 0.
fn elos(strengths: &[f64]) -> Vec<f64> {
    let elos: Vec<f64> = strengths.iter().map(|s| 400.0 * s.log10()).collect();
    let mean = elos.iter().sum::<f64>() / elos.len().max(1) as f64;
    elos.iter().map(|e| e - mean).collect()
}

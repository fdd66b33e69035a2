//! The promises of the statistics, kept by whole tournaments.

use super::*;

/// Equally strong agents: the interval of a match holds 1/2 as often as it says.
#[test]
fn matches_of_equals_hold_one_half_as_often_as_they_say() {
    let (mut held, mut sum) = (0, 0.0);
    let matches = 1000;
    for seed in 0..matches {
        let score = match_of(Settings::new(100, seed), |_, _| Pig::new(30), random("a"), random("b"));
        held += u32::from(score.tally().interval().contains(0.5));
        sum += score.tally().mean();
    }
    let (coverage, mean) = (f64::from(held) / matches as f64, sum / matches as f64);
    println!("{coverage:.3} of the matches hold one half; mean {mean:.4}");
    assert!((0.93..=0.97).contains(&coverage) && (mean - 0.5).abs() < 0.004, "{coverage} {mean}");
}

/// A tournament of simulated results: everybody's games of a round share the same luck.
fn simulated(elos: &[f64], meetings: &[(usize, usize)], rounds: u64, seed: u64) -> Vec<u8> {
    let mut quarters = Vec::new();
    for round in 0..rounds {
        let mut rng = gamecore::random::generator(gamecore::mix(seed) ^ round);
        let mut uniform = || (rng.next_u64() >> 11) as f64 / (1u64 << 53) as f64;
        // Half of the games are decided by the same draw for all meetings, half by one of each meeting.
        let (shared, which) = (uniform(), uniform());
        for &(a, b) in meetings {
            let p = expected_score(elos[a] - elos[b]);
            let luck = if which < 0.5 { shared } else { uniform() };
            quarters.push(if luck < p { 4 } else { 0 });
        }
    }
    quarters
}

/// Joint ratings: over 1,000 tournaments of known strength the intervals hold the truth in about 95 %, and the
/// estimates are right on average.
#[test]
fn ratings_hold_the_truth_as_often_as_they_say() {
    let truth = [120.0, 30.0, -40.0, -110.0];
    for pairing in [Pairing::RoundRobin, Pairing::Gauntlet] {
        let meetings = pairing.meetings(truth.len());
        let (mut held, mut sums) = (0, [0.0; 4]);
        let tournaments = 1000;
        for seed in 0..tournaments {
            let fit = ratings(truth.len(), &meetings, &simulated(&truth, &meetings, 200, seed));
            for ((rating, truth), sum) in fit.iter().zip(truth).zip(&mut sums) {
                held += u32::from(rating.interval.contains(truth));
                *sum += rating.elo - truth;
            }
        }
        let coverage = f64::from(held) / (4.0 * tournaments as f64);
        println!("{pairing:?}: {coverage:.3} hold the truth, mean errors {:?}", sums.map(|s| s / tournaments as f64));
        assert!((0.93..=0.97).contains(&coverage), "{pairing:?}: {coverage}");
        // Towards each other by a few percent: the imagined units.
        assert!(sums.iter().zip(truth).all(|(s, t)| (s / tournaments as f64).abs() < 3.0 + 0.04 * t.abs()), "{sums:?}");
    }
}

#[test]
fn ratings_of_two_are_their_difference() {
    // A match of two is rated as its score says, up to the imagined units.
    let mut rng = gamecore::random::generator(3);
    let quarters: Vec<u8> = (0..2000).map(|_| if below(&mut rng, 16) < 9 { 4 } else { 0 }).collect();
    let fit = ratings(2, &[(0, 1)], &quarters);
    let mut tally = Tally::default();
    quarters.iter().for_each(|&q| tally.add(usize::from(q)));
    assert!((fit[0].elo - fit[1].elo - tally.elo()).abs() < 0.3, "{fit:?} {}", tally.elo());
    let widths = (2.0 * fit[0].interval.half_width(), tally.elo_interval().half_width());
    assert!((widths.0 / widths.1 - 1.0).abs() < 0.12, "{widths:?}");
}

#[test]
fn extreme_ratings_stay_finite() {
    for (n, meetings, quarters) in [
        (2, vec![(0, 1)], vec![4; 1000]),
        (2, vec![(0, 1)], vec![]),
        (3, vec![(0, 1), (0, 2), (1, 2)], vec![4, 4]),
        (3, vec![(0, 1), (0, 2), (1, 2)], vec![0; 3]),
        (3, vec![(0, 1), (0, 2)], vec![2; 9999]),
        (4, Pairing::RoundRobin.meetings(4), vec![4; 60_000]),
        (60, Pairing::RoundRobin.meetings(60), vec![4; 2 * 1770]),
        (1, vec![], vec![]),
    ] {
        let fit = ratings(n, &meetings, &quarters);
        assert_eq!(fit.len(), n);
        for rating in fit.into_iter().take(if quarters.is_empty() { 0 } else { n }) {
            let Interval { low, high } = rating.interval;
            assert!(rating.elo.is_finite() && low.is_finite() && high.is_finite() && low <= rating.elo && rating.elo <= high);
            assert!(n == 1 || high > low, "{rating:?}");
        }
    }
    // Who has not played can be anything.
    let unknown = ratings(3, &[(0, 1), (0, 2)], &[4])[2];
    assert!(unknown.elo.is_finite() && unknown.interval.low == f64::NEG_INFINITY, "{unknown:?}");
}

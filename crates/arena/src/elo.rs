//! Elo: strength as a difference of ratings.

/// The difference of ratings, in Elo, between two players of whom one scores `score` (0 to 1) against the other: the
/// logistic curve, 400 for odds of ten to one (Elo 1978). Infinite at 0 and 1.
///
/// There are other scales of the same name (`BayesElo`'s depends on the share of draws, normalized Elo on the spread);
/// everything in this crate uses this one.
///
/// # Examples
/// ```
/// assert!((arena::elo(0.64) - 100.0).abs() < 0.1);
/// assert_eq!((arena::elo(0.5), arena::elo(1.0)), (0.0, f64::INFINITY));
/// ```
#[must_use]
pub fn elo(score: f64) -> f64 {
    // 0.0 - x: no negative zero.
    0.0 - 400.0 * (1.0 / score.clamp(0.0, 1.0) - 1.0).log10()
}

/// The score, 0 to 1, that a difference in Elo promises: the inverse of [`elo`].
#[must_use]
pub fn expected_score(elo: f64) -> f64 {
    1.0 / (1.0 + 10f64.powf(-elo / 400.0))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Values that Elo's own table and every handbook since print.
    #[test]
    fn the_scale_is_the_logistic_one() {
        for (score, difference) in
            [(0.5, 0.0), (0.51, 7.0), (0.6, 70.4), (0.75, 190.8), (0.9, 381.7), (10.0 / 11.0, 400.0), (0.99, 798.3)]
        {
            assert!((elo(score) - difference).abs() < 0.06, "{score}: {}", elo(score));
            assert!((elo(1.0 - score) + difference).abs() < 0.06);
            assert!((expected_score(elo(score)) - score).abs() < 1e-12);
        }
        assert_eq!((elo(0.0), elo(1.0)), (f64::NEG_INFINITY, f64::INFINITY));
        assert_eq!((expected_score(f64::NEG_INFINITY), expected_score(f64::INFINITY)), (0.0, 1.0));
    }
}

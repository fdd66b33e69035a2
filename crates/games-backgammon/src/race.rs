//! Counts for races: positions without [contact](Backgammon::is_contact), or nearly so.
//!
//! A plain pip count leaves out that pips are wasted when low points are crowded and gaps remain. The adjusted counts add
//! that, and come with their authors' rules for the cube.
//!
//! | count | source |
//! | --- | --- |
//! | [`keith`] | Tom Keith, "Cube Handling in Noncontact Positions", 2004 |
//! | [`thorp`] | Edward O. Thorp, "The Mathematics of Gambling"; Bill Robertie, "Advanced Backgammon", volume 2 |
//! | [`kleinman`] | Danny Kleinman, "Vision Laughs at Counting", 1980 |

use gamecore::Player;

use crate::side::{HOME, IN_PLAY, Side};
use crate::state::Backgammon;

/// What a count says about the cube, for the side on roll.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Advice {
    /// Whether to double from a centred cube.
    pub double: bool,
    /// Whether to redouble.
    pub redouble: bool,
    /// Whether the opponent should take.
    pub take: bool,
}

/// Keith's count of a seat's checkers: the pip count, plus 2 for each checker beyond the first on the 1-point, 1 for
/// each beyond the first on the 2-point, 1 for each beyond the third on the 3-point, and 1 for each of the points 4 to
/// 6 that is empty.
#[must_use]
pub fn keith(game: &Backgammon, seat: Player) -> u32 {
    adjusted(game.side(seat))
}

/// [`keith`] of a side.
#[inline]
pub(crate) const fn adjusted(side: &Side) -> u32 {
    let crowded = 2 * (side.count(0) as u32).saturating_sub(1)
        + (side.count(1) as u32).saturating_sub(1)
        + (side.count(2) as u32).saturating_sub(3);
    side.pips() + crowded + 3 - (side.occupied() & 0b11_1000).count_ones()
}

/// Keith's rule for `seat` on roll. With `a` its count, a seventh added and rounded down, and `b` the opponent's:
/// double if `a <= b + 4`, redouble if `a <= b + 3`; the opponent takes if `a >= b + 2`.
#[must_use]
pub fn keith_advice(game: &Backgammon, seat: Player) -> Advice {
    let (own, other) = (keith(game, seat), keith(game, seat.other()));
    let own = own + own / 7;
    Advice { double: own <= other + 4, redouble: own <= other + 3, take: own >= other + 2 }
}

/// Thorp's count of a seat's checkers: the pip count, plus 2 for each checker in play, plus 1 for each on the 1-point,
/// minus 1 for each point of the home board that is occupied.
#[must_use]
pub fn thorp(game: &Backgammon, seat: Player) -> u32 {
    let side = game.side(seat);
    side.pips() + 2 * side.sum(IN_PLAY) + u32::from(side.count(0)) - (side.occupied() & HOME).count_ones()
}

/// Thorp's rule for `seat` on roll: its count, a tenth added if it is above 30, may exceed the opponent's by 2 to
/// double and by 1 to redouble; the opponent takes unless it is more than 2 below.
#[must_use]
pub fn thorp_advice(game: &Backgammon, seat: Player) -> Advice {
    // In tenths.
    let (own, other) = (10 * thorp(game, seat), 10 * thorp(game, seat.other()));
    let own = if own > 300 { own + own / 10 } else { own };
    Advice { double: own <= other + 20, redouble: own <= other + 10, take: own + 20 >= other }
}

/// The probability that `seat`, on roll, wins the race, from the two pip counts: Kleinman's normal approximation.
///
/// With `d` the opponent's pips minus the own and `s` their sum, `(d + 4)² / (s - 4)` is his metric `k`, and the
/// probability that of a standard normal variable below `√(k / 2)`. Long races are within a few percent; the wastage of
/// short ones is not seen.
#[must_use]
pub fn kleinman(game: &Backgammon, seat: Player) -> f32 {
    winning(game.pips(seat) as f32, game.pips(seat.other()) as f32)
}

/// [`kleinman`] from two counts, the one of the side on roll first.
#[inline]
pub(crate) fn winning(own: f32, other: f32) -> f32 {
    let lead = other - own + 4.0;
    let spread = (2.0 * (own + other - 4.0).max(4.0)).sqrt();
    normal(lead / spread)
}

/// The distribution function of the standard normal law, by a logistic curve; within 0.0002. (Bowling and others, "A
/// logistic approximation to the cumulative normal distribution", 2009.)
#[inline]
pub(crate) fn normal(x: f32) -> f32 {
    1.0 / (1.0 + (-(0.070_56 * x * x * x + 1.597_6 * x)).exp())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn game(one: &str, two: &str) -> Backgammon {
        format!("{one}/{two} one").parse().unwrap()
    }

    #[test]
    fn counts_follow_their_formulas() {
        // Points 1, 2, 2, 4, 6, 6 with nine off; and two on each home point with three off.
        let g = game("12010200000000000000000009", "22222200000000000000000003");
        assert_eq!(Player::BOTH.map(|seat| g.pips(seat)), [1 + 4 + 4 + 12, 42]);
        assert_eq!(keith(&g, Player::One), 21 + 1 + 1);
        assert_eq!(keith(&g, Player::Two), 42 + 2 + 1);
        assert_eq!(thorp(&g, Player::One), 21 + 2 * 6 + 1 - 4);
        assert_eq!(thorp(&g, Player::Two), 42 + 2 * 12 + 2 - 6);
        assert_eq!(keith_advice(&g, Player::One), Advice { double: true, redouble: true, take: false });
        assert_eq!(keith_advice(&g, Player::Two), Advice { double: false, redouble: false, take: true });
        assert_eq!(thorp_advice(&g, Player::Two), Advice { double: false, redouble: false, take: true });
        assert_eq!(thorp_advice(&g, Player::One), Advice { double: true, redouble: true, take: false });
    }

    #[test]
    fn kleinmans_take_point_is_near_a_fifth() {
        // 100 against 112 pips: the classical last take.
        let p = winning(100.0, 112.0);
        assert!((p - 0.78).abs() < 0.01, "{p}");
        assert!((winning(80.0, 76.0) - 0.5).abs() < 1e-6);
        // His table, by his metric.
        for (k, percent) in [(0.5f32, 69.0), (0.7, 72.0), (1.0, 76.0), (1.2, 78.0), (1.4, 80.0), (2.0, 84.0)] {
            let lead = (k * 200.0).sqrt() - 4.0;
            let p = 100.0 * winning(102.0 - lead / 2.0, 102.0 + lead / 2.0);
            assert!((p - percent).abs() < 0.5, "{k}: {p}");
        }
        assert!((normal(1.0) - 0.841_34).abs() < 0.0005 && (normal(-2.0) - 0.022_75).abs() < 0.0005);
    }
}

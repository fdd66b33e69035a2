//! What the search compares: a value, and the way to the end.

use core::ops::Neg;

/// A value from one player's point of view, and for a proven end how far away it is.
///
/// The value decides. Of equal ones a win is better the sooner it comes, and a loss the later; a win that is proven is
/// better than an opinion of the same value, and a loss that is proven worse. So comparing scores never changes which value
/// comes out, only which of the moves that lead to it.
///
/// One integer: the value's bits, made to ascend with it, above a bonus of 17 bits that has the value's sign if the end is
/// proven, and is 0 if not.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) struct Score(i64);

const BONUS_BITS: u32 = 17;
/// The bonus of an end at the root, far above all plies of a search.
const AT_ONCE: i64 = 1 << 14;

impl Score {
    /// Worse and better than anything; each the other's negative.
    pub(crate) const MIN: Self = Self(-Self::MAX.0);
    pub(crate) const MAX: Self = Self(1 << 60);

    /// An evaluator's word.
    #[inline(always)]
    pub(crate) fn opinion(value: f32) -> Self {
        let bits = value.to_bits() as i32;
        let size = bits & i32::MAX;
        Self(i64::from(if bits < 0 { -size } else { size }) << BONUS_BITS)
    }

    /// An end, `ply` decisions from the root. A draw has no distance: nobody hurries.
    #[inline(always)]
    pub(crate) fn end(value: f32, ply: u32) -> Self {
        let opinion = Self::opinion(value);
        Self(opinion.0 + opinion.0.signum() * (AT_ONCE - i64::from(ply)))
    }

    /// What is at least worth `value` in a position whose end is not nearer than `ply`.
    #[inline(always)]
    pub(crate) fn at_least(value: f32, ply: u32) -> Self {
        if value < 0.0 { Self::end(value, ply) } else { Self::opinion(value) }
    }

    /// What is at most worth `value` in a position whose end is not nearer than `ply`.
    #[inline(always)]
    pub(crate) fn at_most(value: f32, ply: u32) -> Self {
        if value > 0.0 { Self::end(value, ply) } else { Self::opinion(value) }
    }

    /// All scores of a value above `value` are above this, all others are not.
    pub(crate) fn top_of(value: f32) -> Self {
        Self(Self::opinion(value).0 + AT_ONCE)
    }

    /// All scores of a value below `value` are below this, all others are not.
    pub(crate) fn bottom_of(value: f32) -> Self {
        Self(Self::opinion(value).0 - AT_ONCE)
    }

    /// The least score above this one.
    #[inline(always)]
    pub(crate) fn next(self) -> Self {
        Self(self.0 + 1)
    }

    /// Whether there are scores between the two.
    #[inline(always)]
    pub(crate) fn is_open(self, above: Self) -> bool {
        above.0 - self.0 > 1
    }

    /// The value's bits, ascending.
    #[inline(always)]
    fn rank(self) -> i64 {
        (self.0 + (1 << (BONUS_BITS - 1))) >> BONUS_BITS
    }

    #[inline(always)]
    fn bonus(self) -> i64 {
        self.0 - (self.rank() << BONUS_BITS)
    }

    /// Without the distance.
    pub(crate) fn value(self) -> f32 {
        let rank = self.rank() as i32;
        let size = f32::from_bits(rank.unsigned_abs());
        if rank < 0 { -size } else { size }
    }

    /// Whether it is a proven end that is won.
    #[inline(always)]
    pub(crate) fn is_won(self) -> bool {
        self.bonus() > 0
    }

    /// Whether it is a proven end that is lost.
    #[inline(always)]
    pub(crate) fn is_lost(self) -> bool {
        self.bonus() < 0
    }

    /// Decisions from the root to a proven end.
    pub(crate) fn ends_in(self) -> Option<u32> {
        let bonus = self.bonus();
        (bonus != 0).then(|| (AT_ONCE - bonus.abs()) as u32)
    }

    /// The distance counted from `ply` instead of from the root, as a table keeps it.
    #[inline(always)]
    pub(crate) fn seen_from(self, ply: u32) -> Self {
        Self(self.0 + self.bonus().signum() * i64::from(ply))
    }

    /// The distance counted from the root again.
    #[inline(always)]
    pub(crate) fn seen_from_root(self, ply: u32) -> Self {
        Self(self.0 - self.bonus().signum() * i64::from(ply))
    }

    /// Of an opinion: whether an end of this value could be better than `than`.
    #[inline(always)]
    pub(crate) fn may_exceed(self, than: Self) -> bool {
        self.0 + AT_ONCE > than.0
    }

    /// Of an opinion: whether it, and an end of this value, are at least `bound`.
    #[inline(always)]
    pub(crate) fn is_no_less_than(self, bound: Self) -> bool {
        self.0 - if self.0 < 0 { AT_ONCE } else { 0 } >= bound.0
    }

    /// For a table, exactly.
    #[inline(always)]
    pub(crate) fn to_f64(self) -> f64 {
        self.0 as f64
    }

    /// What [`to_f64`](Score::to_f64) made.
    #[inline(always)]
    pub(crate) fn from_f64(x: f64) -> Self {
        Self(x as i64)
    }
}

impl Neg for Score {
    type Output = Self;
    #[inline(always)]
    fn neg(self) -> Self {
        Self(-self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn scores_ascend_with_values(x in prop::num::f32::NORMAL | prop::num::f32::ZERO, y in prop::num::f32::NORMAL, p in 0..300u32, q in 0..300u32) {
            for (s, t) in [(Score::opinion(x), Score::end(y, p)), (Score::end(x, p), Score::end(y, q)), (Score::end(x, p), Score::opinion(y))] {
                if x != y {
                    prop_assert_eq!(s < t, x < y);
                }
                prop_assert_eq!(s.value(), x);
                prop_assert_eq!(-(-s), s);
                prop_assert_eq!((-s).value(), -x);
                prop_assert_eq!(Score::from_f64(s.to_f64()), s);
                prop_assert_eq!(s.seen_from(p).seen_from_root(p), s);
                prop_assert!(Score::MIN < s && s < Score::MAX);
                prop_assert_eq!(s > Score::top_of(y), x > y);
                prop_assert_eq!(s < Score::bottom_of(y), x < y);
            }
            prop_assert_eq!(Score::end(y, p).ends_in(), Some(p));
            prop_assert_eq!(Score::opinion(y).ends_in(), None);
        }

        #[test]
        fn wins_hurry_and_losses_wait(x in 0.001f32..1e6, near in 0..200u32, more in 1..100u32) {
            let far = near + more;
            prop_assert!(Score::end(x, near) > Score::end(x, far) && Score::end(x, far) > Score::opinion(x));
            prop_assert!(Score::end(-x, near) < Score::end(-x, far) && Score::end(-x, far) < Score::opinion(-x));
            prop_assert_eq!(Score::end(0.0, near), Score::opinion(-0.0));
            prop_assert!(Score::opinion(x).may_exceed(Score::opinion(x)) && !Score::opinion(x).may_exceed(Score::end(x, 0)));
            // A win seen from a node is as far from there as it is.
            prop_assert_eq!(Score::end(-x, far).seen_from(near).ends_in(), Some(more));
            for value in [x, -x] {
                for bound in [Score::opinion(value), Score::end(value, near), Score::end(value, far)] {
                    let holds = Score::opinion(value) >= bound && Score::end(value, 0) >= bound;
                    prop_assert!(holds || !Score::opinion(value).is_no_less_than(bound));
                }
                prop_assert!(Score::opinion(value).is_no_less_than(Score::bottom_of(value)));
                let possible = [Score::opinion(value), Score::end(value, near), Score::end(value, far)];
                prop_assert!(possible.iter().all(|&s| Score::at_least(value, near) <= s && s <= Score::at_most(value, near)));
            }
        }
    }
}

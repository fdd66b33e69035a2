//! One side's checkers.

/// Places a checker can be: points 0 to 23 (the ace point is 0), the bar, and off the board.
pub(crate) const PLACES: usize = 26;
/// The bar: one step of a die beyond the farthest point, as entering is counted.
pub(crate) const BAR: u32 = 24;
/// Borne off.
pub(crate) const OFF: u32 = 25;

/// The points, as a set.
pub(crate) const POINTS: u32 = (1 << 24) - 1;
/// The points and the bar: checkers still in play.
pub(crate) const IN_PLAY: u32 = (1 << 25) - 1;
/// The home board.
pub(crate) const HOME: u32 = (1 << 6) - 1;

/// The checkers of one side on its own 26 places, as binary numbers written across four words.
///
/// Bit `p` of `planes[k]` is binary digit `k` of the number of checkers on place `p`. So the sets that rules ask for
/// (occupied, blots, made points) are a few word operations, and a side takes 16 bytes.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default)]
pub(crate) struct Side {
    pub(crate) planes: [u32; 4],
}

impl Side {
    /// From the numbers of checkers, each at most 15.
    pub(crate) fn of(counts: [u8; PLACES]) -> Self {
        let mut side = Self::default();
        for (place, &count) in counts.iter().enumerate() {
            for (k, plane) in side.planes.iter_mut().enumerate() {
                *plane |= (u32::from(count) >> k & 1) << place;
            }
        }
        side
    }

    /// Checkers on a place.
    #[inline(always)]
    pub(crate) const fn count(&self, place: u32) -> u8 {
        let [a, b, c, d] = self.planes;
        ((a >> place & 1) | (b >> place & 1) << 1 | (c >> place & 1) << 2 | (d >> place & 1) << 3) as u8
    }

    /// Checkers on every place.
    pub(crate) fn counts(&self) -> [u8; PLACES] {
        core::array::from_fn(|place| self.count(place as u32))
    }

    /// Places with a checker at least.
    #[inline(always)]
    pub(crate) const fn occupied(&self) -> u32 {
        let [a, b, c, d] = self.planes;
        a | b | c | d
    }

    /// Places with two checkers at least.
    #[inline(always)]
    pub(crate) const fn stacked(&self) -> u32 {
        let [_, b, c, d] = self.planes;
        b | c | d
    }

    /// Places with exactly one checker.
    #[inline(always)]
    pub(crate) const fn single(&self) -> u32 {
        self.planes[0] & !self.stacked()
    }

    /// Checkers on the places of `set` together.
    #[inline]
    pub(crate) const fn sum(&self, set: u32) -> u32 {
        let [a, b, c, d] = self.planes;
        (a & set).count_ones() + 2 * (b & set).count_ones() + 4 * (c & set).count_ones() + 8 * (d & set).count_ones()
    }

    /// One checker more on each place of `set`: a binary addition with carry.
    #[inline(always)]
    pub(crate) const fn add(&mut self, set: u32) {
        let [a, b, c, d] = self.planes;
        let (carry_a, carry_b, carry_c) = (a & set, a & b & set, a & b & c & set);
        self.planes = [a ^ set, b ^ carry_a, c ^ carry_b, d ^ carry_c];
    }

    /// One checker less on each place of `set`, which all have one: a subtraction with borrow.
    #[inline(always)]
    pub(crate) const fn remove(&mut self, set: u32) {
        let [a, b, c, d] = self.planes;
        let (borrow_a, borrow_b, borrow_c) = (!a & set, !a & !b & set, !a & !b & !c & set);
        self.planes = [a ^ set, b ^ borrow_a, c ^ borrow_b, d ^ borrow_c];
    }
}

/// A set of points as the other side numbers them; other places are dropped.
#[inline(always)]
pub(crate) const fn mirrored(set: u32) -> u32 {
    (set & POINTS).reverse_bits() >> 8
}

/// The places of a set, the highest first.
#[inline(always)]
pub(crate) fn places(mut set: u32) -> impl Iterator<Item = u32> {
    core::iter::from_fn(move || {
        let place = set.checked_ilog2()?;
        set ^= 1 << place;
        Some(place)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_kept_added_and_taken_away() {
        let counts = core::array::from_fn(|i| (i % 16) as u8);
        let mut side = Side::of(counts);
        assert_eq!(side.counts(), counts);
        assert_eq!(side.sum(u32::MAX), (0..26).map(|i| i % 16).sum::<u32>());
        assert_eq!(places(side.single()).collect::<Vec<_>>(), [17, 1]);
        assert_eq!(side.occupied(), ((1 << 26) - 1) & !(1 | 1 << 16));
        assert_eq!(side.stacked(), side.occupied() & !side.single());
        let set = 1 << 3 | 1 << 7 | 1 << 11 | 1;
        side.add(set);
        for place in places(set) {
            assert_eq!(side.count(place), counts[place as usize] + 1);
        }
        side.remove(set);
        assert_eq!(side.counts(), counts);
        assert_eq!(mirrored(1 | 1 << 5 | 1 << 24), 1 << 23 | 1 << 18);
    }
}

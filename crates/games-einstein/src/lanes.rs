//! A side's stones in one word: a lane of six bits for each, searched without a loop.
//!
//! Lane `i`, at bit `6 * i`, holds the square of stone `i + 1`: its top bit is clear while the stone lives, and a
//! captured stone's lane is all ones. Lanes of stones that the rules do not have count as captured. A *shift* names
//! a lane by its lowest bit, a *flag* by its top bit.

/// Bits of a lane.
pub(crate) const WIDTH: u32 = 6;
/// Lanes of a word: stones that a side can have.
pub(crate) const LANES: u32 = 9;
/// The lowest bit of every lane.
pub(crate) const ONES: u64 = (1 << (WIDTH * LANES)) / 63;
/// The top bit of every lane.
pub(crate) const FLAGS: u64 = ONES << 5;
/// A side without stones.
pub(crate) const NONE: u64 = ONES * 63;

/// The flag of the living stone on `square`, 0 if there is none. At most one stone stands on a square.
#[inline(always)]
pub(crate) const fn on(side: u64, square: u32) -> u64 {
    let differing = side ^ (ONES * square as u64);
    // No lane borrows from the next: each is at least 32. Captured lanes differ in their low bits from any square.
    FLAGS & !((differing | FLAGS) - ONES)
}

/// `side` without the stone of `flag`; unchanged for the flag 0.
#[inline(always)]
pub(crate) const fn without(side: u64, flag: u64) -> u64 {
    side | (flag << 1).wrapping_sub(flag >> 5)
}

/// The flags of the living stones.
#[inline(always)]
pub(crate) const fn living(side: u64) -> u64 {
    !side & FLAGS
}

/// The lane at `shift`: a square, or 63.
#[inline(always)]
pub(crate) const fn lane(side: u64, shift: u32) -> u32 {
    (side >> shift) as u32 & 63
}

/// `side` with `square` (63: captured) in the lane at `shift`.
pub(crate) const fn with(side: u64, shift: u32, square: u32) -> u64 {
    side & !(63 << shift) | (square as u64) << shift
}

/// Which of the first six stones live, one bit each.
#[inline(always)]
pub(crate) const fn living_six(side: u64) -> usize {
    // Bit 6i moves to 25 + i: the sums 6i - 5j differ for all i and j below six, so nothing carries.
    const GATHER: u64 = 1 << 25 | 1 << 20 | 1 << 15 | 1 << 10 | 1 << 5 | 1;
    let bits = (living(side) >> 5) & ((1 << 36) - 1);
    (bits.wrapping_mul(GATHER) >> 25) as usize & 63
}

/// The squares of the living stones, a bit each. Bits above 31 are noise.
#[inline(always)]
pub(crate) const fn occupied(side: u64) -> u64 {
    let (mut squares, mut shift) = (0, 0);
    while shift < WIDTH * LANES {
        squares |= 1 << lane(side, shift);
        shift += WIDTH;
    }
    squares
}

/// The shifts of the living stones, in the order of their numbers.
#[inline]
pub(crate) fn shifts(side: u64) -> impl Iterator<Item = u32> {
    let mut flags = living(side);
    core::iter::from_fn(move || {
        let shift = flags.trailing_zeros().wrapping_sub(5);
        let found = flags != 0;
        flags &= flags.wrapping_sub(1);
        found.then_some(shift)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stones_are_found_by_square_and_counted() {
        for set in 0u32..1 << LANES {
            let mut side = NONE;
            for i in (0..LANES).filter(|i| set >> i & 1 == 1) {
                side = with(side, i * WIDTH, (i * 7 + 3) % 25);
            }
            assert_eq!(living_six(side), set as usize & 63);
            assert_eq!(living(side).count_ones(), set.count_ones());
            assert_eq!(shifts(side).count() as u32, set.count_ones());
            for square in 0..25 {
                let stone = (0..LANES).find(|i| (i * 7 + 3) % 25 == square && set >> i & 1 == 1);
                let flag = on(side, square);
                assert_eq!(flag, stone.map_or(0, |i| 32 << (i * WIDTH)));
                assert_eq!(occupied(side) >> square & 1 == 1, stone.is_some());
                assert_eq!(without(side, flag), stone.map_or(side, |i| with(side, i * WIDTH, 63)));
            }
        }
    }
}

//! The distinct plays of a roll.
//!
//! No list is ever searched for duplicates: they are never made. Sets of places are words, so what comes out is groups
//! of moves that differ in their last source only.
//!
//! **Doubles.** Steps of equal length commute, and a different multiset of sources leads to a different position. So
//! the sources are taken in descending order, which is always possible if any order is: entering and bringing checkers
//! home comes before, and a higher checker bears off before a lower one. Only the plays of the most dice count; a line
//! that got stuck because it went down too early is shorter than the one it skipped.
//!
//! **Two different dice**, `h` and `l`. A play is a pair of sources, one for each die; it is legal if one of the orders
//! is. Compare what two pairs take away from the board and what they add: equal positions arise in two ways only.
//! - One checker (or two that replace each other) goes from `s` to `s - h - l`, by way of `s - h` or of `s - l`. That
//!   is one position unless there is a blot on either. The way by `s - h` is kept.
//! - Two checkers are borne off, either by either die. The pair with the higher checker moved by `h` is kept.

use crate::moves::{Move, target};
use crate::side::{BAR, HOME, IN_PLAY, OFF, POINTS, Side, mirrored, places};

/// Moves that differ in their last source.
#[derive(Clone, Copy)]
pub(crate) struct Group {
    /// The steps before.
    prefix: Move,
    /// The number of dice used; the last source is that of step `used - 1`.
    pub(crate) used: u32,
    /// The last sources, never empty.
    pub(crate) sources: u32,
}

impl Group {
    /// The move with this last source.
    #[inline(always)]
    pub(crate) const fn with(self, source: u32) -> Move {
        self.prefix.and(self.used - 1, source)
    }
}

/// A position and a roll, from the mover's view.
pub(crate) struct Generator {
    own: Side,
    /// Points that the opponent has made.
    blocked: u32,
    /// Points with one enemy checker.
    blots: u32,
}

/// The set of one place.
const fn bit(place: u32) -> u32 {
    1 << place
}

impl Generator {
    #[inline(always)]
    pub(crate) fn new(own: Side, opponent: Side) -> Self {
        Self { own, blocked: mirrored(opponent.stacked()), blots: mirrored(opponent.single()) }
    }

    /// Places from which a step of `die` stays on the board and is not blocked.
    #[inline(always)]
    const fn open(&self, die: u32) -> u32 {
        IN_PLAY & !(self.blocked << die) & !(bit(die) - 1)
    }

    /// Places from which a checker may go if `occupied` are those in play, `open` those of [`open`](Self::open).
    #[inline(always)]
    const fn sources(occupied: u32, open: u32, die: u32) -> u32 {
        if occupied >> BAR != 0 {
            return open & bit(BAR);
        }
        let mut sources = occupied & open;
        if occupied & !HOME == 0 && occupied != 0 {
            sources |= occupied & bit(die - 1);
            let highest = occupied.ilog2();
            if highest < die {
                sources |= bit(highest);
            }
        }
        sources
    }

    /// Places from which a checker may go by `die`.
    pub(crate) const fn legal(&self, die: u32) -> u32 {
        Self::sources(self.own.occupied() & IN_PLAY, self.open(die), die)
    }

    /// Points with one enemy checker.
    pub(crate) const fn blots(&self) -> u32 {
        self.blots
    }

    /// Whether the opponent has made the mover's point at `place`.
    pub(crate) const fn is_blocked(&self, place: u32) -> bool {
        self.blocked >> place & 1 != 0
    }

    /// The places in play after a step of a checker that is there.
    #[inline(always)]
    const fn stepped(occupied: u32, stacked: u32, from: u32, die: u32) -> u32 {
        let left = occupied & !(bit(from) & !stacked);
        (left | bit(target(from, die))) & IN_PLAY
    }

    /// Shows all plays of a roll of two different dice. No call: a pass.
    ///
    /// Plays of two dice come first if there are any, otherwise those of one die, and then all of the same.
    #[inline]
    pub(crate) fn mixed(&self, high: u32, low: u32, visit: &mut impl FnMut(Group)) {
        let (occupied, stacked) = (self.own.occupied() & IN_PLAY, self.own.stacked() & IN_PLAY);
        let outside = self.own.sum(IN_PLAY & !HOME);
        let any = if outside >= 2 || occupied >> BAR != 0 {
            self.pairs_moving(occupied, stacked, high, low, visit)
        } else {
            self.pairs_bearing_off(occupied, stacked, high, low, visit)
        };
        if any {
            return;
        }
        for die in [high, low] {
            let sources = Self::sources(occupied, self.open(die), die);
            if sources != 0 {
                return visit(Group { prefix: Move::with_dice(die, 0), used: 1, sources });
            }
        }
    }

    /// The plays of both dice where none can bear off. Returns whether there are any.
    #[inline(always)]
    fn pairs_moving(&self, occupied: u32, stacked: u32, high: u32, low: u32, visit: &mut impl FnMut(Group)) -> bool {
        let (open_high, open_low) = (self.open(high), self.open(low));
        // The first checker: whoever must enter, anyone otherwise.
        let first = if occupied >> BAR != 0 { bit(BAR) } else { occupied };
        // Checkers that come to the same point either way.
        let by_high = open_high & open_low << high;
        let by_low = open_low & open_high << low;
        let same = first & by_high & by_low & !(self.blots << high) & !(self.blots << low);
        let mut any = false;
        let both_enter = stacked >> BAR != 0;
        for from in places(first & open_high) {
            let after = Self::stepped(occupied, stacked, from, high);
            let second = if both_enter { bit(BAR) } else { after };
            let sources = second & open_low & !(same & bit(from + low));
            if sources != 0 {
                any = true;
                visit(Group { prefix: Move::with_dice(high, low).and(0, from), used: 2, sources });
            }
        }
        // The low die first: new only if the high one could not have gone before it.
        if first == bit(BAR) {
            if open_low >> BAR != 0 && !both_enter {
                let after = Self::stepped(occupied, stacked, BAR, low);
                let taken = if same >> BAR != 0 { bit(BAR - low) } else { 0 };
                let sources = after & open_high & !taken;
                if sources != 0 {
                    any = true;
                    visit(Group { prefix: Move::with_dice(low, high).and(0, BAR), used: 2, sources });
                }
            }
        } else {
            for from in places(first & by_low & !(occupied << low) & !same) {
                any = true;
                visit(Group { prefix: Move::with_dice(low, high).and(0, from), used: 2, sources: bit(from - low) });
            }
        }
        any
    }

    /// The plays of both dice with nobody on the bar and at most one checker outside the home board.
    fn pairs_bearing_off(&self, occupied: u32, stacked: u32, high: u32, low: u32, visit: &mut impl FnMut(Group)) -> bool {
        let (open_high, open_low) = (self.open(high), self.open(low));
        // For each source of the high die those of the low die, in either order, and those with the high die first.
        let (mut pairs, mut high_first) = ([0; 24], [0; 24]);
        let mut froms = Self::sources(occupied, open_high, high);
        for from in places(froms) {
            let after = Self::stepped(occupied, stacked, from, high);
            high_first[from as usize] = Self::sources(after, open_low, low);
        }
        pairs.copy_from_slice(&high_first);
        for from in places(Self::sources(occupied, open_low, low)) {
            let after = Self::stepped(occupied, stacked, from, low);
            let seconds = Self::sources(after, open_high, high);
            froms |= seconds;
            for second in places(seconds) {
                pairs[second as usize] |= bit(from);
            }
        }
        let mut any = false;
        for from in places(froms) {
            let mut sources = pairs[from as usize];
            // Two borne off, a higher one by the low die.
            if from < low {
                for other in places(sources & (bit(low) - 1) & !(bit(from + 1) - 1)) {
                    if pairs[other as usize] & bit(from) != 0 {
                        sources &= !bit(other);
                    }
                }
            }
            // One checker by way of `from`, where it could have gone by way of `start - high`.
            let start = from + low;
            if start < 24 && start >= high && sources & bit(start) != 0 {
                let way = start - high;
                if pairs[start as usize] & bit(way) != 0 && self.blots & (bit(from) | bit(way)) == 0 {
                    sources &= !bit(start);
                }
            }
            let first = sources & high_first[from as usize];
            any |= sources != 0;
            if first != 0 {
                visit(Group { prefix: Move::with_dice(high, low).and(0, from), used: 2, sources: first });
            }
            for other in places(sources & !first) {
                visit(Group { prefix: Move::with_dice(low, high).and(0, other), used: 2, sources: bit(from) });
            }
        }
        any
    }

    /// Shows plays of a double, among them all of the most dice: shorter ones may be shown before and are no moves
    /// then. No call: a pass.
    #[inline]
    pub(crate) fn double(&self, die: u32, visit: &mut impl FnMut(Group)) {
        let open = self.open(die);
        self.double_from(self.own, open, die, IN_PLAY, 0, Move::with_dice(die, die), visit);
    }

    #[expect(clippy::too_many_arguments, reason = "they live in registers")]
    fn double_from(&self, own: Side, open: u32, die: u32, allowed: u32, used: u32, prefix: Move, visit: &mut impl FnMut(Group)) {
        let sources = Self::sources(own.occupied() & IN_PLAY, open, die) & allowed;
        if sources == 0 {
            return;
        }
        visit(Group { prefix, used: used + 1, sources });
        if used == 3 {
            return;
        }
        for from in places(sources) {
            let mut next = own;
            next.remove(bit(from));
            next.add(bit(target(from, die)));
            self.double_from(next, open, die, bit(from + 1) - 1, used + 1, prefix.and(used, from), visit);
        }
    }
}

const _: () = assert!(POINTS & bit(BAR) == 0 && OFF == BAR + 1);

//! Moves.

use core::fmt;

use crate::side::{BAR, OFF};

/// The source of a step that is not there.
const NONE: u32 = 31;
/// Bits of a source.
const WIDTH: u32 = 5;
/// Where the two dice stand.
const DICE: u32 = 4 * WIDTH;

/// The whole play of a roll: up to four steps, in an order in which they can be made; or a pass.
///
/// Four bytes: the places that the steps leave, five bits each, and the die of the first step and of the others. Plays
/// that lead to the same position are one move, and a state's list holds one way of making each of them.
/// [`Text`](gamecore::Text) and [`notation`](crate::notation) write it for people, relative to a state, as hits are.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Move(u32);

/// A checker's step by one die.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct CheckerMove {
    /// The mover's point that the checker leaves, 1 to 24, or 25 for the bar.
    pub from: u8,
    /// The mover's point that it enters, 1 to 24, or 0 if it is borne off.
    pub to: u8,
    /// The die, 1 to 6.
    pub die: u8,
}

impl Move {
    /// The only move of a player who has no step.
    pub const PASS: Self = Self((1 << DICE) - 1);

    /// No steps yet, of dice of this order.
    #[inline(always)]
    pub(crate) const fn with_dice(first: u32, others: u32) -> Self {
        Self(Self::PASS.0 | first << DICE | others << (DICE + 3))
    }

    /// With step number `step`, which is not there yet, from this place.
    #[inline(always)]
    pub(crate) const fn and(self, step: u32, from: u32) -> Self {
        Self(self.0 ^ (from ^ NONE) << (WIDTH * step))
    }

    /// Whether this is [`PASS`](Self::PASS).
    #[inline(always)]
    #[must_use]
    pub const fn is_pass(self) -> bool {
        self.0 == Self::PASS.0
    }

    /// The dice used: 0 (a pass) to 4.
    #[must_use]
    pub fn len(self) -> usize {
        self.sources().count()
    }

    /// Whether no die is used: a pass.
    #[must_use]
    pub const fn is_empty(self) -> bool {
        self.is_pass()
    }

    /// The steps, in an order in which they can be made.
    pub fn steps(self) -> impl Iterator<Item = CheckerMove> {
        self.sources().map(|(from, die)| CheckerMove::of(from, die))
    }

    /// The places left, and the die of each step.
    #[inline(always)]
    pub(crate) fn sources(self) -> impl Iterator<Item = (u32, u32)> {
        let (mut rest, mut die, others) = (self.0 & Self::PASS.0, self.0 >> DICE & 7, self.0 >> (DICE + 3) & 7);
        let mut left = 4;
        core::iter::from_fn(move || {
            let from = rest & NONE;
            if from == NONE || left == 0 {
                return None;
            }
            rest >>= WIDTH;
            left -= 1;
            Some((from, core::mem::replace(&mut die, others)))
        })
    }
}

impl CheckerMove {
    pub(crate) const fn of(from: u32, die: u32) -> Self {
        Self { from: from as u8 + 1, to: (from + 1).saturating_sub(die) as u8, die: die as u8 }
    }
}

/// Where a step from a place ends.
#[inline(always)]
pub(crate) const fn target(from: u32, die: u32) -> u32 {
    if from < die { OFF } else { from - die }
}

const _: () = assert!(BAR < NONE && OFF < NONE);

impl fmt::Debug for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.is_pass() {
            return f.write_str("Pass");
        }
        f.write_str("Play(")?;
        for (i, CheckerMove { from, to, .. }) in self.steps().enumerate() {
            write!(f, "{}{from}/{to}", if i == 0 { "" } else { " " })?;
        }
        f.write_str(")")
    }
}

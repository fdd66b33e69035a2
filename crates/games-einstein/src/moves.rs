//! Moves.

use core::fmt;

use crate::lanes::WIDTH;

/// A step of one stone, or a pass.
///
/// A `u16`: the squares from and to, five bits each, and the stone. [`Text`](gamecore::Text) writes it for people.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Move(u16);

impl Move {
    /// The only move of a player who cannot step. The standard game has none.
    pub const PASS: Self = Self(!0);

    #[inline(always)]
    pub(crate) const fn new(shift: u32, from: u32, to: u32) -> Self {
        Self((shift << 10 | from << 5 | to) as u16)
    }

    /// Whether this is [`PASS`](Self::PASS).
    #[inline(always)]
    #[must_use]
    pub const fn is_pass(self) -> bool {
        self.0 == Self::PASS.0
    }

    /// The number of the stone, from 1; `None` for a pass.
    #[inline]
    #[must_use]
    pub const fn stone(self) -> Option<u8> {
        if self.is_pass() { None } else { Some((self.shift() / WIDTH) as u8 + 1) }
    }

    /// The square that the stone leaves, row by row from the top left; `None` for a pass.
    #[inline]
    #[must_use]
    pub const fn from(self) -> Option<u8> {
        if self.is_pass() { None } else { Some((self.0 >> 5) as u8 & 31) }
    }

    /// The square that the stone goes to, row by row from the top left; `None` for a pass.
    #[inline]
    #[must_use]
    pub const fn to(self) -> Option<u8> {
        if self.is_pass() { None } else { Some(self.0 as u8 & 31) }
    }

    /// The lane of the stone; 63 for a pass.
    #[inline(always)]
    pub(crate) const fn shift(self) -> u32 {
        self.0 as u32 >> 10
    }

    /// The square left; 31 for a pass.
    #[inline(always)]
    pub(crate) const fn source(self) -> u32 {
        self.0 as u32 >> 5 & 31
    }

    /// The square entered; 31 for a pass.
    #[inline(always)]
    pub(crate) const fn target(self) -> u32 {
        self.0 as u32 & 31
    }
}

impl fmt::Debug for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.stone() {
            None => f.write_str("Pass"),
            Some(stone) => write!(f, "Step({stone}: {} -> {})", self.source(), self.target()),
        }
    }
}

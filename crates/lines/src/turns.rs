//! Whose turn it is.

use gamecore::Player;

/// How many stones a turn has: `first` for Player One's first, `each` for every later one, of either seat. The `q` and `p` of
/// the family Connect(m, n, k, p, q) (Wu and Huang, *A new family of k-in-a-row games*, 2005).
///
/// # Examples
/// ```
/// use gamecore::Player::{One, Two};
/// use lines::Turns;
///
/// let movers: Vec<_> = (0..6).map(|stones| Turns::CONNECT6.mover(stones)).collect();
/// assert_eq!(movers, [One, Two, Two, One, One, Two]);
/// assert_eq!(Turns::CONNECT6.left(2), 1); // Two has put one stone and puts another.
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub struct Turns {
    first: u8,
    each: u8,
}

impl Turns {
    /// One stone a turn.
    pub const ONE: Self = Self { first: 1, each: 1 };
    /// One stone, then two a turn.
    pub const CONNECT6: Self = Self { first: 1, each: 2 };

    /// `None` if a turn would have no stone.
    #[must_use]
    pub const fn new(first: u8, each: u8) -> Option<Self> {
        if first == 0 || each == 0 { None } else { Some(Self { first, each }) }
    }

    /// Stones of the first turn.
    #[inline]
    #[must_use]
    pub const fn first(self) -> u8 {
        self.first
    }

    /// Stones of every later turn.
    #[inline]
    #[must_use]
    pub const fn each(self) -> u8 {
        self.each
    }

    /// Who puts a stone when so many have been put.
    #[inline]
    #[must_use]
    pub const fn mover(self, stones: u16) -> Player {
        match stones.checked_sub(self.first as u16) {
            Some(later) if (later / self.each as u16).is_multiple_of(2) => Player::Two,
            _ => Player::One,
        }
    }

    /// How many stones the turn still has then, the next one included; at least 1.
    #[inline]
    #[must_use]
    pub const fn left(self, stones: u16) -> u8 {
        match stones.checked_sub(self.first as u16) {
            Some(later) => self.each - (later % self.each as u16) as u8,
            None => self.first - stones as u8,
        }
    }
}

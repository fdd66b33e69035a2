//! Seats and how a game ends.

use core::ops::Index;
use core::ops::IndexMut;

/// A seat at the table, never a colour. Values everywhere are for [`Player::One`].
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Hash)]
pub enum Player {
    /// The seat that maximizes.
    One,
    /// The seat that minimizes.
    Two,
}

impl Player {
    /// Both seats, One first.
    pub const BOTH: [Self; 2] = [Self::One, Self::Two];

    /// The seat opposite.
    #[inline]
    #[must_use]
    pub const fn other(self) -> Self {
        match self {
            Self::One => Self::Two,
            Self::Two => Self::One,
        }
    }

    /// 0 for One, 1 for Two: the seat's place in an array of two.
    #[inline]
    #[must_use]
    pub const fn index(self) -> usize {
        self as usize
    }

    /// +1 for One, -1 for Two: turns a value for One into the seat's own view, and back.
    #[inline]
    #[must_use]
    pub const fn sign(self) -> f32 {
        match self {
            Self::One => 1.0,
            Self::Two => -1.0,
        }
    }
}

impl Player {
    /// Whether this player likes the value `x` (for One) better than `y`.
    #[inline(always)]
    #[must_use]
    pub fn prefers(self, x: f64, y: f64) -> bool {
        match self {
            Self::One => x > y,
            Self::Two => x < y,
        }
    }

    /// A value (for One) that this player likes less than any other: where a search for the best begins.
    #[inline(always)]
    #[must_use]
    pub const fn worst(self) -> f64 {
        match self {
            Self::One => f64::NEG_INFINITY,
            Self::Two => f64::INFINITY,
        }
    }
}

impl<T> Index<Player> for [T; 2] {
    type Output = T;
    #[inline]
    fn index(&self, player: Player) -> &T {
        &self[player as usize]
    }
}

impl<T> IndexMut<Player> for [T; 2] {
    #[inline]
    fn index_mut(&mut self, player: Player) -> &mut T {
        &mut self[player as usize]
    }
}

/// What happened at the end of a game, in the game's points. What that is *worth* is the evaluator's business.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub enum Outcome {
    /// Nobody won.
    Draw,
    /// `player` won `points` (backgammon: 2 for a gammon; what the cube says comes on top), at most `Game::MAX_POINTS`.
    Win {
        /// The winner.
        player: Player,
        /// How much was won; positive.
        points: u16,
    },
}

impl Outcome {
    /// A win of one point.
    #[inline]
    #[must_use]
    pub const fn win(player: Player) -> Self {
        Self::Win { player, points: 1 }
    }

    /// Points for [`Player::One`]: positive if One won, negative if Two did, 0 for a draw.
    #[inline]
    #[must_use]
    pub const fn points(self) -> i32 {
        match self {
            Self::Draw => 0,
            Self::Win { player: Player::One, points } => points as i32,
            Self::Win { player: Player::Two, points } => -(points as i32),
        }
    }

    /// Who won, if anybody.
    #[inline]
    #[must_use]
    pub const fn winner(self) -> Option<Player> {
        match self {
            Self::Draw => None,
            Self::Win { player, .. } => Some(player),
        }
    }

    /// The same end seen after the two seats have been exchanged.
    #[inline]
    #[must_use]
    pub const fn swapped(self) -> Self {
        match self {
            Self::Draw => Self::Draw,
            Self::Win { player, points } => Self::Win { player: player.other(), points },
        }
    }
}

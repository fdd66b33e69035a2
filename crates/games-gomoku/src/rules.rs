//! What wins, and what is forbidden.

use core::fmt;
use core::str::FromStr;

use gamecore::text::quoted;
use lines::{Goal, LARGEST};

/// The smallest board: a row of five fits.
pub const SMALLEST: u8 = 5;
/// The usual board.
pub const USUAL: u8 = 15;

/// A rule set. Player One moves first, which is called Black.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash, Default)]
pub enum Rule {
    /// Five in a row or more win.
    #[default]
    Freestyle,
    /// Exactly five in a row win.
    Standard,
    /// Player One needs exactly five, and may not make more, two fours at once, or two open threes at once
    /// ([`lines::renju`]); Two wins with five or more. If every empty point is forbidden to One, the game is drawn.
    Renju,
    /// Exactly five in a row win, unless an enemy stone stands at both ends; the edge of the board closes nothing.
    Caro,
}

impl Rule {
    /// All four.
    pub const ALL: [Self; 4] = [Self::Freestyle, Self::Standard, Self::Renju, Self::Caro];

    /// What each seat has to make.
    #[inline(always)]
    #[must_use]
    pub const fn goals(self) -> [Goal; 2] {
        match self {
            Self::Freestyle => [Goal::FIVE_OR_MORE; 2],
            Self::Standard => [Goal::EXACTLY_FIVE; 2],
            Self::Renju => [Goal::EXACTLY_FIVE, Goal::FIVE_OR_MORE],
            Self::Caro => [Goal::UNCLOSED_FIVE; 2],
        }
    }
}

impl fmt::Display for Rule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Freestyle => "freestyle",
            Self::Standard => "standard",
            Self::Renju => "renju",
            Self::Caro => "caro",
        })
    }
}

impl FromStr for Rule {
    type Err = UnknownRule;

    /// Reads the word that [`Display`](fmt::Display) writes, letters in either case.
    fn from_str(text: &str) -> Result<Self, UnknownRule> {
        let word = text.trim().to_ascii_lowercase();
        Self::ALL.into_iter().find(|rule| rule.to_string() == word).ok_or_else(|| UnknownRule { found: quoted(text) })
    }
}

/// No rule set has the name.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("\"{found}\" is not a rule set: there are freestyle, standard, renju and caro")]
pub struct UnknownRule {
    /// What was given.
    pub found: String,
}

/// Why there is no such position.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum SetupError {
    /// The board is too small or too large.
    #[error("a board has {SMALLEST} to {LARGEST} rows and columns, not {size}")]
    Size {
        /// What was asked for.
        size: usize,
    },
    /// A stone lies outside the board.
    #[error("column {x}, row {y} (from 0 at the top left) is not on a board of {size}")]
    Outside {
        /// The stone's column.
        x: u8,
        /// Its row.
        y: u8,
        /// Rows and columns.
        size: u8,
    },
    /// Two stones on one point.
    #[error("there are two stones on column {x}, row {y} (from 0 at the top left)")]
    Twice {
        /// The column.
        x: u8,
        /// The row.
        y: u8,
    },
    /// Both seats have a winning row.
    #[error("both sides have a winning row, so the game would have ended before")]
    BothWon,
}

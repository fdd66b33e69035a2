//! What is played: board, row, stones a turn.

use core::fmt;
use core::str::FromStr;

use gamecore::Player;
use gamecore::text::quoted;
use lines::{Goal, LARGEST, Row, Turns};

/// Rows are this long at least; a board has as many rows and columns.
pub const SHORTEST: u8 = 3;
/// Rows are this long at most.
pub const LONGEST: u8 = 6;
/// The usual board.
pub const USUAL: u8 = 19;

/// A game of the family Connect(m, n, k, p, q) (Wu and Huang, *A new family of k-in-a-row games*, 2005) on a square board: on
/// `size` columns and rows, `length` stones in a row or more win; a turn has `each` stones, but One's first has `first`.
///
/// Boards have [`SHORTEST`] to [`LARGEST`] rows and columns, rows [`SHORTEST`] to [`LONGEST`] stones and no more than the board,
/// turns at least one stone. Boards that are not square, and longer rows, are not there.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub struct Rules {
    size: u8,
    goal: Goal,
    turns: Turns,
}

impl Rules {
    /// Connect6: 19x19, six, two stones a turn, one in the first: Connect(19, 19, 6, 2, 1).
    pub const CONNECT6: Self = Self { size: USUAL, goal: Goal::SIX_OR_MORE, turns: Turns::CONNECT6 };

    /// Any game of the family: size and length of a row, then stones of each turn and of One's first.
    ///
    /// # Errors
    /// If a number is too small or too large.
    pub fn new(size: u8, length: u8, each: u8, first: u8) -> Result<Self, RulesError> {
        if !(SHORTEST..=LARGEST).contains(&size) {
            return Err(RulesError::Size { size: size.into() });
        }
        let goal = Goal::new(length, Row::AtLeast).ok().filter(|_| length <= size).ok_or(RulesError::Length { length, size })?;
        let turns = Turns::new(first, each).ok_or(RulesError::NoStones)?;
        Ok(Self { size, goal, turns })
    }

    /// Connect6 on another board.
    ///
    /// # Errors
    /// Unless `size` is 6 to 20.
    pub fn connect6(size: u8) -> Result<Self, RulesError> {
        Self::new(size, Goal::SIX_OR_MORE.length(), Turns::CONNECT6.each(), Turns::CONNECT6.first())
    }

    /// Columns, and rows: `m` and `n`.
    #[inline]
    #[must_use]
    pub const fn size(self) -> u8 {
        self.size
    }

    /// How many stones in a row win, or more: `k`.
    #[inline]
    #[must_use]
    pub const fn length(self) -> u8 {
        self.goal.length()
    }

    /// What wins.
    #[inline]
    #[must_use]
    pub const fn goal(self) -> Goal {
        self.goal
    }

    /// Stones a turn: `p` in every turn but One's first, which has `q`.
    #[inline]
    #[must_use]
    pub const fn turns(self) -> Turns {
        self.turns
    }

    /// Whether the evaluation was [learned](crate::learned) for this game: six in a row, two stones a turn, on any board.
    #[inline]
    #[must_use]
    pub const fn is_learned(self) -> bool {
        self.length() == Goal::SIX_OR_MORE.length() && self.turns.each() == Turns::CONNECT6.each()
    }

    /// All but the size, as texts of positions have it: `6,2,1`.
    pub(crate) fn numbers(self) -> String {
        format!("{},{},{}", self.length(), self.turns.each(), self.turns.first())
    }

    /// How many stones each seat has when so many have been put.
    #[must_use]
    pub fn counts(self, stones: u16) -> [u16; 2] {
        let ones = (0..stones).filter(|&n| self.turns.mover(n) == Player::One).count() as u16;
        [ones, stones - ones]
    }
}

impl Default for Rules {
    fn default() -> Self {
        Self::CONNECT6
    }
}

impl fmt::Display for Rules {
    /// Size, length, stones of each turn, stones of the first: `19,6,2,1`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{},{}", self.size, self.numbers())
    }
}

impl FromStr for Rules {
    type Err = RulesError;

    /// Reads what [`Display`](fmt::Display) writes; numbers may be missing from the end, and are then Connect6's: `15`.
    fn from_str(text: &str) -> Result<Self, RulesError> {
        let unreadable = || RulesError::Unreadable { found: quoted(text) };
        let mut numbers = [USUAL, Goal::SIX_OR_MORE.length(), Turns::CONNECT6.each(), Turns::CONNECT6.first()];
        for (i, word) in text.trim().split(',').enumerate() {
            let word = word.trim();
            let plain = !word.is_empty() && word.bytes().all(|b| b.is_ascii_digit());
            *numbers.get_mut(i).ok_or_else(unreadable)? = word.parse().ok().filter(|_| plain).ok_or_else(unreadable)?;
        }
        let [size, length, each, first] = numbers;
        Self::new(size, length, each, first)
    }
}

/// Why there is no such game.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum RulesError {
    /// The board is too small or too large.
    #[error("a board has {SHORTEST} to {LARGEST} rows and columns, not {size}")]
    Size {
        /// What was asked for.
        size: usize,
    },
    /// The row is too short or too long.
    #[error(
        "a row of {length} cannot be what wins on a board of {size}: it is {SHORTEST} to {LONGEST} stones, and fits the board"
    )]
    Length {
        /// Stones of the row.
        length: u8,
        /// Rows and columns.
        size: u8,
    },
    /// A turn without stones.
    #[error("a turn has at least one stone")]
    NoStones,
    /// The text is no list of numbers.
    #[error(
        "\"{found}\" are not the rules of a game: size, length of a row, stones of a turn and of the first turn, as 19,6,2,1"
    )]
    Unreadable {
        /// What was given.
        found: String,
    },
}

/// Why there is no such position.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum SetupError {
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
    /// No game leads to so many stones of each seat.
    #[error(
        "One has {} stones and Two {}: after {} stones of a game they have {} and {}; where other numbers are meant, say who moves and how many stones are left in the turn",
        counts[0], counts[1], counts[0] + counts[1], expected[0], expected[1]
    )]
    Counts {
        /// Stones of each seat.
        counts: [u16; 2],
        /// What they would be in a game.
        expected: [u16; 2],
    },
    /// More stones left than a turn has.
    #[error("a turn has 1 to {most} stones, so {left} cannot be left")]
    Left {
        /// What was given.
        left: u8,
        /// The most that are possible.
        most: u8,
    },
    /// Both seats have a winning row.
    #[error("both sides have a winning row, so the game would have ended before")]
    BothWon,
}

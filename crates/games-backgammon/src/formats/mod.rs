//! Positions and matches as other programs write them.
//!
//! | format | module | holds | leaves out |
//! | --- | --- | --- | --- |
//! | GNU Backgammon's Position ID | [`gnubg`] | checkers, seen by who is on roll | who that is, dice, match |
//! | Position ID and Match ID | [`gnubg`] | dice, match and cube too | - |
//! | XGID | [`xgid`] | checkers, dice, match and cube | beavers and the highest cube allowed are read over |
//! | board of FIBS | [`fibs`] | checkers, dice, match, cube, names | the Jacoby rule |
//! | match text of Jellyfish, `.mat` | [`mat`] | whole matches | - |
//! | game records of the Smart Game Format | [`sgf`] | whole matches | comments, analysis, variations, set-up positions |
//!
//! What the last two hold is a [`game::Match`].
//!
//! None of them knows of a throw that decides who starts: such a position is written as if Player One were to roll. All
//! count checkers that are missing from the board as borne off, of 15. In all of them
//! [`Player::One`](gamecore::Player::One) is the player at the bottom: GNU Backgammon's player 1, XGID's upper-case
//! letters, FIBS's "You".

pub mod fibs;
pub mod game;
pub mod gnubg;
pub mod mat;
pub mod sgf;
pub mod xgid;

use gamecore::text::quoted;

use crate::setup::{CHECKERS, SetupError};
use crate::side::{OFF, PLACES};
use crate::stakes::StakesError;

/// Why a text is no position.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum FormatError {
    /// It has another shape.
    #[error("\"{found}\" is not {expected}")]
    Shape {
        /// The text or the part of it, shortened and made printable.
        found: String,
        /// What is expected there.
        expected: &'static str,
    },
    /// A double or a resignation waits for an answer, or the game has not begun.
    #[error("{0}: only positions that wait for a roll or a play, or are over, can be read")]
    Waiting(&'static str),
    /// The checkers make no position.
    #[error(transparent)]
    Setup(#[from] SetupError),
    /// Match, score and cube do not go together.
    #[error(transparent)]
    Stakes(#[from] StakesError),
}

impl FormatError {
    fn shape(found: &str, expected: &'static str) -> Self {
        Self::Shape { found: quoted(found), expected }
    }
}

/// Puts all checkers off that are not on the points or the bar, of 15. More than that are left for the set-up to refuse.
fn fill_off(board: &mut [u8; PLACES]) {
    let in_play: u8 = board.iter().fold(0, |sum, &n| sum.saturating_add(n));
    board[OFF as usize] = CHECKERS.saturating_sub(in_play);
}

/// A number between two others, in plain digits, with a minus sign if it may be negative.
fn number(text: &str, range: core::ops::RangeInclusive<i32>, expected: &'static str) -> Result<i32, FormatError> {
    let digits = text.strip_prefix('-').unwrap_or(text);
    let plain = (1..=9).contains(&digits.len()) && digits.bytes().all(|b| b.is_ascii_digit());
    text.parse().ok().filter(|n| plain && range.contains(n)).ok_or_else(|| FormatError::shape(text, expected))
}

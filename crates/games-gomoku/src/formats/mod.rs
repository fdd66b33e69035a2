//! Games as other programs keep them.
//!
//! | format | module | holds | leaves out |
//! | --- | --- | --- | --- |
//! | records of Piskvork, `.psq` | [`psq`] | games from an empty board, the players' names | rules (whoever reads must say), times, how a game was lost but on the board |
//! | game records of the Smart Game Format, `.sgf` | [`sgf`] | games from any position, rules, names, results | comments, times, variations, stones set up later |
//!
//! Both are read into a [`Record`] and written from one, with the players' names in its tags `one` and `two`. Player One has
//! black. Every move that is read has been checked against the rules. If a text does not say by which rules it was played, those that were
//! assumed are in the tag `assumed`.

pub mod psq;
pub mod sgf;

use gamecore::sgf::SgfFault;
use gamecore::{Player, Record, Step, Text, TextError, TextKind};
use lines::{LARGEST, Point};

use crate::rules::{SMALLEST, SetupError};
use crate::state::Gomoku;

/// The tags that hold the players' names.
const NAMES: [&str; 2] = ["one", "two"];

/// The tag that says which rules were taken for granted because the text names none.
const ASSUMED: &str = "assumed";

/// Why a text is no game, or a game cannot be written.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{}{fault}", self.place())]
pub struct FormatError {
    /// The line read, from 1; 0 if nothing was read.
    pub line: usize,
    /// What is wrong.
    pub fault: Fault,
}

impl FormatError {
    fn place(&self) -> String {
        if self.line == 0 { String::new() } else { format!("line {}: ", self.line) }
    }
}

/// What is wrong with a line.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Fault {
    /// The first line is another.
    #[error("a record of Piskvork begins with a line such as \"Piskvorky 15x15, 11:11, 0\", not \"{found}\"")]
    NoPsq {
        /// The line found.
        found: String,
    },
    /// No square board of a size that is played on.
    #[error("\"{found}\": boards are {SMALLEST}x{SMALLEST} to {LARGEST}x{LARGEST} here, as many rows as columns")]
    Size {
        /// The size found.
        found: String,
    },
    /// A line among the moves that is none.
    #[error("\"{found}\" is no move: column and row, from 1 at the top left, and milliseconds, as in 8,8,120")]
    Move {
        /// The line found.
        found: String,
    },
    /// Moves where there can be none any more.
    #[error("\"{found}\": moves go on after the players' names")]
    Late {
        /// The line found.
        found: String,
    },
    /// The text ends before the game does.
    #[error("the text ends among the moves: it has been cut off")]
    Cut,
    /// A text that has not the shape of game records.
    #[error(transparent)]
    Syntax(#[from] SgfFault),
    /// No game record of gomoku.
    #[error("a game record begins with \"(;\" and names its game as gomoku, GM[4]")]
    NoRecord,
    /// A property that says something else than it may, or may not stand where it does.
    #[error("the property {name}[{found}] is not understood here: {expected}")]
    Property {
        /// Its name.
        name: String,
        /// Its value.
        found: String,
        /// What is accepted.
        expected: &'static str,
    },
    /// A move by the player whose turn it is not.
    #[error("a move out of turn: players take turns, and nobody may pass")]
    Turn,
    /// A move that the rules forbid.
    #[error(transparent)]
    Text(#[from] TextError),
    /// A result that the board contradicts.
    #[error("the result names another winner than the board")]
    Winner,
    /// Stones that make no position.
    #[error(transparent)]
    Setup(#[from] SetupError),
    /// A game that the format cannot hold.
    #[error("records of Piskvork are of games that One begins on an empty board")]
    NotFromStart,
}

impl Fault {
    const fn at(self, line: usize) -> FormatError {
        FormatError { line, fault: self }
    }
}

/// Adds a move; the error says which rule is in the way.
fn push(record: &mut Record<Gomoku>, point: Option<Point>, found: &str) -> Result<(), Fault> {
    let state = record.history().state();
    let Some(point) = point.filter(|&p| state.board().holds(p)) else {
        let size = state.board().size();
        let reason = format!("the board has {size} columns and rows");
        return Err(TextError::unreadable(TextKind::Move, found, reason).into());
    };
    let m = state.parse_move(&state.point_name(point))?;
    record.push(Step::Move(m), None);
    Ok(())
}

/// The moves and who made them.
fn moves(record: &Record<Gomoku>) -> impl Iterator<Item = (Player, Point)> {
    let history = record.history();
    history.states().iter().zip(history.steps()).map(|(state, step)| match *step {
        Step::Move(m) => (state.mover(), m),
        Step::Chance(event) => match event {},
    })
}

/// The player's name, if one is noted.
fn name(record: &Record<Gomoku>, player: Player) -> Option<&str> {
    let tag = record.tags().iter().find(|(name, _)| name == NAMES[player]);
    tag.map(|(_, value)| &**value).filter(|name| !name.is_empty())
}

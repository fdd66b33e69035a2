//! Games as other programs keep them.
//!
//! | format | module | holds | leaves out |
//! | --- | --- | --- | --- |
//! | turns in one line, `JJ;KJJK;...` | [`compact`] | games from an empty board | rules (whoever reads must say), names, results |
//! | records of the Chinese collegiate tournaments, `.txt` | [`collegiate`] | games of Connect6 from an empty board, names, results, where and when | other boards and rules, times, comments |
//! | game records of the Smart Game Format, `.sgf` | [`sgf`] | games from any position, rules, names, results | comments, times, variations, stones set up later |
//!
//! All are read into a [`Record`] and written from one, with the players' names in its tags `one` and `two`. Player One has
//! black. Every stone that is read has been checked against the rules. A stone after the one that won, in the same turn, is read over:
//! other programs let a turn have all its stones. If a text does not name all rules, those that were assumed are in the tag `assumed`.

pub mod collegiate;
pub mod compact;
pub mod sgf;

use gamecore::sgf::SgfFault;
use gamecore::{Player, Record, Step, Text, TextError};
use lines::{LARGEST, Point};

use crate::rules::{RulesError, SHORTEST, SetupError};
use crate::state::Connect6;

/// The tags that hold the players' names.
const NAMES: [&str; 2] = ["one", "two"];
/// The tag that holds a result which the board does not show, as the Smart Game Format has it: `B+R`, a resignation; `Void`.
const RESULT: &str = "result";
/// The tag that says which rules were taken for granted because the text does not name all of them.
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
    /// No record of the collegiate tournaments.
    #[error("a record begins with \"{{[C6][\", not \"{found}\"")]
    NoCollegiate {
        /// What it begins with.
        found: String,
    },
    /// A word between brackets that is missing or not closed.
    #[error("after \"{{[C6]\" come five words in brackets: both players, the result, time and place, the event")]
    Heading,
    /// A result in other words.
    #[error(
        "\"{found}\" is no result: 先手胜 (the first player won), 后手胜 (the second), 平局 (drawn), 流局 (void), or nothing"
    )]
    Result {
        /// The word found.
        found: String,
    },
    /// A stone in another shape.
    #[error("\"{found}\" is no stone: colour, column and row from the bottom, as in B(J,10)")]
    Stone {
        /// The text found.
        found: String,
    },
    /// The text ends before the game does.
    #[error("the text ends within the record: it has been cut off")]
    Cut,
    /// Text after the end.
    #[error("\"{found}\" comes after the end of the record")]
    Late {
        /// The text found.
        found: String,
    },
    /// A text that has not the shape of game records.
    #[error(transparent)]
    Syntax(#[from] SgfFault),
    /// No game record of Connect6.
    #[error("a game record begins with \"(;\"; if it names its game, that is Connect6, GM[511]")]
    NoRecord,
    /// No square board of a size that is played on.
    #[error("\"{found}\": boards are {SHORTEST}x{SHORTEST} to {LARGEST}x{LARGEST} here, as many rows as columns")]
    Size {
        /// The size found.
        found: String,
    },
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
    /// A stone of the player whose turn it is not.
    #[error("a stone out of turn: {} is to put {left} more", if *.mover == Player::One { "Black" } else { "White" })]
    Turn {
        /// Who is to move.
        mover: Player,
        /// Stones left in the turn.
        left: u8,
    },
    /// A stone that the rules forbid.
    #[error(transparent)]
    Text(#[from] TextError),
    /// A result that the board contradicts.
    #[error("the result names another winner than the board")]
    Winner,
    /// Numbers that are no game's.
    #[error(transparent)]
    Rules(#[from] RulesError),
    /// Stones that make no position.
    #[error(transparent)]
    Setup(#[from] SetupError),
    /// A game that the format cannot hold.
    #[error("{format} are of games {games}, which this is not")]
    Unfit {
        /// Texts of the format.
        format: &'static str,
        /// What games they can hold.
        games: &'static str,
    },
}

impl Fault {
    const fn at(self, line: usize) -> FormatError {
        FormatError { line, fault: self }
    }
}

/// Adds a stone of `player`'s; the error says which rule is in the way. Stones left in the turn that has won are read over, and
/// counted in `over`.
fn push(record: &mut Record<Connect6>, over: &mut u8, player: Player, word: &str) -> Result<(), Fault> {
    let state = record.history().state();
    let point = state.parse_point(word)?;
    let won_now = state.outcome().and_then(gamecore::Outcome::winner) == Some(player) && state.mover() == player;
    if won_now && *over < state.left() && state.board().is_empty(point) {
        *over += 1;
        return Ok(());
    }
    let m = state.parse_move(word)?;
    if state.mover() != player {
        return Err(Fault::Turn { mover: state.mover(), left: state.left() });
    }
    record.push(Step::Move(m), None);
    Ok(())
}

/// The stones and whose they are.
fn stones(record: &Record<Connect6>) -> impl Iterator<Item = (Player, Point)> {
    let history = record.history();
    history.states().iter().zip(history.steps()).map(|(state, step)| match *step {
        Step::Move(m) => (state.mover(), m),
        Step::Chance(event) => match event {},
    })
}

/// A tag's text, if one is noted.
fn tag<'a>(record: &'a Record<Connect6>, name: &str) -> Option<&'a str> {
    let tag = record.tags().iter().find(|tag| tag.0 == name);
    tag.map(|(_, value)| &**value).filter(|value| !value.is_empty())
}

/// Whether a game began on an empty board, One to move by the rules.
fn began_empty(record: &Record<Connect6>) -> bool {
    let start = record.history().start();
    *start == Connect6::start(start.rules())
}

//! Games on paper: one text format for every game.
//!
//! ```text
//! boardwright record 1
//! game: einstein
//! position: 123../45.../6...f/...ed/..cba one - standard
//! seed: 7
//!
//! 3 B5-C4 +0.0312
//! 6 D2-C3
//! ```
//! First the format's name and version, then tags (`game` and `position` are required, others are free), an empty
//! line, and one line a move: the chance events before it (none in games without chance), the move, and the mover's
//! idea of the value, in points for [`Player::One`](crate::Player::One), if there is one. A last line may hold events without a move. Lines
//! that start with `#` are comments.
//!
//! Some tags mean the same wherever they stand: [`NAMES`], [`RESULT`], [`ASSUMED`].

use crate::text::{is_invisible, quoted};
use crate::{Game, History, Step, Text, TextError, Turn};

/// The first line of every record.
const HEADER: &str = "boardwright record 1";
/// Characters of a tag's name.
const LONGEST_NAME: usize = 40;
/// Tags that a text may have.
const MOST_TAGS: usize = 200;

/// The tags that hold the players' names, Player One's first.
pub const NAMES: [&str; 2] = ["one", "two"];

/// The tag that holds a result, as when a game was not played out. Readers of other formats keep what stands there: `B+R` in the Smart
/// Game Format is a win of Player One's by resignation.
pub const RESULT: &str = "result";

/// The tag that says what was taken for granted where the text that a game was read from says nothing, such as the rules. Who goes on
/// with the game or is shown it should be told.
pub const ASSUMED: &str = "assumed";

/// A game with what was said about it.
#[derive(Clone, Debug)]
pub struct Record<G: Game> {
    history: History<G>,
    /// As long as the steps; only moves have values.
    values: Vec<Option<f64>>,
    tags: Vec<(String, String)>,
}

impl<G: Game> From<G> for Record<G> {
    /// The record of a game about to start from this state.
    fn from(start: G) -> Self {
        Self { history: start.into(), values: Vec::new(), tags: Vec::new() }
    }
}

impl<G: Game> Record<G> {
    /// The course of the game.
    #[must_use]
    pub fn history(&self) -> &History<G> {
        &self.history
    }

    /// The value noted with each step, in points for [`Player::One`](crate::Player::One); as long as the steps.
    #[must_use]
    pub fn values(&self) -> &[Option<f64>] {
        &self.values
    }

    /// Tags other than `game` and `position`, in order.
    #[must_use]
    pub fn tags(&self) -> &[(String, String)] {
        &self.tags
    }

    /// The value of the tag of this name, if there is one.
    ///
    /// # Examples
    /// ```
    /// use gamecore::{Record, record, testing::toys::TicTacToe};
    ///
    /// let mut game = Record::from(TicTacToe::default());
    /// game.set_tag(record::NAMES[0], "Ann");
    /// assert_eq!((game.tag("one"), game.tag("two")), (Some("Ann"), None));
    /// ```
    #[must_use]
    pub fn tag(&self, name: &str) -> Option<&str> {
        self.tags.iter().find(|tag| tag.0 == name).map(|tag| &*tag.1)
    }

    /// Notes a tag, replacing one of the same name; of a name, the first 40 characters count. Control characters in the value, and colons and white space in
    /// the name, are replaced by spaces and underscores: a tag is one line. The names `game` and `position` are the
    /// record's own and ignored here.
    pub fn set_tag(&mut self, name: &str, value: &str) {
        let name: String =
            name.chars().map(|c| if c == ':' || c == '#' || c.is_whitespace() || is_invisible(c) { '_' } else { c }).collect();
        let value: String = value.chars().map(|c| if is_invisible(c) { ' ' } else { c }).collect();
        let (name, value): (String, &str) = (name.chars().take(LONGEST_NAME).collect(), value.trim());
        if name.is_empty() || matches!(name.as_str(), "game" | "position") {
            return;
        }
        match self.tags.iter_mut().find(|t| t.0 == name) {
            Some(tag) => tag.1 = value.into(),
            None => self.tags.push((name, value.into())),
        }
    }

    /// Adds a legal step and the value that its player gave the position, if any and if finite. A chance event has no
    /// value. Text keeps four decimals.
    pub fn push(&mut self, step: crate::StepOf<G>, value: Option<f64>) {
        self.history.push(step);
        self.values.push(value.filter(|v| v.is_finite()));
    }

    /// Notes the value that the player of the last step, a move, gave the position before it; a roll has none. Values that are not
    /// finite are none.
    pub fn set_value(&mut self, value: Option<f64>) {
        if let (Some(Step::Move(_)), Some(last)) = (self.history.steps().last(), self.values.last_mut()) {
            *last = value.filter(|v| v.is_finite());
        }
    }

    /// Takes the last step back.
    pub fn undo(&mut self) -> Option<crate::StepOf<G>> {
        self.values.pop();
        self.history.undo()
    }
}

impl<G: Text> Record<G> {
    /// Adds the step that a word names, without a value; as [`History::push_text`].
    ///
    /// # Errors
    /// If it is none that can happen in the present position; nothing changes then.
    pub fn push_text(&mut self, word: &str) -> Result<(), TextError> {
        self.history.push_text(word)?;
        self.values.push(None);
        Ok(())
    }

    /// The record as text, in the format of [this module](self).
    #[must_use]
    pub fn to_text(&self) -> String {
        let mut out = format!("{HEADER}\ngame: {}\nposition: {}\n", G::NAME, self.history.start().position_text());
        for (name, value) in &self.tags {
            out += &format!("{name}: {value}\n");
        }
        out.push('\n');
        let mut line = String::new();
        for ((step, state), value) in self.history.steps().iter().zip(self.history.states()).zip(&self.values) {
            match *step {
                Step::Chance(event) => line = line + &state.event_text(event) + " ",
                Step::Move(m) => {
                    out = out + &line + &state.move_text(m);
                    if let Some(value) = value {
                        out += &format!(" {value:+.4}");
                    }
                    out.push('\n');
                    line.clear();
                }
            }
        }
        if !line.is_empty() {
            out = out + line.trim_end() + "\n";
        }
        out
    }

    /// Reads a record; every step is checked against the rules.
    ///
    /// # Errors
    /// The number of the first bad line, and what is wrong with it.
    pub fn parse(text: &str) -> Result<Self, RecordError> {
        let mut lines = text.lines().enumerate().map(|(i, l)| (i + 1, l.trim())).filter(|(_, l)| !l.starts_with('#'));
        let first = lines.next();
        if first.map(|f| f.1.trim_start_matches('\u{feff}')) != Some(HEADER) {
            return Err(RecordError::NoHeader { found: quoted(first.map_or("", |f| f.1)) });
        }
        let mut tags: Vec<(String, String)> = Vec::new();
        let (mut game, mut start) = (None, None);
        for (line, tag) in lines.by_ref() {
            if tag.is_empty() {
                break;
            }
            let Some((name, value)) = tag.split_once(':') else {
                return Err(RecordError::NoTag { line, found: quoted(tag) });
            };
            let (name, value) = (name.trim(), value.trim());
            match name {
                "game" if game.is_some() => return Err(RecordError::TwiceTag { line, tag: "game" }),
                "position" if start.is_some() => return Err(RecordError::TwiceTag { line, tag: "position" }),
                "game" if value == G::NAME => game = Some(()),
                "game" => return Err(RecordError::OtherGame { line, found: quoted(value), expected: G::NAME }),
                "position" => start = Some(G::parse_position(value).map_err(|source| RecordError::Text { line, source })?),
                _ if tags.len() == MOST_TAGS => return Err(RecordError::TooManyTags { line }),
                _ => tags.push((name.into(), value.into())),
            }
        }
        let missing = |tag| RecordError::MissingTag { tag };
        game.ok_or(missing("game"))?;
        let mut record = Self::from(start.ok_or(missing("position"))?);
        for (name, value) in tags {
            record.set_tag(&name, &value);
        }
        for (line, words) in lines {
            record.push_line(words).map_err(|e| e.at(line))?;
        }
        Ok(record)
    }

    /// Reads one line: chance events, a move, a value.
    fn push_line(&mut self, line: &str) -> Result<(), LineError> {
        let mut moved = false;
        for word in line.split_whitespace() {
            let state = self.history.state();
            match state.turn() {
                // After the line's move only its value may come.
                _ if moved => match (word.parse::<f64>(), self.values.last_mut()) {
                    (Ok(value), Some(last @ None)) if value.is_finite() => *last = Some(value),
                    _ => return Err(LineError::NoValue(quoted(word))),
                },
                Turn::Over(_) => return Err(LineError::AfterEnd(quoted(word))),
                turn @ (Turn::Chance(_) | Turn::Decide(_)) => {
                    self.push_text(word).map_err(LineError::Text)?;
                    moved = matches!(turn, Turn::Decide(_));
                }
            }
        }
        Ok(())
    }
}

/// What is wrong with a line of moves, before its number is known.
enum LineError {
    NoValue(String),
    AfterEnd(String),
    Text(TextError),
}

impl LineError {
    fn at(self, line: usize) -> RecordError {
        match self {
            Self::NoValue(found) => RecordError::NoValue { line, found },
            Self::AfterEnd(found) => RecordError::AfterEnd { line, found },
            Self::Text(source) => RecordError::Text { line, source },
        }
    }
}

/// Why a text is no record of a game. Lines count from 1.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum RecordError {
    /// It does not start as records do.
    #[error("not a record: the first line must be \"{HEADER}\", not \"{found}\"")]
    NoHeader {
        /// The line found there.
        found: String,
    },
    /// A line among the tags is none.
    #[error("line {line}: expected a tag (\"name: value\") or the empty line before the moves, found \"{found}\"")]
    NoTag {
        /// The line's number.
        line: usize,
        /// The line.
        found: String,
    },
    /// The record is of another game.
    #[error("line {line}: a record of {found}, not of {expected}")]
    OtherGame {
        /// The line's number.
        line: usize,
        /// The game it names.
        found: String,
        /// The game that was to be read.
        expected: &'static str,
    },
    /// A required tag is missing.
    #[error("the tag \"{tag}:\" is missing")]
    MissingTag {
        /// Its name.
        tag: &'static str,
    },
    /// There are more tags than anybody needs.
    #[error("line {line}: more than {MOST_TAGS} tags")]
    TooManyTags {
        /// The first line too many.
        line: usize,
    },
    /// A tag that only one line can have stands twice.
    #[error("line {line}: there is a tag \"{tag}:\" already")]
    TwiceTag {
        /// The second one's line.
        line: usize,
        /// Its name.
        tag: &'static str,
    },
    /// A position, roll or move cannot be read or is not legal.
    #[error("line {line}: {source}")]
    Text {
        /// The line's number.
        line: usize,
        /// What is wrong.
        source: TextError,
    },
    /// Something other than a value follows a move.
    #[error("line {line}: after a move only its value may come, a number, not \"{found}\"")]
    NoValue {
        /// The line's number.
        line: usize,
        /// The word found there.
        found: String,
    },
    /// The game was over already.
    #[error("line {line}: the game is over before \"{found}\"")]
    AfterEnd {
        /// The line's number.
        line: usize,
        /// The word found there.
        found: String,
    },
}

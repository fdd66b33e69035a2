//! Positions, moves and rolls as people write them.

use crate::{Event, Game};

/// A game whose positions, moves and chance events can be written down and read back.
///
/// A position's text holds everything that the state does: rules, set-up, phase. The text of a game's first position
/// is therefore its set-up. Moves and events are single words (no white space), so that a line can hold several.
pub trait Text: Game {
    /// The game's name in records and on command lines, one lower-case word.
    const NAME: &'static str;

    /// The position; [`parse_position`](Text::parse_position) reads it back to an equal state.
    fn position_text(&self) -> String;

    /// Reads a position.
    ///
    /// # Errors
    /// If the text is no position, or one that the rules exclude. The reason says what is accepted.
    fn parse_position(text: &str) -> Result<Self, TextError>;

    /// One of this state's moves, as one word.
    fn move_text(&self, m: Self::Move) -> String;

    /// Reads a move of this state.
    ///
    /// # Errors
    /// If the text is no move, or none that is legal here (no decision is awaited, say). The reason says which rule is in
    /// the way.
    fn parse_move(&self, text: &str) -> Result<Self::Move, TextError>;

    /// One of this state's chance events, as one word.
    fn event_text(&self, event: Event<Self>) -> String;

    /// Reads a chance event of this state.
    ///
    /// # Errors
    /// If the text is no event, or none that can happen here (nothing is to be rolled, say).
    fn parse_event(&self, text: &str) -> Result<Event<Self>, TextError>;
}

/// What a piece of text was meant to be.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum TextKind {
    /// A position.
    Position,
    /// A move.
    Move,
    /// A roll or another chance event.
    Event,
}

impl core::fmt::Display for TextKind {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.write_str(match self {
            Self::Position => "position",
            Self::Move => "move",
            Self::Event => "roll",
        })
    }
}

/// Why a text was refused.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum TextError {
    /// It cannot be read.
    #[error("\"{text}\" is not a {kind}: {reason}")]
    Unreadable {
        /// What was expected.
        kind: TextKind,
        /// The text, shortened and made printable by [`quoted`].
        text: String,
        /// What is wrong with it, and what is accepted.
        reason: String,
    },
    /// It can be read, but the rules forbid it here.
    #[error("{kind} \"{text}\" is not allowed here: {reason}")]
    Forbidden {
        /// What was expected.
        kind: TextKind,
        /// The text, shortened and made printable by [`quoted`].
        text: String,
        /// The rule in the way.
        reason: String,
    },
}

impl TextError {
    /// [`TextError::Unreadable`], with `text` made safe to print.
    #[must_use]
    pub fn unreadable(kind: TextKind, text: &str, reason: impl Into<String>) -> Self {
        Self::Unreadable { kind, text: quoted(text), reason: reason.into() }
    }

    /// [`TextError::Forbidden`], with `text` made safe to print.
    #[must_use]
    pub fn forbidden(kind: TextKind, text: &str, reason: impl Into<String>) -> Self {
        Self::Forbidden { kind, text: quoted(text), reason: reason.into() }
    }
}

/// Whether a terminal obeys this character instead of showing it: controls, and those that have no width or turn the
/// text around.
#[must_use]
pub fn is_invisible(c: char) -> bool {
    let obeyed = ['\u{ad}', '\u{61c}', '\u{feff}'];
    c.is_control()
        || obeyed.contains(&c)
        || matches!(c, '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}')
}

/// `text` in a form fit for a message: invisible characters escaped, at most 60 characters of it.
#[must_use]
pub fn quoted(text: &str) -> String {
    const MOST: usize = 60;
    let mut out = String::new();
    for (i, c) in text.chars().enumerate() {
        if i == MOST {
            out.push_str("...");
            break;
        }
        if is_invisible(c) { out.extend(c.escape_unicode()) } else { out.push(c) }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn messages_name_text_and_reason() {
        let e = TextError::unreadable(TextKind::Move, "x\u{1b}[2J", "a move looks like A1-B2");
        assert_eq!(e.to_string(), "\"x\\u{1b}[2J\" is not a move: a move looks like A1-B2");
        let long = "z".repeat(100_000);
        assert!(TextError::forbidden(TextKind::Position, &long, "no").to_string().len() < 120);
    }
}

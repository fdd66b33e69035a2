//! What is agreed on before a game's first move.

use std::io;

use gamecore::text::quoted;
use gamecore::{Game, History};

use crate::input::LONGEST_LINE;
use crate::{Ending, Input, Interrupt, Line, Screen};

/// A game that is about to begin, for whoever opens it ([`Session::with_opening`](crate::Session::with_opening)).
pub struct Opening<'a, 'b> {
    /// Of everything random.
    pub seed: u64,
    /// By seat: whether a person has it.
    pub people: [bool; 2],
    /// What stops searches.
    pub interrupt: &'a Interrupt,
    /// Where people's lines come from.
    pub input: &'a mut dyn Input,
    /// What they see.
    pub screen: &'a mut Screen<'b>,
}

impl core::fmt::Debug for Opening<'_, '_> {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_struct("Opening").field("seed", &self.seed).field("people", &self.people).finish_non_exhaustive()
    }
}

/// What an opening came to.
#[derive(Clone, Debug)]
pub enum Opened<G: Game> {
    /// The game begins, or goes on.
    Begun {
        /// The moves agreed on; `undo` does not take them back.
        history: History<G>,
        /// Whether everybody has the other seat now.
        exchanged: bool,
    },
    /// It does not.
    Ended(Ending),
}

/// What somebody said.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Answer {
    /// A line.
    Text(String),
    /// A line that was not read, and why, as a sentence.
    Unread(String),
    /// Nothing more will be said.
    Ended(Ending),
}

impl Opening<'_, '_> {
    /// Asks for a line, as a [`Session`](crate::Session) does: what was shown so far is seen, and what comes from a pipe is echoed.
    ///
    /// # Errors
    /// If the screen cannot be written to.
    pub fn ask(&mut self, prompt: &str) -> io::Result<Answer> {
        heard(prompt, self.input, self.screen)
    }
}

/// The next line.
pub(crate) fn heard(prompt: &str, input: &mut dyn Input, screen: &mut Screen<'_>) -> io::Result<Answer> {
    screen.flush()?;
    Ok(match input.line(prompt) {
        Line::Interrupted => Answer::Ended(Ending::Interrupted),
        Line::End => Answer::Ended(Ending::EndOfInput),
        Line::NotText => Answer::Unread("That line is not UTF-8 text, so it was not read.".into()),
        Line::TooLong { bytes } => {
            Answer::Unread(format!("That line has {bytes} bytes; lines of up to {LONGEST_LINE} are read."))
        }
        Line::Text(text) => {
            if !input.is_live() {
                screen.say(&format!("{prompt}{}", quoted(text.trim())))?;
            }
            Answer::Text(text)
        }
    })
}

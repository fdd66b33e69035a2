//! A position as people look at it, without knowing what shows it.

use crate::{StepOf, Text};

/// What a piece of a picture stands for. Whoever shows the picture chooses colours, or none.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Ink {
    /// Frame, coordinates, empty squares.
    #[default]
    Board,
    /// Something of [`Player::One`](crate::Player::One)'s.
    One,
    /// Something of [`Player::Two`](crate::Player::Two)'s.
    Two,
    /// A square that the last step emptied.
    Left,
}

/// A run of text in one ink; `strong` marks what the last step put there.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Span {
    /// Printable characters of width one.
    pub text: String,
    /// What it stands for.
    pub ink: Ink,
    /// Whether it is to stand out.
    pub strong: bool,
}

/// A drawing, line by line from the top. It makes sense without colour: seats differ in their characters.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Picture {
    /// The lines; at most 60 characters each.
    pub lines: Vec<Vec<Span>>,
}

impl Picture {
    /// Starts a new line.
    pub fn line(&mut self) {
        self.lines.push(Vec::new());
    }

    /// Adds text to the last line, or to a first one.
    pub fn put(&mut self, text: impl Into<String>, ink: Ink, strong: bool) {
        if self.lines.is_empty() {
            self.line();
        }
        let last = self.lines.len() - 1;
        self.lines[last].push(Span { text: text.into(), ink, strong });
    }
}

impl core::fmt::Display for Picture {
    /// Without colour, each line ended.
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        for line in &self.lines {
            let text: String = line.iter().map(|s| s.text.as_str()).collect();
            writeln!(f, "{}", text.trim_end())?;
        }
        Ok(())
    }
}

/// A game that can be drawn with characters.
pub trait Draw: Text {
    /// The position, with the step that led to it marked if there is one.
    fn picture(&self, last: Option<StepOf<Self>>) -> Picture;

    /// The position, with all moves of the last turn marked, for games in which a turn has several; `steps` are those, in order.
    /// None, or more than one turn's, are no error.
    fn picture_after(&self, steps: &[StepOf<Self>]) -> Picture {
        self.picture(steps.last().copied())
    }

    /// The rules that this state is played by, for somebody who does not know the game: where each seat goes, what a roll
    /// allows, what captures and what blocks, how the game ends. A few sentences, each on a line of its own.
    fn rules_text(&self) -> String;
}

//! The course of a game so far.

use crate::text::{TextError, TextKind};
use crate::{Event, Game, PlayError, ResolveError, Text, Turn};

/// One thing that happened in a game.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub enum Step<M, E> {
    /// A roll, a card.
    Chance(E),
    /// A decision.
    Move(M),
}

/// A step of `G`.
pub type StepOf<G> = Step<<G as Game>::Move, Event<G>>;

/// A game from its first position to the present one, with every state between.
///
/// Agents are given a history rather than a state: a tree search reuses its tree along the steps since it was last
/// asked, and an engine in another process is told the moves that it has not seen.
#[derive(Clone, Debug)]
pub struct History<G: Game> {
    /// `states[i]` is the state before `steps[i]`; the last one is the present.
    states: Vec<G>,
    steps: Vec<StepOf<G>>,
}

impl<G: Game> From<G> for History<G> {
    /// A game about to start from this state.
    fn from(start: G) -> Self {
        Self { states: vec![start], steps: Vec::new() }
    }
}

impl<G: Game> History<G> {
    /// The first position: the set-up.
    #[must_use]
    pub fn start(&self) -> &G {
        &self.states[0]
    }

    /// The present position.
    #[must_use]
    pub fn state(&self) -> &G {
        &self.states[self.steps.len()]
    }

    /// What has happened, in order.
    #[must_use]
    pub fn steps(&self) -> &[StepOf<G>] {
        &self.steps
    }

    /// Every state from the first to the present, one more than there are steps.
    #[must_use]
    pub fn states(&self) -> &[G] {
        &self.states
    }

    /// Adds a legal step; as [`Game::play`] and [`Game::resolve`], unchecked.
    pub fn push(&mut self, step: StepOf<G>) {
        let next = match step {
            Step::Move(m) => self.state().after(m),
            Step::Chance(event) => self.state().resolved(event),
        };
        self.states.push(next);
        self.steps.push(step);
    }

    /// Adds a move.
    ///
    /// # Errors
    /// If it is not legal in the present position; nothing changes then.
    pub fn try_play(&mut self, m: G::Move) -> Result<(), PlayError<G::Move>> {
        let mut next = self.state().clone();
        next.try_play(m)?;
        self.states.push(next);
        self.steps.push(Step::Move(m));
        Ok(())
    }

    /// Adds a chance event.
    ///
    /// # Errors
    /// If it cannot happen in the present position; nothing changes then.
    pub fn try_resolve(&mut self, event: Event<G>) -> Result<(), ResolveError<Event<G>>> {
        let mut next = self.state().clone();
        next.try_resolve(event)?;
        self.states.push(next);
        self.steps.push(Step::Chance(event));
        Ok(())
    }

    /// Takes the last step back and returns it; `None` at the first position.
    pub fn undo(&mut self) -> Option<StepOf<G>> {
        let step = self.steps.pop()?;
        self.states.pop();
        Some(step)
    }
}

impl<G: Text> History<G> {
    /// The steps as words with a space between, in the game's notation.
    #[must_use]
    pub fn steps_text(&self) -> String {
        let mut out = String::new();
        for (step, state) in self.steps.iter().zip(&self.states) {
            if !out.is_empty() {
                out.push(' ');
            }
            out += &match *step {
                Step::Chance(event) => state.event_text(event),
                Step::Move(m) => state.move_text(m),
            };
        }
        out
    }

    /// Adds the step that a word names: a chance event where one is awaited, otherwise a move.
    ///
    /// # Errors
    /// If it is none that can happen in the present position, or the game is over; nothing changes then.
    ///
    /// # Examples
    /// ```
    /// # use gamecore::{History, testing::toys::Pig};
    /// let mut history = History::from(Pig::new(20));
    /// let words = "roll 4 hold";
    /// words.split(' ').try_for_each(|word| history.push_text(word))?;
    /// assert_eq!(history.steps_text(), words);
    /// assert!(history.push_text("fly").is_err());
    /// # Ok::<(), gamecore::TextError>(())
    /// ```
    pub fn push_text(&mut self, word: &str) -> Result<(), TextError> {
        let state = self.state();
        let step = match state.turn() {
            Turn::Chance(_) => Step::Chance(state.parse_event(word)?),
            Turn::Decide(_) => Step::Move(state.parse_move(word)?),
            Turn::Over(_) => return Err(TextError::forbidden(TextKind::Move, word, "the game is over")),
        };
        self.push(step);
        Ok(())
    }
}

//! What comes before a game's first move.

use std::io;

use gamecore::{Draw, Player};

use super::{Ending, Seat, Session};
use crate::{Input, Opened, Opening, Screen};

/// Opens a game.
type Open<G> = Box<dyn FnMut(Opening<'_, '_>) -> io::Result<Opened<G>>>;

/// How games are opened, and what the last opening came to.
pub(super) struct Unopened<G: gamecore::Game> {
    open: Option<Open<G>>,
    /// Whether the game is still to be opened.
    due: bool,
    /// Whether everybody has the other seat.
    exchanged: bool,
    /// Steps that the opening made.
    agreed: usize,
}

impl<G: gamecore::Game> Default for Unopened<G> {
    fn default() -> Self {
        Self { open: None, due: false, exchanged: false, agreed: 0 }
    }
}

impl<G: gamecore::Game> Unopened<G> {
    pub(super) fn is_due(&self) -> bool {
        self.due
    }

    /// Steps that are not taken back.
    pub(super) fn agreed(&self) -> usize {
        self.agreed
    }

    /// A new game is to be opened.
    pub(super) fn again(&mut self) {
        (self.due, self.agreed) = (self.open.is_some(), 0);
    }

    /// A game that is loaded has been opened, and all of it can be taken back.
    pub(super) fn not_needed(&mut self) {
        (self.due, self.agreed) = (false, 0);
    }
}

impl<G: Draw> Session<G> {
    /// For games whose players agree on something before their first move: opens every game but those that are loaded. `open` talks to
    /// people by itself; the seats are those that everybody has had from the beginning.
    #[must_use]
    pub fn with_opening(mut self, open: impl FnMut(Opening<'_, '_>) -> io::Result<Opened<G>> + 'static) -> Self {
        self.opening = Unopened { open: Some(Box::new(open)), due: true, ..self.opening };
        self
    }

    pub(super) fn open(&mut self, input: &mut dyn Input, screen: &mut Screen<'_>) -> io::Result<Option<Ending>> {
        self.opening.due = false;
        if core::mem::take(&mut self.opening.exchanged) {
            self.seats.swap(0, 1);
        }
        let people = [Player::One, Player::Two].map(|player| matches!(self.seats[player], Seat::Person));
        let Some(open) = &mut self.opening.open else { return Ok(None) };
        match open(Opening { seed: self.seed, people, interrupt: &self.interrupt, input, screen })? {
            Opened::Ended(ending) => return Ok(Some(ending)),
            Opened::Begun { history, exchanged } => {
                self.record = history.start().clone().into();
                history.steps().iter().for_each(|&step| self.record.push(step, None));
                self.opening.agreed = history.steps().len();
                if exchanged {
                    self.seats.swap(0, 1);
                    self.opening.exchanged = true;
                }
            }
        }
        self.name_you();
        self.note_tags();
        self.write();
        if self.people().is_empty() {
            self.watch(screen)?;
        }
        Ok(None)
    }
}

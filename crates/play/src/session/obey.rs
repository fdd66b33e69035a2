//! What can be said besides moves.

use core::any::TypeId;
use std::io;
use std::path::Path;

use gamecore::{Draw, Event, Never, Step, Turn};

use super::{Ending, Seat, Session};
use crate::Screen;
use crate::command::{Command, help};
use crate::file::{next_free, shown};
use crate::look::{begins_turn, moves_of};

impl<G: Draw> Session<G> {
    pub(super) fn obey(&mut self, command: Command, screen: &mut Screen<'_>) -> io::Result<Option<Ending>> {
        match command {
            Command::Quit => return Ok(Some(Ending::Quit)),
            Command::Moves if moves_of(self.state()).is_empty() => self.list(screen)?,
            Command::Moves => self.look.moves(screen, self.state())?,
            Command::Board => self.board(screen)?,
            Command::Position => {
                screen.raw(&format!("{}\n", self.state().position_text()))?;
                for text in self.identifiers.as_ref().map(|texts| texts(self.state())).unwrap_or_default() {
                    screen.raw(&format!("{text}\n"))?;
                }
            }
            Command::Rules => {
                for line in self.state().rules_text().lines() {
                    screen.say(line)?;
                }
            }
            Command::Help => help(screen, self.extra(), TypeId::of::<Event<G>>() != TypeId::of::<Never>())?,
            Command::View => {
                if let Some(view) = &mut self.view {
                    view.on = !view.on;
                    let state = if view.on { "on" } else { "off" };
                    let text = format!("{}: {state}.", view.name);
                    screen.say(&text)?;
                }
                self.board(screen)?;
            }
            Command::Hint => return self.hint(screen),
            Command::Why(about) => return self.why(&about, screen),
            Command::Undo(whole) => self.undo(whole, screen)?,
            Command::Save(name) => match self.keep_in(Path::new(&name)) {
                Ok(()) => screen.say(&format!("Saved in {}, where the game is kept from now on.", shown(Path::new(&name))))?,
                Err(error) => screen.say(&format!("Not saved: {error}."))?,
            },
            Command::Load(name) => match self.found(Path::new(&name)) {
                Ok(record) => {
                    self.tell_saved(screen)?;
                    self.go_on_with(record, Path::new(&name));
                    self.tell_loaded(screen)?;
                }
                Err(error) => screen.say(&format!("Not loaded: {error}."))?,
            },
            Command::New => self.start_again(screen)?,
        }
        Ok(None)
    }

    /// Back to the last decision of a person before the present one.
    pub(super) fn undo(&mut self, whole: bool, screen: &mut Screen<'_>) -> io::Result<()> {
        let history = self.record.history();
        let (states, steps) = (history.states(), history.steps());
        let asked = |state: &G| {
            matches!(state.turn(), Turn::Decide(p) if matches!(self.seats[p], Seat::Person))
                && !(self.auto_forced && moves_of(state).len() == 1)
        };
        let begins = |i: usize| !whole || begins_turn(states, i);
        let Some(back) = (self.opening.agreed()..steps.len()).rev().find(|&i| asked(&states[i]) && begins(i)) else {
            return screen.say(match self.opening.agreed() {
                0 => "There is nothing to take back.",
                _ => "There is nothing to take back: the opening stays.",
            });
        };
        let rolled = steps.iter().any(|step| matches!(step, Step::Chance(_)));
        while self.record.history().steps().len() > back {
            self.record.undo();
        }
        self.write();
        self.shown = None;
        screen.say(if rolled { "Taken back; the dice stay as they were." } else { "Taken back." })
    }

    pub(super) fn start_again(&mut self, screen: &mut Screen<'_>) -> io::Result<()> {
        self.tell_saved(screen)?;
        self.seed = self.seed.wrapping_add(1);
        self.record = (self.start)(self.seed).into();
        self.opening.again();
        self.note_tags();
        self.shown = None;
        self.files.clear();
        screen.say(&format!("A new game, seed {}.", self.seed))?;
        if let Some(named) = self.named.clone() {
            let path = next_free(&named);
            match self.keep_in(&path) {
                Ok(()) => screen.say(&format!("It is kept in {}.", shown(&path)))?,
                Err(error) => screen.say(&format!("It is not saved: {error}."))?,
            }
        }
        Ok(())
    }
}

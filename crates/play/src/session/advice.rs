//! What the adviser says.

use std::io;

use gamecore::{Draw, Player, Step, Turn};
use search_core::ReportOf;

use super::ask::Wish;
use super::{Ending, Session};
use crate::Screen;
use crate::look::mover;

/// So many moves of a turn are looked for beside the best one.
const MOST_MORE: usize = 3;

impl<G: Draw> Session<G> {
    /// The best move in short.
    pub(super) fn hint(&mut self, screen: &mut Screen<'_>) -> io::Result<Option<Ending>> {
        if let Turn::Decide(mover) = self.state().turn() {
            if let Some(report) = self.advice(screen)? {
                let turn = self.rest_of_turn(mover, &report);
                self.look.hint(screen, self.state(), mover, &report, &turn)?;
            }
        } else {
            self.list(screen)?;
        }
        Ok(self.interrupt.is_raised().then_some(Ending::Interrupted))
    }

    /// What is best after the best move in the same turn, if the turn goes on: as the report has it, else as the adviser says.
    pub(super) fn rest_of_turn(&mut self, player: Player, report: &ReportOf<G>) -> Vec<G::Move> {
        let (mut now, mut rest) = (self.state().clone(), Vec::new());
        if report.best.is_none_or(|best| now.try_play(best).is_err()) {
            return rest;
        }
        for &step in report.best_line().iter().flat_map(|line| &line.line) {
            match step {
                Step::Move(m) if mover(&now) == Some(player) && now.try_play(m).is_ok() => rest.push(m),
                Step::Move(_) | Step::Chance(_) => break,
            }
        }
        let Some((adviser, limits)) = &mut self.adviser else { return rest };
        let limits = limits.clone().and_stop(self.interrupt.flag());
        while mover(&now) == Some(player) && rest.len() < MOST_MORE {
            let best = adviser.analyse(&now, &limits).ok().and_then(|report| report.best);
            match best {
                Some(m) if now.try_play(m).is_ok() => rest.push(m),
                _ => break,
            }
        }
        rest
    }

    /// Every move, and the answers after one of them; or what to do on every roll.
    pub(super) fn analyse(&mut self, about: Option<G::Move>, screen: &mut Screen<'_>) -> io::Result<Option<Ending>> {
        if let Turn::Over(_) = self.state().turn() {
            self.list(screen)?;
        } else if let Some(report) = self.advice(screen)? {
            self.look.analysis(screen, self.state(), &report, about)?;
        }
        Ok(self.interrupt.is_raised().then_some(Ending::Interrupted))
    }

    /// What the adviser says of the position, if there is one and it has something to say. Asked again, it says the same.
    pub(super) fn advice(&mut self, screen: &mut Screen<'_>) -> io::Result<Option<ReportOf<G>>> {
        let Some((adviser, limits)) = &mut self.adviser else {
            screen.say("Nobody is here to ask: this game was started without an adviser.")?;
            return Ok(None);
        };
        let state = self.record.history().state();
        if let Some((about, report)) = &self.advised
            && about == state
        {
            return Ok(Some(report.clone()));
        }
        screen.flush()?;
        let limits = limits.clone().and_stop(self.interrupt.flag());
        match adviser.analyse(state, &limits) {
            Ok(_) if self.interrupt.is_raised() => Ok(None),
            Ok(report) => {
                self.advised = Some((state.clone(), report.clone()));
                Ok(Some(report))
            }
            Err(error) => screen.say(&format!("No advice: {error}.")).map(|()| None),
        }
    }

    /// The command `why` with what follows it.
    pub(super) fn why(&mut self, about: &str, screen: &mut Screen<'_>) -> io::Result<Option<Ending>> {
        let m = if about.is_empty() {
            None
        } else {
            match self.read(about) {
                Ok(Wish::Play(moves)) if moves.len() == 1 => Some(moves[0]),
                Ok(Wish::Play(_) | Wish::Command(_) | Wish::Nothing) => {
                    self.refuse(screen, "why is asked about a move: why MOVE.")?;
                    return Ok(None);
                }
                Err(message) => {
                    self.refuse(screen, &message)?;
                    return Ok(None);
                }
            }
        };
        self.analyse(m, screen)
    }
}

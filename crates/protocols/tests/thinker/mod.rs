//! An agent that has to be stopped.

use core::time::Duration;
use std::thread::sleep;

use gamecore::{Game, History};
use search_core::{Agent, AgentError, Limits, Report, ReportOf, StopFlag};

/// Thinks until it is stopped, whatever its limits; then it makes the first move, which is worth so much.
pub(crate) struct Thinker(pub(crate) f64);

impl<G: Game> Agent<G> for Thinker {
    fn name(&self) -> String {
        "thinker".into()
    }

    fn new_game(&mut self, _: u64) {}

    fn choose(&mut self, history: &History<G>, limits: &Limits) -> Result<ReportOf<G>, AgentError> {
        while !limits.stop.as_ref().is_some_and(StopFlag::is_raised) {
            sleep(Duration::from_millis(1));
        }
        let mut moves = G::Moves::default();
        history.state().moves(&mut moves);
        Ok(Report::of_move(moves.as_ref()[0], Some(self.0)))
    }
}

//! Agents by another name.

use gamecore::{Game, History};
use search_core::{Agent, AgentError, Limits, ReportOf};

/// An agent by another name.
pub(crate) struct Named<G: Game> {
    name: String,
    inner: Box<dyn Agent<G>>,
}

impl<G: Game> Named<G> {
    pub(crate) fn boxed(name: &str, inner: Box<dyn Agent<G>>) -> Box<dyn Agent<G>> {
        Box::new(Self { name: name.into(), inner })
    }
}

impl<G: Game> Agent<G> for Named<G> {
    fn name(&self) -> String {
        self.name.clone()
    }

    fn new_game(&mut self, seed: u64) {
        self.inner.new_game(seed);
    }

    fn choose(&mut self, history: &History<G>, limits: &Limits) -> Result<ReportOf<G>, AgentError> {
        self.inner.choose(history, limits)
    }
}

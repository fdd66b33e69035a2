//! Whole tournaments, on toys.

mod logs;
mod statistics;
mod tournaments;

use std::ops::ControlFlow;

use arena::*;
use gamecore::random::below;
use gamecore::testing::toys::{Pig, PigMove};
use gamecore::{Game, History};
use rand::Rng;
use search_core::{Agent, AgentError, Limits, Report, ReportOf};

/// An agent from a function of the state.
struct Rule<F>(F);

impl<G: Game, F: FnMut(&G) -> Option<G::Move> + Send> Agent<G> for Rule<F> {
    fn name(&self) -> String {
        "rule".into()
    }
    fn new_game(&mut self, _: u64) {}
    fn choose(&mut self, history: &History<G>, _: &Limits) -> Result<ReportOf<G>, AgentError> {
        let mut report = Report::empty();
        report.best = (self.0)(history.state());
        report.value = Some(0.25);
        Ok(report)
    }
}

fn rule<G: Game>(name: &str, choose: impl Fn(&G) -> Option<G::Move> + Copy + Send + Sync + 'static) -> Contestant<G> {
    Contestant::new(name, Limits::default(), move || Rule(choose))
}

/// Rolls at Pig until the turn has brought so much.
fn hold_at(sum: u16) -> Contestant<Pig> {
    rule(&format!("hold at {sum}"), move |g: &Pig| Some(if g.sum() >= sum { PigMove::Hold } else { PigMove::Roll }))
}

fn random<G: Game>(name: &str) -> Contestant<G> {
    Contestant::new(name, Limits::default(), || search_core::RandomAgent(gamecore::random::generator(0)))
}

fn nth_move<G: Game>(n: usize) -> impl Fn(&G) -> Option<G::Move> + Copy + Send + Sync {
    move |g: &G| {
        let mut moves = G::Moves::default();
        g.moves(&mut moves);
        Some(moves.as_ref()[n.min(moves.as_ref().len() - 1)])
    }
}

/// A Pig with something banked.
fn uneven(_: u64, rng: &mut dyn Rng) -> Pig {
    Pig::new(60).with_banked(below(rng, 30) as u16, below(rng, 30) as u16)
}

const ON: ControlFlow<()> = ControlFlow::Continue(());

/// All of it.
fn played<G: Game>(tournament: &Tournament<G>) -> Standings {
    let mut standings = tournament.standings();
    tournament.play(&mut standings, &mut |_, _| ON).unwrap();
    standings
}

/// A match of two.
fn match_of<G: Game>(
    settings: Settings,
    setup: impl Fn(u64, &mut dyn Rng) -> G + Send + Sync + 'static,
    a: Contestant<G>,
    b: Contestant<G>,
) -> Score {
    played(&Tournament::new(settings, Pairing::RoundRobin, setup, vec![a, b]).unwrap()).score(0, 1).unwrap()
}

//! Who sits in a seat.

use gamecore::{Game, History, Turn};
use rand::{Rng, SeedableRng};

use crate::{Limits, Report, ReportOf, SearchError};

/// Somebody who chooses moves: a search, a person, an engine in another process.
///
/// Agents are erased (`Box<dyn Agent<G>>`), games are not. An agent owns its seeded generator; the dice belong to
/// whoever runs the game.
pub trait Agent<G: Game>: Send {
    /// What tables of results call it.
    fn name(&self) -> String;

    /// A new game begins: the agent forgets what it knows of other games, and takes what it decides at random from `seed`.
    ///
    /// From then on the same histories and limits, other than time, bring the same answers, whatever was played before:
    /// so any game of a match can be played again alone, and in any order. Whoever plays one game only need not call it.
    fn new_game(&mut self, seed: u64);

    /// Chooses in a [`Turn::Decide`] state. The report's `best` is a move of it.
    ///
    /// The history is the whole game: agents that keep a tree or talk to another program find there what happened
    /// since they were last asked; the others look at [`History::state`].
    ///
    /// # Errors
    /// If there is nothing to decide, or the agent cannot go on.
    fn choose(&mut self, history: &History<G>, limits: &Limits) -> Result<ReportOf<G>, AgentError>;
}

impl<G: Game, A: Agent<G> + ?Sized> Agent<G> for Box<A> {
    fn name(&self) -> String {
        (**self).name()
    }

    fn new_game(&mut self, seed: u64) {
        (**self).new_game(seed);
    }

    fn choose(&mut self, history: &History<G>, limits: &Limits) -> Result<ReportOf<G>, AgentError> {
        (**self).choose(history, limits)
    }
}

/// A search that explains a position: every move's exact value, the table by chance event.
///
/// Analysing costs more than choosing, because moves that are proven worse need their values too.
pub trait Analyst<G: Game>: Send {
    /// Searches `game`, whatever it waits for: a decision (every line of `moves` exact, with its `replies`), or
    /// chance (`events` filled in).
    ///
    /// # Errors
    /// If the game is over.
    fn analyse(&mut self, game: &G, limits: &Limits) -> Result<ReportOf<G>, SearchError>;
}

/// Why an agent chose no move.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum AgentError {
    /// The position waits for a roll, or the game is over.
    #[error("there is nothing to decide in this position")]
    NothingToDecide,
    /// The agent has gone: its process died, its person left.
    #[error("{name} has left the game: {reason}")]
    Gone {
        /// The agent's name.
        name: String,
        /// How it went.
        reason: String,
    },
}

impl From<SearchError> for AgentError {
    fn from(error: SearchError) -> Self {
        match error {
            SearchError::Over => Self::NothingToDecide,
        }
    }
}

/// Plays every legal move with the same probability: the yardstick that everything must beat.
#[derive(Clone, Debug)]
pub struct RandomAgent<R>(pub R);

impl<G: Game, R: Rng + SeedableRng + Send> Agent<G> for RandomAgent<R> {
    fn name(&self) -> String {
        "random".into()
    }

    fn new_game(&mut self, seed: u64) {
        self.0 = R::seed_from_u64(seed);
    }

    fn choose(&mut self, history: &History<G>, _: &Limits) -> Result<ReportOf<G>, AgentError> {
        match history.state().turn() {
            Turn::Decide(_) => Ok(Report::of_move(history.state().random_move(&mut self.0), None)),
            Turn::Chance(_) | Turn::Over(_) => Err(AgentError::NothingToDecide),
        }
    }
}

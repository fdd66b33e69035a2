//! Who takes part in a tournament.

use std::error::Error;
use std::fmt;
use std::time::Duration;

use gamecore::Game;
use search_core::{Agent, Limits, TimeControl};

/// What a player may spend.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Pace {
    /// On each decision. Its time is not enforced: a search overruns by a moment. [`Spent::late`](crate::Spent::late) counts
    /// the decisions that took clearly longer.
    pub limits: Limits,
    /// By the game's clock, which is enforced: who oversteps loses. The agent is told how much of it to use for a decision
    /// (its share of what is left, as [`Limits::time`]) and what the clock shows ([`Limits::left`]).
    pub clock: TimeControl,
    /// About how many decisions of its own a player has in a game: 20 unless changed. The clock's time is shared out among
    /// them.
    pub decisions: u32,
}

impl Pace {
    /// The same limits for each decision, and no clock.
    #[must_use]
    pub fn new(limits: Limits) -> Self {
        Self { limits, clock: TimeControl::Unlimited, decisions: 20 }
    }

    /// The same pace, and a clock.
    #[must_use]
    pub fn and_clock(self, clock: TimeControl) -> Self {
        Self { clock, ..self }
    }

    /// The same pace, and games of about so many decisions a player.
    #[must_use]
    pub fn and_decisions(self, decisions: u32) -> Self {
        Self { decisions, ..self }
    }

    /// The longest that a decision may take, if that is limited at all.
    #[must_use]
    pub fn longest(&self) -> Option<Duration> {
        match self.clock {
            TimeControl::PerMove(time) => Some(self.limits.time.map_or(time, |t| t.min(time))),
            _ => self.limits.time,
        }
    }
}

impl From<Limits> for Pace {
    fn from(limits: Limits) -> Self {
        Self::new(limits)
    }
}

/// Makes an agent, as often as threads and games need one.
type Make<G> = Box<dyn Fn() -> Result<Box<dyn Agent<G>>, MakeError> + Send + Sync>;

/// Why an agent cannot be made: whatever its maker says.
pub type MakeError = Box<dyn Error + Send + Sync>;

/// Somebody who takes part: a name, a pace, and how to make the agent.
///
/// Every thread of a tournament has agents of its own, so an agent is made more than once. Before each game it is told
/// its seed, [`Agent::new_game`].
pub struct Contestant<G: Game> {
    /// What tables call it.
    pub name: String,
    /// What it may spend.
    pub pace: Pace,
    make: Make<G>,
}

impl<G: Game> Contestant<G> {
    /// A contestant whose agents can always be made.
    #[must_use]
    pub fn new<A: Agent<G> + 'static>(name: &str, pace: impl Into<Pace>, make: impl Fn() -> A + Send + Sync + 'static) -> Self {
        Self::fallible(name, pace, move || Ok(Box::new(make())))
    }

    /// A contestant whose agents are boxed already, or cannot always be made: programs that must be started.
    #[must_use]
    pub fn fallible(
        name: &str,
        pace: impl Into<Pace>,
        make: impl Fn() -> Result<Box<dyn Agent<G>>, MakeError> + Send + Sync + 'static,
    ) -> Self {
        Self { name: name.into(), pace: pace.into(), make: Box::new(make) }
    }

    /// A new agent.
    ///
    /// # Errors
    /// If it cannot be made.
    pub fn agent(&self) -> Result<Box<dyn Agent<G>>, MakeError> {
        (self.make)()
    }
}

impl<G: Game> fmt::Debug for Contestant<G> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Contestant").field("name", &self.name).field("pace", &self.pace).finish_non_exhaustive()
    }
}

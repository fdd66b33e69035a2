//! Agents in other processes.

use std::fmt;
use std::marker::PhantomData;
use std::time::{Duration, Instant};

use gamecore::{Game, History, Turn};
use search_core::{Agent, AgentError, Limits, ReportOf, StopFlag};

use crate::{Launch, Wire, WireError};

/// What two programs say to each other, from the side of the one that asks.
///
/// Every method keeps to its deadline, as [`Wire`]'s do, and leaves nothing unread that a later one could take for its
/// answer, unless it fails: the program is ended then.
pub trait Protocol<G: Game>: Send {
    /// The first words to a program that was just started. Returns its name.
    ///
    /// # Errors
    /// If the program does not speak this protocol.
    fn hello(&mut self, wire: &mut Wire, deadline: Instant) -> Result<String, WireError>;

    /// A new game, for which the program is ready when this returns; what it decides at random it takes from `seed`, if it
    /// can.
    ///
    /// # Errors
    /// If the program refuses, or fails.
    fn new_game(&mut self, wire: &mut Wire, seed: u64, deadline: Instant) -> Result<(), WireError>;

    /// Asks for a decision in the present position of `history`, a [`Turn::Decide`] state. The report's `best` is a legal
    /// move of it, its value in points for [`Player::One`](gamecore::Player::One).
    ///
    /// # Errors
    /// If no legal move comes in time; [`WireError::Stopped`] as soon as the limits' flag is raised.
    fn choose(
        &mut self,
        wire: &mut Wire,
        history: &History<G>,
        limits: &Limits,
        deadline: Instant,
    ) -> Result<ReportOf<G>, WireError>;

    /// The last words to a program; it is then given a moment to end by itself.
    fn quit(&mut self, wire: &mut Wire);
}

/// How long an outside program may take before it counts as hung.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Patience {
    /// To start and say hello, and again to get ready for a new game; 10 s.
    pub start: Duration,
    /// Over the time limit of a decision; 1 s.
    pub grace: Duration,
    /// For a decision that has no time limit; 60 s.
    pub without_limit: Duration,
}

impl Default for Patience {
    fn default() -> Self {
        Self { start: Duration::from_secs(10), grace: Duration::from_secs(1), without_limit: Duration::from_secs(60) }
    }
}

impl Patience {
    /// For a decision with these limits.
    fn decision(self, limits: &Limits) -> Duration {
        // Whoever is told the clock may use more than `time`.
        limits.left.max(limits.time).map_or(self.without_limit, |time| time.saturating_add(self.grace))
    }
}

/// The instant that is so far away. Nobody waits for more than a year.
fn after(time: Duration) -> Instant {
    const YEAR: Duration = Duration::from_secs(365 * 24 * 60 * 60);
    Instant::now() + time.min(YEAR)
}

/// How long a program may take to end after the last words.
const FAREWELL: Duration = Duration::from_millis(300);

/// An agent in another process: asks the program on a [`Wire`] by a [`Protocol`].
///
/// A program that fails in any way (hangs, dies, floods, answers nonsense) is killed, and
/// [`choose`](Agent::choose) says [`AgentError::Gone`] with the reason, for the rest of the game. The next
/// [`new_game`](Agent::new_game) starts it again. So is a program that a raised stop flag interrupts, with the reason
/// `stopped`: its late answer must not be taken for another one's.
///
/// What a new game costs a program is spent in `new_game`, which waits until it is ready: no decision's time has any of it.
/// A program that fails there, or has left since the last game, has not lost: it is started again, once. If that fails too,
/// `choose` says so.
///
/// Reports have the time that the decision took and, where [`Wire::cpu_time`] knows it, the program's CPU time as
/// `cpu_elsewhere`.
///
/// Dropping it says goodbye, and ends the program at the latest 300 ms later.
///
/// # Examples
/// The crate's front page has one.
pub struct Outside<G: Game, P: Protocol<G>> {
    launch: Launch,
    protocol: P,
    patience: Patience,
    name: String,
    wire: Option<Wire>,
    /// Why nothing more can be asked in this game.
    gone: Option<WireError>,
    game: PhantomData<fn() -> G>,
}

impl<G: Game, P: Protocol<G>> Outside<G, P> {
    /// Starts the program, says hello, and has it get ready for a game, with the seed 0.
    ///
    /// # Errors
    /// If the program cannot be started, or does not answer as it should.
    pub fn start(launch: Launch, protocol: P, patience: Patience) -> Result<Self, WireError> {
        let mut outside = Self { launch, protocol, patience, name: String::new(), wire: None, gone: None, game: PhantomData };
        outside.name = outside.restart()?;
        outside.get_ready(0)?;
        Ok(outside)
    }

    /// The process, while it runs.
    #[must_use]
    pub fn wire(&self) -> Option<&Wire> {
        self.wire.as_ref()
    }

    /// Starts the program. Returns its name.
    fn restart(&mut self) -> Result<String, WireError> {
        self.wire = None;
        let mut wire = Wire::start(&self.launch)?;
        let name = self.protocol.hello(&mut wire, after(self.patience.start))?;
        self.wire = Some(wire);
        Ok(name)
    }

    /// Tells the program of a new game, if it runs, and waits until it is ready.
    fn get_ready(&mut self, seed: u64) -> Result<(), WireError> {
        let wire = self.wire.as_mut().ok_or(WireError::Stopped)?;
        self.protocol.new_game(wire, seed, after(self.patience.start))
    }

    fn ask(&mut self, history: &History<G>, limits: &Limits) -> Result<ReportOf<G>, WireError> {
        if let Some(gone) = &self.gone {
            return Err(gone.clone());
        }
        if limits.stop.as_ref().is_some_and(StopFlag::is_raised) {
            return Err(WireError::Stopped);
        }
        let Some(wire) = &mut self.wire else { return Err(WireError::Stopped) };
        let (started, cpu) = (Instant::now(), wire.cpu_time());
        let mut report = self.protocol.choose(wire, history, limits, after(self.patience.decision(limits)))?;
        report.elapsed = started.elapsed();
        if let (Some(before), Some(now)) = (cpu, wire.cpu_time()) {
            report.cpu_elsewhere = now.saturating_sub(before);
        }
        Ok(report)
    }
}

impl<G: Game, P: Protocol<G>> Agent<G> for Outside<G, P> {
    /// What the program calls itself.
    fn name(&self) -> String {
        self.name.clone()
    }

    /// Tells the program of the game and waits until it is ready, at most [`Patience::start`]. If it does not run, or fails,
    /// it is started (as long again) and told (as long again), once.
    fn new_game(&mut self, seed: u64) {
        // A program that is just about to end still counts as running, and fails.
        if !self.wire.as_mut().is_some_and(Wire::is_running) || self.get_ready(seed).is_err() {
            self.gone = self.restart().and_then(|_| self.get_ready(seed)).err();
        } else {
            self.gone = None;
        }
        if self.gone.is_some() {
            self.wire = None;
        }
    }

    fn choose(&mut self, history: &History<G>, limits: &Limits) -> Result<ReportOf<G>, AgentError> {
        let Turn::Decide(_) = history.state().turn() else { return Err(AgentError::NothingToDecide) };
        self.ask(history, limits).map_err(|error| {
            self.wire = None;
            let reason = error.to_string();
            self.gone = Some(error);
            AgentError::Gone { name: self.name.clone(), reason }
        })
    }
}

impl<G: Game, P: Protocol<G>> Drop for Outside<G, P> {
    fn drop(&mut self) {
        if let Some(mut wire) = self.wire.take() {
            self.protocol.quit(&mut wire);
            wire.close(FAREWELL);
        }
    }
}

impl<G: Game, P: Protocol<G>> fmt::Debug for Outside<G, P> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Outside").field("name", &self.name).field("launch", &self.launch).finish_non_exhaustive()
    }
}

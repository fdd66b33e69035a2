//! One game between two agents.

use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::{Duration, Instant};

use cpu_time::ThreadTime;
use gamecore::{Dice, Game, History, Outcome, Player, Record, Step, Turn};
use search_core::{Agent, Clock, Limits, ReportOf, StopFlag, TimeControl};
use serde::{Deserialize, Serialize};

use crate::Pace;

/// A game that was played.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Played<G: Game> {
    /// Its course, with the value that each mover gave the position.
    pub record: Record<G>,
    /// How long each decision took, in order. A last one without a move in the record is the one that lost the game.
    pub times: Vec<Duration>,
    /// What it counts.
    pub summary: Summary,
}

impl<G: Game> Played<G> {
    /// A game that was lost before it began.
    pub(crate) fn forfeited(start: G, player: Player, fault: Fault, reason: String) -> Self {
        let end = End::Forfeit { player, fault, reason };
        let summary = Summary { outcome: Outcome::win(player.other()), end, first: None, spent: [Spent::default(); 2] };
        Self { record: start.into(), times: Vec::new(), summary }
    }
}

/// What a game counts in a match.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct Summary {
    /// The rules' outcome, one point against a forfeit, a draw if it was cut off (or stopped).
    pub outcome: Outcome,
    /// Why it ended.
    pub end: End,
    /// Who decided first; `None` if nobody decided anything.
    pub first: Option<Player>,
    /// What each seat spent.
    pub spent: [Spent; 2],
}

/// What a player spent.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Spent {
    /// Decisions made.
    pub decisions: u64,
    /// Wall-clock time for all of them.
    #[serde(with = "crate::log::nanoseconds")]
    pub time: Duration,
    /// The slowest one's.
    #[serde(with = "crate::log::nanoseconds")]
    pub slowest: Duration,
    /// CPU time: the thread's that asked, and what the agent says it used elsewhere
    /// ([`Report::cpu_elsewhere`](search_core::Report::cpu_elsewhere)).
    #[serde(with = "crate::log::nanoseconds")]
    pub cpu: Duration,
    /// Decisions that took over [`LATE`] longer than allowed.
    pub late: u64,
}

/// An overstep of less is no overstep: the machine was busy.
pub const LATE: Duration = Duration::from_millis(10);

impl Spent {
    /// Adds what was spent in another game.
    pub fn add(&mut self, other: &Self) {
        self.decisions = self.decisions.saturating_add(other.decisions);
        self.time = self.time.saturating_add(other.time);
        self.slowest = self.slowest.max(other.slowest);
        self.cpu = self.cpu.saturating_add(other.cpu);
        self.late = self.late.saturating_add(other.late);
    }

    /// Mean wall-clock time of a decision.
    #[must_use]
    pub fn time_per_decision(&self) -> Duration {
        self.time.div_f64(self.decisions.max(1) as f64)
    }

    /// Mean CPU time of a decision.
    #[must_use]
    pub fn cpu_per_decision(&self) -> Duration {
        self.cpu.div_f64(self.decisions.max(1) as f64)
    }
}

/// Why a game ended.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[non_exhaustive]
pub enum End {
    /// By the rules.
    Rules,
    /// The most decisions allowed were made; counted as a draw.
    TooLong,
    /// Somebody raised the flag in the limits: no result.
    Stopped,
    /// One side lost by no fault of its position.
    Forfeit {
        /// Who.
        #[serde(with = "crate::log::seat")]
        player: Player,
        /// What kind of thing happened.
        fault: Fault,
        /// What happened, in words.
        reason: String,
    },
}

/// How a game can be forfeited.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
#[non_exhaustive]
pub enum Fault {
    /// A move that is not legal, or an answer without one.
    Illegal,
    /// The clock ran out.
    Time,
    /// The agent could not go on: its process died, hung, or answered nonsense.
    Gone,
    /// The agent panicked. It may be broken and should not be asked again.
    Crashed,
}

/// Who sits in a seat.
pub struct Seat<'a, G: Game> {
    /// Who is asked.
    pub agent: &'a mut dyn Agent<G>,
    /// What it may spend.
    pub pace: &'a Pace,
}

/// Plays one game, One's seat first. [`Agent::new_game`] is the caller's to call.
///
/// Agents are not trusted: every move is checked, a panic is caught, and the clock is read. Who breaks the rules, runs out
/// of time or cannot go on loses one point.
///
/// After `most` decisions the game is cut off and a draw; without `most`, a game that the agents never end goes on
/// for ever.
///
/// # Examples
/// ```
/// use arena::{End, Pace, Seat, play_game};
/// use gamecore::{Dice, Player, random::generator, testing::toys::Pig};
/// use search_core::{Limits, RandomAgent};
///
/// let (mut a, mut b, pace) = (RandomAgent(generator(1)), RandomAgent(generator(2)), Pace::new(Limits::default()));
/// let seats = [Seat { agent: &mut a, pace: &pace }, Seat { agent: &mut b, pace: &pace }];
/// let game = play_game(Pig::new(20), seats, Dice::new(7, 0), Some(10_000));
/// assert_eq!(game.summary.end, End::Rules);
/// assert_eq!(game.summary.first, Some(Player::One));
/// ```
pub fn play_game<G: Game>(start: G, seats: [Seat<'_, G>; 2], dice: Dice, most: Option<u64>) -> Played<G> {
    let mut seats = seats;
    let mut clocks = [seats[0].pace.clock, seats[1].pace.clock].map(Clock::new);
    let summary = Summary { outcome: Outcome::Draw, end: End::Rules, first: None, spent: [Spent::default(); 2] };
    let mut game = Played { record: start.into(), times: Vec::new(), summary };
    loop {
        let history = game.record.history();
        match history.state().turn() {
            Turn::Over(outcome) => {
                game.summary.outcome = outcome;
                return game;
            }
            Turn::Chance(chance) => {
                let event = dice.roll(&chance, history.steps().len());
                game.record.push(Step::Chance(event), None);
            }
            Turn::Decide(_) if most.is_some_and(|most| game.times.len() as u64 >= most) => {
                game.summary.end = End::TooLong;
                return game;
            }
            Turn::Decide(player) => {
                let stop = seats[player].pace.limits.stop.as_ref();
                if stop.is_some_and(StopFlag::is_raised) {
                    game.summary.end = End::Stopped;
                    return game;
                }
                let (seat, clock) = (&mut seats[player], &mut clocks[player]);
                let spent = &mut game.summary.spent[player];
                let limits = limits(seat.pace, clock, player, spent.decisions);
                let (started, cpu) = (Instant::now(), ThreadTime::now());
                let answer = ask(seat.agent, history, &limits);
                let (took, cpu) = (started.elapsed(), cpu.elapsed());
                let elsewhere = answer.as_ref().map_or(Duration::ZERO, |report| report.cpu_elsewhere);
                let late = seat.pace.longest().is_some_and(|longest| took > longest.saturating_add(LATE));
                spent.add(&Spent {
                    decisions: 1,
                    time: took,
                    slowest: took,
                    cpu: cpu.saturating_add(elsewhere),
                    late: late.into(),
                });
                game.times.push(took);
                game.summary.first.get_or_insert(player);
                match answer.and_then(|report| accepted(history, &report, clock, player, took)) {
                    Ok((m, value)) => game.record.push(Step::Move(m), value.filter(|v| v.is_finite())),
                    Err((fault, reason)) => {
                        game.summary.outcome = Outcome::win(player.other());
                        game.summary.end = End::Forfeit { player, fault, reason };
                        return game;
                    }
                }
            }
        }
    }
}

/// Why a decision loses the game.
type Refusal = (Fault, String);

/// What a player may spend on the decision that follows `made` others.
fn limits(pace: &Pace, clock: &Clock, player: Player, made: u64) -> Limits {
    let mut limits = pace.limits.clone();
    if pace.clock != TimeControl::Unlimited {
        // However long the game gets, some of it is still to come.
        let to_go = u64::from(pace.decisions).saturating_sub(made).max(u64::from(pace.decisions / 4));
        let budget = clock.budget(player, u32::try_from(to_go).unwrap_or(u32::MAX));
        limits.time = [limits.time, budget].into_iter().flatten().min();
        limits.left = clock.left(player);
    }
    limits
}

/// The agent's answer, whatever it does.
fn ask<G: Game>(agent: &mut dyn Agent<G>, history: &History<G>, limits: &Limits) -> Result<ReportOf<G>, Refusal> {
    match catch_unwind(AssertUnwindSafe(|| agent.choose(history, limits))) {
        Ok(answer) => answer.map_err(|error| (Fault::Gone, error.to_string())),
        Err(panic) => Err((Fault::Crashed, format!("panicked: {}", panic_text(&*panic)))),
    }
}

/// What a panic said.
pub(crate) fn panic_text(panic: &(dyn Any + Send)) -> &str {
    let text = panic.downcast_ref::<&str>().copied();
    text.or_else(|| panic.downcast_ref::<String>().map(String::as_str)).unwrap_or("for an unknown reason")
}

/// The move and its value, if the answer is in time and legal.
fn accepted<G: Game>(
    history: &History<G>,
    report: &ReportOf<G>,
    clock: &mut Clock,
    player: Player,
    took: Duration,
) -> Result<(G::Move, Option<f64>), Refusal> {
    clock.book(player, took).map_err(|fall| (Fault::Time, fall.to_string()))?;
    let m = report.best.ok_or_else(|| (Fault::Illegal, "an answer without a move".into()))?;
    history.state().clone().try_play(m).map_err(|error| (Fault::Illegal, format!("illegal move: {error}")))?;
    Ok((m, report.value))
}

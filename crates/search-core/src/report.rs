//! What a search answers.

use std::time::Duration;

use gamecore::{Event, Game, Step};

use crate::StopReason;

/// What a number says about the true value.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Bound {
    /// It is the value that the search found, no mere bound of it.
    Exact,
    /// The value is at least this (for One).
    AtLeast,
    /// The value is at most this (for One).
    AtMost,
}

impl Bound {
    /// What it says of the negative value.
    #[must_use]
    pub const fn opposite(self) -> Self {
        match self {
            Self::Exact => Self::Exact,
            Self::AtLeast => Self::AtMost,
            Self::AtMost => Self::AtLeast,
        }
    }
}

/// A window of values: what is beyond its ends need not be known exactly.
///
/// Ends are for One. `low < high`.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Window {
    /// Values at or below it may come back as upper bounds.
    pub low: f64,
    /// Values at or above it may come back as lower bounds.
    pub high: f64,
}

impl Window {
    /// Everything: the value comes back exact.
    pub const OPEN: Self = Self { low: f64::NEG_INFINITY, high: f64::INFINITY };
}

/// A search's answer about a position. Values are for [`Player::One`](gamecore::Player::One), in the evaluator's
/// points.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Report<M, E> {
    /// The move to play; `None` if the position waits for chance.
    pub best: Option<M>,
    /// The position's value; `None` from somebody who has no opinion, such as random play. From an interrupted search it may be a bound
    /// only: [`best_line`](Report::best_line) says so.
    pub value: Option<f64>,
    /// Every move that was considered: the game's list in its order, or those that the caller named in theirs; empty if the position waits for chance, or if nothing was found out.
    pub moves: Vec<MoveLine<M, E>>,
    /// If the position waits for chance: what to do on each event, in the order of `Chance::events`.
    pub events: Vec<EventLine<M, E>>,
    /// If `value` is proven, and nobody's draw: how many decisions away the end is (or a position whose value is known), the winner
    /// hurrying, the loser holding out. `None` from searches that do not count.
    pub ends_in: Option<u32>,
    /// Decisions looked ahead in the last complete iteration; 0 if none was completed. Playouts have no depth.
    pub depth: u32,
    /// Nodes visited or playouts run.
    pub nodes: u64,
    /// Positions evaluated.
    pub evaluations: u64,
    /// Wall-clock time. With `cpu_elsewhere`, what differs between runs of the same seed and limits.
    pub elapsed: Duration,
    /// CPU time spent elsewhere than on the thread that asked: by helper threads, by another process.
    pub cpu_elsewhere: Duration,
    /// Why the search stopped.
    pub stop: StopReason,
}

/// A report on a position of `G`.
pub type ReportOf<G> = Report<<G as Game>::Move, Event<G>>;

/// What a search found about one move at the root.
#[derive(Clone, PartialEq, Debug)]
#[non_exhaustive]
pub struct MoveLine<M, E> {
    /// The move.
    pub m: M,
    /// Its value for One.
    pub value: f64,
    /// Whether that is the value or a bound: a search that only wants the best move proves the others no better.
    pub bound: Bound,
    /// Nodes or playouts spent on it.
    pub nodes: u64,
    /// As [`Report::ends_in`], this move included: 1 if it ends the game.
    pub ends_in: Option<u32>,
    /// If the value is a mean of samples: half the width of its 95 % interval, as if they were independent.
    pub half_width: Option<f64>,
    /// The moves expected after it, itself not included, up to the next roll: the principal variation. Empty if the search has not come upon it and was
    /// not asked to analyse.
    pub line: Vec<Step<M, E>>,
    /// If a roll follows `line`: the expected answer to each event. Empty unless the search was asked to analyse.
    pub replies: Vec<EventLine<M, E>>,
}

impl<M, E> MoveLine<M, E> {
    /// A move with its exact value and nothing more.
    #[must_use]
    pub fn new(m: M, value: f64) -> Self {
        Self { m, value, bound: Bound::Exact, nodes: 0, ends_in: None, half_width: None, line: Vec::new(), replies: Vec::new() }
    }
}

/// What to do if chance brings one event.
#[derive(Clone, Copy, PartialEq, Debug)]
#[non_exhaustive]
pub struct EventLine<M, E> {
    /// The event.
    pub event: E,
    /// Its probability.
    pub probability: f64,
    /// The best move then; `None` if no decision follows.
    pub best: Option<M>,
    /// The value for One after the event.
    pub value: f64,
}

impl<M, E> EventLine<M, E> {
    /// A row of a table by event.
    #[must_use]
    pub fn new(event: E, probability: f64, best: Option<M>, value: f64) -> Self {
        Self { event, probability, best, value }
    }
}

impl<M, E> Report<M, E> {
    /// The report of somebody who just plays `best`: an outside engine, a person.
    #[must_use]
    pub fn of_move(best: M, value: Option<f64>) -> Self {
        Self { best: Some(best), value, ..Self::empty() }
    }

    /// What was found about the best move: its value, its line.
    pub fn best_line(&self) -> Option<&MoveLine<M, E>>
    where
        M: PartialEq,
    {
        self.moves.iter().find(|line| Some(&line.m) == self.best.as_ref())
    }

    /// A report that says nothing yet.
    #[must_use]
    pub fn empty() -> Self {
        Self {
            best: None,
            value: None,
            moves: Vec::new(),
            events: Vec::new(),
            ends_in: None,
            depth: 0,
            nodes: 0,
            evaluations: 0,
            elapsed: Duration::ZERO,
            cpu_elsewhere: Duration::ZERO,
            stop: StopReason::Depth,
        }
    }
}

/// Why a search has no answer.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum SearchError {
    /// The game has ended.
    #[error("the game is over: there is nothing to search")]
    Over,
}

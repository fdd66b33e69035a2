//! The language of searches: what limits them, what they answer, who asks them.
//!
//! Every search of the workspace takes [`Limits`], keeps to them with a [`Watch`], and answers with a [`Report`]: a
//! value, never printed here. An [`Agent`] is a search (or a person, or an outside engine) in a seat. The
//! transposition [`Table`] and the [`Clock`] of a game live here because every search and every match needs the same
//! one. A [`Book`] opens for any agent.
//!
//! # Examples
//! An agent that takes the last legal move, asked for one:
//! ```
//! use gamecore::{Game, History, Turn, testing::toys::Nim};
//! use search_core::{Agent, AgentError, Limits, Report, ReportOf};
//!
//! struct Last;
//! impl<G: Game> Agent<G> for Last {
//!     fn name(&self) -> String {
//!         "last".into()
//!     }
//!     fn new_game(&mut self, _seed: u64) {} // it remembers nothing
//!     fn choose(&mut self, history: &History<G>, _: &Limits) -> Result<ReportOf<G>, AgentError> {
//!         let Turn::Decide(_) = history.state().turn() else { return Err(AgentError::NothingToDecide) };
//!         let mut moves = G::Moves::default();
//!         history.state().moves(&mut moves);
//!         Ok(Report::of_move(moves.as_ref()[moves.as_ref().len() - 1], None))
//!     }
//! }
//!
//! let report = Last.choose(&Nim::new(15).into(), &Limits::default())?;
//! assert!(report.best.is_some());
//! # Ok::<(), AgentError>(())
//! ```
#![deny(unsafe_code)]

mod agent;
pub mod book;
mod clock;
pub mod learned;
mod limits;
mod order;
mod report;
mod table;

pub use agent::{Agent, AgentError, Analyst, RandomAgent};
pub use book::{Book, WithBook};
pub use clock::{Clock, FlagFall, TimeControl};
pub use learned::Learned;
pub use limits::{Limits, StopFlag, StopReason, Watch};
pub use order::{ByScore, MoveOrder, Unordered, sort_by_scores};
pub use report::{Bound, EventLine, MoveLine, Report, ReportOf, SearchError, Window};
pub use table::{Entry, Table};

/// Builds with debug assertions: panics if an evaluator's value is not within what it promised, because pruning would go wrong
/// silently. Searches ask at every value.
#[inline(always)]
pub fn check_value<G: gamecore::Game>(evaluator: &impl gamecore::Evaluator<G>, game: &G, value: f32) {
    if cfg!(debug_assertions) {
        let bounds = evaluator.bounds(game);
        assert!(
            bounds.low <= value && value <= bounds.high,
            "the evaluator's value {value} is not within its bounds, {} to {}: scale it or override `bounds`; in {game:?}",
            bounds.low,
            bounds.high
        );
    }
}

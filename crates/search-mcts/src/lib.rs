//! Monte Carlo tree search for any [`Game`](gamecore::Game), with and without dice.
//!
//! [`Mcts`] grows a tree by playouts: down along the moves that look best or were tried least, one new position, its value
//! ([`Leaves`]: a random playout, an evaluator, a network), and up again. The decisions that a reader will question first:
//!
//! - **Chance nodes are part of the tree** ("closed loop"): below every roll stand the moves that it allows. A tree that
//!   shares one list of moves among all rolls plays moves that are not legal for the roll under them.
//! - **Values are for [`Player::One`](gamecore::Player::One)** and nothing changes sign; who chooses is asked of the state,
//!   so players who move twice in a row are no special case.
//! - **What is proven is not sampled.** Ends of the game, positions whose [`bounds`](gamecore::Evaluator::bounds) coincide, and all that
//!   follows from them (a win for the mover, nothing but losses, the average of a roll all of whose events are proven)
//!   have exact values, and a search whose root is proven stops ([`StopReason::Solved`](search_core::StopReason::Solved)).
//!
//! # Examples
//! A game of one's own, and a move in it. [`Mcts`]'s documentation plays a whole game with dice and keeps the tree from move to
//! move; [`Network`]'s has priors.
//! ```
//! use gamecore::{Game, Never, Outcome, Player, Turn};
//! use search_core::Limits;
//! use search_mcts::{Mcts, Playouts};
//!
//! /// Counters on the table: take 1 to 3, who takes the last one wins.
//! #[derive(Clone, PartialEq, Eq, Hash, Debug)]
//! struct Counters { left: u8, mover: Player }
//!
//! impl Game for Counters {
//!     type Move = u8;
//!     type Moves = Vec<u8>;
//!     type Chance = Never;
//!
//!     fn turn(&self) -> Turn<Never> {
//!         if self.left == 0 { Turn::Over(Outcome::win(self.mover.other())) } else { Turn::Decide(self.mover) }
//!     }
//!     fn moves(&self, out: &mut Vec<u8>) {
//!         out.extend(1..=self.left.min(3));
//!     }
//!     fn play(&mut self, taken: u8) {
//!         self.left -= taken;
//!         self.mover = self.mover.other();
//!     }
//!     fn resolve(&mut self, never: Never) {
//!         match never {}
//!     }
//! }
//!
//! let mut search = Mcts::new(Playouts::uniform()).with_seed(7);
//! let report = search.search(&Counters { left: 15, mover: Player::One }, &Limits::nodes(5_000))?;
//! assert_eq!(report.best, Some(3));
//! # Ok::<(), search_core::SearchError>(())
//! ```
//! The other examples use toys from `gamecore`, which need its feature `testing`.
#![forbid(unsafe_code)]

mod descend;
mod hints;
mod leaves;
mod mcts;
mod noise;
mod options;
mod report;
mod tree;
mod worker;

pub use hints::{Biased, Played, Rave};
pub use leaves::{Generator, Interrupted, Leaves, Network, Never, Playouts, Policy, Uniform, Values};
pub use mcts::{Mcts, TREE_BYTES};
pub use options::{Choice, Noise, Parallel, Rolls, Selection, Widening};
pub use report::Export;

//! Matches between agents: who is stronger, and how sure that is.
//!
//! The decision that a reader will question first: the unit of a match is the *pair*. Both games of a pair have the
//! same start and the same [`Dice`](gamecore::Dice), with the seats exchanged, so that an unbalanced start or a lucky streak helps
//! each side once. Intervals come from the spread between pairs ([`Tally::interval`]).
//!
//! [`play_match`] plays pairs and answers with a [`Score`]; [`round_robin`] plays everybody against everybody;
//! [`play_self`] shows what the seats are worth. [`play_game`] and [`play_pair`] are the pieces, for programs that keep
//! the games. Agents are never trusted: an illegal move loses the game.
//!
//! # Examples
//! ```
//! use std::ops::ControlFlow;
//! use arena::{Settings, play_match};
//! use gamecore::{random::generator, testing::toys::Pig};
//! use search_core::{Limits, RandomAgent};
//!
//! let (mut a, mut b) = (RandomAgent(generator(1)), RandomAgent(generator(2)));
//! let limits = Limits::default();
//! let score = play_match(
//!     &Settings::new(50, 8),
//!     |_, _| Pig::new(50), // the start of a pair, from its number and a generator
//!     &mut a,
//!     &mut b,
//!     &limits,
//!     &limits,
//!     &mut |_| ControlFlow::Continue(()), // or Break, to stop early
//! );
//! assert_eq!(score.games(), 100);
//! assert!(score.tally().interval().contains(0.5));
//! println!("{score}");
//! ```
#![forbid(unsafe_code)]

mod cross;
mod game;
mod matches;
mod score;
mod tally;

pub use cross::{Contestant, CrossTable, round_robin};
pub use game::{End, Forfeit, GameResult, play_game};
pub use matches::{Settings, play_match, play_pair, play_self};
pub use score::{Score, Side};
pub use tally::{Interval, Tally};

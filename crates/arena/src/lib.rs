//! Matches between agents: who is stronger, and how sure that is.
//!
//! The decision that a reader will question first: the unit of a match is the *pair*. Both games of a pair have the
//! same start and the same [`Dice`](gamecore::Dice), with the seats exchanged, so that an unbalanced start or a lucky
//! streak helps each side once. Intervals come from the spread between pairs, not between games ([`Tally`]).
//!
//! The second: everything random in a game depends on the tournament's seed and the game's place in it, and on nothing
//! that was played before. So a [`Tournament`] gives the same [`Standings`] on one thread and on ten, whole and
//! in parts, and each of its games can be played again.
//!
//! | to | use |
//! | --- | --- |
//! | play a match, a round robin, a gauntlet, a player against itself | [`Tournament`] |
//! | stop as soon as it is decided, with known errors | [`Sprt`] |
//! | read the result | [`Standings`], [`Score`], [`Tally`], [`Rating`] |
//! | keep every game, and go on after an interruption | [`Log`] |
//! | play a single game | [`play_game`] |
//!
//! Agents are never trusted: an illegal move, an overstepped clock, a panic or a dead process loses the game, and the reason
//! is kept.
//!
//! # Examples
//! ```
//! use std::ops::ControlFlow;
//! use arena::{Contestant, Finish, Pairing, Settings, Tournament};
//! use gamecore::{random::generator, testing::toys::Pig};
//! use search_core::{Limits, RandomAgent};
//!
//! let random = |name: &str| Contestant::new(name, Limits::default(), || RandomAgent(generator(0)));
//! let tournament = Tournament::new(
//!     Settings::new(50, 8), // pairs, seed
//!     Pairing::RoundRobin,
//!     |_, _| Pig::new(50), // the start of a pair, from its number and a generator
//!     vec![random("a"), random("b")],
//! )?
//! .with_threads(2);
//!
//! let mut standings = tournament.standings();
//! let finish = tournament.play(&mut standings, &mut |_, _| ControlFlow::Continue(()))?;
//! assert_eq!((finish, standings.games()), (Finish::Complete, 100));
//! let score = standings.score(0, 1).unwrap();
//! assert!(score.tally().interval().contains(0.5));
//! println!("{standings}");
//! # Ok::<(), arena::TournamentError>(())
//! ```
#![forbid(unsafe_code)]

mod contestant;
mod elo;
mod game;
mod log;
mod ratings;
mod score;
mod sprt;
mod standings;
mod tally;
mod tournament;

pub use contestant::{Contestant, Pace};
pub use elo::{elo, expected_score};
pub use game::{End, Fault, LATE, Played, Seat, Spent, Summary, play_game};
pub use log::{GameLine, Header, Log, LogError, LogReader};
pub use ratings::{Rating, ratings};
pub use score::{Score, Side, short_elo, short_time};
pub use sprt::{Sprt, SprtError, Verdict};
pub use standings::Standings;
pub use tally::{Interval, Tally};
pub use tournament::{Finish, Pairing, Settings, Tournament, TournamentError, Unit};

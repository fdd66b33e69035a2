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
//! use gamecore::{D6, Game, Outcome, Player, Turn, random::generator};
//! use search_core::{Limits, RandomAgent};
//!
//! /// Add a die to the sum or leave it; whoever reaches 20 first wins, whoever goes beyond loses.
//! #[derive(Clone, PartialEq, Eq, Hash, Debug)]
//! struct Twenty { sum: u8, mover: Player, die: Option<u8> }
//!
//! impl Game for Twenty {
//!     type Move = bool;
//!     type Moves = Vec<bool>;
//!     type Chance = D6;
//!     fn turn(&self) -> Turn<D6> {
//!         match self.die {
//!             _ if self.sum == 20 => Turn::Over(Outcome::win(self.mover.other())),
//!             _ if self.sum > 20 => Turn::Over(Outcome::win(self.mover)),
//!             None => Turn::Chance(D6),
//!             Some(_) => Turn::Decide(self.mover),
//!         }
//!     }
//!     fn moves(&self, out: &mut Vec<bool>) { out.extend([true, false]) }
//!     fn play(&mut self, add: bool) {
//!         let die = self.die.take().unwrap_or(0);
//!         self.sum += if add { die } else { 0 };
//!         self.mover = self.mover.other();
//!     }
//!     fn resolve(&mut self, face: u8) { self.die = Some(face) }
//! }
//!
//! let random = |name: &str| Contestant::new(name, Limits::default(), || RandomAgent(generator(0)));
//! let tournament = Tournament::new(
//!     Settings::new(50, 8), // pairs, seed
//!     Pairing::RoundRobin,
//!     |_, _| Twenty { sum: 0, mover: Player::One, die: None }, // the start of a pair, from its number and a generator
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

pub use contestant::{Contestant, MakeError, Pace};
pub use elo::{elo, expected_score};
pub use game::{End, Fault, LATE, Played, Seat, Spent, Summary, play_game};
pub use log::{GameLine, Header, Log, LogError, LogReader};
pub use ratings::{Rating, ratings};
pub use score::{Score, Side, short_elo, short_time};
pub use sprt::{Sprt, SprtError, Verdict};
pub use standings::Standings;
pub use tally::{Interval, Tally};
pub use tournament::{Again, Finish, Pairing, Settings, Tournament, TournamentError, Unit};

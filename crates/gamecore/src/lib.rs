//! The language of games: what a state, a turn, a move, a roll, an outcome and an evaluation are.
//!
//! A game implements one trait, [`Game`]; every search of the workspace then plays it, with dice or without. The
//! decision that a reader will question first is [`Turn`]: *the state* says who decides, whether a die is to be
//! rolled, or how it ended. Nothing else alternates: players who move twice, passes and dice need no special case.
//!
//! Three conventions hold everywhere:
//!
//! - **Values are for [`Player::One`]**, in points. One maximizes, Two minimizes, nothing changes sign.
//! - **Depth counts decisions.** Rolls are free; a pass is a decision.
//! - **Searches copy states** ([`Game::after`]); there is no undo.
//!
//! # Examples
//! A race: roll a die, then take its face or a flat 3; first to 20 wins. The whole game, and a search of it:
//! ```
//! use gamecore::*;
//! use search_core::Limits;
//! use search_expectimax::Expectimax;
//!
//! #[derive(Clone, PartialEq, Eq, Hash, Debug)]
//! struct Race { at: [u8; 2], mover: Player, die: u8 }
//!
//! impl Game for Race {
//!     type Move = u8; // how far to go
//!     type Moves = Vec<u8>;
//!     type Chance = D6;
//!
//!     fn turn(&self) -> Turn<D6> {
//!         let before = self.mover.other();
//!         if self.at[before] >= 20 { Turn::Over(Outcome::win(before)) }
//!         else if self.die == 0 { Turn::Chance(D6) }
//!         else { Turn::Decide(self.mover) }
//!     }
//!     fn moves(&self, out: &mut Vec<u8>) {
//!         out.push(3);
//!         if self.die != 3 { out.push(self.die) }
//!     }
//!     fn play(&mut self, m: u8) {
//!         self.at[self.mover] += m;
//!         self.mover = self.mover.other();
//!         self.die = 0;
//!     }
//!     fn resolve(&mut self, face: u8) { self.die = face }
//! }
//!
//! let lead = |g: &Race| (f32::from(g.at[0]) - f32::from(g.at[1])) / 100.0;
//! let game = Race { at: [17, 15], mover: Player::One, die: 2 };
//! let report = Expectimax::new(lead).search(&game, &Limits::depth(4))?;
//! assert_eq!((report.best, report.value), (Some(3), Some(1.0))); // home and won
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Features
//! - `testing`: the conformance suite `testing`, which every game should pass, and small games to try searches on.
//! - `reference`: that, and what reads reference data in files of JSON, with `serde_json`.
#![forbid(unsafe_code)]

mod chance;
mod dice;
mod eval;
mod game;
mod hash;
mod history;
mod moves;
mod picture;
mod player;
pub mod random;
pub mod record;
pub mod sgf;
mod symmetry;
#[cfg(feature = "testing")]
pub mod testing;
pub mod text;
mod track;

pub use chance::{Chance, D6, D6_FACES, Never, ROLLS, Roll, TwoDice};
pub use dice::Dice;
pub use eval::{Bounds, Evaluator, Leaf, PolicyValue};
pub use game::{Deterministic, Event, Game, KEY_HORIZON, PlayError, ResolveError, Turn};
pub use hash::{KeyHasher, mix};
pub use history::{History, Step, StepOf};
pub use moves::MoveBuf;
pub use picture::{Draw, Ink, Picture, Span};
pub use player::{Outcome, Player};
pub use random::{playout, uniform};
pub use record::{Record, RecordError};
pub use symmetry::{Symmetry, canonical};
pub use text::{Text, TextError, TextKind};
pub use track::{Track, Tracked};

/// The README's example is a test too.
#[cfg(doctest)]
#[doc = include_str!("../../../README.md")]
pub struct ReadmeDoctests;

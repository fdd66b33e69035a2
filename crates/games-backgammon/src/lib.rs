//! Backgammon as one [`Game`](gamecore::Game): rules, notation, formats, knowledge.
//!
//! - **Rules**: [`Backgammon`]. A decision is the whole play of a roll; plays that lead to the same position are one
//!   [`Move`]. Both dice are played if that is possible, the larger if only one can be; a double is played four times;
//!   who cannot move passes. The first roll is a chance node too: each side throws one die, the higher
//!   [starts](Throw::Opening). A gammon counts 2, a backgammon 3.
//! - **Set-up**: [`Setup`] names the usual first positions, [`Backgammon::from_board`] takes any other; [`Stakes`] are
//!   match, score and cube. There are no decisions about the cube.
//! - **Text**: plays in [`notation`], positions and matches in the [`formats`] of other programs.
//! - **Knowledge**: what checkers form ([`Backgammon::pips`] and its neighbours,
//!   [`hitting_rolls`](Backgammon::hitting_rolls)), counts for [`race`]s, a baseline [`eval`]uation, a move
//!   [`ordering`].
//!
//! Points are always a seat's own: both count from 24 down to 1, and one's point `p` is the other's `25 - p`.
//!
//! # Points and the cube
//! An [`Outcome`](gamecore::Outcome) says what happened on the board, in units of the cube: 1, 2 or 3 (with the Jacoby
//! rule and a centred cube always 1). So every search has the same narrow range of values, whatever is played for. What
//! that is worth, times the cube or at a match's score, is the business of [`Stakes::points`] and of evaluators.
//!
//! # Text
//! A position is `00000503000050000000000200/00000503000050000000000200 one 31 7:3-2 2-two`: for each seat, One first,
//! a digit (`f` is 15) for each of its points 1 to 24, its bar, and its checkers off; who is to move (`opening` before
//! the first throw); the dice or `-`; the match; the cube. The last three may be missing. Moves are notation with
//! commas, `8/5,6/5`; a roll is `31`, the first throw `3-1`, One's die first.
//!
//! # Examples
//! A game of random plays:
//! ```
//! use gamecore::{playout, random, uniform};
//! use games_backgammon::{Backgammon, Setup};
//!
//! let start = Backgammon::start(Setup::Standard);
//! let (end, outcome) = playout(start, &mut random::generator(1), &mut uniform);
//! assert_eq!(end.outcome(), Some(outcome));
//! assert!((1..=3).contains(&outcome.points().abs()));
//! ```
//! Rolls and plays by hand:
//! ```
//! use gamecore::{Draw, Game, Text};
//! use games_backgammon::{Backgammon, Setup, Throw, notation};
//!
//! let mut game = Backgammon::start(Setup::Standard);
//! game.try_resolve(Throw::Opening { one: 3, two: 1 })?;
//! let play = notation::parse(&game, "8/5 6/5")?;
//! game.try_play(play)?;
//! assert_eq!(game.to_string(), "00002402000050000000000200/00000503000050000000000200 two - money 1");
//! println!("{}", game.picture(None));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
#![forbid(unsafe_code)]

mod dice;
mod draw;
pub mod eval;
pub mod formats;
mod generate;
mod moves;
pub mod notation;
mod order;
pub mod race;
mod setup;
mod side;
mod stakes;
mod state;
mod structure;
mod symmetry;
mod text;

pub use dice::{Dice, Throw};
pub use moves::{CheckerMove, Move};
pub use order::ordering;
pub use setup::{Setup, SetupError};
pub use stakes::{Cube, HIGHEST_CUBE, HIGHEST_SCORE, LONGEST_MATCH, Stakes, StakesError};
pub use state::Backgammon;
pub use structure::Prime;
pub use symmetry::Sym;

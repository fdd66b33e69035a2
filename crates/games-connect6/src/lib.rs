//! Connect6 as one [`Game`](gamecore::Game), and its family Connect(m, n, k, p, q) on square boards of up to 20x20.
//!
//! - **Rules**: [`Rules`] (size, row, stones a turn) and [`Connect6`], the state. A move is one stone, a [`Point`]; whoever has
//!   two in a turn moves twice. A row of six or more wins with the stone that completes it; a full board is drawn.
//! - **Text**: a stone is two letters, `JJ`, column and row from the top left, as engines exchange them; positions are rows, seat,
//!   stones left in the turn and rules.
//! - **Records** of other programs, read and written: [`formats`].
//! - **Threats** of games with two stones a turn: [`Threats`], how many there are and all that stops them; [`winning`], all turns that
//!   win at once; [`Vcdt`], wins by continuous double threats with the lines that prove them. They work on [`Windows`], a
//!   [`Track`](gamecore::Track) of the game that also says which points look good.
//! - **For searches**: [`Narrowed`], the game with the stones that matter; [`eval::Count`], an evaluation that counts windows, and
//!   [`eval::Forcing`], which adds wins by double threats.
//! - **Random games**: [`Connect6::random_outcome`] plays one to its end several times as fast as move by move.
//!
//! # Examples
//! A game of random moves:
//! ```
//! use gamecore::{playout, random, uniform};
//! use games_connect6::Connect6;
//!
//! let (end, outcome) = playout(Connect6::default(), &mut random::generator(1), &mut uniform);
//! assert_eq!(end.outcome(), Some(outcome));
//! ```
//! Moves by hand:
//! ```
//! use gamecore::{Draw, Game, Player, Text, Turn};
//! use games_connect6::Connect6;
//!
//! let mut game = Connect6::default();
//! for name in ["JJ", "KJ", "JK"] {
//!     game.try_play(game.parse_move(name)?)?;
//! }
//! assert_eq!((game.turn(), game.left()), (Turn::Decide(Player::One), 2));
//! println!("{}", game.picture(None));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
#![forbid(unsafe_code)]

mod draw;
pub mod eval;
pub mod formats;
pub mod learned;
mod narrow;
mod rules;
mod state;
mod symmetry;
mod text;
mod threats;
mod vcdt;

pub use lines::{Forced, OutOfNodes, Point, Sym, Windows};
pub use narrow::{CANDIDATES, Narrowed, Urgent};
pub use rules::{LONGEST, Rules, RulesError, SHORTEST, SetupError, USUAL};
pub use state::Connect6;
pub use text::{NO_STONE, letters, turn_text};
pub use threats::{Missing, Threats, Winning, winning};
pub use vcdt::Vcdt;

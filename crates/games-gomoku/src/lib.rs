//! Gomoku as one [`Game`](gamecore::Game), in four rule sets and on boards of 5x5 to 20x20.
//!
//! - **Rules**: [`Rule`] (freestyle, standard, renju, caro) and [`Gomoku`], the state. A move is a [`Point`]; stones stay where
//!   they are; who cannot move has drawn.
//! - **Text**: points as people write them, `h8`, and as programs do, `7,7`; positions as rows, seat and rules,
//!   `15/15/15/15/15/15/15/7x7/15/15/15/15/15/15/15 two freestyle`.
//! - **Formats of other programs**: [`formats`], records of Piskvork and the Smart Game Format.
//! - **A fair opening**: [`Swap2`], whose stones are whose, before the game itself.
//! - **Patterns and forced wins** are [`lines`]': [`Gomoku::patterns`] and [`lines::Vcf`]. [`lines::Patterns`] is a
//!   [`Track`](gamecore::Track) of this game.
//! - **For searches**: [`Narrowed`], the game with the moves that matter, and [`eval::Shapes`], a pattern evaluation of it that
//!   knows wins by fives and fours.
//!
//! # Examples
//! A game of random moves:
//! ```
//! use gamecore::{playout, random, uniform};
//! use games_gomoku::{Gomoku, Rule, USUAL};
//!
//! let start = Gomoku::start(Rule::Freestyle, USUAL)?;
//! let (end, outcome) = playout(start, &mut random::generator(1), &mut uniform);
//! assert_eq!(end.outcome(), Some(outcome));
//! # Ok::<(), games_gomoku::SetupError>(())
//! ```
//! Moves by hand, and a forced win:
//! ```
//! use gamecore::{Draw, Game, Text};
//! use games_gomoku::Gomoku;
//! use lines::{Forced, Vcf};
//!
//! let mut game: Gomoku = "9/9/9/3xx4/3o5/3o5/9/9/9 one standard".parse()?;
//! for name in ["f6", "g6", "c6", "b6"] {
//!     game.try_play(game.parse_move(name)?)?;
//! }
//! println!("{}", game.picture(None));
//! assert_eq!(Vcf::default().win(&game.patterns(), game.mover()), Forced::No);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
#![forbid(unsafe_code)]

mod draw;
pub mod eval;
pub mod formats;
mod narrow;
mod rules;
mod state;
pub mod swap2;
mod symmetry;
mod text;
mod weights;

pub use lines::{Point, Sym};
pub use narrow::{CANDIDATES, Narrowed};
pub use rules::{Rule, SMALLEST, SetupError, USUAL, UnknownRule};
pub use state::Gomoku;
pub use swap2::Swap2;

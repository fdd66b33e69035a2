//! Games in which a row of stones wins: boards, patterns, forced wins.
//!
//! What gomoku, Connect6 and their relatives share:
//!
//! - [`Board`]: stones on up to 20x20 points; whether a stone completed a row; a random empty point. This is what a game's state
//!   holds.
//! - [`RandomEnd`]: how a game of random stones ends, played out at once.
//! - [`parse_rows`], [`Board::rows_text`]: a board as text; [`Sym`]: turned and reflected.
//! - [`Patterns`]: what a stone would make on every empty point: an open three, a four, a five. Too big for a state; it
//!   follows a line of play (a [`Track`](gamecore::Track)).
//! - [`Windows`]: the same for games of several stones a turn: how many stones each seat has in every row of points. Another
//!   [`Track`](gamecore::Track).
//! - [`Vcf`]: wins by continuous fours, with the line that proves them, and all defences.
//! - [`Vct`]: wins by threats, fours and open threes, where the defender's answers are known to be all.
//! - [`renju::forbidden`]: what Black may not do in renju.
//!
//! What wins is a [`Goal`]: how long a row must be, and whether a longer or a closed one counts. How many stones a turn has is
//! said by [`Turns`]. Rules beyond that are the games' own.
//!
//! The decision that a reader will question: a board keeps its stones four times, by row, column and both diagonals. A stone
//! costs four words to write, but then every line is one word, and rows and surroundings are found by shifting it.
//!
//! # Examples
//! ```
//! use gamecore::Player;
//! use lines::{Board, Goal, Point};
//!
//! let mut board = Board::new(15).unwrap();
//! for i in 3..8 {
//!     board.place(Point::new(i, i).unwrap(), Player::One);
//! }
//! let last = Point::new(7, 7).unwrap();
//! assert!(board.wins_at(last, Player::One, Goal::EXACTLY_FIVE));
//! ```
#![forbid(unsafe_code)]

mod board;
mod fill;
mod goal;
mod patterns;
mod point;
pub mod renju;
mod rows;
mod symmetry;
mod table;
mod turns;
mod vcf;
mod vct;
mod windows;

pub use board::{Board, stone_key};
pub use fill::RandomEnd;
pub use goal::{Goal, GoalError, Row};
pub use patterns::Patterns;
pub use point::{Direction, LARGEST, Point, PointSet};
pub use rows::{RowsError, parse_rows};
pub use symmetry::Sym;
pub use table::{Made, PAIRS, pair_index};
pub use turns::Turns;
pub use vcf::{Forced, OutOfNodes, Vcf, wins_by};
pub use vct::{Vct, stops};
pub use windows::{WEIGHTS, Window, Windows};

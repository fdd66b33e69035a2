//! Backgammon as one [`Game`](gamecore::Game): rules, notation, formats, knowledge.
#![forbid(unsafe_code)]

mod dice;
pub mod formats;
mod draw;
pub mod eval;
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
mod text;

pub use dice::{Dice, Throw};
pub use moves::{CheckerMove, Move};
pub use order::ordering;
pub use setup::{Setup, SetupError};
pub use stakes::{Cube, HIGHEST_CUBE, HIGHEST_SCORE, LONGEST_MATCH, Stakes, StakesError};
pub use state::Backgammon;
pub use structure::Prime;

//! Small games to try searches, agents and programs on.
//!
//! | toy | for |
//! |---|---|
//! | [`Nim`] | the smallest game; solved by a formula |
//! | [`TicTacToe`] | text, eight symmetries, pictures; solvable in a moment |
//! | [`DoubleStep`] | two moves a turn, as in Connect6 |
//! | [`Pig`] | dice, several decisions in a row, positions that come back |
//! | [`Tree`], [`DecisionTree`] | any game tree at all, random or by hand, with its exact value |
//! | [`Countdown`], [`Slow`] | games that outlast every clock |

mod double_step;
mod long;
mod nim;
mod pig;
mod tictactoe;
mod tree;

pub use double_step::DoubleStep;
pub use long::{Countdown, Slow};
pub use nim::Nim;
pub use pig::{Pig, PigMove};
pub use tictactoe::TicTacToe;
pub use tree::{DecisionTree, Node, Tree, TreeChance, TreeShape, TreeValue};

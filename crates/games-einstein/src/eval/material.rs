//! All stones.

use gamecore::{Evaluator, Player};

use super::{squash, stones_and_faces};
use crate::state::Einstein;

/// Adds up all living stones: each counts for being there, for its progress, and for the faces that move it.
///
/// A stone `d` steps from its goal that may move in `f` of the six faces counts `1 + (4 - d) * (1 + f / 2)`; half a
/// stone's step is added for the seat to move; and the value is `0.99 * tanh(lead / 10)`. The plain evaluation of
/// teaching programs, kept for comparison: in this game many stones far back are worth little.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Material;

impl Evaluator<Einstein> for Material {
    fn value(&self, game: &Einstein) -> f32 {
        let sum = |seat: Player| -> f32 {
            stones_and_faces(game, seat).map(|(d, f)| 1.0 + f32::from(4 - d.min(4)) * (1.0 + f / 2.0)).sum()
        };
        game.mover.sign() * squash((sum(game.mover) - sum(game.mover.other()) + 0.75) / 10.0)
    }
}

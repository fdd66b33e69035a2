//! Distances alone.

use gamecore::{Evaluator, Player};

use super::squash;
use crate::lanes::{lane, shifts};
use crate::state::Einstein;

/// Compares the steps that the two sides' nearest stones are from the goal, found breadth first over the rules' steps.
///
/// The value is `0.99 * tanh((theirs - ours + 1/2) / 2)` for the seat to move. It knows nothing of dice: simple, quick,
/// and a sparring partner for the others. A side without stones counts as five steps away.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Distance;

impl Evaluator<Einstein> for Distance {
    fn value(&self, game: &Einstein) -> f32 {
        let t = game.tables.0;
        let nearest = |seat: Player| {
            let side = game.side(seat);
            shifts(side).map(|shift| t.distance(seat, lane(side, shift))).fold(5, u8::min)
        };
        let lead = f32::from(nearest(game.mover.other())) - f32::from(nearest(game.mover)) + 0.5;
        game.mover.sign() * squash(lead / 2.0)
    }
}

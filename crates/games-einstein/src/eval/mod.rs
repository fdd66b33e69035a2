//! What positions are worth.
//!
//! Each evaluator judges every rule set, needs no set-up and has the scale of a winning probability: `2p - 1` where
//! One is thought to win with probability `p`. A state that is not over is strictly between -1 and 1, so a proven
//! win is always better. Whether the die has been rolled makes no difference: the seat to move is the one that rolls.
//!
//! | evaluator | looks at | cost |
//! | --- | --- | --- |
//! | [`Distribution`] | when either side's first stone would be home | two table rows |
//! | [`Race`] | each side's fastest stone, by distance and how often its number comes | two table entries |
//! | [`Distance`] | the two sides' nearest stones | a few |
//! | [`Material`] | all stones: number, progress, mobility | a dozen table entries |

mod distance;
mod distribution;
mod index;
mod material;
mod race;

pub use distance::Distance;
pub use distribution::Distribution;
pub use material::Material;
pub use race::Race;

use gamecore::{Game, Player};

use crate::lanes::{WIDTH, lane, living_six};
use crate::moves::Move;
use crate::state::Einstein;

/// The logistic curve as a value between -1 and 1, a little inside.
fn squash(x: f32) -> f32 {
    0.99 * x.tanh()
}

/// For each of a seat's living stones: distance to the goal, and in how many of the six faces it may move.
///
/// In the standard game a captured number's face counts for both neighbours. In the variants the faces of captured
/// stones are shared evenly between all stones if the choice is free, and count for none otherwise.
fn stones_and_faces(game: &Einstein, seat: Player) -> impl Iterator<Item = (u8, f32)> {
    let t = game.tables.0;
    let side = game.side(seat);
    let set = living_six(side);
    let alive = crate::lanes::living(side).count_ones();
    let shared = if t.free_missing { (6 - set.count_ones()) as f32 / alive as f32 } else { 0.0 };
    crate::lanes::shifts(side).map(move |shift| {
        let i = shift / WIDTH;
        let faces = if t.standard { f32::from(index::faces(set, i)) } else { f32::from(i < 6) + shared };
        (t.distance(seat, lane(side, shift)), faces)
    })
}

/// [`Evaluator::after`](gamecore::Evaluator::after) as it is by default, for the rule sets that an override leaves out.
fn after_child(eval: &impl gamecore::Evaluator<Einstein>, game: &Einstein, m: Move) -> f32 {
    let next = game.after(m);
    match next.outcome() {
        Some(outcome) => eval.terminal(&next, outcome),
        None => eval.value(&next),
    }
}

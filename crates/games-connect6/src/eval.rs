//! What a position is worth.

use gamecore::{Bounds, Evaluator};

use crate::narrow::Narrowed;
use crate::windows::KINDS;

/// Counts windows, in points for [`Player::One`](gamecore::Player::One), and knows wins that are a turn away.
#[derive(Clone, Copy, Debug, Default)]
pub struct Count;

/// By stones in an open window: what it is worth to the seat to move.
const OWN: [i32; KINDS] = [0, 1, 4, 9, 20, 20, 0];
/// And to the other.
const OTHER: [i32; KINDS] = [0, 1, 4, 8, 10, 10, 0];
/// What each stone that is left in the turn is worth.
const STONE: i32 = 8;
/// A difference of sums that is worth half a point.
const HALF: f32 = 60.0;

impl Evaluator<Narrowed> for Count {
    #[inline]
    fn value(&self, game: &Narrowed) -> f32 {
        let mover = game.game().mover();
        if let Some(winner) = game.winner() {
            return winner.sign();
        }
        let sum = |player, weights: &[i32; KINDS]| -> i32 {
            game.windows().counts(player).iter().zip(weights).map(|(&n, weight)| i32::from(n) * weight).sum()
        };
        let ahead = sum(mover, &OWN) - sum(mover.other(), &OTHER) + STONE * i32::from(game.game().left());
        let ahead = ahead as f32;
        mover.sign() * ahead / (HALF + ahead.abs())
    }

    #[inline]
    fn bounds(&self, game: &Narrowed) -> Bounds {
        game.winner().map_or(Bounds::symmetric(1.0), |player| Bounds::exact(player.sign()))
    }
}

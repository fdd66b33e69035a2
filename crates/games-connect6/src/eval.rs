//! What a position is worth.

use gamecore::{Bounds, Evaluator, Game, Player};
use lines::Point;

use crate::narrow::Narrowed;
use crate::windows::KINDS;

/// Counts windows, in points for [`Player::One`](gamecore::Player::One), and knows wins that are a turn away.
#[derive(Clone, Copy, Debug, Default)]
pub struct Count;

/// What windows are worth to whoever has this many stones left in the turn; by the stones in an open window.
struct Weights {
    own: [f32; KINDS],
    other: [f32; KINDS],
    base: f32,
}

/// With one stone left, and with more.
const WEIGHTS: [Weights; 2] = [
    Weights { own: [0.0, 1.0, 4.0, 9.0, 15.0, 15.0, 0.0], other: [0.0, 1.0, 4.0, 8.0, 10.0, 10.0, 0.0], base: 8.0 },
    Weights { own: [0.0, 1.0, 4.0, 9.0, 15.0, 15.0, 0.0], other: [0.0, 1.0, 4.0, 8.0, 10.0, 10.0, 0.0], base: 16.0 },
];
/// A difference of sums that is worth half a point.
const HALF: f32 = 60.0;

/// The value for One by the numbers of open windows.
#[inline]
fn count(counts: &[[u16; KINDS]; 2], mover: Player, left: u8) -> f32 {
    let weights = &WEIGHTS[usize::from(left > 1)];
    let (own, other) = (&counts[mover], &counts[mover.other()]);
    let mut ahead = weights.base;
    for i in 1..KINDS {
        ahead += f32::from(own[i]) * weights.own[i] - f32::from(other[i]) * weights.other[i];
    }
    mover.sign() * ahead / (HALF + ahead.abs())
}

impl Evaluator<Narrowed> for Count {
    #[inline]
    fn value(&self, game: &Narrowed) -> f32 {
        if let Some(winner) = game.winner() {
            return winner.sign();
        }
        count(game.windows().both_counts(), game.game().mover(), game.game().left())
    }

    fn after(&self, game: &Narrowed, m: Point) -> f32 {
        let (bare, windows) = (game.game(), game.windows());
        let (mover, rules) = (bare.mover(), bare.rules());
        let counts = windows.counts_after(m, mover);
        if counts[mover][usize::from(rules.length())] > 0 {
            return mover.sign();
        }
        let (next, left) = if bare.left() > 1 { (mover, bare.left() - 1) } else { (mover.other(), rules.turns().each()) };
        if counts[next][usize::from(rules.length().saturating_sub(left))..].iter().any(|&n| n > 0) {
            return next.sign();
        }
        if windows.hot(&counts[next.other()]) > left.into() || bare.board().empty_count() < 2 {
            // Perhaps too many threats to stop.
            let after = game.after(m);
            return match after.game().outcome() {
                Some(outcome) => self.terminal(&after, outcome),
                None => self.value(&after),
            };
        }
        count(&counts, next, left)
    }

    #[inline]
    fn bounds(&self, game: &Narrowed) -> Bounds {
        game.winner().map_or(Bounds::symmetric(1.0), |player| Bounds::exact(player.sign()))
    }
}

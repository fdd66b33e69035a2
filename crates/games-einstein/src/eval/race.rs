//! The fastest stones.

use std::sync::LazyLock;

use gamecore::Evaluator;

use super::index::{self, Parent, VECTORS};
use super::stones_and_faces;
use crate::moves::Move;
use crate::state::Einstein;

/// Compares the two sides' fastest stones.
///
/// A stone `d` steps from its goal that may move in `f` of the six faces needs about `d * (1 + 1.5 / f)` turns, as this
/// evaluation has it; a side is as fast as its fastest stone; and the seat to move is half a turn ahead. The value is
/// `0.9 * tanh(lead / 3)`.
///
/// In the standard game all of it comes from tables. In the variants `f` counts a stone's own face, and the faces that
/// leave the choice free are shared evenly.
///
/// # Examples
/// ```
/// use gamecore::Evaluator;
/// use games_einstein::{Einstein, Rules, eval::Race};
///
/// let start = Einstein::start(Rules::STANDARD);
/// assert!(Race.value(&start) > 0.0); // One is to roll
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Race;

/// Entries of a row of [`Tables::values`]: more than there are different speeds.
const SPEEDS: usize = 32;

/// The standard game's evaluation.
struct Tables {
    /// For each index of a side: which of the different speeds its fastest stone has.
    speed: [u8; VECTORS],
    /// The value for the seat to move, by its own speed and its opponent's.
    values: [[f32; SPEEDS]; SPEEDS],
}

static TABLES: LazyLock<Box<Tables>> = LazyLock::new(|| {
    let mut tables = Box::new(Tables { speed: [0; VECTORS], values: [[0.0; SPEEDS]; SPEEDS] });
    let mut speeds: Vec<f64> = Vec::new();
    for i in 0..VECTORS {
        let (digits, set) = (index::digits(i), index::set(i));
        let fastest = (0..6)
            .filter(|&stone| digits[stone as usize] != 0)
            .map(|stone| turns(digits[stone as usize].into(), (2 * index::faces(set, stone)).into()))
            .fold(99.0, f64::min);
        let place = speeds.iter().position(|&s| s == fastest).unwrap_or_else(|| {
            speeds.push(fastest);
            speeds.len() - 1
        });
        tables.speed[i] = place as u8;
    }
    for (own, row) in speeds.iter().zip(&mut tables.values) {
        for (opponent, value) in speeds.iter().zip(row) {
            *value = lead(*own, *opponent) as f32;
        }
    }
    tables
});

/// The turns that a stone needs: `distance` steps, `weight` of twelve half faces.
fn turns(distance: f64, weight: f64) -> f64 {
    distance + 0.25 * (distance * 12.0 / weight)
}

/// The value for the seat to move.
fn lead(own: f64, opponent: f64) -> f64 {
    0.9 * ((opponent - own + 0.5) / 3.0).tanh()
}

impl Tables {
    #[inline(always)]
    fn value(&self, own: usize, opponent: usize) -> f32 {
        let speed = |index: usize| usize::from(self.speed[index]) & (SPEEDS - 1);
        self.values[speed(own)][speed(opponent)]
    }
}

/// The value by the formula, for any rule set.
fn direct(game: &Einstein) -> f32 {
    let fastest = |seat| stones_and_faces(game, seat).map(|(d, f)| turns(d.into(), 2.0 * f64::from(f))).fold(99.0, f64::min);
    (f64::from(game.mover.sign()) * lead(fastest(game.mover), fastest(game.mover.other()))) as f32
}

impl Evaluator<Einstein> for Race {
    #[inline]
    fn value(&self, game: &Einstein) -> f32 {
        if !game.tables.0.standard {
            return direct(game);
        }
        let (own, opponent) = (index::of(game.mover, game.own), index::of(game.mover.other(), game.opponent));
        game.mover.sign() * TABLES.value(own, opponent)
    }

    #[inline]
    fn after_all(&self, game: &Einstein, moves: &[Move], out: &mut Vec<f32>) {
        if !game.tables.0.standard {
            return out.extend(moves.iter().map(|&m| self.after(game, m)));
        }
        let (tables, parent) = (&**TABLES, Parent::of(game));
        let sign = game.mover.sign();
        out.extend(moves.iter().map(|&m| {
            let child = parent.child(m);
            let value = tables.value(child.next, child.moved);
            sign * if child.won { 1.0 } else { -value }
        }));
    }

    #[inline]
    fn after(&self, game: &Einstein, m: Move) -> f32 {
        if !game.tables.0.standard {
            return super::after_child(self, game, m);
        }
        let child = Parent::of(game).child(m);
        game.mover.sign() * if child.won { 1.0 } else { -TABLES.value(child.next, child.moved) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tables_hold_the_formula() {
        let (mut rng, mut seen) = (gamecore::random::generator(11), 0);
        for _ in 0..2000 {
            let mut g = Einstein::start(crate::Rules::STANDARD);
            gamecore::playout(g, &mut rng, &mut |state: &Einstein, rng: &mut _| {
                g = *state;
                assert_eq!(Race.value(&g), direct(&g), "{g}");
                seen += 1;
                gamecore::uniform(state, rng)
            });
        }
        assert!(seen > 10_000);
    }
}

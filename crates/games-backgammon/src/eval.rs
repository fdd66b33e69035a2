//! What positions are worth: a plain evaluation, made by hand, as a baseline.
//!
//! Values are points without the cube: a win counts 1, a gammon 2, a backgammon 3, as they do in an
//! [`Outcome`](gamecore::Outcome). Whether the dice have been rolled makes no difference: who is to move is taken to be
//! about to roll. In a match the score is not looked at.

use gamecore::{Bounds, Evaluator, Player};

use crate::moves::Move;
use crate::race::{adjusted, winning};
use crate::side::{BAR, HOME, IN_PLAY, OFF, POINTS, Side, mirrored, places};
use crate::stakes::Stakes;
use crate::state::Backgammon;

/// What a made point 1, 2, ... 24 is worth, in points of the game as all weights here.
const MADE: [f32; 24] = {
    let mut made = [0.0; 24];
    let (near, far) = ([-0.10, 0.01, -0.05, 0.05, 0.10, 0.07, 0.05, 0.03], [-0.01, 0.02, 0.08, -0.01, 0.05, -0.01, -0.05]);
    let mut i = 0;
    while i < 8 {
        made[i] = near[i];
        if i < 7 {
            made[17 + i] = far[i];
        }
        i += 1;
    }
    made
};
/// A pip.
const PIP: f32 = -0.0039;
/// A lead in the race, levelling off at sixty pips.
const LEAD: f32 = 0.30;
/// A blot that is certain to be hit: as it is, by the pips lost (of 24), and by the points made in the enemy's home (of 6).
const BLOT: [f32; 3] = [-0.02, -0.15, -0.21];
/// Each of up to two checkers on the bar: as it is, and by the square of the points made in the enemy's home (of 6).
const ENTER: [f32; 2] = [-0.05, -0.23];
/// Each of up to three enemies behind a run of 3, 4, 5 and 6 made points.
const PRIME: [f32; 4] = [0.03, 0.05, 0.03, 0.03];
/// A checker off.
const BORNE_OFF: f32 = 0.40 / 15.0;
/// A checker beyond three on a point.
const STACKED: f32 = -0.14 / 5.0;
/// A checker beyond two on the points 1 and 2.
const DEEP: f32 = -0.16 / 5.0;
/// Each of up to four checkers in the enemy's home or on the bar: as it is, and by the points made there (of 6).
const BACK: [f32; 2] = [-0.04 / 4.0, -0.19 / 4.0];
/// The points made in the home board (of 6): their square, and with each of up to two enemies on the bar.
const BOARD: [f32; 2] = [0.02, 0.24];

/// The share of rolls that miss so many enemies within six points, and (up to three) within the next six: rules of thumb.
const MISS_NEAR: [f32; 7] = [1.0, 0.64, 0.41, 0.262, 0.168, 0.107, 0.069];
const MISS_FAR: [f32; 4] = [1.0, 0.9, 0.81, 0.729];

/// What the next roll is worth, in points.
const TEMPO: f32 = 0.12;
/// Where values in contact level off, in points, if a game can be worth as much.
const CEILING: f32 = 2.5;
/// Pips of an average roll.
const ROLL_PIPS: f32 = 8.17;

/// An evaluation by hand: one look at what the checkers form, no search, no database.
///
/// In contact each side's features are weighed: pips and lead, points made in the home board and before it, anchors,
/// primes with enemies behind them, blots by how often and how badly they are hit, checkers on the bar, off, stacked
/// and out of play. The value is the difference of the two sides, plus the next roll. The weights were fitted to 806
/// positions' plays with prices of two strong programs, and lose 0.028 points a decision there and on 1048 others, on
/// which two variants of the ceiling were compared (random plays lose 0.15).
///
/// In a race [`keith`](crate::race::keith)'s counts go through [`kleinman`](crate::race::kleinman)'s approximation, and
/// a gammon is as likely as the loser's way home is longer than the winner's way off.
///
/// [`bounds`](Evaluator::bounds) are what the game can still bring: 1 against a side that has a checker off, 2
/// against one that has passed the winner's home, otherwise 3.
///
/// # Examples
/// ```
/// use gamecore::Evaluator;
/// use games_backgammon::{Backgammon, eval::Baseline};
///
/// let ahead: Backgammon = "22222200000000000000000003/00000555000000000000000000 one".parse()?;
/// assert!(Baseline.value(&ahead) > 0.9);
/// assert_eq!(Baseline.bounds(&ahead).low, -1.0); // One has checkers off
/// # Ok::<(), gamecore::TextError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Baseline;

impl Evaluator<Backgammon> for Baseline {
    #[inline]
    fn value(&self, game: &Backgammon) -> f32 {
        let [own, opponent] = &game.sides;
        game.mover.sign() * worth(own, opponent, game.stakes)
    }

    #[inline]
    fn after(&self, game: &Backgammon, m: Move) -> f32 {
        let mut sides = game.sides;
        m.sources().for_each(|(from, die)| Backgammon::step(&mut sides, from, die));
        let [own, opponent] = &sides;
        let sign = game.mover.sign();
        match Backgammon::points_won(*own, *opponent, game.stakes) {
            Some(points) => sign * f32::from(points),
            None => -sign * worth(opponent, own, game.stakes),
        }
    }

    #[inline]
    fn bounds(&self, game: &Backgammon) -> Bounds {
        let [own, opponent] = &game.sides;
        let (win, loss) = (most(own, opponent, game.stakes), most(opponent, own, game.stakes));
        match game.mover {
            Player::One => Bounds { low: -loss, high: win },
            Player::Two => Bounds { low: -win, high: loss },
        }
    }
}

/// The value for `own`, which is to roll.
#[inline]
fn worth(own: &Side, opponent: &Side, stakes: Stakes) -> f32 {
    let (win, loss) = (most(own, opponent, stakes), most(opponent, own, stakes));
    if !is_contact(own, opponent) {
        return race(own, opponent).clamp(-loss, win);
    }
    let sum = contact(own, opponent);
    let ceiling = if sum > 0.0 { win } else { loss }.min(CEILING);
    ceiling * (sum / ceiling).tanh()
}

/// The most that `winner` can still win.
#[inline]
fn most(winner: &Side, loser: &Side, stakes: Stakes) -> f32 {
    let behind = loser.occupied() & IN_PLAY & !((1 << 18) - 1) != 0;
    if loser.count(OFF) > 0 || !stakes.gammons_count() {
        1.0
    } else if behind || is_contact(winner, loser) {
        3.0
    } else {
        2.0
    }
}

#[inline]
fn is_contact(own: &Side, opponent: &Side) -> bool {
    let farthest = |side: &Side| (side.occupied() & IN_PLAY).checked_ilog2().unwrap_or(0);
    farthest(own) + farthest(opponent) > 23
}

/// The value in contact, without a ceiling.
fn contact(own: &Side, opponent: &Side) -> f32 {
    let lead = opponent.pips() as f32 - own.pips() as f32;
    // The lead counts for one side and against the other.
    let pips = 2.0 * LEAD * (lead / 60.0).tanh() - PIP * lead;
    TEMPO + pips + formation(own, opponent) - formation(opponent, own)
}

/// What the checkers of `own` form is worth.
fn formation(own: &Side, opponent: &Side) -> f32 {
    let made = own.stacked() & POINTS;
    let share = |points: u32| points as f32 / 6.0;
    let (home, enemy_home) = (share((made & HOME).count_ones()), share((opponent.stacked() & HOME).count_ones()));
    let mut sum: f32 = places(made).map(|p| MADE[p as usize % 24] + STACKED * f32::from(own.count(p).saturating_sub(3))).sum();
    // The bar comes before the first point: bit p is the enemy on place p - 1.
    let enemies = mirrored(opponent.occupied()) << 1 | u32::from(opponent.count(BAR) > 0);
    for blot in places(own.single() & POINTS) {
        // Those at most 6, and at most 12, before it.
        let before = u64::from(enemies & ((2 << blot) - 1)) << 11 >> blot;
        let (near, far) = ((before >> 6).count_ones().min(6), (before & 0x3F).count_ones().min(3));
        let hit = 1.0 - MISS_NEAR[near as usize] * MISS_FAR[far as usize];
        sum += hit * (BLOT[0] + BLOT[1] * (23 - blot) as f32 / 24.0 + BLOT[2] * enemy_home);
    }
    let bar = f32::from(own.count(BAR).min(2));
    sum += bar * (ENTER[0] + ENTER[1] * enemy_home * enemy_home);
    for (weight, length) in PRIME.into_iter().zip(3..) {
        let Some(from) = own.runs(length).checked_ilog2() else { break };
        sum += weight * opponent.sum(mirrored((1 << from) - 1) | 1 << BAR).min(3) as f32;
    }
    sum += BORNE_OFF * f32::from(own.count(OFF));
    sum += DEEP * f32::from((own.count(0) + own.count(1)).saturating_sub(2));
    let back = own.sum(IN_PLAY & !((1 << 18) - 1)).min(4) as f32;
    sum += back * (BACK[0] + BACK[1] * enemy_home);
    sum + home * (BOARD[0] * home + BOARD[1] * f32::from(opponent.count(BAR).min(2)))
}

/// The value in a race.
fn race(own: &Side, opponent: &Side) -> f32 {
    let p = winning(adjusted(own) as f32, adjusted(opponent) as f32);
    p * (1.0 + gammon(own, opponent)) - (1.0 - p) * (1.0 + gammon(opponent, own))
}

/// How likely the winner of a race wins a gammon: it compares the rolls that it needs with those that bring the loser's
/// checkers home and one off.
fn gammon(winner: &Side, loser: &Side) -> f32 {
    if loser.count(OFF) > 0 {
        return 0.0;
    }
    let rolls = (winner.sum(IN_PLAY) as f32 / 2.0).max(winner.pips() as f32 / ROLL_PIPS);
    let way: f32 = places(loser.occupied() & IN_PLAY & !HOME).map(|p| f32::from(loser.count(p)) * (p as f32 - 5.0)).sum();
    let needed = way / ROLL_PIPS + 0.7;
    crate::race::normal((needed - rolls) / 0.9)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn game(text: &str) -> Backgammon {
        text.parse().unwrap()
    }

    /// What everybody knows to be better is worth more.
    #[test]
    fn better_is_worth_more() {
        for (better, worse) in [
            // The golden point, the bar, the enemy's made board, a prime before two checkers, the next roll, a gammon at hand.
            (
                "00000503000050000002000000/00000503000050000000000200 one",
                "00000503000050000000000200/00000503000050000000000200 one",
            ),
            (
                "00000503000050000000000200/00000503000050000000000110 one",
                "00000503000050000000000200/00000503000050000000000200 one",
            ),
            (
                "00222222000000000000000102/00000503000050000000000200 two",
                "00222022200000000000000102/00000503000050000000000200 two",
            ),
            (
                "22222200000000000000000003/33333000000000000000000000 one",
                "22222200000000000000000003/33333000000000000000000000 two",
            ),
            (
                "1100000000000000000000000d/00000555000000000000000000 one",
                "1100000000000000000000000d/00000554000000000000000001 one",
            ),
        ] {
            let [a, b] = [better, worse].map(|text| Baseline.value(&game(text)));
            assert!(a > b, "{better}: {a}, {worse}: {b}");
        }
    }

    #[test]
    fn bounds_are_what_can_be_won() {
        for (text, low, high) in [
            ("00000503000050000000000200/00000503000050000000000200 one", -3.0, 3.0),
            ("00000503000050000000000200/00000503000050000000000200 two", -3.0, 3.0),
            ("22222200000000000000000003/00000555000000000000000000 one", -1.0, 2.0),
            ("00000555000000000000000000/22222200000000000000000003 two", -2.0, 1.0),
            ("22222200000000000000000003/22222200000000000000000003 one", -1.0, 1.0),
            ("00000555000000000000000000/00000555000000000000000000 one - money+jacoby", -1.0, 1.0),
            ("00000555000000000000000000/00000555000000000000000000 one - money+jacoby 2-one", -2.0, 2.0),
        ] {
            assert_eq!(Baseline.bounds(&game(text)), Bounds { low, high }, "{text}");
        }
    }
}

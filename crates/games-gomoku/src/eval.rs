//! What a position is worth.

use gamecore::{Bounds, Evaluator, Player, Tracked};
use lines::{Patterns, Point};

use crate::narrow::Narrowed;
use crate::rules::Rule;
use crate::state::Gomoku;

/// A pattern evaluation, in points for [`Player::One`]: counts what each seat's stones would make on the empty points, line by
/// line, more for the seat to move; and knows wins that are a move or two away.
///
/// Each kind of [`Made`](lines::Made) has a weight; the difference `d` of the two sums becomes `d / (200 + |d|)`, which stays between -1 and
/// 1 and has the slope of a logistic curve of `d / 100`. The weights are those of a logistic regression: who won 40,000 games of
/// the move that promises most (one in six drawn from the best five), given the counts of some positions.
///
/// # What is known
/// [`bounds`](Evaluator::bounds) close where the game is decided by fives and fours alone:
/// - the mover can make a five: won;
/// - the opponent has two winning points or more, or one that is forbidden to the mover: lost;
/// - the mover can make an open four or two fours at once, while the opponent has no winning point but perhaps that one: won.
///
/// In caro, where a four can have several answers, only the first is known.
///
/// # Examples
/// ```
/// use gamecore::{Bounds, Evaluator, Tracked};
/// use games_gomoku::{Gomoku, eval::Shapes};
///
/// let open_three: Gomoku = "9/9/9/9/2xxx4/9/5oo2/6o2/9 two".parse()?;
/// let threatened = Tracked::from(open_three.clone());
/// assert!(Shapes.value(&threatened) > 0.0);
/// // If it were One's turn, an open four would follow.
/// let winning = Tracked::from(open_three.passed().unwrap());
/// assert_eq!(Shapes.bounds(&winning), Bounds::exact(1.0));
/// # Ok::<(), gamecore::TextError>(())
/// ```
#[derive(Clone, Copy, Debug, Default)]
pub struct Shapes;

/// By kind of [`Made`](lines::Made): what an empty point that makes it is worth to the seat to move. Open fours and fives are known.
const OWN: [i32; 10] = [0, 0, 0, 0, 2, 4, 12, 16, 46, 46];
/// The same for the other seat.
const OTHER: [i32; 10] = [0, 0, 0, 0, 2, 3, 10, 17, 46, 46];
/// What it is worth to be on move.
const MOVE: i32 = 8;
/// A difference of sums that is worth half a point.
const HALF: f32 = 200.0;

impl Evaluator<Tracked<Gomoku, Patterns>> for Shapes {
    #[inline]
    fn value(&self, game: &Tracked<Gomoku, Patterns>) -> f32 {
        value(game.game(), game.track())
    }

    #[inline]
    fn bounds(&self, game: &Tracked<Gomoku, Patterns>) -> Bounds {
        bounds(game.game(), game.track())
    }
}

impl Evaluator<Narrowed> for Shapes {
    #[inline]
    fn value(&self, game: &Narrowed) -> f32 {
        value(game.game(), game.patterns())
    }

    #[inline]
    fn bounds(&self, game: &Narrowed) -> Bounds {
        bounds(game.game(), game.patterns())
    }
}

/// A value of [`Shapes`]' as it were if the difference of the sums behind it were greater by `by`: a step along the curve, which is
/// short where a game is nearly decided. 100 is a unit of the logistic curve.
#[must_use]
pub fn shifted(value: f32, by: f32) -> f32 {
    let sum = value * HALF / (1.0 - value.abs()).max(1e-6) + by;
    sum / (HALF + sum.abs())
}

/// Player One's chance of winning at a value of [`Shapes`]', 0 to 1, by the logistic curve that the weights were fitted with:
/// among games of a player without search. Values beyond -1 to 1 are taken for those.
///
/// # Examples
/// ```
/// use games_gomoku::eval::chance;
/// assert_eq!((chance(-1.0), chance(0.0), chance(1.0)), (0.0, 0.5, 1.0));
/// assert!((0.73..0.74).contains(&chance(1.0 / 3.0)));
/// ```
#[must_use]
pub fn chance(value: f64) -> f64 {
    let value = value.clamp(-1.0, 1.0);
    let sum = f64::from(HALF) * value / (1.0 - value.abs());
    1.0 / (1.0 + (-sum / 100.0).exp())
}

fn value(game: &Gomoku, patterns: &Patterns) -> f32 {
    let mover = game.mover();
    if let Some(winner) = winner(game, patterns) {
        return winner.sign();
    }
    let sum = |player, weights: &[i32; 10]| -> i32 {
        patterns.counts(player).iter().zip(weights).map(|(&n, weight)| i32::from(n) * weight).sum()
    };
    let ahead = (sum(mover, &OWN) - sum(mover.other(), &OTHER) + MOVE) as f32;
    mover.sign() * ahead / (HALF + ahead.abs())
}

fn bounds(game: &Gomoku, patterns: &Patterns) -> Bounds {
    winner(game, patterns).map_or(Bounds::symmetric(1.0), |player| Bounds::exact(player.sign()))
}

/// Who wins, where fives and fours alone decide.
pub(crate) fn winner(game: &Gomoku, patterns: &Patterns) -> Option<Player> {
    let (mover, opponent) = (game.mover(), game.mover().other());
    if !patterns.fives(mover).is_empty() {
        return Some(mover);
    }
    if game.rule() == Rule::Caro {
        return None;
    }
    let fives = patterns.fives(opponent);
    let only: Option<Point> = fives.first();
    match only {
        Some(_) if fives.len() > 1 => return Some(opponent),
        Some(point) if game.forbidden(point).is_some() => return Some(opponent),
        _ => {}
    }
    double_four(game, patterns).filter(|&p| only.is_none_or(|five| five == p)).map(|_| mover)
}

/// A point where the mover makes an open four or two fours at once; the point that the opponent needs for a five, if it is
/// one of several.
pub(crate) fn double_four(game: &Gomoku, patterns: &Patterns) -> Option<Point> {
    let five = patterns.fives(game.mover().other()).first();
    let mut found = None;
    for point in patterns.double_fours(game.mover()).filter(|&p| game.forbidden(p).is_none()) {
        if five.is_none() || five == Some(point) {
            return Some(point);
        }
        found = Some(point);
    }
    found
}

/// What a stone of `player` on an empty point is worth by what it makes: the sum over its lines, and more where threats
/// meet. A five is 10,000, an open four or two fours 2,000, a four with an open three 1,200, two open threes 600, quiet points below
/// 200.
pub(crate) fn worth(patterns: &Patterns, point: Point, player: Player) -> i32 {
    const LINE: [i32; 10] = [0, 1, 3, 6, 14, 12, 60, 50, 2000, 10_000];
    // Open threes in the low four bits, fours above.
    const THREATS: [u8; 10] = [0, 0, 0, 0, 0, 0, 1, 16, 0, 0];
    let (mut sum, mut threats) = (0, 0);
    for made in patterns.made_around(point, player) {
        sum += LINE[made as usize];
        threats += THREATS[made as usize];
    }
    sum + match (threats >> 4, threats & 15) {
        (2.., _) => 2000,
        (1, 1..) => 1200,
        (0, 2..) => 600,
        _ => 0,
    }
}

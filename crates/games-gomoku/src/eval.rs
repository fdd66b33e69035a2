//! What a position is worth.

use std::sync::LazyLock;

use gamecore::{Bounds, Evaluator, Player, Tracked};
use lines::{Made, PAIRS, Patterns, Point, pair_index};

use crate::narrow::Narrowed;
use crate::rules::Rule;
use crate::state::Gomoku;
use crate::weights;

/// A pattern evaluation, in points for [`Player::One`]: counts what each seat's stones would make on the empty points, the two best
/// lines of each point together, more for the seat to move; adds what the threats on the board are worth together; and knows wins
/// that are a move or two away.
///
/// Each pair of kinds of [`Made`] has a weight for the seat to move and one for the other, and each combination of [`threats`] has one. Their
/// sum `d`, in thousandths of a logistic unit, becomes `d / (2000 + |d|)`, which stays between -1 and 1 and has the slope of the
/// logistic curve. The weights are those of a logistic regression on games of `engines::gomoku` against itself, and are made by its
/// example `gomoku_weights`.
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

/// A sum of weights that is worth half a point.
const HALF: f32 = 2000.0;

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
/// short where a game is nearly decided. 1000 is a unit of the logistic curve.
#[must_use]
pub fn shifted(value: f32, by: f32) -> f32 {
    let sum = value * HALF / (1.0 - value.abs()).max(1e-6) + by;
    sum / (HALF + sum.abs())
}

/// How many combinations of [`threats`] there are.
pub const THREATS: usize = 1 << 9;

/// Which threats stand on the board, a bit each: points where `mover` makes, from the lowest bit, a four; a four and an open
/// three at once; an open three; two open threes; and the same for the opponent, with an open four or two fours at once as the fifth.
#[inline]
#[must_use]
pub fn threats(patterns: &Patterns, mover: Player) -> usize {
    const FOUR: usize = pair_index(Made::Four, Made::Nothing);
    const FOUR_THREE: usize = pair_index(Made::Four, Made::OpenThree);
    const THREE: usize = pair_index(Made::OpenThree, Made::Nothing);
    const TWO_THREES: usize = pair_index(Made::OpenThree, Made::OpenThree);
    const TWO_FOURS: usize = pair_index(Made::Four, Made::Four);
    const FIVE: usize = pair_index(Made::Five, Made::Nothing);
    let any = |counts: &[u16]| usize::from(counts.iter().fold(0, |all, n| all | n) != 0);
    let of = |pairs: &[u16; PAIRS]| {
        any(&pairs[FOUR..=FOUR_THREE])
            | any(&pairs[FOUR_THREE..=FOUR_THREE]) << 1
            | any(&pairs[THREE..=TWO_THREES]) << 2
            | any(&pairs[TWO_THREES..=TWO_THREES]) << 3
    };
    let theirs = patterns.pairs(mover.other());
    of(patterns.pairs(mover)) | of(theirs) << 4 | any(&theirs[TWO_FOURS..FIVE]) << 8
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
    let sum = |pairs: &[u16; PAIRS], weights: &[i16; PAIRS]| -> i32 {
        pairs.iter().zip(weights).map(|(&n, &weight)| i32::from(n as i16) * i32::from(weight)).sum()
    };
    let ahead = sum(patterns.pairs(mover), &weights::OWN)
        + sum(patterns.pairs(mover.other()), &weights::OTHER)
        + i32::from(weights::THREATS[threats(patterns, mover)]);
    let ahead = ahead as f32;
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
#[inline]
pub(crate) fn worth(patterns: &Patterns, point: Point, player: Player) -> i32 {
    WORTHS[usize::from(patterns.signature(point, player))].into()
}

/// By [`Patterns::signature`].
static WORTHS: LazyLock<Vec<i16>> = LazyLock::new(|| {
    const LINE: [i16; 10] = [0, 1, 3, 6, 14, 12, 60, 50, 2000, 10_000];
    // Open threes in the low four bits, fours above.
    const THREATS: [u8; 10] = [0, 0, 0, 0, 0, 0, 1, 16, 0, 0];
    let of = |signature: u16| {
        let kinds = [0, 4, 8, 12].map(|shift| usize::from(signature >> shift & 15).min(9));
        let sum = kinds.iter().fold(0i16, |sum, &kind| sum.saturating_add(LINE[kind]));
        let threats: u8 = kinds.iter().map(|&kind| THREATS[kind]).sum();
        sum.saturating_add(match (threats >> 4, threats & 15) {
            (2.., _) => 2000,
            (1, 1..) => 1200,
            (0, 2..) => 600,
            _ => 0,
        })
    };
    (0..=u16::MAX).map(of).collect()
});

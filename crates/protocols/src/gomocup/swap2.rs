//! Choices of the opening rule swap2: who goes first lays three stones; the other takes a colour, or lays two more and leaves the
//! choice.

use std::time::Duration;

use gamecore::random::below;
use gamecore::{Game, Turn};
use games_gomoku::{Gomoku, Point};
use rand::Rng;

/// Openings to choose from.
const OPENINGS: u32 = 8;
/// Pairs of further stones to choose from.
const PAIRS: u32 = 8;
/// Who is so much better, in points, has the better colour for sure.
const CLEAR: f64 = 0.1;
/// Opening stones lie within so many points of the middle.
const REACH: u8 = 4;

/// What to answer.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Choice {
    /// Take Black.
    Swap,
    /// Put these stones: three as an opening, one as White, or two to leave the choice.
    Stones(Vec<Point>),
}

/// What a position is worth to One, and its best move.
pub(super) type Judged = (f64, Option<Point>);

/// Chooses within `time`, given no stones, three or five, One to have played the first; `judge` searches a position for a time.
///
/// An opening is the most even of several at random. A colour is chosen by the value of the position; if that is
/// nearly even, two stones are put so that it becomes more even still.
pub(super) fn choose<R: Rng + ?Sized>(
    game: &Gomoku,
    time: Duration,
    rng: &mut R,
    judge: &mut impl FnMut(&Gomoku, Duration) -> Result<Judged, String>,
) -> Result<Choice, String> {
    let side = |(value, best): Judged| match best {
        Some(point) if value <= 0.0 => Choice::Stones(vec![point]),
        _ => Choice::Swap,
    };
    match game.board().count() {
        0 => {
            let (size, mut best) = (game.board().size(), None);
            let reach = REACH.min((size - 1) / 2);
            let points: Vec<Point> = game.board().points().filter(|p| distance(*p, size) <= reach).collect();
            for _ in 0..OPENINGS {
                let Some((after, stones)) = drawn(game, &points, 3, rng) else { continue };
                let (value, _) = judge(&after, time / OPENINGS)?;
                evener(&mut best, value, stones);
            }
            best.map(|(_, stones)| Choice::Stones(stones)).ok_or_else(|| "there is no room for three stones".into())
        }
        3 => {
            let judged = judge(game, time / 3)?;
            if judged.0.abs() >= CLEAR {
                return Ok(side(judged));
            }
            let near = |p: &Point| game.board().points().any(|q| !game.board().is_empty(q) && apart(*p, q) <= 2);
            let points: Vec<Point> = game.board().empty_points().filter(near).collect();
            let mut best = None;
            for _ in 0..PAIRS {
                let Some((after, stones)) = drawn(game, &points, 2, rng) else { continue };
                let (value, _) = judge(&after, time / 2 / PAIRS)?;
                evener(&mut best, value, stones);
            }
            let even = best.filter(|&(unevenness, _)| unevenness <= judged.0.abs());
            Ok(even.map_or_else(|| side(judged), |(_, stones)| Choice::Stones(stones)))
        }
        5 => Ok(side(judge(game, time)?)),
        n => Err(format!("SWAP2BOARD with {n} stones: there are 0, 3 or 5")),
    }
}

/// Keeps what is nearer to even.
fn evener(best: &mut Option<(f64, Vec<Point>)>, value: f64, stones: Vec<Point>) {
    if best.as_ref().is_none_or(|&(least, _)| value.abs() < least) {
        *best = Some((value.abs(), stones));
    }
}

/// The game after so many moves at random among `points`, and the moves.
fn drawn<R: Rng + ?Sized>(game: &Gomoku, points: &[Point], moves: usize, rng: &mut R) -> Option<(Gomoku, Vec<Point>)> {
    let (mut game, mut stones) = (game.clone(), Vec::new());
    while stones.len() < moves {
        let allowed: Vec<Point> =
            points.iter().copied().filter(|&p| game.board().is_empty(p) && game.forbidden(p).is_none()).collect();
        let point = *allowed.get(below(rng, allowed.len()))?;
        game.play(point);
        stones.push(point);
        if matches!(game.turn(), Turn::Over(_)) {
            return None;
        }
    }
    Some((game, stones))
}

/// From the middle, by the longer way along a row or column.
fn distance(point: Point, size: u8) -> u8 {
    let middle = size / 2;
    point.x().abs_diff(middle).max(point.y().abs_diff(middle))
}

fn apart(a: Point, b: Point) -> u8 {
    a.x().abs_diff(b.x()).max(a.y().abs_diff(b.y()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use gamecore::random::generator;
    use games_gomoku::Rule;

    const TIME: Duration = Duration::from_secs(1);

    fn laid(stones: &[(u8, u8)]) -> Gomoku {
        let mut game = Gomoku::start(Rule::Renju, 15).unwrap();
        stones.iter().for_each(|&(x, y)| game.play(Point::new(x, y).unwrap()));
        game
    }

    fn best() -> Option<Point> {
        Point::new(8, 8)
    }

    #[test]
    fn an_opening_is_the_evenest_of_several() {
        let mut seen = Vec::new();
        let mut judge = |game: &Gomoku, _: Duration| {
            let value = [0.4, -0.3, 0.05, 0.2, -0.06, 0.9, -1.0, 0.1][seen.len()];
            seen.push(game.clone());
            Ok((value, None))
        };
        let choice = choose(&laid(&[]), TIME, &mut generator(1), &mut judge).unwrap();
        let Choice::Stones(stones) = choice else { panic!("{choice:?}") };
        assert_eq!((stones.len(), seen.len()), (3, 8));
        let chosen = stones.iter().fold(laid(&[]), |game, &p| game.after(p));
        assert_eq!(chosen, seen[2]);
        assert!(stones.iter().all(|&p| distance(p, 15) <= 4));
        // The smallest board has just room enough.
        let small = Gomoku::start(Rule::Freestyle, 5).unwrap();
        assert!(choose(&small, TIME, &mut generator(1), &mut |_, _| Ok((0.0, None))).is_ok());
    }

    #[test]
    fn three_stones_leave_three_choices() {
        let three = laid(&[(7, 7), (8, 7), (9, 9)]);
        let asked = |value: f64, others: f64| {
            let mut judge = |game: &Gomoku, _: Duration| Ok((if game.board().count() == 3 { value } else { others }, best()));
            choose(&three, TIME, &mut generator(1), &mut judge).unwrap()
        };
        assert_eq!(asked(0.5, 0.0), Choice::Swap);
        assert_eq!(asked(-0.5, 0.0), Choice::Stones(vec![best().unwrap()]));
        let Choice::Stones(two) = asked(0.05, -0.01) else { panic!() };
        assert!(two.len() == 2 && two.iter().all(|&p| three.board().is_empty(p)) && two[0] != two[1]);
        // If nothing evener is found, the colour decides.
        assert_eq!(asked(0.05, -0.9), Choice::Swap);
        assert_eq!(asked(-0.05, 0.9), Choice::Stones(vec![best().unwrap()]));
    }

    #[test]
    fn five_stones_leave_a_colour() {
        let five = laid(&[(7, 7), (8, 7), (9, 9), (8, 8), (8, 6)]);
        for (value, choice) in [(0.01, Choice::Swap), (-0.01, Choice::Stones(vec![best().unwrap()]))] {
            assert_eq!(choose(&five, TIME, &mut generator(1), &mut |_, _| Ok((value, best()))), Ok(choice));
        }
        let four = laid(&[(7, 7), (8, 7), (9, 9), (8, 8)]);
        assert!(choose(&four, TIME, &mut generator(1), &mut |_, _| Ok((0.0, None))).unwrap_err().contains("0, 3 or 5"));
    }
}

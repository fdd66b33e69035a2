//! What to choose, by a judge of positions.

use gamecore::random::below;
use gamecore::{Game, Turn};
use lines::Point;
use rand::Rng;

use super::{Choice, Stage, Swap2};
use crate::state::Gomoku;

/// Openings to choose from.
const OPENINGS: u32 = 8;
/// Pairs of further stones to choose from.
const PAIRS: u32 = 8;
/// Who is so much better, in points, has the better colour for sure.
const CLEAR: f64 = 0.1;
/// Opening stones lie within so many points of the middle.
const REACH: u8 = 4;

/// What a judge says of a position.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Judged {
    /// What it is worth, in points for [`Player::One`](gamecore::Player::One), who is black.
    pub value: f64,
    /// The best move, if there is one.
    pub best: Option<Point>,
}

impl Swap2 {
    /// Chooses for whoever is asked, and says which stone to put then as White, if that is known; `None` if the opening is over.
    ///
    /// Three stones are the most even of eight openings drawn at random near the middle. A colour is taken by the value of the
    /// position; if that is nearly even, two stones are put instead that make it more even still, if there are such.
    ///
    /// `judge` is a search, for example: it is given a position and the share that it may spend on it of whatever there is to spend, 0 to 1;
    /// the shares of one choice come to at most 1.
    ///
    /// # Errors
    /// Those of `judge`.
    ///
    /// # Examples
    /// ```
    /// use gamecore::{Evaluator, Tracked, random};
    /// use games_gomoku::eval::Shapes;
    /// use games_gomoku::swap2::{Judged, Stage, Swap2};
    /// use games_gomoku::{Gomoku, Rule};
    ///
    /// // Who looks no move ahead.
    /// let mut judge = |game: &Gomoku, _share: f64| {
    ///     Ok::<_, std::convert::Infallible>(Judged { value: Shapes.value(&Tracked::from(game.clone())).into(), best: None })
    /// };
    /// let mut opening = Swap2::new(Rule::Freestyle, 15)?;
    /// while let Some((choice, _)) = opening.best(&mut random::generator(1), &mut judge)? {
    ///     opening.choose(choice)?;
    /// }
    /// assert!(matches!(opening.stage(), Stage::Over { .. }));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn best<R: Rng + ?Sized, E>(
        &self,
        rng: &mut R,
        judge: &mut impl FnMut(&Gomoku, f64) -> Result<Judged, E>,
    ) -> Result<Option<(Choice, Option<Point>)>, E> {
        let game = self.game();
        let side = |judged: Judged| match judged.best {
            Some(_) if judged.value <= 0.0 => (Choice::White, judged.best),
            _ => (Choice::Black, None),
        };
        match self.stage() {
            Stage::Three => {
                let (size, mut best) = (game.board().size(), None);
                let reach = REACH.min((size - 1) / 2);
                let points: Vec<Point> = game.board().points().filter(|p| distance(*p, size) <= reach).collect();
                for _ in 0..OPENINGS {
                    let Some((after, stones)) = drawn(game, &points, rng) else { continue };
                    evener(&mut best, judge(&after, 1.0 / f64::from(OPENINGS))?.value, stones);
                }
                Ok(best.map(|(_, stones)| (Choice::Three(stones), None)))
            }
            Stage::Four => {
                let judged = judge(game, 1.0 / 3.0)?;
                if judged.value.abs() >= CLEAR {
                    return Ok(Some(side(judged)));
                }
                let near = |p: &Point| game.board().points().any(|q| !game.board().is_empty(q) && apart(*p, q) <= 2);
                let points: Vec<Point> = game.board().empty_points().filter(near).collect();
                let mut best = None;
                for _ in 0..PAIRS {
                    let Some((after, stones)) = drawn(game, &points, rng) else { continue };
                    evener(&mut best, judge(&after, 0.5 / f64::from(PAIRS))?.value, stones);
                }
                let even = best.filter(|&(unevenness, _)| unevenness <= judged.value.abs());
                Ok(Some(even.map_or_else(|| side(judged), |(_, stones)| (Choice::Two(stones), None))))
            }
            Stage::Six => Ok(Some(side(judge(game, 1.0)?))),
            Stage::Over { .. } => Ok(None),
        }
    }
}

/// Keeps what is nearer to even.
fn evener<const N: usize>(best: &mut Option<(f64, [Point; N])>, value: f64, stones: [Point; N]) {
    if best.as_ref().is_none_or(|&(least, _)| value.abs() < least) {
        *best = Some((value.abs(), stones));
    }
}

/// The game after so many moves at random among `points`, and the moves.
fn drawn<const N: usize, R: Rng + ?Sized>(game: &Gomoku, points: &[Point], rng: &mut R) -> Option<(Gomoku, [Point; N])> {
    let (mut game, mut stones) = (game.clone(), Vec::new());
    while stones.len() < N {
        let allowed: Vec<Point> =
            points.iter().copied().filter(|&p| game.board().is_empty(p) && game.forbidden(p).is_none()).collect();
        let point = *allowed.get(below(rng, allowed.len()))?;
        game.play(point);
        stones.push(point);
        if matches!(game.turn(), Turn::Over(_)) {
            return None;
        }
    }
    Some((game, stones.try_into().ok()?))
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
    use crate::rules::Rule;
    use core::convert::Infallible;
    use gamecore::random::generator;

    fn laid(stones: &[(u8, u8)]) -> Swap2 {
        let stones: Vec<Point> = stones.iter().map(|&(x, y)| Point::new(x, y).unwrap()).collect();
        Swap2::of_stones(Rule::Renju, 15, &stones).unwrap()
    }

    fn best() -> Option<Point> {
        Point::new(8, 8)
    }

    /// What is chosen, and the sum of the shares.
    fn chosen(opening: &Swap2, mut value: impl FnMut(&Gomoku) -> f64) -> (Option<(Choice, Option<Point>)>, f64) {
        let mut shares = 0.0;
        let mut judge = |game: &Gomoku, share: f64| {
            shares += share;
            Ok::<_, Infallible>(Judged { value: value(game), best: best() })
        };
        let choice = opening.best(&mut generator(1), &mut judge).unwrap();
        (choice, shares)
    }

    #[test]
    fn an_opening_is_the_evenest_of_several() {
        let mut seen = Vec::new();
        let value = |game: &Gomoku| {
            seen.push(game.clone());
            [0.4, -0.3, 0.05, 0.2, -0.06, 0.9, -1.0, 0.1][seen.len() - 1]
        };
        let (choice, shares) = chosen(&laid(&[]), value);
        let Some((Choice::Three(stones), None)) = choice else { panic!("{choice:?}") };
        assert_eq!((seen.len(), shares), (8, 1.0));
        let mut opening = laid(&[]);
        opening.choose(Choice::Three(stones)).unwrap();
        assert_eq!(*opening.game(), seen[2]);
        assert!(stones.iter().all(|&p| distance(p, 15) <= 4));
        // The smallest board has just room enough.
        let small = Swap2::new(Rule::Freestyle, 5).unwrap();
        assert!(matches!(chosen(&small, |_| 0.0).0, Some((Choice::Three(_), None))));
    }

    #[test]
    fn three_stones_leave_three_choices() {
        let three = laid(&[(7, 7), (8, 7), (9, 9)]);
        let asked = |value: f64, others: f64| {
            let (choice, shares) = chosen(&three, |game| if game.board().count() == 3 { value } else { others });
            assert!(shares <= 1.0, "{shares}");
            choice.unwrap()
        };
        assert_eq!(asked(0.5, 0.0), (Choice::Black, None));
        assert_eq!(asked(-0.5, 0.0), (Choice::White, best()));
        let two = asked(0.05, -0.01).0;
        assert!(matches!(two, Choice::Two(_)) && three.clone().choose(two).is_ok(), "{two:?}");
        // If nothing evener is found, the colour decides.
        assert_eq!(asked(0.05, -0.9), (Choice::Black, None));
        assert_eq!(asked(-0.05, 0.9), (Choice::White, best()));
    }

    #[test]
    fn five_stones_leave_a_colour() {
        let five = laid(&[(7, 7), (8, 7), (9, 9), (8, 8), (8, 6)]);
        for (value, choice) in [(0.01, (Choice::Black, None)), (-0.01, (Choice::White, best()))] {
            assert_eq!(chosen(&five, |_| value), (Some(choice), 1.0));
        }
        let mut over = five.clone();
        over.choose(Choice::Black).unwrap();
        assert_eq!(chosen(&over, |_| 0.0), (None, 0.0));
        assert_eq!(five.best(&mut generator(1), &mut |_, _| Err("no judge")), Err("no judge"));
    }
}

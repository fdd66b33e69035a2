//! Databases as an evaluator.

use std::sync::Arc;

use gamecore::{Bounds, Evaluator, Game, Outcome, Player, Turn};
use games_backgammon::{Backgammon, Dice, Move};

use crate::database::Database;
use crate::one_sided::OneSided;
use crate::params::{Packed, Params};
use crate::two_sided::TwoSided;

/// An evaluator that knows endings: what the databases cover they value, all else the evaluator inside.
///
/// - Where the [two-sided](TwoSided) database has a position without dice, and no gammon can come (both sides have
///   a checker off, or gammons do not count), the value is known: [`bounds`](Evaluator::bounds) are equal and searches stop.
/// - Other races, both sides in the [one-sided](OneSided) database, get the value that they would have if each side played
///   for the fewest rolls, whatever the other rolls: the probability of being first, by convolution, and of a gammon for a
///   winner whose opponent has none off (by plays that save the gammon first).
///   With at most six checkers a side on the home board it is 0.0017 points from the truth on average and 0.027 at most (the test
///   `races_are_estimated_well` prints it).
/// - With dice rolled the value is that of the best play.
///
/// Values are points for [`Player::One`] without the cube, which are right in matches too, as outcomes have the same scale.
/// The evaluator inside must speak points as well: it leaves [`terminal`](Evaluator::terminal) as it is.
///
/// # Examples
/// ```
/// use std::sync::Arc;
/// use gamecore::{Bounds, Evaluator};
/// use games_backgammon::{Backgammon, eval::Baseline};
/// use games_backgammon_bearoff::{Params, TwoSided, WithBearOff};
///
/// let database = TwoSided::build(Params::new(6, 2)?, 0, |_, _| {})?;
/// let evaluator = WithBearOff::new(Baseline).with_two_sided(Arc::new(database));
/// // One has two checkers on the 6-point and one roll.
/// let game: Backgammon = "0000020000000000000000000d/1000000000000000000000000e one".parse()?;
/// assert_eq!(evaluator.bounds(&game), Bounds::exact(2.0 * 4.0 / 36.0 - 1.0));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct WithBearOff<E> {
    inner: E,
    one_sided: Option<Arc<OneSided>>,
    two_sided: Option<Arc<TwoSided>>,
}

impl<E> WithBearOff<E> {
    /// Without a database yet: the evaluator inside.
    pub const fn new(inner: E) -> Self {
        Self { inner, one_sided: None, two_sided: None }
    }

    /// With the races of a one-sided database.
    #[must_use]
    pub fn with_one_sided(self, database: Arc<OneSided>) -> Self {
        Self { one_sided: Some(database), ..self }
    }

    /// With the exact values of a two-sided database.
    #[must_use]
    pub fn with_two_sided(self, database: Arc<TwoSided>) -> Self {
        Self { two_sided: Some(database), ..self }
    }

    /// With a database of either kind, in place of one of its kind that is there.
    #[must_use]
    pub fn with_database(self, database: Database) -> Self {
        match database {
            Database::OneSided(database) => self.with_one_sided(database),
            Database::TwoSided(database) => self.with_two_sided(database),
        }
    }

    /// The databases that are there.
    pub fn databases(&self) -> impl Iterator<Item = Database> {
        let one_sided = self.one_sided.clone().map(Database::OneSided);
        one_sided.into_iter().chain(self.two_sided.clone().map(Database::TwoSided))
    }

    /// Whether there is nothing but the evaluator inside.
    const fn is_bare(&self) -> bool {
        self.one_sided.is_none() && self.two_sided.is_none()
    }

    /// The exact value for the mover, about to roll.
    fn exact(&self, game: &Backgammon) -> Option<f32> {
        let database = self.two_sided.as_deref()?;
        let sides = sides(game, database.params())?;
        (most(game) == (1.0, 1.0)).then(|| (2.0 * database.wins_at(sides) - 1.0) as f32)
    }

    /// The estimated value for the mover, about to roll.
    fn race(&self, game: &Backgammon) -> Option<f32> {
        let database = self.one_sided.as_deref()?;
        let sides = sides(game, database.params())?;
        let [own, other] = sides.map(|side| database.all_off_at(side));
        let mut value = 2.0 * own.first_against(other) - 1.0;
        let (win, loss) = most(game);
        if win > 1.0 {
            value += own.first_against(database.next_off_at(sides[1]));
        }
        if loss > 1.0 {
            value -= 1.0 - database.next_off_at(sides[0]).first_against(other);
        }
        Some((value as f32).clamp(-loss, win))
    }

    /// What the databases say for [`Player::One`], who or whose opponent is about to roll.
    fn known(&self, game: &Backgammon) -> Option<f32> {
        // Not `-value`: there is one zero only.
        let value = self.exact(game).or_else(|| self.race(game))?;
        Some(if game.mover() == Player::One { value } else { 0.0 - value })
    }
}

impl<E: Evaluator<Backgammon>> Evaluator<Backgammon> for WithBearOff<E> {
    fn value(&self, game: &Backgammon) -> f32 {
        let known = match game.turn() {
            Turn::Chance(Dice::Turn) => self.known(game),
            // Without dice it would be known: then all that it leads to is.
            Turn::Decide(mover) if self.known(game).is_some() => {
                let mut moves = <Backgammon as Game>::Moves::default();
                game.moves(&mut moves);
                let values = moves.iter().map(|&m| self.after(game, m));
                values.reduce(if mover == Player::One { f32::max } else { f32::min })
            }
            Turn::Chance(Dice::Opening) | Turn::Decide(_) | Turn::Over(_) => None,
        };
        known.unwrap_or_else(|| self.inner.value(game))
    }

    fn after(&self, game: &Backgammon, m: Move) -> f32 {
        if self.is_bare() {
            return self.inner.after(game, m);
        }
        let next = game.after(m);
        match next.outcome() {
            Some(outcome) => self.inner.terminal(&next, outcome),
            None => self.known(&next).unwrap_or_else(|| self.inner.after(game, m)),
        }
    }

    fn after_all(&self, game: &Backgammon, moves: &[Move], out: &mut Vec<f32>) {
        if self.is_bare() {
            return self.inner.after_all(game, moves, out);
        }
        // The evaluator inside may be faster with all of them; it need not be asked where all are known.
        if self.known(game).is_some() {
            return out.extend(moves.iter().map(|&m| self.after(game, m)));
        }
        let start = out.len();
        self.inner.after_all(game, moves, out);
        for (&m, value) in moves.iter().zip(out.iter_mut().skip(start)) {
            let next = game.after(m);
            if next.outcome().is_none() {
                *value = self.known(&next).unwrap_or(*value);
            }
        }
    }

    fn terminal(&self, game: &Backgammon, outcome: Outcome) -> f32 {
        self.inner.terminal(game, outcome)
    }

    fn bounds(&self, game: &Backgammon) -> Bounds {
        let exact = match game.turn() {
            Turn::Chance(Dice::Turn) => self.exact(game),
            Turn::Decide(_) => None,
            Turn::Chance(Dice::Opening) | Turn::Over(_) => return self.inner.bounds(game),
        };
        let (win, loss) = most(game);
        let covered = |params: Params| sides(game, params).is_some();
        let (low, high) = match exact {
            Some(value) => (value, value),
            // Where `value` does not ask the evaluator inside.
            None if self.one_sided.as_ref().is_some_and(|database| covered(database.params()))
                || (win, loss) == (1.0, 1.0) && self.two_sided.as_ref().is_some_and(|database| covered(database.params())) =>
            {
                (-loss, win)
            }
            None => return self.inner.bounds(game),
        };
        // Not `-value`: there is one zero only.
        if game.mover() == Player::One { Bounds { low, high } } else { Bounds { low: 0.0 - high, high: 0.0 - low } }
    }
}

/// What `loser` can lose beyond a single game in a race: 1 if a gammon is possible. A backgammon is not, as all checkers are on
/// the first sixteen points.
fn gammon_points(game: &Backgammon, loser: Player) -> f32 {
    f32::from(u8::from(game.borne_off(loser) == 0 && game.stakes().gammons_count()))
}

/// What the mover can win in a race and what it can lose.
fn most(game: &Backgammon) -> (f32, f32) {
    (1.0 + gammon_points(game, game.mover().other()), 1.0 + gammon_points(game, game.mover()))
}

/// The mover's checkers and the opponent's, if it is a race and a database has both sides.
#[inline]
fn sides(game: &Backgammon, params: Params) -> Option<[Packed; 2]> {
    // Cheap for the many positions that are far from it.
    if game.is_contact() {
        return None;
    }
    let most = u32::from(params.points()) * u32::from(params.checkers());
    let pips = Player::BOTH.map(|seat| game.pips(seat));
    if pips.iter().any(|&pips| pips > most) {
        return None;
    }
    let side = |seat: Player| {
        let (mut packed, mut checkers, mut rest) = (0, 0, pips[seat]);
        for point in 1..=params.points() {
            let count = game.checkers(seat, point);
            packed |= Packed::from(count) << (4 * (point - 1));
            checkers += count;
            rest -= u32::from(count) * u32::from(point);
        }
        // Pips that are left are those of checkers beyond the points.
        (rest == 0 && checkers <= params.checkers()).then_some(packed)
    };
    Some([side(game.mover())?, side(game.mover().other())?])
}

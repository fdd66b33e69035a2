//! The game with the moves that matter, for searches.

use core::cmp::Reverse;
use core::fmt;
use core::hash::{Hash, Hasher};

use arrayvec::ArrayVec;
use gamecore::{Game, Never, Player, Track, Turn};
use lines::{Point, Windows};
use rand::Rng;

use crate::learned::{Net, Sight, situation};
use crate::state::{Connect6, MOST_MOVES};
use crate::threats::Threats;

/// Stones of a quiet position that are worth a look, unless told otherwise: of a turn's first, and of the others.
pub const CANDIDATES: [u8; 2] = [14, 14];

/// Connect6 with its windows and a short list of moves: what the engine's searches look at.
///
/// A turn has some 60,000 pairs of stones, and nearly all of them lose time. The list holds, the most promising first:
/// 1. if the mover can fill a window with what is left of the turn: a point of it;
/// 2. if the opponent could in the next turn: the points of one such window that leave the others to the rest of the turn. Every
///    turn that stops all has a stone there, so nothing is left out, and a pair is not found twice;
/// 3. otherwise the [`CANDIDATES`] points that [promise](Self::promise) most.
///
/// A turn's second stone is looked for in the same way, given the first.
///
/// It is made from a [`Connect6`] and has the same moves and keys, so a search of it sits in a seat of the bare game.
#[derive(Clone)]
pub struct Narrowed {
    game: Connect6,
    windows: Windows,
    /// With a net.
    sight: Option<Box<Sight>>,
    width: [u8; 2],
    also: ArrayVec<Point, ALSO>,
    /// With so many stones, `also` counts no longer.
    until: u16,
}

/// Points that [`Narrowed::with_points`] adds, at most.
const ALSO: usize = 40;

/// What is urgent.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Urgent {
    /// The mover completes a row with the stones that are left; this is one of its points.
    Win(Point),
    /// The next stones that may stop all of the opponent's threats; empty if there are too many of them.
    Block(ArrayVec<Point, 2>),
    /// Nothing is.
    Nothing,
}

impl Narrowed {
    /// With so many candidates instead of [`CANDIDATES`], at least 1: of a turn's first stone, and of the others.
    #[must_use]
    pub fn with_width(self, width: [u8; 2]) -> Self {
        Self { width: width.map(|n| n.max(1)), ..self }
    }

    /// With these points, at most 40, among the candidates of the rest of this turn: where the opponent's threats would run.
    #[must_use]
    pub fn with_points(self, points: impl IntoIterator<Item = Point>) -> Self {
        let also = points.into_iter().filter(|&p| self.game.board().is_empty(p)).take(ALSO).collect();
        let until = self.game.board().count() + u16::from(self.game.left());
        Self { also, until, ..self }
    }

    /// The points that [`with_points`](Self::with_points) added for this turn.
    #[must_use]
    pub fn points(&self) -> &[Point] {
        if self.game.board().count() < self.until { &self.also } else { &[] }
    }

    /// The bare game.
    #[inline]
    #[must_use]
    pub fn game(&self) -> &Connect6 {
        &self.game
    }

    /// How far each seat has come.
    #[inline]
    #[must_use]
    pub fn windows(&self) -> &Windows {
        &self.windows
    }

    /// For experiments, and for learning: with values and candidates as [learned](crate::learned), where that was for this game; without,
    /// windows are counted.
    #[must_use]
    pub fn with_net(self, net: Option<&'static Net>) -> Self {
        let sight = net.filter(|_| self.game.rules().is_learned()).map(|net| Box::new(Sight::new(self.game.board(), net)));
        Self { sight, ..self }
    }

    /// How good a move looks, in hundredths of a logit: as learned with a net; otherwise what it adds to the mover's windows and
    /// four fifths of what it takes from the opponent's.
    #[inline]
    #[must_use]
    pub fn promise(&self, m: Point) -> i32 {
        let mover = self.game.mover();
        match &self.sight {
            Some(sight) => sight.promise(m, situation(mover, self.game.left())),
            None => promise(self.windows.weight(mover, m), self.windows.weight(mover.other(), m)) as i32,
        }
    }

    /// What is known of the position for the [learned](crate::learned) evaluation.
    #[inline]
    pub(crate) fn sight(&self) -> Option<&Sight> {
        self.sight.as_deref()
    }

    /// What rows that are a turn away leave to do. Of the opponent's threats, in games of more than two stones a turn, nothing
    /// is said.
    #[must_use]
    pub fn urgent(&self) -> Urgent {
        let (windows, mover, left) = (&self.windows, self.game.mover(), self.game.left());
        if windows.can_win(mover, left) {
            let mut rows =
                (1..=left.min(windows.length())).flat_map(|lacks| windows.with_stones(mover, windows.length() - lacks));
            if let Some(point) = rows.find_map(|window| window.missing().next()) {
                return Urgent::Win(point);
            }
        }
        let each = self.game.rules().turns().each();
        if each > 2 || !windows.can_win(mover.other(), each) {
            return Urgent::Nothing;
        }
        let threats = Threats::within(windows, mover.other(), each);
        let rows = threats.rows();
        let stops = |a: Point| {
            let mut rest = rows.iter().filter(|row| !row.contains(a));
            match rest.next() {
                None => true,
                // The second stone has to stop what is left.
                Some(next) => left > 1 && next.points().iter().any(|&b| rest.clone().all(|row| row.contains(b))),
            }
        };
        // One of the stones is a point of the first row.
        let first = rows.first().map_or(&[][..], |row| row.points());
        Urgent::Block(first.iter().copied().filter(|&a| stops(a)).collect())
    }

    /// Whether the opponent could complete a row in its next turn, so that the list of moves is what stops that (or a win). Searches do
    /// not count such decisions.
    #[inline]
    #[must_use]
    pub fn is_forced(&self) -> bool {
        let each = self.game.rules().turns().each();
        each <= 2 && self.windows.can_win(self.game.mover().other(), each)
    }

    /// Who wins, where the rows that are a turn away alone decide.
    #[must_use]
    pub fn winner(&self) -> Option<Player> {
        let (mover, left) = (self.game.mover(), self.game.left());
        if self.windows.can_win(mover, left) {
            return Some(mover);
        }
        if self.hot(self.windows.all_alive(), mover.other()) <= left.into() {
            // Each stone stops one.
            return None;
        }
        matches!(self.urgent(), Urgent::Block(stops) if stops.is_empty()).then(|| mover.other())
    }

    /// Of these windows those that a whole turn of `player`'s can fill.
    #[inline]
    pub(crate) fn hot(&self, alive: &[[u16; 7]; 2], player: Player) -> u16 {
        let (length, each) = (self.windows.length(), self.game.rules().turns().each());
        alive[player][usize::from(length.saturating_sub(each))..usize::from(length)].iter().sum()
    }

    /// The points that promise most, the best first.
    fn promising(&self, most: usize, out: &mut <Connect6 as Game>::Moves) {
        let mover = self.game.mover();
        let Some(sight) = &self.sight else { return out.extend(self.windows.best_points(mover, most, promise)) };
        let situation = situation(mover, self.game.left());
        let near = self.game.board().empty_points().filter(|&p| sight.is_near(p));
        // Of equal ones the first comes first.
        let mut scored: ArrayVec<(i32, Reverse<Point>), MOST_MOVES> =
            near.map(|p| (sight.promise(p, situation), Reverse(p))).collect();
        if most < scored.len() {
            scored.select_nth_unstable_by_key(most, |&point| Reverse(point));
            scored.truncate(most);
        }
        scored.sort_unstable_by_key(|&point| Reverse(point));
        out.extend(scored.iter().map(|&(_, Reverse(point))| point));
        if out.is_empty() {
            // No stone, or none that reaches an empty point.
            out.extend(self.windows.best_points(mover, most, promise));
        }
    }
}

/// See [`Narrowed::promise`].
#[inline(always)]
fn promise(own: u16, other: u16) -> u32 {
    (5 * u32::from(own) + 4 * u32::from(other)) / 4
}

impl From<Connect6> for Narrowed {
    fn from(game: Connect6) -> Self {
        let windows = Windows::of(&game);
        Self { game, windows, sight: None, width: CANDIDATES, also: ArrayVec::new(), until: 0 }
    }
}

impl fmt::Debug for Narrowed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Narrowed({})", self.game)
    }
}

impl PartialEq for Narrowed {
    fn eq(&self, other: &Self) -> bool {
        self.game == other.game
    }
}

impl Eq for Narrowed {}

impl Hash for Narrowed {
    fn hash<H: Hasher>(&self, hasher: &mut H) {
        self.game.hash(hasher);
    }
}

impl Game for Narrowed {
    type Move = Point;
    type Moves = <Connect6 as Game>::Moves;
    type Chance = Never;

    #[inline]
    fn turn(&self) -> Turn<Never> {
        self.game.turn()
    }

    fn moves(&self, out: &mut Self::Moves) {
        match self.urgent() {
            Urgent::Win(point) => out.push(point),
            Urgent::Block(stops) if !stops.is_empty() => {
                out.extend(stops);
                out.sort_by_key(|&p| Reverse(self.promise(p)));
            }
            Urgent::Block(_) => self.promising(1, out),
            Urgent::Nothing => {
                let middle = self.game.board().size() / 2;
                match Point::new(middle, middle).filter(|_| self.game.board().count() == 0) {
                    Some(point) => out.push(point),
                    None => {
                        let first = self.game.left() == self.game.rules().turns().each();
                        self.promising(self.width[usize::from(!first)].into(), out);
                        for &point in self.points() {
                            if self.game.board().is_empty(point) && !out.contains(&point) {
                                out.push(point);
                            }
                        }
                    }
                }
            }
        }
    }

    #[inline]
    fn play(&mut self, m: Point) {
        self.windows.played(&self.game, m);
        if let Some(sight) = &mut self.sight {
            sight.place(m, self.game.mover());
        }
        self.game.play(m);
    }

    fn resolve(&mut self, event: Never) {
        match event {}
    }

    #[inline]
    fn key(&self) -> u64 {
        self.game.key()
    }

    /// Of the short list.
    fn random_move<R: Rng + ?Sized>(&self, rng: &mut R) -> Point {
        let mut moves = Self::Moves::default();
        self.moves(&mut moves);
        moves[gamecore::random::below(rng, moves.len())]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use gamecore::random;

    /// Every pair of stones that stops all threats is found, in one order at least, and no list leads elsewhere.
    #[test]
    fn complete_defences_are_listed() {
        let mut rng = random::generator(2);
        let (mut threatened, mut lost) = (0, 0);
        while threatened < 60 {
            let mut game = Connect6::default();
            for _ in 0..60 {
                let narrowed = Narrowed::from(game.clone());
                if game.left() == 2 && matches!(narrowed.urgent(), Urgent::Block(_)) {
                    threatened += 1;
                    lost += u32::from(check(&narrowed));
                }
                // Near other stones, but not well.
                let m = narrowed.random_move(&mut rng);
                game.play(m);
                if game.outcome().is_some() {
                    break;
                }
            }
        }
        assert!(lost > 0);
    }

    /// Whether the position is lost.
    fn check(game: &Narrowed) -> bool {
        let threats = Threats::of(game.windows(), game.game().mover().other());
        let mut listed = Vec::new();
        let mut firsts = <Narrowed as Game>::Moves::default();
        game.moves(&mut firsts);
        for &first in &firsts {
            let next = game.after(first);
            if next.urgent() == Urgent::Nothing {
                listed.push((first, None));
                continue;
            }
            let mut seconds = <Narrowed as Game>::Moves::default();
            next.moves(&mut seconds);
            listed.extend(seconds.into_iter().map(|second| (first, Some(second))));
        }
        let pairs = threats.blocking_pairs();
        let singles = threats.blocking_points();
        let lost = pairs.is_empty() && singles.is_empty();
        assert_eq!(game.winner().is_some(), lost, "{game:?}");
        for &single in &singles {
            assert!(listed.contains(&(single, None)), "{single:?} in {game:?}");
        }
        for &[a, b] in &pairs {
            assert!(listed.contains(&(a, Some(b))) || listed.contains(&(b, Some(a))), "{a:?} {b:?} in {game:?}");
        }
        if !lost {
            for (first, second) in listed {
                let stones: Vec<Point> = [Some(first), second].into_iter().flatten().collect();
                assert!(threats.are_stopped_by(&stones), "{stones:?} in {game:?}");
            }
        }
        lost
    }
}

//! The game with the moves that matter, for searches.

use core::fmt;
use core::hash::{Hash, Hasher};

use arrayvec::ArrayVec;
use gamecore::{Game, Never, Turn};
use lines::{Direction, Made, Patterns, Point, stops};
use rand::Rng;

use crate::eval::{double_four, worth};
use crate::rules::Rule;
use crate::state::{Gomoku, MOST_MOVES};

/// Moves of a quiet position that are worth a look.
pub const CANDIDATES: usize = 24;

/// Gomoku with its patterns and a short list of moves: what alpha-beta searches.
///
/// A board has up to 400 empty points, and nearly all of them lose time. The list holds, the most promising first:
/// 1. if the mover can make a five: that move alone;
/// 2. if the opponent can: the moves that prevent it;
/// 3. if the mover can make an open four or two fours at once, which wins: that move alone;
/// 4. if the opponent threatens to: all points on which a stone could prevent that, and the mover's own fours;
/// 5. otherwise the [`CANDIDATES`] points near stones where the two seats together would make the most.
///
/// Up to 4 nothing is lost, except that in renju a stone elsewhere may, very rarely, change what is forbidden. 5 is a guess: a
/// value of a search of this game is a proof for the mover who is winning, not against a defender whose best move was left
/// out. [`lines::Vcf`] proves.
///
/// It is made from a [`Gomoku`] and has the same moves and keys, so a search of it sits in a seat of the bare game.
#[derive(Clone)]
pub struct Narrowed {
    game: Gomoku,
    patterns: Patterns,
    /// By seat: its last stone, if it was played here.
    last: [Option<Point>; 2],
}

impl Narrowed {
    /// The bare game.
    #[inline]
    #[must_use]
    pub fn game(&self) -> &Gomoku {
        &self.game
    }

    /// What each empty point makes.
    #[inline]
    #[must_use]
    pub fn patterns(&self) -> &Patterns {
        &self.patterns
    }

    /// Adds fours of the mover's to an empty list, or what answers the opponent's; nothing if there is neither. For the
    /// quiescence of a search: a four leaves one answer, so these lines are narrow and long.
    ///
    /// Only such fours as may lead to more: with a three, an open two or another four on some line too, and near the mover's last
    /// stone, if that was played here: what lies elsewhere could have been played before the horizon.
    pub fn fours(&self, out: &mut <Gomoku as Game>::Moves) {
        let (game, patterns) = (self.game(), self.patterns());
        if !patterns.fives(game.mover()).is_empty() || !patterns.fives(game.mover().other()).is_empty() {
            return self.moves(out);
        }
        let last = self.last[game.mover()];
        let near = |p: Point| last.is_none_or(|last| touches(last, p));
        let leads_on = |p: Point| {
            let made = patterns.made_around(p, game.mover());
            let more = |m: Made| matches!(m, Made::OpenTwo | Made::Three | Made::OpenThree | Made::OpenFour);
            made.into_iter().any(more) || made.iter().filter(|&&m| m == Made::Four).count() > 1
        };
        let allowed = |p: Point| game.forbidden(p).is_none();
        out.extend(patterns.fours(game.mover()).iter().filter(|&p| near(p) && leads_on(p) && allowed(p)));
    }

    /// The position after a null move, for a search that tries whether the mover could even afford to pass; `None` where the
    /// opponent threatens to win by force with fives and fours, so that passing is no measure of anything.
    #[must_use]
    pub fn passed(&self) -> Option<Self> {
        let (patterns, opponent) = (self.patterns(), self.game().mover().other());
        let threatened = !patterns.fives(opponent).is_empty() || patterns.double_fours(opponent).next().is_some();
        Some(self.game().passed()?).filter(|_| !threatened).map(|game| Self { game, patterns: patterns.clone(), last: self.last })
    }

    /// How good a move looks: what it makes for the mover, and two thirds of what it would have made for the opponent. A five
    /// is worth 10,000, an open four or two fours at once 2,000, a four with an open three 1,200, two open threes 600; a quiet
    /// point less than 200. A score for the order of a search.
    #[must_use]
    pub fn promise(&self, m: Point) -> i32 {
        let mover = self.game().mover();
        worth(self.patterns(), m, mover) + worth(self.patterns(), m, mover.other()) * 2 / 3
    }

    /// Points beside and in rows that one more stone of the opponent's completes.
    fn blocks(&self, out: &mut Vec<Point>) {
        let (game, patterns, opponent) = (self.game(), self.patterns(), self.game().mover().other());
        for five in patterns.fives(opponent).iter() {
            out.push(five);
            if game.rule() == Rule::Caro {
                // An enemy stone at both ends spoils a row too.
                let ends = Direction::ALL.into_iter().filter(|&d| patterns.made(five, d, opponent) == Made::Five);
                out.extend(ends.flat_map(|d| (-5..=5).filter_map(move |i| five.step(d, i))).filter(|&p| patterns.is_empty(p)));
            }
        }
    }

    /// The moves that matter; empty if all of them are forbidden.
    fn candidates(&self) -> Vec<Point> {
        let (game, patterns, mover) = (self.game(), self.patterns(), self.game().mover());
        if let Some(five) = patterns.fives(mover).first() {
            return vec![five];
        }
        let mut list = Vec::new();
        self.blocks(&mut list);
        if list.is_empty() && game.rule() != Rule::Caro {
            if let Some(point) = double_four(game, patterns) {
                return vec![point];
            }
            list = stops(patterns, mover.other());
        }
        if list.is_empty() {
            let mut scored: ArrayVec<(i32, Point), MOST_MOVES> = patterns.near().map(|p| (-self.promise(p), p)).collect();
            if scored.len() > CANDIDATES && game.rule() != Rule::Renju {
                // The best only are put in order.
                scored.select_nth_unstable(CANDIDATES);
                scored.truncate(CANDIDATES);
            }
            scored.sort_unstable();
            let allowed = scored.into_iter().map(|(_, p)| p).filter(|&p| game.forbidden(p).is_none());
            return allowed.take(CANDIDATES).collect();
        }
        list.sort_unstable();
        list.dedup();
        list.retain(|&p| game.forbidden(p).is_none());
        list.sort_by_cached_key(|&p| -self.promise(p));
        list
    }
}

/// Whether two points are so near that a stone on one may matter to rows through the other: at most two columns and rows away, or four along a
/// line.
fn touches(a: Point, b: Point) -> bool {
    let (dx, dy) = (a.x().abs_diff(b.x()), a.y().abs_diff(b.y()));
    dx.max(dy) <= 2 || dx.max(dy) <= 4 && (dx == 0 || dy == 0 || dx == dy)
}

impl From<Gomoku> for Narrowed {
    fn from(game: Gomoku) -> Self {
        let patterns = game.patterns();
        Self { game, patterns, last: [None; 2] }
    }
}

impl fmt::Debug for Narrowed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Narrowed({})", self.game())
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
    type Moves = <Gomoku as Game>::Moves;
    type Chance = Never;

    #[inline]
    fn turn(&self) -> Turn<Never> {
        self.game.turn()
    }

    fn moves(&self, out: &mut Self::Moves) {
        out.extend(self.candidates());
        if out.is_empty() {
            // Nothing near, or all of it forbidden: the middle of an empty board, or whatever there is.
            let middle = self.game().board().size() / 2;
            match Point::new(middle, middle).filter(|_| self.game().board().count() == 0) {
                Some(point) => out.push(point),
                None => self.game().moves(out),
            }
        }
    }

    #[inline]
    fn play(&mut self, m: Point) {
        self.patterns.place(m, self.game.mover());
        self.last[self.game.mover()] = Some(m);
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

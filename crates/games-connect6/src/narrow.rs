//! The game with the moves that matter, for searches.

use core::fmt;
use core::hash::{Hash, Hasher};

use arrayvec::ArrayVec;
use gamecore::{Game, Never, Player, Track, Turn};
use lines::Point;
use rand::Rng;

use crate::state::{Connect6, MOST_MOVES};
use crate::windows::{SIDE, Window, Windows, number, point};

/// Stones of a quiet position that are worth a look, unless told otherwise: of a turn's first, and of the others.
pub const CANDIDATES: [u8; 2] = [20, 20];

/// Connect6 with its windows and a short list of moves: what the engine's searches look at.
///
/// A turn has some 60,000 pairs of stones, and nearly all of them lose time. The list holds, the most promising first:
/// 1. if the mover can fill a window with what is left of the turn: a point of it;
/// 2. if the opponent could in the next turn: the points of one such window that leave the others to the rest of the turn. Every
///    turn that stops all has a stone there, so nothing is left out, and a pair is not found twice;
/// 3. otherwise the [`CANDIDATES`] points that add most to the windows of both seats together.
///
/// A turn's second stone is looked for in the same way, given the first.
///
/// It is made from a [`Connect6`] and has the same moves and keys, so a search of it sits in a seat of the bare game.
#[derive(Clone)]
pub struct Narrowed {
    game: Connect6,
    windows: Windows,
    width: [u8; 2],
}

/// What is urgent.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Urgent {
    /// The mover fills this window with the stones that are left.
    Win(Window),
    /// The next stones that may stop all of the opponent's threats; empty if there are too many of them.
    Block(ArrayVec<Point, { crate::rules::LONGEST as usize }>),
    /// Nothing is.
    Nothing,
}

impl Narrowed {
    /// With so many candidates instead of [`CANDIDATES`], at least 1: of a turn's first stone, and of the others.
    #[must_use]
    pub fn with_width(self, width: [u8; 2]) -> Self {
        Self { width: width.map(|n| n.max(1)), ..self }
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

    /// How good a move looks: what it adds to the mover's windows, and most of what it would have added to the opponent's.
    #[inline]
    #[must_use]
    pub fn promise(&self, m: Point) -> i32 {
        let mover = self.game.mover();
        promise(self.windows.worths(mover)[number(m)], self.windows.worths(mover.other())[number(m)])
    }

    /// What rows that are a turn away leave to do.
    #[must_use]
    pub fn urgent(&self) -> Urgent {
        let (game, windows, mover) = (&self.game, &self.windows, self.game.mover());
        if windows.threatens(mover) {
            let length = game.rules().length();
            if let Some(window) = windows.threats(mover).find(|&w| windows.stones(w, mover) + game.left() >= length) {
                return Urgent::Win(window);
            }
        }
        if !windows.threatens(mover.other()) {
            return Urgent::Nothing;
        }
        let threats: Vec<Window> = windows.threats(mover.other()).collect();
        let empty = |window| windows.points(window).filter(|&p| game.board().is_empty(p));
        let stops = empty(threats[0]).filter(|&p| self.stoppable(&threats, &[p], game.left() - 1));
        Urgent::Block(stops.collect())
    }

    /// Whether so many stones more, besides those given, can stop these threats.
    fn stoppable(&self, threats: &[Window], stones: &[Point], more: u8) -> bool {
        let windows = &self.windows;
        let Some(next) = threats.iter().position(|&w| !windows.points(w).any(|p| stones.contains(&p))) else { return true };
        more > 0
            && windows.points(threats[next]).filter(|&p| self.game.board().is_empty(p)).any(|p| {
                let stones: ArrayVec<Point, 8> = stones.iter().copied().chain([p]).collect();
                self.stoppable(&threats[next..], &stones, more - 1)
            })
    }

    /// Who wins, where the rows that are a turn away alone decide.
    #[must_use]
    pub fn winner(&self) -> Option<Player> {
        let (mover, left) = (self.game.mover(), self.game.left());
        let own = self.windows.counts(mover);
        let threats = self.windows.hot(self.windows.counts(mover.other()));
        if threats <= left.into() && own[usize::from(self.game.rules().length().saturating_sub(left))..].iter().all(|&n| n == 0) {
            // Each stone stops one.
            return None;
        }
        match self.urgent() {
            Urgent::Win(_) => Some(self.game.mover()),
            Urgent::Block(stops) if stops.is_empty() => Some(self.game.mover().other()),
            Urgent::Block(_) | Urgent::Nothing => None,
        }
    }

    /// The points that promise most, the best first.
    fn promising(&self, most: usize) -> ArrayVec<Point, MOST_MOVES> {
        let (own, other) = (self.windows.worths(self.game.mover()), self.windows.worths(self.game.mover().other()));
        let side = usize::from(self.game.board().size());
        // What they promise, and below it the number, the first point highest.
        let mut scored: ArrayVec<u32, MOST_MOVES> = ArrayVec::new();
        for y in 0..side {
            for at in y * SIDE..y * SIDE + side {
                let promise = promise(own[at], other[at]);
                scored.push((promise as u32) << 16 | (MOST_MOVES - 1 - at) as u32);
            }
        }
        let empty = |score: u32| point(MOST_MOVES - 1 - (score & 0xFFFF) as usize).filter(|&p| self.game.board().is_empty(p));
        // Stones that stand there are weeded out as they come up.
        let mut found = ArrayVec::new();
        let mut rest = &mut scored[..];
        while found.len() < most && !rest.is_empty() {
            let take = (2 * (most - found.len())).min(rest.len());
            if take < rest.len() {
                rest.select_nth_unstable_by(take, |a, b| b.cmp(a));
            }
            let (best, others) = rest.split_at_mut(take);
            best.sort_unstable_by(|a, b| b.cmp(a));
            found.extend(best.iter().filter_map(|&score| empty(score)).take(most - found.len()));
            rest = others;
        }
        found
    }
}

/// See [`Narrowed::promise`].
#[inline(always)]
fn promise(own: i16, other: i16) -> i32 {
    4 * i32::from(own) + 3 * i32::from(other)
}

impl From<Connect6> for Narrowed {
    fn from(game: Connect6) -> Self {
        let windows = Windows::of(&game);
        Self { game, windows, width: CANDIDATES }
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
            Urgent::Win(window) => out.extend(self.windows.points(window).find(|&p| self.game.board().is_empty(p))),
            Urgent::Block(stops) if !stops.is_empty() => {
                out.extend(stops);
                out.sort_by_cached_key(|&p| -self.promise(p));
            }
            Urgent::Block(_) => out.extend(self.promising(1)),
            Urgent::Nothing => {
                let middle = self.game.board().size() / 2;
                match Point::new(middle, middle).filter(|_| self.game.board().count() == 0) {
                    Some(point) => out.push(point),
                    None => {
                        let first = self.game.left() == self.game.rules().turns().each();
                        out.extend(self.promising(self.width[usize::from(!first)].into()));
                    }
                }
            }
        }
    }

    #[inline]
    fn play(&mut self, m: Point) {
        self.windows.played(&self.game, m);
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

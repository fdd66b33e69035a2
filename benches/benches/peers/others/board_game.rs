//! `board-game`: its tree and its playouts with our random moves, and its search to a depth.

use std::cmp::Ordering;
use std::fmt::{self, Display};
use std::marker::PhantomData;
use std::ops::ControlFlow;

use benches::games::{Board as Rules, Valued, WIN};
use board_game::ai::mcts::mcts_build_tree;
use board_game::ai::minimax::{Heuristic, minimax_value};
use board_game::board::{Alternating, Board, BoardDone, BoardMoves, BoardSymmetry, Outcome, PlayError, Player};
use board_game::symmetry::UnitSymmetry;
use gamecore::Turn;
use internal_iterator::InternalIterator;
use rand08::rngs::SmallRng;
use rand08::{Rng, SeedableRng};

use super::made;
use crate::depth::Search;
use crate::measure::Done;

pub(super) fn search<G: Rules + Copy>(start: G, playouts: u64, seed: u64, show: fn(&G, u8) -> String) -> Done {
    // On its scale from 0 to 1 this is c = sqrt(2) on ours.
    let tree = mcts_build_tree(&Wrapped(start), playouts, std::f32::consts::FRAC_1_SQRT_2, &mut SmallRng::seed_from_u64(seed));
    let best = Some(show(&start, tree.best_move()));
    Done { best, nodes: Some(tree.nodes.len()), playouts: None, rest: Box::new(tree) }
}

/// Plain alpha-beta.
pub(super) fn minimax<G: Valued>(game: G, depth: u8) -> Search {
    let game = Wrapped(game);
    Box::new(move || {
        let (value, moves) = made::during(|| minimax_value(&game, &Points(PhantomData), u32::from(depth)));
        // It values the first position as well.
        (value, moves - 1, Box::new(game))
    })
}

/// What positions are worth to the mover. It is asked once for every position, inner ones included.
#[derive(Debug)]
struct Points<G>(PhantomData<G>);

impl<G: Valued> Heuristic<Wrapped<G>> for Points<G> {
    type V = i32;

    #[inline]
    fn value(&self, game: &Wrapped<G>, _: u32) -> i32 {
        made::count();
        match game.0.turn() {
            Turn::Decide(_) => game.0.value(),
            Turn::Over(gamecore::Outcome::Draw) => 0,
            // In these games only the last mover can have won.
            Turn::Over(_) => -WIN,
            Turn::Chance(never) => match never {},
        }
    }

    #[inline]
    fn merge(old: i32, new: i32) -> (i32, Ordering) {
        (old.max(new), new.cmp(&old))
    }
}

#[derive(Clone, PartialEq, Eq, Debug)]
struct Wrapped<G>(G);

impl<G: Rules> Display for Wrapped<G> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?}", self.0)
    }
}

impl<G: Rules> Board for Wrapped<G> {
    type Move = u8;

    #[inline]
    fn next_player(&self) -> Player {
        match self.0.turn() {
            Turn::Decide(gamecore::Player::One) => Player::A,
            Turn::Decide(gamecore::Player::Two) => Player::B,
            Turn::Over(outcome) if outcome.winner() == Some(gamecore::Player::Two) => Player::A,
            Turn::Over(_) => Player::B,
            Turn::Chance(never) => match never {},
        }
    }

    #[inline]
    fn is_available_move(&self, m: u8) -> Result<bool, BoardDone> {
        self.check_done()?;
        Ok(self.0.allows(m))
    }

    #[inline]
    fn random_available_move(&self, rng: &mut impl Rng) -> Result<u8, BoardDone> {
        self.check_done()?;
        Ok(self.0.drawn(rng.next_u32()))
    }

    #[inline]
    fn play(&mut self, m: u8) -> Result<(), PlayError> {
        self.0.play(m);
        Ok(())
    }

    // A playout asks for the outcome itself before each move.
    #[inline]
    fn play_random_available_move(&mut self, rng: &mut impl Rng) -> Result<(), BoardDone> {
        self.0.play(self.0.drawn(rng.next_u32()));
        Ok(())
    }

    #[inline]
    fn outcome(&self) -> Option<Outcome> {
        match self.0.turn() {
            Turn::Over(outcome) => Some(outcome.winner().map_or(Outcome::Draw, |winner| {
                Outcome::WonBy(if winner == gamecore::Player::One { Player::A } else { Player::B })
            })),
            _ => None,
        }
    }

    fn can_lose_after_move() -> bool {
        false
    }
}

impl<G: Rules> Alternating for Wrapped<G> {}

impl<G: Rules> BoardSymmetry<Self> for Wrapped<G> {
    type Symmetry = UnitSymmetry;
    type CanonicalKey = ();

    fn map(&self, _: UnitSymmetry) -> Self {
        self.clone()
    }

    fn map_move(&self, _: UnitSymmetry, m: u8) -> u8 {
        m
    }

    fn canonical_key(&self) {}
}

impl<'a, G: Rules> BoardMoves<'a, Self> for Wrapped<G> {
    type AllMovesIterator = All;
    type AvailableMovesIterator = Available<'a, G>;

    fn all_possible_moves() -> All {
        All
    }

    #[inline]
    fn available_moves(&'a self) -> Result<Available<'a, G>, BoardDone> {
        self.check_done()?;
        Ok(Available(&self.0))
    }
}

/// The moves of a position.
#[derive(Clone)]
struct Available<'a, G>(&'a G);

impl<G: Rules> InternalIterator for Available<'_, G> {
    type Item = u8;

    #[inline]
    fn try_for_each<R, F: FnMut(u8) -> ControlFlow<R>>(self, f: F) -> ControlFlow<R> {
        let mut moves = G::Moves::default();
        self.0.moves(&mut moves);
        moves.as_ref().iter().copied().try_for_each(f)
    }
}

/// Every number that could be a move.
#[derive(Clone)]
struct All;

impl InternalIterator for All {
    type Item = u8;

    fn try_for_each<R, F: FnMut(u8) -> ControlFlow<R>>(self, f: F) -> ControlFlow<R> {
        (0..=u8::MAX).try_for_each(f)
    }
}

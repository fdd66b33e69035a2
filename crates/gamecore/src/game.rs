//! The one trait that a game implements.

use core::fmt::Debug;
use core::hash::{Hash, Hasher};

use rand::Rng;

use crate::random::below;
use crate::{Chance, KeyHasher, MoveBuf, Never, Outcome, Player};

/// What a state waits for: the one question that every search asks.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Turn<C> {
    /// This player chooses a move.
    Decide(Player),
    /// A die is rolled, a card is drawn.
    Chance(C),
    /// The game has ended.
    Over(Outcome),
}

/// An event of `G`'s chance nodes.
pub type Event<G> = <<G as Game>::Chance as Chance>::Event;

/// How far ahead, in decisions, two states with the same [`key`](Game::key) are sure to behave alike. Searches with
/// tables look no further than this.
pub const KEY_HORIZON: u32 = 128;

/// The rules of a game: a state that says what it waits for and what comes next.
///
/// A state is small and cheap to copy, because searches copy it and never take a move back. It carries its rules
/// (a type parameter where it is hot, a `&'static` otherwise) but no patterns or evaluations: see
/// [`Track`](crate::Track) for those. `#[derive(Clone, PartialEq, Eq, Hash, Debug)]` gives all that the supertraits
/// ask for.
///
/// # Examples
/// The crate's front page has a complete game.
pub trait Game: Clone + Eq + Hash + Debug + Send + Sync + 'static {
    /// A decision, small: a square, a stone and a square, a whole backgammon play.
    type Move: Copy + Eq + Hash + Debug + Send + Sync + 'static;
    /// The list that [`moves`](Game::moves) fills.
    type Moves: MoveBuf<Self::Move> + Send;
    /// What the chance nodes bring; [`Never`] for a game without chance.
    type Chance: Chance;

    /// No outcome has more points. The default range of values, and the scale of Monte Carlo searches.
    const MAX_POINTS: u16 = 1;

    /// What the state waits for.
    fn turn(&self) -> Turn<Self::Chance>;

    /// The moves of a [`Turn::Decide`] state into the empty `out`: at least one, all distinct, in an order that
    /// depends on the state alone (tables store a move as its `u16` index here).
    ///
    /// A player who cannot move has one move, a pass. It costs a ply, or skips could recurse for ever. (Or [`play`](Game::play) hands
    /// the turn straight back, where that cannot happen to both.)
    fn moves(&self, out: &mut Self::Moves);

    /// Makes a move of [`moves`](Game::moves). Any other is a caller's error: debug-asserted where cheap, otherwise an
    /// unspecified state or a panic, never undefined behaviour. [`try_play`](Game::try_play) checks.
    fn play(&mut self, m: Self::Move);

    /// Lets `event` happen, one of the chance node's [`events`](Chance::events). Games without chance write
    /// `match event {}`.
    fn resolve(&mut self, event: Event<Self>);

    /// Equal states have equal keys; states with equal keys behave alike for [`KEY_HORIZON`] decisions, the order of their
    /// moves included. The phase is part of it: die shown or not, stones left in the turn.
    ///
    /// The default hashes the whole state, right and slow; hot games keep a key up to date.
    fn key(&self) -> u64 {
        let mut hasher = KeyHasher::default();
        self.hash(&mut hasher);
        hasher.finish()
    }

    /// One of the moves of a [`Turn::Decide`] state, each with the same probability. Override where one can be drawn
    /// without listing all: random playouts live on it.
    #[inline]
    fn random_move<R: Rng + ?Sized>(&self, rng: &mut R) -> Self::Move {
        let mut buf = Self::Moves::default();
        self.moves(&mut buf);
        let moves = buf.as_ref();
        moves[below(rng, moves.len())]
    }

    /* FINAL: the methods below are not meant to be overridden. */

    /// The state after `m`.
    #[inline(always)]
    #[must_use]
    fn after(&self, m: Self::Move) -> Self {
        let mut next = self.clone();
        next.play(m);
        next
    }

    /// The state after `event`.
    #[inline(always)]
    #[must_use]
    fn resolved(&self, event: Event<Self>) -> Self {
        let mut next = self.clone();
        next.resolve(event);
        next
    }

    /// [`play`](Game::play) that checks.
    ///
    /// # Errors
    /// If the state waits for no decision or `m` is not one of its moves; the state is then unchanged.
    fn try_play(&mut self, m: Self::Move) -> Result<(), PlayError<Self::Move>> {
        match self.turn() {
            Turn::Over(_) => return Err(PlayError::Over { m }),
            Turn::Chance(_) => return Err(PlayError::ChanceFirst { m }),
            Turn::Decide(_) => {}
        }
        let mut buf = Self::Moves::default();
        self.moves(&mut buf);
        if !buf.as_ref().contains(&m) {
            return Err(PlayError::Illegal { m });
        }
        self.play(m);
        Ok(())
    }

    /// [`resolve`](Game::resolve) that checks.
    ///
    /// # Errors
    /// If the state is no chance node or `event` is not one of its events; the state is then unchanged.
    fn try_resolve(&mut self, event: Event<Self>) -> Result<(), ResolveError<Event<Self>>> {
        match self.turn() {
            Turn::Chance(chance) if chance.events().iter().any(|&(e, _)| e == event) => {
                self.resolve(event);
                Ok(())
            }
            Turn::Chance(_) => Err(ResolveError::Impossible { event }),
            Turn::Decide(_) | Turn::Over(_) => Err(ResolveError::NoChance { event }),
        }
    }
}

/// A game without chance: what alpha-beta asks for. A dice game's compile error then names `Chance == Never`.
pub trait Deterministic: Game<Chance = Never> {}

impl<G: Game<Chance = Never>> Deterministic for G {}

/// Why [`Game::try_play`] refused a move.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum PlayError<M: Debug> {
    /// The game has ended.
    #[error("{m:?} cannot be played: the game is over")]
    Over {
        /// The refused move.
        m: M,
    },
    /// The state waits for a roll.
    #[error("{m:?} cannot be played before the roll")]
    ChanceFirst {
        /// The refused move.
        m: M,
    },
    /// The move is not in the list.
    #[error("{m:?} is not a legal move here")]
    Illegal {
        /// The refused move.
        m: M,
    },
}

/// Why [`Game::try_resolve`] refused an event.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ResolveError<E: Debug> {
    /// The state waits for a decision, or the game has ended.
    #[error("{event:?} cannot happen: nothing is to be rolled")]
    NoChance {
        /// The refused event.
        event: E,
    },
    /// Not an event of this chance node.
    #[error("{event:?} is not a possible roll here")]
    Impossible {
        /// The refused event.
        event: E,
    },
}

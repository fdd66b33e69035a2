//! What follows a game down a line: counts of open windows, a network's accumulator.

use core::fmt::Debug;
use core::hash::{Hash, Hasher};

use rand::Rng;

use crate::{Event, Game, Turn};

/// Knowledge of a position that is cheaper to bring up to date than to work out again.
pub trait Track<G: Game>: Clone + Send + Sync + 'static {
    /// From scratch.
    fn of(game: &G) -> Self;

    /// `m` is about to be played in `before`.
    fn played(&mut self, before: &G, m: G::Move);

    /// `event` is about to happen in `before`.
    fn resolved(&mut self, before: &G, event: Event<G>);
}

/// A game with its tracker. It is itself a [`Game`], so no search knows of tracking; playouts use the bare game.
#[derive(Clone)]
pub struct Tracked<G, T> {
    game: G,
    track: T,
}

impl<G, T> Tracked<G, T> {
    /// The bare game.
    #[inline]
    pub fn game(&self) -> &G {
        &self.game
    }

    /// What is known of it.
    #[inline]
    pub fn track(&self) -> &T {
        &self.track
    }
}

impl<G: Game, T: Track<G>> From<G> for Tracked<G, T> {
    fn from(game: G) -> Self {
        let track = T::of(&game);
        Self { game, track }
    }
}

impl<G: Debug, T> Debug for Tracked<G, T> {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_tuple("Tracked").field(&self.game).finish()
    }
}

impl<G: PartialEq, T> PartialEq for Tracked<G, T> {
    fn eq(&self, other: &Self) -> bool {
        self.game == other.game
    }
}

impl<G: Eq, T> Eq for Tracked<G, T> {}

impl<G: Hash, T> Hash for Tracked<G, T> {
    fn hash<H: Hasher>(&self, hasher: &mut H) {
        self.game.hash(hasher);
    }
}

impl<G: Game, T: Track<G>> Game for Tracked<G, T> {
    type Move = G::Move;
    type Moves = G::Moves;
    type Chance = G::Chance;
    const MAX_POINTS: u16 = G::MAX_POINTS;

    #[inline]
    fn turn(&self) -> Turn<G::Chance> {
        self.game.turn()
    }

    #[inline]
    fn moves(&self, out: &mut G::Moves) {
        self.game.moves(out);
    }

    #[inline]
    fn play(&mut self, m: G::Move) {
        self.track.played(&self.game, m);
        self.game.play(m);
    }

    #[inline]
    fn resolve(&mut self, event: Event<G>) {
        self.track.resolved(&self.game, event);
        self.game.resolve(event);
    }

    #[inline]
    fn key(&self) -> u64 {
        self.game.key()
    }

    #[inline]
    fn random_move<R: Rng + ?Sized>(&self, rng: &mut R) -> G::Move {
        self.game.random_move(rng)
    }
}

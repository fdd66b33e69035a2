use std::thread::sleep;
use std::time::Duration;

use arrayvec::ArrayVec;
use rand::Rng;

use crate::{Event, Game, Never, Outcome, Player, Turn};

/// A counter that goes down by one with every move, the only one there is; who makes the last move wins.
///
/// With a large counter no playout ends soon, and a search that treats forced moves as free never returns. For a long
/// game with a choice, take a [`Nim`](super::Nim) with a large heap.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Countdown {
    left: u32,
    mover: Player,
}

impl Countdown {
    /// So many moves; One makes the first.
    #[must_use]
    pub const fn new(left: u32) -> Self {
        Self { left, mover: Player::One }
    }

    /// How many moves are left.
    #[must_use]
    pub const fn left(self) -> u32 {
        self.left
    }
}

impl Game for Countdown {
    type Move = ();
    type Moves = ArrayVec<(), 1>;
    type Chance = Never;

    fn turn(&self) -> Turn<Never> {
        if self.left == 0 { Turn::Over(Outcome::win(self.mover.other())) } else { Turn::Decide(self.mover) }
    }

    fn moves(&self, out: &mut Self::Moves) {
        out.push(());
    }

    fn play(&mut self, (): ()) {
        self.left -= 1;
        self.mover = self.mover.other();
    }

    fn resolve(&mut self, event: Never) {
        match event {}
    }
}

/// A game whose every move and event takes time: for tests of time limits.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Slow<G> {
    game: G,
    pause: Duration,
}

impl<G: Game> Slow<G> {
    /// `game`, sleeping for `pause` in [`Game::play`] and [`Game::resolve`].
    #[must_use]
    pub const fn new(game: G, pause: Duration) -> Self {
        Self { game, pause }
    }

    /// The game itself.
    #[must_use]
    pub const fn game(&self) -> &G {
        &self.game
    }
}

impl<G: Game> Game for Slow<G> {
    type Move = G::Move;
    type Moves = G::Moves;
    type Chance = G::Chance;
    const MAX_POINTS: u16 = G::MAX_POINTS;

    fn turn(&self) -> Turn<G::Chance> {
        self.game.turn()
    }

    fn moves(&self, out: &mut G::Moves) {
        self.game.moves(out);
    }

    fn play(&mut self, m: G::Move) {
        sleep(self.pause);
        self.game.play(m);
    }

    fn resolve(&mut self, event: Event<G>) {
        sleep(self.pause);
        self.game.resolve(event);
    }

    fn key(&self) -> u64 {
        self.game.key()
    }

    fn random_move<R: Rng + ?Sized>(&self, rng: &mut R) -> G::Move {
        self.game.random_move(rng)
    }
}

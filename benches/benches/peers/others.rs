//! Searches of other crates: each file only passes on what the other's traits ask for.

use benches::games::{Board, Valued};
use gamecore::Game;

use crate::depth::Suite;
use crate::measure::Row;

#[cfg(feature = "peers")]
mod board_game;
#[cfg(feature = "peers")]
mod mcts;
#[cfg(feature = "peers")]
mod minimax;
#[cfg(feature = "peers")]
mod treant;

/// Those that play a game without chance.
#[cfg(feature = "peers")]
pub(crate) fn board<G: Board + Copy>(start: G, playouts: u64, show: fn(&G, u8) -> String) -> Vec<Row<'static>> {
    vec![
        Row::new("board-game 0.8", move |seed| board_game::search(start, playouts, seed, show)),
        Row::new("minimax 0.6", move |seed| minimax::search(start, playouts, seed, show)),
        Row::new("mcts 0.3", move |seed| mcts::search(start, playouts, seed, show)),
        Row::new("treant 0.4", move |seed| treant::search(&start, playouts, seed, false, show)),
    ]
}

/// Those that search to a depth without a table.
#[cfg(feature = "peers")]
pub(crate) fn plain<G: Valued>(suite: &Suite<G>) -> Vec<Row<'static>> {
    vec![suite.row("minimax 0.6, `Negamax`", minimax::negamax), suite.row("board-game 0.8, `minimax_value`", board_game::minimax)]
}

/// Those that have a table.
#[cfg(feature = "peers")]
pub(crate) fn tables<G: Valued>(suite: &Suite<G>) -> Vec<Row<'static>> {
    vec![
        suite.row("minimax 0.6, `IterativeSearch`", |game, depth| minimax::iterative(game, depth, true)),
        suite.row("minimax 0.6, `IterativeSearch` without null windows", |game, depth| minimax::iterative(game, depth, false)),
    ]
}

/// Those that play a game with chance.
#[cfg(feature = "peers")]
pub(crate) fn chance<G: Game>(start: G, playouts: u64, show: fn(&G, G::Move) -> String) -> Vec<Row<'static>>
where
    G::Moves: IntoIterator<Item = G::Move> + Sync,
{
    let again = start.clone();
    vec![
        Row::new("treant 0.4, closed loop", move |seed| treant::search(&start, playouts, seed, true, show)),
        Row::new("treant 0.4, open loop", move |seed| treant::search(&again, playouts, seed, false, show)),
    ]
}

#[cfg(not(feature = "peers"))]
pub(crate) fn board<G: Board + Copy>(_: G, _: u64, _: fn(&G, u8) -> String) -> Vec<Row<'static>> {
    Vec::new()
}

#[cfg(not(feature = "peers"))]
pub(crate) fn plain<G: Valued>(_: &Suite<G>) -> Vec<Row<'static>> {
    Vec::new()
}

#[cfg(not(feature = "peers"))]
pub(crate) fn tables<G: Valued>(_: &Suite<G>) -> Vec<Row<'static>> {
    Vec::new()
}

#[cfg(not(feature = "peers"))]
pub(crate) fn chance<G: Game>(_: G, _: u64, _: fn(&G, G::Move) -> String) -> Vec<Row<'static>> {
    Vec::new()
}

/// Moves made, for searches that do not say how many: counted where they ask for one.
#[cfg(feature = "peers")]
mod made {
    use std::sync::atomic::AtomicU64;
    use std::sync::atomic::Ordering::Relaxed;

    static MADE: AtomicU64 = AtomicU64::new(0);

    /// One more; there is but one thread.
    #[inline(always)]
    pub(super) fn count() {
        MADE.store(MADE.load(Relaxed) + 1, Relaxed);
    }

    /// How many `search` makes, after what it finds.
    pub(super) fn during<T>(search: impl FnOnce() -> T) -> (T, u64) {
        let before = MADE.load(Relaxed);
        (search(), MADE.load(Relaxed) - before)
    }
}

/// Playouts for searches that leave them to their caller, who is asked through a shared reference.
#[cfg(feature = "peers")]
struct Caller(std::sync::atomic::AtomicU64);

#[cfg(feature = "peers")]
impl Caller {
    const fn new(seed: u64) -> Self {
        Self(std::sync::atomic::AtomicU64::new(seed << 32))
    }

    /// Points for One of a playout.
    #[inline]
    fn playout<G: Game>(&self, game: &G) -> i64 {
        use std::sync::atomic::Ordering::Relaxed;
        let mut rng = SplitMix(self.0.load(Relaxed));
        let (_, outcome) = gamecore::playout(game.clone(), &mut rng, &mut gamecore::uniform);
        self.0.store(rng.0, Relaxed);
        i64::from(outcome.points())
    }
}

/// A generator whose state is one word, and quick.
#[cfg(feature = "peers")]
struct SplitMix(u64);

#[cfg(feature = "peers")]
impl rand::TryRng for SplitMix {
    type Error = std::convert::Infallible;

    #[inline(always)]
    fn try_next_u32(&mut self) -> Result<u32, Self::Error> {
        Ok((rand::Rng::next_u64(self) >> 32) as u32)
    }

    #[inline(always)]
    fn try_next_u64(&mut self) -> Result<u64, Self::Error> {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        Ok(gamecore::mix(self.0))
    }

    fn try_fill_bytes(&mut self, bytes: &mut [u8]) -> Result<(), Self::Error> {
        bytes.fill_with(|| rand::Rng::next_u64(self) as u8);
        Ok(())
    }
}

//! Searches of other crates: each file only passes on what the other's traits ask for.

use benches::games::Board;
use gamecore::Game;

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
pub(crate) fn board<G: Board>(start: G, playouts: u64, show: fn(&G, u8) -> String) -> Vec<Row<'static>> {
    vec![
        Row::new("board-game 0.8", move |seed| board_game::search(start, playouts, seed, show)),
        Row::new("minimax 0.6", move |seed| minimax::search(start, playouts, seed, show)),
        Row::new("mcts 0.3", move |seed| mcts::search(start, playouts, seed, show)),
        Row::new("treant 0.4", move |seed| treant::search(&start, playouts, seed, false, show)),
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
pub(crate) fn board<G: Board>(_: G, _: u64, _: fn(&G, u8) -> String) -> Vec<Row<'static>> {
    Vec::new()
}

#[cfg(not(feature = "peers"))]
pub(crate) fn chance<G: Game>(_: G, _: u64, _: fn(&G, G::Move) -> String) -> Vec<Row<'static>> {
    Vec::new()
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

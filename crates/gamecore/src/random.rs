//! Randomness: always the caller's, always from a seed.
//!
//! Nothing in the workspace draws a seed of its own. Results that must not change between versions name their
//! generator; [`generator`] is the one that the project uses.

use rand::rngs::Xoshiro256PlusPlus;
use rand::{Rng, SeedableRng};

use crate::{Chance, Game, Outcome, Turn};

/// The project's generator, from a seed: the same seed gives the same stream in every version.
#[must_use]
pub fn generator(seed: u64) -> Xoshiro256PlusPlus {
    Xoshiro256PlusPlus::seed_from_u64(seed)
}

/// A number in `0..n`, by one multiplication; the bias is below `n / 2^32`. 0 for `n = 0`.
#[inline(always)]
pub fn below<R: Rng + ?Sized>(rng: &mut R, n: usize) -> usize {
    ((u64::from(rng.next_u32()) * n as u64) >> 32) as usize
}

/// Plays `game` to its end: chance by its probabilities, moves by `policy`. Returns the last state and the outcome.
///
/// `policy` is asked in [`Turn::Decide`] states only and answers with a legal move; [`uniform`] is one. A game that
/// can go on for ever under `policy` makes this loop for ever.
///
/// # Examples
/// ```
/// use gamecore::{playout, random, uniform};
/// # use gamecore::testing::toys::Nim;
/// let (_, outcome) = playout(Nim::new(15), &mut random::generator(1), &mut uniform);
/// assert!(outcome.winner().is_some());
/// ```
#[inline]
pub fn playout<G: Game, R: Rng + ?Sized>(
    mut game: G,
    rng: &mut R,
    policy: &mut impl FnMut(&G, &mut R) -> G::Move,
) -> (G, Outcome) {
    loop {
        match game.turn() {
            Turn::Over(outcome) => return (game, outcome),
            Turn::Chance(chance) => game.resolve(chance.sample(rng)),
            Turn::Decide(_) => {
                let m = policy(&game, rng);
                game.play(m);
            }
        }
    }
}

/// The policy that plays every legal move with the same probability.
#[inline(always)]
pub fn uniform<G: Game, R: Rng + ?Sized>(game: &G, rng: &mut R) -> G::Move {
    game.random_move(rng)
}

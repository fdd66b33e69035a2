//! What the tests of a game, an evaluator or a search call.
//!
//! - **The conformance suite**: [`conformance`] for every game; [`text_round_trip`], [`picture`], [`symmetry`] and
//!   [`tracked`] for what else it offers; [`evaluator`] and [`policy_value`] for what values it. They play random games and panic at
//!   the first broken promise, naming the state and how to come there again.
//! - **A reference for searches**: [`plain_value`] and [`plain_moves`], slow and obvious; [`perft`] for rules.
//! - **Reference data** in files: `reference` finds, reads and counts them, `json` takes them apart; both are in the feature
//!   `reference`.
//! - **Small games** to try things on: [`toys`].
//!
//! # Examples
//! ```
//! use gamecore::testing::{self, Trials, toys::TicTacToe};
//!
//! testing::conformance(&[TicTacToe::default()], Trials::default());
//! testing::text_round_trip(&[TicTacToe::default()], Trials { games: 5, ..Trials::default() });
//! ```

mod conform;
#[cfg(feature = "reference")]
pub mod json;
mod plain;
#[cfg(feature = "reference")]
mod reference;
mod symmetry;
mod text;
pub mod toys;
mod values;

use core::fmt::{Debug, Display};
use core::ops::RangeInclusive;

use rand::rngs::Xoshiro256PlusPlus;

use crate::random::{below, generator};
use crate::{Chance, Game, Step, StepOf, Turn};

pub use conform::conformance;
pub use plain::{Perft, perft, plain_moves, plain_value};
#[cfg(feature = "reference")]
pub use reference::{CASES, CaseFile, Counts, Known, reference};
pub use symmetry::symmetry;
pub use text::{picture, text_round_trip};
pub use values::{evaluator, policy_value, tracked, tracked_with};

/// How long a check of the suite looks.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Trials {
    /// Seed of all that is drawn; a failure names it.
    pub seed: u64,
    /// Random games from each start.
    pub games: u32,
    /// Steps (moves and events) in one game. [`conformance`] takes a longer one for endless, the other checks leave it
    /// there.
    pub steps: u32,
}

impl Default for Trials {
    /// Seed 1, 100 games of at most 10 000 steps: about a second for most games. States that random play seldom meets want
    /// more games, or starts of their own.
    fn default() -> Self {
        Self { seed: 1, games: 100, steps: 10_000 }
    }
}

/// All moves of a [`Turn::Decide`] state, in the game's order.
#[must_use]
pub fn moves<G: Game>(game: &G) -> Vec<G::Move> {
    let mut buf = G::Moves::default();
    game.moves(&mut buf);
    buf.as_ref().to_vec()
}

/// `count` random [`Turn::Decide`] states, each a number of random decisions drawn from `decisions` away from `start`.
///
/// # Panics
/// If the game nearly always ends before so many decisions.
#[must_use]
pub fn positions<G: Game>(start: &G, seed: u64, count: usize, decisions: RangeInclusive<u32>) -> Vec<G> {
    let mut rng = generator(seed);
    let mut list = Vec::with_capacity(count);
    let span = (decisions.end() - decisions.start()) as usize + 1;
    for _ in 0..1000 + 1000 * count {
        if list.len() == count {
            break;
        }
        let mut game = start.clone();
        let mut left = decisions.start() + below(&mut rng, span) as u32;
        loop {
            match game.turn() {
                Turn::Over(_) => break,
                Turn::Chance(chance) => game.resolve(chance.sample(&mut rng)),
                Turn::Decide(_) if left == 0 => {
                    list.push(game);
                    break;
                }
                Turn::Decide(_) => {
                    left -= 1;
                    let m = game.random_move(&mut rng);
                    game.play(m);
                }
            }
        }
    }
    assert_eq!(list.len(), count, "games from {start:?} end too soon for states {decisions:?} decisions away");
    list
}

/// Where a check stands; what a failure reports.
struct Spot<'a, G: Game> {
    check: &'static str,
    trials: Trials,
    start: usize,
    game: u32,
    step: u32,
    last: Option<StepOf<G>>,
    state: &'a G,
}

impl<G: Game> Spot<'_, G> {
    #[cold]
    fn fail(&self, what: impl Display) -> ! {
        let Self { check, trials: Trials { seed, .. }, start, game, step, state, .. } = self;
        panic!("{check}: {what}\n  state: {state:?}\n  (seed {seed}, start {start}, game {game}, step {step})");
    }
}

/// Fails at the spot unless the condition holds.
macro_rules! ensure {
    ($spot:expr, $condition:expr, $($message:tt)+) => {{
        let held: bool = $condition;
        if !held {
            $spot.fail(format_args!($($message)+));
        }
    }};
}
use ensure;

/// Plays random games from all starts and shows every state to `visit`, the last included.
fn walk<G: Game>(
    check: &'static str,
    starts: &[G],
    trials: Trials,
    must_end: bool,
    mut visit: impl FnMut(&Spot<'_, G>, &mut Xoshiro256PlusPlus),
) {
    assert!(!starts.is_empty() && trials.games > 0, "{check}: nothing to check");
    let mut rng = generator(trials.seed);
    for (start, first) in starts.iter().enumerate() {
        for game in 0..trials.games {
            let (mut state, mut last) = (first.clone(), None);
            for step in 0..=trials.steps {
                let spot = Spot { check, trials, start, game, step, last, state: &state };
                visit(&spot, &mut rng);
                let taken = match state.turn() {
                    Turn::Over(_) => break,
                    Turn::Chance(chance) => {
                        let events = chance.events();
                        ensure!(spot, !events.is_empty(), "a chance node without events");
                        // The default draw, so that a broken `sample` leads nowhere.
                        Step::Chance(Listed(events).sample(&mut rng))
                    }
                    Turn::Decide(_) => {
                        let list = moves(&state);
                        ensure!(spot, !list.is_empty(), "no move to choose from: a player who cannot move passes");
                        Step::Move(list[below(&mut rng, list.len())])
                    }
                };
                let long = must_end && step == trials.steps;
                ensure!(spot, !long, "a random game is not over after {} steps", trials.steps);
                last = Some(taken);
                match taken {
                    Step::Chance(event) => state.resolve(event),
                    Step::Move(m) => state.play(m),
                }
            }
        }
    }
}

/// A chance node's events, drawn as [`Chance::sample`] does by default.
struct Listed<'a, E>(&'a [(E, f64)]);

impl<E: Copy + Eq + core::hash::Hash + Debug + Send + Sync + 'static> Chance for Listed<'_, E> {
    type Event = E;

    fn events(&self) -> &[(E, f64)] {
        self.0
    }
}

/// Up to `most` of `items`, all of a shorter list, else a random choice.
fn some<T: Copy>(items: &[T], most: usize, rng: &mut Xoshiro256PlusPlus) -> Vec<T> {
    if items.len() <= most {
        return items.to_vec();
    }
    (0..most).map(|_| items[below(rng, items.len())]).collect()
}

/// Whether both hold the same items in any order; neither has duplicates.
fn same_set<T: PartialEq>(a: &[T], b: &[T]) -> bool {
    a.len() == b.len() && (a == b || a.iter().all(|x| b.contains(x)))
}

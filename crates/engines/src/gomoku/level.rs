//! How strong an opponent is.

use std::time::Duration;

use gamecore::random;
use games_gomoku::Gomoku;
use search_core::{Agent, Limits, RandomAgent};

use super::Engine;
use crate::level::numbered_levels;
use crate::named::Named;

/// How strong an opponent is, 1 to 5. Each level beats the one below.
///
/// | level | looks |
/// | --- | --- |
/// | 1 | nowhere: a random point |
/// | 2 | 1 move ahead, and takes up to 0.3 points less than the best |
/// | 3 | 2 moves ahead |
/// | 4 | 6 moves ahead, and at lines of fours first |
/// | 5 | as far as it gets in one second |
///
/// # Examples
/// ```
/// use engines::gomoku::Level;
/// let level: Level = "3".parse()?;
/// assert!(Level::WEAKEST < level && level < Level::STRONGEST);
/// assert!("6".parse::<Level>().is_err());
/// # Ok::<(), engines::gomoku::LevelError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Hash)]
pub struct Level(u8);

/// What level 2 gives away at most, in points.
const CARELESS: f64 = 0.3;

impl Level {
    /// Random moves.
    pub const WEAKEST: Self = Self(1);
    /// The engine, a second a move.
    pub const STRONGEST: Self = Self(5);

    /// Strong enough and quick enough for hundreds of games.
    pub const QUICK: Self = Self(3);

    /// What the level does, in a few words.
    #[must_use]
    pub fn description(self) -> &'static str {
        match self.0 {
            1 => "plays at random",
            2 => "looks one move ahead, and not carefully",
            3 => "looks two moves ahead",
            4 => "looks six moves ahead",
            _ => "looks as far ahead as its time allows",
        }
    }

    /// What it may spend on a move.
    #[must_use]
    pub fn limits(self) -> Limits {
        match self.0 {
            5 => Limits::time(Duration::from_secs(1)),
            4 => Limits::depth(6),
            3 => Limits::depth(2),
            _ => Limits::depth(1),
        }
    }

    /// A player of this level; give it [`limits`](Level::limits) when it is asked. The seed is for what it chooses at random.
    #[must_use]
    pub fn agent(self, seed: u64) -> Box<dyn Agent<Gomoku>> {
        let small = Engine::new().with_table(1 << 20);
        let mut inner: Box<dyn Agent<Gomoku>> = match self.0 {
            1 => Box::new(RandomAgent(random::generator(seed))),
            2 => Box::new(small.with_proofs(false).with_margin(CARELESS)),
            3 => Box::new(small.with_proofs(false)),
            4 => Box::new(small),
            _ => Box::new(Engine::new()),
        };
        inner.new_game(seed);
        Named::boxed(&format!("level {self}"), inner)
    }
}

numbered_levels!();

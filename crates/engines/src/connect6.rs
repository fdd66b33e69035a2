//! Connect6 and its family.

use core::fmt;
use core::str::FromStr;
use std::time::Duration;

use gamecore::{History, random};
use games_connect6::eval::Count;
use games_connect6::{Connect6, Narrowed, Point};
use search_alphabeta::AlphaBeta;
use search_core::{Agent, AgentError, Analyst, Limits, MoveOrder, RandomAgent, ReportOf, SearchError};

use crate::named::Named;

/// The order in which stones are looked at: by [`Narrowed::promise`].
#[derive(Clone, Copy, Debug, Default)]
pub struct Order;

impl MoveOrder<Narrowed> for Order {
    #[inline]
    fn scores(&self, game: &Narrowed, moves: &[Point], scores: &mut [i32]) {
        for (score, &m) in scores.iter_mut().zip(moves) {
            *score = game.promise(m);
        }
    }
}

/// The engine. A decision is one stone: whoever has two in a turn is asked twice.
///
/// Depth counts stones, so two turns ahead are depth 4. Values are points for [`Player::One`](gamecore::Player::One): 1 if it wins,
/// -1 if it loses. Reports have the stones that were looked at, not all that are legal.
///
/// # Examples
/// ```
/// use engines::connect6::Engine;
/// use games_connect6::Connect6;
/// use search_core::{Agent, Limits};
///
/// // Four in a row and two stones to put: that is a win.
/// let game: Connect6 = "9/9/9/2xxxx3/9/3oooo2/9/9/9 one 2".parse()?;
/// let report = Engine::new().choose(&game.into(), &Limits::depth(2))?;
/// assert_eq!(report.value, Some(1.0));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct Engine {
    search: AlphaBeta<Narrowed, Count, Order>,
}

/// What an [`Engine`] spends on its table, unless told otherwise.
pub const TABLE_BYTES: usize = 32 << 20;

impl Engine {
    /// With a table of [`TABLE_BYTES`], on one thread.
    #[must_use]
    pub fn new() -> Self {
        let search = AlphaBeta::new(Count).with_order(Order).with_reductions();
        Self { search: search.with_table(TABLE_BYTES) }
    }

    /// With a table of at most so many bytes.
    #[must_use]
    pub fn with_table(self, bytes: usize) -> Self {
        Self { search: self.search.with_table(bytes) }
    }

    /// On so many threads, at least 1. Only one brings the same report every time.
    #[must_use]
    pub fn with_threads(self, threads: usize) -> Self {
        Self { search: self.search.with_threads(threads) }
    }
}

impl Default for Engine {
    fn default() -> Self {
        Self::new()
    }
}

impl Agent<Connect6> for Engine {
    fn name(&self) -> String {
        Agent::<Connect6>::name(&self.search)
    }

    fn new_game(&mut self, seed: u64) {
        Agent::<Connect6>::new_game(&mut self.search, seed);
    }

    fn choose(&mut self, history: &History<Connect6>, limits: &Limits) -> Result<ReportOf<Connect6>, AgentError> {
        self.search.choose(history, limits)
    }
}

impl Analyst<Connect6> for Engine {
    fn analyse(&mut self, game: &Connect6, limits: &Limits) -> Result<ReportOf<Connect6>, SearchError> {
        Analyst::<Connect6>::analyse(&mut self.search, game, limits)
    }
}

/// How strong an opponent is, 1 to 5. Each level beats the one below.
///
/// | level | looks |
/// | --- | --- |
/// | 1 | nowhere: any empty point, by dice of its own |
/// | 2 | 1 stone ahead |
/// | 3 | 2 stones ahead, a turn |
/// | 4 | 4 stones ahead, two turns |
/// | 5 | as far as it gets in half a second for each stone |
///
/// # Examples
/// ```
/// use engines::connect6::Level;
/// let level: Level = "3".parse()?;
/// assert!(Level::WEAKEST < level && level < Level::STRONGEST);
/// assert!("6".parse::<Level>().is_err());
/// # Ok::<(), engines::connect6::LevelError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Hash)]
pub struct Level(u8);

impl Level {
    /// Random stones.
    pub const WEAKEST: Self = Self(1);
    /// The engine, a second a turn.
    pub const STRONGEST: Self = Self(5);

    /// Strong enough and quick enough for hundreds of games.
    pub const QUICK: Self = Self(3);

    /// All levels, the weakest first.
    pub fn all() -> impl Iterator<Item = Self> {
        (Self::WEAKEST.0..=Self::STRONGEST.0).map(Self)
    }

    /// What the level does, in a few words.
    #[must_use]
    pub fn description(self) -> &'static str {
        match self.0 {
            1 => "plays at random",
            2 => "looks one stone ahead",
            3 => "looks one turn ahead",
            4 => "looks two turns ahead",
            _ => "looks as far ahead as its time allows",
        }
    }

    /// What it may spend on a stone.
    #[must_use]
    pub fn limits(self) -> Limits {
        match self.0 {
            5 => Limits::time(Duration::from_millis(500)),
            4 => Limits::depth(4),
            3 => Limits::depth(2),
            _ => Limits::depth(1),
        }
    }

    /// A player of this level; give it [`limits`](Level::limits) when it is asked. The seed is for those that choose at
    /// random.
    #[must_use]
    pub fn agent(self, seed: u64) -> Box<dyn Agent<Connect6>> {
        let mut inner: Box<dyn Agent<Connect6>> = match self.0 {
            1 => Box::new(RandomAgent(random::generator(seed))),
            _ => Box::new(Engine::new()),
        };
        inner.new_game(seed);
        Named::boxed(&format!("level {self}"), inner)
    }
}

impl fmt::Display for Level {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl FromStr for Level {
    type Err = LevelError;

    fn from_str(text: &str) -> Result<Self, LevelError> {
        let level = text.trim().parse().ok().map(Self).filter(|l| (Self::WEAKEST..=Self::STRONGEST).contains(l));
        level.ok_or_else(|| LevelError { found: gamecore::text::quoted(text) })
    }
}

/// There is no such level.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("\"{found}\" is not a level: levels are {} (weakest) to {} (strongest)", Level::WEAKEST, Level::STRONGEST)]
pub struct LevelError {
    /// What was given.
    pub found: String,
}

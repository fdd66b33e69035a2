//! Connect6 and its family.

use core::fmt;
use core::str::FromStr;
use std::time::Duration;

use gamecore::{Bounds, Evaluator, Game, History, Leaf, Turn, random};
use games_connect6::eval::{Count, Forcing};
use games_connect6::{CANDIDATES, Connect6, Narrowed, Point};
use search_alphabeta::AlphaBeta;
use search_core::{Agent, AgentError, Analyst, Limits, MoveOrder, RandomAgent, ReportOf, SearchError, Watch};
use search_mcts::{Generator, Interrupted, Leaves, Mcts, Parallel};

use crate::named::Named;

/// The order in which stones are looked at: by [`Narrowed::promise`].
#[derive(Clone, Copy, Debug, Default)]
pub struct Order;

impl MoveOrder<Narrowed> for Order {
    #[inline]
    fn scores(&self, game: &Narrowed, moves: &[Point], scores: &mut [i32]) {
        for (score, &m) in scores.iter_mut().zip(moves) {
            *score = game.promise(m) as i32;
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
    alphabeta: AlphaBeta<Narrowed, Forcing, Order>,
    mcts: Mcts<Narrowed, Guided>,
    algorithm: Algorithm,
    width: [u8; 2],
}

/// How an engine searches. Written `alpha-beta` or `mcts`.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Algorithm {
    /// Alpha-beta over single stones.
    #[default]
    AlphaBeta,
    /// Monte Carlo tree search: PUCT over single stones, priors by what a stone adds to windows, the evaluator's word for
    /// playouts.
    Mcts,
}

/// Priors and values for the tree search, by windows.
#[derive(Clone, Debug)]
pub struct Guided {
    /// Finds wins by double threats.
    pub forcing: Forcing,
    /// Promise is divided by this before it is exponentiated.
    pub temperature: f32,
}

impl Leaves<Narrowed> for Guided {
    const PRIORS: bool = true;

    fn evaluate(&self, leaves: &mut [Leaf<Narrowed>], _: &mut Generator, watch: &mut Watch) -> Result<(), Interrupted> {
        for Leaf { game, moves, priors, value } in leaves.iter_mut() {
            priors.clear();
            let best = moves.iter().map(|&m| game.promise(m)).max().unwrap_or(0);
            priors.extend(moves.iter().map(|&m| ((game.promise(m) as f32 - best as f32) / self.temperature).exp()));
            let sum: f32 = priors.iter().sum();
            priors.iter_mut().for_each(|prior| *prior /= sum);
            *value = Count.value(game);
        }
        if watch.count(leaves.len() as u64) { Err(Interrupted) } else { Ok(()) }
    }

    fn bounds(&self, game: &Narrowed) -> Bounds {
        self.forcing.bounds(game)
    }
}

/// Turns and nodes of the searches for double threats.
const TURNS: u8 = 5;
const NODES: u64 = 100;

/// What an [`Engine`] spends on its table, unless told otherwise.
pub const TABLE_BYTES: usize = 32 << 20;

impl Engine {
    /// With a table of [`TABLE_BYTES`], on one thread.
    #[must_use]
    pub fn new() -> Self {
        let alphabeta = AlphaBeta::new(Forcing::new(TURNS, NODES)).with_order(Order).with_reductions().with_table(TABLE_BYTES);
        let mcts =
            Mcts::new(Guided { forcing: Forcing::new(TURNS, NODES), temperature: 100.0 }).with_batch(1).with_memory(TABLE_BYTES);
        Self { alphabeta, mcts, algorithm: Algorithm::AlphaBeta, width: CANDIDATES }
    }

    /// With a table of at most so many bytes.
    #[must_use]
    pub fn with_table(self, bytes: usize) -> Self {
        Self { alphabeta: self.alphabeta.with_table(bytes), mcts: self.mcts.with_memory(bytes), ..self }
    }

    /// On so many threads, at least 1. Only one brings the same report every time.
    #[must_use]
    pub fn with_threads(self, threads: usize) -> Self {
        let mcts = self.mcts.with_threads(threads, Parallel::Tree);
        Self { alphabeta: self.alphabeta.with_threads(threads), mcts, ..self }
    }
}

impl Engine {
    /// With so many candidates a stone instead of [`CANDIDATES`]: see [`Narrowed::with_width`].
    #[must_use]
    pub fn with_width(self, width: [u8; 2]) -> Self {
        Self { width, ..self }
    }

    /// With another algorithm than the strongest.
    #[must_use]
    pub fn with_algorithm(self, algorithm: Algorithm) -> Self {
        Self { algorithm, ..self }
    }

    /// For experiments: the searches themselves.
    #[doc(hidden)]
    #[must_use]
    pub fn map(
        self,
        alphabeta: impl FnOnce(AlphaBeta<Narrowed, Forcing, Order>) -> AlphaBeta<Narrowed, Forcing, Order>,
        mcts: impl FnOnce(Mcts<Narrowed, Guided>) -> Mcts<Narrowed, Guided>,
    ) -> Self {
        Self { alphabeta: alphabeta(self.alphabeta), mcts: mcts(self.mcts), ..self }
    }

    fn narrowed(&self, game: &Connect6) -> Narrowed {
        Narrowed::from(game.clone()).with_width(self.width)
    }
}

impl Default for Engine {
    fn default() -> Self {
        Self::new()
    }
}

impl Agent<Connect6> for Engine {
    fn name(&self) -> String {
        match self.algorithm {
            Algorithm::AlphaBeta => "alpha-beta".into(),
            Algorithm::Mcts => "mcts".into(),
        }
    }

    fn new_game(&mut self, seed: u64) {
        Agent::<Narrowed>::new_game(&mut self.alphabeta, seed);
        Agent::<Narrowed>::new_game(&mut self.mcts, seed);
    }

    fn choose(&mut self, history: &History<Connect6>, limits: &Limits) -> Result<ReportOf<Connect6>, AgentError> {
        match history.state().turn() {
            Turn::Decide(_) => {
                let game = self.narrowed(history.state());
                Ok(match self.algorithm {
                    Algorithm::AlphaBeta => self.alphabeta.search(&game, limits)?,
                    Algorithm::Mcts => self.mcts.search(&game, limits)?,
                })
            }
            Turn::Over(_) => Err(AgentError::NothingToDecide),
            Turn::Chance(never) => match never {},
        }
    }
}

impl Analyst<Connect6> for Engine {
    fn analyse(&mut self, game: &Connect6, limits: &Limits) -> Result<ReportOf<Connect6>, SearchError> {
        let game = self.narrowed(game);
        match self.algorithm {
            Algorithm::AlphaBeta => self.alphabeta.analyse(&game, limits),
            Algorithm::Mcts => self.mcts.analyse(&game, limits),
        }
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

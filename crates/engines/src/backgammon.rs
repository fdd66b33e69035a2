//! Backgammon and its variants.

use std::path::{Path, PathBuf};
use std::time::Duration;

use gamecore::{Evaluator, History, random};
use games_backgammon::eval::Baseline;
use games_backgammon::{Backgammon, Move, ordering};
use games_backgammon_bearoff::{Database, FileError, Kind, WithBearOff};
use search_core::{Agent, AgentError, Analyst, ByScore, Limits, MoveOrder, RandomAgent, ReportOf, SearchError};
use search_expectimax::{Expectimax, Pruning};

use crate::level::numbered_levels;
use crate::named::Named;

/// The order in which plays are looked at: [`ordering`]'s.
#[derive(Clone, Copy, Debug, Default)]
pub struct Order;

impl MoveOrder<Backgammon> for Order {
    #[inline]
    fn scores(&self, game: &Backgammon, moves: &[Move], scores: &mut [i32]) {
        ByScore(ordering).scores(game, moves, scores);
    }
}

/// The engine: Star2 with a table of [`TABLE_BYTES`], over [`Baseline`] or another evaluator.
///
/// Depth counts decisions, the play to be chosen included. What others call plies starts elsewhere:
///
/// | here | GNU Backgammon | eXtreme Gammon, bgsage | looks at |
/// | --- | --- | --- | --- |
/// | depth 1 | 0-ply | 1-ply | the positions after each play |
/// | depth 2 | 1-ply | 2-ply | and every roll and play of the opponent's |
/// | depth 3 | 2-ply | 3-ply | and every roll and play after that |
///
/// All plays are searched to the same depth (there are no filters), so the values of one report can be compared. They
/// are points for [`Player::One`](gamecore::Player::One) in units of the cube, which nobody turns: cubeless equities
/// with gammons counted as they are for money. `docs/backgammon.md` has what a depth costs.
///
/// # Examples
/// ```
/// use engines::backgammon::Engine;
/// use games_backgammon::{Backgammon, notation};
/// use search_core::{Agent, Limits};
///
/// let game: Backgammon = "00000503000050000000000200/00000503000050000000000200 one 31".parse()?;
/// let report = Engine::new().choose(&game.into(), &Limits::depth(2))?;
/// let best = report.best.map(|play| notation::text(&game, play));
/// assert_eq!(best.as_deref(), Some("8/5 6/5"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct Engine<E = Baseline> {
    search: Expectimax<Backgammon, E, Order>,
}

/// What an [`Engine`] spends on its table, unless told otherwise.
pub const TABLE_BYTES: usize = 32 << 20;

impl Engine {
    /// With [`Baseline`] and a table of [`TABLE_BYTES`].
    #[must_use]
    pub fn new() -> Self {
        Self::with_evaluator(Baseline)
    }
}

impl Default for Engine {
    fn default() -> Self {
        Self::new()
    }
}

impl<E: Evaluator<Backgammon>> Engine<E> {
    /// With another evaluator.
    #[must_use]
    pub fn with_evaluator(evaluator: E) -> Self {
        let search = Expectimax::new(evaluator).with_order(Order).with_pruning(Pruning::Star2);
        Self { search: search.with_table(TABLE_BYTES) }
    }

    /// With a table of at most so many bytes.
    #[must_use]
    pub fn with_table(self, bytes: usize) -> Self {
        Self { search: self.search.with_table(bytes) }
    }

    /// Chooses at random among the plays that are worth less than `margin` points less than the best.
    #[must_use]
    pub fn with_margin(self, margin: f64) -> Self {
        Self { search: self.search.with_margin(margin, 0) }
    }
}

impl<E: Evaluator<Backgammon>> Agent<Backgammon> for Engine<E> {
    fn name(&self) -> String {
        "alpha-beta".into()
    }

    fn new_game(&mut self, seed: u64) {
        Agent::<Backgammon>::new_game(&mut self.search, seed);
    }

    fn choose(&mut self, history: &History<Backgammon>, limits: &Limits) -> Result<ReportOf<Backgammon>, AgentError> {
        self.search.choose(history, limits)
    }
}

impl<E: Evaluator<Backgammon>> Analyst<Backgammon> for Engine<E> {
    fn analyse(&mut self, game: &Backgammon, limits: &Limits) -> Result<ReportOf<Backgammon>, SearchError> {
        self.search.analyse(game, limits)
    }
}

/// [`Baseline`] with the bear-off databases of files, at most one of each kind: with none it is [`Baseline`].
///
/// A file is read into memory as a whole and stays there as long as the evaluator or a copy of it; copies share it. It may have
/// [4 GiB](games_backgammon_bearoff::MOST_BYTES); the usual ones have 7 MB. `games-backgammon-bearoff` says how one is
/// made, and `docs/backgammon.md` what it is worth.
///
/// # Errors
/// If a file cannot be read or is no database, or two are of the same kind.
///
/// # Examples
/// ```
/// use std::path::Path;
/// use engines::backgammon::{Engine, Level, with_bear_off};
///
/// let evaluator = with_bear_off(&[] as &[&Path])?; // Path::new("two.bearoff")
/// let engine = Engine::with_evaluator(evaluator.clone());
/// let opponent = Level::STRONGEST.agent_with(evaluator, 1);
/// # Ok::<(), engines::backgammon::BearOffError>(())
/// ```
pub fn with_bear_off(files: &[impl AsRef<Path>]) -> Result<WithBearOff<Baseline>, BearOffError> {
    let mut evaluator = WithBearOff::new(Baseline);
    for path in files.iter().map(AsRef::as_ref) {
        let database = Database::open(path).map_err(|error| BearOffError::File { path: path.into(), error })?;
        if evaluator.databases().any(|other| other.kind() == database.kind()) {
            return Err(BearOffError::Twice { path: path.into(), kind: database.kind() });
        }
        evaluator = evaluator.with_database(database);
    }
    Ok(evaluator)
}

/// Why an evaluator is not given the databases of files.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum BearOffError {
    /// A file is missing, or no database that can be used.
    #[error("{}: {error}", path.display())]
    File {
        /// The file.
        path: PathBuf,
        /// What is wrong.
        error: FileError,
    },
    /// A second one of the same kind.
    #[error("{}: a second {kind} bear-off database: one of each kind can be used", path.display())]
    Twice {
        /// The second file.
        path: PathBuf,
        /// What both are.
        kind: Kind,
    },
}

/// How strong an opponent is, 1 to 5. Each level beats the one below; `docs/backgammon.md` says by how much.
///
/// | level | looks |
/// | --- | --- |
/// | 1 | nowhere: any legal play, by dice of its own |
/// | 2 | 1 decision ahead, and takes up to 0.2 points less than the best |
/// | 3 | 1 decision ahead |
/// | 4 | 2 decisions ahead |
/// | 5 | as far as it gets in one second, mostly 2 or 3 decisions |
///
/// # Examples
/// ```
/// use engines::backgammon::Level;
/// let level: Level = "3".parse()?;
/// assert!(Level::WEAKEST < level && level < Level::STRONGEST);
/// assert!("6".parse::<Level>().is_err());
/// # Ok::<(), engines::backgammon::LevelError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Hash)]
pub struct Level(u8);

/// What level 2 gives away at most, in points.
const CARELESS: f64 = 0.2;

impl Level {
    /// Random plays.
    pub const WEAKEST: Self = Self(1);
    /// The engine, a second a play.
    pub const STRONGEST: Self = Self(5);

    /// Strong enough and quick enough for hundreds of games.
    pub const QUICK: Self = Self(3);

    /// What the level does, in a few words.
    #[must_use]
    pub fn description(self) -> &'static str {
        match self.0 {
            1 => "plays at random",
            2 => "looks one play ahead, and not carefully",
            3 => "looks one play ahead",
            4 => "looks two plays ahead",
            _ => "looks as far ahead as its time allows",
        }
    }

    /// What it may spend on a play.
    #[must_use]
    pub fn limits(self) -> Limits {
        match self.0 {
            5 => Limits::time(Duration::from_secs(1)),
            4 => Limits::depth(2),
            _ => Limits::depth(1),
        }
    }

    /// A player of this level; give it [`limits`](Level::limits) when it is asked. The seed is for those that choose at
    /// random.
    #[must_use]
    pub fn agent(self, seed: u64) -> Box<dyn Agent<Backgammon>> {
        self.agent_with(Baseline, seed)
    }

    /// [`agent`](Level::agent) with another evaluator; the levels were measured with [`Baseline`].
    #[must_use]
    pub fn agent_with(self, evaluator: impl Evaluator<Backgammon> + 'static, seed: u64) -> Box<dyn Agent<Backgammon>> {
        let engine = || Engine::with_evaluator(evaluator);
        let mut inner: Box<dyn Agent<Backgammon>> = match self.0 {
            1 => Box::new(RandomAgent(random::generator(seed))),
            2 => Box::new(engine().with_table(0).with_margin(CARELESS)),
            3 => Box::new(engine().with_table(0)),
            _ => Box::new(engine()),
        };
        inner.new_game(seed);
        Named::boxed(&format!("level {self}"), inner)
    }
}

numbered_levels!();

#[cfg(test)]
mod tests {
    use super::*;
    use arena::{Contestant, Pairing, Settings, Tournament};
    use core::ops::ControlFlow;
    use gamecore::Game;
    use games_backgammon::{Setup, Throw, notation};
    use rand::Rng;

    /// Every level up to the fourth beats the one below, by pairs on the same dice.
    #[test]
    fn levels_are_in_order() {
        let levels: Vec<Level> = Level::all().take(4).collect();
        for pair in levels.windows(2) {
            let settings = Settings::new(if pair[1].0 < 4 { 20 } else { 150 }, 5);
            let start = |_: u64, _: &mut dyn Rng| Backgammon::start(Setup::Standard);
            let players = [pair[1], pair[0]]
                .map(|level| Contestant::new(&format!("level {level}"), level.limits(), move || level.agent(0)));
            let tournament = Tournament::new(settings, Pairing::RoundRobin, start, players.into()).unwrap();
            let mut standings = tournament.standings();
            tournament.play(&mut standings, &mut |_, _| ControlFlow::Continue(())).unwrap();
            println!("{standings}");
            assert!(standings.mean(0) > 0.5, "{standings}");
        }
    }

    #[test]
    fn every_position_is_played_and_analysed() {
        for setup in Setup::ALL {
            let start = Backgammon::start(setup);
            let mut engine = Engine::new().with_table(1 << 20);
            assert_eq!(engine.analyse(&start, &Limits::depth(1)).unwrap().events.len(), 30);
            let rolled = start.resolved(Throw::Opening { one: 2, two: 6 });
            let report = engine.analyse(&rolled, &Limits::depth(1)).unwrap();
            assert!(!report.moves.is_empty() && report.moves.iter().all(|line| line.bound == search_core::Bound::Exact));
            let report = engine.choose(&rolled.into(), &Limits::depth(2)).unwrap();
            let next = rolled.after(report.best.unwrap());
            assert_eq!(engine.analyse(&next, &Limits::depth(1)).unwrap().events.len(), 21);
            let over = "0000000000000000000000000f/000000f0000000000000000000 one".parse().unwrap();
            assert!(matches!(engine.analyse(&over, &Limits::depth(1)), Err(SearchError::Over)));
        }
    }

    /// Who cannot move passes.
    #[test]
    fn a_pass_is_a_play() {
        let shut_out: Backgammon = "00000503000050000000000020/22222230000000000000000000 one 31".parse().unwrap();
        let report = Engine::new().choose(&shut_out.into(), &Limits::depth(2)).unwrap();
        assert_eq!(report.best.map(|m| notation::text(&shut_out, m)).as_deref(), Some("pass"));
    }

    #[test]
    fn wrong_levels_are_named() {
        for text in ["0", "6", "-1", "best", ""] {
            let error = text.parse::<Level>().unwrap_err().to_string();
            assert!(error.contains("1 (weakest) to 5 (strongest)"), "{error}");
        }
        assert!(Level::all().all(|l| l.to_string().parse() == Ok(l) && !l.description().is_empty()));
    }
}

//! Gomoku in experiments.

use std::path::Path;

use arena::MakeError;
use engines::gomoku::{Engine, Level, LevelError};
use gamecore::Game as _;
use gamecore::random::{below, generator};
use games_gomoku::{Gomoku, Point, Rule, SetupError, USUAL, UnknownRule};
use rand::Rng;
use search_core::{Agent, Limits, RandomAgent};
use serde::Deserialize;

use crate::agents;
use crate::experiment::{Entries, Experiment, ExperimentError};

/// What `[game]` holds beside the name.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Game {
    #[serde(rename = "name")]
    _name: String,
    #[serde(default = "freestyle")]
    rule: String,
    #[serde(default = "usual")]
    size: u8,
    /// So many stones at random among the middle 7x7, before each pair of games.
    #[serde(default)]
    stones: u8,
}

fn freestyle() -> String {
    Rule::Freestyle.to_string()
}

fn usual() -> u8 {
    USUAL
}

/// What a player's `agent` can be.
#[derive(Clone, Debug, Deserialize)]
#[serde(tag = "kind", rename_all = "kebab-case", deny_unknown_fields)]
enum Kind {
    /// Any empty point.
    Random,
    /// A level of `gomoku_vs_ai`.
    Level { level: u8 },
    /// The engine.
    Engine {
        #[serde(default = "table_mib")]
        table_mib: usize,
        #[serde(default = "one")]
        threads: usize,
    },
    /// A program that speaks UGI.
    Ugi {
        program: String,
        #[serde(default)]
        args: Vec<String>,
    },
}

fn table_mib() -> usize {
    engines::gomoku::TABLE_BYTES >> 20
}

fn one() -> usize {
    1
}

impl Kind {
    /// What it may spend if the file does not say; `None` if that must be said.
    fn limits(&self) -> Result<Option<Limits>, String> {
        match *self {
            Self::Random => Ok(Some(Limits::default())),
            Self::Level { level } => Ok(Some(read_level(level)?.limits())),
            Self::Engine { threads, .. } if !(1..=64).contains(&threads) => Err(format!("threads is {threads}, must be 1 to 64")),
            Self::Engine { table_mib, .. } => agents::check_table(table_mib).map(|()| None),
            Self::Ugi { .. } => Ok(None),
        }
    }

    fn agent(&self, folder: &Path) -> Result<Box<dyn Agent<Gomoku>>, MakeError> {
        Ok(match self {
            Self::Random => Box::new(RandomAgent(generator(0))),
            Self::Level { level } => read_level(*level)?.agent(0),
            &Self::Engine { table_mib, threads } => Box::new(Engine::new().with_table(table_mib << 20).with_threads(threads)),
            Self::Ugi { program, args } => agents::ugi(program, args, folder)?,
        })
    }
}

fn read_level(level: u8) -> Result<Level, String> {
    level.to_string().parse().map_err(|error: LevelError| error.to_string())
}

/// Stones of both seats in turn, none of them an end.
fn opening(start: &Gomoku, stones: u8, rng: &mut dyn Rng) -> Gomoku {
    let size = start.board().size();
    let side = size.min(7);
    let first = (size - side) / 2;
    loop {
        let mut game = start.clone();
        while game.outcome().is_none() && game.board().count() < stones.into() {
            let [x, y] = [0, 1].map(|_| first + below(rng, side.into()) as u8);
            if let Some(point) = Point::new(x, y) {
                // Refused where a stone is, or where it is forbidden.
                let _ = game.try_play(point);
            }
        }
        if game.outcome().is_none() {
            return game;
        }
    }
}

/// The start of each pair, and the players.
pub(crate) fn entries(experiment: &mut Experiment) -> Result<Entries<Gomoku>, ExperimentError> {
    let wrong = |reason: String| ExperimentError::Game { reason };
    let game: Game = experiment.game.clone().try_into().map_err(|e: toml::de::Error| wrong(e.message().into()))?;
    // What was left out is in effect all the same: reports and logs say so.
    experiment.game.insert("rule".into(), game.rule.clone().into());
    experiment.game.insert("size".into(), i64::from(game.size).into());
    experiment.game.insert("stones".into(), i64::from(game.stones).into());
    let rule: Rule = game.rule.parse().map_err(|e: UnknownRule| wrong(e.to_string()))?;
    let start = Gomoku::start(rule, game.size).map_err(|e: SetupError| wrong(e.to_string()))?;
    if game.stones > MOST_STONES {
        return Err(wrong(format!("stones is {}, at most {MOST_STONES}", game.stones)));
    }
    let players = agents::players(experiment, Kind::limits, Kind::agent)?;
    Ok((Box::new(move |_, rng| opening(&start, game.stones, rng)), players))
}

/// On the smallest board games of random moves get so far without an end.
const MOST_STONES: u8 = 12;

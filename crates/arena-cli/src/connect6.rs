//! Connect6 in experiments.

use std::path::Path;

use arena::MakeError;
use engines::connect6::{Algorithm, Engine, Level, LevelError};
use gamecore::Game as _;
use gamecore::random::{below, generator};
use games_connect6::{Connect6, Point, Rules, RulesError};
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
    /// As `connect6_vs_ai` reads them.
    #[serde(default = "usual")]
    rules: String,
    /// So many stones at random in the middle, One's first, before each pair of games.
    #[serde(default)]
    stones: u8,
}

fn usual() -> String {
    Rules::CONNECT6.to_string()
}

/// What a player's `agent` can be. Limits are for each stone.
#[derive(Clone, Debug, Deserialize)]
#[serde(tag = "kind", rename_all = "kebab-case", deny_unknown_fields)]
enum Kind {
    /// Any empty point.
    Random,
    /// A level of `connect6_vs_ai`.
    Level { level: u8 },
    /// The engine.
    Engine {
        #[serde(default)]
        algorithm: Option<String>,
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
    engines::connect6::TABLE_BYTES >> 20
}

fn one() -> usize {
    1
}

impl Kind {
    /// What it may spend if the file does not say; `None` if that must be said.
    fn limits(&self) -> Result<Option<Limits>, String> {
        match self {
            Self::Random => Ok(Some(Limits::default())),
            Self::Level { level } => Ok(Some(read_level(*level)?.limits())),
            Self::Engine { threads, .. } if !(1..=64).contains(threads) => Err(format!("threads is {threads}, must be 1 to 64")),
            Self::Engine { algorithm, table_mib, .. } => {
                read_algorithm(algorithm.as_deref())?;
                agents::check_table(*table_mib).map(|()| None)
            }
            Self::Ugi { .. } => Ok(None),
        }
    }

    fn agent(&self, folder: &Path) -> Result<Box<dyn Agent<Connect6>>, MakeError> {
        Ok(match self {
            Self::Random => Box::new(RandomAgent(generator(0))),
            Self::Level { level } => read_level(*level)?.agent(0),
            Self::Engine { algorithm, table_mib, threads } => {
                let algorithm = read_algorithm(algorithm.as_deref())?;
                let engine = Engine::new().with_algorithm(algorithm);
                Box::new(engine.with_table(table_mib << 20).with_threads(*threads))
            }
            Self::Ugi { program, args } => agents::ugi(program, args, folder)?,
        })
    }
}

fn read_level(level: u8) -> Result<Level, String> {
    level.to_string().parse().map_err(|error: LevelError| error.to_string())
}

fn read_algorithm(name: Option<&str>) -> Result<Algorithm, String> {
    match name {
        None => Ok(Algorithm::default()),
        Some("alpha-beta") => Ok(Algorithm::AlphaBeta),
        Some("mcts") => Ok(Algorithm::Mcts),
        Some(other) => Err(format!("algorithm is \"{}\", must be alpha-beta or mcts", gamecore::text::quoted(other))),
    }
}

/// Stones of both seats in turn, in the middle, none of them an end.
fn opening(start: &Connect6, stones: u8, rng: &mut dyn Rng) -> Connect6 {
    let size = start.board().size();
    let side = size.min(7);
    let first = (size - side) / 2;
    loop {
        let mut game = start.clone();
        while game.outcome().is_none() && game.board().count() < stones.into() {
            let [x, y] = [0, 1].map(|_| first + below(rng, side.into()) as u8);
            if let Some(point) = Point::new(x, y) {
                // Refused where a stone is.
                let _ = game.try_play(point);
            }
        }
        if game.outcome().is_none() {
            return game;
        }
    }
}

/// The start of each pair, and the players.
pub(crate) fn entries(experiment: &mut Experiment) -> Result<Entries<Connect6>, ExperimentError> {
    let wrong = |reason: String| ExperimentError::Game { reason };
    let game: Game = experiment.game.clone().try_into().map_err(|e: toml::de::Error| wrong(e.message().into()))?;
    let rules: Rules = game.rules.parse().map_err(|e: RulesError| wrong(e.to_string()))?;
    // What was left out is in effect all the same: reports and logs say so.
    experiment.game.insert("rules".into(), rules.to_string().into());
    experiment.game.insert("stones".into(), i64::from(game.stones).into());
    let points = u32::from(rules.size().min(7)).pow(2);
    if game.stones > MOST_STONES || u32::from(game.stones) * 2 > points {
        return Err(wrong(format!("stones is {}, at most {MOST_STONES} and half of the middle's {points} points", game.stones)));
    }
    if rules.length() <= 3 && game.stones > 0 {
        return Err(wrong("stones need rows of four or more".into()));
    }
    let players = agents::players(experiment, Kind::limits, Kind::agent)?;
    let start = Connect6::start(rules);
    Ok((Box::new(move |_, rng| opening(&start, game.stones, rng)), players))
}

/// Games of random stones get so far without an end.
const MOST_STONES: u8 = 12;

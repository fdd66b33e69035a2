//! Backgammon in experiments.

use std::path::Path;

use arena::MakeError;
use engines::backgammon::{Engine, Level, LevelError, Order};
use gamecore::random::generator;
use games_backgammon::eval::Baseline;
use games_backgammon::{Backgammon, Setup, SetupError};
use search_core::{Agent, Limits, RandomAgent};
use search_expectimax::Expectimax;
use serde::Deserialize;

use crate::agents::{self, PruningName};
use crate::experiment::{Entries, Experiment, ExperimentError};

/// What `[game]` holds beside the name.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Game {
    #[serde(rename = "name")]
    _name: String,
    #[serde(default = "standard")]
    setup: String,
}

fn standard() -> String {
    Setup::Standard.name().into()
}

/// What a player's `agent` can be.
#[derive(Clone, Debug, Deserialize)]
#[serde(tag = "kind", rename_all = "kebab-case", deny_unknown_fields)]
enum Kind {
    /// Any legal play.
    Random,
    /// A level of `backgammon_vs_ai`.
    Level { level: u8 },
    /// The engine.
    Engine,
    /// A search put together by hand.
    Expectimax {
        #[serde(default)]
        evaluator: EvaluatorName,
        #[serde(default)]
        pruning: PruningName,
        #[serde(default = "agents::table_mib")]
        table_mib: usize,
        #[serde(default)]
        margin: f64,
    },
    /// A program that speaks UGI.
    Ugi {
        program: String,
        #[serde(default)]
        args: Vec<String>,
    },
}

#[derive(Clone, Copy, Debug, Default, Deserialize)]
#[serde(rename_all = "kebab-case")]
enum EvaluatorName {
    #[default]
    Baseline,
}

impl Kind {
    /// What it may spend if the file does not say; `None` if that must be said.
    fn limits(&self) -> Result<Option<Limits>, String> {
        match self {
            Self::Random => Ok(Some(Limits::default())),
            Self::Level { level } => Ok(Some(read_level(*level)?.limits())),
            Self::Expectimax { table_mib, margin, .. } => agents::check_expectimax(*table_mib, *margin).map(|()| None),
            Self::Engine | Self::Ugi { .. } => Ok(None),
        }
    }

    fn agent(&self, folder: &Path) -> Result<Box<dyn Agent<Backgammon>>, MakeError> {
        Ok(match self {
            Self::Random => Box::new(RandomAgent(generator(0))),
            Self::Level { level } => read_level(*level)?.agent(0),
            Self::Engine => Box::new(Engine::new()),
            &Self::Expectimax { evaluator: EvaluatorName::Baseline, pruning, table_mib, margin } => {
                Box::new(agents::expectimax(Expectimax::new(Baseline).with_order(Order), pruning, table_mib, margin))
            }
            Self::Ugi { program, args } => agents::ugi(program, args, folder)?,
        })
    }
}

fn read_level(level: u8) -> Result<Level, String> {
    level.to_string().parse().map_err(|error: LevelError| error.to_string())
}

/// The start of each pair, and the players.
pub(crate) fn entries(experiment: &mut Experiment) -> Result<Entries<Backgammon>, ExperimentError> {
    let wrong = |reason: String| ExperimentError::Game { reason };
    let game: Game = experiment.game.clone().try_into().map_err(|e: toml::de::Error| wrong(e.message().into()))?;
    // What was left out is in effect all the same: reports and logs say so.
    experiment.game.insert("setup".into(), game.setup.clone().into());
    let setup: Setup = game.setup.parse().map_err(|e: SetupError| wrong(e.to_string()))?;
    let players = agents::players(experiment, Kind::limits, Kind::agent)?;
    Ok((Box::new(move |_, _| Backgammon::start(setup)), players))
}

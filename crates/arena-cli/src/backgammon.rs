//! Backgammon in experiments.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use arena::MakeError;
use engines::backgammon::{Engine, Level, LevelError, Order, with_bear_off};
use gamecore::Text;
use gamecore::random::generator;
use gamecore::text::quoted;
use games_backgammon::eval::Baseline;
use games_backgammon::{Backgammon, Setup, SetupError};
use games_backgammon_bearoff::WithBearOff;
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
    /// How the checkers stand at first, unless there are
    setup: Option<String>,
    /// positions to begin with, which the pairs take in turn.
    positions: Option<Vec<String>>,
}

/// What a player's `agent` can be.
#[derive(Clone, Debug, Deserialize)]
#[serde(tag = "kind", rename_all = "kebab-case", deny_unknown_fields)]
enum Kind {
    /// Any legal play.
    Random,
    /// A level of `backgammon_vs_ai`.
    Level {
        level: u8,
        #[serde(default)]
        bearoff: Vec<PathBuf>,
    },
    /// The engine.
    Engine {
        #[serde(default)]
        bearoff: Vec<PathBuf>,
    },
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
        #[serde(default)]
        bearoff: Vec<PathBuf>,
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
            Self::Level { level, .. } => Ok(Some(read_level(*level)?.limits())),
            Self::Expectimax { table_mib, margin, .. } => agents::check_expectimax(*table_mib, *margin).map(|()| None),
            Self::Engine { .. } | Self::Ugi { .. } => Ok(None),
        }
    }

    /// The files of bear-off databases that it uses.
    fn bearoff(&self) -> &[PathBuf] {
        match self {
            Self::Level { bearoff, .. } | Self::Engine { bearoff } | Self::Expectimax { bearoff, .. } => bearoff,
            Self::Random | Self::Ugi { .. } => &[],
        }
    }

    fn agent(&self, folder: &Path, opened: &Opened) -> Result<Box<dyn Agent<Backgammon>>, MakeError> {
        let evaluator = || opened.get(self.bearoff()).cloned().ok_or("its bear-off databases have not been opened");
        Ok(match self {
            Self::Random => Box::new(RandomAgent(generator(0))),
            Self::Level { level, .. } => read_level(*level)?.agent_with(evaluator()?, 0),
            Self::Engine { .. } => Box::new(Engine::with_evaluator(evaluator()?)),
            &Self::Expectimax { evaluator: EvaluatorName::Baseline, pruning, table_mib, margin, .. } => {
                Box::new(agents::expectimax(Expectimax::new(evaluator()?).with_order(Order), pruning, table_mib, margin))
            }
            Self::Ugi { program, args } => agents::ugi(program, args, folder)?,
        })
    }
}

fn read_level(level: u8) -> Result<Level, String> {
    level.to_string().parse().map_err(|error: LevelError| error.to_string())
}

/// The evaluators of all players, by their lists of files: agents on all threads share a database.
type Opened = BTreeMap<Vec<PathBuf>, WithBearOff<Baseline>>;

/// Opens what the players name; paths are meant from where the experiment stands.
fn open(experiment: &Experiment) -> Result<Opened, ExperimentError> {
    let mut opened = Opened::new();
    for player in &experiment.players {
        // What is no agent is refused later, with its reason.
        let Ok(kind) = player.agent.clone().try_into::<Kind>() else { continue };
        if !opened.contains_key(kind.bearoff()) {
            let files: Vec<PathBuf> = kind.bearoff().iter().map(|path| experiment.folder.join(path)).collect();
            let wrong = |reason: String| ExperimentError::Player { name: player.name.clone(), reason };
            let evaluator = with_bear_off(&files).map_err(|error| wrong(format!("bearoff: {error}")))?;
            opened.insert(kind.bearoff().into(), evaluator);
        }
    }
    Ok(opened)
}

/// The start of each pair, and the players.
pub(crate) fn entries(experiment: &mut Experiment) -> Result<Entries<Backgammon>, ExperimentError> {
    let wrong = |reason: String| ExperimentError::Game { reason };
    let game: Game = experiment.game.clone().try_into().map_err(|e: toml::de::Error| wrong(e.message().into()))?;
    let starts = match (&game.positions, &game.setup) {
        (Some(_), Some(_)) => return Err(wrong("a setup and positions: one of them".into())),
        (Some(positions), None) => {
            let read = |text: &String| match Backgammon::parse_position(text) {
                Ok(start) if start.outcome().is_some() => Err(wrong(format!("positions: \"{}\" is over", quoted(text)))),
                start => start.map_err(|error| wrong(format!("positions: {error}"))),
            };
            positions.iter().map(read).collect::<Result<Vec<_>, _>>()?
        }
        (None, setup) => {
            let setup = setup.as_ref().map_or(Ok(Setup::default()), |name| name.parse());
            let setup = setup.map_err(|error: SetupError| wrong(error.to_string()))?;
            // What was left out is in effect all the same: reports and logs say so.
            experiment.game.insert("setup".into(), setup.name().into());
            vec![Backgammon::start(setup)]
        }
    };
    if starts.is_empty() {
        return Err(wrong("positions: there is none".into()));
    }
    let opened = open(experiment)?;
    let agent = move |kind: &Kind, folder: &Path| kind.agent(folder, &opened);
    let players = agents::players(experiment, Kind::limits, agent)?;
    Ok((Box::new(move |pair, _| starts[(pair % starts.len() as u64) as usize]), players))
}

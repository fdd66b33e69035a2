//! EinStein würfelt nicht! in experiments.

use arena::Contestant;
use engines::einstein::{Engine, Level, Opening, Order};
use gamecore::random::generator;
use gamecore::{Evaluator, Player as Seat};
use games_einstein::eval::{Distance, Distribution, Material, Race};
use games_einstein::{Einstein, Rules, RulesError, SetupError};
use protocols::ugi::Ugi;
use protocols::{Launch, Outside, Patience};
use rand::Rng;
use search_core::{Agent, AgentError, Limits, RandomAgent};
use search_expectimax::{Expectimax, Pruning};
use serde::Deserialize;

use crate::experiment::{Entries, Experiment, ExperimentError, Player};

/// What `[game]` holds beside the name.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Game {
    #[serde(rename = "name")]
    _name: String,
    #[serde(default = "standard")]
    rules: String,
    #[serde(default = "random")]
    layout: String,
}

fn standard() -> String {
    "standard".into()
}

fn random() -> String {
    "random".into()
}

/// What a player's `agent` can be.
#[derive(Clone, Debug, Deserialize)]
#[serde(tag = "kind", rename_all = "kebab-case", deny_unknown_fields)]
enum Kind {
    /// Any legal move.
    Random,
    /// A level of `einstein_vs_ai`.
    Level { level: u8 },
    /// The engine of the rule set.
    Engine,
    /// A search put together by hand.
    Expectimax {
        evaluator: EvaluatorName,
        #[serde(default)]
        pruning: PruningName,
        #[serde(default = "table_mib")]
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

fn table_mib() -> usize {
    32
}

#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(rename_all = "kebab-case")]
enum EvaluatorName {
    Material,
    Distance,
    Race,
    Distribution,
}

#[derive(Clone, Copy, Debug, Default, Deserialize)]
#[serde(rename_all = "kebab-case")]
enum PruningName {
    None,
    Star1,
    #[default]
    Star2,
}

impl Kind {
    /// What it may spend if the file does not say; `None` if that must be said.
    fn limits(&self) -> Result<Option<Limits>, String> {
        match self {
            Self::Expectimax { table_mib, .. } if *table_mib > 65_536 => Err(format!("table_mib is {table_mib}, at most 65536")),
            Self::Expectimax { margin, .. } if !(0.0..=2.0).contains(margin) => {
                Err(format!("margin is {margin}, must be 0 to 2"))
            }
            Self::Random => Ok(Some(Limits::default())),
            Self::Level { level } => Ok(Some(read_level(*level)?.limits())),
            Self::Engine | Self::Expectimax { .. } | Self::Ugi { .. } => Ok(None),
        }
    }

    fn agent(&self, rules: Rules) -> Result<Box<dyn Agent<Einstein>>, AgentError> {
        fn search<E: Evaluator<Einstein> + 'static>(
            evaluator: E,
            pruning: PruningName,
            mib: usize,
            margin: f64,
        ) -> Box<dyn Agent<Einstein>> {
            let pruning = match pruning {
                PruningName::None => Pruning::None,
                PruningName::Star1 => Pruning::Star1,
                PruningName::Star2 => Pruning::Star2,
            };
            let search = Expectimax::new(evaluator).with_order(Order).with_pruning(pruning);
            Box::new(search.with_table(mib.saturating_mul(1 << 20)).with_margin(margin, 0))
        }
        Ok(match self {
            Self::Random => Box::new(RandomAgent(generator(0))),
            Self::Level { level } => match read_level(*level) {
                Ok(level) => level.agent(rules, 0),
                Err(reason) => return Err(AgentError::Gone { name: format!("level {level}"), reason }),
            },
            Self::Engine => Box::new(Engine::new(rules)),
            &Self::Expectimax { evaluator, pruning, table_mib: mib, margin } => match evaluator {
                EvaluatorName::Material => search(Material, pruning, mib, margin),
                EvaluatorName::Distance => search(Distance, pruning, mib, margin),
                EvaluatorName::Race => search(Race, pruning, mib, margin),
                EvaluatorName::Distribution => search(Distribution, pruning, mib, margin),
            },
            Self::Ugi { program, args } => {
                let launch = Launch::new(program).with_args(args);
                let started = Outside::start(launch, Ugi::new(), Patience::default());
                Box::new(started.map_err(|error| AgentError::Gone { name: program.clone(), reason: error.to_string() })?)
            }
        })
    }
}

fn read_level(level: u8) -> Result<Level, String> {
    level.to_string().parse().map_err(|error: engines::einstein::LevelError| error.to_string())
}

/// The start of each pair, and the players.
pub(crate) fn entries(experiment: &Experiment) -> Result<Entries<Einstein>, ExperimentError> {
    let wrong = |reason: String| ExperimentError::Game { reason };
    let game: Game = experiment.game.clone().try_into().map_err(|e: toml::de::Error| wrong(e.message().into()))?;
    let rules: Rules = game.rules.parse().map_err(|e: RulesError| wrong(e.to_string()))?;
    let opening: Opening = game.layout.parse().map_err(|e: SetupError| wrong(e.to_string()))?;
    let start = move |rng: &mut dyn Rng| opening.start(rules, Seat::One, rng);
    start(&mut generator(experiment.seed)).map_err(|e| wrong(e.to_string()))?;
    let players = experiment.players.iter().map(|player| contestant(player, rules)).collect::<Result<_, _>>()?;
    Ok((Box::new(move |_, rng| start(rng).unwrap_or_else(|_| unreachable!("tried above"))), players))
}

fn contestant(player: &Player, rules: Rules) -> Result<Contestant<Einstein>, ExperimentError> {
    let wrong = |reason: String| ExperimentError::Player { name: player.name.clone(), reason };
    let kind: Kind = player.agent.clone().try_into().map_err(|e: toml::de::Error| wrong(format!("agent: {}", e.message())))?;
    let pace = player.pace(kind.limits().map_err(wrong)?.as_ref())?;
    Ok(Contestant::fallible(&player.name, pace, move || kind.agent(rules)))
}

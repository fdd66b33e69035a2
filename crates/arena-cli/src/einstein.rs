//! EinStein würfelt nicht! in experiments.

use std::path::Path;

use arena::MakeError;
use engines::einstein::{Algorithm, Engine, Level, Opening, Order};
use gamecore::random::generator;
use gamecore::{Evaluator, Player as Seat};
use games_einstein::eval::{Distance, Distribution, Material, Race};
use games_einstein::{Einstein, Rules, RulesError, SetupError};
use rand::Rng;
use search_core::{Agent, Limits, RandomAgent};
use search_expectimax::Expectimax;
use search_mcts::{Choice, Leaves, Mcts, Parallel, Playouts, Rolls, Selection, Values};
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
    Engine {
        #[serde(default)]
        algorithm: AlgorithmName,
    },
    /// A search put together by hand.
    Expectimax {
        evaluator: EvaluatorName,
        #[serde(default)]
        pruning: PruningName,
        #[serde(default = "agents::table_mib")]
        table_mib: usize,
        #[serde(default)]
        margin: f64,
    },
    /// Monte Carlo tree search.
    Mcts {
        /// Playouts to the end, unless an evaluator takes their place,
        evaluator: Option<EvaluatorName>,
        /// or comes after so many decisions of one.
        cut: Option<u32>,
        #[serde(default = "customary")]
        c: f64,
        #[serde(default)]
        tuned: bool,
        #[serde(default)]
        balanced: bool,
        #[serde(default = "yes")]
        solver: bool,
        #[serde(default = "yes")]
        reuse: bool,
        #[serde(default)]
        secure: bool,
        #[serde(default = "one_thread")]
        threads: usize,
        #[serde(default)]
        root_parallel: bool,
        #[serde(default = "tree_mib")]
        tree_mib: usize,
    },
    /// A program that speaks UGI.
    Ugi {
        program: String,
        #[serde(default)]
        args: Vec<String>,
    },
}

fn customary() -> f64 {
    std::f64::consts::SQRT_2
}

fn yes() -> bool {
    true
}

fn one_thread() -> usize {
    1
}

fn tree_mib() -> usize {
    64
}

#[derive(Clone, Copy, Debug, Default, Deserialize)]
#[serde(rename_all = "kebab-case")]
enum AlgorithmName {
    Expectimax,
    #[default]
    AlphaBeta,
    Mcts,
}

#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(rename_all = "kebab-case")]
enum EvaluatorName {
    Material,
    Distance,
    Race,
    Distribution,
}

impl Kind {
    /// What it may spend if the file does not say; `None` if that must be said.
    fn limits(&self) -> Result<Option<Limits>, String> {
        match self {
            Self::Expectimax { table_mib, margin, .. } => agents::check_expectimax(*table_mib, *margin).map(|()| None),
            Self::Random => Ok(Some(Limits::default())),
            Self::Level { level } => Ok(Some(read_level(*level)?.limits(Algorithm::default()))),
            Self::Mcts { tree_mib, .. } if *tree_mib > 65_536 => Err(format!("tree_mib is {tree_mib}, at most 65536")),
            Self::Mcts { c, .. } if !(0.0..=100.0).contains(c) => Err(format!("c is {c}, must be 0 to 100")),
            Self::Mcts { threads, .. } if !(1..=256).contains(threads) => Err(format!("threads is {threads}, must be 1 to 256")),
            Self::Mcts { cut: Some(_), evaluator: None, .. } => Err("cut needs an evaluator to cut to".into()),
            Self::Engine { .. } | Self::Mcts { .. } | Self::Ugi { .. } => Ok(None),
        }
    }

    fn agent(&self, rules: Rules, folder: &Path) -> Result<Box<dyn Agent<Einstein>>, MakeError> {
        fn search<E: Evaluator<Einstein> + 'static>(
            evaluator: E,
            pruning: PruningName,
            mib: usize,
            margin: f64,
        ) -> Box<dyn Agent<Einstein>> {
            Box::new(agents::expectimax(Expectimax::new(evaluator).with_order(Order), pruning, mib, margin))
        }
        Ok(match self {
            Self::Random => Box::new(RandomAgent(generator(0))),
            Self::Level { level } => read_level(*level)?.agent(rules, Algorithm::default(), 0),
            Self::Engine { algorithm } => Box::new(Engine::new(rules).with_algorithm(match algorithm {
                AlgorithmName::Expectimax => Algorithm::Expectimax,
                AlgorithmName::AlphaBeta => Algorithm::AlphaBeta,
                AlgorithmName::Mcts => Algorithm::Mcts,
            })),
            &Self::Expectimax { evaluator, pruning, table_mib: mib, margin } => match evaluator {
                EvaluatorName::Material => search(Material, pruning, mib, margin),
                EvaluatorName::Distance => search(Distance, pruning, mib, margin),
                EvaluatorName::Race => search(Race, pruning, mib, margin),
                EvaluatorName::Distribution => search(Distribution, pruning, mib, margin),
            },
            &Self::Mcts { evaluator, cut, .. } => match (evaluator, cut) {
                (None, _) => self.tree_search(Playouts::uniform()),
                (Some(EvaluatorName::Material), None) => self.tree_search(Values(Material)),
                (Some(EvaluatorName::Distance), None) => self.tree_search(Values(Distance)),
                (Some(EvaluatorName::Race), None) => self.tree_search(Values(Race)),
                (Some(EvaluatorName::Distribution), None) => self.tree_search(Values(Distribution)),
                (Some(EvaluatorName::Material), Some(n)) => self.tree_search(Playouts::uniform().cut_after(n, Material)),
                (Some(EvaluatorName::Distance), Some(n)) => self.tree_search(Playouts::uniform().cut_after(n, Distance)),
                (Some(EvaluatorName::Race), Some(n)) => self.tree_search(Playouts::uniform().cut_after(n, Race)),
                (Some(EvaluatorName::Distribution), Some(n)) => self.tree_search(Playouts::uniform().cut_after(n, Distribution)),
            },
            Self::Ugi { program, args } => agents::ugi(program, args, folder)?,
        })
    }
}

impl Kind {
    /// The tree search with these leaves.
    fn tree_search<L: Leaves<Einstein> + 'static>(&self, leaves: L) -> Box<dyn Agent<Einstein>> {
        let search = Mcts::new(leaves);
        let &Self::Mcts { c, tuned, balanced, solver, reuse, secure, threads, root_parallel, tree_mib, .. } = self else {
            return Box::new(search);
        };
        let selection = if tuned { Selection::Ucb1Tuned { c } } else { Selection::Ucb1 { c } };
        let search = if solver { search } else { search.without_solver() };
        let search = if reuse { search } else { search.without_reuse() };
        let search = search.with_selection(selection).with_memory(tree_mib.saturating_mul(1 << 20));
        let search = search.with_rolls(if balanced { Rolls::Balanced } else { Rolls::Sampled });
        let search = search.with_choice(if secure { Choice::Secure } else { Choice::Visits });
        Box::new(search.with_threads(threads, if root_parallel { Parallel::Root } else { Parallel::Tree }))
    }
}

fn read_level(level: u8) -> Result<Level, String> {
    level.to_string().parse().map_err(|error: engines::einstein::LevelError| error.to_string())
}

/// The start of each pair, and the players.
pub(crate) fn entries(experiment: &mut Experiment) -> Result<Entries<Einstein>, ExperimentError> {
    let wrong = |reason: String| ExperimentError::Game { reason };
    let game: Game = experiment.game.clone().try_into().map_err(|e: toml::de::Error| wrong(e.message().into()))?;
    // What was left out is in effect all the same: reports and logs say so.
    experiment.game.insert("rules".into(), game.rules.clone().into());
    experiment.game.insert("layout".into(), game.layout.clone().into());
    let rules: Rules = game.rules.parse().map_err(|e: RulesError| wrong(e.to_string()))?;
    let opening: Opening = game.layout.parse().map_err(|e: SetupError| wrong(e.to_string()))?;
    let start = move |rng: &mut dyn Rng| opening.start(rules, Seat::One, rng);
    start(&mut generator(experiment.seed)).map_err(|e| wrong(e.to_string()))?;
    let players = agents::players(experiment, Kind::limits, move |kind, folder| kind.agent(rules, folder))?;
    Ok((Box::new(move |_, rng| start(rng).unwrap_or_else(|_| unreachable!("tried above"))), players))
}

//! What the agents of every game's experiments have in common.

use std::path::Path;

use arena::{Contestant, MakeError};
use gamecore::{Evaluator, Game, Text};
use protocols::ugi::Ugi;
use protocols::{Launch, Outside, Patience};
use search_core::{Agent, Limits, MoveOrder};
use search_expectimax::{Expectimax, Pruning};
use serde::Deserialize;
use serde::de::DeserializeOwned;

use crate::experiment::{Experiment, ExperimentError};

/// How chance nodes are pruned.
#[derive(Clone, Copy, Debug, Default, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum PruningName {
    None,
    Star1,
    #[default]
    Star2,
}

/// The table of an expectimax that does not say.
pub(crate) fn table_mib() -> usize {
    32
}

/// Whether a table can be so large.
pub(crate) fn check_table(table_mib: usize) -> Result<(), String> {
    if table_mib > 4096 { Err(format!("table_mib is {table_mib}, at most 4096")) } else { Ok(()) }
}

/// Whether an expectimax can be made like this.
pub(crate) fn check_expectimax(table_mib: usize, margin: f64) -> Result<(), String> {
    check_table(table_mib)?;
    if !(0.0..=2.0).contains(&margin) {
        return Err(format!("margin is {margin}, must be 0 to 2"));
    }
    Ok(())
}

/// The search with these options.
pub(crate) fn expectimax<G: Game, E: Evaluator<G>, O: MoveOrder<G>>(
    search: Expectimax<G, E, O>,
    pruning: PruningName,
    mib: usize,
    margin: f64,
) -> Expectimax<G, E, O> {
    let pruning = match pruning {
        PruningName::None => Pruning::None,
        PruningName::Star1 => Pruning::Star1,
        PruningName::Star2 => Pruning::Star2,
    };
    search.with_pruning(pruning).with_table(mib.saturating_mul(1 << 20)).with_margin(margin, 0)
}

/// A program that speaks UGI.
pub(crate) fn ugi<G: Text>(program: &str, args: &[String], folder: &Path) -> Result<Box<dyn Agent<G>>, MakeError> {
    // A path is meant from where the experiment stands; a name alone is looked up as in a shell.
    let is_path = Path::new(program).components().count() > 1;
    let program = if is_path { folder.join(program) } else { program.into() };
    Ok(Box::new(Outside::<G, _>::start(Launch::new(program).with_args(args), Ugi::new(), Patience::default())?))
}

/// The players of an experiment, whose agents are of a kind of the game's. `limits` is what a kind may spend if the file does
/// not say; `agent` makes it, and is given the folder of the experiment.
pub(crate) fn players<G, K>(
    experiment: &Experiment,
    limits: impl Fn(&K) -> Result<Option<Limits>, String>,
    agent: impl Fn(&K, &Path) -> Result<Box<dyn Agent<G>>, MakeError> + Clone + Send + Sync + 'static,
) -> Result<Vec<Contestant<G>>, ExperimentError>
where
    G: Game,
    K: DeserializeOwned + Send + Sync + 'static,
{
    let contestant = |player: &crate::experiment::Player| {
        let wrong = |reason: String| ExperimentError::Player { name: player.name.clone(), reason };
        let kind: K = player.agent.clone().try_into().map_err(|e: toml::de::Error| wrong(format!("agent: {}", e.message())))?;
        let (folder, agent) = (experiment.folder.clone(), agent.clone());
        let pace = player.pace(limits(&kind).map_err(wrong)?.as_ref())?;
        Ok(Contestant::fallible(&player.name, pace, move || agent(&kind, &folder)))
    };
    experiment.players.iter().map(contestant).collect()
}

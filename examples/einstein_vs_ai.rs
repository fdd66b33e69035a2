//! EinStein würfelt nicht! at the terminal: against the engine, between two people, or between engines.
//!
//! Without flags you have the first move against the strongest level. Everything random comes from `--seed`, which is
//! printed. `--help` lists the flags; `rules` and `help` during a game, what else there is to know.

mod shared;

use std::error::Error;
use std::process::ExitCode;
use std::sync::Arc;

use clap::Parser;
use engines::einstein::{Algorithm, Engine, Level, Opening};
use gamecore::{Player, Text, random};
use games_einstein::{Einstein, Rules};
use play::Look;
use shared::{Common, Roster, Table};

/// EinStein würfelt nicht! against the engine
#[derive(Clone, Parser)]
#[command(name = "einstein_vs_ai")]
struct Args {
    /// standard; 4x4, with +missing (any stone moves if the die's is captured) or +nomove (or blocked); 5x5x9, with +free
    /// (as +nomove); 4x4 and 5x5x9 also with +capture-all (this wins too) and @N (drawn after N turns), as in 4x4+nomove@50
    #[arg(long, default_value = "standard")]
    rules: Rules,
    /// The seat that starts, one or two
    #[arg(long, default_value = "one", value_name = "SEAT", value_parser = play::parse_seat)]
    first: Player,
    /// natural, random, mirrored, or digits: 615243, or 615243,123456 for each
    #[arg(long, default_value = "random")]
    layout: Opening,
    /// How strong the engine is, 1 to 6 [default: 6; in --self-play 4]
    #[arg(long, allow_negative_numbers = true)]
    level: Option<Level>,
    /// How the engine searches: expectimax, alpha-beta (with chance nodes) or mcts
    #[arg(long, default_value_t)]
    algorithm: Algorithm,
    /// Analyse this position, whatever it waits for, then play on from it
    #[arg(long, value_name = "TEXT", value_parser = Einstein::parse_position, conflicts_with_all = ["rules", "layout", "first"])]
    position: Option<Einstein>,
    #[command(flatten)]
    common: Common,
}

fn main() -> ExitCode {
    shared::exit(run(Args::parse()))
}

fn run(args: Args) -> Result<u8, Box<dyn Error>> {
    let Args { rules, first, layout, level, algorithm, position, mut common } = args;
    let seed = common.seed();
    common.seed = Some(seed);
    layout.start(rules, first, &mut random::generator(seed))?;
    let rules = position.map_or(rules, |p| p.rules());
    let engine = move || Engine::new(rules).with_algorithm(algorithm);
    let depths = match algorithm {
        Algorithm::Mcts => {
            Err("--depth-scan is for searches that look so many decisions ahead: expectimax and alpha-beta".into())
        }
        Algorithm::Expectimax | Algorithm::AlphaBeta => Ok(shared::make(engine)),
    };
    let table = Table {
        roster: Roster {
            levels: Level::all().collect(),
            quick: Level::QUICK,
            limits: Box::new(move |level: Level| level.limits(algorithm)),
            player: Arc::new(move |level: Level, seed| level.agent(rules, algorithm, seed)),
            depths,
        },
        level,
        start: Box::new(move |rng| position.unwrap_or_else(|| layout.start(rules, first, rng).expect("tried above"))),
        look: Look::of::<Einstein>(),
        formats: Vec::new(),
    };
    let strength = level.unwrap_or(Level::STRONGEST).description(algorithm);
    let mover = position.map_or(first, |p| p.mover());
    common.run(table, mover, (Box::new(engine()), 7), &format!("the engine {strength}."), |session| {
        session.with_analysis(position.is_some())
    })
}

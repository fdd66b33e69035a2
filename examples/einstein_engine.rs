//! EinStein würfelt nicht! as an engine for other programs: speaks UGI on standard input and output.
//!
//! `protocols::ugi` has the words; positions, moves and rolls are written as in records. `--help` lists the flags.

use std::error::Error;
use std::io;
use std::process::ExitCode;

use clap::Parser;
use engines::einstein::{Algorithm, Engine, Level};
use games_einstein::{Einstein, Rules};
use protocols::ugi::Server;
use search_core::{Agent, Limits};

/// EinStein würfelt nicht! as an engine that speaks UGI
#[derive(Parser)]
#[command(name = "einstein_engine")]
struct Args {
    /// Of the game that `position startpos` means; a position has its own: standard, 4x4, 5x5x9, with what may follow
    #[arg(long, default_value = "standard")]
    rules: Rules,
    /// Play like this level, 1 to 6, whatever more is allowed [default: the engine, as far as it is asked]
    #[arg(long, allow_negative_numbers = true)]
    level: Option<Level>,
    /// How it searches: expectimax, alpha-beta (with chance nodes) or mcts
    #[arg(long, default_value_t)]
    algorithm: Algorithm,
    /// Look no more decisions ahead, whatever is allowed
    #[arg(long, value_parser = clap::value_parser!(u32).range(1..=100), allow_negative_numbers = true, conflicts_with = "level")]
    depth: Option<u32>,
}

fn main() -> ExitCode {
    match run(&Args::parse()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(e) => {
            eprintln!("error: {e}");
            ExitCode::from(2)
        }
    }
}

fn run(args: &Args) -> Result<(), Box<dyn Error>> {
    let mut agent: Box<dyn Agent<Einstein>> = match args.level {
        Some(level) => level.agent(args.rules, args.algorithm, 0),
        None => Box::new(Engine::new(args.rules).with_algorithm(args.algorithm)),
    };
    let limits = match (args.level, args.depth) {
        (Some(level), _) => level.limits(args.algorithm),
        (None, Some(depth)) => Limits::depth(depth),
        (None, None) => Limits::default(),
    };
    let server = Server::new(&format!("einstein {}", agent.name()), "Boardwright");
    let server = server.with_start(Einstein::start(args.rules)).with_limits(limits);
    Ok(server.serve(&mut *agent, io::stdin().lock(), io::stdout())?)
}

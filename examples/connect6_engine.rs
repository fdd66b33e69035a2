//! Connect6 as an engine for the platform of the Chinese tournaments, and for programs that speak like Cloudict.
//!
//! `new black` on standard input is answered by `move JJ@@`, `move KKLL` by both stones of the answer.
//! `vcf` and `unvcf` switch the strongest level's search for wins by double threats on and off; the other levels are what they are.
//! `protocols::connect6` has all words, `docs/connect6.md` says how to use it; `--help` lists the flags.

use std::error::Error;
use std::io;
use std::process::ExitCode;
use std::time::{Duration, SystemTime};

use clap::Parser;
use clap::builder::NonEmptyStringValueParser;
use engines::connect6::{Algorithm, Engine, Level, Part};
use games_connect6::Connect6;
use protocols::connect6::{Server, Setup};
use search_core::Agent;

/// Connect6 as an engine that speaks the protocol of SAU's platform
#[derive(Parser)]
#[command(name = "connect6_engine")]
struct Args {
    /// What a turn may take, in seconds, until "time S" says something else [default: 5]
    #[arg(long, value_parser = play::parse_seconds, allow_negative_numbers = true)]
    seconds: Option<Duration>,
    /// What all turns of a game may take, in seconds, until "clock S" says something else: 900 in tournaments
    #[arg(long, value_parser = play::parse_seconds, allow_negative_numbers = true, value_name = "SECONDS")]
    clock: Option<Duration>,
    /// Threads of alpha-beta; mcts has one
    #[arg(long, default_value_t = 1, value_parser = play::number(1..=256usize), allow_negative_numbers = true, conflicts_with = "level")]
    threads: usize,
    /// How strong it is, 1 to 5: the strongest, 5, takes the time it is given, the others what they need
    #[arg(long, default_value_t = Level::STRONGEST, allow_negative_numbers = true)]
    level: Level,
    /// How the strongest level searches: mcts or alpha-beta; to a depth ("depth D") always by alpha-beta
    #[arg(long, default_value_t, conflicts_with = "level")]
    algorithm: Algorithm,
    /// Of what it chooses at random [default: from the clock]
    #[arg(long, value_parser = play::number(0..=u64::MAX), allow_negative_numbers = true)]
    seed: Option<u64>,
    /// What it calls itself
    #[arg(long, default_value = "Boardwright", value_parser = NonEmptyStringValueParser::new())]
    name: String,
}

fn main() -> ExitCode {
    match run(&Args::parse()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(e) => {
            use std::io::Write;
            let _ = writeln!(io::stderr(), "error: {e}");
            ExitCode::from(2)
        }
    }
}

fn run(args: &Args) -> Result<(), Box<dyn Error>> {
    let seed = args.seed.unwrap_or_else(|| SystemTime::UNIX_EPOCH.elapsed().map_or(0, |t| t.as_nanos() as u64));
    let mut server = Server::new(&args.name).with_seed(seed);
    if let Some(time) = args.seconds {
        server = server.with_turn_time(time);
    }
    if let Some(time) = args.clock {
        server = server.with_game_time(time);
    }
    if args.level < Level::STRONGEST {
        server = server.with_limits(args.level.limits());
    }
    // More threads than cores would only make it late.
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    let (level, algorithm, threads) = (args.level, args.algorithm, args.threads.min(cores));
    let engine = move |setup: &Setup| -> Box<dyn Agent<Connect6>> {
        if level < Level::STRONGEST {
            return level.agent(seed);
        }
        let without: &[Part] = if setup.threats { &[] } else { &[Part::VcdtAtRoot, Part::VcdtBelow] };
        // Only one of them knows what a depth is.
        let algorithm = if setup.by_depth { Algorithm::AlphaBeta } else { algorithm };
        Box::new(Engine::without(without).with_algorithm(algorithm).with_threads(threads))
    };
    Ok(server.serve(engine, io::stdin(), io::stdout(), io::stderr())?)
}

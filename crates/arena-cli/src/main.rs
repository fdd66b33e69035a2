//! `arena`: tournaments described in files, played, kept and reported.
//!
//! `arena run FILE` plays an experiment; `arena --help` lists the rest, and `docs/arena.md` describes the files.

mod agents;
mod backgammon;
mod charts;
mod connect6;
mod einstein;
mod experiment;
mod gomoku;
mod replay;
mod report;
mod run;

use std::error::Error;
use std::io;
use std::process::ExitCode;

use clap::{Parser, Subcommand};
use experiment::{Entries, Experiment};
use gamecore::Text;
use games_backgammon::Backgammon;
use games_connect6::Connect6;
use games_einstein::Einstein;
use games_gomoku::Gomoku;
use replay::{Replay, Show};
use run::Run;

/// Tournaments between engines, described in files
#[derive(Parser)]
#[command(name = "arena", version)]
struct Args {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Play an experiment, or go on with it, and report
    Run(Run),
    /// Play recorded games again from the seed and compare
    Replay(Replay),
    /// Write one recorded game as a record, for `--replay` of the game's program, such as `einstein_vs_ai`
    Show(Show),
}

fn main() -> ExitCode {
    match run(&Args::parse().command) {
        Ok(status) => status.into(),
        // Whoever read the output has seen enough.
        Err(e) if e.downcast_ref::<io::Error>().is_some_and(|e| e.kind() == io::ErrorKind::BrokenPipe) => ExitCode::SUCCESS,
        Err(e) => {
            eprintln!("error: {e}");
            ExitCode::from(2)
        }
    }
}

/// The one place that knows which games there are.
fn run(command: &Command) -> Result<u8, Box<dyn Error>> {
    let unknown = |name: &str| {
        let name = gamecore::text::quoted(name);
        Box::<dyn Error>::from(format!(
            "there is no game \"{name}\": games are {}, {}, {} and {}",
            Backgammon::NAME,
            Connect6::NAME,
            Einstein::NAME,
            Gomoku::NAME
        ))
    };
    let file = match command {
        Command::Run(run) => &run.file,
        Command::Replay(replay) => &replay.file,
        Command::Show(show) => {
            return match show.game()?.as_str() {
                Backgammon::NAME => show.run::<Backgammon>(),
                Connect6::NAME => show.run::<Connect6>(),
                Einstein::NAME => show.run::<Einstein>(),
                Gomoku::NAME => show.run::<Gomoku>(),
                other => Err(unknown(other)),
            };
        }
    };
    let mut experiment = Experiment::read(file)?;
    match experiment.game_name()?.to_string().as_str() {
        Backgammon::NAME => {
            let entries = backgammon::entries(&mut experiment)?;
            command.run(&experiment, entries)
        }
        Einstein::NAME => {
            let entries = einstein::entries(&mut experiment)?;
            command.run(&experiment, entries)
        }
        Connect6::NAME => {
            let entries = connect6::entries(&mut experiment)?;
            command.run(&experiment, entries)
        }
        Gomoku::NAME => {
            let entries = gomoku::entries(&mut experiment)?;
            command.run(&experiment, entries)
        }
        other => Err(unknown(other)),
    }
}

impl Command {
    /// Does with an experiment what is asked.
    fn run<G: Text>(&self, experiment: &Experiment, entries: Entries<G>) -> Result<u8, Box<dyn Error>> {
        match self {
            Self::Run(run) => run.run(experiment, entries),
            Self::Replay(replay) => replay.run(experiment, entries),
            Self::Show(show) => show.run::<G>(),
        }
    }
}

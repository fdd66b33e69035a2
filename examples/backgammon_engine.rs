//! Backgammon as an engine for other programs: one line for each decision.
//!
//! `best <Position ID> <die> <die>` on standard input is answered by the Position ID after the play. With `--listen` it is
//! an external player for GNU Backgammon instead: start it, then say `set player 0 external localhost:1234` there.
//! `protocols::gnubg` has the details; `--help` lists the flags.

use std::error::Error;
use std::io::{self, BufReader, Write};
use std::net::{TcpListener, TcpStream};
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Duration;

use clap::Parser;
use engines::backgammon::{Engine, with_bear_off};
use games_backgammon::Backgammon;
use protocols::gnubg::Server;
use search_core::{Agent, Analyst, Limits};

/// Backgammon as an engine for referees and for GNU Backgammon
#[derive(Parser)]
#[command(name = "backgammon_engine")]
struct Args {
    /// Look so far ahead as GNU Backgammon's plies do: 0 values the positions after each play, 1 also the opponent's rolls
    #[arg(long, default_value_t = 1, value_parser = play::number(0..=3u32), allow_negative_numbers = true)]
    ply: u32,
    /// Think so many seconds about a decision instead
    #[arg(long, conflicts_with = "ply", value_parser = play::parse_seconds, allow_negative_numbers = true)]
    seconds: Option<Duration>,
    /// Wait here for GNU Backgammon, one game at a time, as in localhost:1234 (port 0: any that is free)
    #[arg(long, value_name = "HOST:PORT")]
    listen: Option<String>,
    /// Use this bear-off database: it is read into memory as a whole. Once more for one of the other kind
    #[arg(long, value_name = "FILE")]
    bearoff: Vec<PathBuf>,
}

fn main() -> ExitCode {
    match run(&Args::parse()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(e) => {
            say(&format!("error: {e}"));
            ExitCode::from(2)
        }
    }
}

fn run(args: &Args) -> Result<(), Box<dyn Error>> {
    // A depth counts the play itself: depth 1 is 0-ply.
    let server = Server::new(args.seconds.map_or_else(|| Limits::depth(args.ply + 1), Limits::time));
    let evaluator = with_bear_off(&args.bearoff).map_err(|e| format!("--bearoff {e}"))?;
    let mut engine = Engine::with_evaluator(evaluator);
    let Some(address) = &args.listen else {
        return Ok(server.serve(&mut engine, io::stdin().lock(), io::stdout())?);
    };
    let listener = TcpListener::bind(address).map_err(|e| format!("--listen {}: {e}", gamecore::text::quoted(address)))?;
    say(&format!("Listening on {}.", listener.local_addr()?));
    for stream in listener.incoming() {
        // Whoever comes and goes, the next may come.
        match stream.and_then(|stream| talk(&server, &mut engine, &stream)) {
            Ok(()) => say("The connection has been closed."),
            Err(e) => say(&format!("The connection was lost: {e}.")),
        }
    }
    Ok(())
}

fn talk(server: &Server, engine: &mut (impl Agent<Backgammon> + Analyst<Backgammon>), stream: &TcpStream) -> io::Result<()> {
    stream.set_nodelay(true)?;
    say(&format!("Connected to {}.", stream.peer_addr()?));
    server.serve(engine, BufReader::new(stream), stream)
}

/// To those who read standard error, if there are any.
fn say(text: &str) {
    let _ = writeln!(io::stderr(), "{text}");
}

//! Gomoku as an engine for Gomocup's and Piskvork's managers: speaks their protocol on standard input and output.
//!
//! `protocols::gomocup` has the words, and `docs/gomocup.md` how to use it. Managers know such a program by its name, which
//! begins with `pbrain-`. `--help` lists the flags.

use std::error::Error;
use std::io;
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::Arc;
use std::time::SystemTime;

use clap::Parser;
use engines::gomoku::{Engine, TABLE_BYTES, load_book};
use games_gomoku::Gomoku;
use protocols::gomocup::{Server, Setup};
use search_core::{Agent, Book, WithBook};

/// No more for the table, however much may be used: it takes time to get.
const MOST_BYTES: usize = 128 << 20;

/// Gomoku as an engine that speaks the protocol of Gomocup
#[derive(Parser)]
#[command(name = "pbrain-boardwright")]
struct Args {
    /// From which it chooses among openings that are equally good [default: from the clock]
    #[arg(long, value_parser = play::number(0..=u64::MAX), allow_negative_numbers = true)]
    seed: Option<u64>,
    /// Open with this book, in games of its rules and size; may be said for several books
    #[arg(long, value_name = "FILE")]
    book: Vec<PathBuf>,
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
    let book = |path: &PathBuf| load_book(path).map(Arc::new).map_err(|e| format!("{}: {e}", path.display()));
    let books = args.book.iter().map(book).collect::<Result<Vec<_>, _>>()?;
    let clock = || SystemTime::UNIX_EPOCH.elapsed().map_or(0, |t| t.as_nanos() as u64);
    let server = Server::new("Boardwright", env!("CARGO_PKG_VERSION"), "Boardwright");
    let server = server.with_seed(args.seed.unwrap_or_else(clock));
    Ok(server.serve(|setup| engine(setup, &books), io::stdin().lock(), io::stdout())?)
}

fn engine(setup: &Setup, books: &[Arc<Book<Gomoku>>]) -> Box<dyn Agent<Gomoku>> {
    let progress = setup.progress.clone();
    // More threads than cores would only make it late.
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    let engine = Engine::new()
        .with_table(setup.table.map_or(TABLE_BYTES, |bytes| bytes.min(MOST_BYTES)))
        .with_threads(setup.threads.min(cores))
        .with_lines(setup.lines)
        .with_progress(move |report| progress.tell(report));
    let mut agent: Box<dyn Agent<Gomoku>> = Box::new(engine);
    // Analysis is not what was thought some other day.
    for book in books.iter().filter(|_| setup.lines == 1) {
        agent = Box::new(WithBook::new(Arc::clone(book), agent, 0));
    }
    agent
}

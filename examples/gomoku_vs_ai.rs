//! Gomoku at the terminal: against the engine, between two people, or between engines.
//!
//! Without flags you are One, who has X and begins, against the strongest level on the usual board. Everything random
//! comes from `--seed`, which is printed. Moves are written `h8`. `threats` marks what threatens, `hint` shows the best
//! move and, where a win is proven, its whole line. Games are saved and loaded as records, as `.psq` or as `.sgf`,
//! whatever the file's name says. With `--swap2` the opening is agreed on first. `--help` lists the flags; `rules` and
//! `help` during a game, what else there is to know.

mod shared;
#[path = "gomoku_vs_ai/swap2.rs"]
mod swap2;

use std::error::Error;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;

use clap::Parser;
use engines::gomoku::{Engine, Level, book};
use gamecore::Text;
use games_gomoku::formats::{psq, sgf};
use games_gomoku::{Gomoku, Rule, SMALLEST, USUAL, eval};
use play::{Format, Look};
use search_core::{Agent, Book, WithBook};
use shared::{Common, Roster, Table};
use swap2::Opener;

/// Gomoku against the engine
#[derive(Clone, Parser)]
#[command(name = "gomoku_vs_ai")]
struct Args {
    /// What wins: freestyle (five or more), standard (exactly five), renju or caro
    #[arg(long, default_value_t)]
    rule: Rule,
    /// Rows and columns of the board, 5 to 20
    #[arg(long, default_value_t = USUAL, value_parser = play::number(SMALLEST..=lines::LARGEST), allow_negative_numbers = true)]
    size: u8,
    /// How strong the engine is, 1 to 5 [default: 5; in --self-play 3]
    #[arg(long, allow_negative_numbers = true)]
    level: Option<Level>,
    /// Analyse this position, then play on from it: rows from the top, who moves, the rules, as `position` shows it
    #[arg(long, value_name = "TEXT", value_parser = Gomoku::parse_position, conflicts_with_all = ["rule", "size"])]
    position: Option<Gomoku>,
    /// Mark what threatens from the first move on
    #[arg(long)]
    threats: bool,
    /// Let the engine open with this book, which must be of these rules and this size
    #[arg(long, value_name = "FILE")]
    book: Option<PathBuf>,
    /// Agree on the opening by swap2: the first player puts three stones, the second takes a colour or puts two more
    #[arg(long, conflicts_with_all = ["position", "load", "self_play", "depth_scan", "calibrate"])]
    swap2: bool,
    #[command(flatten)]
    common: Common,
}

fn main() -> ExitCode {
    shared::exit(run(Args::parse()))
}

fn run(args: Args) -> Result<u8, Box<dyn Error>> {
    let Args { rule, size, level, position, threats, book: file, swap2, common } = args;
    let analysis = position.is_some();
    let start = match position {
        Some(position) => position,
        None => Gomoku::start(rule, size)?,
    };
    let (rule, size, mover) = (start.rule(), start.board().size(), start.mover());
    let opened = file.map(|path| opened(&path, rule, size)).transpose()?;
    let player = move |level: Level, seed| -> Box<dyn Agent<Gomoku>> {
        let agent = level.agent(seed);
        match &opened {
            Some(book) => Box::new(WithBook::new(Arc::clone(book), agent, seed)),
            None => agent,
        }
    };
    let table = Table {
        roster: Roster {
            levels: Level::all().collect(),
            quick: Level::QUICK,
            limits: Box::new(Level::limits),
            player: Arc::new(player),
            depths: Ok(shared::make(Engine::new)),
        },
        level,
        start: Box::new(move |_| start.clone()),
        look: Look::of::<Gomoku>().with_chance(eval::chance).with_listed(24),
        formats: vec![
            Format::new("psq", psq::text, move |text| psq::parse(text, rule)),
            Format::new("sgf", |record| Ok::<_, String>(sgf::text(record)), move |text| sgf::parse(text, rule)),
        ],
    };
    let strength = level.unwrap_or(Level::STRONGEST).description();
    let greeting = format!("One has X, Two has O; the engine {strength}.");
    let opener = swap2.then(|| Opener::new(rule, size, level.unwrap_or(Level::STRONGEST), common.seconds)).transpose()?;
    common.run(table, mover, (Box::new(Engine::new()), 8), &greeting, |session| {
        let session = match opener {
            Some(opener) => session.with_opening(move |opening| opener.open(opening)),
            None => session,
        };
        session.with_analysis(analysis).with_view(
            "threats",
            "what threatens, marked on the board, or not",
            threats,
            |game, steps| game.picture_with_threats(steps.last().copied()),
        )
    })
}

/// The book of a file.
fn opened(path: &Path, rule: Rule, size: u8) -> Result<Arc<Book<Gomoku>>, Box<dyn Error>> {
    let mut book = book(rule, size)?;
    book.load(path).map_err(|e| format!("{}: {e}", path.display()))?;
    Ok(Arc::new(book))
}

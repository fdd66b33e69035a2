//! Backgammon at the terminal: against the engine, between two people, or between engines.
//!
//! Without flags you are One, who has X, against the strongest level. Everything random comes from `--seed`, which is
//! printed. Plays are written `8/5 6/5`, `bar/22`, `6/off(2)`, `pass`. Games are saved and loaded as records, as `.mat` or as
//! `.sgf`, whatever the file's name says. `--help` lists the flags; `rules` and `help` during a game, what else there is to know.

mod shared;

use std::error::Error;
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::Arc;

use clap::Parser;
use engines::backgammon::{Engine, Level, with_bear_off};
use gamecore::Text;
use games_backgammon::formats::game::{Match, MatchError};
use games_backgammon::formats::{gnubg, mat, sgf, xgid};
use games_backgammon::{Backgammon, Setup};
use play::{Format, Look};
use shared::{Common, Roster, Table};

/// Backgammon against the engine
#[derive(Clone, Parser)]
#[command(name = "backgammon_vs_ai")]
struct Args {
    /// How the checkers stand at first: standard, nackgammon or hypergammon
    #[arg(long, default_value_t)]
    setup: Setup,
    /// How strong the engine is, 1 to 5 [default: 5; in --self-play 3]
    #[arg(long, allow_negative_numbers = true)]
    level: Option<Level>,
    /// Analyse this position, then play on from it: an XGID, a Position ID with or without a Match ID, or the words that
    /// `position` shows during a game
    #[arg(long, value_name = "TEXT", value_parser = Backgammon::parse_position, conflicts_with = "setup")]
    position: Option<Backgammon>,
    /// Make your play for you if there is only one
    #[arg(long)]
    auto_forced: bool,
    /// Let the engine and its hints use this bear-off database: it is read into memory as a whole. Once more for one of
    /// the other kind
    #[arg(long, value_name = "FILE")]
    bearoff: Vec<PathBuf>,
    /// Of a match in a .mat or .sgf file, load or play back this game [default: the last]
    #[arg(long, value_name = "NUMBER", value_parser = play::number(1..=10_000usize), allow_negative_numbers = true)]
    game: Option<usize>,
    #[command(flatten)]
    common: Common,
}

fn main() -> ExitCode {
    shared::exit(run(Args::parse()))
}

fn run(args: Args) -> Result<u8, Box<dyn Error>> {
    let Args { setup, level, position, auto_forced, bearoff, game, common } = args;
    let evaluator = with_bear_off(&bearoff).map_err(|e| format!("--bearoff {e}"))?;
    let (of_levels, of_depths) = (evaluator.clone(), evaluator.clone());
    let start = position.unwrap_or_else(|| Backgammon::start(setup));
    let table = Table {
        roster: Roster {
            levels: Level::all().collect(),
            quick: Level::QUICK,
            limits: Box::new(Level::limits),
            player: Arc::new(move |level, seed| level.agent_with(of_levels.clone(), seed)),
            depths: Ok(shared::make(move || Engine::with_evaluator(of_depths.clone()))),
        },
        level,
        start: Box::new(move |_| start),
        look: Look::of::<Backgammon>().with_equities(6).with_wins(&["", "a gammon", "a backgammon"]).with_listed(24),
        formats: formats(game),
    };
    let strength = level.unwrap_or(Level::STRONGEST).description();
    let greeting = format!("One has X, Two has O; the engine {strength}.");
    // Values two plays deep: what others call 1-ply.
    common.run(table, start.mover(), (Box::new(Engine::with_evaluator(evaluator)), 2), &greeting, |session| {
        let session = session.with_auto_forced(auto_forced).with_analysis(position.is_some());
        session.with_identifiers(|game| vec![gnubg::text(game), xgid::text(game)])
    })
}

/// Formats by the names of files; of a match, this game is read, counted from 1, or its last.
fn formats(game: Option<usize>) -> Vec<Format<Backgammon>> {
    let one_of = move |read: Result<Match, MatchError>| {
        let read = read?;
        let last = read.games.len().max(1);
        read.record(game.unwrap_or(last) - 1)
    };
    vec![
        Format::new("mat", |record| mat::text(&Match::of(record)?), move |text| one_of(mat::parse(text))),
        Format::new("sgf", |record| sgf::text(&Match::of(record)?), move |text| one_of(sgf::parse(text))),
    ]
}

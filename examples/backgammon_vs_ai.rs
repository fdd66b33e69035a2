//! Backgammon at the terminal: against the engine, between two people, or between engines.
//!
//! Without flags you are One, who has X, against the strongest level. Everything random comes from `--seed`, which is
//! printed. Plays are written `8/5 6/5`, `bar/22`, `6/off(2)`, `pass`. `--help` lists the flags; `rules` and `help` during
//! a game, what else there is to know.

mod shared;

use std::error::Error;
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::Arc;

use clap::Parser;
use engines::backgammon::{Engine, Level, with_bear_off};
use gamecore::{Player, Record, Text};
use games_backgammon::formats::{game::Match, mat};
use games_backgammon::{Backgammon, Setup};
use play::Look;
use shared::{Common, Roster, Table};

/// Backgammon against the engine
#[derive(Clone, Parser)]
#[command(name = "backgammon_vs_ai")]
struct Args {
    /// How the checkers stand at first: standard, nackgammon or hypergammon
    #[arg(long, default_value_t)]
    setup: Setup,
    /// How strong the engine is, 1 to 5 [default: 5; in --self-play 3]
    #[arg(long)]
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
    #[command(flatten)]
    common: Common,
}

fn main() -> ExitCode {
    shared::exit(run(Args::parse()))
}

fn run(args: Args) -> Result<u8, Box<dyn Error>> {
    let Args { setup, level, position, auto_forced, bearoff, common } = args;
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
        formats: Vec::new(),
    };
    let strength = level.unwrap_or(Level::STRONGEST).description();
    let greeting = format!("One has X, Two has O; the engine {strength}.");
    // Values two plays deep: what others call 1-ply.
    common.run(table, start.mover(), (Box::new(Engine::with_evaluator(evaluator)), 2), &greeting, |session| {
        let session = session.with_auto_forced(auto_forced).with_analysis(position.is_some());
        // Match files begin with a usual set-up.
        if mat_text(&Record::from(start)).is_some() {
            session.with_export("mat", |r| mat_text(r).unwrap_or_default())
        } else {
            session
        }
    })
}

/// The game as other programs read it.
fn mat_text(record: &Record<Backgammon>) -> Option<String> {
    let name = |seat: Player| {
        let tag = if seat == Player::One { "one" } else { "two" };
        record.tags().iter().find(|(name, _)| name == tag).map_or(tag, |(_, value)| value)
    };
    mat::text(&Match::of(record.history(), [name(Player::One), name(Player::Two)])?).ok()
}

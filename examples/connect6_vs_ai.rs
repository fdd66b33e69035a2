//! Connect6 at the terminal: against the engine, between two people, or between engines.
//!
//! Without flags you are One, who has X and begins with one stone, against the strongest level. Everything random comes
//! from `--seed`, which is printed. Both stones of a turn are written on one line, `JJ KK`, `JJKK` or `J10 K9`, or one after
//! the other. `threats` marks what threatens and says what stops it, `undo` takes a stone back and `undo turn` a whole
//! turn. Games are saved and loaded as records, as `.sgf`, as `.c6` (turns in one line) or `.ccgc` (the collegiate
//! tournaments' record), whatever the file's name says; the tournaments' own `.txt` files are read too. `--help` lists
//! the flags; `rules` and `help` during a game, what else there is to know.

mod shared;

use std::error::Error;
use std::process::ExitCode;
use std::sync::Arc;

use clap::Parser;
use engines::connect6::{Algorithm, Engine, Level};
use gamecore::{Game, Record, Text};
use games_connect6::formats::{collegiate, compact, sgf};
use games_connect6::{Connect6, Point, Rules};
use play::{Format, Look};
use shared::{Common, Roster, Table};

/// Connect6 against the engine
#[derive(Clone, Parser)]
#[command(name = "connect6_vs_ai")]
struct Args {
    /// The board's size; after it, if they should be others than Connect6's 6,2,1: how many in a row win, stones of a turn, stones of
    /// the first turn
    #[arg(long, default_value_t, value_name = "SIZE[,ROW,EACH,FIRST]")]
    rules: Rules,
    /// How strong the engine is, 1 to 5 [default: 5; in --self-play 3]
    #[arg(long, allow_negative_numbers = true)]
    level: Option<Level>,
    /// Analyse this position, then play on from it: rows from the top, who moves, stones left, the rules, as `position` shows it
    #[arg(long, value_name = "TEXT", value_parser = Connect6::parse_position, conflicts_with = "rules")]
    position: Option<Connect6>,
    /// Mark what threatens from the first stone on
    #[arg(long)]
    threats: bool,
    #[command(flatten)]
    common: Common,
}

fn main() -> ExitCode {
    shared::exit(run(Args::parse()))
}

fn run(args: Args) -> Result<u8, Box<dyn Error>> {
    let Args { rules, level, position, threats, common } = args;
    let analysis = position.is_some();
    let start = position.unwrap_or_else(|| Connect6::start(rules));
    let (rules, mover) = (start.rules(), start.mover());
    let table = Table {
        roster: Roster {
            levels: Level::all().collect(),
            quick: Level::QUICK,
            limits: Box::new(Level::limits),
            player: Arc::new(Level::agent),
            depths: Ok(shared::make(by_depth)),
        },
        level,
        start: Box::new(move |_| start.clone()),
        look: Look::of::<Connect6>().with_listed(24),
        formats: formats(rules),
    };
    let strength = level.unwrap_or(Level::STRONGEST).description();
    let greeting = format!("One has X, Two has O; the engine {strength}.");
    common.run(table, mover, (Box::new(by_depth()), 4), &greeting, |session| {
        session.with_analysis(analysis).with_turns(several).with_view(
            "threats",
            "what threatens, marked on the board, or not",
            threats,
            Connect6::picture_with_threats,
        )
    })
}

/// The engine that is asked for a depth, to play or to analyse.
fn by_depth() -> Engine {
    Engine::new().with_algorithm(Algorithm::AlphaBeta)
}

/// Formats by the names of files; rules are these where a format does not tell them.
fn formats(rules: Rules) -> Vec<Format<Connect6>> {
    // Records of both kinds are called so.
    let text = move |text: &str| {
        let begins = |what: &str| text.trim_start_matches('\u{feff}').trim_start().starts_with(what);
        if begins("{") {
            collegiate::parse(text).map_err(|e| e.to_string())
        } else {
            Record::parse(text).map_err(|e| e.to_string())
        }
    };
    vec![
        Format::new("sgf", |record| Ok::<_, String>(sgf::text(record)), move |text| sgf::parse(text, rules)),
        Format::new("c6", compact::text, move |text| compact::parse(text, rules)),
        Format::new("ccgc", collegiate::text, collegiate::parse),
        Format::new("txt", |record| Ok::<_, String>(record.to_text()), text),
    ]
}

/// The stones of a turn on one line; `None` if there are not several.
fn several(game: &Connect6, line: &str) -> Option<Result<Vec<Point>, String>> {
    let words: Vec<&str> = line.split_whitespace().collect();
    let words = match words[..] {
        [word] if word.len() > 2 && word.len().is_multiple_of(2) && word.bytes().all(|b| b.is_ascii_alphabetic()) => {
            (0..word.len()).step_by(2).map(|i| &word[i..i + 2]).collect()
        }
        [_, _, ..] => words,
        _ => return None,
    };
    let (mut now, mut stones) = (game.clone(), Vec::new());
    for word in words {
        let m = match now.parse_move(word) {
            Ok(m) => m,
            Err(e) => return Some(Err(e.to_string())),
        };
        if now.mover() != game.mover() {
            let most = if stones.len() == 1 { "1 stone".into() } else { format!("{} stones", stones.len()) };
            return Some(Err(format!("this turn has {most} at most, not those on this line")));
        }
        now.play(m);
        stones.push(m);
    }
    Some(Ok(stones))
}

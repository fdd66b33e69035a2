//! Nodes, evaluations and time by technique, as the tables in `docs/backgammon.md`: fifty positions with their rolls.
//!
//! `cargo run --release -p benches --bin backgammon_counts [DEPTH]`. Ends with an error if two techniques disagree about a
//! value. The positions (`benches/data/backgammon.txt`) are from games of the engine against itself one play ahead, not
//! carefully (level 2), one from each game.

use std::process::ExitCode;

use benches::{Technique, Work, compare};
use games_backgammon::eval::Baseline;
use games_backgammon::{Backgammon, Move, ordering};
use search_core::ByScore;
use search_expectimax::{Expectimax, Pruning};

const SUITE: &str = include_str!("../../data/backgammon.txt");

/// Bytes of the tables: as the engine's.
const TABLE: usize = engines::backgammon::TABLE_BYTES;

type Scores = fn(&Backgammon, Move) -> i32;

/// The ladder: how to search, and by which order of plays.
fn ladder() -> Vec<(Technique, Scores)> {
    let none: Scores = |_, _| 0;
    let plain = Technique {
        name: "expectimax",
        pruning: Pruning::None,
        merging: true,
        table: 0,
        deepening: false,
        batching: true,
        learning: false,
    };
    let star1 = Technique { name: "Star1", pruning: Pruning::Star1, ..plain };
    let star2 = Technique { name: "Star2", pruning: Pruning::Star2, ..plain };
    let last = Technique { name: "Star2, ordered, table, deepening", table: TABLE, deepening: true, ..star2 };
    vec![
        (plain, none),
        (star1, none),
        (star2, none),
        (Technique { name: "Star1, ordered", ..star1 }, ordering),
        (Technique { name: "Star2, ordered", ..star2 }, ordering),
        (Technique { name: "expectimax, table", table: TABLE, ..plain }, none),
        (Technique { name: "Star1, ordered, table", table: TABLE, ..star1 }, ordering),
        (Technique { name: "Star2, ordered, table", table: TABLE, ..star2 }, ordering),
        (last, ordering),
        (Technique { name: "Star2, ordered, table, deepening, killers", learning: true, ..last }, ordering),
    ]
}

fn main() -> ExitCode {
    let depth = match std::env::args().nth(1).map(|text| text.parse()) {
        None => 2,
        Some(Ok(depth @ 1..=3)) => depth,
        Some(_) => {
            eprintln!("usage: backgammon_counts [DEPTH], with a depth of 1 to 3");
            return ExitCode::FAILURE;
        }
    };
    let suite: Vec<Backgammon> = SUITE.lines().map(|line| line.parse().expect("the suite is well formed")).collect();
    println!("depth {depth}, {} positions\n", suite.len());
    let ladder = ladder();
    let rows = ladder.iter().map(|&(ref technique, order)| {
        let suite = &suite;
        let run = move || {
            let mut search = technique.of(Expectimax::new(Baseline).with_order(ByScore(order)));
            let mut work = Work::default();
            for game in suite {
                search.clear();
                work.add(&mut search, game, depth);
            }
            work
        };
        (technique.name, Box::new(run) as Box<dyn FnOnce() -> Work>)
    });
    match compare(rows) {
        Ok(time) => {
            println!("\nthe first row took {time:.3} s");
            ExitCode::SUCCESS
        }
        Err(error) => {
            eprintln!("{error}");
            ExitCode::FAILURE
        }
    }
}

//! Monte Carlo tree search beside others': the same games, the same number of playouts, one thread.
//!
//! `cargo bench -p benches --features peers --bench peers` measures everything and writes the tables of
//! `docs/benchmarks.md`; that page says how it measures. Without the feature, which draws in the other crates, ours is compared
//! with what is written by hand for these games, and nothing is written. Words select games: `-- gomoku`.

mod games;
mod hand;
mod measure;
mod others;
mod ours;
mod table;

use std::process::ExitCode;

use crate::measure::Measured;
use crate::table::Page;

/// So many seeds are measured.
const SEEDS: u64 = 4;
/// Each of them in so many rounds, twice in each. The best counts: whatever else the machine did only made it slower.
const ROUNDS: usize = 2;

fn main() -> ExitCode {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let flag = |name: &str| words.iter().any(|word| word == name);
    let wanted: Vec<&str> = words.iter().map(String::as_str).filter(|word| !word.starts_with('-')).collect();
    // As other benches: whatever is not `cargo bench` only wants to know whether it works.
    let quick = flag("--test") || !flag("--bench");
    if flag("--list") {
        games::NAMES.iter().for_each(|name| println!("{name}: benchmark"));
        return ExitCode::SUCCESS;
    }
    let mut page = Page::default();
    for game in games::all(quick) {
        if !wanted.is_empty() && !wanted.iter().any(|word| game.name.to_lowercase().contains(&word.to_lowercase())) {
            continue;
        }
        let (seeds, rounds) = if quick { (1, 1) } else { (SEEDS, ROUNDS) };
        let results = measure::all(&game.rows, seeds, rounds);
        for (row, result) in game.rows.iter().zip(&results) {
            check(row.name, result, game.playouts);
        }
        for result in measure::all(std::slice::from_ref(&game.hinted), 0, 0) {
            check(game.hinted.name, &result, game.playouts);
        }
        page.add(&game, &results, seeds);
    }
    if quick {
        println!("every search has chosen a move");
        return ExitCode::SUCCESS;
    }
    println!("{page}");
    if wanted.is_empty() && cfg!(feature = "peers") {
        let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../docs/benchmarks.md");
        if let Err(error) = page.write(path) {
            eprintln!("{path}: {error}");
            return ExitCode::FAILURE;
        }
    }
    ExitCode::SUCCESS
}

/// What ours promises: exactly the playouts asked for, and none of them asks for memory once the tree has its own.
fn check(name: &str, result: &Measured, playouts: u64) {
    if let Some(counted) = result.done.playouts {
        assert_eq!(counted, playouts, "{name} counts its playouts");
    }
    if name == ours::WARM {
        assert!(result.allocations < 100, "{name} asked for memory {} times", result.allocations);
    }
}

//! Our searches beside others', on the same games and one thread: Monte Carlo tree search with the same number of playouts,
//! alpha-beta to the same depth.
//!
//! `cargo bench -p benches --features peers --bench peers` measures everything and writes the tables of
//! `docs/benchmarks.md`; that page says how it measures. Without the feature, which draws in the other crates, ours is compared
//! with what is written by hand for these games, and nothing is written. Words select games: `-- gomoku`,
//! `-- alpha-beta`; a page whose games are all selected is written.

mod depth;
mod games;
mod hand;
mod measure;
mod negamax;
mod others;
mod ours;
mod table;

use std::process::ExitCode;

use crate::measure::Measured;
use crate::table::Page;

/// So many seeds of playouts are measured.
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
        games::NAMES.iter().chain(&depth::NAMES).for_each(|name| println!("{name}: benchmark"));
        return ExitCode::SUCCESS;
    }
    let wants = |name: &str| wanted.is_empty() || wanted.iter().any(|word| name.to_lowercase().contains(&word.to_lowercase()));
    let rounds = if quick { 1 } else { ROUNDS };
    let mut playouts = Page::new("peers");
    for game in games::all(quick).iter().filter(|game| wants(game.name)) {
        let seeds = if quick { 1 } else { SEEDS };
        let results = measure::all(&game.rows, seeds, rounds);
        for (row, result) in game.rows.iter().zip(&results) {
            check(row.name, result, game.playouts);
        }
        for result in measure::all(std::slice::from_ref(&game.hinted), 0, 0) {
            check(game.hinted.name, &result, game.playouts);
        }
        playouts.add(game, &results, seeds);
    }
    let mut depths = Page::new("peers to a depth");
    for searched in depth::all(quick, wants) {
        let results = measure::all(&searched.rows, depth::POSITIONS, rounds);
        depths.add_depth(&searched, &results);
    }
    if quick {
        println!("every search has chosen a move, or found the value that it had to");
        return ExitCode::SUCCESS;
    }
    for (page, names) in [(playouts, &games::NAMES[..]), (depths, &depth::NAMES)] {
        println!("{page}");
        // Only a page that is complete, and with everybody on it.
        if cfg!(feature = "peers") && names.iter().all(|name| wants(name)) {
            let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../docs/benchmarks.md");
            if let Err(error) = page.write(path) {
                eprintln!("{path}: {error}");
                return ExitCode::FAILURE;
            }
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

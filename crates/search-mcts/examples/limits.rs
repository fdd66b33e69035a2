//! Does the search keep to its limits? Measured on EinStein, on this machine.
//!
//! - `limits time [SEARCHES] [MS]`: how late searches of some milliseconds end.
//! - `limits memory [MIB] [PLAYOUTS]`: by how much the process grows with a tree of so many MiB.
//!
//! Run with `cargo run --release -p search-mcts --example limits -- time`, on an idle machine.

use std::time::{Duration, Instant};

use games_einstein::{Einstein, Rules};
use search_core::Limits;
use search_mcts::{Mcts, Playouts};

const USAGE: &str = "usage: limits time [SEARCHES] [MS]\n       limits memory [MIB] [PLAYOUTS]";

fn main() {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let numbers: Option<Vec<u64>> = words.iter().skip(1).map(|word| word.parse().ok().filter(|&n| n > 0)).collect();
    match (words.first().map(String::as_str), numbers.as_deref()) {
        (Some("time"), Some(numbers @ ([] | [_] | [_, _]))) => {
            time(*numbers.first().unwrap_or(&10_000), Duration::from_millis(*numbers.get(1).unwrap_or(&20)));
        }
        (Some("memory"), Some(numbers @ ([] | [_] | [_, _]))) => {
            memory(*numbers.first().unwrap_or(&64) as usize, *numbers.get(1).unwrap_or(&10_000_000));
        }
        (Some("--help"), _) => println!("{USAGE}"),
        _ => {
            eprintln!("{USAGE}");
            std::process::exit(2);
        }
    }
}

/// A position with a die rolled.
fn start() -> Einstein {
    use gamecore::Game;
    Einstein::start(Rules::STANDARD).resolved(3)
}

fn time(searches: u64, limit: Duration) {
    let mut search = Mcts::new(Playouts::uniform()).without_reuse();
    let mut over: Vec<Duration> = (0..searches)
        .map(|_| {
            let started = Instant::now();
            let report = search.search(&start(), &Limits::time(limit)).expect("the game is not over");
            assert!(report.best.is_some());
            started.elapsed().saturating_sub(limit)
        })
        .collect();
    over.sort();
    for share in [0.5, 0.99, 0.999, 1.0] {
        let at = ((over.len() as f64 * share).ceil() as usize).clamp(1, over.len()) - 1;
        println!("{:.1} % of {searches} searches of {limit:?} end within {:?} of it", share * 100.0, over[at]);
    }
    let late = over.iter().filter(|&&t| t > Duration::from_millis(2)).count();
    println!("{late} are over by more than 2 ms");
}

/// What the process occupies, in MiB.
fn occupied() -> f64 {
    let pages = std::fs::read_to_string("/proc/self/statm").ok();
    let pages = pages.and_then(|text| text.split(' ').nth(1)?.parse::<f64>().ok());
    pages.map_or(f64::NAN, |pages| pages * 4096.0 / f64::from(1 << 20))
}

fn memory(mib: usize, playouts: u64) {
    let before = occupied();
    let mut search = Mcts::new(Playouts::uniform()).with_memory(mib.saturating_mul(1 << 20)).without_solver();
    let (mut most, mut best) = (0.0f64, None);
    for _ in 0..100 {
        best = search.search(&start(), &Limits::nodes(playouts / 100)).expect("the game is not over").best;
        most = most.max(occupied() - before);
    }
    println!(
        "{playouts} playouts, a tree of {mib} MiB: the process grew by {most:.1} MiB, {} positions at the end, plays {best:?}",
        search.tree_len()
    );
}

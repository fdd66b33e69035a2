//! Does alpha-beta keep to its time? Searches of some milliseconds, of ten middle games of Gomoku in turn.
//!
//! Run with `cargo run --release -p benches --bin alphabeta_limits -- [SEARCHES] [MS]`, on an idle machine.

use std::time::{Duration, Instant};

use benches::games::Scaled;
use benches::middle_games;
use search_alphabeta::AlphaBeta;
use search_core::Limits;

fn main() {
    let number = |i: usize, otherwise: u64| std::env::args().nth(i).map_or(otherwise, |word| word.parse().expect("a number"));
    let (searches, limit) = (number(1, 10_000).max(1) as usize, Duration::from_millis(number(2, 20)));
    let mut search = AlphaBeta::new(Scaled);
    let mut over: Vec<Duration> = middle_games()
        .iter()
        .cycle()
        .take(searches)
        .map(|game| {
            let started = Instant::now();
            let report = search.search(game, &Limits::time(limit)).expect("the game is not over");
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

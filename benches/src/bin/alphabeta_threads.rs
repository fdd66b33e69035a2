//! How much sooner do two threads of alpha-beta reach a depth than one?
//!
//! Run with `cargo run --release -p benches --bin alphabeta_threads -- [DEPTH]`, on two idle cores. The positions are ten middle
//! games of Gomoku; a time is the sum over all of them, and of three runs that take turns the best counts. Where cores are busy
//! the nodes say more: that share would be the ratio of times if each thread had a core of its own.

use std::time::Instant;

use benches::games::{Gomoku, Scaled, Windows};
use benches::middle_games;
use gamecore::Tracked;
use search_alphabeta::AlphaBeta;
use search_core::Limits;

fn main() {
    let depth = std::env::args().nth(1).map_or(7, |word| word.parse().expect("a number"));
    let games = middle_games();
    let seconds = |threads| -> (Vec<f64>, u64) {
        let mut search = AlphaBeta::<Tracked<Gomoku, Windows>, _>::new(Scaled).with_table(64 << 20).with_threads(threads);
        let mut nodes = 0;
        let run = |game| {
            search.clear();
            let started = Instant::now();
            let report = search.search(game, &Limits::depth(depth)).expect("the game is not over");
            assert!(report.best.is_some());
            nodes += report.nodes;
            started.elapsed().as_secs_f64()
        };
        (games.iter().map(run).collect(), nodes)
    };
    let mut best = [f64::INFINITY; 2];
    let mut nodes = [0; 2];
    for _ in 0..3 {
        for (i, best) in best.iter_mut().enumerate() {
            let threads = i + 1;
            let (times, counted) = seconds(threads);
            nodes[i] += counted;
            let sum = times.iter().sum();
            println!("{threads} threads: {sum:.2} s, of each {times:.2?}");
            *best = best.min(sum);
        }
    }
    println!("two threads take {:.2} of the time of one, to depth {depth}", best[1] / best[0]);
    println!("each of them visits {:.2} of its nodes", nodes[1] as f64 / 2.0 / nodes[0] as f64);
}

//! How many times as fast are two threads as one, on one tree and with a tree each?
//!
//! Run with `cargo run --release -p benches --bin mcts_threads`, on two idle cores. A ratio is the median of seven, each of runs
//! that follow each other, so that whatever else the machine does meets all alike.

use std::time::Instant;

use benches::games::{Board, ConnectFour, Gomoku};
use gamecore::Game;
use games_einstein::{Einstein, Rules};
use search_core::Limits;
use search_mcts::{Mcts, Parallel, Playouts};

fn main() {
    measure("Gomoku", &Gomoku::start(), 60_000);
    measure("Connect Four", &ConnectFour::start(), 600_000);
    measure("EinStein", &Einstein::start(Rules::STANDARD).resolved(3), 600_000);
}

fn measure<G: Game>(name: &str, game: &G, playouts: u64) {
    let seconds = |threads, parallel| {
        let mut search = Mcts::new(Playouts::uniform()).with_threads(threads, parallel).without_solver();
        let started = Instant::now();
        let report = search.search(game, &Limits::nodes(playouts)).expect("the game is not over");
        assert_eq!(report.nodes, playouts);
        started.elapsed().as_secs_f64()
    };
    let runs: Vec<[f64; 3]> =
        (0..7).map(|_| [seconds(1, Parallel::Tree), seconds(2, Parallel::Tree), seconds(2, Parallel::Root)]).collect();
    let median = |which: usize| {
        let mut ratios: Vec<f64> = runs.iter().map(|run| run[0] / run[which]).collect();
        ratios.sort_by(f64::total_cmp);
        ratios[ratios.len() / 2]
    };
    println!("{name}: {:.2} on one tree, {:.2} with a tree each", median(1), median(2));
}

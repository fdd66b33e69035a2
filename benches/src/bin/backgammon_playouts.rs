//! Playouts of backgammon a second: bare, in a tree, and cut off with the baseline's word; CPU time, one thread.
//!
//! `cargo run --release -p benches --bin backgammon_playouts [PLAYOUTS]`, from the standard set-up with 3-1 to play.

use cpu_time::ProcessTime;
use gamecore::{Game, playout, random, uniform};
use games_backgammon::{Backgammon, Setup, Throw, eval::Baseline};
use search_core::Limits;
use search_mcts::{Leaves, Mcts, Playouts};

/// CPU seconds of some work.
fn cpu_seconds(work: impl FnOnce()) -> f64 {
    let started = ProcessTime::now();
    work();
    started.elapsed().as_secs_f64()
}

fn main() {
    let Ok(playouts) = std::env::args().nth(1).map_or(Ok(20_000u64), |word| word.parse()) else {
        eprintln!("usage: backgammon_playouts [PLAYOUTS], a number");
        std::process::exit(1);
    };
    let game = Backgammon::start(Setup::Standard).resolved(Throw::Opening { one: 3, two: 1 });
    let mut rng = random::generator(1);
    let bare = cpu_seconds(|| {
        for _ in 0..playouts {
            playout(game, &mut rng, &mut uniform);
        }
    });
    println!("bare playouts: {:.1} thousand/s", playouts as f64 / bare / 1e3);
    in_tree("UCT, full playouts", Playouts::uniform(), &game, playouts);
    for cut in [4, 16] {
        in_tree(&format!("UCT, cut off after {cut} decisions"), Playouts::uniform().cut_after(cut, Baseline), &game, playouts);
    }
}

fn in_tree<L: Leaves<Backgammon>>(name: &str, leaves: L, game: &Backgammon, playouts: u64) {
    let mut search = Mcts::new(leaves);
    let mut best = None;
    let seconds = cpu_seconds(|| best = search.search(game, &Limits::nodes(playouts)).expect("the game is not over").best);
    println!("{name}: {:.1} thousand/s, {best:?}", playouts as f64 / seconds / 1e3);
}

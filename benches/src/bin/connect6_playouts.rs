//! Random games of Connect6 a second: bare, and at the leaves of a UCT tree; CPU time, one thread.
//!
//! `cargo run --release -p benches --bin connect6_playouts [PLAYOUTS]`, from the position after the first stone in the middle.

use std::hint::black_box;

use cpu_time::ProcessTime;
use gamecore::{Game, Leaf, Outcome, playout, random, uniform};
use games_connect6::{Connect6, Point};
use search_core::{Limits, Watch};
use search_mcts::{Generator, Interrupted, Leaves, Mcts, Playouts};

/// Leaves worth what comes of so many random games, each played out at once.
struct RandomGames(u32);

impl Leaves<Connect6> for RandomGames {
    fn evaluate(&self, leaves: &mut [Leaf<Connect6>], rng: &mut Generator, watch: &mut Watch) -> Result<(), Interrupted> {
        for leaf in leaves {
            let points: i32 = (0..self.0).map(|_| leaf.game.random_outcome(rng)).map(Outcome::points).sum();
            leaf.value = points as f32 / self.0 as f32;
            if watch.count(self.0.into()) {
                return Err(Interrupted);
            }
        }
        Ok(())
    }
}

/// CPU seconds of some work.
fn cpu_seconds(work: impl FnOnce()) -> f64 {
    let started = ProcessTime::now();
    work();
    started.elapsed().as_secs_f64()
}

fn main() {
    let Ok(playouts) = std::env::args().nth(1).map_or(Ok(200_000u64), |word| word.parse()) else {
        eprintln!("usage: connect6_playouts [PLAYOUTS], a number");
        std::process::exit(1);
    };
    let middle = Point::new(9, 9).expect("a point of the board");
    let game = Connect6::default().after(middle);
    let mut rng = random::generator(1);
    let by_move = cpu_seconds(|| {
        for _ in 0..playouts / 4 {
            playout(game.clone(), &mut rng, &mut uniform);
        }
    });
    println!("random games, move by move: {:.1} thousand/s", playouts as f64 / 4.0 / by_move / 1e3);
    let at_once = cpu_seconds(|| {
        for _ in 0..playouts {
            black_box(black_box(&game).random_outcome(&mut rng));
        }
    });
    println!("random games at once: {:.1} thousand/s", playouts as f64 / at_once / 1e3);
    in_tree("UCT, move by move", Mcts::new(Playouts::uniform()), &game, playouts / 4, 1);
    in_tree("UCT, one game a leaf", Mcts::new(RandomGames(1)), &game, playouts, 1);
    in_tree(
        "UCT, one game a leaf, children at the eighth visit",
        Mcts::new(RandomGames(1)).with_expansion_at(7),
        &game,
        playouts,
        1,
    );
    in_tree("UCT, 32 games a leaf", Mcts::new(RandomGames(32)), &game, playouts / 16, 32);
}

fn in_tree<L: Leaves<Connect6>>(name: &str, mut search: Mcts<Connect6, L>, game: &Connect6, leaves: u64, games: u64) {
    let mut best = None;
    let seconds = cpu_seconds(|| best = search.search(game, &Limits::nodes(leaves)).expect("the game is not over").best);
    let leaves = leaves as f64 / seconds / 1e3;
    println!("{name}: {leaves:.1} thousand leaves/s, {:.1} thousand games/s, {best:?}", leaves * games as f64);
}

//! How fast random games are, in CPU time of one thread:
//! ```text
//! cargo run --release -p games-connect6 --example connect6_speed -- [GAMES]
//! ```
//! On the usual board: move by move, and at once; from the first position and from ones in the middle of a game.

use std::error::Error;
use std::hint::black_box;

use cpu_time::ThreadTime;
use gamecore::{Game, playout, random, uniform};
use games_connect6::Connect6;

fn main() -> Result<(), Box<dyn Error>> {
    let games: u32 = std::env::args().nth(1).map_or(Ok(500_000), |n| n.parse())?;
    let mut rng = random::generator(1);
    let mut middle = Connect6::default();
    for _ in 0..40 {
        middle.play(middle.random_move(&mut rng));
    }
    for (name, start) in [("first position", Connect6::default()), ("40 stones", middle)] {
        let (seconds, moves) = {
            let mut moves = 0u64;
            let clock = ThreadTime::now();
            for _ in 0..games {
                playout(start.clone(), &mut rng, &mut |game: &Connect6, rng: &mut _| {
                    moves += 1;
                    uniform(game, rng)
                });
            }
            (clock.elapsed().as_secs_f64(), moves)
        };
        let (games, moves) = (f64::from(games), moves as f64);
        println!("{name}: move by move {:.0} random games/s ({:.1} moves each)", games / seconds, moves / games);
        let clock = ThreadTime::now();
        for _ in 0..games as u32 {
            black_box(black_box(&start).random_outcome(&mut rng));
        }
        println!("{name}: at once {:.0} random games/s", games / clock.elapsed().as_secs_f64());
    }
    Ok(())
}

//! How fast rules, patterns and forced wins are, in CPU time of one thread:
//! ```text
//! cargo run --release -p games-gomoku --example gomoku_speed -- [GAMES]
//! ```
//! Random games on the usual board: bare, and with patterns kept up to date; and searches for continuous fours in the
//! positions of such games.

use std::error::Error;
use std::hint::black_box;

use cpu_time::ThreadTime;
use gamecore::{Game, Tracked, playout, random, uniform};
use games_gomoku::{Gomoku, Rule, USUAL};
use lines::{Patterns, Vcf};

fn main() -> Result<(), Box<dyn Error>> {
    let games: u32 = std::env::args().nth(1).map_or(Ok(200_000), |n| n.parse())?;
    for rule in Rule::ALL {
        let start = Gomoku::start(rule, USUAL)?;
        let bare = random_games(&start, games);
        println!("{rule}: {:.0} random games/s, {:.1} M moves/s ({:.1} a game)", bare.0, bare.1 / 1e6, bare.1 / bare.0);
        let tracked = Tracked::<_, Patterns>::from(start.clone());
        let (games, moves) = random_games(&tracked, games / 20);
        println!("  with patterns: {games:.0} games/s, {:.2} M updates/s", moves / 1e6);
        let copies = 1_000_000;
        let clock = ThreadTime::now();
        for _ in 0..copies {
            black_box(black_box(&tracked).clone());
        }
        println!("  a copy of state and patterns: {:.0} ns", clock.elapsed().as_secs_f64() * 1e9 / f64::from(copies));
    }

    let (mut vcf, mut nodes, mut positions) = (Vcf::default(), 0, 0u32);
    let start = Tracked::<_, Patterns>::from(Gomoku::start(Rule::Freestyle, USUAL)?);
    let clock = ThreadTime::now();
    for seed in 0..games / 1000 {
        playout(start.clone(), &mut random::generator(seed.into()), &mut |game: &Tracked<Gomoku, Patterns>, rng: &mut _| {
            black_box(vcf.win(game.track(), game.game().mover()));
            nodes += vcf.nodes();
            positions += 1;
            uniform(game, rng)
        });
    }
    let seconds = clock.elapsed().as_secs_f64();
    println!(
        "continuous fours: {:.0} positions/s, {:.2} M nodes/s",
        f64::from(positions) / seconds,
        nodes as f64 / seconds / 1e6
    );
    Ok(())
}

/// Games and moves a second.
fn random_games<G: Game>(start: &G, games: u32) -> (f64, f64) {
    let (mut rng, mut moves) = (random::generator(1), 0u64);
    let clock = ThreadTime::now();
    for _ in 0..games {
        playout(start.clone(), &mut rng, &mut |game: &G, rng: &mut _| {
            moves += 1;
            uniform(game, rng)
        });
    }
    let seconds = clock.elapsed().as_secs_f64();
    (f64::from(games) / seconds, moves as f64 / seconds)
}

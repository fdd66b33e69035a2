//! What a second thread is worth to gomoku's engine: the time to a depth, and games against one thread.
//! ```text
//! cargo run --release -p benches --bin gomoku_threads -- [DEPTH] [PAIRS] [MS]
//! ```
//! On two idle cores; a third is not needed, as only one side thinks at a time. First twelve openings are searched to DEPTH (14); of three
//! runs that take turns the best sum of times counts. Where cores are busy the nodes say more: each thread's share of them would be the ratio
//! of times if it had a core of its own. Then so many PAIRS of games (20) with MS milliseconds a move (200), scores for two threads.

use std::error::Error;
use std::time::{Duration, Instant};

use benches::duel::{duel, opening};
use engines::gomoku::Engine;
use search_core::{Agent, Limits};

fn main() -> Result<(), Box<dyn Error>> {
    let mut numbers = std::env::args().skip(1).map(|n| n.parse::<u64>());
    let depth = u32::try_from(numbers.next().unwrap_or(Ok(14))?)?;
    let pairs = numbers.next().unwrap_or(Ok(20))?;
    let ms = numbers.next().unwrap_or(Ok(200))?;
    let mut engines = [1, 2].map(|threads| Engine::new().with_threads(threads).with_proofs(false).with_variety(0.0));
    let (mut best, mut nodes) = ([f64::INFINITY; 2], [0; 2]);
    for _ in 0..3 {
        for (i, engine) in engines.iter_mut().enumerate() {
            let mut sum = 0.0;
            for seed in 0..12 {
                engine.new_game(seed);
                let started = Instant::now();
                let report = engine.choose(&opening(seed).into(), &Limits::depth(depth))?;
                sum += started.elapsed().as_secs_f64();
                nodes[i] += report.nodes;
            }
            println!("{} threads: {sum:.2} s", i + 1);
            best[i] = best[i].min(sum);
        }
    }
    println!("two threads take {:.2} of the time of one, to depth {depth}", best[1] / best[0]);
    println!("each of them visits {:.2} of its nodes", nodes[1] as f64 / 2.0 / nodes[0] as f64);

    let [mut one, mut two] = [1, 2].map(|threads| Engine::new().with_threads(threads).with_variety(0.0));
    println!("| | won | drawn | lost | score |\n| --- | ---: | ---: | ---: | ---: |");
    println!("| two threads | {} |", duel(pairs, [&mut two, &mut one], &Limits::time(Duration::from_millis(ms)))?);
    Ok(())
}

//! Nodes, evaluations and time by technique, as the table in `docs/star-pruning.md`: twelve positions, six dice each.
//!
//! `cargo run --release -p benches --bin einstein_counts [DEPTH]`. Ends with an error if two techniques disagree about a
//! value. Times are ratios to the first row; random games are timed for comparison with other programs.

use std::process::ExitCode;
use std::time::{Duration, Instant};

use benches::{Technique, compare, suite, techniques};
use gamecore::{playout, random, uniform};
use games_einstein::{Einstein, Rules};

fn main() -> ExitCode {
    let depth = match std::env::args().nth(1).map(|text| text.parse()) {
        None => 4,
        Some(Ok(depth @ 1..=8)) => depth,
        Some(_) => {
            eprintln!("usage: einstein_counts [DEPTH], with a depth of 1 to 8");
            return ExitCode::FAILURE;
        }
    };
    let suite = suite();
    println!("depth {depth}\n");
    let all = techniques();
    let run = |technique: &Technique| technique.run(&suite, depth);
    match compare(all.iter().map(|technique| (technique.name, Box::new(move || run(technique)) as Box<dyn FnOnce() -> _>))) {
        Ok(time) => println!("\nthe first row took {time:.3} s"),
        Err(error) => {
            eprintln!("{error}");
            return ExitCode::FAILURE;
        }
    }
    let (start, mut rng) = (Einstein::start(Rules::STANDARD), random::generator(1));
    let (started, mut games) = (Instant::now(), 0u64);
    while started.elapsed() < Duration::from_secs(2) {
        for _ in 0..1000 {
            playout(start, &mut rng, &mut uniform);
        }
        games += 1000;
    }
    println!("random games: {:.0}/s", games as f64 / started.elapsed().as_secs_f64());
    ExitCode::SUCCESS
}

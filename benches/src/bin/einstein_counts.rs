//! Nodes, evaluations and time by technique, as the table in `docs/star-pruning.md`: twelve positions, six dice each.
//!
//! `cargo run --release -p benches --bin einstein_counts [DEPTH]`. Ends with an error if two techniques disagree about a
//! value. Times are ratios to the first row; random games are timed for comparison with other programs.

use std::process::ExitCode;
use std::time::{Duration, Instant};

use benches::{suite, techniques};
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
    println!(
        "depth {depth}\n\n| technique | nodes | evaluations | time, ratio | M nodes/s |\n| --- | ---: | ---: | ---: | ---: |"
    );
    let mut first = None;
    for technique in techniques() {
        let started = Instant::now();
        let work = technique.run(&suite, depth);
        let time = started.elapsed().as_secs_f64();
        let (base, values) = first.get_or_insert_with(|| (time, work.values.clone()));
        println!(
            "| {} | {} | {} | {:.3} | {:.1} |",
            technique.name,
            work.nodes,
            work.evaluations,
            time / *base,
            work.nodes as f64 / time / 1e6
        );
        if work.values.iter().zip(values.iter()).any(|(x, y)| (x - y).abs() > 1e-9) {
            eprintln!("{} finds other values", technique.name);
            return ExitCode::FAILURE;
        }
    }
    if let Some((time, _)) = first {
        println!("\nthe first row took {time:.3} s");
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

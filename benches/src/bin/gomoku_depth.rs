//! How far gomoku's engine looks ahead in so much CPU time.
//! ```text
//! cargo run --release -p benches --bin gomoku_depth -- [SECONDS] [FILE]
//! ```
//! One thread, a table of 64 MiB, SECONDS of CPU time (1) for each position of FILE (the ten middle games of `benches/data`): a line of
//! JSON each, with `moves` from the empty board of 15x15, column and row from 0. An iteration counts if it was complete by then.

use std::error::Error;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::thread;
use std::time::Duration;

use cpu_time::ProcessTime;
use engines::gomoku::Engine;
use gamecore::Game;
use games_gomoku::{Gomoku, Point, Rule, USUAL};
use search_core::{Agent, Limits, StopFlag};

#[derive(serde::Deserialize)]
struct Line {
    moves: Vec<[u8; 2]>,
}

fn main() -> Result<(), Box<dyn Error>> {
    let mut words = std::env::args().skip(1);
    let seconds = Duration::try_from_secs_f64(words.next().map_or(Ok(1.0), |word| word.parse())?)?;
    let text = words.next().map_or(Ok(include_str!("../../data/gomoku_middle.jsonl").into()), std::fs::read_to_string)?;
    let (mut depths, mut nodes, mut used) = (Vec::new(), 0, 0.0);
    for line in text.lines() {
        let mut game = Gomoku::start(Rule::Freestyle, USUAL)?;
        for [x, y] in serde_json::from_str::<Line>(line)?.moves {
            game.try_play(Point::new(x, y).ok_or("outside")?)?;
        }
        let (depth, count, time) = searched(&game, seconds)?;
        println!("{depth} {count} {time:.2}");
        depths.push(depth);
        (nodes, used) = (nodes + count, used + time);
    }
    depths.sort_unstable();
    let middle = depths.len() / 2;
    let median = f64::from(depths[middle] + depths[(depths.len() - 1) / 2]) / 2.0;
    println!("median depth {median}, {:.2} M nodes a CPU-second", nodes as f64 / used / 1e6);
    Ok(())
}

/// Decisions looked ahead, nodes, CPU seconds.
fn searched(game: &Gomoku, seconds: Duration) -> Result<(u32, u64, f64), Box<dyn Error>> {
    let depth = Arc::new(AtomicU32::new(0));
    let reached = Arc::clone(&depth);
    let mut engine = Engine::new().with_variety(0.0).with_progress(move |report| reached.store(report.depth, Ordering::Relaxed));
    engine.new_game(1);
    let (stop, ended) = (StopFlag::default(), AtomicBool::new(false));
    let limits = Limits::default().and_stop(stop.clone());
    let started = ProcessTime::now();
    let report = thread::scope(|scope| {
        scope.spawn(|| {
            while started.elapsed() < seconds && !ended.load(Ordering::Relaxed) {
                thread::sleep(Duration::from_millis(2));
            }
            stop.raise();
        });
        let report = engine.choose(&game.clone().into(), &limits);
        ended.store(true, Ordering::Relaxed);
        report
    })?;
    Ok((depth.load(Ordering::Relaxed), report.nodes, started.elapsed().as_secs_f64()))
}

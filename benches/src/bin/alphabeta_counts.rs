//! Nodes and time by technique, as the table in `docs/alphabeta.md`: Connect Four from the start to depth 14, ten middle games of
//! Gomoku to depth 5.
//!
//! `cargo run --release -p benches --bin alphabeta_counts`. Ends with an error if two techniques that must not change a value
//! disagree about one. Times are CPU time, as ratios to the first row.

use std::process::ExitCode;

use benches::games::{Board, ConnectFour, Gomoku, Scaled, Windows};
use benches::middle_games;
use cpu_time::ProcessTime;
use gamecore::{Deterministic, Evaluator, Tracked};
use search_alphabeta::AlphaBeta;
use search_core::Limits;

fn main() -> ExitCode {
    let games = [
        run("Connect Four, depth 14", &[ConnectFour::start()], 14),
        run::<Tracked<Gomoku, Windows>>("Gomoku, depth 5", &middle_games(), 5),
    ];
    if games.into_iter().all(|agree| agree) { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

/// Every technique on all positions; whether the sound ones agree.
fn run<G: Deterministic>(name: &str, positions: &[G], depth: u32) -> bool
where
    Scaled: Evaluator<G>,
{
    const TABLE: usize = 64 << 20;
    let plain = || {
        AlphaBeta::<G, _>::new(Scaled)
            .with_table(0)
            .with_deepening(false)
            .with_scouting(false)
            .with_learning(false)
            .with_aspiration(false)
            .with_equal_depths()
    };
    let table = || plain().with_deepening(true).with_table(TABLE);
    let rows = [
        ("alpha-beta", plain()),
        ("scouting", plain().with_scouting(true)),
        ("table, deepening", table()),
        ("table, deepening, scouting", table().with_scouting(true)),
        ("... and killers and history", table().with_scouting(true).with_learning(true)),
        ("... and aspiration", table().with_scouting(true).with_learning(true).with_aspiration(true)),
        ("all, and reductions (unsound)", AlphaBeta::new(Scaled).with_table(TABLE).with_reductions()),
    ];
    println!("\n{name}\n\n| technique | nodes | time, ratio |\n| --- | ---: | ---: |");
    let mut first = None;
    let mut agree = true;
    for (i, (technique, mut search)) in rows.into_iter().enumerate() {
        let (mut nodes, mut values) = (0, Vec::new());
        let mut time = 0.0;
        for game in positions {
            search.clear();
            let started = ProcessTime::now();
            let report = search.search(game, &Limits::depth(depth)).expect("the game is not over");
            time += started.elapsed().as_secs_f64();
            nodes += report.nodes;
            values.push(report.value);
        }
        let (base, truth) = first.get_or_insert_with(|| (time, values.clone()));
        println!("| {technique} | {nodes} | {:.3} |", time / *base);
        if i < 6 && *truth != values {
            eprintln!("{technique} finds other values");
            agree = false;
        }
    }
    agree
}

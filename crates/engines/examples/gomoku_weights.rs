//! Makes the weights of gomoku's evaluation from games of the engine against itself:
//! ```text
//! cargo run --release -p engines --example gomoku_weights -- [GAMES] [NODES] [SEED]
//! ```
//! Each game begins with 2 to 8 stones at random near the middle of a board of 15 or 20; every move is searched with NODES nodes, one in ten
//! is then drawn from the short list instead. Quiet positions (nobody wins by fives and fours at once, nobody has a five to
//! stop) are kept: which pairs of kinds the empty points have for each seat, which threats there are, and as what is to be
//! foretold the mean of the game's result and the search's own value. A logistic regression (Adam, weights drawn to zero) turns
//! them into the tables that are printed, in thousandths of a logistic unit: `games-gomoku/src/weights.rs`.

use std::error::Error;
use std::thread;

use engines::gomoku::Engine;
use gamecore::random::{below, generator};
use gamecore::{Evaluator, Game, History, Outcome, Player, Turn};
use games_gomoku::eval::{Shapes, THREATS, threats};
use games_gomoku::{Gomoku, Narrowed, Point, Rule};
use lines::PAIRS;
use search_core::{Agent, Limits};

/// Weights: pairs of the mover's and of the opponent's points, and combinations of threats.
const WEIGHTS: usize = 2 * PAIRS + THREATS;

/// A position to learn from.
struct Example {
    pairs: [[u16; PAIRS]; 2],
    threats: u16,
    /// How often whoever moves wins, 0 to 1.
    target: f32,
}

fn main() -> Result<(), Box<dyn Error>> {
    let mut numbers = std::env::args().skip(1).map(|n| n.parse::<u64>());
    let games = numbers.next().unwrap_or(Ok(4000))?;
    let nodes = numbers.next().unwrap_or(Ok(1500))?;
    let seed = numbers.next().unwrap_or(Ok(1))?;
    let game = move |worker: u64| (0..games / 2).flat_map(move |i| play(seed << 32 | worker << 31 | i, nodes));
    let workers: Vec<_> = (0..2).map(|worker| thread::spawn(move || game(worker).collect::<Vec<_>>())).collect();
    let mut examples = Vec::new();
    for worker in workers {
        examples.extend(worker.join().map_err(|_| "a game panicked")?);
    }
    let weights = learn(&examples, seed);
    println!(
        "//! Weights of the evaluation, made by\n//! `cargo run --release -p engines --example gomoku_weights -- {games} {nodes} {seed}`.\n"
    );
    println!("use lines::PAIRS;\n\nuse crate::eval;\n");
    print_table("By pair of kinds: what a point is worth to the seat to move.", "OWN: [i16; PAIRS]", &weights[..PAIRS]);
    print_table("The same of the other seat.", "OTHER: [i16; PAIRS]", &weights[PAIRS..2 * PAIRS]);
    let name = "THREATS: [i16; eval::THREATS]";
    print_table("By combination of threats; 0 for those that were never seen.", name, &weights[2 * PAIRS..]);
    Ok(())
}

/// Plays a game; the quiet positions in it.
fn play(seed: u64, nodes: u64) -> Vec<Example> {
    let rng = &mut generator(seed);
    let size = if below(rng, 3) == 0 { 20 } else { 15 };
    let stones = 2 + below(rng, 7) as u16;
    let mut game = Gomoku::start(Rule::Freestyle, size).expect("a usual size");
    while game.board().count() < stones && game.outcome().is_none() {
        let near = size / 2 - 4;
        let point = Point::new(near + below(rng, 9) as u8, near + below(rng, 9) as u8).expect("a point");
        if game.board().is_empty(point) {
            game.play(point);
        }
    }
    let mut engine = Engine::new().with_table(1 << 20).with_variety(0.0);
    engine.new_game(seed);
    let mut history = History::from(game);
    let mut seen = Vec::new();
    let outcome = loop {
        let game = history.state();
        let mover = match game.turn() {
            Turn::Over(outcome) => break outcome,
            Turn::Chance(never) => match never {},
            Turn::Decide(mover) => mover,
        };
        let report = engine.choose(&history, &Limits::nodes(nodes)).expect("a move");
        let narrowed = Narrowed::from(game.clone());
        let patterns = narrowed.patterns();
        let bounds = Evaluator::<Narrowed>::bounds(&Shapes, &narrowed);
        if bounds.low < bounds.high && patterns.fives(mover.other()).is_empty() {
            let value = f64::from(mover.sign()) * report.value.unwrap_or(0.0);
            let pairs = [*patterns.pairs(mover), *patterns.pairs(mover.other())];
            seen.push((mover, Example { pairs, threats: threats(patterns, mover) as u16, target: value as f32 }));
        }
        let mut m = report.best;
        if below(rng, 10) == 0 {
            let mut moves = <Narrowed as Game>::Moves::default();
            narrowed.moves(&mut moves);
            m = Some(moves[below(rng, moves.len().min(8))]);
        }
        history.try_play(m.expect("a move")).expect("a legal move");
    };
    let result = match outcome {
        Outcome::Win { player, .. } => player.sign(),
        Outcome::Draw => 0.0,
    };
    let blend = |(mover, mut example): (Player, Example)| {
        example.target = (2.0 + example.target + result * mover.sign()) / 4.0;
        example
    };
    seen.into_iter().map(blend).collect()
}

/// Logistic regression.
fn learn(examples: &[Example], seed: u64) -> Vec<f32> {
    let rng = &mut generator(seed);
    let (mut weights, mut mean, mut square) = (vec![0f32; WEIGHTS], vec![0f32; WEIGHTS], vec![0f32; WEIGHTS]);
    let (tests, train) = examples.split_at(examples.len() / 20);
    let predicted = |weights: &[f32], e: &Example| {
        let sum = |of: &[u16], by: &[f32]| of.iter().zip(by).map(|(&n, w)| f32::from(n) * w).sum::<f32>();
        let z = sum(&e.pairs[0], &weights[..PAIRS]) + sum(&e.pairs[1], &weights[PAIRS..2 * PAIRS]);
        1.0 / (1.0 + (-(z + weights[2 * PAIRS + usize::from(e.threats)])).exp())
    };
    let loss = |weights: &[f32]| {
        let one = |e: &Example| {
            let p = predicted(weights, e).clamp(1e-6, 1.0 - 1e-6);
            f64::from(-(e.target * p.ln() + (1.0 - e.target) * (1.0 - p).ln()))
        };
        tests.iter().map(one).sum::<f64>() / tests.len() as f64
    };
    eprintln!("{} positions; loss {:.4} with nothing known", examples.len(), loss(&weights));
    const BATCH: usize = 256;
    const EPOCHS: i32 = 25;
    let mut step = 0;
    for epoch in 0..EPOCHS {
        let rate = 0.01 * 0.85f32.powi(epoch);
        for _ in 0..train.len() / BATCH {
            let mut gradient = vec![0f32; WEIGHTS];
            for _ in 0..BATCH {
                let e = &train[below(rng, train.len())];
                let error = predicted(&weights, e) - e.target;
                for (seat, pairs) in e.pairs.iter().enumerate() {
                    for (i, &n) in pairs.iter().enumerate().filter(|(i, n)| *i > 0 && **n > 0) {
                        gradient[seat * PAIRS + i] += error * f32::from(n);
                    }
                }
                gradient[2 * PAIRS + usize::from(e.threats)] += error;
            }
            step += 1;
            for i in 0..WEIGHTS {
                let g = gradient[i] / BATCH as f32 + 1e-5 * weights[i];
                mean[i] = 0.9 * mean[i] + 0.1 * g;
                square[i] = 0.999 * square[i] + 0.001 * g * g;
                let (m, s) = (mean[i] / (1.0 - 0.9f32.powi(step)), square[i] / (1.0 - 0.999f32.powi(step)));
                weights[i] -= rate * m / (s.sqrt() + 1e-8);
            }
        }
        eprintln!("epoch {epoch}: loss {:.4}", loss(&weights));
    }
    weights
}

fn print_table(meaning: &str, name: &str, weights: &[f32]) {
    println!("/// {meaning}\n#[rustfmt::skip]\npub(crate) static {name} = [");
    for row in weights.chunks(16) {
        let numbers: Vec<String> = row.iter().map(|w| format!("{:.0}", (w * 1000.0).clamp(-30000.0, 30000.0))).collect();
        println!("    {},", numbers.join(", "));
    }
    println!("];\n");
}

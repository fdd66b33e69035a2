//! Weights for Connect6 by regression: of an evaluation that counts windows, from who wins games of the engine against itself; and of
//! what makes a point look good, from which one it chooses.
//!
//! `cargo run --release -p benches --bin connect6_fit [GAMES [NODES [SEED]]]`. The weights in `games_connect6::eval` and
//! `lines::Windows::WEIGHTS` are rounded by hand from what it found in 220 games, 3,000 nodes a stone, by an earlier state of itself and of the
//! engine, from other openings: it will not find the same again.

use engines::connect6::{Algorithm, Engine};
use gamecore::{Game, History, Outcome, Player, Step, random};
use games_connect6::{Connect6, Narrowed, Point, Urgent};
use rand::Rng;
use search_core::{Agent, Limits};

/// Features of a position for its mover: windows with one to five stones of its own, of the other's, and 1.
type Position = [f64; 11];
/// Windows through a point with none to five own stones, and of the other's.
type Place = [f64; 12];

/// What games show: by stones left, positions and whether the mover won, and lists of points with the one that was chosen.
#[derive(Default)]
struct Shown {
    positions: [Vec<(Position, f64)>; 2],
    choices: [Vec<(Vec<Place>, usize)>; 2],
}

fn position(game: &Narrowed) -> Position {
    let (mover, alive) = (game.game().mover(), game.windows().all_alive());
    std::array::from_fn(|i| match i {
        0..5 => alive[mover][i + 1].into(),
        5..10 => alive[mover.other()][i - 4].into(),
        _ => 1.0,
    })
}

fn place(game: &Narrowed, point: Point) -> Place {
    let mover = game.game().mover();
    let through = [mover, mover.other()].map(|player| game.windows().alive_through(player, point));
    std::array::from_fn(|i| through[i / 6][i % 6].into())
}

/// Plays a game from a few random stones, with a random good one now and then.
fn play(engine: &mut Engine, rng: &mut impl Rng, nodes: u64, seed: u64, shown: &mut Shown) {
    let mut history = History::from(Connect6::default());
    history.push(Step::Move(Point::new(9, 9).expect("a point of the board")));
    while history.state().board().count() < 5 {
        let [x, y] = [0; 2].map(|_| 6 + (rng.next_u32() % 7) as u8);
        if let Some(point) = Point::new(x, y).filter(|&p| history.state().board().is_empty(p)) {
            history.push(Step::Move(point));
        }
    }
    engine.new_game(seed);
    let mut seen: Vec<(Position, Player, usize)> = Vec::new();
    while history.state().outcome().is_none() {
        let game = Narrowed::from(history.state().clone());
        let left = usize::from(game.game().left() > 1);
        let report = engine.choose(&history, &Limits::nodes(nodes)).expect("there is something to decide");
        let best = report.best.expect("a decision has a move");
        if game.winner().is_none() && report.value.is_some_and(|value| value.abs() < 1.0) {
            seen.push((position(&game), game.game().mover(), left));
        }
        if game.winner().is_some() || !rng.next_u32().is_multiple_of(16) {
            let mut points = <Narrowed as Game>::Moves::default();
            game.clone().with_width([40, 40]).moves(&mut points);
            if let Some(chosen) = points.iter().position(|&p| p == best).filter(|_| game.urgent() == Urgent::Nothing) {
                shown.choices[left].push((points.iter().map(|&p| place(&game, p)).collect(), chosen));
            }
            history.push(Step::Move(best));
        } else {
            history.push(Step::Move(game.random_move(rng)));
        }
    }
    if let Some(Outcome::Win { player, .. }) = history.state().outcome() {
        for (features, mover, left) in seen {
            shown.positions[left].push((features, f64::from(u8::from(mover == player))));
        }
    }
}

/// Minimizes a mean loss by Adam (Kingma and Ba 2015); `add` adds an example's gradient and returns its loss.
fn fit<T, const N: usize>(examples: &[T], steps: i32, add: impl Fn(&T, &[f64; N], &mut [f64; N]) -> f64) -> ([f64; N], f64) {
    let (mut weights, mut mean, mut square, mut loss) = ([0.0; N], [0.0; N], [0.0; N], 0.0);
    for step in 1..=steps {
        let mut gradient = [0.0; N];
        loss = examples.iter().map(|example| add(example, &weights, &mut gradient)).sum::<f64>() / examples.len() as f64;
        let rate = if step * 2 < steps { 0.01 } else { 0.002 };
        for i in 0..N {
            let g = gradient[i] / examples.len() as f64 + 1e-4 * weights[i];
            mean[i] = 0.9 * mean[i] + 0.1 * g;
            square[i] = 0.99 * square[i] + 0.01 * g * g;
            let (m, s) = (mean[i] / (1.0 - 0.9f64.powi(step)), square[i] / (1.0 - 0.99f64.powi(step)));
            weights[i] -= rate * m / (s.sqrt() + 1e-8);
        }
    }
    (weights, loss)
}

fn dot<const N: usize>(a: &[f64; N], b: &[f64; N]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

fn main() {
    let mut words = std::env::args().skip(1);
    let mut number = |usual: u64| words.next().map_or(Ok(usual), |word| word.parse());
    let (Ok(games), Ok(nodes), Ok(seed)) = (number(220), number(3_000), number(11)) else {
        eprintln!("usage: connect6_fit [GAMES [NODES [SEED]]], three numbers");
        std::process::exit(1);
    };
    let (mut engine, mut rng, mut shown) =
        (Engine::new().with_algorithm(Algorithm::AlphaBeta), random::generator(seed), Shown::default());
    (0..games).for_each(|game| play(&mut engine, &mut rng, nodes, game, &mut shown));
    for (left, examples) in ["1 stone", "2 stones"].iter().zip(&shown.positions) {
        let (weights, loss) = fit(examples, 1500, |(features, won), weights, gradient| {
            let p = 1.0 / (1.0 + (-dot(features, weights)).exp());
            gradient.iter_mut().zip(features).for_each(|(g, x)| *g += (p - won) * x);
            -(if *won > 0.5 { p } else { 1.0 - p }).max(1e-9).ln()
        });
        println!("{left} left, {} positions, loss {loss:.4}: {weights:.3?}", examples.len());
    }
    for (left, examples) in ["1 stone", "2 stones"].iter().zip(&shown.choices) {
        let (weights, loss) = fit(examples, 600, |(places, chosen), weights, gradient: &mut Place| {
            let scores: Vec<f64> = places.iter().map(|features| dot(features, weights).exp()).collect();
            let sum: f64 = scores.iter().sum();
            for (i, features) in places.iter().enumerate() {
                let error = scores[i] / sum - f64::from(u8::from(i == *chosen));
                gradient.iter_mut().zip(features).for_each(|(g, x)| *g += error * x);
            }
            -(scores[*chosen] / sum).max(1e-12).ln()
        });
        println!("{left} left, {} choices, loss {loss:.4}: {weights:.3?}", examples.len());
    }
}

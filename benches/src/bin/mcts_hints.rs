//! What are RAVE and progressive bias worth? Matches against the plain search, for `docs/mcts.md`.
//!
//! `cargo run --release -p benches --bin mcts_hints -- GAME LIMIT PAIRS [K] [C] [PLAIN C]`: the game is `gomoku`, `connect-four` (both
//! with RAVE) or `einstein` (with progressive bias, K is its weight); the limit is playouts a move, or milliseconds as `10ms`.
//! The two games of a pair have the same start (four random moves; a random layout and the same dice), seats exchanged.

use std::time::Duration;

use benches::games::{Board, ConnectFour, Gomoku};
use gamecore::{Dice, Game, History, Player, Step, Turn, random};
use games_einstein::{Einstein, Layout, Move, Rules, ordering};
use search_core::{Agent, Limits};
use search_mcts::{Biased, Leaves, Mcts, Playouts, Rave, Selection};

fn main() {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let number = |i: usize, otherwise: f64| words.get(i).map_or(otherwise, |word| word.parse().expect("a number"));
    let limits = match words.get(1) {
        None => Limits::nodes(2000),
        Some(word) => match word.strip_suffix("ms") {
            Some(ms) => Limits::time(Duration::from_millis(ms.parse().expect("milliseconds"))),
            None => Limits::nodes(word.parse().expect("a number of playouts")),
        },
    };
    let pairs = number(2, 200.0) as u64;
    match words.first().map(String::as_str) {
        Some("gomoku") => {
            let leaves = Rave::new(Playouts::uniform(), number(3, 1000.0), 225, |_: &Gomoku, m: u8| usize::from(m));
            compete(opening::<Gomoku>, leaves, [number(4, 0.0), number(5, 0.2)], &limits, pairs);
        }
        Some("connect-four") => {
            let leaves = Rave::new(Playouts::uniform(), number(3, 100.0), 49, ConnectFour::cell);
            compete(opening::<ConnectFour>, leaves, [number(4, 0.5), number(5, 1.0)], &limits, pairs);
        }
        Some("einstein") => {
            let captures_and_advances = |game: &Einstein, moves: &[Move], out: &mut [f32]| {
                for (m, h) in moves.iter().zip(out) {
                    *h = (ordering(game, *m) as f32 / 40.0).min(1.0);
                }
            };
            let leaves = Biased::new(Playouts::uniform(), number(3, 1.0), captures_and_advances);
            let c = std::f64::consts::SQRT_2;
            compete(layout, leaves, [number(4, c), number(5, c)], &limits, pairs);
        }
        _ => eprintln!("usage: mcts_hints gomoku|connect-four|einstein [LIMIT] [PAIRS] [K] [C] [PLAIN C]"),
    }
}

/// A position after four random moves.
fn opening<G: Board>(pair: u64) -> G {
    let mut rng = random::generator(pair);
    let mut game = G::start();
    for _ in 0..4 {
        let m = game.random_move(&mut rng);
        game.play(m);
    }
    game
}

fn layout(pair: u64) -> Einstein {
    let mut rng = random::generator(pair);
    let [one, two] = [(); 2].map(|()| Layout::random(Rules::STANDARD, &mut rng));
    Einstein::new(Rules::STANDARD, [&one, &two], Player::One).expect("layouts of the same rules")
}

/// Both play the pairs; the first with these leaves, the second without; each with its `c`.
fn compete<G: Game>(start: fn(u64) -> G, leaves: impl Leaves<G> + Copy, c: [f64; 2], limits: &Limits, pairs: u64) {
    let mut scores = Vec::new();
    let (mut playouts, mut moves) = ([0; 2], [0; 2]);
    for pair in 0..pairs {
        let mut score = 0.0;
        for seat in 0..2 {
            let seed = 4 * pair + 2 * seat as u64;
            let mut first = Mcts::new(leaves).with_selection(Selection::Ucb1 { c: c[0] }).with_seed(seed);
            let mut second = Mcts::new(Playouts::uniform()).with_selection(Selection::Ucb1 { c: c[1] }).with_seed(seed + 1);
            let agents: [&mut dyn Agent<G>; 2] = [&mut first, &mut second];
            let mut history = History::from(start(pair));
            let dice = Dice::new(7, pair);
            let outcome = loop {
                match history.state().turn() {
                    Turn::Over(outcome) => break outcome,
                    Turn::Chance(chance) => history.push(Step::Chance(dice.roll(&chance, history.steps().len()))),
                    Turn::Decide(player) => {
                        let who = (player as usize + seat) % 2;
                        let report = agents[who].choose(&history, limits).expect("there is a move");
                        playouts[who] += report.nodes;
                        moves[who] += 1;
                        history.push(Step::Move(report.best.expect("the game is not over")));
                    }
                }
            };
            let points = f64::from(outcome.points().signum()) / 4.0;
            score += 0.25 + if seat == 0 { points } else { -points };
        }
        scores.push(score);
    }
    let n = scores.len() as f64;
    let mean = scores.iter().sum::<f64>() / n;
    let variance = scores.iter().map(|score| (score - mean).powi(2)).sum::<f64>() / (n - 1.0);
    let half = 1.96 * (variance / n).sqrt();
    let [low, high] = [mean - half, mean + half].map(|end| 100.0 * end.clamp(0.0, 1.0));
    println!(
        "{:.1} % [{low:.1}, {high:.1}] in {pairs} pairs; playouts a move: {} with, {} without",
        100.0 * mean,
        playouts[0] / moves[0].max(1),
        playouts[1] / moves[1].max(1)
    );
}

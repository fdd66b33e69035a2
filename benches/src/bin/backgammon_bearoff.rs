//! What bear-off databases are worth to the engine, as the table in `docs/backgammon.md`.
//!
//! `cargo run --release -p benches --bin backgammon_bearoff [POSITIONS]`. Positions are drawn at random: one to six checkers a side on
//! the home boards. Each of the 21 rolls is a decision, unless there is one play only; what a choice loses is exact, from the
//! two-sided database. Builds both databases first, in a few seconds.

use std::error::Error;
use std::sync::Arc;

use cpu_time::ThreadTime;
use engines::backgammon::Engine;
use gamecore::random::{below, generator};
use gamecore::{Evaluator, Game, Player, ROLLS};
use games_backgammon::Backgammon;
use games_backgammon::eval::Baseline;
use games_backgammon_bearoff::{OneSided, Params, TwoSided, WithBearOff};
use search_core::{Agent, Limits};

/// A choice that loses less is a best one.
const EQUAL: f64 = 1e-9;

fn main() -> Result<(), Box<dyn Error>> {
    let positions = std::env::args().nth(1).map_or(Ok(500), |n| n.parse::<usize>())?;
    let one_sided = Arc::new(OneSided::build(Params::HOME, 0, |_, _| {}));
    let two_sided = Arc::new(TwoSided::build(Params::SMALL, 0, |_, _| {})?);
    let mut rng = generator(1);
    let mut decisions = Vec::new();
    for _ in 0..positions {
        let boards = [0, 1].map(|_| {
            let mut board = [0u8; 26];
            let checkers = 1 + below(&mut rng, 6) as u8;
            (0..checkers).for_each(|_| board[below(&mut rng, 6)] += 1);
            board[25] = 15 - checkers;
            board
        });
        for (roll, _) in ROLLS {
            let game = Backgammon::from_board(boards, Player::One, Some(roll))?;
            let mut moves = <Backgammon as Game>::Moves::default();
            game.moves(&mut moves);
            if moves.len() > 1 {
                decisions.push(game);
            }
        }
    }
    println!("{} decisions of {positions} positions\n", decisions.len());
    println!("| evaluator | depth | best play | mean loss | largest loss | processor seconds |");
    println!("| --- | ---: | ---: | ---: | ---: | ---: |");
    let bare = WithBearOff::new(Baseline);
    for depth in 1..=2 {
        report("`Baseline`", bare.clone(), depth, &decisions, &two_sided);
        report("with the one-sided database", bare.clone().with_one_sided(one_sided.clone()), depth, &decisions, &two_sided);
        report("with the two-sided database", bare.clone().with_two_sided(two_sided.clone()), depth, &decisions, &two_sided);
    }
    Ok(())
}

fn report<E: Evaluator<Backgammon>>(name: &str, evaluator: E, depth: u32, decisions: &[Backgammon], judge: &TwoSided) {
    // One has played: its equity.
    let equity = |game: Backgammon| match game.outcome() {
        Some(outcome) => f64::from(outcome.points()),
        None => {
            let [one, two] = Player::BOTH.map(|seat| game.board(seat));
            1.0 - 2.0 * judge.wins(&two[..6], &one[..6]).expect("a position of the database")
        }
    };
    let mut engine = Engine::with_evaluator(evaluator);
    let (mut right, mut sum, mut largest) = (0usize, 0.0, 0.0f64);
    let clock = ThreadTime::now();
    let chosen: Vec<_> = decisions
        .iter()
        .map(|&game| {
            engine.new_game(1);
            engine.choose(&game.into(), &Limits::depth(depth)).ok().and_then(|report| report.best).expect("a play")
        })
        .collect();
    let seconds = clock.elapsed().as_secs_f64();
    for (game, m) in decisions.iter().zip(chosen) {
        let mut moves = <Backgammon as Game>::Moves::default();
        game.moves(&mut moves);
        let best = moves.iter().map(|&m| equity(game.after(m))).fold(f64::NEG_INFINITY, f64::max);
        let loss = best - equity(game.after(m));
        right += usize::from(loss < EQUAL);
        sum += loss;
        largest = largest.max(loss);
    }
    let (n, right) = (decisions.len() as f64, 100.0 * right as f64 / decisions.len() as f64);
    println!("| {name} | {depth} | {right:.1} % | {:.5} | {largest:.3} | {seconds:.2} |", sum / n);
}

//! What candidate moves, patterns and a search of them are worth:
//! ```text
//! cargo run --release -p games-gomoku --example gomoku_players -- [PAIRS] [DEPTH]
//! ```
//! Alpha-beta against random moves, against the move that promises most (no search), and against itself at depth 1. Each
//! opening, three stones near the middle, is played twice with seats exchanged. Then: how deep it looks in a second.

use std::error::Error;
use std::time::Duration;

use gamecore::random::{below, generator};
use gamecore::{Game, History, Outcome, Player, Turn};
use games_gomoku::eval::Shapes;
use games_gomoku::{Gomoku, Narrowed, Point, Rule, USUAL};
use search_alphabeta::AlphaBeta;
use search_core::{Agent, ByScore, Limits, RandomAgent};

fn alpha_beta() -> impl Agent<Gomoku> {
    AlphaBeta::new(Shapes)
        .with_order(ByScore(|game: &Narrowed, m: Point| game.promise(m)))
        .with_quiescence(Narrowed::fours)
        .with_reductions()
}

fn main() -> Result<(), Box<dyn Error>> {
    let mut numbers = std::env::args().skip(1).map(|n| n.parse::<u32>());
    let pairs = numbers.next().unwrap_or(Ok(50))?;
    let depth = numbers.next().unwrap_or(Ok(6))?;
    let mut random = RandomAgent(generator(1));
    let mut one_ply = alpha_beta();
    let mut player = alpha_beta();
    let limits = Limits::depth(depth);
    for (name, opponent) in [("random moves", None), ("the most promising move", Some(0)), ("depth 1", Some(1))] {
        let (mut wins, mut draws, mut moves) = (0, 0, 0);
        for pair in 0..pairs {
            let opening = opening(pair.into())?;
            for seat in Player::BOTH {
                let mut history = History::from(opening.clone());
                let outcome = loop {
                    let game = history.state();
                    let m = match game.turn() {
                        Turn::Over(outcome) => break outcome,
                        Turn::Chance(never) => match never {},
                        Turn::Decide(mover) if mover == seat => player.choose(&history, &limits)?.best,
                        Turn::Decide(_) => match opponent {
                            None => random.choose(&history, &limits)?.best,
                            Some(0) => first(&Narrowed::from(game.clone())),
                            Some(plies) => one_ply.choose(&history, &Limits::depth(plies))?.best,
                        },
                    };
                    history.try_play(m.ok_or("no move")?)?;
                    moves += 1;
                };
                wins += u32::from(outcome == Outcome::win(seat));
                draws += u32::from(outcome == Outcome::Draw);
            }
        }
        let games = 2 * pairs;
        println!(
            "depth {depth} against {name}: {wins} won, {draws} drawn, {} lost; {:.0} moves a game",
            games - wins - draws,
            f64::from(moves) / f64::from(games)
        );
    }
    for pair in 0..5 {
        let mut game = opening(pair)?;
        for _ in 0..12 {
            game.play(first(&Narrowed::from(game.clone())).ok_or("no move")?);
        }
        let report = player.choose(&game.clone().into(), &Limits::time(Duration::from_secs(1)))?;
        println!(
            "{game}\n  a second: depth {}, {} k nodes, value {:?}, plays {:?}",
            report.depth,
            report.nodes / 1000,
            report.value,
            report.best.map(|m| game.point_name(m))
        );
    }
    Ok(())
}

/// The first of the short list.
fn first(game: &Narrowed) -> Option<Point> {
    let mut moves = <Narrowed as Game>::Moves::default();
    game.moves(&mut moves);
    moves.first().copied()
}

/// Three stones at random among the middle 5x5.
fn opening(seed: u64) -> Result<Gomoku, Box<dyn Error>> {
    let rng = &mut generator(seed);
    let mut game = Gomoku::start(Rule::Freestyle, USUAL)?;
    while game.board().count() < 3 {
        let point = Point::new(5 + below(rng, 5) as u8, 5 + below(rng, 5) as u8).ok_or("outside")?;
        if game.board().is_empty(point) {
            game.play(point);
        }
    }
    Ok(game)
}

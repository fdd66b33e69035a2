//! Does an opening book help in EinStein würfelt nicht!? Builds one by self-play from the natural set-up and lets the engine with
//! it play the engine without.
//!
//! `cargo run --release -p benches --bin einstein_book [GAMES [DEPTH [PAIRS]]]`: so many games of self-play (1000), in which both
//! sides look so many decisions ahead (6), a third of the moves at random so that the book sees more than one line; each side's
//! first four moves are kept. Then so many pairs of games (400) with 10 ms a move on one thread.

use std::process::ExitCode;
use std::sync::Arc;
use std::time::Duration;

use arena::{Contestant, Pairing, Settings, Tournament};
use engines::einstein::Engine;
use gamecore::random::{below, generator};
use gamecore::{Chance, Game, Turn};
use games_einstein::{Einstein, Rules};
use search_core::{Agent, Analyst, Book, Limits, WithBook};

/// Of each game so many decisions are kept, four of each side.
const DECISIONS: usize = 8;

fn main() -> ExitCode {
    let words: Result<Vec<u64>, _> = std::env::args().skip(1).map(|word| word.parse()).collect();
    let (games, depth, pairs) = match words.as_deref() {
        Ok([]) => (1000, 6, 400),
        Ok(&[games]) => (games, 6, 400),
        Ok(&[games, depth @ 1..=10]) => (games, depth, 400),
        Ok(&[games, depth @ 1..=10, pairs @ 1..=1_000_000]) => (games, depth, pairs),
        _ => {
            eprintln!("usage: einstein_book [GAMES [DEPTH [PAIRS]]], numbers, with a depth of 1 to 10");
            return ExitCode::FAILURE;
        }
    };
    let book = Arc::new(built(games, depth as u32));
    println!("{} positions after {games} games to depth {depth}, {} bytes", book.len(), book.to_bytes().len());

    let limits = || Limits::time(Duration::from_millis(10));
    let rules = Rules::STANDARD;
    let with =
        move || -> Box<dyn Agent<Einstein>> { Box::new(WithBook::new(Arc::clone(&book), Engine::new(rules), 0).best_only()) };
    let without = move || -> Box<dyn Agent<Einstein>> { Box::new(Engine::new(rules)) };
    let players = vec![Contestant::new("book", limits(), with), Contestant::new("no book", limits(), without)];
    let start = move |_: u64, _: &mut dyn rand::Rng| Einstein::start(rules);
    let tournament =
        Tournament::new(Settings::new(pairs, 1), Pairing::RoundRobin, start, players).expect("two players by two names");
    let mut standings = tournament.standings();
    match tournament.play(&mut standings, &mut |_, _| core::ops::ControlFlow::Continue(())) {
        Ok(_) => println!("{standings}"),
        Err(error) => {
            eprintln!("{error}");
            return ExitCode::FAILURE;
        }
    }
    ExitCode::SUCCESS
}

/// A book of what a search finds best in the openings of games against itself.
fn built(games: u64, depth: u32) -> Book<Einstein> {
    let rules = Rules::STANDARD;
    let mut book = Book::symmetric("einstein standard", &Einstein::start(rules));
    let mut engine = Engine::new(rules);
    let mut rng = generator(1);
    for _ in 0..games {
        let mut game = Einstein::start(rules);
        let mut decisions = 0;
        while decisions < DECISIONS {
            match game.turn() {
                Turn::Over(_) => break,
                Turn::Chance(chance) => game.resolve(chance.sample(&mut rng)),
                Turn::Decide(_) => {
                    let best = book.best(&game).unwrap_or_else(|| {
                        let report = engine.analyse(&game, &Limits::depth(depth)).expect("the game is not over");
                        let (best, value) = report.best.zip(report.value).expect("a search has a move and a value");
                        book.add(&game, best, 1, 1, value).expect("the move is legal");
                        best
                    });
                    let m = if below(&mut rng, 3) == 0 { game.random_move(&mut rng) } else { best };
                    game.play(m);
                    decisions += 1;
                }
            }
        }
    }
    book
}

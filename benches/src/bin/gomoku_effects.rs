//! What each part of gomoku's engine is worth: the engine against itself without that part.
//! ```text
//! cargo run --release -p benches --bin gomoku_effects -- [PAIRS] [MS]
//! ```
//! Freestyle on 15x15, one thread, MS milliseconds a move, no variety. Each opening, 3 to 5 stones at random among the middle 7x7, is played
//! twice with seats exchanged. Scores are the whole engine's, with the 95 % interval over pairs.

use std::error::Error;
use std::time::Duration;

use engines::gomoku::{Engine, Part};
use gamecore::random::{below, generator};
use gamecore::{Game, History, Outcome, Player, Turn};
use games_gomoku::{Gomoku, Point, Rule, USUAL};
use search_core::{Agent, Limits};

fn main() -> Result<(), Box<dyn Error>> {
    let mut numbers = std::env::args().skip(1).map(|n| n.parse::<u32>());
    let pairs = numbers.next().unwrap_or(Ok(40))?;
    let limits = Limits::time(Duration::from_millis(numbers.next().unwrap_or(Ok(20))?.into()));
    println!("| without | won | drawn | lost | score |\n| --- | ---: | ---: | ---: | ---: |");
    for part in Part::ALL {
        let mut whole = Engine::new().with_variety(0.0);
        let mut partial = Engine::without(&[part]).with_variety(0.0);
        let (mut won, mut drawn, mut lost) = (0, 0, 0);
        let (mut sum, mut squares) = (0.0, 0.0);
        for pair in 0..pairs {
            let opening = opening(pair.into())?;
            let mut points = 0.0;
            for seat in Player::BOTH {
                match play(&opening, [&mut whole, &mut partial], seat, &limits)? {
                    Outcome::Draw => (drawn, points) = (drawn + 1, points + 0.25),
                    outcome if outcome == Outcome::win(seat) => (won, points) = (won + 1, points + 0.5),
                    Outcome::Win { .. } => lost += 1,
                }
            }
            sum += points;
            squares += points * points;
        }
        let n = f64::from(pairs);
        let mean = sum / n;
        let half_width = 1.96 * ((squares / n - mean * mean).max(0.0) / (n - 1.0).max(1.0)).sqrt();
        println!("| {part:?} | {won} | {drawn} | {lost} | {mean:.2} ± {half_width:.2} |");
    }
    Ok(())
}

/// A game in which the first engine has the seat `seat`.
fn play(opening: &Gomoku, engines: [&mut Engine; 2], seat: Player, limits: &Limits) -> Result<Outcome, Box<dyn Error>> {
    let mut history = History::from(opening.clone());
    let [whole, partial] = engines;
    whole.new_game(1);
    partial.new_game(1);
    loop {
        let report = match history.state().turn() {
            Turn::Over(outcome) => return Ok(outcome),
            Turn::Chance(never) => match never {},
            Turn::Decide(mover) if mover == seat => whole.choose(&history, limits)?,
            Turn::Decide(_) => partial.choose(&history, limits)?,
        };
        history.try_play(report.best.ok_or("no move")?)?;
    }
}

/// 3 to 5 stones near the middle.
fn opening(seed: u64) -> Result<Gomoku, Box<dyn Error>> {
    let rng = &mut generator(seed);
    let mut game = Gomoku::start(Rule::Freestyle, USUAL)?;
    let stones = 3 + below(rng, 3) as u16;
    while game.board().count() < stones {
        let point = Point::new(4 + below(rng, 7) as u8, 4 + below(rng, 7) as u8).ok_or("outside")?;
        if game.board().is_empty(point) {
            game.play(point);
        }
    }
    Ok(game)
}

//! Gomoku's engine against itself.

use core::fmt;
use std::error::Error;

use engines::gomoku::Engine;
use gamecore::random::{below, generator};
use gamecore::{Game, History, Outcome, Player, Turn};
use games_gomoku::{Gomoku, Point, Rule, USUAL};
use search_core::{Agent, Limits};

/// How pairs of games came out for the first of two engines; the display is cells of a table: won, drawn, lost, and the score with its
/// 95 % interval over pairs.
#[derive(Clone, Copy, PartialEq, Default, Debug)]
pub struct Score {
    /// Games won.
    pub won: u32,
    /// Games drawn.
    pub drawn: u32,
    /// Games lost.
    pub lost: u32,
    pairs: f64,
    sum: f64,
    squares: f64,
}

impl fmt::Display for Score {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mean = self.sum / self.pairs;
        let half_width = 1.96 * ((self.squares / self.pairs - mean * mean).max(0.0) / (self.pairs - 1.0).max(1.0)).sqrt();
        write!(f, "{} | {} | {} | {mean:.2} ± {half_width:.2}", self.won, self.drawn, self.lost)
    }
}

/// So many openings, each played twice with seats exchanged.
///
/// # Errors
/// If an engine finds no move.
pub fn duel(pairs: u64, engines: [&mut Engine; 2], limits: &Limits) -> Result<Score, Box<dyn Error>> {
    let [first, second] = engines;
    let mut score = Score::default();
    for pair in 0..pairs {
        let mut points = 0.0;
        for seat in Player::BOTH {
            match game(opening(pair), [first, second], seat, limits)? {
                Outcome::Draw => (score.drawn, points) = (score.drawn + 1, points + 0.25),
                outcome if outcome == Outcome::win(seat) => (score.won, points) = (score.won + 1, points + 0.5),
                Outcome::Win { .. } => score.lost += 1,
            }
        }
        score.pairs += 1.0;
        score.sum += points;
        score.squares += points * points;
    }
    Ok(score)
}

/// A game in which the first engine has the seat `seat`.
fn game(opening: Gomoku, engines: [&mut Engine; 2], seat: Player, limits: &Limits) -> Result<Outcome, Box<dyn Error>> {
    let mut history = History::from(opening);
    let [first, second] = engines;
    first.new_game(1);
    second.new_game(1);
    loop {
        let report = match history.state().turn() {
            Turn::Over(outcome) => return Ok(outcome),
            Turn::Chance(never) => match never {},
            Turn::Decide(mover) if mover == seat => first.choose(&history, limits)?,
            Turn::Decide(_) => second.choose(&history, limits)?,
        };
        history.try_play(report.best.ok_or("no move")?)?;
    }
}

/// 3 to 5 stones at random among the middle 7x7 of a board of 15x15, freestyle.
///
/// # Panics
/// Never: all of that is on the board.
#[must_use]
pub fn opening(seed: u64) -> Gomoku {
    let rng = &mut generator(seed);
    let mut game = Gomoku::start(Rule::Freestyle, USUAL).expect("the usual board");
    let stones = 3 + below(rng, 3) as u16;
    while game.board().count() < stones {
        let point = Point::new(4 + below(rng, 7) as u8, 4 + below(rng, 7) as u8).expect("a point");
        if game.board().is_empty(point) {
            game.play(point);
        }
    }
    game
}

//! Does looking further ahead win games? A depth scan at tic-tac-toe, every depth against every other, then the
//! deepest against random play.
//!
//! Run with `cargo run --release -p arena --example depths -- [pairs] [seed]`.

use std::ops::ControlFlow;

use arena::{Contestant, Settings, play_match, round_robin};
use gamecore::testing::toys::TicTacToe;
use gamecore::{Chance, Game, History, Player, Turn, random::generator};
use rand::Rng;
use search_core::{Agent, AgentError, Limits, RandomAgent, Report, ReportOf};

/// A plain expectimax for any game, which knows nothing but the rules.
struct Lookahead;

impl<G: Game> Agent<G> for Lookahead {
    fn name(&self) -> String {
        "lookahead".into()
    }

    fn choose(&mut self, history: &History<G>, limits: &Limits) -> Result<ReportOf<G>, AgentError> {
        let game = history.state();
        let Turn::Decide(player) = game.turn() else { return Err(AgentError::NothingToDecide) };
        let depth = limits.depth.unwrap_or(1).max(1);
        let best = children(game, depth).max_by(|x, y| gain(player, x.1).total_cmp(&gain(player, y.1)));
        best.map(|(m, value)| Report::of_move(m, Some(value))).ok_or(AgentError::NothingToDecide)
    }
}

/// Every move, and its value for One.
fn children<G: Game>(game: &G, depth: u32) -> impl Iterator<Item = (G::Move, f64)> {
    let mut moves = G::Moves::default();
    game.moves(&mut moves);
    let moves = moves.as_ref().to_vec();
    moves.into_iter().map(move |m| (m, value(&game.after(m), depth - 1)))
}

/// The value of `game` for One, `depth` decisions ahead.
fn value<G: Game>(game: &G, depth: u32) -> f64 {
    match game.turn() {
        Turn::Over(outcome) => f64::from(outcome.points()),
        Turn::Chance(dice) => dice.merged().iter().map(|&(event, p)| p * value(&game.resolved(event), depth)).sum(),
        Turn::Decide(_) if depth == 0 => 0.0,
        Turn::Decide(mover) => {
            let best = children(game, depth).map(|(_, value)| gain(mover, value)).fold(f64::NEG_INFINITY, f64::max);
            gain(mover, best)
        }
    }
}

/// A value for One as a gain of `player`, and back.
fn gain(player: Player, value: f64) -> f64 {
    f64::from(player.sign()) * value
}

/// The board after two random moves: without chance, every pair would be the same otherwise.
fn opening(_pair: u64, rng: &mut dyn Rng) -> TicTacToe {
    let first = TicTacToe::default();
    let second = first.after(first.random_move(rng));
    second.after(second.random_move(rng))
}

fn main() {
    let mut numbers = std::env::args().skip(1).map(|word| word.parse().expect("usage: depths [pairs] [seed]"));
    let settings = Settings::new(numbers.next().unwrap_or(200), numbers.next().unwrap_or(1));

    let mut contestants = Contestant::depths([1, 2, 4, 6], |_| Box::new(Lookahead));
    println!("{}\n", round_robin(&settings, opening, &mut contestants, &mut |_| ControlFlow::Continue(())));

    let (limits, none) = (Limits::depth(6), Limits::default());
    let mut random = RandomAgent(generator(settings.seed));
    let mut progress = |score: &arena::Score| {
        if score.games().is_multiple_of(100) {
            eprintln!("{} games: {:.1} %", score.games(), score.tally().mean() * 100.0);
        }
        ControlFlow::Continue(())
    };
    println!("{}", play_match(&settings, opening, &mut Lookahead, &mut random, &limits, &none, &mut progress));
}

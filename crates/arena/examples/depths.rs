//! Does looking further ahead win games? A depth scan at tic-tac-toe, every depth against every other, then the
//! deepest against random play.
//!
//! Run with `cargo run --release -p arena --example depths -- [pairs] [seed]`.

use std::ops::ControlFlow;

use arena::{Contestant, Pairing, Settings, Standings, Tournament, TournamentError};
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

    fn new_game(&mut self, _seed: u64) {}

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

fn play(tournament: &Tournament<TicTacToe>) -> Result<Standings, TournamentError> {
    let mut standings = tournament.standings();
    tournament.play(&mut standings, &mut |_, standings| {
        if standings.games().is_multiple_of(400) {
            eprintln!("{} games", standings.games());
        }
        ControlFlow::Continue(())
    })?;
    Ok(standings)
}

fn main() -> Result<(), TournamentError> {
    let mut numbers = std::env::args().skip(1).map(|word| word.parse().expect("usage: depths [pairs] [seed]"));
    let settings = Settings::new(numbers.next().unwrap_or(200), numbers.next().unwrap_or(1));
    let depth = |d| Contestant::new(&format!("depth {d}"), Limits::depth(d), || Lookahead);

    let scan = Tournament::new(settings, Pairing::RoundRobin, opening, [1, 2, 4, 6].map(depth).into())?;
    println!("{}\n", play(&scan)?);

    let random = Contestant::new("random", Limits::default(), || RandomAgent(generator(0)));
    let against_random = Tournament::new(settings, Pairing::RoundRobin, opening, vec![depth(6), random])?;
    println!("{}", play(&against_random)?);
    Ok(())
}

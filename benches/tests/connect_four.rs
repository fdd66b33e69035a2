//! Alpha-beta finds what is known about Connect Four.

use benches::games::{Board, ConnectFour, Scaled};
use gamecore::{Deterministic, Evaluator, Game, Outcome, Player, Turn};
use search_alphabeta::AlphaBeta;
use search_core::{Limits, StopReason};

/// The position after these moves: columns, 1 to 7.
fn position(moves: &str) -> ConnectFour {
    let mut game = ConnectFour::start();
    moves.bytes().for_each(|m| game.try_play(m - b'1').expect("a legal column"));
    game
}

/// For the mover: the value, and the plies to the end.
fn solved<G: Deterministic>(game: &G, evaluator: impl Evaluator<G>, mib: usize) -> (i32, Option<u32>) {
    let Turn::Decide(player) = game.turn() else { panic!("{game:?} is over") };
    let mut search = AlphaBeta::new(evaluator).with_table(mib << 20);
    let report = search.search(game, &Limits::default()).expect("not over");
    assert_eq!(report.stop, StopReason::Solved);
    println!("{:?} in {:?}: {} nodes in {:?}", report.value, report.ends_in, report.nodes, report.elapsed);
    ((report.value.expect("a value") as f32 * player.sign()) as i32, report.ends_in)
}

/// Positions of a collection that solvers are tried on (Pons, "Solving Connect 4"), each with its score: how many stones the
/// winner has left when the game ends, 0 for a draw, negative if the mover loses.
#[test]
fn ends_of_games() {
    for (moves, score) in [
        ("2252576253462244111563365343671351441", -1),
        ("7422341735647741166133573473242566", 1),
        ("23163416124767223154467471272416755633", 0),
        ("65214673556155731566316327373221417", -1),
    ] {
        let game = position(moves);
        let (value, ends_in) = solved(&game, Scaled, 16);
        assert_eq!(value, i32::signum(score), "{moves}");
        if let Some(plies) = ends_in {
            // The last stone is the winner's: of its 21 it has put down half of all, rounded up for the first player.
            let stones = moves.len() as u32 + plies;
            let left = 21 - stones.div_ceil(2) as i32 + 1;
            assert_eq!(left, score.abs(), "{moves} ends after {stones} stones");
        }
    }
}

/// With so few columns left that a plain recursion sees every end.
#[test]
fn as_plain_recursion() {
    fn plain(game: &ConnectFour, known: &mut std::collections::HashMap<ConnectFour, i32>) -> i32 {
        let player = match game.turn() {
            Turn::Over(Outcome::Draw) => return 0,
            Turn::Over(outcome) => return outcome.points(),
            Turn::Decide(player) => player,
            Turn::Chance(never) => match never {},
        };
        if let Some(&value) = known.get(game) {
            return value;
        }
        let mut moves = Default::default();
        game.moves(&mut moves);
        let values = moves.iter().map(|&m| plain(&game.after(m), known));
        let value = if player == Player::One { values.max() } else { values.min() }.expect("not over");
        known.insert(*game, value);
        value
    }
    let mut rng = gamecore::random::generator(5);
    let mut seen = [0; 3];
    for _ in 0..400 {
        let mut game = ConnectFour::start();
        let mut played = 0;
        while played < 26
            && let Turn::Decide(_) = game.turn()
        {
            game.play(game.random_move(&mut rng));
            played += 1;
        }
        let Turn::Decide(player) = game.turn() else { continue };
        let truth = plain(&game, &mut Default::default()) * player.sign() as i32;
        assert_eq!(solved(&game, Scaled, 4).0, truth, "{game:?}");
        seen[(truth + 1) as usize] += 1;
    }
    assert!(seen.iter().all(|&n| n > 0) && seen[0] + seen[2] > 40, "{seen:?}");
}

/// Known since 1988 (Allis; Allen): the first player wins in the middle column. Much memory and much patience:
/// `cargo test --release -p benches --test connect_four -- --ignored --nocapture`.
#[test]
#[ignore = "takes very long"]
fn the_middle_column_wins() {
    assert_eq!(solved(&position("4"), Scaled, 4096), (-1, Some(40)));
}

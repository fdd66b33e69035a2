//! Alpha-beta finds what is known about Connect Four.

use benches::games::{Board, ConnectFour};
use gamecore::{Game, Player, Turn};
use search_alphabeta::AlphaBeta;
use search_core::{ByScore, Limits, StopReason};

/// Columns from the middle outwards.
fn central(_: &ConnectFour, column: u8) -> i32 {
    10 - (i32::from(column) - 3).abs()
}

fn solved(moves: &str, mib: usize) -> (f64, Option<u32>) {
    let mut game = ConnectFour::START;
    for m in moves.bytes() {
        game.try_play(m - b'1').expect("a legal column");
    }
    let Turn::Decide(player) = game.turn() else { panic!("{moves} is over") };
    let mut search = AlphaBeta::new(|_: &ConnectFour| 0.0).with_order(ByScore(central)).with_table(mib << 20);
    let report = search.search(&game, &Limits::default()).expect("not over");
    assert_eq!(report.stop, StopReason::Solved);
    eprintln!(
        "{moves}: {:?} in {:?}, {} nodes, depth {}, {:?}",
        report.value, report.ends_in, report.nodes, report.depth, report.elapsed
    );
    (report.value.expect("a value") * f64::from(player.sign()), report.ends_in)
}

#[test]
fn ends() {
    for (moves, score) in [
        ("2252576253462244111563365343671351441", -1),
        ("7422341735647741166133573473242566", 1),
        ("23163416124767223154467471272416755633", 0),
        ("65214673556155731566316327373221417", -1),
    ] {
        let (value, ends_in) = solved(moves, 64);
        eprintln!("{score} {value} {ends_in:?}");
    }
    let _ = Player::One;
}
#[test]
#[ignore]
fn long() {
    solved(&std::env::var("M").unwrap(), 1024);
}

//! The reference data: exact probabilities and mean rolls of an independent program, and gnubg's rounded ones.
//!
//! ```text
//! cargo test --release -p games-backgammon-bearoff --test reference -- --nocapture
//! ```
//! checks `tests/data/bearoff.jsonl`, every third case of the whole set, against the full databases: 15 checkers for one side, 6 for
//! each of two. With `BOARDWRIGHT_CASES=DIR` it then checks the file of that name in that folder (or in `DIR/backgammon`).
//!
//! A case has the checkers of a side on points 1 to 6. The source has more digits of means and distributions than it wrote
//! down: they are rounded to ten.

use std::path::{Path, PathBuf};

use gamecore::{Evaluator, Player};
use games_backgammon::{Backgammon, eval::Baseline};
use games_backgammon_bearoff::{OneSided, Params, TwoSided, WithBearOff};
use serde_json::Value;

#[test]
fn reference() {
    let one = OneSided::build(Params::HOME, 0, |_, _| {});
    let two = TwoSided::build(Params::SMALL, 0, |_, _| {}).unwrap();
    let evaluator = WithBearOff::new(Baseline).with_two_sided(TwoSided::from_bytes(two.as_bytes().to_vec()).unwrap().into());
    let mut files = vec![Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/bearoff.jsonl")];
    if let Some(dir) = std::env::var_os("BOARDWRIGHT_CASES") {
        let dir = PathBuf::from(dir);
        let places = [dir.join("backgammon/bearoff.jsonl"), dir.join("bearoff.jsonl")];
        let found = places.into_iter().find(|path| path.is_file());
        files.push(found.unwrap_or_else(|| panic!("{}: no bearoff.jsonl", dir.display())));
    }
    for file in files {
        let text = std::fs::read_to_string(&file).unwrap_or_else(|e| panic!("{}: {e}", file.display()));
        let (mut one_sided, mut two_sided) = (0, 0);
        for line in text.lines().filter(|line| !line.trim().is_empty()) {
            let case: Value = serde_json::from_str(line).unwrap_or_else(|e| panic!("{e}: {line}"));
            match case["kind"].as_str() {
                Some("one_sided") => {
                    check_one_sided(&case, &one);
                    one_sided += 1;
                }
                Some("two_sided") => {
                    check_two_sided(&case, &two, &evaluator);
                    two_sided += 1;
                }
                _ => panic!("a case of another kind: {line}"),
            }
        }
        println!("{}: {one_sided} of one side, {two_sided} of two", file.display());
        assert!(one_sided > 0 && two_sided > 0, "{}: cases are missing", file.display());
    }
}

fn number(value: &Value) -> f64 {
    value.as_f64().unwrap_or_else(|| panic!("a number, not {value}"))
}

fn list(value: &Value) -> Vec<f64> {
    value.as_array().unwrap_or_else(|| panic!("a list, not {value}")).iter().map(number).collect()
}

fn side(value: &Value) -> Vec<u8> {
    list(value).into_iter().map(|n| n as u8).collect()
}

fn check_one_sided(case: &Value, database: &OneSided) {
    let rolls = database.all_off(&side(&case["x"])).unwrap();
    let mean = number(&case["mean_rolls_exact"]);
    assert!((rolls.mean() - mean).abs() < 1e-9, "{case}: {}", rolls.mean());
    let exact = list(&case["dist_exact"]);
    for (n, p) in exact.iter().enumerate() {
        assert!((rolls.probability(n) - p).abs() < 1e-9, "{case}: {n} rolls: {}", rolls.probability(n));
    }
    assert!(rolls.iter().all(|(n, p)| n < exact.len() || p < 1e-9), "{case}");
    // gnubg's numbers are rounded, and its choice of plays with them.
    for (n, p) in (1..).zip(list(&case["gnubg_dist_1_based"])) {
        assert!((rolls.probability(n) - p).abs() < 1e-4, "{case}: {n} rolls: {}", rolls.probability(n));
    }
}

fn check_two_sided(case: &Value, database: &TwoSided, evaluator: &WithBearOff<Baseline>) {
    let sides = [side(&case["x"]), side(&case["o"])];
    let p = database.wins(&sides[0], &sides[1]).unwrap();
    assert!((p - number(&case["win_prob_exact_cubeless"])).abs() < 1e-9, "{case}: {p}");
    let equity = number(&case["equity_exact_cubeless"]);
    assert!((2.0 * p - 1.0 - equity).abs() < 1e-9, "{case}: {p}");
    assert!((equity - number(&case["gnubg_cubeless_equity"])).abs() < 2e-4, "{case}");
    // The same through the evaluator, from either seat.
    let boards = sides.map(|side| {
        let mut board = [0; 26];
        board[..side.len()].copy_from_slice(&side);
        board[25] = 15 - side.iter().sum::<u8>();
        board
    });
    let game = Backgammon::from_board(boards, Player::One, None).unwrap();
    for (game, equity) in [(game, equity), (game.with_seats_exchanged(), -equity)] {
        let bounds = evaluator.bounds(&game);
        assert_eq!((bounds.low, bounds.high), (evaluator.value(&game), evaluator.value(&game)), "{game}");
        assert!((f64::from(bounds.low) - equity).abs() < 1e-6, "{game}: {bounds:?}, not {equity}");
    }
}

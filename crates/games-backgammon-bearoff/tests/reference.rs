//! The reference data: exact probabilities and mean rolls of an independent program, and gnubg's rounded ones.
//!
//! ```text
//! cargo test --release -p games-backgammon-bearoff --test reference -- --nocapture
//! ```
//! checks `tests/data/bearoff.jsonl`, every third case of the whole set, against the full databases: 15 checkers for one side, 6 for
//! each of two. With `BOARDWRIGHT_CASES=DIR` it then checks the file of that name in that folder (or in `DIR/backgammon`); the files of the
//! rules beside it are those of `games-backgammon`. A wrong case, an unknown file or an empty set fails.
//!
//! A case has the checkers of a side on points 1 to 6. The source has more digits of means and distributions than it wrote
//! down: they are rounded to ten.

use gamecore::testing::json::{float, list, string, unsigned};
use gamecore::testing::{self, CaseFile, Counts, Known};
use gamecore::{Evaluator, Player};
use games_backgammon::{Backgammon, eval::Baseline};
use games_backgammon_bearoff::{OneSided, Params, TwoSided, WithBearOff};
use serde_json::Value;

#[test]
fn reference() {
    let data = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data");
    let databases = Databases::new();
    testing::reference(data.as_ref(), "backgammon", &mut |file, counts| check_file(file, counts, &databases));
}

/// The full ones.
struct Databases {
    one: OneSided,
    two: TwoSided,
    evaluator: WithBearOff<Baseline>,
}

impl Databases {
    fn new() -> Self {
        let one = OneSided::build(Params::HOME, 0, |_, _| {});
        let two = TwoSided::build(Params::SMALL, 0, |_, _| {}).unwrap();
        let copy = TwoSided::from_bytes(two.as_bytes().to_vec()).unwrap();
        Self { one, two, evaluator: WithBearOff::new(Baseline).with_two_sided(copy.into()) }
    }
}

fn check_file(file: &CaseFile, counts: &mut Counts, databases: &Databases) -> Known {
    match &*file.name {
        "bearoff.jsonl" => {}
        // Of the rules.
        "cases.jsonl"
        | "decisions.jsonl"
        | "decisions_tune.jsonl"
        | "movegen.jsonl"
        | "openings.jsonl"
        | "perft.json"
        | "positions_eval.jsonl"
        | "reports.jsonl" => return Known::Elsewhere,
        _ => return Known::Unknown,
    }
    let mut kinds = [0; 2];
    for case in file.cases() {
        match string(&case["kind"]) {
            "one_sided" => {
                check_one_sided(&case, &databases.one);
                kinds[0] += 1;
            }
            "two_sided" => {
                check_two_sided(&case, &databases.two, &databases.evaluator);
                kinds[1] += 1;
            }
            other => panic!("{}: a bear-off of kind {other}", file.name),
        }
    }
    for (kind, cases) in ["one side: mean rolls and distribution", "two sides: exact values"].into_iter().zip(kinds) {
        assert!(cases > 0, "{}: no cases of {kind}", file.name);
        counts.add(kind, cases);
    }
    Known::Checked
}

fn side(value: &Value) -> Vec<u8> {
    list(value).iter().map(|n| unsigned(n) as u8).collect()
}

fn check_one_sided(case: &Value, database: &OneSided) {
    let rolls = database.all_off(&side(&case["x"])).unwrap();
    let mean = float(&case["mean_rolls_exact"]);
    assert!((rolls.mean() - mean).abs() < 1e-9, "{case}: {}", rolls.mean());
    let exact: Vec<f64> = list(&case["dist_exact"]).iter().map(float).collect();
    for (n, p) in exact.iter().enumerate() {
        assert!((rolls.probability(n) - p).abs() < 1e-9, "{case}: {n} rolls: {}", rolls.probability(n));
    }
    assert!(rolls.iter().all(|(n, p)| n < exact.len() || p < 1e-9), "{case}");
    // gnubg's numbers are rounded, and its choice of plays with them.
    for (n, p) in (1..).zip(list(&case["gnubg_dist_1_based"]).iter().map(float)) {
        assert!((rolls.probability(n) - p).abs() < 1e-4, "{case}: {n} rolls: {}", rolls.probability(n));
    }
}

fn check_two_sided(case: &Value, database: &TwoSided, evaluator: &WithBearOff<Baseline>) {
    let sides = [side(&case["x"]), side(&case["o"])];
    let p = database.wins(&sides[0], &sides[1]).unwrap();
    assert!((p - float(&case["win_prob_exact_cubeless"])).abs() < 1e-9, "{case}: {p}");
    let equity = float(&case["equity_exact_cubeless"]);
    assert!((2.0 * p - 1.0 - equity).abs() < 1e-9, "{case}: {p}");
    assert!((equity - float(&case["gnubg_cubeless_equity"])).abs() < 2e-4, "{case}");
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

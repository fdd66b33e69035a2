//! The reference data: rows that win or do not, tactical positions with all their answers, and faults seen in other programs.
//!
//! ```text
//! cargo test --release -p games-connect6 --test reference -- --nocapture
//! ```
//! checks `tests/data` and prints how many cases of each kind it saw, and how long forced wins took to find. With
//! `BOARDWRIGHT_CASES=DIR` it then checks the files of that folder too (those of `DIR/connect6` and `DIR/reports` if there are
//! such): same names, same encodings. A wrong case, an unknown file or an empty set fails.

use std::collections::BTreeSet;
use std::time::{Duration, Instant};

use gamecore::testing::json::{list, seat, string, unsigned};
use gamecore::testing::{self, CaseFile, Counts, Known};
use gamecore::{Game, Outcome, Player, Text, Turn};
use games_connect6::{Connect6, Forced, Point, Rules, Threats, Vcdt, letters, winning};
use serde_json::Value;

#[test]
fn reference() {
    let data = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data");
    let mut times = Vec::new();
    testing::reference(data.as_ref(), "connect6", &mut |file, counts| check_file(file, counts, &mut times));
    times.sort();
    let (median, most) = (times[times.len() / 2], times[times.len() - 1]);
    println!("  all double threats that win were found in {median:?} (median of {}), {most:?} at most", times.len());
}

fn check_file(file: &CaseFile, counts: &mut Counts, times: &mut Vec<Duration>) -> Known {
    for case in file.cases() {
        let kind = match &*file.name {
            "win_check.jsonl" => check_win(&case),
            "tactics.jsonl" => check_tactics(&case, times),
            "cases.jsonl" | "reports.jsonl" if case["kind"] == "connect6" => check_report(&case),
            "cases.jsonl" | "reports.jsonl" => continue,
            _ => return Known::Unknown,
        };
        counts.add(&kind, 1);
    }
    Known::Checked
}

// Reading.

fn point(value: &Value) -> Point {
    Point::new(unsigned(&value[0]) as u8, unsigned(&value[1]) as u8).unwrap_or_else(|| panic!("a point, not {value}"))
}

fn points(value: &Value) -> Vec<Point> {
    list(value).iter().map(point).collect()
}

/// Sets of points, each in ascending order.
fn sets(value: &Value) -> BTreeSet<Vec<Point>> {
    list(value).iter().map(|set| points(set).into_iter().collect::<BTreeSet<_>>().into_iter().collect()).collect()
}

fn pairs(found: &[[Point; 2]]) -> BTreeSet<Vec<Point>> {
    found.iter().map(|pair| pair.to_vec()).collect()
}

/// The stones of both seats, in any order.
fn set_up(case: &Value) -> Connect6 {
    let stones = [("x", Player::One), ("o", Player::Two)];
    let stones = stones.into_iter().flat_map(|(name, player)| points(&case[name]).into_iter().map(move |p| (p, player)));
    Connect6::from_stones(Rules::CONNECT6, stones).unwrap_or_else(|e| panic!("{case}: {e}"))
}

/// The stones of so many turns.
fn played(turns: &Value) -> Connect6 {
    let mut game = Connect6::default();
    for m in list(turns).iter().flat_map(points) {
        game.try_play(m).unwrap_or_else(|e| panic!("{game}: {e}"));
    }
    game
}

// Rows.

fn check_win(case: &Value) -> String {
    let (id, player) = (string(&case["id"]), seat(&case["player"]));
    let after: Connect6 = string(&case["board"]).parse().unwrap_or_else(|e| panic!("{id}: {e}"));
    assert_eq!(u64::from(after.board().size()), unsigned(&case["size"]), "{id}");
    let expected = match (case["win"] == true, case["draw"] == true) {
        (true, _) => Some(Outcome::win(player)),
        (false, true) => Some(Outcome::Draw),
        (false, false) => None,
    };
    assert_eq!(after.outcome(), expected, "{id}");
    assert_eq!(Connect6::parse_position(&after.position_text()), Ok(after.clone()), "{id}");
    // The same by playing the last turn, in either order; a row is complete with the first stone, with the second, or not at all.
    let last = points(&case["last"]);
    let board = after.board();
    let stones: Vec<_> = board.points().filter(|p| !last.contains(p)).filter_map(|p| board.stone(p).map(|s| (p, s))).collect();
    let before = Connect6::study(after.rules(), stones, player, last.len() as u8).unwrap();
    assert_eq!(before.outcome(), None, "{id}: won before the last turn");
    for order in [last.clone(), last.iter().rev().copied().collect()] {
        let mut game = before.clone();
        for m in order {
            if game.outcome().is_none() {
                assert_eq!(game.turn(), Turn::Decide(player), "{id}");
                game.play(m);
            }
        }
        assert_eq!(game.outcome(), expected, "{id}");
        // The full boards of the data have their last turn put by the wrong side.
        if game.board() == board && game.rules().turns().mover(board.count() - 1) == player {
            assert_eq!((game.key(), &game), (after.key(), &after), "{id}");
        }
    }
    // What the windows say of that turn.
    let found = winning(&before.windows(), player, last.len() as u8);
    let single = last.iter().any(|p| found.points.contains(p));
    let pair = found.pairs.iter().any(|pair| pair.iter().all(|p| last.contains(p)));
    assert_eq!(single || pair, case["win"] == true, "{id}");
    format!("rows, {}", string(&case["category"]))
}

// Tactics.

fn check_tactics(case: &Value, times: &mut Vec<Duration>) -> String {
    let (id, kind) = (string(&case["id"]), string(&case["kind"]));
    let game = played(&case["history"]);
    assert_eq!((game.mover(), game.left()), (seat(&case["to_move"]), 2), "{id}");
    assert_eq!(string(&case["board"]).parse(), Ok(game.clone()), "{id}");

    let (own, windows) = (game.mover(), game.windows());
    let wins = winning(&windows, own, 2);
    let threats = Threats::of(&windows, own.other());
    let rows: BTreeSet<Vec<Point>> = threats.rows().iter().map(|row| row.points().to_vec()).collect();
    match kind {
        "six" => {
            assert_eq!(wins.points, points(&case["win_single"]), "{id}");
            assert_eq!(pairs(&wins.pairs), sets(&case["win_pairs"]), "{id}");
            for pair in &wins.pairs {
                let first = game.after(pair[0]);
                assert!(first.outcome().is_none() && first.after(pair[1]).outcome() == Some(Outcome::win(own)), "{id}");
            }
        }
        "block" => {
            assert!(wins.is_empty(), "{id}");
            assert_eq!(rows, sets(&case["threat_cells"]), "{id}");
            assert_eq!(threats.rows().len() as u64, unsigned(&case["opp_threats"]), "{id}");
            assert_eq!(
                threats.blocking_points().into_iter().collect::<BTreeSet<_>>(),
                points(&case["block_single"]).into_iter().collect(),
                "{id}"
            );
            assert_eq!(pairs(&threats.blocking_pairs()), sets(&case["block_pairs"]), "{id}");
            assert_eq!(threats.level(), if threats.blocking_points().is_empty() { 2 } else { 1 }, "{id}");
        }
        "lost" => {
            assert!(wins.is_empty(), "{id}");
            assert_eq!(rows, sets(&case["threat_cells"]), "{id}");
            assert_eq!((threats.level(), threats.blocking_points().len(), threats.blocking_pairs().len()), (3, 0, 0), "{id}");
        }
        "double" => {
            assert!(wins.is_empty(), "{id}");
            let clock = Instant::now();
            let lines = Vcdt::default().with_turns(2).wins(&windows, own).unwrap_or_else(|e| panic!("{id}: {e}"));
            times.push(clock.elapsed());
            assert_eq!(lines.iter().map(|line| line[..2].to_vec()).collect::<BTreeSet<_>>(), sets(&case["win_pairs"]), "{id}");
            let Forced::Win(line) = Vcdt::default().win(&windows, own, 2) else { panic!("{id}: no win") };
            assert!(sets(&case["win_pairs"]).contains(&line[..2]), "{id}: {line:?}");
            let mut quick = Vcdt::default().with_conservative_defence(true);
            let Forced::Win(other) = quick.win(&windows, own, 2) else { panic!("{id}: no win against all answers at once") };
            for line in lines.iter().take(5).chain([&line, &other]) {
                play_out(&game, line);
            }
        }
        other => panic!("{id}: a kind that is not known here: {other}"),
    }
    format!("tactics, {kind}")
}

/// Plays a line by the rules: legal throughout, won by the attacker with the last stone, and never by the defender.
fn play_out(game: &Connect6, line: &[Point]) {
    let mut now = game.clone();
    for &m in line {
        assert_eq!(now.outcome(), None, "{game}: {line:?}");
        if now.mover() != game.mover() {
            assert!(winning(&now.windows(), now.mover(), now.left()).is_empty(), "{game}: the defender wins in {line:?}");
        }
        now.try_play(m).unwrap_or_else(|e| panic!("{game}: {line:?}: {e}"));
    }
    assert_eq!(now.outcome(), Some(Outcome::win(game.mover())), "{game}: {line:?}");
}

// Faults.

fn check_report(case: &Value) -> String {
    let (input, expected, id) = (&case["input"], &case["expected"], string(&case["id"]));
    if let Some(cells) = input.get("cells_xy_0based_top_left") {
        // Letters and numbers of columns and rows.
        let game = Connect6::default();
        for (i, cell) in points(cells).into_iter().enumerate() {
            let name = |kind: &str| string(&expected[kind][i]);
            assert_eq!(
                (letters(cell).as_str(), game.move_text(cell).as_str()),
                (name("sau_letters"), name("sau_letters")),
                "{id}"
            );
            for kind in ["sau_letters", "rows_from_bottom_1based_no_skip", "sgf"] {
                assert_eq!(game.parse_move(name(kind)), Ok(cell), "{id}: {kind}");
            }
            // Another name of Go's is refused or is another point, never this one.
            let go = name("go_style_skip_I");
            if go != name("rows_from_bottom_1based_no_skip") {
                assert_ne!(game.parse_move(go).ok(), Some(cell), "{id}: {go}");
            }
        }
        return "reports".into();
    }
    let game = set_up(input);
    assert_eq!(game.mover(), seat(&input["to_move"]), "{id}");
    let winner = Outcome::win(game.mover());
    if let Some(turns) = input.get("turns") {
        // More than one row, or more than is needed, in one turn: one win, and nothing after it.
        for turn in list(turns) {
            let mut now = game.clone();
            for m in points(turn) {
                match now.outcome() {
                    None => now.play(m),
                    Some(_) => assert!(now.clone().try_play(m).is_err(), "{id}"),
                }
            }
            assert_eq!((now.turn(), winner.points().abs()), (Turn::Over(winner), 1), "{id}: {turn}");
        }
        // Nothing of it is left in the next game.
        assert_eq!(Connect6::default().turn(), Turn::Decide(Player::One), "{id}");
    } else {
        // Both stones of a turn are the same side's.
        assert_eq!(u64::from(game.left()), unsigned(&input["stones_to_play"]), "{id}");
        let found = winning(&game.windows(), game.mover(), game.left());
        assert_eq!((found.points, pairs(&found.pairs)), (points(&expected["win_single"]), sets(&expected["win_pairs"])), "{id}");
        for pair in found.pairs {
            let first = game.after(pair[0]);
            assert_eq!((first.turn(), first.left()), (Turn::Decide(game.mover()), 1), "{id}");
            assert!(winning(&first.windows(), first.mover(), first.left()).points.contains(&pair[1]), "{id}");
            assert_eq!(first.after(pair[1]).outcome(), Some(winner), "{id}");
        }
        assert!(!Threats::of(&game.windows(), game.mover().other()).rows().is_empty(), "{id}");
    }
    "reports".into()
}

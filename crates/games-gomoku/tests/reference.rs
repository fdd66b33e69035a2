//! The reference data: rows that win or do not, tactical positions with all their answers, and faults seen in other programs.
//!
//! ```text
//! cargo test --release -p games-gomoku --test reference -- --nocapture
//! ```
//! checks `tests/data` and prints how many cases of each kind it saw, and how long forced wins took to find. With
//! `BOARDWRIGHT_CASES=DIR` it then checks the files of that folder too (those of `DIR/gomoku` and `DIR/reports` if there are
//! such): same names, same encodings. A wrong case, an unknown file or an empty set fails.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::time::{Duration, Instant};

use gamecore::testing::json::{list, seat, string, unsigned};
use gamecore::testing::{self, CaseFile, Counts, Known};
use gamecore::{Game, Outcome, PlayError, Player, Text, Turn};
use games_gomoku::{Gomoku, Point, Rule};
use lines::{Forced, Vcf, wins_by};
use serde_json::Value;

#[test]
fn reference() {
    let data = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data");
    let mut times = Vec::new();
    testing::reference(data.as_ref(), "gomoku", &mut |file, counts| check_file(file, counts, &mut times));
    times.sort();
    let (median, most) = (times[times.len() / 2], times[times.len() - 1]);
    println!("  a VCF, or its absence, was found in {median:?} (median of {}), {most:?} at most", times.len());
}

fn check_file(file: &CaseFile, counts: &mut Counts, times: &mut Vec<Duration>) -> Known {
    for case in file.cases() {
        let kind = match &*file.name {
            "win_check.jsonl" => check_win(&case),
            "tactics.jsonl" => check_tactics(&case, times),
            "cases.jsonl" | "reports.jsonl" if case["kind"] == "gomoku" => check_report(&case, &file.folder),
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

fn points(value: &Value) -> BTreeSet<Point> {
    list(value).iter().map(point).collect()
}

/// Stones of one seat or more on an empty board.
fn set_up(rule: Rule, size: u8, stones: &[(Point, Player)], mover: Player) -> Gomoku {
    Gomoku::from_stones(rule, size, stones.iter().copied(), mover).unwrap_or_else(|e| panic!("{stones:?}: {e}"))
}

/// The stones in turn, One first.
fn played(rule: Rule, size: u8, moves: &Value) -> Gomoku {
    let mut game = Gomoku::start(rule, size).unwrap();
    for m in list(moves) {
        game.try_play(point(m)).unwrap_or_else(|e| panic!("{game}: {e}"));
    }
    game
}

// Rows.

fn check_win(case: &Value) -> String {
    let (id, size, player) = (string(&case["id"]), unsigned(&case["size"]) as u8, seat(&case["player"]));
    for (rule, won) in [(Rule::Freestyle, "win_freestyle"), (Rule::Standard, "win_exact_five")] {
        let text = format!("{} {} {rule}", string(&case["board"]), ["two", "one"][player.index()]);
        let after: Gomoku = text.parse().unwrap_or_else(|e| panic!("{id}: {e}"));
        assert_eq!(usize::from(after.board().size()), usize::from(size), "{id}");
        let expected = if case[won] == true {
            Some(Outcome::win(player))
        } else {
            // A full board without a row; one that is drawn in one rule set may be won in the other.
            (case["full"] == true).then_some(Outcome::Draw)
        };
        if rule == Rule::Freestyle {
            assert_eq!(case["draw_freestyle"] == true, expected == Some(Outcome::Draw), "{id}");
        }
        assert_eq!(after.outcome(), expected, "{id} {rule}");
        assert_eq!(Gomoku::parse_position(&after.position_text()), Ok(after.clone()), "{id}");

        // The same by playing the last stone.
        let last = point(&case["last"][0]);
        let stones: Vec<_> =
            after.board().points().filter(|&p| p != last).filter_map(|p| after.board().stone(p).map(|s| (p, s))).collect();
        let before = set_up(rule, size, &stones, player);
        assert_eq!(before.outcome(), None, "{id}: won before the last stone");
        assert_eq!(before.after(last), after, "{id}");
        assert_eq!(before.after(last).key(), after.key(), "{id}");
        // What the patterns say of that point.
        assert_eq!(before.patterns().fives(player).contains(last), case[won] == true, "{id} {rule}");
    }
    format!("rows, {}", string(&case["category"]))
}

// Tactics.

fn check_tactics(case: &Value, times: &mut Vec<Duration>) -> String {
    let (id, kind) = (string(&case["id"]), string(&case["kind"]));
    let rule: Rule = string(&case["rule"]).parse().unwrap();
    let game = played(rule, unsigned(&case["size"]) as u8, &case["history"]);
    assert_eq!(game.mover(), seat(&case["to_move"]), "{id}");
    let text = format!("{} {} {rule}", string(&case["board"]), ["one", "two"][game.mover().index()]);
    assert_eq!(text.parse(), Ok(game.clone()), "{id}");

    let (own, patterns) = (game.mover(), game.patterns());
    let mut vcf = Vcf::default().with_stones(14);
    match kind {
        "win1" => {
            let winning: BTreeSet<Point> = list(&case["winning_moves"]).iter().map(|m| point(&m["move"])).collect();
            assert_eq!(patterns.fives(own).iter().collect::<BTreeSet<_>>(), winning, "{id}");
            assert!(winning.iter().all(|&m| game.after(m).outcome() == Some(Outcome::win(own))), "{id}");
        }
        "block1" => {
            assert!(patterns.fives(own).is_empty(), "{id}");
            let fives: BTreeSet<Point> = patterns.fives(own.other()).iter().collect();
            assert_eq!(fives, points(&case["only_moves"]), "{id}");
        }
        "vcf" => {
            let clock = Instant::now();
            let found = vcf.win(&patterns, own);
            times.push(clock.elapsed());
            let Forced::Win(line) = found else { panic!("{id}: {found:?}") };
            assert_eq!(line.len() as u64, unsigned(&case["shortest_vcf_plies"]), "{id}");
            assert!(points(&case["shortest_moves"]).contains(&line[0]), "{id}: {line:?}");
            play_out(&game, &line);
            let all = vcf.wins(&patterns, own).unwrap_or_else(|e| panic!("{id}: {e}"));
            let lengths: BTreeMap<Point, u64> = all.iter().map(|line| (line[0], line.len() as u64)).collect();
            let expected = list(&case["winning_moves"]).iter().map(|m| (point(&m["move"]), unsigned(&m["plies"])));
            assert_eq!(lengths, expected.collect(), "{id}");
            all.iter().for_each(|line| play_out(&game, line));
        }
        "defend" => {
            let threat = vcf.win(&patterns, own.other());
            let Forced::Win(line) = threat else { panic!("{id}: {threat:?}") };
            assert_eq!(line.len() as u64, unsigned(&case["threat_plies"]), "{id}");
            let clock = Instant::now();
            assert_eq!(vcf.win(&patterns, own), Forced::No, "{id}");
            times.push(clock.elapsed());
            let defences = vcf.defences(&patterns, own).unwrap_or_else(|e| panic!("{id}: {e}")).expect("a threat");
            assert_eq!(defences.into_iter().collect::<BTreeSet<_>>(), points(&case["only_moves"]), "{id}");
        }
        other => panic!("{id}: a kind that is not known here: {other}"),
    }
    format!("tactics, {kind}")
}

/// Plays a line of fours by the rules: every attacking move but the last wins at once against any answer but the one in the
/// line, and the last wins.
fn play_out(game: &Gomoku, line: &[Point]) {
    let attacker = game.mover();
    assert!(wins_by(&game.patterns(), attacker, line), "{game}: {line:?}");
    let wins = |g: &Gomoku| -> Vec<Point> {
        g.board().empty_points().filter(|&p| g.after(p).outcome() == Some(Outcome::win(g.mover()))).collect()
    };
    let mut now = game.clone();
    for pair in line.chunks(2) {
        now.try_play(pair[0]).unwrap_or_else(|e| panic!("{game}: {line:?}: {e}"));
        let [_, answer] = pair else { break };
        assert_eq!(wins(&now), [], "{game}: the defender wins in {line:?}");
        for other in now.board().empty_points().filter(|p| p != answer) {
            assert!(!wins(&now.after(other)).is_empty(), "{game}: {other:?} refutes {line:?}");
        }
        now.try_play(*answer).unwrap_or_else(|e| panic!("{game}: {line:?}: {e}"));
    }
    assert_eq!(now.outcome(), Some(Outcome::win(attacker)), "{game}: {line:?}");
}

// Faults.

fn check_report(case: &Value, folder: &Path) -> String {
    let (input, expected, id) = (&case["input"], &case["expected"], string(&case["id"]));
    let rule = |value: &Value| match unsigned(value) {
        0 => Rule::Freestyle,
        1 => Rule::Standard,
        other => panic!("{id}: rule {other}"),
    };
    if let Some(history) = input.get("history") {
        // Threats seen by one side that are none, and the other's that are not seen.
        let game = played(rule(&input["rule"]), unsigned(&input["size"]) as u8, history);
        assert_eq!(game.mover(), seat(&input["to_move"]), "{id}");
        let patterns = game.patterns();
        assert!(patterns.fives(game.mover()).is_empty(), "{id}");
        let fives: BTreeSet<Point> = patterns.fives(game.mover().other()).iter().collect();
        assert_eq!(fives, points(&expected["only_moves"]), "{id}");
    } else if let Some(cases) = input.get("cases") {
        for (field, rule) in [("rule0", Rule::Freestyle), ("rule1", Rule::Standard)] {
            for (joined, words) in list(cases).iter().zip(list(&expected[field])) {
                let stones: Vec<_> = points(&joined["x"]).into_iter().map(|p| (p, Player::One)).collect();
                let game = set_up(rule, unsigned(&input["size"]) as u8, &stones, Player::One);
                let (won, m) = (string(words) == "win", point(&joined["move"]));
                assert_eq!(game.after(m).outcome() == Some(Outcome::win(Player::One)), won, "{id} {rule}: {joined}");
                assert_eq!(game.patterns().fives(Player::One).contains(m), won, "{id} {rule}: {joined}");
                // The same whichever stone comes last, unless the others have won already (five of the six).
                for &(last, _) in &stones {
                    let others = stones.iter().copied().filter(|s| s.0 != last).chain([(m, Player::One)]);
                    let game = set_up(rule, 15, &others.collect::<Vec<_>>(), Player::One);
                    if game.outcome().is_none() {
                        assert_eq!(game.after(last).outcome().is_some(), won, "{id} {rule}: {joined}");
                    }
                }
            }
        }
    } else if let Some(file) = input.get("moves_file") {
        let file = folder.join(string(file));
        let text = std::fs::read_to_string(&file).unwrap_or_else(|e| panic!("{}: {e}", file.display()));
        let file: Value = serde_json::from_str(&text).unwrap();
        let (size, moves) = (unsigned(&file["size"]) as u8, list(&file["moves"]));
        for rule in Rule::ALL {
            if rule == Rule::Renju {
                // Some of these moves are forbidden there.
                continue;
            }
            let before = played(rule, size, &moves[..moves.len() - 1].to_vec().into());
            assert_eq!((before.outcome(), before.turn()), (None, Turn::Decide(Player::One)), "{id}");
            let after = played(rule, size, &moves.clone().into());
            assert_eq!(after.turn(), Turn::Over(Outcome::Draw), "{id}");
            let m = point(&moves[0]);
            assert_eq!(after.clone().try_play(m), Err(PlayError::Over { m }), "{id}");
            assert_eq!(after.board().random_empty(&mut gamecore::random::generator(1)), None, "{id}");
        }
    } else if input.get("api").is_some() {
        // A stone on an occupied point, or outside.
        let mut game = Gomoku::start(Rule::Freestyle, 15).unwrap();
        let middle = Point::new(7, 7).unwrap();
        game.try_play(middle).unwrap();
        for m in [middle, Point::new(15, 3).unwrap(), Point::new(0, 15).unwrap()] {
            let before = game.clone();
            assert_eq!(game.try_play(m), Err(PlayError::Illegal { m }), "{id}");
            assert_eq!(game, before, "{id}");
            assert!(game.parse_move(&format!("{},{}", m.x(), m.y())).is_err(), "{id}");
        }
    } else if input.get("scripts").is_some() {
        return "reports, of the protocol (not checked here)".into();
    } else {
        panic!("{id}: a report of a shape that is not known here");
    }
    "reports".into()
}

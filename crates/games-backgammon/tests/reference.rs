//! The reference data: complete sets of results, node counts, and faults seen in other programs.
//!
//! ```text
//! cargo test --release -p games-backgammon --test reference -- --nocapture
//! BOARDWRIGHT_PERFT=3 cargo test --release -p games-backgammon --test reference -- --nocapture
//! ```
//! checks `tests/data` and prints how many cases of each kind it saw. With `BOARDWRIGHT_CASES=DIR` it then checks the
//! files of that folder too (those of `DIR/backgammon` and `DIR/reports` if there are such): same names, same
//! encodings. A wrong case, an unknown file or an empty set fails.
//!
//! `tests/data` has a share of the whole set: of `movegen.jsonl` the first 14 positions of each of its 16 classes with
//! at most 120 results, every 26th decision, every fifth evaluated position, and all of the rest but the bear-off
//! values (`games-backgammon-bearoff` has a share of those; here they are checked by the rules, without its databases). Node counts are checked to depth 2, to depth 3 with `BOARDWRIGHT_PERFT=3` (29 million positions, told apart
//! by their keys; 1 GB).
//!
//! Positions stand as 26 digits a side, as in `Backgammon::board_text`, the mover's first; results are not turned round.

use std::collections::{BTreeSet, HashMap, HashSet};
use std::hash::BuildHasherDefault;

use gamecore::testing::json::{float, list, string, unsigned};
use gamecore::testing::{self, CaseFile, Counts, Known, moves};
use gamecore::{Evaluator, Event, Game, KeyHasher, Outcome, Player, ROLLS, Roll, Turn};
use games_backgammon::eval::Baseline;
use games_backgammon::formats::{fibs, gnubg, xgid};
use games_backgammon::{Backgammon, Cube, Setup, Throw, notation};
use serde_json::Value;

type Hasher = BuildHasherDefault<KeyHasher>;

#[test]
fn reference() {
    let data = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data");
    testing::reference(data.as_ref(), "backgammon", &mut check_file);
}

fn check_file(file: &CaseFile, counts: &mut Counts) -> Known {
    let name = &*file.name;
    let mut lost = Vec::new();
    let mut count = |kind: &str, n: usize| counts.add(kind, n);
    if name == "perft.json" {
        let set = file.whole();
        let all = list(&set["levels"]).len();
        let depths = check_perft(&set);
        count("perft depths", depths);
        if depths < all {
            count("perft depths left out (BOARDWRIGHT_PERFT=3 checks them)", all - depths);
        }
    } else {
        let (mut solver, mut lone) = (Solver::default(), Lone::default());
        for case in file.cases() {
            match name {
                "movegen.jsonl" => {
                    check_movegen(&case);
                    for class in list(&case["classes"]) {
                        count(&format!("movegen, {}", string(class)), 1);
                    }
                }
                "openings.jsonl" => {
                    check_opening(&case);
                    count("openings: plays and results (equities left out)", 1);
                }
                "decisions.jsonl" | "decisions_tune.jsonl" => {
                    check_decision(&case);
                    lost.extend(points_lost(&case));
                    count("decisions: identifiers, results, and points lost by the baseline", 1);
                }
                "positions_eval.jsonl" => {
                    check_evaluated(&case);
                    count("evaluated positions: identifiers, plays and results (equities left out)", 1);
                }
                "bearoff.jsonl" => match string(&case["kind"]) {
                    "two_sided" => {
                        check_two_sided(&case, &mut solver);
                        count("bear-offs of two sides: exact values", 1);
                    }
                    "one_sided" => {
                        check_one_sided(&case, &mut lone);
                        count("bear-offs of one side: mean rolls and distribution", 1);
                    }
                    other => panic!("bear-off of kind {other}"),
                },
                "cases.jsonl" | "reports.jsonl" => {
                    if case["kind"] == "bg-rules" {
                        check_report(&case);
                        count("reports", 1);
                    }
                }
                _ => return Known::Unknown,
            }
        }
    }
    if !lost.is_empty() {
        let mean = lost.iter().sum::<f64>() / lost.len() as f64;
        println!("{name}: the baseline loses {mean:.4} points a decision");
        // Random plays lose 0.15.
        assert!(mean < 0.06, "{name}: {mean} points a decision");
    }
    Known::Checked
}

// Reading.

fn roll(value: &Value) -> Roll {
    Roll::new(unsigned(&value[0]) as u8, unsigned(&value[1]) as u8)
}

/// The mover is Player One.
fn position(digits: &str, dice: Option<Roll>) -> Backgammon {
    let game: Backgammon = format!("{digits} one").parse().unwrap_or_else(|e| panic!("{digits}: {e}"));
    game.with_dice(dice).unwrap()
}

/// The boards that the plays lead to, seen by the mover.
fn results(game: &Backgammon) -> BTreeSet<String> {
    let list = moves(game);
    let all: BTreeSet<String> = list.iter().map(|&m| result(game, m)).collect();
    assert_eq!(all.len(), list.len(), "{game}: a result twice");
    all
}

fn result(game: &Backgammon, m: games_backgammon::Move) -> String {
    let next = game.after(m);
    // Who moves next does not matter to the board's text.
    if game.mover() == Player::One {
        return next.board_text();
    }
    let text = next.board_text();
    let (one, two) = text.split_once('/').unwrap();
    format!("{two}/{one}")
}

fn strings(value: &Value) -> BTreeSet<String> {
    list(value).iter().map(|v| string(v).to_owned()).collect()
}

// Move lists.

fn check_movegen(case: &Value) {
    let digits = string(&case["p26"]);
    let game = position(digits, Some(roll(&case["dice"])));
    assert_eq!(gnubg::position_id(&game), string(&case["gnubg_id"]), "{digits}");
    for (seat, side) in [(Player::One, "x"), (Player::Two, "o")] {
        let board = game.board(seat);
        let points: Vec<u64> = list(&case["pos"][side]).iter().map(unsigned).collect();
        assert!(points.iter().zip(board).all(|(&n, m)| n == u64::from(m)), "{digits}");
        let [bar, off] = ["bar", "off"].map(|place| unsigned(&case["pos"][format!("{side}{place}")]));
        assert_eq!((bar, off), (u64::from(game.on_bar(seat)), u64::from(game.borne_off(seat))), "{digits}");
    }
    // The same from either seat.
    for game in [game, game.with_seats_exchanged()] {
        assert_eq!(results(&game), strings(&case["results"]), "{game}");
        for m in moves(&game) {
            assert_eq!(m.len() as u64, unsigned(&case["dice_used"]), "{game} {m:?}");
            assert_eq!(notation::parse(&game, &notation::text(&game, m)), Ok(m), "{game}");
        }
        let reached: HashSet<_> = notation::paths(&game).into_iter().map(|path| path.play).collect();
        assert_eq!(reached.len(), moves(&game).len(), "{game}");
    }
}

fn check_opening(case: &Value) {
    let game = Backgammon::start(Setup::Standard);
    let roll = roll(&case["dice"]);
    let game = position(&game.board_text(), Some(roll));
    check_candidates(&game, case, &case["candidates"], 40);
}

/// The source lists `most` plays at most.
fn check_candidates(game: &Backgammon, case: &Value, candidates: &Value, most: usize) {
    let plays = moves(game).into_iter().filter(|m| !m.is_pass()).count();
    assert_eq!(plays.min(most) as u64, unsigned(&case["n_legal"]), "{game}");
    for candidate in list(candidates) {
        let m = notation::parse(game, string(&candidate["move"])).unwrap_or_else(|e| panic!("{game}: {candidate}: {e}"));
        assert_eq!(result(game, m), string(&candidate["result"]), "{game}");
    }
}

fn check_decision(case: &Value) {
    let id = string(&case["gnubg_id"]);
    let game = gnubg::parse(id).unwrap_or_else(|e| panic!("{id}: {e}")).with_dice(Some(roll(&case["dice"]))).unwrap();
    assert_eq!(gnubg::position_id(&game), id);
    let all = results(&game);
    // The source lists 60 plays at most.
    assert_eq!(all.len().min(60) as u64, unsigned(&case["n_legal"]), "{game}");
    for row in list(&case["moves"]) {
        assert!(all.contains(string(&row[0])), "{game}: {row}");
    }
}

/// What the evaluator's choice among the plays with prices loses, by the mean of the two prices.
fn points_lost(case: &Value) -> Option<f64> {
    let game = gnubg::parse(string(&case["gnubg_id"])).unwrap();
    let game = game.with_dice(Some(roll(&case["dice"]))).unwrap();
    let plays: HashMap<String, _> = moves(&game).into_iter().map(|m| (result(&game, m), m)).collect();
    let priced = list(&case["moves"]).iter().map(|row| {
        let price = |i: usize| float(&row[i]);
        (Baseline.after(&game, plays[string(&row[0])]), (price(1) + price(2)) / 2.0)
    });
    let priced: Vec<(f32, f64)> = priced.collect();
    let best = priced.iter().map(|p| p.0).max_by(f32::total_cmp)?;
    // Any of those that look equally good may be chosen; the list has the good ones first.
    let chosen: Vec<f64> = priced.iter().filter(|p| p.0 == best).map(|p| p.1).collect();
    Some(priced.iter().map(|p| p.1).fold(f64::MIN, f64::max) - chosen.iter().sum::<f64>() / chosen.len() as f64)
}

fn check_evaluated(case: &Value) {
    let digits = string(&case["p26"]);
    let game = position(digits, Some(roll(&case["dice"])));
    assert_eq!(gnubg::position_id(&game), string(&case["gnubg_id"]), "{digits}");
    check_candidates(&game, case, &case["moves_0ply"], 60);
    check_candidates(&game, case, &case["moves_2ply"], 60);
}

// Node counts.

/// Checks the depths that are to be checked and returns their number.
fn check_perft(set: &Value) -> usize {
    let deepest = std::env::var("BOARDWRIGHT_PERFT").map_or(2, |n| n.parse().expect("BOARDWRIGHT_PERFT is a depth"));
    let levels = list(&set["levels"]);
    let start = Backgammon::start(Setup::Standard);
    assert_eq!(gnubg::position_id(&start), string(&set["start"]));
    // Any of the 21 rolls may come first. With each position how many lines lead to it, and how many with each order of two dice.
    let first = position(&start.board_text(), None);
    let mut current: HashMap<Backgammon, [u64; 2], Hasher> = HashMap::from_iter([(first, [1, 1])]);
    let mut checked = 0;
    for level in levels.iter().take(deepest) {
        checked += 1;
        assert_eq!(unsigned(&level["depth"]) as usize, checked);
        let last = checked == deepest.min(levels.len());
        let (mut next, mut positions) = (HashMap::<Backgammon, [u64; 2], Hasher>::default(), HashSet::<u64, Hasher>::default());
        let (mut lines, mut weighted, mut passes) = (0, 0, 0);
        let mut buf = <Backgammon as Game>::Moves::default();
        for (game, [count, weight]) in &current {
            for (roll, _) in ROLLS {
                let rolled = game.resolved(Throw::Turn(roll));
                let weight = weight * if roll.is_double() { 1 } else { 2 };
                buf.clear();
                rolled.moves(&mut buf);
                lines += count * buf.len() as u64;
                weighted += weight * buf.len() as u64;
                passes += if buf[0].is_pass() { *count } else { 0 };
                for &m in &buf {
                    let after = rolled.after(m);
                    if last {
                        positions.insert(after.key());
                    } else {
                        let entry = next.entry(after).or_default();
                        *entry = [entry[0] + count, entry[1] + weight];
                    }
                }
            }
        }
        let unique = if last { positions.len() } else { next.len() };
        let fields = ["paths_21rolls", "paths_36weighted", "unique_positions", "no_move_rolls_paths"];
        assert_eq!([lines, weighted, unique as u64, passes], fields.map(|f| unsigned(&level[f])), "depth {checked}");
        current = next;
    }
    assert!(checked > 0, "no depths");
    checked
}

// Bear-offs.

fn home(value: &Value) -> [u8; 26] {
    let mut board = [0; 26];
    for (point, n) in board.iter_mut().zip(list(value)) {
        *point = unsigned(n) as u8;
    }
    board[25] = 15 - board.iter().sum::<u8>();
    board
}

/// The probability that the mover wins, by the rules alone. It ends, as every roll brings checkers closer to home.
#[derive(Default)]
struct Solver(HashMap<Backgammon, f64, Hasher>);

impl Solver {
    fn wins(&mut self, game: &Backgammon) -> f64 {
        if let Some(&value) = self.0.get(game) {
            return value;
        }
        let mover = game.mover();
        let value = ROLLS
            .iter()
            .map(|&(roll, p)| {
                let rolled = game.resolved(Throw::Turn(roll));
                let best = moves(&rolled).into_iter().map(|m| {
                    let next = rolled.after(m);
                    match next.outcome() {
                        Some(outcome) => f64::from(u8::from(outcome.winner() == Some(mover))),
                        None => 1.0 - self.wins(&next),
                    }
                });
                p * best.fold(0.0, f64::max)
            })
            .sum();
        self.0.insert(*game, value);
        value
    }
}

fn check_two_sided(case: &Value, solver: &mut Solver) {
    let game = Backgammon::from_board([home(&case["x"]), home(&case["o"])], Player::One, None).unwrap();
    let expected = float(&case["win_prob_exact_cubeless"]);
    let value = solver.wins(&game);
    assert!((value - expected).abs() < 1e-9, "{game}: {value}, not {expected}");
    assert!((solver.wins(&game.with_seats_exchanged()) - expected).abs() < 1e-9, "{game}: another value for Two");
}

/// The rolls that one side needs, mean and distribution, by its board: by the rules alone, played for the fewest on average
/// while the opponent waits.
#[derive(Default)]
struct Lone(HashMap<[u8; 26], (f64, Vec<f64>)>);

impl Lone {
    fn solve(&mut self, board: [u8; 26]) -> &(f64, Vec<f64>) {
        if !self.0.contains_key(&board) {
            let solved = if board[25] == 15 { (0.0, vec![1.0]) } else { self.best_plays(board) };
            self.0.insert(board, solved);
        }
        &self.0[&board]
    }

    fn best_plays(&mut self, board: [u8; 26]) -> (f64, Vec<f64>) {
        let mut waiting = [0; 26];
        (waiting[0], waiting[25]) = (1, 14);
        let game = Backgammon::from_board([board, waiting], Player::One, None).unwrap();
        let (mut mean, mut distribution) = (1.0, Vec::new());
        for (roll, p) in ROLLS {
            let rolled = game.resolved(Throw::Turn(roll));
            let after = moves(&rolled).into_iter().map(|m| rolled.after(m).board(Player::One));
            let best = after.map(|next| (self.solve(next).0, next)).min_by(|a, b| a.0.total_cmp(&b.0)).unwrap();
            let (rest, rolls) = &self.0[&best.1];
            mean += p * rest;
            distribution.resize(distribution.len().max(rolls.len() + 1), 0.0);
            rolls.iter().zip(&mut distribution[1..]).for_each(|(q, sum)| *sum += p * q);
        }
        (mean, distribution)
    }
}

/// The file has ten digits.
fn check_one_sided(case: &Value, solver: &mut Lone) {
    let mut board = home(&case["x"]);
    let in_play: u8 = board[..25].iter().sum();
    assert_eq!(unsigned(&case["checkers"]), u64::from(in_play));
    let pips: u64 = (1..).zip(&board[..25]).map(|(point, &n)| point * u64::from(n)).sum();
    assert_eq!(unsigned(&case["pips"]), pips);
    board[25] = 15 - in_play;
    let (mean, distribution) = solver.solve(board);
    assert!((mean - float(&case["mean_rolls_exact"])).abs() < 1e-9, "{case}: {mean}");
    let expected = list(&case["dist_exact"]);
    for rolls in 0..expected.len().max(distribution.len()) {
        let [p, q] = [distribution.get(rolls).copied(), expected.get(rolls).map(float)].map(|p| p.unwrap_or(0.0));
        assert!((p - q).abs() < 1e-9, "{case}: {rolls} rolls: {p}, not {q}");
    }
}

// Faults seen elsewhere.

fn check_report(case: &Value) {
    let (input, expected, id) = (&case["input"], &case["expected"], string(&case["id"]));
    let mut checked = 0;
    if let Some(digits) = input.get("p26").and_then(Value::as_str) {
        let game = position(digits, Some(roll(&input["dice"])));
        assert_eq!(gnubg::position_id(&game), string(&input["gnubg_id"]), "{id}");
        if expected.get("results").is_some() {
            assert_eq!(results(&game), strings(&expected["results"]), "{id}");
            assert!(moves(&game).iter().all(|m| m.len() as u64 == unsigned(&expected["dice_used"])), "{id}");
            checked += 1;
        }
        if let Some(first) = expected.get("first_step_forced").and_then(Value::as_str) {
            for path in notation::paths(&game) {
                let step = path.steps[0];
                let name = if step.from == 25 { "bar".into() } else { step.from.to_string() };
                assert_eq!(format!("{name}/{}", step.to), first, "{id}");
                checked += 1;
            }
        }
        let texts = |of: &Value| of.get("parse").map(list).cloned().unwrap_or_default();
        for (text, meaning) in texts(input).iter().zip(&texts(expected)) {
            let (text, meaning) = (string(text), string(meaning));
            let read = notation::parse(&game, text);
            if meaning.len() == 53 {
                let m = read.unwrap_or_else(|e| panic!("{id}: {text}: {e}"));
                assert_eq!(result(&game, m), meaning, "{id}: {text}");
            } else {
                // A part of a play, or an illegal one.
                assert!(read.is_err(), "{id}: {text} is taken for a whole play");
            }
            checked += 1;
        }
        if let Some(text) = input.get("play").and_then(Value::as_str) {
            let m = notation::parse(&game, text).unwrap_or_else(|e| panic!("{id}: {text}: {e}"));
            assert_eq!(result(&game, m), string(&expected["result"]), "{id}");
            assert_eq!(u64::from(game.after(m).on_bar(Player::Two)), unsigned(&expected["enemy_on_bar"]), "{id}");
            let written = notation::text(&game, m);
            assert!(string(&expected["canonical_text"]).starts_with(&written) && written.matches('*').count() == 1, "{id}");
            checked += 1;
        }
    }
    if let Some(digits) = input.get("p26_side_to_move_first").and_then(Value::as_str) {
        let game = position(digits, None);
        let points = unsigned(&expected["multiplier"]) as u16;
        let outcome = Outcome::Win { player: Player::Two, points };
        assert_eq!((game.outcome(), expected["winner"].as_str()), (Some(outcome), Some("opponent")), "{id}");
        assert!(matches!(game.turn(), Turn::Over(o) if o == outcome) && expected["terminal"] == true, "{id}");
        let event: Event<Backgammon> = Throw::Turn(Roll::new(3, 1));
        assert!(game.clone().try_resolve(event).is_err(), "{id}: dice are rolled");
        assert!(game.with_dice(Some(Roll::new(3, 1))).is_err(), "{id}: dice are shown");
        checked += 1;
    }
    if let Some(text) = input.get("xgid").and_then(Value::as_str) {
        check_identifiers(text, expected, id);
        checked += 1;
    }
    if let Some(positions) = input.get("positions") {
        for (position, may) in list(positions).iter().zip(list(&expected["double_legal"])) {
            let game = xgid::parse(string(&position["xgid"])).unwrap_or_else(|e| panic!("{id}: {position}: {e}"));
            assert_eq!(Value::from(game.may_double()), *may, "{id}: {position}");
            assert_eq!(xgid::text(&game), string(&position["xgid"]), "{id}");
            checked += 1;
        }
    }
    assert!(checked > 0, "{id}: a report of a kind that is not understood here");
}

/// An XGID, the Position ID and Match ID of the same position, and what they say.
fn check_identifiers(text: &str, expected: &Value, id: &str) {
    let game = xgid::parse(text).unwrap_or_else(|e| panic!("{id}: {e}"));
    let ids = ["gnubg_position_id", "gnubg_match_id"].map(|field| string(&expected[field]));
    assert_eq!(gnubg::text(&game), ids.join(":"), "{id}");
    assert_eq!(gnubg::parse(&ids.join(":")), Ok(game), "{id}");
    let written = xgid::text(&game);
    assert_eq!(xgid::parse(&written), Ok(game), "{id}");
    assert_eq!(game.board_text(), string(&expected["p26_from_the_player_on_roll"]), "{id}");
    let (stakes, mover) = (game.stakes(), game.mover());
    assert_eq!(u64::from(stakes.cube()), unsigned(&expected["cube"]), "{id}");
    assert_eq!((stakes.owner(), expected["cube_owner"].as_str()), (Cube::Centred, Some("centre")), "{id}");
    assert_eq!((game.dice(), expected["dice"].as_str()), (None, Some("not rolled")), "{id}");
    assert_eq!((stakes.length(), unsigned(&expected["match_length"])), (None, 0), "{id}");
    let score = stakes.score();
    assert_eq!(u64::from(score[mover]), unsigned(&expected["score"]["player on roll"]), "{id}");
    assert_eq!(u64::from(score[mover.other()]), unsigned(&expected["score"]["opponent"]), "{id}");
    let board = fibs::Board { game, names: ["a".into(), "b".into()] };
    assert_eq!(fibs::parse(&fibs::text(&board)), Ok(board), "{id}");
}

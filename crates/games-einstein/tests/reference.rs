//! The reference data: complete move lists, node counts, exact values of endgames, and faults seen in other programs.
//!
//! ```text
//! cargo test --release -p games-einstein --test reference -- --nocapture
//! ```
//! checks `tests/data` and prints how many cases of each kind it saw. With `BOARDWRIGHT_CASES=DIR` it then checks the
//! files of that folder too (those of `DIR/einstein` and `DIR/reports` if there are such): same names, same encodings.
//! A wrong case, an unknown file or an empty set fails. Without `--release` only endgames of at most four stones are
//! solved.

use std::collections::{HashMap, HashSet};
use std::hash::{BuildHasherDefault, Hash};

use gamecore::testing::json::{float, integer, list};
use gamecore::testing::{self, CaseFile, Counts, Known, moves};
use gamecore::{Game, KEY_HORIZON, KeyHasher, Player, Text, Turn};
use games_einstein::{Einstein, Move, Rules, eval, ordering};
use search_core::{ByScore, Window};
use search_expectimax::{Expectimax, Pruning};
use serde_json::Value;

type Hasher = BuildHasherDefault<KeyHasher>;

#[test]
fn reference() {
    let data = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data");
    testing::reference(data.as_ref(), "einstein", &mut check_file);
}

fn check_file(file: &CaseFile, counts: &mut Counts) -> Known {
    let name = &*file.name;
    let mut count = |kind: &str, n: usize| counts.add(kind, n);
    if name == "perft.json" {
        for (rules, set) in file.whole().as_object().expect("rule sets") {
            let layouts = set["layouts"].as_array().expect("layouts");
            count(&format!("{rules} perft depths"), layouts.iter().map(|layout| check_perft(rules, layout)).sum());
        }
    } else {
        for case in file.cases() {
            match name {
                "movegen.jsonl" => {
                    check_moves("standard", &case, &[("moves", "")]);
                    count("standard movegen", 1);
                }
                "movegen_4x4.jsonl" => {
                    check_moves(
                        "4x4",
                        &case,
                        &[("moves_skip", ""), ("moves_free_missing", "+missing"), ("moves_free_nomove", "+nomove")],
                    );
                    count("4x4 movegen", 1);
                }
                "movegen_5x5x9.jsonl" => {
                    check_moves("5x5x9", &case, &[("moves_pass", ""), ("moves_free", "+free")]);
                    count("5x5x9 movegen", 1);
                }
                "exact.jsonl" => {
                    let stones = integer(&case["stones"]) as usize;
                    if stones <= 4 || !cfg!(debug_assertions) {
                        check_exact(&case);
                        count(&format!("exact values, {stones} stones"), 1);
                    } else {
                        count("exact values, too large without --release, board only", 1);
                        position("standard", &case);
                    }
                }
                "cases.jsonl" | "reports.jsonl" => {
                    if case["kind"] == "ewn" {
                        check_report(&case);
                        count("reports", 1);
                    }
                }
                _ => return Known::Unknown,
            }
        }
    }
    Known::Checked
}

// Reading.

fn id(case: &Value) -> String {
    case["id"].as_str().map_or_else(|| case.to_string(), String::from)
}

fn squares(value: &Value) -> Vec<i8> {
    list(value).iter().map(|x| integer(x) as i8).collect()
}

/// Moves as squares from and to, sorted.
fn pairs(value: &Value) -> Vec<[u8; 2]> {
    let mut pairs: Vec<[u8; 2]> = list(value).iter().map(|m| [0, 1].map(|i| integer(&m[i]) as u8)).collect();
    pairs.sort_unstable();
    pairs
}

/// The same for a state's moves; a pass is an empty list.
fn own_pairs(game: &Einstein) -> Vec<[u8; 2]> {
    let list = moves(game);
    if list == [Move::PASS] {
        return Vec::new();
    }
    let mut pairs: Vec<[u8; 2]> = list.iter().map(|m| [m.from().unwrap(), m.to().unwrap()]).collect();
    pairs.sort_unstable();
    assert!(pairs.windows(2).all(|w| w[0] != w[1]), "{game}: a move twice");
    pairs
}

fn seat(value: &Value) -> Player {
    match integer(value) {
        0 => Player::One,
        1 => Player::Two,
        other => panic!("seat {other}"),
    }
}

/// The case's position, from its squares and, if it has one, from its board's text.
fn position(rules: &str, case: &Value) -> Einstein {
    let parsed: Rules = rules.parse().unwrap();
    let die = case.get("die").and_then(Value::as_u64).map(|face| face as u8);
    let mover = seat(&case["stm"]);
    let (one, two) = (squares(&case["p0"]), squares(&case["p1"]));
    let game = Einstein::from_squares(parsed, [&one, &two], mover, die).unwrap_or_else(|e| panic!("{}: {e}", id(case)));
    if let Some(board) = case.get("board").and_then(Value::as_str) {
        assert_eq!(game.board_text(), board, "{}", id(case));
        let die = die.map_or("-".into(), |face| face.to_string());
        let text = format!("{board} {} {die} {rules}", ["one", "two"][mover.index()]);
        assert_eq!(text.parse(), Ok(game), "{}", id(case));
        assert_eq!(Einstein::parse_position(&game.position_text()), Ok(game), "{}", id(case));
    }
    game
}

// Move lists.

fn check_moves(rules: &str, case: &Value, lists: &[(&str, &str)]) {
    let missing_or_blocked = |status: &str| matches!(status, "missing" | "free");
    for (field, option) in lists {
        let expected = pairs(&case[*field]);
        for ending in if rules == "standard" { &[""][..] } else { &["", "+capture-all"] } {
            let game = position(&format!("{rules}{option}{ending}"), case);
            assert_eq!(own_pairs(&game), expected, "{} under {}", id(case), game.rules());
            if let Some(status) = case.get("status").and_then(Value::as_str) {
                let missing = game.square_of(game.mover(), game.die().unwrap()).is_none();
                assert_eq!(missing, missing_or_blocked(status), "{}", id(case));
            }
            for m in moves(&game) {
                let text = game.move_text(m);
                assert_eq!(game.parse_move(&text), Ok(m), "{}", id(case));
            }
        }
    }
    if let Some(actions) = case.get("openspiel_actions") {
        check_actions(&position(rules, case), actions, &id(case));
    }
}

/// `OpenSpiel`'s numbers of the same moves.
fn check_actions(game: &Einstein, actions: &Value, id: &str) {
    const DIRECTIONS: [(i64, i64); 6] = [(1, 1), (1, 0), (0, 1), (-1, 0), (-1, -1), (0, -1)];
    let mut expected: Vec<i64> = list(actions).iter().map(integer).collect();
    let mut own: Vec<i64> = moves(game)
        .into_iter()
        .map(|m| {
            let [from, to] = [m.from().unwrap(), m.to().unwrap()].map(i64::from);
            let offset = (to / 5 - from / 5, to % 5 - from % 5);
            let direction = DIRECTIONS.iter().position(|&d| d == offset).expect("a direction") as i64;
            (from * 6 + direction) * 2 + i64::from(game.stone_on(to as u8).is_some())
        })
        .collect();
    expected.sort_unstable();
    own.sort_unstable();
    assert_eq!(own, expected, "{id}");
}

// Node counts.

/// Counts after exactly so many turns: sequences, positions, sequences won, positions won, sequences that end with a pass.
type Row = [u64; 5];

/// Checks all depths of a layout and returns their number.
fn check_perft(rules: &str, layout: &Value) -> usize {
    let option = match layout.get("policy").and_then(Value::as_str) {
        None | Some("skip" | "pass") => "",
        Some("free_missing") => "+missing",
        Some("free_nomove") => "+nomove",
        Some("free") => "+free",
        Some(other) => panic!("policy {other}"),
    };
    let start = position(&format!("{rules}{option}"), layout);
    let what = format!("{rules}{option} {}", layout["name"]);
    let depths = list(&layout["perft"]);
    // Turns used up differ between lines of equal length only in what the counts leave out.
    let rows = perft(start, depths.len());
    for (i, (row, expected)) in rows.iter().zip(depths).enumerate() {
        let fields = ["sequences", "positions", "wins", "win_positions", "passes"];
        assert_eq!(integer(&expected["depth"]) as usize, i + 1, "{what}");
        assert_eq!(*row, fields.map(|f| integer(&expected[f]) as u64), "{what}, depth {}", i + 1);
        if row[0] < 400_000 {
            assert_eq!(sequences(&start, i + 1), row[0], "{what}, depth {}", i + 1);
        }
    }
    assert!(!depths.is_empty(), "{what}: no depths");
    depths.len()
}

/// Over distinct positions, each with the number of sequences that lead to it.
fn perft(start: Einstein, depth: usize) -> Vec<Row> {
    let mut rows = Vec::new();
    let mut current: HashMap<Einstein, u64, Hasher> = HashMap::from_iter([(start, 1)]);
    for _ in 0..depth {
        let (mut next, mut passes) = (HashMap::<Einstein, u64, Hasher>::default(), 0);
        for (game, count) in &current {
            for face in 1..=6 {
                let rolled = game.resolved(face);
                for m in moves(&rolled) {
                    *next.entry(rolled.after(m)).or_default() += count;
                    passes += if m.is_pass() { *count } else { 0 };
                }
            }
        }
        let won: Vec<u64> = next.iter().filter(|(g, _)| g.outcome().is_some()).map(|(_, n)| *n).collect();
        rows.push([next.values().sum(), next.len() as u64, won.iter().sum(), won.len() as u64, passes]);
        next.retain(|game, _| game.outcome().is_none());
        current = next;
    }
    rows
}

/// One by one.
fn sequences(game: &Einstein, depth: usize) -> u64 {
    if depth == 0 {
        return 1;
    }
    if game.outcome().is_some() {
        return 0;
    }
    let rolled = (1..=6).map(|face| game.resolved(face));
    rolled.flat_map(|g| moves(&g).into_iter().map(move |m| g.after(m))).map(|g| sequences(&g, depth - 1)).sum()
}

// Exact values.

/// What solves a standard endgame: points for One, of a state with its die rolled or not.
type Solver = Box<dyn FnMut(&Einstein) -> f64>;

/// Every solver that is to give the exact values, with its name.
struct Solvers(Vec<(&'static str, Solver)>);

impl Solvers {
    fn new() -> Self {
        let mut table = Table::default();
        let mut search =
            Expectimax::new(eval::Distance).with_order(ByScore(ordering)).with_pruning(Pruning::Star2).with_table(1 << 23);
        Self(vec![
            ("plain recursion", Box::new(move |g| solve(g, &mut table))),
            // No game is longer, so no leaf is ever guessed.
            ("Star2 to the end", Box::new(move |g| search.value(g, KEY_HORIZON, Window::OPEN).0)),
        ])
    }

    /// The probability that the seat to move wins, checked to be what every solver says.
    fn check(&mut self, game: &Einstein, expected: f64, what: &str) {
        for (name, solver) in &mut self.0 {
            let value = 0.5 + 0.5 * f64::from(game.mover().sign()) * solver(game);
            assert!((value - expected).abs() < 1e-9, "{what}: {name} finds {value}, not {expected}, in {game}");
        }
    }

    /// Checks that these are all best moves, by every solver.
    fn check_best(&mut self, game: &Einstein, expected: &[[u8; 2]], what: &str) {
        for (name, solver) in &mut self.0 {
            let sign = f64::from(game.mover().sign());
            let values: Vec<(Move, f64)> = moves(game).into_iter().map(|m| (m, sign * solver(&game.after(m)))).collect();
            let best = values.iter().map(|v| v.1).fold(f64::MIN, f64::max);
            let best = values.iter().filter(|v| v.1 > best - 1e-11).map(|(m, _)| [m.from().unwrap(), m.to().unwrap()]);
            let mut best: Vec<_> = best.collect();
            best.sort_unstable();
            assert_eq!(best, expected, "{what}: {name} in {game}");
        }
    }
}

/// A table of states with a die to roll.
type Table = HashMap<Keyed, f64, Hasher>;

/// A state that is hashed by its key.
#[derive(PartialEq, Eq)]
struct Keyed(Einstein);

impl Hash for Keyed {
    fn hash<H: std::hash::Hasher>(&self, hasher: &mut H) {
        hasher.write_u64(self.0.key());
    }
}

/// The obvious way. It ends, as every move of the standard game brings a stone closer to its goal.
fn solve(game: &Einstein, table: &mut Table) -> f64 {
    match game.turn() {
        Turn::Over(outcome) => f64::from(outcome.points()),
        Turn::Decide(mover) => {
            let (sign, mut list) = (f64::from(mover.sign()), <Einstein as Game>::Moves::new());
            game.moves(&mut list);
            sign * list.into_iter().map(|m| sign * solve(&game.after(m), table)).fold(f64::MIN, f64::max)
        }
        Turn::Chance(_) => {
            if let Some(&value) = table.get(&Keyed(*game)) {
                return value;
            }
            let value = (1..=6).map(|face| solve(&game.resolved(face), table)).sum::<f64>() / 6.0;
            table.insert(Keyed(*game), value);
            value
        }
    }
}

fn check_exact(case: &Value) {
    let (game, id, mut solvers) = (position("standard", case), id(case), Solvers::new());
    solvers.check(&game, float(&case["value"]), &id);
    let (values, best) = (list(&case["per_die"]), list(&case["best"]));
    assert!(values.len() == 6 && best.len() == 6, "{id}: six faces");
    for (face, (value, best)) in (1..).zip(values.iter().zip(best)) {
        let rolled = game.resolved(face);
        solvers.check(&rolled, float(value), &id);
        solvers.check_best(&rolled, &pairs(best), &id);
    }
    assert!((values.iter().map(float).sum::<f64>() / 6.0 - float(&case["value"])).abs() < 1e-9, "{id}: not the mean");
}

// Faults seen elsewhere.

fn check_report(case: &Value) {
    let (input, expected, id) = (&case["input"], &case["expected"], id(case));
    let rules = input.get("rules").and_then(Value::as_str).unwrap_or("standard");
    let mut solvers = Solvers::new();
    let mut checked = 0;
    if let Some(states) = input.get("states") {
        let values = list(&expected["values_for_the_side_to_move"]);
        let mut games = Vec::new();
        for state in list(states) {
            let mut full = input.clone();
            full["stm"] = state["stm"].clone();
            full["die"] = state.get("die").cloned().unwrap_or(Value::Null);
            games.push(position(rules, &full));
        }
        assert_eq!(games.len(), values.len(), "{id}");
        // One table, in either order.
        for (game, value) in games.iter().zip(values).rev().chain(games.iter().zip(values)) {
            solvers.check(game, float(value), &id);
            checked += 1;
        }
        let keys: HashSet<u64> = games.iter().map(Game::key).collect();
        assert_eq!(keys.len(), games.len(), "{id}: states share a key");
    } else {
        let game = position(rules, input);
        if let Some(value) = expected.get("value") {
            solvers.check(&game, float(value), &id);
            checked += 1;
        }
        if let Some(values) = expected.get("per_die") {
            let values = list(values);
            assert_eq!(values.len(), 6, "{id}: six faces");
            for (face, value) in (1..).zip(values) {
                solvers.check(&game.resolved(face), float(value), &id);
                checked += 1;
            }
            // The faces lead to different lists of moves, and merging adds up their probabilities.
            let Turn::Chance(die) = game.turn() else { panic!("{id}: no die is to be rolled") };
            let merged: f64 =
                gamecore::Chance::merged(&die).iter().map(|&(face, p)| p * float(&values[usize::from(face) - 1])).sum();
            let mean = values.iter().map(float).sum::<f64>() / 6.0;
            assert!((merged - mean).abs() < 1e-9, "{id}: merged {merged}, all faces {mean}");
        }
        if let Some(best) = expected.get("best_by_die") {
            for (face, best) in (1..).zip(list(best)) {
                solvers.check_best(&game.resolved(face), &pairs(best), &id);
                checked += 1;
            }
        }
        if let Some(best) = expected.get("best") {
            solvers.check_best(&game, &pairs(best), &id);
            checked += 1;
        }
    }
    assert!(checked > 0, "{id}: a report of a kind that is not understood here");
}

//! The gomoku engine on tactical positions, on its limits, and against weaker ones.

use std::collections::BTreeSet;
use std::path::Path;
use std::time::Duration;

use engines::gomoku::{Engine, Level};
use gamecore::{Game, History, Outcome, Player, Turn};
use games_gomoku::{Gomoku, Point, Rule, USUAL};
use lines::wins_by;
use search_core::{Agent, Analyst, Bound, Limits, SearchError, StopFlag, StopReason};
use serde_json::Value;

fn point(value: &Value) -> Point {
    let of = |i: usize| value[i].as_u64().unwrap() as u8;
    Point::new(of(0), of(1)).unwrap()
}

fn points(value: &Value) -> BTreeSet<Point> {
    value.as_array().unwrap().iter().map(point).collect()
}

fn played(size: u64, moves: &Value) -> History<Gomoku> {
    let mut history = History::from(Gomoku::start(Rule::Freestyle, size as u8).unwrap());
    for m in moves.as_array().unwrap() {
        history.try_play(point(m)).unwrap();
    }
    history
}

/// Every position of the reference data: a five is made, a five is stopped, a win by fours is found and proven, and against the
/// opponent's only moves that prevent it are played.
#[test]
fn tactics_are_solved() {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../games-gomoku/tests/data/tactics.jsonl");
    let mut engine = Engine::new().with_table(1 << 20);
    let mut seen = [0; 4];
    for line in std::fs::read_to_string(file).unwrap().lines() {
        let case: Value = serde_json::from_str(line).unwrap();
        let history = played(case["size"].as_u64().unwrap(), &case["history"]);
        let (game, id) = (history.state(), &case["id"]);
        engine.new_game(1);
        let report = engine.choose(&history, &Limits::nodes(40_000)).unwrap();
        let best = report.best.unwrap();
        let kind = ["win1", "block1", "vcf", "defend"].iter().position(|&kind| case["kind"] == kind).unwrap();
        seen[kind] += 1;
        match kind {
            0 => assert_eq!(game.after(best).outcome(), Some(Outcome::win(game.mover())), "{id}"),
            1 => assert!(points(&case["only_moves"]).contains(&best), "{id}: {best:?}"),
            2 => {
                // Proven, by a line that holds whatever the opponent does.
                assert_eq!(report.value, Some(game.mover().sign().into()), "{id}");
                let found = report.best_line().unwrap();
                let rest = found.line.iter().map(|step| match step {
                    gamecore::Step::Move(m) => *m,
                    gamecore::Step::Chance(never) => match *never {},
                });
                let proof: Vec<Point> = [best].into_iter().chain(rest).collect();
                assert!(wins_by(&game.patterns(), game.mover(), &proof), "{id}: {proof:?}");
                assert_eq!(report.ends_in, Some(proof.len() as u32), "{id}");
                assert!(proof.len() as u64 <= case["shortest_vcf_plies"].as_u64().unwrap(), "{id}");
            }
            _ => assert!(points(&case["only_moves"]).contains(&best), "{id}: {best:?}"),
        }
    }
    assert!(seen.iter().all(|&n| n > 0), "{seen:?}");
}

/// Whatever is asked, the answer is a legal move, and comes in time.
#[test]
fn limits_are_kept() {
    let mut engine = Engine::new().with_table(1 << 20);
    // Nobody wins by force.
    let game: Gomoku = "15/15/15/15/15/6o8/6xx7/7o7/15/15/15/15/15/15/15 one".parse().unwrap();
    // The clock is what ends it, or the flag; how long that takes is for whoever has the machine to himself.
    for ms in [0, 1, 5, 30] {
        let report = engine.choose(&game.clone().into(), &Limits::time(Duration::from_millis(ms))).unwrap();
        assert!(game.board().is_empty(report.best.unwrap()) && report.stop == StopReason::Time, "{ms}: {report:?}");
    }
    let stop = StopFlag::default();
    stop.raise();
    let report = engine.choose(&game.clone().into(), &Limits::default().and_stop(stop)).unwrap();
    assert!(game.board().is_empty(report.best.unwrap()) && report.stop == StopReason::Stopped);
    // The solvers look at no more than a first look's positions, whatever they find, and the search at one after another.
    assert!(report.nodes < 2000, "{}", report.nodes);
    for nodes in [1, 100, 10_000] {
        let report = engine.choose(&game.clone().into(), &Limits::nodes(nodes)).unwrap();
        // The solvers' first looks are short, but never left out.
        assert!(report.nodes <= nodes + 2000, "{nodes}: {}", report.nodes);
    }
    // As deep as it ever looks, on a thread with a usual stack.
    let small: Gomoku = "7/7/2x4/3ox2/2o4/7/7 one".parse().unwrap();
    engine.choose(&small.into(), &Limits::nodes(50_000)).unwrap();
    let over: Gomoku = "xxxxx/5/5/5/5 two".parse().unwrap();
    assert_eq!(engine.analyse(&over, &Limits::depth(1)).err(), Some(SearchError::Over));
}

#[test]
fn the_same_seed_and_limits_bring_the_same_game_and_others_another() {
    let play = |engine: &mut Engine, seed| {
        let mut history = History::from(Gomoku::start(Rule::Freestyle, USUAL).unwrap());
        engine.new_game(seed);
        for _ in 0..10 {
            let best = engine.choose(&history, &Limits::nodes(3000)).unwrap().best.unwrap();
            history.try_play(best).unwrap();
        }
        history.state().clone()
    };
    let mut engine = Engine::new().with_table(1 << 20);
    let games: BTreeSet<String> = (0..8).map(|seed| play(&mut engine, seed).to_string()).collect();
    assert!(games.len() > 1, "eight games are all the same");
    assert_eq!(play(&mut engine, 3), play(&mut Engine::new().with_table(1 << 20), 3));
    let mut plain = Engine::new().with_table(1 << 20).with_variety(0.0);
    assert_eq!(play(&mut plain, 1), play(&mut plain, 2));
}

#[test]
fn several_lines_are_exact_and_the_best_comes_out() {
    let game: Gomoku = "15/15/15/15/15/6o8/6xx7/7o7/15/15/15/15/15/15/15 one".parse().unwrap();
    let mut engine = Engine::new().with_table(1 << 20).with_variety(0.0).with_lines(3);
    let report = engine.choose(&game.clone().into(), &Limits::depth(4)).unwrap();
    let exact = report.moves.iter().filter(|line| line.bound == Bound::Exact).count();
    assert!(exact >= 3, "{exact}");
    let best = report.moves.iter().map(|line| line.value).fold(f64::NEG_INFINITY, f64::max);
    assert_eq!(report.value, Some(best));
    let report = engine.analyse(&game, &Limits::depth(2)).unwrap();
    assert!(report.moves.iter().all(|line| line.bound == Bound::Exact) && report.moves.len() > 10);
}

/// Every rule set and size is played to its end, without proofs and with.
#[test]
fn every_rule_set_is_played() {
    for (rule, size) in [(Rule::Freestyle, 20), (Rule::Standard, 15), (Rule::Renju, 15), (Rule::Caro, 15), (Rule::Freestyle, 5)] {
        let mut history = History::from(Gomoku::start(rule, size).unwrap());
        let mut engine = Engine::new().with_table(1 << 20);
        engine.new_game(5);
        while let Turn::Decide(_) = history.state().turn() {
            let report = engine.choose(&history, &Limits::nodes(300)).unwrap();
            history.try_play(report.best.unwrap()).unwrap_or_else(|e| panic!("{rule}: {e}"));
        }
    }
}

/// A win that takes open threes is found too, and shown as one.
#[test]
fn a_double_three_is_played() {
    let game: Gomoku = "15/15/15/15/15/7x7/7x7/5xx8/15/9o5/4o4o5/10o4/15/15/15 one".parse().unwrap();
    let report = Engine::new().with_table(1 << 20).choose(&game.clone().into(), &Limits::nodes(20_000)).unwrap();
    assert_eq!((report.value, report.stop), (Some(1.0), StopReason::Solved));
}

/// Every level up to the fourth beats the one below.
#[test]
fn levels_are_in_order() {
    for pair in Level::all().take(4).collect::<Vec<_>>().windows(2) {
        let mut score = 0.0;
        for seed in 0..8 {
            let mut agents = [pair[1].agent(seed), pair[0].agent(seed + 100)];
            let mut history = History::from(Gomoku::start(Rule::Freestyle, USUAL).unwrap());
            let strong = if seed % 2 == 0 { Player::One } else { Player::Two };
            let outcome = loop {
                let at = match history.state().turn() {
                    Turn::Over(outcome) => break outcome,
                    Turn::Decide(player) => usize::from(player != strong),
                    Turn::Chance(never) => match never {},
                };
                let limits = [pair[1], pair[0]][at].limits();
                history.try_play(agents[at].choose(&history, &limits).unwrap().best.unwrap()).unwrap();
            };
            score += if outcome == Outcome::win(strong) {
                1.0
            } else if outcome == Outcome::Draw {
                0.5
            } else {
                0.0
            };
        }
        assert!(score > 4.0, "level {} against {}: {score} of 8", pair[1], pair[0]);
    }
}

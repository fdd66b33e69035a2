//! The Connect6 engine on tactical positions, on its limits, with threads, and without its parts.

use std::collections::BTreeSet;
use std::path::Path;

use engines::connect6::{Algorithm, Engine, Part};
use gamecore::testing::json::{list, string, unsigned};
use gamecore::{Game, History, Outcome, Player, Step, Turn, random};
use games_connect6::{Connect6, Point, winning};
use search_core::{Agent, Analyst, Limits, ReportOf, SearchError, StopFlag, StopReason};
use serde_json::Value;

fn point(value: &Value) -> Point {
    Point::new(unsigned(&value[0]) as u8, unsigned(&value[1]) as u8).unwrap()
}

fn points(value: &Value) -> BTreeSet<Point> {
    list(value).iter().map(point).collect()
}

fn sets(value: &Value) -> Vec<BTreeSet<Point>> {
    list(value).iter().map(points).collect()
}

/// A position of the reference data, and how its answers are called there.
struct Case {
    kind: String,
    id: String,
    history: History<Connect6>,
    data: Value,
}

fn cases() -> Vec<Case> {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../games-connect6/tests/data/tactics.jsonl");
    let cases = std::fs::read_to_string(file).unwrap();
    let case = |line: &str| {
        let data: Value = serde_json::from_str(line).unwrap();
        let mut history = History::from(Connect6::default());
        for m in list(&data["history"]).iter().flat_map(list) {
            history.try_play(point(m)).unwrap();
        }
        Case { kind: string(&data["kind"]).into(), id: string(&data["id"]).into(), history, data }
    };
    cases.lines().map(case).collect()
}

/// The stones of a turn, the report on the first of them, and what comes of it.
fn turn(engine: &mut Engine, start: &History<Connect6>, limits: &Limits) -> (BTreeSet<Point>, ReportOf<Connect6>, Connect6) {
    let (mut history, mover) = (start.clone(), start.state().mover());
    let first = engine.choose(&history, limits).unwrap();
    history.try_play(first.best.unwrap()).unwrap();
    let mut stones = BTreeSet::from([first.best.unwrap()]);
    while history.state().outcome().is_none() && history.state().mover() == mover {
        let m = engine.choose(&history, limits).unwrap().best.unwrap();
        history.try_play(m).unwrap();
        stones.insert(m);
    }
    (stones, first, history.state().clone())
}

/// Every position of the reference data: a row is completed, threats are stopped, a lost position is known to be lost, and a win by
/// double threats is found and shown.
fn solves_all(engine: &mut Engine, limits: &Limits) {
    let mut seen = [0; 4];
    for Case { kind, id, history, data } in cases() {
        engine.new_game(1);
        let mover = history.state().mover();
        let (stones, report, after) = turn(engine, &history, limits);
        let (won, lost) = (Some(f64::from(mover.sign())), Some(f64::from(-mover.sign())));
        let at = ["six", "block", "lost", "double"].iter().position(|&known| known == kind).unwrap();
        seen[at] += 1;
        match at {
            0 => {
                assert_eq!((after.outcome(), report.value), (Some(Outcome::win(mover)), won), "{id}: {stones:?}");
                assert_eq!(report.ends_in, Some(stones.len() as u32), "{id}");
            }
            1 => {
                let enough = points(&data["block_single"]).iter().any(|point| stones.contains(point));
                assert!(enough || sets(&data["block_pairs"]).contains(&stones), "{id}: {stones:?}");
                assert!(winning(&after.windows(), mover.other(), 2).is_empty(), "{id}: {stones:?}");
            }
            2 => assert_eq!((after.outcome(), report.value), (None, lost), "{id}"),
            _ => {
                assert_eq!(report.value, won, "{id}");
                assert!(sets(&data["win_pairs"]).contains(&stones), "{id}: {stones:?}");
                let line = report.best_line().unwrap();
                let mut end = history.state().after(line.m);
                for &step in &line.line {
                    let Step::Move(m) = step;
                    end.try_play(m).unwrap();
                }
                assert_eq!(end.outcome(), Some(Outcome::win(mover)), "{id}: {line:?}");
                assert_eq!(report.ends_in, Some(1 + line.line.len() as u32), "{id}");
            }
        }
    }
    assert!(seen.iter().all(|&n| n > 10), "{seen:?}");
}

#[test]
fn tactics_are_solved() {
    for algorithm in Algorithm::ALL {
        solves_all(&mut Engine::new().with_table(1 << 20).with_algorithm(algorithm), &Limits::nodes(2_000));
    }
}

/// More threads find no other truth.
#[test]
fn tactics_are_solved_by_two_threads() {
    for algorithm in Algorithm::ALL {
        let engine = Engine::new().with_table(1 << 20).with_algorithm(algorithm);
        solves_all(&mut engine.with_threads(2), &Limits::nodes(4_000));
    }
}

/// Two stones each, and nothing decided.
fn quiet() -> History<Connect6> {
    let mut history = History::from(Connect6::default());
    for (x, y) in [(9, 9), (10, 8), (10, 10), (8, 8), (7, 9)] {
        history.try_play(Point::new(x, y).unwrap()).unwrap();
    }
    history
}

/// Positions that take long: some with threats, some without.
fn positions() -> Vec<History<Connect6>> {
    cases().into_iter().filter(|case| case.kind == "block").take(8).map(|case| case.history).chain([quiet()]).collect()
}

/// A game of several threads has legal stones to its end.
#[test]
fn two_threads_play_to_the_end() {
    for algorithm in Algorithm::ALL {
        let mut engine = Engine::new().with_table(1 << 20).with_algorithm(algorithm).with_threads(2);
        engine.new_game(2);
        let mut history = quiet();
        let mut rng = random::generator(3);
        while let Turn::Decide(player) = history.state().turn() {
            let m = match player {
                Player::One => engine.choose(&history, &Limits::nodes(300)).unwrap().best.unwrap(),
                Player::Two => history.state().random_move(&mut rng),
            };
            history.try_play(m).unwrap();
        }
        assert_eq!(history.state().outcome(), Some(Outcome::win(Player::One)), "{algorithm}");
    }
}

/// Nodes are counted in every part of a decision: what looks for double threats, what searches, what searches again.
#[test]
fn limits_of_nodes_are_kept() {
    for (algorithm, threads) in Algorithm::ALL.into_iter().flat_map(|algorithm| [(algorithm, 1), (algorithm, 2)]) {
        let mut engine = Engine::new().with_table(1 << 20).with_algorithm(algorithm).with_threads(threads);
        for (history, nodes) in positions().iter().flat_map(|history| [1, 50, 3_000].map(|nodes| (history, nodes))) {
            let report = engine.choose(history, &Limits::nodes(nodes)).unwrap();
            assert!(history.state().board().is_empty(report.best.unwrap()));
            // What is counted together is finished: the moves of a last decision, by each thread; of each search.
            assert!(report.nodes <= nodes + nodes / 10 + 200, "{algorithm}, {threads}: {nodes}: {}", report.nodes);
        }
    }
}

/// A flag that is raised before the search begins, or time that is over, leaves nothing but a legal move.
#[test]
fn raised_flags_and_no_time_are_answered_at_once() {
    let flag = StopFlag::default();
    flag.raise();
    for (algorithm, threads) in Algorithm::ALL.into_iter().flat_map(|algorithm| [(algorithm, 1), (algorithm, 2)]) {
        let mut engine = Engine::new().with_table(1 << 20).with_algorithm(algorithm).with_threads(threads);
        for history in positions() {
            for limits in [Limits::default().and_stop(flag.clone()), Limits::time(core::time::Duration::ZERO)] {
                let report = engine.choose(&history, &limits).unwrap();
                assert!(history.state().board().is_empty(report.best.unwrap()));
                assert!(
                    report.nodes <= 200 && matches!(report.stop, StopReason::Stopped | StopReason::Time | StopReason::Solved)
                );
            }
        }
    }
}

/// Another thread stops a search that has no other limit.
#[test]
fn a_running_search_is_stopped() {
    for (algorithm, threads) in Algorithm::ALL.into_iter().flat_map(|algorithm| [(algorithm, 1), (algorithm, 2)]) {
        let mut engine = Engine::new().with_table(1 << 20).with_algorithm(algorithm).with_threads(threads);
        let flag = StopFlag::default();
        let limits = Limits::default().and_stop(flag.clone());
        let report = std::thread::scope(|scope| {
            scope.spawn(|| {
                std::thread::sleep(core::time::Duration::from_millis(50));
                flag.raise();
            });
            engine.choose(&quiet(), &limits).unwrap()
        });
        assert_eq!(report.stop, StopReason::Stopped, "{algorithm}");
        assert!(quiet().state().board().is_empty(report.best.unwrap()));
    }
}

/// An engine without its parts plays all the same.
#[test]
fn parts_can_be_left_out() {
    for (algorithm, part) in Algorithm::ALL.into_iter().flat_map(|algorithm| Part::ALL.map(|part| (algorithm, part))) {
        let report = Engine::without(&[part]).with_algorithm(algorithm).choose(&quiet(), &Limits::nodes(300)).unwrap();
        assert!(quiet().state().board().is_empty(report.best.unwrap()), "{algorithm} without {part:?}");
    }
    let over: Connect6 = "xxxxxx/6/oooo2/6/6/6 two 1".parse().unwrap();
    assert_eq!(Engine::without(&Part::ALL).analyse(&over, &Limits::depth(1)).err(), Some(SearchError::Over));
}

/// Without a part of theirs, searches do not go the same way.
#[test]
fn parts_that_are_left_out_are_missed() {
    let start = &positions()[5];
    for (algorithm, limits, parts) in [
        (
            Algorithm::AlphaBeta,
            Limits::depth(6),
            &[Part::VcdtAtRoot, Part::SecondOrder, Part::VcdtBelow, Part::VcdtFar, Part::Reductions, Part::Learning, Part::Table]
                [..],
        ),
        (
            Algorithm::Mcts,
            Limits::nodes(800),
            &[Part::VcdtAtRoot, Part::SecondOrder, Part::VcdtBelow, Part::VcdtFar, Part::VcdtAgain, Part::Priors],
        ),
    ] {
        let way = |without: &[Part]| {
            let report = Engine::without(without).with_algorithm(algorithm).choose(start, &limits).unwrap();
            (report.nodes, report.evaluations, report.moves.iter().map(|line| line.nodes).collect::<Vec<_>>())
        };
        let whole = way(&[]);
        let idle: Vec<Part> = parts.iter().copied().filter(|&part| way(&[part]) == whole).collect();
        assert!(idle.is_empty(), "{algorithm}: {idle:?}");
    }
}

//! Searches stop when they are told to, and always have a move.

use std::time::{Duration, Instant};

use gamecore::testing::toys::{Countdown, Nim, Pig, Slow, TicTacToe};
use gamecore::{Game, Turn};
use search_core::{Limits, StopFlag, StopReason};
use search_expectimax::Expectimax;

fn even<G: Game>() -> impl Fn(&G) -> f32 + Send + Sync {
    |_: &G| 0.0
}

fn is_legal<G: Game>(game: &G, m: Option<G::Move>) -> bool {
    game.clone().try_play(m.expect("a decision has a best move")).is_ok()
}

/// Stopped after any number of nodes, a search gives its last complete answer: the one of that depth alone.
#[test]
fn interrupted_anywhere() {
    let game = Pig::new(30).resolved_to_decision();
    let search = || Expectimax::new(even()).with_table(1 << 14);
    let mut depths = std::collections::BTreeSet::new();
    for nodes in (0..400).chain((400..20_000).step_by(371)) {
        let report = search().search(&game, &Limits::nodes(nodes)).unwrap();
        assert!(is_legal(&game, report.best));
        // The moves of a last decision are counted together; Pig has two.
        assert!((nodes.max(1)..nodes.max(1) + 2).contains(&report.nodes));
        assert_eq!(report.stop, StopReason::Nodes);
        depths.insert(report.depth);
        if report.depth > 0 {
            let whole = search().search(&game, &Limits::depth(report.depth)).unwrap();
            assert_eq!((report.best, report.value, &report.moves), (whole.best, whole.value, &whole.moves));
            assert_eq!(whole.stop, StopReason::Depth);
        }
    }
    assert!(depths.len() > 3, "{depths:?}");
}

/// No time, slow games and deep ones: a legal move, and soon. The bound is generous because the machine may be busy.
#[test]
fn time_is_kept_where_a_move_takes_long() {
    let slow = Slow::new(Nim::new(40), Duration::from_millis(5));
    let long = Countdown::new(5_000_000);
    for limit in [0, 1, 20, 60].map(Duration::from_millis) {
        let started = Instant::now();
        let report = Expectimax::new(even()).search(&slow, &Limits::time(limit)).unwrap();
        assert!(is_legal(&slow, report.best));
        assert_eq!(report.stop, StopReason::Time);
        let report = Expectimax::new(even()).search(&long, &Limits::time(limit)).unwrap();
        assert!(is_legal(&long, report.best));
        assert!(started.elapsed() < 2 * limit + Duration::from_secs(2));
    }
}

#[test]
fn a_flag_stops_a_search_without_limits() {
    let flag = StopFlag::default();
    let limits = Limits::default().and_stop(flag.clone());
    std::thread::scope(|scope| {
        let search = scope.spawn(|| Expectimax::new(even()).search(&Pig::new(200).resolved_to_decision(), &limits).unwrap());
        std::thread::sleep(Duration::from_millis(30));
        flag.raise();
        assert_eq!(search.join().unwrap().stop, StopReason::Stopped);
    });
}

#[test]
fn small_games_are_solved_and_the_rest_of_the_time_given_back() {
    let report = Expectimax::new(even())
        .with_table(1 << 20)
        .search(&TicTacToe::default(), &Limits::time(Duration::from_secs(3600)))
        .unwrap();
    assert_eq!((report.value, report.stop), (Some(0.0), StopReason::Solved));
    assert!(report.depth <= 10);
}

#[test]
fn memory_caps_the_table() {
    let game = Pig::new(25).resolved_to_decision();
    let nodes = |memory: Option<usize>| {
        let mut search = Expectimax::new(even()).with_table(1 << 20);
        search.search(&game, &memory.map_or(Limits::depth(6), |bytes| Limits::depth(6).and_memory(bytes))).unwrap().nodes
    };
    assert!(nodes(Some(0)) > nodes(Some(1 << 12)) && nodes(Some(1 << 12)) >= nodes(None));
}

/// The same seed and limits, the same report, with a warm table too.
#[test]
fn repeatable() {
    let game = Pig::new(40).resolved_to_decision();
    let run = || {
        let mut search = Expectimax::new(|g: &Pig| (g.key() % 7) as f32 / 100.0).with_table(1 << 12).with_margin(0.05, 9);
        (0..20)
            .map(|i| {
                let r = search.search(&game, &Limits::nodes(500 + 100 * i)).unwrap();
                (r.best, r.value.map(f64::to_bits), r.moves, r.nodes, r.evaluations, r.depth)
            })
            .collect::<Vec<_>>()
    };
    assert_eq!(run(), run());
}

/// Tests need a position that waits for a decision.
trait Decided {
    fn resolved_to_decision(self) -> Self;
}

impl Decided for Pig {
    fn resolved_to_decision(self) -> Self {
        match self.turn() {
            Turn::Chance(_) => self.resolved(4),
            Turn::Decide(_) | Turn::Over(_) => self,
        }
    }
}

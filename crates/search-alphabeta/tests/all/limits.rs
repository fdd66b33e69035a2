//! Searches stop when they are told to, and always have a move.

use std::time::{Duration, Instant};

use gamecore::Game;
use gamecore::testing::toys::{Countdown, DoubleStep, Nim, Slow, TicTacToe};
use search_alphabeta::AlphaBeta;
use search_core::{Limits, StopFlag, StopReason};

fn even<G: Game>() -> impl Fn(&G) -> f32 + Send + Sync {
    |_: &G| 0.0
}

fn odd(g: &DoubleStep) -> f32 {
    (g.key() % 64) as f32 / 64.0
}

fn is_legal<G: Game>(game: &G, m: Option<G::Move>) -> bool {
    game.clone().try_play(m.expect("a decision has a best move")).is_ok()
}

/// Stopped after any number of nodes: a legal move, the last complete depth, and no value that nobody found.
#[test]
fn interrupted_anywhere() {
    let game = DoubleStep::new(13, 4);
    let mut depths = std::collections::BTreeSet::new();
    for nodes in (0..400).chain((400..20_000).step_by(371)) {
        let report = AlphaBeta::new(odd).search(&game, &Limits::nodes(nodes)).unwrap();
        assert!(is_legal(&game, report.best));
        // The moves of a last decision are counted together.
        assert!((nodes.max(1)..nodes.max(1) + 13).contains(&report.nodes), "{} of {nodes}", report.nodes);
        assert_eq!(report.stop, StopReason::Nodes);
        depths.insert(report.depth);
        // What is said of the best move is said of the position, whatever was being looked into.
        if let Some(line) = report.moves.iter().find(|line| Some(line.m) == report.best) {
            assert_eq!(Some(line.value), report.value, "{nodes} nodes");
            assert_ne!(line.bound, search_core::Bound::AtMost, "{nodes} nodes");
            assert_eq!(line.ends_in, report.ends_in, "{nodes} nodes");
            assert!(report.ends_in.is_none() || line.bound == search_core::Bound::Exact, "{nodes} nodes");
            if line.bound != search_core::Bound::Exact && report.depth > 0 {
                // A value and a line of the same move are not given up for a bound.
                let before = AlphaBeta::new(odd).search(&game, &Limits::depth(report.depth)).unwrap();
                assert_ne!(before.best, report.best, "{nodes} nodes");
            }
        }
        let analysed = AlphaBeta::new(odd).analyse(&game, &Limits::nodes(nodes)).unwrap();
        if analysed.depth > 0 {
            // A ranking is of one depth.
            let whole = AlphaBeta::new(odd).analyse(&game, &Limits::depth(analysed.depth)).unwrap();
            assert_eq!((analysed.best, analysed.value, &analysed.moves), (whole.best, whole.value, &whole.moves));
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
        for threads in [1, 2] {
            let started = Instant::now();
            let report = AlphaBeta::new(even()).with_threads(threads).search(&slow, &Limits::time(limit)).unwrap();
            assert!(is_legal(&slow, report.best));
            assert_eq!(report.stop, StopReason::Time);
            let report = AlphaBeta::new(even()).with_threads(threads).search(&long, &Limits::time(limit)).unwrap();
            assert!(is_legal(&long, report.best));
            assert!(started.elapsed() < 2 * limit + Duration::from_secs(2));
        }
    }
}

#[test]
fn a_flag_stops_all_threads_of_a_search_without_limits() {
    for threads in [1, 3] {
        let flag = StopFlag::default();
        let limits = Limits::default().and_stop(flag.clone());
        std::thread::scope(|scope| {
            let search = scope
                .spawn(|| AlphaBeta::new(odd).with_threads(threads).with_table(1 << 20).search(&DoubleStep::new(16, 7), &limits));
            std::thread::sleep(Duration::from_millis(30));
            flag.raise();
            assert_eq!(search.join().unwrap().unwrap().stop, StopReason::Stopped);
        });
        // Only the flag of whoever asked is his.
        assert!(flag.is_raised());
    }
}

#[test]
fn small_games_are_solved_and_the_rest_of_the_time_given_back() {
    let flag = StopFlag::default();
    for threads in [1, 2] {
        let limits = Limits::time(Duration::from_secs(3600)).and_stop(flag.clone());
        let report = AlphaBeta::new(even()).with_threads(threads).search(&TicTacToe::default(), &limits).unwrap();
        assert_eq!((report.value, report.stop), (Some(0.0), StopReason::Solved));
        assert!(report.depth <= 10 && !flag.is_raised());
    }
}

#[test]
fn memory_caps_the_table() {
    let nodes = |memory: Option<usize>| {
        let limits = memory.map_or(Limits::depth(7), |bytes| Limits::depth(7).and_memory(bytes));
        AlphaBeta::new(odd).with_table(1 << 20).search(&DoubleStep::new(12, 4), &limits).unwrap().nodes
    };
    assert!(nodes(Some(0)) > nodes(Some(1 << 12)) && nodes(Some(1 << 12)) >= nodes(None));
}

/// The same limits, the same report; after a clearing too.
#[test]
fn repeatable() {
    let game = DoubleStep::new(14, 5);
    let mut kept = AlphaBeta::new(odd).with_table(1 << 12);
    let mut run = |fresh: bool| {
        let mut search = AlphaBeta::new(odd).with_table(1 << 12);
        let search = if fresh { &mut search } else { &mut kept };
        search.clear();
        (0..20)
            .map(|i| {
                let r = search.search(&game, &Limits::nodes(500 + 100 * i)).unwrap();
                (r.best, r.value.map(f64::to_bits), r.moves, r.nodes, r.evaluations, r.depth)
            })
            .collect::<Vec<_>>()
    };
    let first = run(true);
    assert_eq!(first, run(true));
    // What the table replaces depends on the age of entries, and cleared there are none.
    assert_eq!(first, run(false));
    assert_eq!(first, run(false));
}

/// A share of the game's clock is not begun to be spent on an iteration that would not be completed, and not on an only move.
/// Time for one move is used to the end.
#[test]
fn time_that_can_be_kept_is_kept() {
    let slow = Slow::new(Nim::new(400), Duration::from_millis(1));
    let limits = Limits::time(Duration::from_millis(200));
    let whole = |report: &search_core::ReportOf<Nim>| {
        AlphaBeta::new(even()).search(&Nim::new(400), &Limits::depth(report.depth)).unwrap().nodes
    };
    for left in [None, Some(Duration::from_millis(230))] {
        let mut limits = limits.clone();
        limits.left = left;
        let used = AlphaBeta::new(even()).search(&slow, &limits).unwrap();
        assert_eq!(used.stop, StopReason::Time);
        assert!(used.nodes > whole(&used), "{} nodes, depth {}", used.nodes, used.depth);
    }
    let long = limits.and_left(Duration::from_secs(60));
    let only = AlphaBeta::new(even()).search(&Countdown::new(5_000_000), &long).unwrap();
    assert_eq!((only.depth, only.stop), (1, StopReason::Time));
}

/// As long as anything can be, and both at once.
#[test]
fn endless_times_are_no_limit() {
    let limits = Limits::depth(3).and_time(Duration::MAX).and_left(Duration::MAX);
    assert_eq!(AlphaBeta::new(odd).search(&DoubleStep::new(13, 4), &limits).unwrap().depth, 3);
}

/// Values so close that a window around one cannot be narrower: the search ends all the same.
#[test]
fn windows_of_tiny_scales_open() {
    struct Tiny;
    impl gamecore::Evaluator<Nim> for Tiny {
        fn value(&self, _: &Nim) -> f32 {
            0.0
        }
        fn terminal(&self, _: &Nim, outcome: gamecore::Outcome) -> f32 {
            outcome.points() as f32 * 5.6e-45
        }
        fn bounds(&self, _: &Nim) -> gamecore::Bounds {
            gamecore::Bounds::symmetric(5.6e-45)
        }
    }
    let report = AlphaBeta::new(Tiny).search(&Nim::new(30), &Limits::default()).unwrap();
    assert_eq!((report.stop, report.value.map(|value| value > 0.0)), (StopReason::Solved, Some(true)));
}

/// Tens of thousands of moves are put in order, and looked at, within the limits.
#[test]
fn many_moves_are_no_excuse() {
    #[derive(Clone, PartialEq, Eq, Hash, Debug)]
    struct Wide(u8);
    impl Game for Wide {
        type Move = u16;
        type Moves = Vec<u16>;
        type Chance = gamecore::Never;
        fn turn(&self) -> gamecore::Turn<gamecore::Never> {
            gamecore::Turn::Decide(if self.0.is_multiple_of(2) { gamecore::Player::One } else { gamecore::Player::Two })
        }
        fn moves(&self, out: &mut Self::Moves) {
            out.extend(0..60_000);
        }
        fn play(&mut self, _: u16) {
            self.0 += 1;
        }
        fn resolve(&mut self, event: gamecore::Never) {
            match event {}
        }
    }
    let started = Instant::now();
    let report = AlphaBeta::new(even::<Wide>()).search(&Wide(0), &Limits::time(Duration::from_millis(20))).unwrap();
    assert!(report.best.is_some() && started.elapsed() < Duration::from_secs(2), "{:?}", started.elapsed());
    let few = AlphaBeta::new(even::<Wide>()).search(&Wide(0), &Limits::nodes(1000)).unwrap();
    assert!(few.nodes < 1100, "{}", few.nodes);
}

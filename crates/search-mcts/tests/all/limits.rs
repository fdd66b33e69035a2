//! Time, memory, threads.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::{Duration, Instant};

use gamecore::testing::toys::{Countdown, Nim, Pig, PigMove, Slow, TicTacToe};
use gamecore::{Bounds, Chance, Evaluator, Game, Leaf, Outcome, Player, PolicyValue, Turn};
use search_core::{Limits, StopFlag, StopReason};
use search_mcts::*;

/// Slow rollouts and slow moves are stopped in between, and there is always a legal move.
#[test]
fn time_is_kept_whatever_a_playout_takes() {
    for limit in [20, 50, 200].map(Duration::from_millis) {
        let started = Instant::now();
        let report = Mcts::new(Playouts::uniform()).search(&Countdown::new(500_000_000), &Limits::time(limit)).unwrap();
        assert_eq!((report.best, report.stop), (Some(()), StopReason::Time));
        let took = started.elapsed();
        // With room for a machine that is busy.
        assert!(took >= limit && took < limit + Duration::from_millis(200), "{took:?} for {limit:?}");

        let slow = Slow::new(Pig::new(1000), Duration::from_millis(5));
        for threads in [1, 2] {
            let started = Instant::now();
            let mut search = Mcts::new(Playouts::uniform()).with_threads(threads, Parallel::Tree);
            let report = search.search(&slow, &Limits::time(limit)).unwrap();
            let took = started.elapsed();
            assert!(
                report.best.is_some() && took < limit + Duration::from_millis(250),
                "{took:?} for {limit:?}, {threads} threads"
            );
        }
    }
}

#[test]
fn a_raised_flag_stops_every_thread() {
    for (threads, parallel) in [(1, Parallel::Tree), (2, Parallel::Tree), (2, Parallel::Root)] {
        let flag = StopFlag::default();
        let theirs = flag.clone();
        let stopper = std::thread::spawn(move || {
            std::thread::sleep(Duration::from_millis(50));
            theirs.raise();
        });
        let started = Instant::now();
        let mut search = Mcts::new(Playouts::uniform()).with_threads(threads, parallel);
        let report = search.search(&Pig::new(500), &Limits::default().and_stop(flag)).unwrap();
        assert!(report.stop == StopReason::Stopped && started.elapsed() < Duration::from_secs(2));
        stopper.join().unwrap();
    }
}

/// A full tree is tidied up, and plays as well as before.
#[test]
fn memory_is_recycled() {
    let game = Pig::new(100);
    for threads in [1, 2] {
        let small = 1 << 20;
        let mut search = Mcts::new(Playouts::uniform()).with_memory(small).with_threads(threads, Parallel::Tree).with_seed(1);
        let report = search.search(&game, &Limits::nodes(300_000)).unwrap();
        assert!(report.nodes >= 300_000 && report.nodes < 300_100, "{}", report.nodes);
        assert!(search.tree_len() * Mcts::<Pig, Playouts>::bytes_per_node() <= small, "{}", search.tree_len());
        search.check(&game);
        let large = Mcts::new(Playouts::uniform()).with_seed(2).search(&game, &Limits::nodes(300_000)).unwrap();
        assert_eq!(report.best, large.best);
        assert!((report.value.unwrap() - large.value.unwrap()).abs() < 0.05, "{:?} {:?}", report.value, large.value);
    }
    for (threads, parallel) in [(1, Parallel::Tree), (2, Parallel::Tree), (2, Parallel::Root)] {
        let rave = Rave::new(Playouts::uniform(), 100.0, 2, |_: &Pig, m: PigMove| m as usize);
        let even = |_: &Pig, _: &[PigMove], h: &mut [f32]| h.fill(0.1);
        let search = Mcts::new(Biased::new(rave, 1.0, even)).with_memory(1 << 20).with_threads(threads, parallel);
        let mut search = search.with_selection(Selection::Ucb1Tuned { c: 1.4 });
        let report = search.search(&game, &Limits::nodes(100_000)).unwrap();
        assert!(report.nodes >= 100_000 && report.best == Some(PigMove::Roll), "{:?}", report.best);
        // Node, variance, bias, later moves.
        assert!(search.tree_len() * (Mcts::<Pig, Playouts>::bytes_per_node() + 8 + 4 + 16) <= 1 << 20);
        search.check(&game);
    }
    // A limit of the search, smaller than the search's own.
    let mut search = Mcts::new(Playouts::uniform());
    search.search(&game, &Limits::nodes(200_000).and_memory(1 << 20)).unwrap();
    assert!(search.tree_len() * Mcts::<Pig, Playouts>::bytes_per_node() <= 1 << 20);
}

/// Both kinds of threads count every playout and find what one thread finds.
#[test]
fn threads_find_the_same() {
    for parallel in [Parallel::Tree, Parallel::Root] {
        for threads in [2, 5] {
            let with = || Mcts::new(Playouts::uniform()).with_threads(threads, parallel).with_seed(4);
            let report = with().search(&Nim::new(15), &Limits::nodes(50_000)).unwrap();
            assert_eq!((report.best, report.stop), (Some(3), StopReason::Solved), "{parallel:?}");
            let mut search = Mcts::new(Playouts::uniform()).with_threads(threads, parallel).without_solver();
            let report = search.search(&TicTacToe::default(), &Limits::nodes(20_000)).unwrap();
            let visits: u64 = report.moves.iter().map(|l| l.nodes).sum();
            assert_eq!((report.nodes, visits, report.stop), (20_000, 20_000, StopReason::Nodes), "{parallel:?}");
            assert_eq!(report.best, Some(4));
            assert!(report.cpu_elsewhere > Duration::ZERO);
            search.check(&TicTacToe::default());
        }
    }
}

/// With a tree each, lines and replies rest on what all threads found: below a position that has many visits, its moves have
/// them too.
#[test]
fn trees_are_added_up_below_the_root() {
    for threads in [2, 3] {
        let mut search = Mcts::new(Playouts::uniform()).with_threads(threads, Parallel::Root).without_solver();
        let start = Pig::new(100).after(PigMove::Roll);
        let report = search.search(&start, &Limits::nodes(30_000)).unwrap();
        search.check(&start);
        assert!(report.events.iter().all(|line| line.value.is_finite()));
        let nodes: serde_json::Value = serde_json::from_str(&search.export(2000).json()).unwrap();
        let nodes = nodes.as_array().unwrap();
        let visits = |node: &serde_json::Value| node["visits"].as_u64().unwrap();
        let mut below = vec![0; nodes.len()];
        for node in &nodes[1..] {
            below[node["parent"].as_u64().unwrap() as usize] += visits(node);
        }
        let many: Vec<usize> = (0..nodes.len()).filter(|&i| visits(&nodes[i]) >= 1000).collect();
        // The visit that came to each tree's leaf is nobody's below.
        assert!(many.iter().all(|&i| below[i] <= visits(&nodes[i]) && below[i] + threads as u64 >= visits(&nodes[i])));
        assert!(many.len() > 10, "{}", many.len());
    }
}

#[test]
fn few_playouts_are_few() {
    for n in [1, 2, 7] {
        for (threads, parallel) in [(1, Parallel::Tree), (3, Parallel::Tree), (3, Parallel::Root)] {
            let mut search = Mcts::new(Playouts::uniform()).with_threads(threads, parallel).with_batch(4);
            let report = search.search(&TicTacToe::default(), &Limits::nodes(n)).unwrap();
            assert_eq!(report.nodes, n);
            assert!(report.best.is_some());
        }
    }
    let report = Mcts::new(Playouts::uniform()).search(&TicTacToe::default(), &Limits::nodes(0)).unwrap();
    assert!(report.nodes == 0 && report.best.is_some() && report.value.is_none());
}

/// A decision, and then nothing but coins for as long as anybody can wait.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
struct Flips(Option<u64>);

struct Coin;

impl Chance for Coin {
    type Event = bool;
    fn events(&self) -> &[(bool, f64)] {
        &[(true, 0.5), (false, 0.5)]
    }
}

impl Game for Flips {
    type Move = bool;
    type Moves = Vec<bool>;
    type Chance = Coin;

    fn turn(&self) -> Turn<Coin> {
        match self.0 {
            None => Turn::Decide(Player::One),
            Some(1_000_000_000) => Turn::Over(Outcome::Draw),
            Some(_) => Turn::Chance(Coin),
        }
    }
    fn moves(&self, out: &mut Vec<bool>) {
        out.extend([false, true]);
    }
    fn play(&mut self, _: bool) {
        self.0 = Some(0);
    }
    fn resolve(&mut self, _: bool) {
        self.0 = self.0.map(|n| n + 1);
    }
}

/// Playouts without decisions are stopped in between, too.
#[test]
fn rolls_take_time() {
    let started = Instant::now();
    let report = Mcts::new(Playouts::uniform()).search(&Flips(None), &Limits::time(Duration::from_millis(20))).unwrap();
    let took = started.elapsed();
    assert!(report.best.is_some() && report.stop == StopReason::Time && took < Duration::from_millis(220), "{took:?}");
}

/// Panics at one evaluation, by its number.
struct Panics(u32, AtomicU32);

impl PolicyValue<TicTacToe> for Panics {
    fn evaluate(&self, leaves: &mut [Leaf<TicTacToe>]) {
        assert!(self.1.fetch_add(1, Ordering::Relaxed) != self.0, "as ordered");
        for leaf in leaves {
            leaf.priors = vec![1.0 / leaf.moves.len() as f32; leaf.moves.len()];
            leaf.value = 0.0;
        }
    }
}

/// Whoever catches a panic can search again, and a panic in one thread ends the others.
#[test]
fn panics_leave_nothing_behind() {
    for (threads, parallel) in [(1, Parallel::Tree), (2, Parallel::Tree), (2, Parallel::Root)] {
        for at in [0, 3] {
            let leaves = Network(Panics(at, AtomicU32::new(0)));
            let mut search = Mcts::new(leaves).with_threads(threads, parallel).without_solver();
            let game = TicTacToe::default();
            let started = Instant::now();
            let limits = Limits::time(Duration::from_secs(60));
            let first = catch_unwind(AssertUnwindSafe(|| drop(search.search(&game, &limits))));
            assert!(first.is_err() && started.elapsed() < Duration::from_secs(20), "{parallel:?}");
            let report = search.search(&game, &Limits::nodes(100)).unwrap();
            let visits: u64 = report.moves.iter().map(|l| l.nodes).sum();
            // The first playout of each tree is at its root.
            assert!(report.nodes == 100 && (98..100).contains(&visits), "{parallel:?}: {visits}");
        }
    }
}

/// Knows what the first move leads to, but tells only whoever asks first.
struct Secret(AtomicU32);

impl Evaluator<Countdown> for Secret {
    fn value(&self, _: &Countdown) -> f32 {
        0.0
    }
    fn bounds(&self, game: &Countdown) -> Bounds {
        let told = *game == Countdown::new(500_000_000).after(()) && self.0.fetch_add(1, Ordering::Relaxed) == 0;
        if told { Bounds::exact(0.0) } else { Bounds::symmetric(1.0) }
    }
}

/// What one thread has solved needs no more of the others.
#[test]
fn one_proof_is_enough() {
    let started = Instant::now();
    let mut search = Mcts::new(Values(Secret(AtomicU32::new(0)))).with_threads(3, Parallel::Root).with_memory(1);
    let report = search.search(&Countdown::new(500_000_000), &Limits::time(Duration::from_secs(30))).unwrap();
    assert_eq!((report.stop, report.value), (StopReason::Solved, Some(0.0)));
    assert!(started.elapsed() < Duration::from_secs(15));
}

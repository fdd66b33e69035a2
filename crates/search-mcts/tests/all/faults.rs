//! Faults that people met in programs like this.

use gamecore::testing::toys::{Nim, Node, TicTacToe, Tree};
use gamecore::{Leaf, Player, PolicyValue};
use search_core::{Agent, AgentError, Limits, SearchError, StopReason};
use search_mcts::*;

fn search<G: gamecore::Game>() -> Mcts<G, Playouts> {
    Mcts::new(Playouts::uniform()).with_seed(9)
}

/// Rewards from the right player's view: wins have the right sign at every distance, with proofs and without.
#[test]
fn nim_is_played_right() {
    for n in 1..=16u32 {
        for solver in [true, false] {
            let mut search = if solver { search() } else { search().without_solver() };
            let playouts = if solver { 5000 } else { 60_000 };
            let report = search.search(&Nim::new(n), &Limits::nodes(playouts)).unwrap();
            let value = report.value.unwrap();
            assert!(if n % 4 == 0 { value < 0.0 } else { value > 0.0 }, "{n}: {value}");
            if n % 4 != 0 {
                assert_eq!(report.best.map(u32::from), Some(n % 4), "{n}");
            }
            assert!(!solver || report.stop == StopReason::Solved && value.abs() == 1.0, "{n}: {value}");
        }
    }
}

/// No NaN in the formulas, whatever is explored, and unvisited moves first.
#[test]
fn unvisited_moves_come_first() {
    for c in [0.0, 1.0, f64::INFINITY] {
        for selection in [Selection::Ucb1 { c }, Selection::Ucb1Tuned { c }] {
            for n in 1..=9u64 {
                let mut search = search().without_solver().with_selection(selection);
                let report = search.search(&TicTacToe::default(), &Limits::nodes(n)).unwrap();
                let visits: Vec<u64> = report.moves.iter().map(|l| l.nodes).collect();
                assert_eq!((visits.iter().sum::<u64>(), visits.iter().max()), (n, Some(&1)), "{selection:?} {n}: {visits:?}");
            }
            let report = search().with_selection(selection).search(&TicTacToe::default(), &Limits::nodes(500)).unwrap();
            assert!(report.value.unwrap().is_finite() && report.moves.iter().all(|l| l.value.is_finite()));
        }
    }
}

/// Trees smaller than the budget, and roots that are over.
#[test]
fn small_trees_are_finished() {
    let limits = Limits::nodes(100_000);
    let one = Tree::from(Node::max([1]));
    for solver in [true, false] {
        let with = || if solver { search() } else { search::<Tree>().without_solver() };
        let report = with().search(&one, &limits).unwrap();
        assert_eq!((report.best, report.value), (Some(0), Some(1.0)));
        let report = with().search(&Tree::from(Node::max([-1, 0])), &limits).unwrap();
        assert_eq!(report.best, Some(1));
        assert_eq!(report.value, Some(0.0));
        assert_eq!(with().search(&Tree::from(Node::leaf(0)), &limits).unwrap_err(), SearchError::Over);
    }
    let over = Tree::from(Node::leaf(0));
    assert_eq!(search().choose(&over.into(), &limits).unwrap_err(), AgentError::NothingToDecide);
}

/// The immediate win, not one that is two plies away.
#[test]
fn wins_are_not_put_off() {
    let board = TicTacToe::from_rows("x.x.oo..x", Player::Two).unwrap();
    for seed in 0..50 {
        let mut search = Mcts::new(Playouts::uniform()).with_seed(seed);
        let report = search.search(&board, &Limits::nodes(1000)).unwrap();
        assert_eq!((report.best, report.value, report.stop), (Some(3), Some(-1.0), StopReason::Solved));
    }
}

/// What the search is told must make sense; debug builds say what does not.
#[cfg(debug_assertions)]
#[test]
fn nonsense_is_noticed() {
    fn complaint(work: impl FnOnce() + std::panic::UnwindSafe) -> String {
        *std::panic::catch_unwind(work).unwrap_err().downcast::<String>().unwrap()
    }
    let limits = Limits::nodes(50);
    for value in [f32::NAN, f32::INFINITY, -5.0] {
        let run = || drop(Mcts::new(Values(|_: &TicTacToe| value)).search(&TicTacToe::default(), &Limits::nodes(50)));
        assert!(complaint(run).contains("is not within its bounds"));
    }
    let run = || drop(Mcts::new(Network(Priors(|n| vec![1.0; n], f32::NAN))).search(&TicTacToe::default(), &Limits::nodes(50)));
    assert!(complaint(run).contains("is not finite"));
    let policy = |_: &TicTacToe, _: &mut Generator| 4;
    let run = || drop(Mcts::new(Playouts::with_policy(policy)).search(&TicTacToe::default(), &limits));
    assert!(complaint(run).contains("the policy's move 4 is not legal"));

    struct Priors(fn(usize) -> Vec<f32>, f32);
    impl PolicyValue<TicTacToe> for Priors {
        fn evaluate(&self, leaves: &mut [Leaf<TicTacToe>]) {
            for leaf in leaves {
                // What was left of another leaf is gone.
                assert!(leaf.priors.is_empty());
                leaf.priors.extend((self.0)(leaf.moves.len()));
                leaf.value = self.1;
            }
        }
    }
    for priors in [|_| Vec::new(), |n| vec![f32::NAN; n], |n| vec![-1.0; n]] {
        let run = || drop(Mcts::new(Network(Priors(priors, 0.0))).search(&TicTacToe::default(), &Limits::nodes(50)));
        assert!(complaint(run).contains("a finite prior of at least 0 for each of the 9 moves"));
    }
    let even = Network(Priors(|n| vec![1.0 / n as f32; n], 0.0));
    assert!(Mcts::new(even).search(&TicTacToe::default(), &limits).is_ok());
}

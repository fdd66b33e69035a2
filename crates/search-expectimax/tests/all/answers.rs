//! What is answered where the value leaves a choice, or there is none. Faults that people met in programs like this.

use std::collections::BTreeSet;

use gamecore::testing::toys::{Nim, Node, TicTacToe, Tree, TreeValue};
use gamecore::{Evaluator, Game, Never, Outcome, Player, Track, Tracked, Turn};
use search_core::Window;
use search_core::{Agent, Analyst, Bound, Limits, SearchError, StopReason};
use search_expectimax::{Expectimax, Pruning};

/// A finished game has no answer; a game with one move has.
#[test]
fn finished_and_nearly_finished() {
    for pruning in [Pruning::None, Pruning::Star1, Pruning::Star2] {
        let mut search = Expectimax::new(TreeValue::Wide).with_pruning(pruning).with_table(1 << 10);
        let over = Tree::from(Node::leaf(0));
        assert_eq!(search.search(&over, &Limits::default()).unwrap_err(), SearchError::Over);
        assert_eq!(search.analyse(&over, &Limits::default()).unwrap_err(), SearchError::Over);
        let forced = Tree::from(Node::max([1]));
        let report = search.search(&forced, &Limits::default()).unwrap();
        assert_eq!((report.best, report.value, report.stop), (Some(0), Some(1.0), StopReason::Solved));
        let both = Tree::from(Node::max([-1, 0]));
        assert_eq!(search.search(&both, &Limits::default()).unwrap().best, Some(1));
    }
}

/// What the first root move is worth helps with the others: 5 leaves of 7.
#[test]
fn the_root_passes_its_window_on() {
    let tree = Tree::from(Node::max([Node::min([5, 9]), Node::min([4, 7]), Node::min([8, 1, 6])]));
    let ends = std::sync::Mutex::new(0);
    struct Counting<'a>(&'a std::sync::Mutex<u32>);
    impl Evaluator<Tree> for Counting<'_> {
        fn value(&self, _: &Tree) -> f32 {
            0.0
        }
        fn terminal(&self, _: &Tree, outcome: Outcome) -> f32 {
            *self.0.lock().unwrap() += 1;
            outcome.points() as f32
        }
    }
    let report =
        Expectimax::new(Counting(&ends)).with_batching(false).with_deepening(false).search(&tree, &Limits::depth(2)).unwrap();
    assert_eq!((report.best, report.value), (Some(0), Some(5.0)));
    assert_eq!(*ends.lock().unwrap(), 5);
    assert_eq!(report.moves.iter().map(|l| l.bound).collect::<Vec<_>>(), [Bound::Exact, Bound::AtMost, Bound::AtMost]);
}

/// Of several wins the nearest, of several losses the farthest.
#[test]
fn wins_are_not_put_off_and_losses_are() {
    let board = TicTacToe::from_rows("x.x.oo..x", Player::Two).unwrap();
    for pruning in [Pruning::None, Pruning::Star1, Pruning::Star2] {
        for table in [0, 1 << 16] {
            let search = || Expectimax::new(|_: &TicTacToe| 0.0).with_pruning(pruning).with_table(table);
            let report = search().search(&board, &Limits::default()).unwrap();
            assert_eq!((report.best.map(u64::from), report.value), (Some(3), Some(-1.0)));

            let chain = Node::min([Node::max([Node::min([-1])])]);
            let tree = Tree::from(Node::max([Node::min([Node::leaf(-1)]), chain.clone()]));
            let mut search = Expectimax::new(|_: &Tree| 0.0).with_pruning(pruning).with_table(table);
            let report = search.search(&tree, &Limits::default()).unwrap();
            assert_eq!((report.best, report.value, report.stop), (Some(1), Some(-1.0), StopReason::Solved));
        }
    }
}

/// Wins have the right sign for either player, at every distance.
#[test]
fn nim_is_played_right() {
    for n in 1..=24u32 {
        for table in [0, 1 << 12] {
            let game = Nim::new(n);
            let report = Expectimax::new(|_: &Nim| 0.0).with_table(table).search(&game, &Limits::depth(24)).unwrap();
            assert_eq!(report.value, Some(if n % 4 == 0 { -1.0 } else { 1.0 }), "{n}");
            if n % 4 != 0 {
                assert_eq!(report.best.map(u64::from), Some(u64::from(n % 4)));
            }
        }
    }
}

/// Near ties are drawn by the seed; moves outside the margin never; the value stays the best one's.
#[test]
fn near_ties() {
    let tree = Tree::from(Node::max([
        Node::even([6, 6]),
        Node::even([6, 5]),
        Node::even([6, 4]),
        Node::even([2, 2]),
        Node::even([-9, 9]),
    ]));
    for pruning in [Pruning::None, Pruning::Star1, Pruning::Star2] {
        let mut search = Expectimax::new(TreeValue::Wide).with_pruning(pruning).with_margin(0.75, 5);
        let reports: Vec<_> = (0..50).map(|_| search.search(&tree, &Limits::default()).unwrap()).collect();
        assert!(reports.iter().all(|r| r.value == Some(6.0)));
        let seen: BTreeSet<_> = reports.iter().map(|r| r.best.unwrap()).collect();
        assert_eq!(seen.into_iter().collect::<Vec<_>>(), [0, 1]);
    }
}

/// The branch of an event is the state after that event, weighed by its own probability.
#[test]
fn every_event_has_its_own_branch() {
    let tree = Tree::from(Node::chance([(0.5, Node::max([1, 2])), (0.25, Node::min([3, -4])), (0.25, Node::leaf(8))]));
    let report = Expectimax::new(TreeValue::Wide).search(&tree, &Limits::default()).unwrap();
    assert_eq!(report.value, Some(0.5 * 2.0 - 0.25 * 4.0 + 0.25 * 8.0));
    let rows: Vec<_> = report.events.iter().map(|e| (e.probability, e.best, e.value)).collect();
    assert_eq!(rows, [(0.5, Some(1), 2.0), (0.25, Some(1), -4.0), (0.25, None, 8.0)]);
    assert_eq!(report.best, None);
}

/// A cut inside one roll's branch, as alpha-beta would make it, is wrong: the other rolls still count.
#[test]
fn no_naive_cut_inside_a_roll() {
    // After the first move (worth 1), alpha-beta without bounds would drop the second: its first roll is worth only 0.
    let tree = Tree::from(Node::max([Node::leaf(1), Node::even([Node::min([0, 0]), Node::min([10, 10])])]));
    for pruning in [Pruning::None, Pruning::Star1, Pruning::Star2] {
        let mut search = Expectimax::new(TreeValue::Wide).with_pruning(pruning);
        let report = search.search(&tree, &Limits::default()).unwrap();
        assert_eq!((report.best, report.value), (Some(1), Some(5.0)));
        let (value, bound) = search.value(&tree, 4, Window::OPEN);
        assert_eq!((value, bound), (5.0, Bound::Exact));
    }
}

/// Deterministic games: the line is what both would play.
#[test]
fn analysis_shows_the_line() {
    let report = Expectimax::new(|_: &Nim| 0.0).analyse(&Nim::new(7), &Limits::depth(7)).unwrap();
    let mut game = Nim::new(7);
    game.play(report.best.unwrap());
    let line = report.moves.iter().find(|l| Some(l.m) == report.best).unwrap();
    for step in &line.line {
        let gamecore::Step::Move(m) = *step else { panic!("no dice in Nim") };
        game.try_play(m).unwrap();
    }
    assert!(matches!(game.turn(), gamecore::Turn::Over(Outcome::Win { player: Player::One, .. })));
}

/// A move's line begins with the answer to it.
#[test]
fn lines_go_on_after_their_move() {
    let game = TicTacToe::from_rows("x.x.oo..x", Player::Two).unwrap();
    let report = Expectimax::new(|_: &TicTacToe| 0.0).analyse(&game, &Limits::default()).unwrap();
    assert_eq!(report.moves.len(), 4);
    for line in &report.moves {
        let mut end = game.after(line.m);
        for &step in &line.line {
            let gamecore::Step::Move(m) = step;
            end.try_play(m).unwrap_or_else(|e| panic!("{line:?}: {e}"));
        }
        let Turn::Over(outcome) = end.turn() else { panic!("{line:?} is not played to the end") };
        assert_eq!(f64::from(outcome.points()), line.value);
    }
}

/// A tracker that counts the moves since it was made.
#[derive(Clone)]
struct Moves(u32);

impl Track<Nim> for Moves {
    fn of(_: &Nim) -> Self {
        Self(0)
    }
    fn played(&mut self, _: &Nim, _: u8) {
        self.0 += 1;
    }
    fn resolved(&mut self, _: &Nim, event: Never) {
        match event {}
    }
}

/// A search on a tracked game sits in a seat of the bare one.
#[test]
fn tracked_games_have_agents() {
    let value = |g: &Tracked<Nim, Moves>| if g.track().0.is_multiple_of(2) { 0.25 } else { -0.25 };
    let mut agent: Box<dyn Agent<Nim>> = Box::new(Expectimax::new(value));
    let report = agent.choose(&Nim::new(100).into(), &Limits::depth(3)).unwrap();
    assert_eq!(report.value, Some(-0.25));
    let mut analyst: Box<dyn Analyst<Nim>> = Box::new(Expectimax::new(value));
    assert_eq!(analyst.analyse(&Nim::new(100), &Limits::depth(2)).unwrap().value, Some(0.25));
}

/// An evaluator that breaks its promise is told so, before pruning goes wrong.
#[test]
#[cfg(debug_assertions)]
#[should_panic(expected = "the evaluator's value 12 is not within its bounds, -1 to 1")]
fn evaluators_keep_their_bounds() {
    let _ = Expectimax::new(|_: &Nim| 12.0).search(&Nim::new(100), &Limits::depth(2));
}

/// Two rolls of the same mean, summed in another order, differ by the last bit. The window between them is so narrow that
/// rounding can make an event's own window empty; a search in that would take a bound for its opposite.
#[test]
fn nearly_equal_means_leave_no_empty_window() {
    let points = [1, 1, 1, 0];
    let roll = |order: [usize; 4]| Node::chance(order.map(|i| ([0.1, 0.2, 0.3, 0.4][i], Node::leaf(points[i]))));
    let last = Node::max([Node::min([Node::leaf(-5)]), Node::min([Node::leaf(9)])]);
    let trap = Node::chance([(0.1, Node::leaf(0)), (0.2, Node::leaf(0)), (0.3, Node::leaf(0)), (0.4, last)]);
    let tree = Tree::from(Node::min([roll([0, 1, 2, 3]), Node::max([roll([3, 2, 1, 0]), trap])]));
    for pruning in [Pruning::None, Pruning::Star1, Pruning::Star2] {
        for table in [0, 1 << 12] {
            let mut search = Expectimax::new(|_: &Tree| 0.0).with_pruning(pruning).with_table(table);
            let report = search.search(&tree, &Limits::depth(6)).unwrap();
            assert_eq!(report.best, Some(0));
            assert!((report.value.unwrap() - 0.6).abs() < 1e-9);
            assert!(report.moves[1].bound == Bound::AtLeast || report.moves[1].value > 3.0, "{:?}", report.moves);
        }
    }
}

/// A winning move settles a search; an analysis goes on, because the other moves' values are wanted too.
#[test]
fn analysis_looks_beyond_a_win() {
    let slow_win = Node::min([Node::max([Node::min([Node::leaf(10)])])]);
    let tree = Tree::from(Node::max([Node::leaf(10), slow_win]));
    let mut search = Expectimax::new(|_: &Tree| 0.0);
    assert_eq!(search.search(&tree, &Limits::default()).unwrap().depth, 1);
    let report = search.analyse(&tree, &Limits::default()).unwrap();
    assert_eq!(report.moves.iter().map(|l| l.value).collect::<Vec<_>>(), [10.0, 10.0]);
}

//! Known answers, one by one.

use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::sync::{Arc, Mutex};

use gamecore::testing::toys::{DecisionTree, DoubleStep, Nim, Node, TicTacToe, TreeValue};
use gamecore::{Bounds, Evaluator, Game, History, Outcome, Player, Turn};
use search_alphabeta::AlphaBeta;
use search_core::{Agent, AgentError, Bound, Limits, SearchError, StopReason};

fn sure(root: Node) -> DecisionTree {
    DecisionTree::from(root)
}

fn even<G>(_: &G) -> f32 {
    0.0
}

#[test]
fn nim_is_lost_at_multiples_of_four() {
    for (counters, best) in [(13, Some(1)), (14, Some(2)), (15, Some(3)), (16, None)] {
        let report = AlphaBeta::new(even::<Nim>).search(&Nim::new(counters), &Limits::default()).unwrap();
        assert_eq!(report.value, Some(if best.is_some() { 1.0 } else { -1.0 }));
        assert_eq!(report.stop, StopReason::Solved);
        if best.is_some() {
            assert_eq!(report.best.map(u64::from), best);
        }
        // Lost or won, the game is as long as the loser can make it: three, or one, and three to a multiple of four.
        let rounds = counters.div_ceil(4) * 2;
        assert_eq!(report.ends_in, Some(if best.is_some() { rounds - 1 } else { rounds }));
    }
}

/// Games that end at once, and one that has ended.
#[test]
fn the_end_is_near() {
    let report = AlphaBeta::new(even::<DecisionTree>).search(&sure(Node::max([1])), &Limits::default()).unwrap();
    assert_eq!((report.best, report.value, report.ends_in, report.stop), (Some(0), Some(1.0), Some(1), StopReason::Solved));
    let over = AlphaBeta::new(even::<DecisionTree>).search(&sure(Node::leaf(0)), &Limits::default());
    assert!(matches!(over, Err(SearchError::Over)));
    let report = AlphaBeta::new(even::<DecisionTree>).search(&sure(Node::max([-1, 0])), &Limits::default()).unwrap();
    assert_eq!((report.best, report.value, report.ends_in), (Some(1), Some(0.0), None));
    let history = History::from(sure(Node::leaf(0)));
    let mut agent = AlphaBeta::new(even::<DecisionTree>);
    assert!(matches!(Agent::choose(&mut agent, &history, &Limits::default()), Err(AgentError::NothingToDecide)));
}

/// What the first root move is worth narrows the windows of the others: five leaves are looked at, not seven.
#[test]
fn root_moves_share_their_window() {
    static LOOKED_AT: AtomicU32 = AtomicU32::new(0);
    struct Counting;
    impl Evaluator<DecisionTree> for Counting {
        fn value(&self, _: &DecisionTree) -> f32 {
            0.0
        }
        fn terminal(&self, _: &DecisionTree, outcome: Outcome) -> f32 {
            LOOKED_AT.fetch_add(1, Ordering::Relaxed);
            outcome.points() as f32
        }
        fn bounds(&self, _: &DecisionTree) -> Bounds {
            Bounds::symmetric(10.0)
        }
    }
    let game = sure(Node::max([Node::min([5, 9]), Node::min([4, 7]), Node::min([8, 1, 6])]));
    let search = || AlphaBeta::new(Counting).with_table(0).with_learning(false).with_scouting(false).with_aspiration(false);
    let (value, bound) = search().value(&game, 2, search_core::Window::OPEN);
    assert_eq!((value, bound), (5.0, Bound::Exact));
    assert_eq!(LOOKED_AT.swap(0, Ordering::Relaxed), 5);
    let report = search().search(&game, &Limits::depth(2)).unwrap();
    assert_eq!((report.value, report.best), (Some(5.0), Some(0)));
    // The iteration of depth 1 looks at no leaf.
    assert_eq!(LOOKED_AT.load(Ordering::Relaxed), 5);
}

#[test]
fn a_win_now_is_better_than_a_win_later() {
    let game = TicTacToe::from_rows("x.x.oo..x", Player::Two).unwrap();
    let Turn::Decide(player) = game.turn() else { panic!("not over") };
    let report = AlphaBeta::new(even::<TicTacToe>).analyse(&game, &Limits::default()).unwrap();
    assert_eq!(report.best, Some(3));
    assert_eq!(report.ends_in, Some(1));
    let sign = f64::from(player.sign());
    let lines: Vec<_> = report.moves.iter().map(|l| (u64::from(l.m), sign * l.value, l.ends_in.unwrap())).collect();
    assert_eq!(lines, [(1, 1.0, 3), (3, 1.0, 1), (6, -1.0, 2), (7, -1.0, 2)]);
    assert_eq!(report.best_line().map(|line| line.m), report.best);
}

/// A move's line begins with the answer to it.
#[test]
fn lines_go_on_after_their_move() {
    let game = TicTacToe::from_rows("x.x.oo..x", Player::Two).unwrap();
    let report = AlphaBeta::new(even::<TicTacToe>).analyse(&game, &Limits::default()).unwrap();
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

#[test]
fn a_loss_later_is_better_than_a_loss_now() {
    let soon = Node::min([-1]);
    let late = Node::min([Node::max([Node::min([-1])])]);
    for (root, best) in [(Node::max([soon.clone(), late.clone()]), 1), (Node::max([late, soon]), 0)] {
        let report = AlphaBeta::new(even::<DecisionTree>).search(&sure(root), &Limits::default()).unwrap();
        assert_eq!((report.best, report.value, report.ends_in), (Some(best), Some(-1.0), Some(4)));
    }
}

/// A proven win is better than the same value in somebody's opinion, and a proven loss worse.
#[test]
fn proofs_beat_opinions() {
    let opinion = |worth: f32| Node::min([Node::max([Node::min([0]), Node::max([0])])]).worth(worth);
    let value = TreeValue::Wide;
    let won = sure(Node::max([opinion(3.0), Node::leaf(3)]));
    let report = AlphaBeta::new(value).search(&won, &Limits::depth(1)).unwrap();
    assert_eq!((report.best, report.value, report.ends_in), (Some(1), Some(3.0), Some(1)));
    let lost = sure(Node::max([Node::leaf(-3), opinion(-3.0)]));
    let report = AlphaBeta::new(value).search(&lost, &Limits::depth(1)).unwrap();
    assert_eq!((report.best, report.value, report.ends_in), (Some(1), Some(-3.0), None));
}

/// Who learns something new of a position is answered by the table as before, until what comes before that position is forgotten.
#[test]
fn positions_are_forgotten() {
    /// Says, once it is told, that Two wins where One finds eleven.
    #[derive(Default)]
    struct Pupil(AtomicBool);
    impl Evaluator<Nim> for Pupil {
        fn value(&self, game: &Nim) -> f32 {
            self.bounds(game).high.min(0.0)
        }
        fn bounds(&self, game: &Nim) -> Bounds {
            let told = self.0.load(Ordering::Relaxed) && *game == Nim::new(11);
            if told { Bounds::exact(-1.0) } else { Bounds::symmetric(1.0) }
        }
    }
    // Without scouting the table answers on the principal variation, too.
    let mut search = AlphaBeta::new(Pupil::default()).with_scouting(false);
    let mut value = |told, forget: Option<Nim>| {
        search.evaluator().0.store(told, Ordering::Relaxed);
        forget.iter().for_each(|game| search.forget(game));
        search.search(&Nim::new(14), &Limits::default()).unwrap().value
    };
    assert_eq!(value(false, None), Some(1.0));
    assert_eq!(value(true, None), Some(1.0));
    assert_eq!(value(true, Some(Nim::new(14))), Some(1.0));
    // By taking two, which leaves twelve; then Two takes one.
    assert_eq!(value(true, Some(Nim::new(14).after(2))), Some(-1.0));
    // And only that: of what follows the table still knows.
    assert_eq!(value(false, None), Some(-1.0));
    assert_eq!(value(false, Some(Nim::new(14).after(2))), Some(1.0));
}

#[test]
fn each_iteration_is_told() {
    let told = Arc::new(Mutex::new(Vec::new()));
    let listener = Arc::clone(&told);
    let mut search = AlphaBeta::new(even::<TicTacToe>)
        .with_progress(move |report| listener.lock().unwrap().push((report.depth, report.best, report.value, report.nodes)));
    let report = search.search(&TicTacToe::default(), &Limits::depth(6)).unwrap();
    let told = told.lock().unwrap();
    assert_eq!(told.iter().map(|t| t.0).collect::<Vec<_>>(), [1, 2, 3, 4, 5, 6]);
    assert_eq!(told.last(), Some(&(6, report.best, report.value, report.nodes)));
    assert!(told.windows(2).all(|w| w[0].3 < w[1].3));
}

/// At the horizon the evaluator sees a queen won and not the one lost: quiescence does.
#[test]
fn quiescence_looks_at_what_is_going_on() {
    let exchange = Node::max([
        Node::min([Node::max([Node::min([-8]).worth(-8.0)]).worth(-8.0), Node::max([0]).worth(9.0)]).worth(9.0),
        Node::min([Node::max([Node::min([1]).worth(1.0)]).worth(1.0)]).worth(1.0),
    ]);
    let game = sure(exchange);
    let value = TreeValue::Wide;
    let blind = AlphaBeta::new(value).search(&game, &Limits::depth(1)).unwrap();
    assert_eq!((blind.best, blind.value), (Some(0), Some(9.0)));
    // The first move of Two is a capture.
    let noisy = |g: &DecisionTree, out: &mut <DecisionTree as Game>::Moves| {
        if g.turn() == Turn::Decide(Player::Two) {
            out.push(0);
        }
    };
    let report = AlphaBeta::new(value).with_quiescence(noisy).search(&game, &Limits::depth(1)).unwrap();
    assert_eq!((report.best, report.value), (Some(1), Some(1.0)));
}

/// Both add to their own score, 1 to 4 at a time; whoever is ahead in the end has won. Nobody is ever better off passing.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
struct Scores {
    lead: i8,
    left: u8,
    mover: Player,
}

impl Game for Scores {
    type Move = u8;
    type Moves = arrayvec::ArrayVec<u8, 4>;
    type Chance = gamecore::Never;

    fn turn(&self) -> Turn<gamecore::Never> {
        match (self.left, self.lead) {
            (0, 0) => Turn::Over(Outcome::Draw),
            (0, lead) => Turn::Over(Outcome::win(if lead > 0 { Player::One } else { Player::Two })),
            _ => Turn::Decide(self.mover),
        }
    }
    fn moves(&self, out: &mut Self::Moves) {
        out.extend(1..=4);
    }
    fn play(&mut self, m: u8) {
        self.lead += m as i8 * self.mover.sign() as i8;
        (self.left, self.mover) = (self.left - 1, self.mover.other());
    }
    fn resolve(&mut self, event: gamecore::Never) {
        match event {}
    }
}

/// The options that may change values save nodes.
#[test]
fn null_moves_and_reductions_save_nodes() {
    let game = Scores { lead: 1, left: 14, mover: Player::One };
    let search = || AlphaBeta::new(|g: &Scores| f32::from(g.lead) / 100.0).with_table(0);
    let plain = search().search(&game, &Limits::depth(8)).unwrap();
    let pass = |g: &Scores| (g.left > 1).then(|| Scores { mover: g.mover.other(), ..*g });
    let null = search().with_null_move(pass).search(&game, &Limits::depth(8)).unwrap();
    assert!(null.nodes * 10 < plain.nodes * 9, "{} of {} nodes", null.nodes, plain.nodes);
    assert_eq!(null.value, plain.value);

    let game = DoubleStep::new(14, 5);
    let pairs = |runs: u16| (runs & runs >> 1).count_ones() as f32;
    let value = |g: &DoubleStep| (pairs(g.stones(Player::One)) - pairs(g.stones(Player::Two))) / 100.0;
    let nodes = |search: &mut AlphaBeta<_, _>| search.search(&game, &Limits::depth(7)).unwrap().nodes;
    let plain = nodes(&mut AlphaBeta::new(value));
    let reduced = nodes(&mut AlphaBeta::new(value).with_reductions());
    assert!(reduced * 10 < plain * 9, "{reduced} of {plain} nodes");
}

/// Options that prune by the evaluator or the order save nodes too.
#[test]
fn pruning_near_the_horizon_saves_nodes() {
    let game = DoubleStep::new(14, 5);
    let pairs = |runs: u16| (runs & runs >> 1).count_ones() as f32;
    let value = |g: &DoubleStep| (pairs(g.stones(Player::One)) - pairs(g.stones(Player::Two))) / 100.0;
    let nodes = |search: AlphaBeta<_, _>| search.with_table(0).search(&game, &Limits::depth(7)).unwrap().nodes;
    let plain = nodes(AlphaBeta::new(value));
    let late = nodes(AlphaBeta::new(value).with_late_pruning());
    assert!(late < plain, "{late} of {plain} nodes");
    let futile = nodes(AlphaBeta::new(value).with_futility(|value, decisions| value + 0.01 * decisions as f32));
    assert!(futile < plain, "{futile} of {plain} nodes");
    let strong = nodes(AlphaBeta::new(value).with_reductions_of(1, 1.5));
    let weak = nodes(AlphaBeta::new(value).with_reductions_of(8, 0.3));
    assert!(strong < weak && weak <= plain, "{strong}, {weak}, {plain} nodes");
}

/// A forced decision is not counted: what follows an only move is seen from as far away as without it.
#[test]
fn forced_moves_are_not_counted() {
    let only = Node::max([Node::min([Node::max([5]).worth(0.0)]).worth(0.0), Node::min([1, 2]).worth(0.5)]);
    let game = sure(only);
    let forced = |g: &DecisionTree| {
        let mut moves = <DecisionTree as Game>::Moves::default();
        g.moves(&mut moves);
        moves.len() == 1
    };
    let counted = AlphaBeta::new(TreeValue::Wide).search(&game, &Limits::depth(1)).unwrap();
    assert_eq!((counted.best, counted.value), (Some(1), Some(0.5)));
    let report = AlphaBeta::new(TreeValue::Wide).with_extension(forced).search(&game, &Limits::depth(1)).unwrap();
    assert_eq!((report.best, report.value), (Some(0), Some(5.0)));
}

/// Some moves only, in the caller's order, and no others.
#[test]
fn a_search_among_some_moves_knows_no_others() {
    let game = sure(Node::max([3, 9, 5, 1]));
    let mut search = AlphaBeta::new(TreeValue::Wide);
    let report = search.search_among(&game, &[3, 0, 2], 2, &Limits::default()).unwrap();
    assert_eq!((report.best, report.value), (Some(2), Some(5.0)));
    assert_eq!(report.moves.iter().map(|line| line.m).collect::<Vec<_>>(), [3, 0, 2]);
    assert!(report.moves[1..].iter().all(|line| line.bound == Bound::Exact));
    assert_eq!(search.search_among(&game, &[], 1, &Limits::default()).unwrap().best, Some(1));
}

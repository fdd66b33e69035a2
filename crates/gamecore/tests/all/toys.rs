//! Every toy passes the suite, and a few facts about each.

use std::collections::HashSet;
use std::time::Duration;

use gamecore::testing::toys::*;
use gamecore::testing::{self, Perft, Trials, perft, plain_moves, plain_value};
use gamecore::{Chance, Draw, Evaluator, Game, Outcome, Player, Step, Text, Turn, playout, random, uniform};
use proptest::prelude::*;

const FEW: Trials = Trials { seed: 2, games: 3, steps: 3000 };

#[test]
fn nim() {
    testing::conformance(&[Nim::new(0), Nim::new(1), Nim::new(15), Nim::new(1000)], Trials::default());
    for heap in 0..12 {
        let game = Nim::new(heap);
        let value = plain_value(&game, &|_: &Nim| 0.0, 20);
        assert_eq!(value, f64::from(game.winner().sign()), "{heap}");
    }
    assert_eq!(Nim::new(15).winner(), Player::One);
    assert_eq!(perft(&Nim::new(3), 2), Perft { lines: 3, over: 2 });
}

#[test]
fn tic_tac_toe() {
    let middle = TicTacToe::from_rows("x.x.oo..x", Player::Two).unwrap();
    let starts = [TicTacToe::default(), middle];
    testing::conformance(&starts, Trials::default());
    testing::text_round_trip(&starts, Trials::default());
    testing::picture(&starts, FEW);
    testing::symmetry(&starts, Trials { games: 5, ..Trials::default() });
    testing::evaluator(&|_: &TicTacToe| 0.5, &starts, FEW);

    assert_eq!(plain_value(&TicTacToe::default(), &|_: &TicTacToe| 0.0, 9), 0.0);
    let lines: Vec<u64> = (0..=9).map(|n| perft(&TicTacToe::default(), n).lines).collect();
    assert_eq!(lines, [1, 9, 72, 504, 3024, 15_120, 54_720, 148_176, 200_448, 127_872]);
    let games: u64 = (0..=9).map(|n| perft(&TicTacToe::default(), n).over).sum();
    assert_eq!(games, 255_168);
    let mut classes = HashSet::new();
    let mut states = HashSet::new();
    let mut open = vec![TicTacToe::default()];
    while let Some(game) = open.pop() {
        if states.insert(game) {
            classes.insert(gamecore::canonical(&game).0);
            if let Turn::Decide(_) = game.turn() {
                open.extend(testing::moves(&game).iter().map(|&m| game.after(m)));
            }
        }
    }
    assert_eq!((states.len(), classes.len()), (5478, 765));
}

#[test]
fn tic_tac_toe_text() {
    for (text, message) in [
        ("x.x.oo..x", "is not a position"),
        ("x.x.oo..xx o", "is not a position"),
        ("x.x.oo..z o", "is not a position"),
        ("xxxooo... o", "both have three in a row"),
        ("", "is not a position"),
    ] {
        let error = TicTacToe::parse_position(text).unwrap_err().to_string();
        assert!(error.contains(message), "{error}");
    }
    let game = TicTacToe::parse_position("x.. .o. ..x o").unwrap();
    assert_eq!(game.mark(8), Some(Player::One));
    assert!(game.parse_move("b2").unwrap_err().to_string().contains("the square is taken"));
    let game = game.after(game.parse_move("b1").unwrap());
    assert_eq!(game.picture(None).to_string(), "  a b c\n1 x o .\n2 . o .\n3 . . x\n");
    let marked = game.picture(Some(Step::Move(1)));
    assert_eq!(marked.lines.iter().flatten().filter(|span| span.strong).count(), 1);
}

#[test]
fn double_step() {
    let starts = [DoubleStep::new(1, 1), DoubleStep::new(9, 3), DoubleStep::new(16, 4)];
    testing::conformance(&starts, Trials::default());
    testing::symmetry(&starts, FEW);
    let mut game = DoubleStep::new(16, 16);
    let mut order = String::new();
    while let Turn::Decide(player) = game.turn() {
        order += ["1", "2"][player.index()];
        game.play(testing::moves(&game)[0]);
    }
    assert_eq!((order.as_str(), game.turn()), ("1221122112211221", Turn::Over(Outcome::Draw)));
    let won = [4, 0, 8, 3, 5].iter().fold(DoubleStep::new(9, 3), |g, &cell| g.after(cell));
    assert_eq!(won.turn(), Turn::Over(Outcome::win(Player::One)));
}

#[test]
fn pig() {
    let late = Pig::new(20).with_banked(12, 17);
    let starts = [Pig::new(1), Pig::new(20), late, late.after(PigMove::Roll)];
    testing::conformance(&starts, Trials::default());
    testing::text_round_trip(&starts, Trials::default());
    testing::evaluator(&|g: &Pig| f32::from(g.sum()) / 1e4, &starts, FEW);

    let game = late.after(PigMove::Roll).resolved(6);
    assert_eq!(game.position_text(), "20: 12 17 one +6");
    assert_eq!(game.turn(), Turn::Decide(Player::One));
    assert_eq!(game.after(PigMove::Hold).banked(Player::One), 18);
    assert_eq!(game.after(PigMove::Roll).resolved(1).turn(), Turn::Decide(Player::Two));
    assert_eq!(game.after(PigMove::Roll).resolved(2).turn(), Turn::Over(Outcome::win(Player::One)));
    for text in ["20: 20 0 one +0", "20: 12 17 one +1", "20: 12 17 one +14", "20: 12 17 one +8 rolling", "0: 0 0 one +0"] {
        assert!(Pig::parse_position(text).unwrap_err().to_string().contains("not allowed"), "{text}");
    }
    let nine = game.after(PigMove::Hold);
    assert!(nine.parse_move("hold").unwrap_err().to_string().contains("nothing to hold"));
    assert!(nine.parse_event("3").unwrap_err().to_string().contains("nothing is rolling"));
}

#[test]
fn long_and_slow() {
    testing::conformance(&[Countdown::new(0), Countdown::new(2000)], Trials { games: 1, ..Trials::default() });
    testing::conformance(&[Slow::new(TicTacToe::default(), Duration::ZERO)], FEW);
    let (last, outcome) = playout(Countdown::new(100_001), &mut random::generator(1), &mut uniform);
    assert_eq!((last.left(), outcome), (0, Outcome::win(Player::One)));
    // Not a race: a sleep is never shorter than asked.
    let start = std::time::Instant::now();
    let slow = Slow::new(Nim::new(3), Duration::from_millis(3)).after(1);
    assert!(start.elapsed() >= Duration::from_millis(3));
    assert_eq!(slow.game().heap(), 2);
}

#[test]
fn trees_by_hand() {
    let root = || Node::max([Node::min([5, 9]).worth(1.5), Node::min([4, 7]), Node::min([8, 1, 6])]);
    let tree = Tree::from(root());
    let decisions = DecisionTree::from(root());
    assert_eq!((tree.value(), decisions.value(), tree.height(), tree.size()), (5.0, 5.0, 2, 11));
    for (depth, values) in [(1, [1.5, 4.0, 1.0]), (2, [5.0, 4.0, 1.0])] {
        let moves = plain_moves(&tree, &TreeValue::Tight, depth);
        assert_eq!(moves.iter().map(|m| m.1).collect::<Vec<_>>(), values);
        assert_eq!(plain_moves(&decisions, &TreeValue::Tight, depth), moves);
    }
    testing::conformance(&[decisions], FEW);

    // The second event's child is the first one's again: one state, one merged event.
    let twice = Tree::from(Node::even([Node::max([1, 2]), Node::max([1, 2]), Node::min([3]), Node::leaf(-4)]));
    let Turn::Chance(chance) = twice.turn() else { panic!("a chance node") };
    assert_eq!(chance.events().len(), 4);
    assert_eq!(chance.merged(), [(0, 0.5), (2, 0.25), (3, 0.25)]);
    assert_eq!(twice.value(), 0.75);
    assert_eq!(twice, twice.clone());
    assert_eq!(twice.resolved(0), twice.resolved(1));
    assert_ne!(twice, tree);
    testing::conformance(&[twice], FEW);
}

#[test]
fn random_trees() {
    let shape = TreeShape::default();
    let (mut sizes, mut merged, mut repeated, mut twice_in_a_row, mut twins) = (0, 0, 0, 0, 0);
    for seed in 0..60 {
        let tree = Tree::random(&shape, seed);
        assert_eq!(tree, Tree::random(&shape, seed));
        assert!(tree.height() <= shape.depth);
        sizes += tree.size();
        testing::conformance(std::slice::from_ref(&tree), FEW);
        for value in [TreeValue::Wide, TreeValue::Tight, TreeValue::Known] {
            testing::evaluator(&value, std::slice::from_ref(&tree), FEW);
            assert!((plain_value(&tree, &value, 10) - tree.value()).abs() < 1e-6, "{tree:?} {value:?}");
        }
        // What trees are made of, counted along all lines.
        let (mut seen, mut open) = (HashSet::new(), vec![tree]);
        while let Some(state) = open.pop() {
            if !seen.insert(state.clone()) {
                repeated += 1;
                continue;
            }
            match state.turn() {
                Turn::Over(_) => {}
                Turn::Chance(chance) => {
                    merged += usize::from(chance.merged().len() < chance.events().len());
                    let next: HashSet<Tree> = chance.events().iter().map(|e| state.resolved(e.0)).collect();
                    twins += usize::from(next.len() > chance.merged().len());
                    open.extend(next);
                }
                Turn::Decide(player) => {
                    let next: Vec<Tree> = testing::moves(&state).iter().map(|&m| state.after(m)).collect();
                    twice_in_a_row += next.iter().filter(|n| matches!(n.turn(), Turn::Decide(p) if p == player)).count();
                    open.extend(next);
                }
            }
        }
    }
    assert!(sizes > 60 * 50 && sizes < 60 * 500, "{sizes}");
    assert!(merged > 50 && repeated > 200 && twice_in_a_row > 100 && twins > 20, "{merged} {repeated} {twice_in_a_row} {twins}");
    let decisions = DecisionTree::random(&TreeShape { depth: 4, ..shape }, 5);
    testing::conformance(&[decisions], FEW);
}

#[test]
#[should_panic(expected = "no chance nodes")]
fn decision_trees_refuse_dice() {
    let _ = DecisionTree::from(Node::max([Node::even([1, 2])]));
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 64, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn trees_of_any_shape(
        depth in 0_u32..6,
        width in 1_u32..4,
        events in 1_u32..9,
        shares in proptest::array::uniform6(0.0..=1.0),
        seed: u64,
    ) {
        let [chance, ends, passes, mixed, shared, twins] = shares;
        let shape = TreeShape { depth, width, events: if depth > 4 { events.min(3) } else { events }, chance, ends, passes, mixed, shared, twins };
        let tree = Tree::random(&shape, seed);
        prop_assert!(tree.height() <= depth);
        prop_assert!(TreeValue::Tight.bounds(&tree).low <= TreeValue::Tight.bounds(&tree).high);
        testing::conformance(&[tree], Trials { games: 1, ..FEW });
    }
}

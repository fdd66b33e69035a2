//! The same value as plain search, whatever the options and the window.

use gamecore::testing::toys::{Pig, Tree, TreeShape, TreeValue};
use gamecore::testing::{plain_moves, plain_value};
use gamecore::{Chance, Evaluator, Game, Turn};
use proptest::prelude::*;
use search_core::Window;
use search_core::{Bound, Limits, MoveOrder, ReportOf};
use search_expectimax::{Expectimax, Pruning};

use super::variants::variants;

const ROUNDING: f64 = 1e-9;

fn near(x: f64, y: f64) -> bool {
    (x - y).abs() < ROUNDING
}

/// Whether `report` says about `game` what plain search to the same depth says.
pub(crate) fn agrees<G: Game>(
    game: &G,
    evaluator: &impl Evaluator<G>,
    report: &ReportOf<G>,
    explained: bool,
) -> Result<(), TestCaseError> {
    let depth = report.depth;
    match game.turn() {
        Turn::Over(_) => unreachable!("nothing to search"),
        Turn::Decide(player) => {
            let truth = plain_moves(game, evaluator, depth);
            let best =
                truth.iter().map(|t| t.1 * f64::from(player.sign())).fold(f64::NEG_INFINITY, f64::max) * f64::from(player.sign());
            prop_assert!(near(report.value.unwrap(), best), "value {:?} instead of {best}", report.value);
            let chosen = truth.iter().find(|t| Some(t.0) == report.best).expect("the best move is legal");
            prop_assert!(near(chosen.1, best), "the best move is worth {} instead of {best}", chosen.1);
            prop_assert_eq!(truth.len(), report.moves.len());
            for (t, line) in truth.iter().zip(&report.moves) {
                prop_assert_eq!(t.0, line.m);
                let right = match line.bound {
                    Bound::Exact => near(t.1, line.value),
                    Bound::AtLeast => t.1 > line.value - ROUNDING,
                    Bound::AtMost => t.1 < line.value + ROUNDING,
                };
                prop_assert!(right, "{:?} is worth {}, reported {:?} {}", t.0, t.1, line.bound, line.value);
                prop_assert!(!explained || line.bound == Bound::Exact);
                replies_add_up(game, line)?;
            }
        }
        Turn::Chance(chance) => {
            prop_assert!(near(report.value.unwrap(), plain_value(game, evaluator, depth)));
            prop_assert_eq!(report.best, None);
            prop_assert_eq!(chance.events().len(), report.events.len());
            for (event, line) in chance.events().iter().zip(&report.events) {
                prop_assert_eq!((event.0, event.1), (line.event, line.probability));
                let rolled = game.resolved(event.0);
                let bounds = evaluator.bounds(&rolled);
                if bounds.low < bounds.high
                    && let Turn::Decide(_) = rolled.turn()
                {
                    let truth = plain_moves(&rolled, evaluator, depth);
                    let chosen = truth.iter().find(|t| Some(t.0) == line.best).expect("the reply is legal");
                    prop_assert!(near(chosen.1, line.value));
                }
            }
        }
    }
    Ok(())
}

/// The value of a root move is the mean of its replies' values.
fn replies_add_up<G: Game>(game: &G, line: &search_core::MoveLine<G::Move, gamecore::Event<G>>) -> Result<(), TestCaseError> {
    if !line.replies.is_empty() {
        let mean: f64 = line.replies.iter().map(|r| r.probability * r.value).sum();
        prop_assert!(near(mean, line.value), "replies to {:?} in {game:?}", line.m);
    }
    Ok(())
}

/// A window around, beside or far from the value gives the value or a right bound, from a warm table too.
fn windows<G: Game, E: Evaluator<G>, O: MoveOrder<G>>(
    search: &mut Expectimax<G, E, O>,
    game: &G,
    truth: f64,
    depth: u32,
) -> Result<(), TestCaseError> {
    // As narrow as numbers allow: rounding must not turn a window inside out.
    for (low, high) in [
        (truth, truth.next_up()),
        (truth.next_down(), truth),
        (truth.next_down(), truth.next_up()),
        (truth + 1.0, (truth + 1.0).next_up()),
        (truth - 1.0, (truth - 1.0).next_up()),
    ] {
        let (value, bound) = search.value(game, depth, Window { low, high });
        let right = match bound {
            Bound::Exact => near(value, truth),
            Bound::AtLeast => truth > value - ROUNDING && value >= high,
            Bound::AtMost => truth < value + ROUNDING && value <= low,
        };
        prop_assert!(right, "{truth} in {low} to {high}: {bound:?} {value}");
    }
    for (low, high) in [(-0.5, 0.5), (0.001, 0.3), (-0.4, -0.01), (1.5, 2.0), (-3.0, -1.0), (-0.001, 9.0), (-9.0, 0.001)] {
        let window = Window { low: truth + low, high: truth + high };
        let (value, bound) = search.value(game, depth, window);
        let right = match bound {
            Bound::Exact => near(value, truth),
            Bound::AtLeast => value >= window.high && truth > value - ROUNDING,
            Bound::AtMost => value <= window.low && truth < value + ROUNDING,
        };
        prop_assert!(right, "{truth} in {window:?}: {bound:?} {value}");
        if window.low < truth - ROUNDING && truth + ROUNDING < window.high {
            prop_assert_eq!(bound, Bound::Exact);
        }
    }
    Ok(())
}

fn shapes() -> impl Strategy<Value = TreeShape> {
    let share = || 0.0..1.0f64;
    (2..9u32, 1..5u32, 1..9u32, share(), 0.0..0.5f64, share(), share(), share(), share()).prop_map(
        |(depth, width, events, chance, ends, passes, mixed, shared, twins)| TreeShape {
            depth,
            width,
            events,
            chance,
            ends,
            passes,
            mixed,
            shared,
            twins,
        },
    )
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    /// Any tree, any options, any depth: players in any order, passes, rolls after rolls, transpositions, known values.
    #[test]
    fn any_tree_any_options(shape in shapes(), seed: u64, depth in 1..8u32) {
        let tree = Tree::random(&shape, seed);
        prop_assume!(!matches!(tree.turn(), Turn::Over(_)) && tree.size() < 2000);
        for evaluator in [TreeValue::Wide, TreeValue::Tight, TreeValue::Known] {
            let truth = plain_value(&tree, &evaluator, depth);
            for variant in variants() {
                let mut search = variant.search(evaluator);
                let report = search.search(&tree, &Limits::depth(depth)).unwrap();
                agrees(&tree, &evaluator, &report, false).map_err(|e| TestCaseError::fail(format!("{variant:?} {evaluator:?}: {e}")))?;
                let report = search.analyse(&tree, &Limits::depth(depth)).unwrap();
                agrees(&tree, &evaluator, &report, true).map_err(|e| TestCaseError::fail(format!("{variant:?} {evaluator:?} explained: {e}")))?;
                // `value` may answer from the root's own bounds, which plain search does not ask.
                let bounds = evaluator.bounds(&tree);
                if bounds.low < bounds.high {
                    windows(&mut search, &tree, truth, depth)
                        .map_err(|e| TestCaseError::fail(format!("{variant:?} {evaluator:?}: {e}")))?;
                }
            }
        }
    }

    /// Where a player may go on as long as they like.
    #[test]
    fn the_same_player_again(target in 10..30u16, one in 0..20u16, two in 0..20u16, depth in 1..6u32) {
        let pig = Pig::new(target).with_banked(one.min(target - 1), two.min(target - 1));
        let lead = |g: &Pig| (g.key() % 1000) as f32 / 1000.0 - 0.5;
        for variant in variants() {
            let report = variant.ordered(lead, search_core::Unordered).search(&pig, &Limits::depth(depth)).unwrap();
            agrees(&pig, &lead, &report, false).map_err(|e| TestCaseError::fail(format!("{variant:?}: {e}")))?;
        }
    }
}

/// The properties above would hold of a search that never cuts: this one does.
#[test]
fn pruning_saves_nodes_and_windows_save_more() {
    let mut nodes = [0; 3];
    let mut bounds = [0; 3];
    for seed in 0..200 {
        let tree = Tree::random(&TreeShape { depth: 9, width: 4, ends: 0.05, shared: 0.1, ..TreeShape::default() }, seed);
        let Turn::Decide(_) = tree.turn() else { continue };
        let truth = plain_value(&tree, &TreeValue::Tight, 6);
        for (i, pruning) in [Pruning::None, Pruning::Star1, Pruning::Star2].into_iter().enumerate() {
            let mut search = Expectimax::new(TreeValue::Tight).with_pruning(pruning).with_deepening(false);
            nodes[i] += search.search(&tree, &Limits::depth(6)).unwrap().nodes;
            if pruning != Pruning::None {
                for window in [Window { low: truth + 0.1, high: truth + 0.2 }, Window { low: truth - 0.2, high: truth - 0.1 }] {
                    bounds[search.value(&tree, 6, window).1 as usize] += 1;
                }
            }
        }
    }
    assert!(nodes[1] * 10 < nodes[0] * 9, "Star1 visits {} nodes of {}", nodes[1], nodes[0]);
    assert!(nodes[2] < nodes[0], "Star2 visits {} nodes of {}", nodes[2], nodes[0]);
    assert_eq!(bounds[Bound::Exact as usize], 0);
    assert!(bounds[Bound::AtLeast as usize] > 50 && bounds[Bound::AtMost as usize] > 50, "{bounds:?}");
}

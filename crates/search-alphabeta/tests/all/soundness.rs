//! The value of plain minimax, whatever the options and the window, whoever moves next.

use std::collections::HashMap;

use arrayvec::ArrayVec;
use gamecore::testing::toys::{DecisionTree, DoubleStep, TreeShape, TreeValue};
use gamecore::testing::{plain_moves, plain_value};
use gamecore::{Deterministic, Evaluator, Game, Never, Player, Step, Turn, mix};
use proptest::prelude::*;
use search_alphabeta::AlphaBeta;
use search_core::{Bound, Limits, MoveLine, MoveOrder, ReportOf, StopReason, Window};

use super::variants::variants;

/// Whether `report` says about `game` what plain search to the same depth says; `exact` lines at least are no bounds.
fn agrees<G: Deterministic>(
    game: &G,
    evaluator: &impl Evaluator<G>,
    report: &ReportOf<G>,
    exact: usize,
) -> Result<(), TestCaseError> {
    let Turn::Decide(player) = game.turn() else { unreachable!("nothing to search") };
    let truth = plain_moves(game, evaluator, report.depth);
    let best = truth.iter().map(|t| t.1).fold(player.worst(), |x, y| if player.prefers(y, x) { y } else { x });
    prop_assert_eq!(report.value, Some(best));
    let chosen = truth.iter().find(|t| Some(t.0) == report.best).expect("the best move is legal");
    prop_assert_eq!(chosen.1, best);
    prop_assert_eq!(truth.len(), report.moves.len());
    for (t, line) in truth.iter().zip(&report.moves) {
        prop_assert_eq!(t.0, line.m);
        let right = match line.bound {
            Bound::Exact => t.1 == line.value,
            Bound::AtLeast => t.1 >= line.value,
            Bound::AtMost => t.1 <= line.value,
        };
        prop_assert!(right, "{:?} is worth {}, reported {:?} {}", t.0, t.1, line.bound, line.value);
        if line.bound == Bound::Exact {
            leads_there(game, evaluator, line, report.depth)?;
        }
    }
    let found = report.moves.iter().filter(|line| line.bound == Bound::Exact).count();
    prop_assert!(found >= exact.min(truth.len()), "{found} exact values of {exact}");
    Ok(())
}

/// A principal variation is legal, no longer than was searched, and leads to its value.
fn leads_there<G: Deterministic>(
    game: &G,
    evaluator: &impl Evaluator<G>,
    line: &MoveLine<G::Move, Never>,
    depth: u32,
) -> Result<(), TestCaseError> {
    let mut end = game.after(line.m);
    for &step in &line.line {
        let Step::Move(m) = step;
        prop_assert!(end.try_play(m).is_ok());
    }
    prop_assert!(line.line.len() < depth as usize);
    // A line stops where the value is known.
    let bounds = evaluator.bounds(&end);
    let value = match end.turn() {
        Turn::Decide(_) if bounds.low >= bounds.high => f64::from(bounds.low),
        _ => plain_value(&end, evaluator, depth - 1 - line.line.len() as u32),
    };
    prop_assert_eq!(value, line.value);
    Ok(())
}

/// A window around, beside or far from the value gives the value or a right bound, from a warm table too.
fn windows<G: Deterministic, E: Evaluator<G>, O: MoveOrder<G>>(
    search: &mut AlphaBeta<G, E, O>,
    game: &G,
    truth: f64,
    depth: u32,
) -> Result<(), TestCaseError> {
    let narrow = [(truth, truth.next_up()), (truth.next_down(), truth), (truth.next_down(), truth.next_up())];
    let wide =
        [(-0.5, 0.5), (0.0, 0.3), (-0.25, 0.0), (1.5, 2.0), (-3.0, -1.0), (-0.001, 9.0), (-9.0, 0.001), (-99.0, f64::INFINITY)];
    for (low, high) in narrow.into_iter().chain(wide.map(|(low, high)| (truth + low, truth + high))) {
        let (value, bound) = search.value(game, depth, Window { low, high });
        let value = f64::from(value);
        let right = match bound {
            Bound::Exact => value == truth,
            Bound::AtLeast => value >= high && truth >= value,
            Bound::AtMost => value <= low && truth <= value,
        };
        prop_assert!(right, "{truth} in {low} to {high}: {bound:?} {value}");
        prop_assert_eq!(bound == Bound::Exact, low < truth && truth < high);
    }
    Ok(())
}

fn shapes() -> impl Strategy<Value = TreeShape> {
    let share = || 0.0..1.0f64;
    (2..9u32, 1..5u32, 0.0..0.5f64, share(), share(), share()).prop_map(|(depth, width, ends, passes, mixed, shared)| TreeShape {
        depth,
        width,
        chance: 0.0,
        ends,
        passes,
        mixed,
        shared,
        ..TreeShape::default()
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]

    /// Any tree, any options, every depth: players in any order, passes, transpositions, known values.
    #[test]
    fn any_tree_any_options(shape in shapes(), seed: u64, options in 0..48usize, known in 0..3usize) {
        let game = DecisionTree::random(&shape, seed);
        prop_assume!(!matches!(game.turn(), Turn::Over(_)) && game.tree().size() < 1000);
        let evaluator = [TreeValue::Wide, TreeValue::Tight, TreeValue::Known][known];
        let variant = variants()[options];
        let mut search = variant.search(evaluator);
        for depth in 1..=game.tree().height().min(7) {
            let report = search.search(&game, &Limits::depth(depth)).unwrap();
            agrees(&game, &evaluator, &report, 1).map_err(|e| TestCaseError::fail(format!("{variant:?} depth {depth}: {e}")))?;
            let report = search.analyse(&game, &Limits::depth(depth)).unwrap();
            agrees(&game, &evaluator, &report, usize::MAX)
                .map_err(|e| TestCaseError::fail(format!("{variant:?} depth {depth} analysed: {e}")))?;
            // `value` may answer from the root's own bounds, which plain search does not ask.
            let bounds = evaluator.bounds(&game);
            if bounds.low < bounds.high {
                windows(&mut search, &game, plain_value(&game, &evaluator, depth), depth)
                    .map_err(|e| TestCaseError::fail(format!("{variant:?} depth {depth}: {e}")))?;
            }
        }
        let report = search.search(&game, &Limits::default()).unwrap();
        let truth = plain_value(&game, &evaluator, game.tree().height());
        prop_assert_eq!((report.value, report.stop), (Some(truth), StopReason::Solved));
    }

    /// To the end of the game all options agree: those that look deeper, several threads, and those that may change values before
    /// that.
    #[test]
    fn solved_alike(shape in shapes(), seed: u64, threads in 1..4usize, table in prop::sample::select(vec![0, 256, 1 << 16]), unsound: bool) {
        let game = DecisionTree::random(&shape, seed);
        prop_assume!(!matches!(game.turn(), Turn::Over(_)) && game.tree().size() < 1000);
        let mut search = AlphaBeta::new(TreeValue::Wide).with_threads(threads).with_table(table);
        if unsound {
            search = search.with_reductions().with_quiescence(|g: &DecisionTree, out: &mut _| g.moves(out));
        }
        let report = search.search(&game, &Limits::default()).unwrap();
        prop_assert_eq!((report.value, report.stop), (Some(game.tree().value()), StopReason::Solved));
        // What is said of the end is the fewest decisions that the winner needs.
        if report.ends_in.is_some() && !unsound {
            prop_assert_eq!(report.ends_in, Some(distance(&game, &mut HashMap::new()).1));
        }
    }
}

proptest! {
    /// Who prunes proves no less: an end of all the points there are, when no opinion can be worse for who loses, is one, at every
    /// depth.
    #[test]
    fn pruned_proofs_are_proofs(shape in shapes(), seed: u64, depth in 1..8u32, quiet: bool) {
        let game = DecisionTree::random(&shape, seed);
        prop_assume!(!matches!(game.turn(), Turn::Over(_)) && game.tree().size() < 1000);
        let mut search = AlphaBeta::new(TreeValue::Wide)
            .with_reductions_of(1, 1.0)
            .with_late_pruning()
            .with_futility(|value, decisions| value + 0.5 * decisions as f32)
            .with_extension(|g: &DecisionTree| {
                let mut moves = <DecisionTree as Game>::Moves::default();
                g.moves(&mut moves);
                moves.len() == 1
            });
        if quiet {
            search = search.with_quiescence(|g: &DecisionTree, out: &mut _| g.moves(out));
        }
        let report = search.search(&game, &Limits::depth(depth)).unwrap();
        if report.ends_in.is_some() && report.value.map(f64::abs) == Some(f64::from(DecisionTree::MAX_POINTS)) {
            prop_assert_eq!(report.value, Some(game.tree().value()));
        }
    }
}

/// The value, and the decisions to the end if the winner hurries and the loser holds out: by plain recursion.
fn distance(game: &DecisionTree, known: &mut HashMap<DecisionTree, (f64, u32)>) -> (f64, u32) {
    if let Some(&found) = known.get(game) {
        return found;
    }
    let found = match game.turn() {
        Turn::Over(outcome) => (f64::from(outcome.points() as f32), 0),
        Turn::Chance(never) => match never {},
        Turn::Decide(player) => {
            let mut moves = Default::default();
            game.moves(&mut moves);
            let sign = f64::from(player.sign());
            moves
                .iter()
                .map(|&m| distance(&game.after(m), known))
                .map(|(value, plies)| (value, plies + 1))
                .max_by(|x, y| {
                    let rank = |&(value, plies): &(f64, u32)| (sign * value, -(sign * value).signum() * f64::from(plies));
                    rank(x).partial_cmp(&rank(y)).expect("no value is NaN")
                })
                .expect("a decision has moves")
        }
    };
    known.insert(game.clone(), found);
    found
}

/// One moves, then both move twice, as in Connect6; the values are random.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
struct Twice {
    key: u64,
    played: u8,
}

impl Game for Twice {
    type Move = u8;
    type Moves = ArrayVec<u8, 3>;
    type Chance = Never;
    const MAX_POINTS: u16 = 1000;

    fn turn(&self) -> Turn<Never> {
        Turn::Decide(if self.played.div_ceil(2).is_multiple_of(2) { Player::One } else { Player::Two })
    }
    fn moves(&self, out: &mut Self::Moves) {
        out.extend(0..3);
    }
    fn play(&mut self, m: u8) {
        self.key = mix(self.key ^ (u64::from(m) + 1));
        self.played += 1;
    }
    fn resolve(&mut self, event: Never) {
        match event {}
    }
}

/// In a game of this kind a search that changes the sign at every ply gets 301 of 1800 values right, and another crate's 864.
#[test]
fn two_moves_a_turn() {
    let value = |g: &Twice| (g.key % 2001) as f32 - 1000.0;
    for seed in 0..300 {
        let game = Twice { key: mix(seed + 1), played: 0 };
        for depth in 1..=6 {
            let truth = plain_value(&game, &value, depth);
            for variant in variants() {
                let report = variant.search(value).search(&game, &Limits::depth(depth)).unwrap();
                assert_eq!(report.value, Some(truth), "{variant:?}, seed {seed}, depth {depth}");
            }
        }
    }
}

/// The properties above would hold of a search that never cuts.
#[test]
fn every_technique_saves_nodes() {
    let game = DoubleStep::new(12, 4);
    let value = |g: &DoubleStep| (g.key() % 100) as f32 / 1000.0;
    let nodes = |search: AlphaBeta<DoubleStep, _>| {
        let report = { search }.search(&game, &Limits::depth(7)).unwrap();
        (report.value, report.nodes)
    };
    let plain = || AlphaBeta::new(value).with_table(0).with_scouting(false).with_aspiration(false).with_learning(false);
    let steps = [
        nodes(plain()),
        nodes(plain().with_learning(true)),
        nodes(plain().with_learning(true).with_table(1 << 20)),
        nodes(plain().with_learning(true).with_table(1 << 20).with_scouting(true)),
    ];
    let whole: u64 = (6..=12).product();
    assert!(steps[0].1 * 10 < whole, "{} nodes of {whole}", steps[0].1);
    for pair in steps.windows(2) {
        assert!(pair[0].0 == pair[1].0 && pair[1].1 < pair[0].1, "{steps:?}");
    }
}

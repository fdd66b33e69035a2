//! Proofs, convergence, and the shape of the tree.

use gamecore::random::generator;
use gamecore::testing::toys::{DoubleStep, Nim, Node, Pig, TicTacToe, Tree, TreeShape, TreeValue};
use gamecore::testing::{plain_moves, plain_value};
use gamecore::{Bounds, Chance, Evaluator, Game, Leaf, Never, Outcome, Player, PolicyValue, Turn, playout, uniform};
use games_einstein::eval::Race;
use games_einstein::{Einstein, Rules};
use search_core::{Bound, Limits, StopReason, Watch};
use search_expectimax::{Expectimax, Pruning};
use search_mcts::*;
use serde_json::Value;

/// A decision with one die, again and again, and then a draw.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
struct Chain(u32);

struct Sure;

impl Chance for Sure {
    type Event = ();
    fn events(&self) -> &[((), f64)] {
        &[((), 1.0)]
    }
}

impl Game for Chain {
    type Move = ();
    type Moves = Vec<()>;
    type Chance = Sure;

    fn turn(&self) -> Turn<Sure> {
        match self.0 {
            0 => Turn::Over(Outcome::Draw),
            n if n % 2 == 0 => Turn::Decide(Player::One),
            _ => Turn::Chance(Sure),
        }
    }
    fn moves(&self, out: &mut Vec<()>) {
        out.push(());
    }
    fn play(&mut self, (): ()) {
        self.0 -= 1;
    }
    fn resolve(&mut self, (): ()) {
        self.0 -= 1;
    }
}

/// Forced lines are as long as they are: a report, and a check, take no stack for them.
#[test]
fn long_lines_are_reported() {
    let small = std::thread::Builder::new().stack_size(256 << 10);
    let search = || {
        let game = Chain(1_000_000);
        let mut search = Mcts::new(Values(|_: &Chain| 0.0));
        let report = search.search(&game, &Limits::nodes(4_000)).unwrap();
        assert_eq!((report.value, search.check(&game) > 1_000), (Some(0.0), true));
    };
    small.spawn(search).unwrap().join().unwrap();
}

/// Random playouts, and, where a position has been visited 16 times, the truth.
struct InTheEnd(Playouts);

impl Leaves<Tree> for InTheEnd {
    const LOOKS_AGAIN: bool = true;

    fn evaluate(&self, leaves: &mut [Leaf<Tree>], rng: &mut Generator, watch: &mut Watch) -> Result<(), Interrupted> {
        self.0.evaluate(leaves, rng, watch)
    }

    fn bounds_again(&self, game: &Tree, visits: u32) -> Bounds {
        assert!(visits >= 4 && visits.ilog2().is_multiple_of(2) && visits.is_power_of_two(), "{visits}");
        if visits < 16 { Leaves::<Tree>::bounds(self, game) } else { Bounds::exact(game.value() as f32) }
    }
}

/// 2,000 random games with players who move twice, with and without chance, with passes and transpositions: what the
/// solver proves is what plain recursion finds, whatever chooses the way down.
#[test]
fn proofs_are_exact() {
    let (mut proven, mut hinted, mut moves) = (0, 0, 0);
    let (mut usual, mut late) = (0, 0);
    // No sense in it, and some of it no number.
    let wild = |game: &Tree, moves: &[<Tree as Game>::Move], out: &mut [f32]| {
        for (i, h) in out.iter_mut().enumerate().take(moves.len()) {
            *h = match (game.key() ^ i as u64).wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 60 {
                0 => f32::NAN,
                1 => f32::INFINITY,
                x => x as f32 / 4.0 - 2.0,
            };
        }
    };
    let same = |_: &Tree, m: <Tree as Game>::Move| m as usize;
    for seed in 0..2000u64 {
        let chance = if seed % 2 == 0 { 0.3 } else { 0.0 };
        let tree = Tree::random(&TreeShape { chance, ..TreeShape::default() }, seed);
        let truth = tree.value();
        if let Turn::Over(_) = tree.turn() {
            continue;
        }
        let selections =
            [Selection::Ucb1 { c: 1.0 }, Selection::Ucb1Tuned { c: 1.0 }, Selection::Puct { c: 1.5 }, Selection::Ucb1 { c: 0.0 }];
        let selection = selections[(seed / 2 % 4) as usize];
        let rolls = if seed % 3 == 0 { Rolls::Balanced } else { Rolls::Sampled };
        let check = |report: search_core::ReportOf<Tree>, exact: f64| {
            let value = report.value.unwrap();
            assert!(report.stop != StopReason::Solved || (value - truth).abs() < exact, "seed {seed}: {value} for {truth}");
            let table = plain_moves(&tree, &TreeValue::Wide, 20);
            let mut lines = 0;
            for (line, (m, true_value)) in report.moves.iter().zip(&table) {
                assert_eq!(line.m, *m);
                if line.half_width == Some(0.0) {
                    assert!((line.value - true_value).abs() < exact, "seed {seed}, move {m:?}");
                    lines += 1;
                }
            }
            // What is played in a solved position is as good as can be.
            if report.stop == StopReason::Solved
                && let Some(best) = report.best
            {
                let played = table.iter().find(|row| row.0 == best).unwrap().1;
                assert!((played - truth).abs() < exact, "seed {seed}");
            }
            (usize::from(report.stop == StopReason::Solved), lines)
        };
        let limits = Limits::nodes(20_000);
        let mut search = Mcts::new(Playouts::uniform()).with_selection(selection).with_rolls(rolls).with_seed(seed);
        let report = search.search(&tree, &limits).unwrap();
        usual += report.nodes;
        let found = check(report, 1e-9);
        search.check(&tree);
        (proven, moves) = (proven + found.0, moves + found.1);
        // Known values inside, tight bounds, another kind of leaf.
        let mut search = Mcts::new(Values(TreeValue::Known)).with_seed(seed).with_selection(selection);
        check(search.search(&tree, &limits).unwrap(), 1e-5);
        let mut search = Mcts::new(Values(TreeValue::Tight)).with_seed(seed).with_batch(4);
        check(search.search(&tree, &limits).unwrap(), 1e-9);
        search.check(&tree);
        // Values that are found out late.
        let threads = if seed % 16 == 0 { 4 } else { 1 };
        let mut search = Mcts::new(InTheEnd(Playouts::uniform())).with_seed(seed).with_selection(selection);
        search = search.with_threads(threads, Parallel::Tree).with_batch(1 + (seed % 8) as usize);
        let report = search.search(&tree, &limits).unwrap();
        late += report.nodes;
        check(report, 1e-5);
        search.check(&tree);
        // Hints that mislead, and playouts that say what they played; on one tree or with a tree each.
        let parallel = if seed % 4 < 2 { Parallel::Tree } else { Parallel::Root };
        let threads = if seed % 8 == 0 { 2 } else { 1 };
        let rave = Rave::new(Playouts::uniform(), [0.0, 30.0, 1e3, f64::INFINITY][(seed / 4 % 4) as usize], 3, same);
        let with = |search: Mcts<Tree, Biased<Rave<_>, _>>| {
            let search = if seed % 5 == 0 { search.with_first_play_urgency(0.1) } else { search };
            search.with_selection(selection).with_rolls(rolls).with_seed(seed).with_threads(threads, parallel)
        };
        let mut search = with(Mcts::new(Biased::new(rave, 3.0, wild))).with_batch(1 + (seed % 3) as usize);
        let found = check(search.search(&tree, &limits).unwrap(), 1e-9);
        search.check(&tree);
        hinted += found.0;
        let mut search = Mcts::new(Biased::new(Values(TreeValue::Known), 0.5, wild)).with_selection(selection);
        check(search.search(&tree, &Limits::nodes(2000)).unwrap(), 1e-5);
    }
    println!("{hinted} of 2000 proven with hints");
    assert!(hinted > 1800);
    println!("{late} playouts with values that are found out late, {usual} without");
    assert!(late < usual);
    println!("{proven} of 2000 proven, {moves} root moves");
    assert!(proven > 1900);
}

/// A win on every face is a win, although six sixths do not add up to 1; and nothing that looks as good comes before it.
#[test]
fn certain_rolls_are_certain() {
    let faces = (0..6).map(|i| Node::max([Node::leaf(10), Node::leaf(-i)]));
    // All but the last of its replies lose for Two.
    let trap = Node::min((0..200).map(|i| if i == 199 { Node::leaf(-10) } else { Node::leaf(10) }));
    let sure = Tree::from(Node::max([Node::even(faces), trap]));
    for seed in 0..6 {
        let mut search = Mcts::new(Playouts::uniform()).with_seed(seed);
        let report = search.search(&sure, &Limits::nodes(1000)).unwrap();
        assert_eq!((report.best, report.value, report.stop), (Some(0), Some(10.0), StopReason::Solved));
        assert!(report.nodes < 100, "{}", report.nodes);
        // Proofs or not, what is known to be best is played.
        let mut search = Mcts::new(Playouts::uniform()).with_seed(seed).without_solver();
        let win = Tree::from(Node::max([Node::leaf(10), Node::max([Node::max([10, 10])])]));
        assert_eq!(search.search(&win, &Limits::nodes(20)).unwrap().best, Some(0));
    }
}

/// Moves that are lost for certain take no playouts from those behind them, and are not played while there are others.
#[test]
fn widening_goes_on_past_losses() {
    let mut moves = vec![Node::leaf(-10); 9];
    moves.push(Node::leaf(10));
    let tree = Tree::from(Node::max(moves));
    let narrow = Widening { factor: 1.0, exponent: 0.25 };
    let mut search = Mcts::new(Playouts::uniform()).with_widening(narrow);
    let report = search.search(&tree, &Limits::nodes(20)).unwrap();
    assert_eq!((report.best, report.value, report.stop), (Some(9), Some(10.0), StopReason::Solved));
    let mut search = Mcts::new(Playouts::uniform()).with_widening(narrow);
    let report = search.search(&tree, &Limits::nodes(3)).unwrap();
    let best = report.moves.iter().find(|line| Some(line.m) == report.best).unwrap();
    assert_eq!((best.nodes, best.bound), (0, Bound::AtLeast), "{:?}", report.best);
}

/// Nim for a match: a win is worth -50, a loss -100, and 15 counters are known to be won.
struct Match;

impl Evaluator<Nim> for Match {
    fn value(&self, _: &Nim) -> f32 {
        -70.0
    }
    fn terminal(&self, _: &Nim, outcome: Outcome) -> f32 {
        if outcome.points() > 0 { -50.0 } else { -100.0 }
    }
    fn bounds(&self, game: &Nim) -> Bounds {
        if *game == Nim::new(15) { Bounds::exact(-50.0) } else { Bounds { low: -100.0, high: -50.0 } }
    }
}

/// A known root has moves on the evaluator's scale.
#[test]
fn known_roots_have_the_scale_of_their_moves() {
    let mut search = Mcts::new(Values(Match));
    let report = search.search(&Nim::new(15), &Limits::nodes(2)).unwrap();
    let lines: Vec<_> = report.moves.iter().map(|l| (l.nodes, l.value, l.bound)).collect();
    assert_eq!(lines[2], (0, -100.0, Bound::AtLeast), "{lines:?}");
    assert_eq!((lines[0], lines[1]), ((1, -70.0, Bound::Exact), (1, -70.0, Bound::Exact)));
    // One value at the mean, two at each end: 25 at most to either side, and something.
    assert!(report.moves[..2].iter().all(|l| (15.0..30.0).contains(&l.half_width.unwrap())), "{:?}", report.moves);
    let report = Mcts::new(Values(Match)).search(&Nim::new(15), &Limits::nodes(5000)).unwrap();
    assert_eq!((report.best, report.value, report.stop), (Some(3), Some(-50.0), StopReason::Solved));
}

/// Without proofs it still gets there.
#[test]
fn values_converge() {
    for seed in 0..60 {
        let tree = Tree::random(&TreeShape { depth: 4, ..TreeShape::default() }, seed);
        if matches!(tree.turn(), Turn::Over(_)) {
            continue;
        }
        let truth = plain_value(&tree, &TreeValue::Wide, 20);
        let selections = [Selection::Ucb1 { c: 1.5 }, Selection::Ucb1Tuned { c: 2.0 }, Selection::Puct { c: 3.0 }];
        let mut search = Mcts::new(Playouts::uniform()).without_solver().with_selection(selections[seed as usize % 3]);
        let report = search.search(&tree, &Limits::nodes(60_000)).unwrap();
        let value = report.value.unwrap();
        let scale = f64::from(Tree::MAX_POINTS);
        assert!((value - truth).abs() < 0.03 * scale, "seed {seed}: {value} for {truth}");
        assert_eq!((report.nodes, report.stop), (60_000, StopReason::Nodes));
        let visits: u64 = report.moves.iter().map(|l| l.nodes).sum();
        assert!(report.moves.is_empty() || visits == 60_000, "seed {seed}: {visits}");
    }
}

fn endgames() -> impl Iterator<Item = (Einstein, Value)> {
    let data = include_str!("../../../games-einstein/tests/data/exact.jsonl");
    data.lines().map(|line| {
        let case: Value = serde_json::from_str(line).unwrap();
        let squares =
            |key: &str| -> Vec<i8> { case[key].as_array().unwrap().iter().map(|x| x.as_i64().unwrap() as i8).collect() };
        let mover = Player::BOTH[case["stm"].as_u64().unwrap() as usize];
        let game = Einstein::from_squares(Rules::STANDARD, [&squares("p0"), &squares("p1")], mover, None).unwrap();
        (game, case)
    })
}

/// Endgames of EinStein that were solved by an independent program: ten times the playouts, a third of the error.
#[test]
fn endgames_converge_to_their_exact_values() {
    let mut means = Vec::new();
    for playouts in [20_000, 200_000] {
        let (mut errors, mut solved) = (Vec::new(), 0);
        for (game, case) in endgames().take(40) {
            // The chance of the side to move there, points for One here.
            let value = case["value"].as_f64().unwrap() * 2.0 - 1.0;
            let truth = if case["stm"] == 0 { value } else { -value };
            let mut search = Mcts::new(Playouts::uniform()).with_seed(1);
            let report = search.search(&game, &Limits::nodes(playouts)).unwrap();
            search.check(&game);
            let error = (report.value.unwrap() - truth).abs();
            assert!(report.stop != StopReason::Solved || error < 1e-9, "{}: {error}", case["id"]);
            assert_eq!(report.events.len(), 6);
            for line in &report.events {
                let rolled = game.resolved(line.event);
                assert!(line.best.is_none_or(|m| rolled.clone().try_play(m).is_ok()));
            }
            solved += usize::from(report.stop == StopReason::Solved);
            errors.push(error);
        }
        let (mean, most) = (errors.iter().sum::<f64>() / 40.0, errors.iter().copied().fold(0.0, f64::max));
        println!("{playouts} playouts: {solved} of 40 proven, mean error {mean:.4}, largest {most:.4}");
        assert!(solved > 10 && most < 0.3, "{errors:?}");
        means.push(mean);
    }
    assert!(means[1] < 0.02 && means[1] < means[0] / 2.0, "{means:?}");
}

/// Every move in the tree is legal for the roll above it, in games with dice and without. (A tree that keeps one list of
/// moves for all rolls of a position fails here.)
#[test]
fn moves_fit_the_roll_above_them() {
    let mut rng = generator(5);
    let mut moves = 0;
    for seed in 0..20 {
        let layout = games_einstein::Layout::random(Rules::STANDARD, &mut rng);
        let start = Einstein::new(Rules::STANDARD, [&layout, &layout], Player::One).unwrap();
        let mut search = Mcts::new(Playouts::uniform()).with_seed(seed);
        search.search(&start, &Limits::nodes(20_000)).unwrap();
        moves += search.check(&start);
    }
    assert!(moves > 100_000, "{moves}");
}

/// Ties of the evaluator do not matter: the expectimax value of the best move, within the noise of the playouts.
#[test]
fn evaluators_replace_playouts() {
    let mut rng = generator(7);
    let layout = games_einstein::Layout::random(Rules::STANDARD, &mut rng);
    let start = Einstein::new(Rules::STANDARD, [&layout, &layout], Player::Two).unwrap().resolved(3);
    let exact = Expectimax::new(Race).with_pruning(Pruning::Star2).with_table(1 << 22).search(&start, &Limits::depth(5)).unwrap();
    for search in [
        &mut Mcts::new(Values(Race)) as &mut dyn search_core::Analyst<Einstein>,
        &mut Mcts::new(Playouts::uniform().cut_after(4, Race)),
    ] {
        let report = search.analyse(&start, &Limits::nodes(100_000)).unwrap();
        assert!((report.value.unwrap() - exact.value.unwrap()).abs() < 0.15, "{:?} {:?}", report.value, exact.value);
        for line in &report.moves {
            assert!(line.nodes > 0 && line.half_width.unwrap() > 0.0 && line.bound == Bound::Exact);
            assert_eq!((line.line.len(), line.replies.len()), (0, 6));
        }
    }
}

/// A move's line begins with the answer to it.
#[test]
fn lines_go_on_after_their_move() {
    let game = TicTacToe::from_rows("x.x.oo..x", Player::Two).unwrap();
    // Not proven, it looks at all moves, and so often that their lines go to the end.
    let mut search = Mcts::new(Playouts::uniform()).without_solver();
    let report = search.search(&game, &Limits::nodes(5_000)).unwrap();
    assert_eq!(report.moves.len(), 4);
    for line in &report.moves {
        let mut end = game.after(line.m);
        for &step in &line.line {
            let gamecore::Step::Move(m) = step;
            end.try_play(m).unwrap_or_else(|e| panic!("{line:?}: {e}"));
        }
        assert!(matches!(end.turn(), Turn::Over(_)), "{line:?} is not played to the end");
    }
}

/// Priors that point at the right move, and values that know nothing.
struct Oracle;

impl PolicyValue<Nim> for Oracle {
    fn evaluate(&self, leaves: &mut [Leaf<Nim>]) {
        for leaf in leaves {
            let Turn::Decide(mover) = leaf.game.turn() else { panic!("decisions only") };
            let worth = |m: &u8| plain_value(&leaf.game.after(*m), &|_: &Nim| 0.0, 30) * f64::from(mover.sign());
            let weights: Vec<f32> = leaf.moves.iter().map(|m| if worth(m) > 0.0 { 1.0 } else { 0.5 }).collect();
            let sum: f32 = weights.iter().sum();
            leaf.priors = weights.iter().map(|w| w / sum).collect();
            leaf.value = 0.0;
        }
    }
}

/// Knows nothing of Pig.
struct Even;

impl PolicyValue<Pig> for Even {
    fn evaluate(&self, leaves: &mut [Leaf<Pig>]) {
        for leaf in leaves {
            leaf.priors = vec![1.0 / leaf.moves.len() as f32; leaf.moves.len()];
            leaf.value = 0.0;
        }
    }
}

#[test]
fn networks_are_asked_in_batches() {
    for (n, batch) in [(15, 1), (14, 4), (13, 16)] {
        let mut search = Mcts::new(Network(Oracle)).with_batch(batch).with_seed(3);
        let report = search.search(&Nim::new(n), &Limits::nodes(20_000)).unwrap();
        assert_eq!((report.best, report.stop), (Some((n % 4) as u8), StopReason::Solved), "{n}");
        search.check(&Nim::new(n));
    }
    // Priors lead the first playouts, and a tree that is full goes on.
    let mut search = Mcts::new(Network(Oracle)).without_solver().with_batch(1);
    let report = search.search(&Nim::new(15), &Limits::nodes(30)).unwrap();
    let visits: Vec<(u8, u64)> = report.moves.iter().map(|l| (l.m, l.nodes)).collect();
    let right = visits.iter().find(|v| v.0 == 3).unwrap().1;
    assert!(visits.iter().all(|v| v.0 == 3 || v.1 < right), "{visits:?}");
    for batch in [1, 16] {
        let mut search = Mcts::new(Network(Even)).with_memory(1).without_solver().with_batch(batch);
        let report = search.search(&Pig::new(100), &Limits::nodes(60_000)).unwrap();
        assert_eq!((report.nodes, report.stop), (60_000, StopReason::Nodes));
        search.check(&Pig::new(100));
    }
    let noisy = |seed| {
        let noise = Noise { alpha: 0.3, share: 0.5 };
        let mut search = Mcts::new(Network(Oracle)).with_root_noise(noise).with_seed(seed).without_solver();
        let report = search.search(&Nim::new(16), &Limits::nodes(200)).unwrap();
        report.moves.iter().map(|l| l.nodes).collect::<Vec<_>>()
    };
    assert_eq!(noisy(1), noisy(1));
    assert!((2..9).any(|seed| noisy(seed) != noisy(1)));
}

/// Likes the first move only, and knows nothing else.
struct Stubborn;

impl PolicyValue<Nim> for Stubborn {
    fn evaluate(&self, leaves: &mut [Leaf<Nim>]) {
        for leaf in leaves {
            leaf.priors = (0..leaf.moves.len()).map(|i| if i == 0 { 1.0 } else { 0.0 }).collect();
            leaf.value = 0.0;
        }
    }
}

/// Even noise and nothing else makes all moves alike, whoever searches; without it one is tried.
#[test]
fn noise_reaches_every_kind_of_search() {
    for (threads, parallel) in [(1, Parallel::Tree), (2, Parallel::Tree), (4, Parallel::Tree), (3, Parallel::Root)] {
        for seed in 0..20 {
            let tried = |noise: Option<Noise>| {
                let search = Mcts::new(Network(Stubborn)).with_threads(threads, parallel).with_seed(seed).with_batch(2);
                let mut search = if let Some(noise) = noise { search.with_root_noise(noise) } else { search };
                let report = search.search(&Nim::new(1000), &Limits::nodes(120)).unwrap();
                report.moves.iter().filter(|l| l.nodes > 10).count()
            };
            assert_eq!((tried(None), tried(Some(Noise { alpha: 100.0, share: 1.0 }))), (1, 3), "{threads} {parallel:?} {seed}");
        }
    }
}

/// Options that mean nothing still find moves, and noise does not pile up from search to search.
#[test]
fn nonsense_finds_moves() {
    for x in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY, 0.0] {
        let mut search = Mcts::new(Network(Oracle))
            .with_root_noise(Noise { alpha: x, share: x })
            .with_widening(Widening { factor: x, exponent: x })
            .with_first_play_urgency(x)
            .with_selection(Selection::Puct { c: x });
        let report = search.search(&Nim::new(15), &Limits::nodes(3000)).unwrap();
        assert!(report.best.is_some() && report.value.is_some_and(f64::is_finite), "{x}: {report:?}");
    }
    let noise = Noise { alpha: 0.05, share: 0.25 };
    let mut search = Mcts::new(Network(Last)).with_root_noise(noise).with_batch(1).without_solver();
    search = search.with_selection(Selection::Puct { c: 100.0 });
    let mut before = vec![0; 9];
    for _ in 0..12 {
        let report = search.search(&TicTacToe::default(), &Limits::nodes(2000)).unwrap();
        let now: Vec<u64> = report.moves.iter().map(|l| l.nodes).collect();
        // Three quarters of the smallest prior, 1/45, less what the values say.
        let fresh: Vec<u64> = now.iter().zip(&before).map(|(a, b)| a - b).collect();
        before = now;
        let share = before[0] as f64 / before.iter().sum::<u64>() as f64;
        assert!(share > 0.6 / 45.0, "{fresh:?}");
    }
}

/// Thinks best of the last move.
struct Last;

impl PolicyValue<TicTacToe> for Last {
    fn evaluate(&self, leaves: &mut [Leaf<TicTacToe>]) {
        for leaf in leaves {
            let sum = (1..=leaf.moves.len()).sum::<usize>() as f32;
            leaf.priors = (1..=leaf.moves.len()).map(|i| i as f32 / sum).collect();
            leaf.value = 0.0;
        }
    }
}

/// Widening begins with the best priors, on any number of threads, in a new tree or an old one; reports keep the game's order.
#[test]
fn widening_begins_with_the_best() {
    let narrow = Widening { factor: 2.0, exponent: 0.0 };
    for (threads, parallel) in [(1, Parallel::Tree), (2, Parallel::Tree), (2, Parallel::Root)] {
        let mut search = Mcts::new(Network(Last)).with_widening(narrow).without_solver().with_threads(threads, parallel);
        for _ in 0..3 {
            let report = search.search(&TicTacToe::default(), &Limits::nodes(500)).unwrap();
            let lines: Vec<(u8, bool)> = report.moves.iter().map(|l| (l.m, l.nodes > 0)).collect();
            assert_eq!(lines, (0..9).map(|m| (m, m >= 7)).collect::<Vec<_>>(), "{parallel:?}");
            search.check(&TicTacToe::default());
        }
    }
}

/// A stronger policy gives better values, and widening looks at few moves.
#[test]
fn options_do_what_they_say() {
    let start = TicTacToe::default();
    let widening = Widening { factor: 1.0, exponent: 0.25 };
    let mut search = Mcts::new(Playouts::uniform()).with_widening(widening).without_solver();
    let report = search.search(&start, &Limits::nodes(200)).unwrap();
    let tried = report.moves.iter().filter(|l| l.nodes > 0).count();
    assert!((2..=4).contains(&tried), "{tried}");
    assert!(report.moves.iter().any(|l| l.nodes == 0 && l.bound != Bound::Exact));

    let mut search = Mcts::new(Playouts::uniform()).with_first_play_urgency(0.1).without_solver();
    let report = search.search(&start, &Limits::nodes(100)).unwrap();
    assert!(report.moves.iter().any(|l| l.nodes > 12));

    let lean = |at| {
        let mut search = Mcts::new(Playouts::uniform()).with_expansion_at(at).without_solver();
        search.search(&start, &Limits::nodes(5000)).unwrap();
        search.tree_len()
    };
    assert!(lean(10) * 3 < lean(1), "{} {}", lean(10), lean(1));

    for choice in [Choice::Visits, Choice::Secure] {
        let mut search = Mcts::new(Playouts::uniform()).with_choice(choice);
        let board = TicTacToe::from_rows("xx.oo....", Player::One).unwrap();
        assert_eq!(search.search(&board, &Limits::nodes(500)).unwrap().best, Some(2));
    }
}

/// The mean over a roll's playouts is the average over its events, some of them proven, when each is visited as often as it
/// should be; drawn at random, about.
#[test]
fn rolls_are_weighed_by_their_probabilities() {
    let deep = |points: i32| Node::max([Node::max([Node::max([points])])]);
    let tree = Tree::from(Node::max([Node::chance([(0.5, Node::leaf(0)), (0.4, deep(3)), (0.1, deep(-5))])]));
    for (rolls, most) in [(Rolls::Balanced, 0.02), (Rolls::Sampled, 0.1)] {
        let mut search = Mcts::new(Playouts::uniform()).with_rolls(rolls).without_solver();
        search.search(&tree, &Limits::nodes(20_000)).unwrap();
        let nodes: Value = serde_json::from_str(&search.export(1).json()).unwrap();
        let mean = nodes[0]["value"].as_f64().unwrap();
        assert!((mean - 0.7).abs() < most, "{rolls:?}: {mean}");
    }
    let turn = Pig::new(30).after(gamecore::testing::toys::PigMove::Roll);
    let mut search = Mcts::new(Playouts::uniform()).with_rolls(Rolls::Balanced).without_solver();
    let few = search.search(&turn, &Limits::nodes(3)).unwrap();
    let mean: f64 = few.events.iter().map(|e| e.probability * e.value).sum();
    assert!((mean - few.value.unwrap()).abs() < 1e-9);
}

/// Hints order the first tries for whoever moves, matter less and less, and nothing at weight 0.
#[test]
fn bias_leads_and_fades() {
    let last_first = |_: &TicTacToe, moves: &[u8], out: &mut [f32]| {
        for (m, h) in moves.iter().zip(out) {
            assert_eq!(*h, 0.0);
            *h = f32::from(*m);
        }
    };
    for selection in [Selection::Ucb1 { c: 1.0 }, Selection::Ucb1Tuned { c: 1.0 }] {
        for game in [TicTacToe::default(), TicTacToe::default().after(4)] {
            let visits = |weight: f64, playouts, urgency: Option<f64>| {
                let search = Mcts::new(Biased::new(Playouts::uniform(), weight, last_first)).without_solver();
                let search = if let Some(less) = urgency { search.with_first_play_urgency(less) } else { search };
                let report = search.with_selection(selection).search(&game, &Limits::nodes(playouts)).unwrap();
                report.moves.iter().map(|l| l.nodes).collect::<Vec<_>>()
            };
            let moves = visits(1.0, 1, None).len();
            for n in 1..moves {
                let tried = visits(1.0, n as u64, None);
                assert!(tried.iter().enumerate().all(|(i, v)| *v == u64::from(i >= moves - n)), "{n}: {tried:?}");
            }
            // With urgency a move of which nothing is said is left out while the hints are strong; in the end results count.
            let early = visits(100.0, 20, Some(0.0));
            assert!(early[0] == 0 && early.iter().max() == early.last(), "{early:?}");
            assert!(visits(100.0, 20_000, Some(0.0)).iter().all(|&v| v > 10));
            let mut plain = Mcts::new(Playouts::uniform()).without_solver().with_selection(selection);
            let plain = plain.search(&game, &Limits::nodes(3000)).unwrap();
            assert_eq!(visits(0.0, 3000, None), plain.moves.iter().map(|l| l.nodes).collect::<Vec<_>>());
        }
    }
}

/// Without hints too, urgency does not stay with the first move that is no worse than the mean.
#[test]
fn urgency_leaves_no_move_out() {
    for selection in [Selection::Ucb1 { c: 1.0 }, Selection::Ucb1Tuned { c: 1.0 }] {
        for n in [5, 6, 7, 9, 10, 11] {
            let search = Mcts::new(Playouts::uniform()).without_solver().with_first_play_urgency(0.0);
            let report = search.with_selection(selection).search(&Nim::new(n), &Limits::nodes(20_000)).unwrap();
            assert_eq!(report.best, Some((n % 4) as u8), "{selection:?} {n}");
        }
    }
}

/// As good as the same search without, once there are playouts enough; PUCT takes no notice.
#[test]
fn rave_finds_what_is_to_be_found() {
    let square = |_: &TicTacToe, m: u8| usize::from(m);
    let rave = |selection| Mcts::new(Rave::new(Playouts::uniform(), 300.0, 9, square)).with_selection(selection).with_seed(2);
    for selection in [Selection::Ucb1 { c: 0.7 }, Selection::Ucb1Tuned { c: 0.7 }] {
        let board = TicTacToe::from_rows("x.x.oo..x", Player::Two).unwrap();
        assert_eq!(rave(selection).search(&board, &Limits::nodes(1000)).unwrap().best, Some(3));
        let report = rave(selection).without_solver().search(&TicTacToe::default(), &Limits::nodes(30_000)).unwrap();
        assert!(report.best == Some(4) && report.value.unwrap().abs() < 0.15, "{:?} {:?}", report.best, report.value);
    }
    let visits = |report: search_core::ReportOf<TicTacToe>| report.moves.iter().map(|l| l.nodes).collect::<Vec<_>>();
    let start = TicTacToe::default();
    let puct = Selection::Puct { c: 1.5 };
    let mut plain = Mcts::new(Playouts::uniform()).with_selection(puct).with_seed(2);
    let limits = Limits::nodes(2000);
    assert_eq!(visits(rave(puct).search(&start, &limits).unwrap()), visits(plain.search(&start, &limits).unwrap()));
}

/// How many of the reports by different seeds have an interval around a move's value that covers what all of them find on
/// average.
fn covered<G: Game>(games: &[G], playouts: u64) -> f64 {
    let (mut inside, mut all) = (0, 0);
    for game in games {
        let reports: Vec<_> = (0..24)
            .map(|seed| {
                let mut search = Mcts::new(Playouts::uniform()).without_solver().with_seed(seed);
                search.search(game, &Limits::nodes(playouts)).unwrap().moves
            })
            .collect();
        for i in 0..reports[0].len() {
            let mean = reports.iter().map(|lines| lines[i].value).sum::<f64>() / reports.len() as f64;
            inside += reports.iter().filter(|lines| (lines[i].value - mean).abs() <= lines[i].half_width.unwrap()).count();
            all += reports.len();
        }
    }
    inside as f64 / f64::from(all as u32)
}

/// Intervals are about the value beside them.
#[test]
fn intervals_cover_what_searches_find() {
    let board = TicTacToe::default();
    let boards = covered(&[board, board.after(0), board.after(4)], 1000);
    let pigs = covered(&[Pig::new(30), Pig::new(60)], 3000);
    let dice: Vec<_> =
        (0..4).map(|seed| playout_start(seed).after(playout_start(seed).random_move(&mut generator(seed)))).collect();
    let dice: Vec<_> = dice.into_iter().map(|game| game.resolved(2)).collect();
    let dice = covered(&dice, 2000);
    println!("{boards} {pigs} {dice}");
    assert!(boards > 0.93 && pigs > 0.93 && dice > 0.93, "{boards} {pigs} {dice}");
}

#[test]
fn players_may_move_twice() {
    let game = DoubleStep::new(9, 3);
    let truth = plain_value(&game, &|_: &DoubleStep| 0.0, 40);
    let report = Mcts::new(Playouts::uniform()).search(&game, &Limits::nodes(200_000)).unwrap();
    assert!((report.value.unwrap() - truth).abs() < 0.1, "{:?} {truth}", report.value);
}

/// The report of one thread depends on the seed alone.
#[test]
fn the_seed_decides_everything() {
    let start = playout_start(3);
    let run = |seed| {
        let mut search = Mcts::new(Playouts::uniform()).with_seed(seed);
        let report = search.search(&start, &Limits::nodes(3000)).unwrap();
        (report.best, report.moves.iter().map(|l| (l.nodes, l.value.to_bits())).collect::<Vec<_>>(), search.tree_len())
    };
    assert_eq!(run(1), run(1));
    assert_ne!(run(1), run(2));
    let hinted = |seed| {
        let captures = |game: &Einstein, moves: &[games_einstein::Move], out: &mut [f32]| {
            for (m, h) in moves.iter().zip(out) {
                *h = games_einstein::ordering(game, *m) as f32 / 50.0;
            }
        };
        let kind = |game: &Einstein, m: games_einstein::Move| games_einstein::ordering(game, m).unsigned_abs() as usize;
        let leaves = Biased::new(Rave::new(Playouts::uniform(), 100.0, 64, kind), 0.5, captures);
        let mut search = Mcts::new(leaves).with_seed(seed).with_selection(Selection::Ucb1Tuned { c: 1.0 });
        let report = search.search(&start, &Limits::nodes(3000)).unwrap();
        search.check(&start);
        (report.best, report.moves.iter().map(|l| (l.nodes, l.value.to_bits())).collect::<Vec<_>>(), search.tree_len())
    };
    assert_eq!(hinted(1), hinted(1));
    assert_ne!(hinted(1), hinted(2));
    assert_ne!(hinted(1), run(1));
}

/// Some position with a die rolled.
fn playout_start(seed: u64) -> Einstein {
    let mut rng = generator(seed);
    let layout = games_einstein::Layout::natural(Rules::STANDARD);
    let start = Einstein::new(Rules::STANDARD, [&layout, &layout], Player::One).unwrap();
    assert!(playout(start, &mut rng, &mut uniform).1.winner().is_some());
    start.resolved(4)
}

#[test]
fn trees_can_be_looked_at() {
    let mut search = Mcts::new(Playouts::uniform()).with_seed(1);
    search.search(&playout_start(1), &Limits::nodes(2000)).unwrap();
    let export = search.export(30);
    let nodes: Value = serde_json::from_str(&export.json()).unwrap();
    let nodes = nodes.as_array().unwrap();
    assert_eq!((nodes.len(), nodes[0]["visits"].as_u64(), nodes[0]["parent"].is_null()), (30, Some(2000), true));
    for node in &nodes[1..] {
        let parent = &nodes[node["parent"].as_u64().unwrap() as usize];
        assert!(parent["visits"].as_u64() >= node["visits"].as_u64() && node["value"].as_f64().unwrap().abs() <= 1.0);
    }
    let dot = export.dot();
    assert!(dot.starts_with("digraph tree {") && dot.matches(";\n  n").count() > 29 && dot.contains("ellipse"), "{dot}");
    assert_eq!(search.export(0).json().lines().count(), 3);
}

/// A move with a name that has everything in it.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
struct Odd(char);

impl std::fmt::Debug for Odd {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "<{}>", self.0)
    }
}

const ODD: [char; 10] = ['a', '\u{7f}', '\'', '"', '\\', 'é', '\n', '\0', '\u{85}', '😀'];

#[derive(Clone, PartialEq, Eq, Hash, Debug)]
struct Letters(u8);

impl Game for Letters {
    type Move = Odd;
    type Moves = Vec<Odd>;
    type Chance = Never;

    fn turn(&self) -> Turn<Never> {
        if self.0 == 0 { Turn::Over(Outcome::Draw) } else { Turn::Decide(Player::One) }
    }
    fn moves(&self, out: &mut Vec<Odd>) {
        out.extend(ODD.map(Odd));
    }
    fn play(&mut self, _: Odd) {
        self.0 -= 1;
    }
    fn resolve(&mut self, never: Never) {
        match never {}
    }
}

#[test]
fn exports_are_json_whatever_moves_are_called() {
    let mut search = Mcts::new(Playouts::uniform());
    search.search(&Letters(2), &Limits::nodes(20)).unwrap();
    let nodes: Value = serde_json::from_str(&search.export(11).json()).unwrap();
    let mut names: Vec<&str> = nodes.as_array().unwrap().iter().map(|node| node["name"].as_str().unwrap()).collect();
    let mut right: Vec<String> = ODD.iter().map(|c| format!("<{c}>")).chain(["root".into()]).collect();
    names.sort_unstable();
    right.sort_unstable();
    assert_eq!(names, right);
}

//! What each ingredient of the Connect6 engine is worth: an engine against the same with one of them left out, or with another in its
//! place, at the same number of nodes a stone, by pairs of games from random openings with sides exchanged; and what each side's
//! turn costs in CPU time.
//!
//! `cargo run --release -p benches --bin connect6_variants [PAIRS [NODES [VARIANT]...]]`; all variants unless some are named.

use cpu_time::ProcessTime;
use engines::connect6::{Algorithm, Engine, Part, Worth};
use gamecore::{History, Outcome, Player, Step, random};
use games_connect6::learned::Net;
use games_connect6::{Connect6, Point};
use rand::Rng;
use search_core::{Agent, Limits};
use search_mcts::Widening;

/// A name, the algorithm of the engine that it is a variant of, its own, and how it is made.
type Variant = (&'static str, [Algorithm; 2], fn() -> Engine);

use Algorithm::{AlphaBeta, Mcts};

const ALPHA_BETA: [Algorithm; 2] = [AlphaBeta; 2];
const TREE: [Algorithm; 2] = [Mcts; 2];

const VARIANTS: [Variant; 23] = [
    ("same", ALPHA_BETA, Engine::new),
    ("no-vcdt-at-the-root", ALPHA_BETA, || Engine::without(&[Part::VcdtAtRoot])),
    ("no-second-order", ALPHA_BETA, || Engine::without(&[Part::SecondOrder])),
    ("no-vcdt-below", ALPHA_BETA, || Engine::without(&[Part::VcdtBelow])),
    ("no-vcdt-far", ALPHA_BETA, || Engine::without(&[Part::VcdtFar])),
    ("no-vcdt", ALPHA_BETA, || Engine::without(&[Part::VcdtAtRoot, Part::VcdtBelow])),
    ("no-reductions", ALPHA_BETA, || Engine::without(&[Part::Reductions])),
    ("no-learning", ALPHA_BETA, || Engine::without(&[Part::Learning])),
    ("no-table", ALPHA_BETA, || Engine::without(&[Part::Table])),
    ("narrow", ALPHA_BETA, || Engine::new().with_width([8, 8])),
    ("wide", ALPHA_BETA, || Engine::new().with_width([32, 32])),
    ("learned", ALPHA_BETA, || Engine::new().with_net(Some(Net::built_in()))),
    ("alpha-beta", [Mcts, AlphaBeta], Engine::new),
    ("mcts-no-vcdt", TREE, || Engine::without(&[Part::VcdtAtRoot, Part::VcdtBelow])),
    ("mcts-no-vcdt-again", TREE, || Engine::without(&[Part::VcdtAgain])),
    ("mcts-no-second-order", TREE, || Engine::without(&[Part::SecondOrder])),
    ("mcts-no-second-order-again", TREE, || Engine::without(&[Part::SecondOrderAgain])),
    ("mcts-no-priors", TREE, || Engine::without(&[Part::Priors])),
    ("mcts-learned", TREE, || Engine::new().with_net(Some(Net::built_in()))),
    ("mcts-wide", TREE, || Engine::new().with_width([24, 24])),
    ("mcts-playouts", TREE, || Engine::new().with_worth(Worth::Playout)),
    ("mcts-cut-playouts", TREE, || Engine::new().with_worth(Worth::Cut(4))),
    ("mcts-widening", TREE, || Engine::new().with_width([48, 48]).with_widening(Widening { factor: 4.0, exponent: 0.4 })),
];

/// One stone in the middle and two or four more near it.
fn opening(seed: u64) -> Vec<Point> {
    let mut rng = random::generator(seed);
    let stones = if rng.next_u32().is_multiple_of(2) { 3 } else { 5 };
    let mut points = vec![Point::new(9, 9).expect("a point of the board")];
    while points.len() < stones {
        let reach = if stones == 3 { 2 } else { 3 };
        let [x, y] = [0; 2].map(|_| 9 - reach + (rng.next_u32() % u32::from(2 * reach + 1)) as u8);
        points.extend(Point::new(x, y).filter(|point| !points.contains(point)));
    }
    points
}

/// A side and what it has spent.
struct Side {
    engine: Engine,
    seconds: f64,
    turns: u32,
}

impl Side {
    fn new(engine: Engine) -> Self {
        Self { engine, seconds: 0.0, turns: 0 }
    }
}

/// A game; what the first side scores.
fn play(sides: &mut [Side], seed: u64, first_is: Player, nodes: u64) -> f64 {
    let mut history = History::from(Connect6::default());
    opening(seed).into_iter().for_each(|point| history.push(Step::Move(point)));
    sides.iter_mut().for_each(|side| side.engine.new_game(seed));
    while history.state().outcome().is_none() {
        let mover = history.state().mover();
        let side = &mut sides[usize::from(mover != first_is)];
        side.turns += u32::from(history.state().left() == 2);
        let clock = ProcessTime::now();
        let report = side.engine.choose(&history, &Limits::nodes(nodes)).expect("there is something to decide");
        side.seconds += clock.elapsed().as_secs_f64();
        history.push(Step::Move(report.best.expect("a decision has a move")));
    }
    match history.state().outcome() {
        Some(Outcome::Win { player, .. }) => f64::from(u8::from(player == first_is)),
        _ => 0.5,
    }
}

fn main() {
    let mut words = std::env::args().skip(1);
    let mut number = |usual: u64| words.next().map_or(Ok(usual), |word| word.parse());
    let (Ok(pairs), Ok(nodes)) = (number(20), number(20_000)) else {
        eprintln!("usage: connect6_variants [PAIRS [NODES [VARIANT]...]], two numbers and names");
        std::process::exit(1);
    };
    let named: Vec<String> = words.collect();
    if let Some(wrong) = named.iter().find(|name| VARIANTS.iter().all(|variant| variant.0 != **name)) {
        let names: Vec<&str> = VARIANTS.iter().map(|variant| variant.0).collect();
        eprintln!("\"{wrong}\" is no variant: there are {}", names.join(", "));
        std::process::exit(1);
    }
    for (name, of, make) in VARIANTS.into_iter().filter(|(name, ..)| named.is_empty() || named.iter().any(|n| n == name)) {
        let engines = [Engine::new(), make()];
        let mut sides: Vec<Side> =
            engines.into_iter().zip(of).map(|(engine, algorithm)| Side::new(engine.with_algorithm(algorithm))).collect();
        let (mut sum, mut squares) = (0.0, 0.0);
        for seed in 0..pairs {
            let pair = Player::BOTH.map(|first_is| play(&mut sides, seed, first_is, nodes)).iter().sum::<f64>() / 2.0;
            sum += pair;
            squares += pair * pair;
        }
        let n = pairs as f64;
        let mean = sum / n;
        let error = ((squares / n - mean * mean).max(0.0) / n).sqrt();
        let [ours, theirs] = [0, 1].map(|i| 1e3 * sides[i].seconds / f64::from(sides[i].turns));
        let [of, _] = of;
        println!(
            "{of} against {name}: {:.1} % of {} games, standard error by pairs {:.1}; {ours:.1} ms a turn, the variant {theirs:.1}",
            100.0 * mean,
            2 * pairs,
            100.0 * error
        );
    }
}

//! What the measurements share: games, positions to search, and how they are searched.

pub mod duel;
pub mod games;

use cpu_time::ThreadTime;

use gamecore::{Evaluator, Game, Tracked};
use games::{Board, Gomoku, Windows};
use games_einstein::{Einstein, eval, ordering};
use search_core::{ByScore, Limits, MoveOrder};
use search_expectimax::{Expectimax, Pruning};

/// Twelve positions of the standard game before the roll: three starts, nine from random play of six to ten turns.
pub const SUITE: [&str; 12] = [
    "123../45.../6...f/...ed/..cba one",
    "624../15.../3...c/...ea/..dbf one",
    "152../63.../4...e/...bd/..fac one",
    "1.2../.4.../.6e.f/..bd./..c.a one",
    ".64../15.../...a./..e../..3bf two",
    "1..../652../.4e../...ad/..f.. one",
    "12.../4.3.f/..a../.65.d/...b. two",
    ".2.../..4../165c./.e.fa/.d.b. one",
    ".12../6..e./.3.../.4a.d/..f.c one",
    "1.23./.5.../.4.ef/.6c.d/...a. two",
    ".64../..5../13.c./..efa/..b.. one",
    "1..../..5e./...../4a.bd/....c two",
];

/// The positions of [`SUITE`].
///
/// # Panics
/// If one of them cannot be read.
#[must_use]
pub fn suite() -> Vec<Einstein> {
    SUITE.iter().map(|text| text.parse().expect("the suite is well formed")).collect()
}

/// Ten middle-game positions of Gomoku on 15x15 points, as moves from the start: `data/gomoku_middle.jsonl`, a column and a row
/// for each stone, from 0.
///
/// # Panics
/// If the file is not well formed.
#[must_use]
pub fn middle_games() -> Vec<Tracked<Gomoku, Windows>> {
    #[derive(serde::Deserialize)]
    struct Line {
        moves: Vec<[u8; 2]>,
    }
    let read = |line: &str| {
        let line: Line = serde_json::from_str(line).expect("the file is well formed");
        let mut game = Tracked::from(Gomoku::start());
        line.moves.iter().for_each(|[x, y]| game.play(15 * y + x));
        game
    };
    include_str!("../data/gomoku_middle.jsonl").lines().map(read).collect()
}

/// One way to search, with a name for tables.
#[derive(Clone, Copy, Debug)]
pub struct Technique {
    /// What a table calls it.
    pub name: &'static str,
    /// How chance nodes are pruned.
    pub pruning: Pruning,
    /// Whether events of equal consequence are merged.
    pub merging: bool,
    /// Bytes of table, 0 for none.
    pub table: usize,
    /// Whether to deepen step by step.
    pub deepening: bool,
    /// Whether the last decision's moves are valued in one call.
    pub batching: bool,
    /// Whether killers and history are tried early.
    pub learning: bool,
}

/// Bytes of the tables in [`techniques`].
const TABLE: usize = 16 << 20;

/// The ladder of techniques, plain expectimax first.
#[must_use]
pub fn techniques() -> Vec<Technique> {
    let plain = Technique {
        name: "expectimax, leaf by leaf",
        pruning: Pruning::None,
        merging: false,
        table: 0,
        deepening: false,
        batching: false,
        learning: false,
    };
    let batched = Technique { name: "expectimax", batching: true, ..plain };
    let merged = Technique { merging: true, ..batched };
    vec![
        plain,
        batched,
        Technique { name: "Star1", pruning: Pruning::Star1, ..batched },
        Technique { name: "Star2", pruning: Pruning::Star2, ..batched },
        Technique { name: "expectimax, merged", ..merged },
        Technique { name: "Star1, merged", pruning: Pruning::Star1, ..merged },
        Technique { name: "Star2, merged", pruning: Pruning::Star2, ..merged },
        Technique { name: "expectimax, merged, table", table: TABLE, ..merged },
        Technique { name: "Star1, merged, table", pruning: Pruning::Star1, table: TABLE, ..merged },
        Technique { name: "Star2, merged, table", pruning: Pruning::Star2, table: TABLE, ..merged },
        Technique { name: "Star1, merged, table, deepening", pruning: Pruning::Star1, table: TABLE, deepening: true, ..merged },
        Technique { name: "Star2, merged, table, deepening", pruning: Pruning::Star2, table: TABLE, deepening: true, ..merged },
        Technique {
            name: "Star2, merged, table, deepening, killers",
            pruning: Pruning::Star2,
            table: TABLE,
            deepening: true,
            learning: true,
            ..merged
        },
    ]
}

impl Technique {
    /// The search with this technique's options.
    #[must_use]
    pub fn of<G: Game, E: Evaluator<G>, O: MoveOrder<G>>(&self, search: Expectimax<G, E, O>) -> Expectimax<G, E, O> {
        search
            .with_pruning(self.pruning)
            .with_merging(self.merging)
            .with_batching(self.batching)
            .with_learning(self.learning)
            .with_deepening(self.deepening)
            .with_table(self.table)
    }

    /// A search of this kind with the `Race` evaluation and captures first.
    #[must_use]
    pub fn search(&self) -> Expectimax<Einstein, impl Evaluator<Einstein>, impl MoveOrder<Einstein>> {
        self.of(Expectimax::new(eval::Race).with_order(ByScore(ordering)))
    }

    /// Searches every position of `suite` with every die to `depth`, its table cleared before each position.
    ///
    /// # Panics
    /// If a position of the suite is over.
    #[must_use]
    pub fn run(&self, suite: &[Einstein], depth: u32) -> Work {
        let mut search = self.search();
        let mut work = Work::default();
        for position in suite {
            search.clear();
            (1..=6).for_each(|face| work.add(&mut search, &position.resolved(face), depth));
        }
        work
    }
}

/// What a technique did, and what it found.
#[derive(Clone, Debug, Default)]
pub struct Work {
    /// Nodes visited.
    pub nodes: u64,
    /// Positions evaluated.
    pub evaluations: u64,
    /// Root values, for One.
    pub values: Vec<f64>,
}

impl Work {
    /// Searches one more position.
    ///
    /// # Panics
    /// If it is over.
    pub fn add<G: Game, E: Evaluator<G>, O: MoveOrder<G>>(&mut self, search: &mut Expectimax<G, E, O>, game: &G, depth: u32) {
        let report = search.search(game, &Limits::depth(depth)).expect("the suite is not over");
        self.nodes += report.nodes;
        self.evaluations += report.evaluations;
        self.values.extend(report.value);
    }
}

/// Prints a row for each technique: its work, and its time as a ratio to the first one's. Returns the first one's seconds.
///
/// # Errors
/// The name of a technique that finds other values than the first, by more than 1e-9.
pub fn compare<'a>(rows: impl IntoIterator<Item = (&'a str, Box<dyn FnOnce() -> Work + 'a>)>) -> Result<f64, String> {
    println!("| technique | nodes | evaluations | time, ratio | M nodes/s |\n| --- | ---: | ---: | ---: | ---: |");
    let mut first = None;
    for (name, run) in rows {
        let started = ThreadTime::now();
        let work = run();
        let time = started.elapsed().as_secs_f64();
        let (base, values) = first.get_or_insert_with(|| (time, work.values.clone()));
        let (ratio, speed) = (time / *base, work.nodes as f64 / time / 1e6);
        println!("| {name} | {} | {} | {ratio:.3} | {speed:.1} |", work.nodes, work.evaluations);
        if work.values.iter().zip(values.iter()).any(|(x, y)| (x - y).abs() > 1e-9) {
            return Err(format!("{name} finds other values"));
        }
    }
    Ok(first.map_or(0.0, |(time, _)| time))
}

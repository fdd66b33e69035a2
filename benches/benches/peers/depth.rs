//! Alpha-beta to a fixed depth: positions, and who searches them.

use std::any::Any;
use std::rc::Rc;

use benches::games::{Board, ConnectFour, Gomoku, Scaled, Valued, WIN, Windows};
use gamecore::random::generator;
use gamecore::{Evaluator, Player, Tracked, Turn};
use search_alphabeta::AlphaBeta;
use search_core::{Agent, Limits};

use crate::measure::{Done, Job, Row};
use crate::{negamax, others};

/// Positions of a game and the rows that search them, each all of them: seeds are their numbers, from 1.
pub(crate) struct Searched {
    pub(crate) name: &'static str,
    /// What is searched, in a sentence.
    pub(crate) about: String,
    /// Ours first.
    pub(crate) rows: Vec<Row<'static>>,
}

pub(crate) const NAMES: [&str; 4] = [
    "Alpha-beta: Connect Four, no table",
    "Alpha-beta: Connect Four, table",
    "Alpha-beta: Gomoku, no table",
    "Alpha-beta: Gomoku, table",
];

/// Positions of each game: the start, and after so many random moves.
pub(crate) const POSITIONS: u64 = 6;

/// Bytes of every table.
pub(crate) const TABLE: usize = 32 << 20;

/// Everything that `wants` by its name, not as deep if it must be quick.
pub(crate) fn all(quick: bool, wants: impl Fn(&str) -> bool) -> Vec<Searched> {
    let mut all = pair::<ConnectFour>([0, 1].map(|i| NAMES[i]), [8, 10, 12, 14, 16], if quick { 5 } else { 12 }, &wants);
    all.extend(pair::<Tracked<Gomoku, Windows>>([2, 3].map(|i| NAMES[i]), [4, 6, 8, 10, 12], if quick { 2 } else { 4 }, &wants));
    all
}

/// A game without a table and with one.
fn pair<G: Valued>(names: [&'static str; 2], played: [u32; 5], depth: u8, wants: &impl Fn(&str) -> bool) -> Vec<Searched>
where
    Scaled: Evaluator<G>,
{
    if !names.iter().any(|name| wants(name)) {
        return Vec::new();
    }
    let suite = Suite::<G>::new(played, depth);
    let to = format!("to depth {depth}, {POSITIONS} positions");
    let plain = [
        suite.row("Boardwright", plain),
        suite.row("written by hand: negamax and nothing else", |game, depth| negamax::search(game, depth, 0)),
    ];
    let tables = [
        suite.row("Boardwright, the game's own order", in_order),
        suite.row("Boardwright, killers and history too", defaults),
        suite.row("written by hand: negamax, table, deepening", |game, depth| negamax::search(game, depth, TABLE)),
    ];
    let plain = plain.into_iter().chain(others::plain(&suite)).collect();
    let tables = tables.into_iter().chain(others::tables(&suite)).collect();
    let all = [
        Searched { name: names[0], about: format!("Straight {to}."), rows: plain },
        Searched { name: names[1], about: format!("With a table of {} MiB, step by step {to}.", TABLE >> 20), rows: tables },
    ];
    all.into_iter().filter(|searched| wants(searched.name)).collect()
}

/// What is searched, and what must come out.
pub(crate) struct Suite<G> {
    positions: Rc<[(G, i32)]>,
    depth: u8,
}

/// What a search found: the value for the mover, the moves that it made, and what is to be dropped when the clock has stopped.
pub(crate) type Found = (i32, u64, Box<dyn Any>);
/// A search that is about to begin.
pub(crate) type Search = Box<dyn FnOnce() -> Found>;

impl<G: Valued> Suite<G> {
    fn new(played: [u32; 5], depth: u8) -> Self {
        let middle = (1..).zip(played).map(|(i, moves)| middle(i, moves));
        let positions = std::iter::once(G::start()).chain(middle).map(|game| {
            let (value, ..) = negamax::search(game.clone(), depth, 0)();
            (game, value)
        });
        Self { positions: positions.collect(), depth }
    }

    /// A row; `prepare` does what is not measured.
    pub(crate) fn row(&self, name: &'static str, prepare: impl Fn(G, u8) -> Search + 'static) -> Row<'static> {
        let (positions, depth) = (self.positions.clone(), self.depth);
        let prepare = move |seed| {
            let (game, expected) = positions[seed as usize - 1].clone();
            let search = prepare(game, depth);
            Box::new(move || {
                let (value, moves, rest) = search();
                // A win may be worth more the sooner it comes.
                let same = if expected.abs() == WIN { value.abs() > WIN - 1000 } else { value == expected };
                assert!(same && value.signum() == expected.signum(), "{name}, position {seed}: {value}, not {expected}");
                Done { best: None, nodes: Some(moves as usize), playouts: None, rest }
            }) as Job<'static>
        };
        Row { name, prepare: Box::new(prepare) }
    }
}

/// The first position after so many random moves in which nobody can win at once: the mover with no move, and the opponent not
/// after at least two of them, so that there is nothing to be parried either.
fn middle<G: Board>(seed: u64, moves: u32) -> G {
    let mut rng = generator(seed);
    let winning = |game: &G| {
        let mut moves = G::Moves::default();
        game.moves(&mut moves);
        moves.as_ref().iter().any(|&m| matches!(game.after(m).turn(), Turn::Over(_)))
    };
    loop {
        let mut game = G::start();
        for _ in 0..moves {
            if let Turn::Decide(_) = game.turn() {
                game.play(game.drawn(rand::Rng::next_u32(&mut rng)));
            }
        }
        if let Turn::Decide(_) = game.turn()
            && !winning(&game)
        {
            let mut moves = G::Moves::default();
            game.moves(&mut moves);
            if moves.as_ref().iter().filter(|&&m| !winning(&game.after(m))).count() >= 2 {
                return game;
            }
        }
    }
}

/// Who is to move, in a position that is not over.
pub(crate) fn mover<G: Board>(game: &G) -> Player {
    match game.turn() {
        Turn::Decide(player) => player,
        _ => unreachable!("searches begin before the end"),
    }
}

/// Ours with everything switched off that plain alpha-beta does not have.
fn plain<G: Valued>(game: G, depth: u8) -> Search
where
    Scaled: Evaluator<G>,
{
    let search = AlphaBeta::new(Scaled).with_learning(false).with_scouting(false).with_aspiration(false).with_deepening(false);
    ours(search.with_table(0), game, depth)
}

/// Ours in the game's own order, but for the move that the table remembers.
fn in_order<G: Valued>(game: G, depth: u8) -> Search
where
    Scaled: Evaluator<G>,
{
    ours(AlphaBeta::new(Scaled).with_table(TABLE).with_learning(false), game, depth)
}

/// Ours as it comes.
fn defaults<G: Valued>(game: G, depth: u8) -> Search
where
    Scaled: Evaluator<G>,
{
    ours(AlphaBeta::new(Scaled).with_table(TABLE), game, depth)
}

fn ours<G: Valued>(search: AlphaBeta<G, Scaled>, game: G, depth: u8) -> Search
where
    Scaled: Evaluator<G>,
{
    let mut search = search;
    // The table is made here.
    Agent::<G>::new_game(&mut search, 0);
    Box::new(move || {
        let report = search.search(&game, &Limits::depth(u32::from(depth))).expect("the game is not over");
        let value = report.value.expect("an iteration was completed") as f32 * mover(&game).sign();
        ((value * WIN as f32) as i32, report.nodes, Box::new(search))
    })
}

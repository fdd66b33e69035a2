//! Makes an opening book of gomoku by searches, and says whether it helps: the engine with it plays the engine without.
//! ```text
//! cargo run --release -p benches --bin gomoku_book -- FILE [NODES [PAIRS [LESS [RULE [SIZE]]]]]
//! ```
//! The book knows every position of up to three stones within the middle 5x5, the first of them in the centre, which are all openings
//! that tournaments have names for; searches of NODES nodes each (1,000,000) say what is nearly best there. Then so many PAIRS of games
//! (60) begin with one to three of these stones at random, with a LESS-th (20) of the nodes a move. `pbrain-boardwright` and
//! `gomoku_vs_ai` open with FILE by `--book`.

use std::collections::{BTreeSet, VecDeque};
use std::error::Error;
use std::ops::ControlFlow;
use std::sync::Arc;

use arena::{Contestant, Pairing, Settings, Tournament};
use engines::gomoku::{Engine, VARIETY, book};
use gamecore::random::below;
use gamecore::{Game, canonical};
use games_gomoku::{Gomoku, Point, Rule, USUAL};
use search_core::{Agent, Book, Bound, Limits, WithBook};

/// Moves that may be nearly the best.
const LINES: usize = 4;
/// Stones of the positions that the book knows, at most.
const STONES: u16 = 3;
/// A move's weight if it is the best; one that is just good enough has 1.
const BEST: f64 = 8.0;

fn main() -> Result<(), Box<dyn Error>> {
    let mut words = std::env::args().skip(1);
    let file = words.next().ok_or("usage: gomoku_book FILE [NODES [PAIRS [LESS [RULE [SIZE]]]]]")?;
    let mut number = |usual: u64| words.next().map_or(Ok(usual), |word| word.parse());
    let (nodes, pairs, less) = (number(1_000_000)?, number(60)?, number(20)?.max(1));
    let rule: Rule = words.next().map_or(Ok(Rule::Freestyle), |word| word.parse())?;
    let size: u8 = words.next().map_or(Ok(USUAL), |word| word.parse())?;

    let book = built(rule, size, nodes)?;
    book.save(&file)?;
    println!("{} positions, {} bytes", book.len(), book.to_bytes().len());

    let book = Arc::new(book);
    let start = Gomoku::start(rule, size)?;
    let limits = || Limits::nodes(nodes / less);
    let with = move || -> Box<dyn Agent<Gomoku>> { Box::new(WithBook::new(Arc::clone(&book), Engine::new(), 0)) };
    let without = || -> Box<dyn Agent<Gomoku>> { Box::new(Engine::new()) };
    let players = vec![Contestant::new("book", limits(), with), Contestant::new("no book", limits(), without)];
    let opening = move |_: u64, rng: &mut dyn rand::Rng| {
        let stones = 1 + below(rng, usize::from(STONES)) as u16;
        let mut game = start.clone();
        while game.board().count() < stones {
            let near = near(&game);
            game.play(near[below(rng, near.len())]);
        }
        game
    };
    let tournament = Tournament::new(Settings::new(pairs, 1), Pairing::RoundRobin, opening, players)?;
    let mut standings = tournament.standings();
    tournament.play(&mut standings, &mut |_, _| ControlFlow::Continue(()))?;
    println!("{standings}");
    Ok(())
}

/// Empty points of the middle; on an empty board its centre.
fn near(game: &Gomoku) -> Vec<Point> {
    let (middle, reach) = (game.board().size() / 2, if game.board().count() == 0 { 0 } else { 2 });
    let inside = |p: &Point| p.x().abs_diff(middle).max(p.y().abs_diff(middle)) <= reach;
    game.board().empty_points().filter(|p| inside(p) && game.forbidden(*p).is_none()).collect()
}

/// A book of what searches find.
fn built(rule: Rule, size: u8, nodes: u64) -> Result<Book<Gomoku>, Box<dyn Error>> {
    let mut book = book(rule, size)?;
    // By key, so that each is searched once whichever way it is turned.
    let mut seen = BTreeSet::new();
    let mut waiting = VecDeque::from([Gomoku::start(rule, size)?]);
    let mut engine = Engine::new().with_variety(0.0).with_lines(LINES);
    while let Some(game) = waiting.pop_front() {
        if !seen.insert(canonical(&game).0.key()) {
            continue;
        }
        engine.new_game(0);
        let report = engine.choose(&game.clone().into(), &Limits::nodes(nodes))?;
        let (best, sign) = (report.value.ok_or("a search has a value")?, f64::from(game.mover().sign()));
        for line in report.moves.iter().filter(|line| line.bound == Bound::Exact || Some(line.m) == report.best) {
            let loss = sign * (best - line.value);
            if (0.0..=VARIETY).contains(&loss) {
                let weight = 1.0 + (BEST - 1.0) * (1.0 - loss / VARIETY);
                book.add(&game, line.m, weight.round() as u32, 1, line.value)?;
            }
        }
        eprintln!("{} stones, {} known, {:+.3} for {:?}", game.board().count(), book.len(), sign * best, game.mover());
        if game.board().count() < STONES {
            waiting.extend(near(&game).into_iter().map(|m| game.after(m)));
        }
    }
    Ok(book)
}

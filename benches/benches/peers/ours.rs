//! Our search.

use gamecore::Game;
use search_core::Limits;
use search_mcts::{Biased, Leaves, Mcts, Playouts, Rave, Selection};

use crate::measure::{Done, Row};

pub(crate) const COLD: &str = "Boardwright";
pub(crate) const WARM: &str = "Boardwright, a second search in the same memory";

/// Bytes for one position in the tree.
pub(crate) const fn node<G: Game>() -> usize {
    Mcts::<G, Playouts>::bytes_per_node()
}

fn search<G: Game>(seed: u64) -> Mcts<G, Playouts> {
    Mcts::new(Playouts::uniform()).without_reuse().with_seed(seed)
}

fn run<G: Game, L: Leaves<G> + 'static>(search: Mcts<G, L>, start: &G, playouts: u64, show: fn(&G, G::Move) -> String) -> Done {
    let mut search = search;
    let report = search.search(start, &Limits::nodes(playouts)).expect("the game is not over");
    assert_eq!(report.moves.iter().map(|line| line.nodes).sum::<u64>(), playouts, "every playout began with a move");
    Done {
        best: report.best.map(|m| show(start, m)),
        nodes: Some(search.tree_len()),
        playouts: Some(report.nodes),
        rest: Box::new(search),
    }
}

/// From nothing, and again.
pub(crate) fn rows<G: Game>(start: G, playouts: u64, show: fn(&G, G::Move) -> String) -> Vec<Row<'static>> {
    let again = start.clone();
    let warm = move |seed| {
        let (mut search, start) = (search(seed), again.clone());
        search.search(&start, &Limits::nodes(playouts)).expect("the game is not over");
        let search = search.with_seed(seed);
        Box::new(move || run(search, &start, playouts, show)) as Box<dyn FnOnce() -> Done>
    };
    vec![Row::new(COLD, move |seed| run(search(seed), &start, playouts, show)), Row { name: WARM, prepare: Box::new(warm) }]
}

/// A second search with everything on that is kept beside the tree.
pub(crate) fn hinted<G: Game>(start: G, playouts: u64, show: fn(&G, G::Move) -> String) -> Row<'static> {
    let warm = move |seed| {
        let rave = Rave::new(Playouts::uniform(), 100.0, 1, |_: &G, _: G::Move| 0);
        let even = |_: &G, _: &[G::Move], h: &mut [f32]| h.fill(1.0);
        let search = Mcts::new(Biased::new(rave, 1.0, even)).with_selection(Selection::Ucb1Tuned { c: 1.0 });
        let (mut search, start) = (search.without_reuse().with_seed(seed), start.clone());
        search.search(&start, &Limits::nodes(playouts)).expect("the game is not over");
        let search = search.with_seed(seed);
        Box::new(move || run(search, &start, playouts, show)) as Box<dyn FnOnce() -> Done>
    };
    Row { name: WARM, prepare: Box::new(warm) }
}

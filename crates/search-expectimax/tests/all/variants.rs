//! Every way to set up the search.

use gamecore::{Evaluator, Game, mix};
use search_core::{ByScore, MoveOrder};
use search_expectimax::{Expectimax, Pruning};

/// One combination of options.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Variant {
    pub(crate) pruning: Pruning,
    pub(crate) merging: bool,
    pub(crate) batching: bool,
    pub(crate) deepening: bool,
    pub(crate) learning: bool,
    pub(crate) table: usize,
}

/// All 144 of them. A table of 256 bytes has four buckets, so entries are lost all the time.
pub(crate) fn variants() -> Vec<Variant> {
    let mut all = Vec::new();
    for pruning in [Pruning::None, Pruning::Star1, Pruning::Star2] {
        for flags in 0..16 {
            for table in [0, 256, 1 << 16] {
                let [merging, batching, deepening, learning] = [1, 2, 4, 8].map(|bit| flags & bit != 0);
                all.push(Variant { pruning, merging, batching, deepening, learning, table });
            }
        }
    }
    all
}

impl Variant {
    /// A search with these options that looks at moves in an order of no merit.
    pub(crate) fn search<G: Game<Move: Into<u64>>, E: Evaluator<G>>(self, evaluator: E) -> Expectimax<G, E, impl MoveOrder<G>> {
        self.ordered(evaluator, ByScore(|g: &G, m: G::Move| mix(g.key() ^ m.into()) as i32))
    }

    /// A search with these options and an order.
    pub(crate) fn ordered<G: Game, E: Evaluator<G>, O: MoveOrder<G>>(self, evaluator: E, order: O) -> Expectimax<G, E, O> {
        Expectimax::new(evaluator)
            .with_order(order)
            .with_pruning(self.pruning)
            .with_merging(self.merging)
            .with_batching(self.batching)
            .with_deepening(self.deepening)
            .with_learning(self.learning)
            .with_table(self.table)
    }
}

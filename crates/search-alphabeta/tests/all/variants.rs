//! Every way to set up the search that changes no value.

use gamecore::{Deterministic, Evaluator, mix};
use search_alphabeta::AlphaBeta;
use search_core::{ByScore, MoveOrder};

/// One combination of options.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Variant {
    pub(crate) scouting: bool,
    pub(crate) aspiration: bool,
    pub(crate) learning: bool,
    pub(crate) lines: usize,
    pub(crate) table: usize,
}

/// All 48 of them. A table of 256 bytes has four buckets, so entries are lost all the time.
pub(crate) fn variants() -> Vec<Variant> {
    let mut all = Vec::new();
    for flags in 0..8 {
        for table in [0, 256, 1 << 16] {
            for lines in [1, 2] {
                let [scouting, aspiration, learning] = [1, 2, 4].map(|bit| flags & bit != 0);
                all.push(Variant { scouting, aspiration, learning, lines, table });
            }
        }
    }
    all
}

impl Variant {
    /// A search with these options that looks at moves in an order of no merit.
    pub(crate) fn search<G: Deterministic<Move: Into<u64>>, E: Evaluator<G>>(
        self,
        evaluator: E,
    ) -> AlphaBeta<G, E, impl MoveOrder<G>> {
        AlphaBeta::new(evaluator)
            .with_order(ByScore(|g: &G, m: G::Move| mix(g.key() ^ m.into()) as i32 / 65536))
            .with_scouting(self.scouting)
            .with_aspiration(self.aspiration)
            .with_learning(self.learning)
            .with_lines(self.lines)
            .with_table(self.table)
            .with_equal_depths()
    }
}

//! The games, and who plays them.

use benches::games::{Board, ConnectFour, Gomoku};
use gamecore::{Game, Text};
use games_einstein::{Einstein, Rules};

use crate::measure::Row;
use crate::{hand, others, ours};

/// A game and its rows.
pub(crate) struct Played {
    pub(crate) name: &'static str,
    /// What is searched, in a sentence.
    pub(crate) about: String,
    pub(crate) playouts: u64,
    /// Bytes for one position in our tree.
    pub(crate) node: usize,
    /// Ours first.
    pub(crate) rows: Vec<Row<'static>>,
    /// Ours with hints, which is checked and not shown.
    pub(crate) hinted: Row<'static>,
}

pub(crate) const NAMES: [&str; 3] = ["Connect Four", "Gomoku", "EinStein"];

/// Every game, with few playouts if it must be quick.
pub(crate) fn all(quick: bool) -> Vec<Played> {
    let playouts = |n: u64| if quick { 200 } else { n };
    vec![
        board::<ConnectFour>(NAMES[0], "Seven columns of six cells", playouts(200_000), |_, m| (m + 1).to_string()),
        board::<Gomoku>(NAMES[1], "15x15 points, freestyle, moves within two steps of a stone", playouts(20_000), |_, m| {
            format!("{}{}", char::from(b'A' + m % 15), m / 15 + 1)
        }),
        einstein(playouts(100_000)),
    ]
}

fn board<G: Board + Copy>(name: &'static str, about: &str, playouts: u64, show: fn(&G, u8) -> String) -> Played {
    let mut rows = common(G::start(), playouts, show);
    rows.extend(others::board(G::start(), playouts, show));
    let about = format!("{about}; {playouts} playouts from the start.");
    Played { name, about, playouts, node: ours::node::<G>(), rows, hinted: ours::hinted(G::start(), playouts, show) }
}

fn einstein(playouts: u64) -> Played {
    let start = Einstein::start(Rules::STANDARD).resolved(3);
    let show = |g: &Einstein, m| g.move_text(m);
    let mut rows = common(start, playouts, show);
    rows.extend(others::chance(start, playouts, show));
    let about = format!("The standard game, with chance nodes; {playouts} playouts from the start, a 3 rolled.");
    let hinted = ours::hinted(start, playouts, show);
    Played { name: NAMES[2], about, playouts, node: ours::node::<Einstein>(), rows, hinted }
}

/// The rows that every game has.
fn common<G: Game>(start: G, playouts: u64, show: fn(&G, G::Move) -> String) -> Vec<Row<'static>> {
    let mut rows = ours::rows(start.clone(), playouts, show);
    rows.extend(hand::rows(start, playouts, show));
    rows
}

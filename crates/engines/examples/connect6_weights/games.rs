//! Games to learn from.

use engines::connect6::Order;
use gamecore::random::{below, generator};
use gamecore::{Game, Outcome, Player};
use games_connect6::eval::Forcing;
use games_connect6::learned::{Net, Views, logit};
use games_connect6::{Connect6, Forced, Narrowed, Point, Urgent, Vcdt};
use lines::LARGEST;
use rand::Rng;
use search_alphabeta::AlphaBeta;
use search_core::Limits;

/// A game: its stones from the empty board, and what was thought of each.
pub(crate) struct Record {
    pub(crate) moves: Vec<Point>,
    pub(crate) thoughts: Vec<Thought>,
    /// For One: 1, 0.5 or 0.
    pub(crate) result: f32,
}

/// What was thought before a stone was put.
#[derive(Clone, Copy, Default)]
pub(crate) struct Thought {
    /// The search's value, a logit for One; `None` where nothing was searched.
    pub(crate) logit: Option<f32>,
    /// The stone was chosen by the search, in a position without anything urgent.
    pub(crate) chosen: bool,
    /// Instead of the stone: some other, and the search's value then.
    pub(crate) aside: Option<(Point, f32)>,
}

/// Turns and nodes of the look for double threats before each turn, and in the search.
const BEFORE: (u8, u64) = (6, 60);
const WITHIN: (u8, u64) = (3, 6);
/// One stone in so many of the first ones is drawn by its promise.
const DRAWN: usize = 8;
const DRAWN_UNTIL: u16 = 16;
/// The logit of what is certain.
const CERTAIN: f32 = 5.0;
/// Candidates of the search.
const WIDTHS: [u8; 2] = [16, 12];

/// Up to seven stones near the middle: anywhere near, or where it looks good.
fn opening(net: Option<&'static Net>, rng: &mut impl Rng) -> Vec<Point> {
    let stones = [1, 3, 3, 5, 5, 7][below(rng, 6)];
    let reach = 1 + below(rng, 4) as u8;
    let blind = below(rng, 2) == 0;
    let mut game = Narrowed::from(Connect6::default()).with_net(net).with_width([24, 24]);
    let mut moves: Vec<Point> = Vec::new();
    while moves.len() < stones {
        let [x, y] = [0; 2].map(|_| 9 - reach + below(rng, 2 * usize::from(reach) + 1) as u8);
        let point = if blind || moves.is_empty() { Point::new(x, y) } else { Some(drawn(&game, rng)) };
        if let Some(point) = point.filter(|point| !moves.contains(point)) {
            moves.push(point);
            game.play(point);
        }
    }
    moves
}

/// A stone drawn by its promise, two logits being one.
fn drawn(game: &Narrowed, rng: &mut impl Rng) -> Point {
    let mut moves = <Narrowed as Game>::Moves::default();
    game.moves(&mut moves);
    let best = moves.iter().map(|&m| game.promise(m)).max().unwrap_or(0);
    let weights: Vec<f32> = moves.iter().map(|&m| ((game.promise(m) - best) as f32 / 200.0).exp()).collect();
    let mut left = weights.iter().sum::<f32>() * (rng.next_u32() >> 8) as f32 / (1 << 24) as f32;
    for (&m, weight) in moves.iter().zip(weights) {
        left -= weight;
        if left < 0.0 {
            return m;
        }
    }
    moves[0]
}

/// Some stone, good or not, and what is then thought of the position.
fn aside(
    game: &Narrowed,
    search: &mut AlphaBeta<Narrowed, Forcing, Order>,
    nodes: u64,
    rng: &mut impl Rng,
) -> Option<(Point, f32)> {
    let m = match below(rng, 3) {
        0 => {
            let near: Vec<usize> = Views::new(game.game().board()).near().map(|(point, _)| point).collect();
            let point = *near.get(below(rng, near.len().max(1)))?;
            Point::new((point % usize::from(LARGEST)) as u8, (point / usize::from(LARGEST)) as u8)?
        }
        _ => drawn(&game.clone().with_width([40, 40]), rng),
    };
    let next = game.after(m);
    if next.game().outcome().is_some() || next.winner().is_some() {
        return None;
    }
    let value = search.search(&next, &Limits::nodes(nodes)).ok()?.value? as f32;
    Some((m, if value.abs() < 1.0 { logit(value).clamp(-CERTAIN, CERTAIN) } else { value * CERTAIN }))
}

/// Plays a game.
pub(crate) fn play(net: Option<&'static Net>, nodes: u64, seed: u64) -> Record {
    let mut rng = generator(seed);
    let mut moves = opening(net, &mut rng);
    let mut thoughts = vec![Thought::default(); moves.len()];
    let mut game = Narrowed::from(Connect6::default()).with_net(net).with_width(WIDTHS);
    moves.iter().for_each(|&m| game.play(m));
    let mut search = AlphaBeta::new(Forcing::new(WITHIN.0, WITHIN.1)).with_order(Order).with_reductions().with_table(1 << 19);
    search = search.with_extension(Narrowed::is_forced);
    let mut vcdt = Vcdt::default().with_turns(BEFORE.0).with_nodes(BEFORE.1);
    let winner = loop {
        let (bare, mover) = (game.game(), game.game().mover());
        if let Some(outcome) = bare.outcome() {
            break if let Outcome::Win { player, .. } = outcome { Some(player) } else { None };
        }
        if let Some(winner) = game.winner() {
            break Some(winner);
        }
        if matches!(vcdt.win(game.windows(), mover, bare.left()), Forced::Win(_)) {
            break Some(mover);
        }
        search.evaluator().begin(bare);
        let Ok(report) = search.search(&game, &Limits::nodes(nodes)) else { break None };
        let (Some(best), Some(value)) = (report.best, report.value) else { break None };
        if value.abs() >= 1.0 {
            break Some(if value > 0.0 { Player::One } else { Player::Two });
        }
        let aside = aside(&game, &mut search, nodes, &mut rng);
        let quiet = game.urgent() == Urgent::Nothing;
        let drawn_now = quiet && bare.board().count() < DRAWN_UNTIL && below(&mut rng, DRAWN) == 0;
        let m = if drawn_now { drawn(&game, &mut rng) } else { best };
        thoughts.push(Thought { logit: Some(logit(value as f32)), chosen: quiet && !drawn_now, aside });
        moves.push(m);
        game.play(m);
    };
    let result = winner.map_or(0.5, |player| 0.5 + 0.5 * player.sign());
    Record { moves, thoughts, result }
}

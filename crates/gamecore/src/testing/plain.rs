//! Searches too simple to be wrong.

use super::moves;
use crate::{Chance, Evaluator, Game, Player, Turn};

/// What plain search finds `depth` decisions deep: every move, every event, nothing pruned, merged or remembered.
///
/// What real searches are compared with. Rolls are free; where no decisions are left, the evaluator is asked, the dice
/// rolled or not; a state below the root whose bounds have equal ends has that value.
///
/// # Examples
/// ```
/// use gamecore::testing::{plain_value, toys::Nim};
///
/// assert_eq!(plain_value(&Nim::new(5), &|_: &Nim| 0.0, 5), 1.0);
/// ```
#[must_use]
pub fn plain_value<G: Game>(game: &G, evaluator: &(impl Evaluator<G> + ?Sized), depth: u32) -> f64 {
    match game.turn() {
        Turn::Over(outcome) => f64::from(evaluator.terminal(game, outcome)),
        _ if depth == 0 => f64::from(evaluator.value(game)),
        Turn::Chance(chance) => chance.events().iter().map(|&(e, p)| p * below(&game.resolved(e), evaluator, depth)).sum(),
        Turn::Decide(player) => {
            let values = plain_moves(game, evaluator, depth).into_iter().map(|(_, value)| value);
            match player {
                Player::One => values.fold(f64::NEG_INFINITY, f64::max),
                Player::Two => values.fold(f64::INFINITY, f64::min),
            }
        }
    }
}

/// The moves of a [`Turn::Decide`] state, each with its value: [`plain_value`] one decision on. `depth` counts the move.
#[must_use]
pub fn plain_moves<G: Game>(game: &G, evaluator: &(impl Evaluator<G> + ?Sized), depth: u32) -> Vec<(G::Move, f64)> {
    moves(game).into_iter().map(|m| (m, below(&game.after(m), evaluator, depth.saturating_sub(1)))).collect()
}

fn below<G: Game>(game: &G, evaluator: &(impl Evaluator<G> + ?Sized), depth: u32) -> f64 {
    if !matches!(game.turn(), Turn::Over(_)) {
        let bounds = evaluator.bounds(game);
        if bounds.low >= bounds.high {
            return f64::from(bounds.low);
        }
    }
    plain_value(game, evaluator, depth)
}

/// What [`perft`] counts.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Perft {
    /// Lines with exactly the wanted number of decisions.
    pub lines: u64,
    /// Those among them that end the game.
    pub over: u64,
}

/// Counts the lines of play of exactly `decisions` decisions; each event counts once, whatever its probability, and a
/// roll after the last decision does not. Lines that end sooner are left out.
#[must_use]
pub fn perft<G: Game>(game: &G, decisions: u32) -> Perft {
    let sum = |parts: &mut dyn Iterator<Item = Perft>| {
        parts.fold(Perft::default(), |a, b| Perft { lines: a.lines + b.lines, over: a.over + b.over })
    };
    match game.turn() {
        Turn::Over(_) if decisions == 0 => Perft { lines: 1, over: 1 },
        Turn::Over(_) => Perft::default(),
        _ if decisions == 0 => Perft { lines: 1, over: 0 },
        Turn::Chance(chance) => sum(&mut chance.events().iter().map(|&(e, _)| perft(&game.resolved(e), decisions))),
        Turn::Decide(_) => sum(&mut moves(game).into_iter().map(|m| perft(&game.after(m), decisions - 1))),
    }
}

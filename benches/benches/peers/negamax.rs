//! Alpha-beta as short as it can be written for games in which players take turns.

use benches::games::{Valued, WIN};
use gamecore::{Player, Turn};
use search_core::Bound;

use crate::depth::{Search, mover};

/// Straight to the depth; with a table of some bytes step by step.
pub(crate) fn search<G: Valued>(game: G, depth: u8, table: usize) -> Search {
    let slots = table / size_of::<Slot>();
    let mut search = Negamax { moves: 0, table: vec![EMPTY; if slots == 0 { 0 } else { 1 << slots.ilog2() }] };
    Box::new(move || {
        let sign = mover(&game).sign() as i32;
        let mut value = 0;
        for depth in if table == 0 { depth } else { 1 }..=depth {
            value = match table {
                0 => search.value::<G, false>(&game, sign, depth, -WIN, WIN),
                _ => search.value::<G, true>(&game, sign, depth, -WIN, WIN),
            };
        }
        (value, search.moves, Box::new(search))
    })
}

/// What was found of a position; written over by whatever comes next.
#[derive(Clone, Copy)]
struct Slot {
    key: u64,
    value: i32,
    depth: u8,
    bound: Bound,
    best: u8,
}

/// Of no depth, so that it says nothing.
const EMPTY: Slot = Slot { key: 0, value: 0, depth: 0, bound: Bound::Exact, best: u8::MAX };

struct Negamax {
    moves: u64,
    table: Vec<Slot>,
}

impl Negamax {
    /// For the mover, whose sign it is.
    fn value<G: Valued, const TABLE: bool>(&mut self, game: &G, sign: i32, depth: u8, a: i32, b: i32) -> i32 {
        match game.turn() {
            Turn::Over(outcome) => {
                return outcome.winner().map_or(0, |player| WIN * sign * if player == Player::One { 1 } else { -1 });
            }
            _ if depth == 0 => return game.value(),
            _ => {}
        }
        let mut buf = G::Moves::default();
        game.moves(&mut buf);
        let moves = buf.as_mut();
        let (mut at, mut key) = (0, 0);
        if TABLE {
            key = game.key();
            at = key as usize & (self.table.len() - 1);
            let slot = &self.table[at];
            if slot.key == key {
                let decides = match slot.bound {
                    Bound::Exact => true,
                    Bound::AtLeast => slot.value >= b,
                    Bound::AtMost => slot.value <= a,
                };
                if slot.depth >= depth && decides {
                    return slot.value;
                }
                if let Some(i) = moves.iter().position(|&m| m == slot.best) {
                    moves[..=i].rotate_right(1);
                }
            }
        }
        let (mut best, mut best_move, mut floor) = (-WIN - 1, 0, a);
        for &m in &*moves {
            self.moves += 1;
            let value = -self.value::<G, TABLE>(&game.after(m), -sign, depth - 1, -b, -floor);
            if value > best {
                (best, best_move) = (value, m);
                floor = floor.max(value);
                if value >= b {
                    break;
                }
            }
        }
        if TABLE {
            let bound = match best {
                _ if best >= b => Bound::AtLeast,
                _ if best <= a => Bound::AtMost,
                _ => Bound::Exact,
            };
            self.table[at] = Slot { key, value: best, depth, bound, best: best_move };
        }
        best
    }
}

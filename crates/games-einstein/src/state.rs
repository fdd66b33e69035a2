//! The state and how it changes.

use arrayvec::ArrayVec;
use gamecore::{Game, KEY_HORIZON, Outcome, Player, Turn, mix};
use rand::Rng;

use crate::dice::Die;
use crate::lanes::{WIDTH, lane, living, occupied, on, shifts, without};
use crate::moves::Move;
use crate::rules::Rules;
use crate::tables::{COUNT, Tables, TablesRef};

/// A phase: the die is to be rolled. The phases 1 to 6 are the face rolled.
pub(crate) const ROLL: u8 = 0;
/// A phase: One has won; the next phase is Two's win.
pub(crate) const WON: u8 = 7;
/// A phase: the turns are used up.
pub(crate) const DRAWN: u8 = 9;

/// Turns left where the rules have no limit.
pub(crate) const UNLIMITED: u16 = u16::MAX;

/// No position has more moves: nine stones, four free steps each.
const MOST_MOVES: usize = 36;

/// A position of EinStein würfelt nicht! or of a variant: stones, seat to move, die, rules.
///
/// 32 bytes, without heap. Make one with [`start`](Einstein::start), [`new`](Einstein::new),
/// [`from_squares`](Einstein::from_squares) or from text ([`Text`](gamecore::Text), [`FromStr`](core::str::FromStr)).
/// Squares count row by row from the top left.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Einstein {
    /// The stones of the seat to move, see [`crate::lanes`].
    pub(crate) own: u64,
    /// The other seat's.
    pub(crate) opponent: u64,
    pub(crate) tables: TablesRef,
    /// Turns until the draw.
    pub(crate) left: u16,
    /// The turn limit of the rules, 0 for none.
    pub(crate) limit: u16,
    pub(crate) phase: u8,
    pub(crate) mover: Player,
}

impl Einstein {
    /// The rules that the game is played by.
    #[must_use]
    pub const fn rules(&self) -> Rules {
        Rules::from_parts(self.tables, self.limit)
    }

    /// The seat that rolls or moves; in a finished game the one that would be next.
    #[inline]
    #[must_use]
    pub const fn mover(&self) -> Player {
        self.mover
    }

    /// The face rolled, while a move is awaited.
    #[inline]
    #[must_use]
    pub const fn die(&self) -> Option<u8> {
        match self.phase {
            face @ 1..=6 => Some(face),
            _ => None,
        }
    }

    /// How the game ended, if it has.
    #[inline]
    #[must_use]
    pub const fn outcome(&self) -> Option<Outcome> {
        match self.phase {
            ..WON => None,
            WON => Some(Outcome::win(Player::One)),
            DRAWN => Some(Outcome::Draw),
            _ => Some(Outcome::win(Player::Two)),
        }
    }

    /// Turns until the game is drawn, if the rules have a limit. Each player's move is a turn, and so is a pass.
    #[must_use]
    pub const fn turns_left(&self) -> Option<u16> {
        if self.left == UNLIMITED { None } else { Some(self.left) }
    }

    /// The square of a seat's stone; `None` if it is captured or the rules have no such number.
    #[must_use]
    pub fn square_of(&self, seat: Player, stone: u8) -> Option<u8> {
        if !(1..=self.rules().stones()).contains(&stone) {
            return None;
        }
        Some(lane(self.side(seat), u32::from(stone - 1) * WIDTH) as u8).filter(|&square| square < 32)
    }

    /// A seat's living stones: number and square, by number.
    pub fn stones(&self, seat: Player) -> impl Iterator<Item = (u8, u8)> + use<> {
        let side = self.side(seat);
        shifts(side).map(move |shift| ((shift / WIDTH) as u8 + 1, lane(side, shift) as u8))
    }

    /// The stone on a square: its seat and number.
    #[must_use]
    pub fn stone_on(&self, square: u8) -> Option<(Player, u8)> {
        Player::BOTH.into_iter().find_map(|seat| {
            let (number, _) = self.stones(seat).find(|stone| stone.1 == square)?;
            Some((seat, number))
        })
    }

    /// A seat's stones as lanes.
    #[inline(always)]
    pub(crate) const fn side(&self, seat: Player) -> u64 {
        if seat as u8 == self.mover as u8 { self.own } else { self.opponent }
    }

    /// The lanes of the two stones that a die leaves the choice of in the standard game; the same one twice if there
    /// is no choice.
    #[inline(always)]
    fn choice(&self) -> (u32, u32) {
        let alive = living(self.own);
        let top = WIDTH * u32::from(self.phase);
        let below = alive & ((1 << top) - 1);
        let above = alive >> (top - WIDTH) << (top - WIDTH);
        let low = 58u32.wrapping_sub((below | 1).leading_zeros()); // The lane's lowest bit is five below its flag.
        let high = above.trailing_zeros().wrapping_sub(5);
        (if below == 0 { high } else { low }, if above == 0 { low } else { high })
    }

    /// Standard game: a stone's steps as in [`Tables::list`].
    #[inline(always)]
    fn listed(&self, shift: u32) -> u64 {
        self.tables.0.list[self.mover][lane(self.own, shift) as usize & 31]
    }
}

/// A number below `n` from 32 random bits, as [`below`](gamecore::random::below).
#[inline(always)]
fn share(draw: u32, n: u32) -> u32 {
    ((u64::from(draw) * u64::from(n)) >> 32) as u32
}

/// Variants: calls `visit` with the lane and the targets of each stone of `own` that may move after `face`. No call: a
/// pass.
#[inline]
fn each_source(t: &Tables, own: u64, mover: Player, face: u8, mut visit: impl FnMut(u32, u32)) {
    let empty = !occupied(own) as u32;
    let shift = WIDTH * (u32::from(face) - 1);
    let square = lane(own, shift);
    let alive = square < 32;
    if alive {
        let targets = t.steps[mover][square as usize & 31] & empty;
        if targets != 0 {
            return visit(shift, targets);
        }
    }
    if if alive { t.free_blocked } else { t.free_missing } {
        for shift in shifts(own) {
            let targets = t.free_steps[mover][lane(own, shift) as usize & 31] & empty;
            if targets != 0 {
                visit(shift, targets);
            }
        }
    }
}

/// Variants: a move drawn from all by the random `draw`. Everything comes by value: with their addresses taken here, the
/// state and the generator would live in memory through the whole of a playout.
#[inline(never)]
fn drawn_variant_move(t: &Tables, own: u64, mover: Player, face: u8, draw: u32) -> Move {
    let (mut lists, mut stones, mut count) = ([(0, 0u32); 16], 0, 0);
    each_source(t, own, mover, face, |shift, targets| {
        lists[stones & 15] = (shift, targets);
        stones += 1;
        count += targets.count_ones();
    });
    let mut pick = share(draw, count);
    for (shift, mut targets) in lists {
        let here = targets.count_ones();
        if pick < here {
            for _ in 0..pick {
                targets &= targets - 1;
            }
            return Move::new(shift, lane(own, shift), targets.trailing_zeros());
        }
        pick -= here;
    }
    // Only if there was none to draw from. Without panics here, a playout's state can stay in registers.
    Move::PASS
}

impl Game for Einstein {
    type Move = Move;
    type Moves = ArrayVec<Move, MOST_MOVES>;
    type Chance = Die;

    #[inline(always)]
    fn turn(&self) -> Turn<Die> {
        match self.phase {
            ROLL => Turn::Chance(Die::new(self.own, self.tables, self.mover)),
            1..WON => Turn::Decide(self.mover),
            WON => Turn::Over(Outcome::win(Player::One)),
            DRAWN => Turn::Over(Outcome::Draw),
            _ => Turn::Over(Outcome::win(Player::Two)),
        }
    }

    #[inline]
    fn moves(&self, out: &mut Self::Moves) {
        if self.tables.0.standard {
            let (low, high) = self.choice();
            let mut push = |shift| {
                let (list, from) = (self.listed(shift), lane(self.own, shift));
                let target = |i: u32| (list >> (8 * i)) as u32 & 31;
                out.push(Move::new(shift, from, target(0)));
                if list >> COUNT > 8 {
                    out.push(Move::new(shift, from, target(1)));
                    out.push(Move::new(shift, from, target(2)));
                }
            };
            push(low);
            if high != low {
                push(high);
            }
            return;
        }
        each_source(self.tables.0, self.own, self.mover, self.phase, |shift, mut targets| {
            while targets != 0 {
                out.push(Move::new(shift, lane(self.own, shift), targets.trailing_zeros()));
                targets &= targets - 1;
            }
        });
        if out.is_empty() {
            out.push(Move::PASS);
        }
    }

    #[inline(always)]
    fn play(&mut self, m: Move) {
        debug_assert!((1..=6).contains(&self.phase), "no move is awaited");
        debug_assert!(m.is_pass() || lane(self.own, m.shift()) == m.source(), "{m:?} is not a move here");
        let t = self.tables.0;
        let to = m.target();
        // A pass has no square and no lane, and falls through: it captures the captured and moves by nothing.
        let opponent = without(self.opponent, on(self.opponent, to));
        let own = without(self.own, on(self.own, to)) ^ u64::from(m.source() ^ to) << m.shift();
        let won = (t.goal[self.mover] >> to & 1 != 0) | (opponent == t.lost);
        let mut phase = if won { WON + self.mover as u8 } else { ROLL };
        if self.left != UNLIMITED {
            self.left -= 1;
            if self.left == 0 && phase == ROLL {
                phase = DRAWN;
            }
        }
        (self.own, self.opponent) = (opponent, own);
        self.mover = self.mover.other();
        self.phase = phase;
    }

    #[inline(always)]
    fn resolve(&mut self, face: u8) {
        debug_assert!(self.phase == ROLL && (1..=6).contains(&face));
        self.phase = face;
    }

    #[inline]
    fn key(&self) -> u64 {
        // Turns left count only where the end can come within the horizon.
        let near = if u32::from(self.left) <= KEY_HORIZON { u64::from(self.left) + 1 } else { 0 };
        let rest = u64::from(self.phase) | (self.mover as u64) << 4 | u64::from(self.tables.0.id) << 5 | near << 16;
        let sides =
            self.own.wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ self.opponent.wrapping_mul(0xD1B5_4A32_D192_ED03).rotate_left(32);
        mix(sides.wrapping_add(rest.wrapping_mul(0xAEF1_7502_108E_F2D9)))
    }

    #[inline(always)]
    fn random_move<R: Rng + ?Sized>(&self, rng: &mut R) -> Move {
        let draw = rng.next_u32();
        // Both ways meet before the move is packed, so that the compiler sees through packing and unpacking.
        let (shift, from, to) = if self.tables.0.standard {
            let (low, high) = self.choice();
            // The higher stone's targets come after the lower's; what the counts leave in the top bytes is not reached.
            let (first, second) = (self.listed(low), self.listed(high));
            let here = (first >> COUNT) as u32;
            let there = if low == high { 0 } else { (second >> COUNT) as u32 };
            let targets = first | second << here;
            let pick = share(draw, here + there) & 0x38;
            let shift = if pick < here { low } else { high };
            (shift, lane(self.own, shift), (targets >> pick) as u32)
        } else {
            let m = drawn_variant_move(self.tables.0, self.own, self.mover, self.phase, draw);
            (m.shift(), m.source(), m.target())
        };
        Move::new(shift & 63, from & 31, to & 31)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn states_are_small() {
        assert_eq!(size_of::<Einstein>(), 32);
        assert_eq!(size_of::<Move>(), 2);
    }
}

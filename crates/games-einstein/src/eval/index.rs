//! The distances of a side's six stones as one number, for tables.
//!
//! Standard game only: 0 for a captured stone, else its steps to the goal (1 to 4), read as digits of base five.

use gamecore::Player;

use crate::lanes::WIDTH;
use crate::moves::Move;
use crate::state::Einstein;
use crate::tables::ALL;

/// How many vectors of distances there are.
pub(super) const VECTORS: usize = 15_625;

/// The weight of each digit.
pub(super) const POWERS: [usize; 6] = [1, 5, 25, 125, 625, 3125];

/// Two neighbouring lanes at once: their two digits.
static PAIRS: [[u8; 4096]; 2] = [pairs(Player::One), pairs(Player::Two)];

const fn pairs(seat: Player) -> [u8; 4096] {
    let mut table = [0; 4096];
    let mut lanes = 0;
    while lanes < 4096 {
        table[lanes] = digit(seat, lanes as u32 & 63) + 5 * digit(seat, lanes as u32 >> 6);
        lanes += 1;
    }
    table
}

/// The digit of a stone on the square in a lane.
const fn digit(seat: Player, lane: u32) -> u8 {
    if lane < 25 { ALL[0].distance(seat, lane) } else { 0 }
}

/// For each lane's shift: the weight of its digit. 0 for shifts of no lane.
static WEIGHTS: [u16; 64] = weights();

const fn weights() -> [u16; 64] {
    let mut table = [0; 64];
    let mut i = 0;
    while i < 6 {
        table[i * WIDTH as usize] = POWERS[i] as u16;
        i += 1;
    }
    table
}

/// The index of a side of the standard game that has no stone on its goal.
#[inline(always)]
pub(super) fn of(seat: Player, side: u64) -> usize {
    let pairs = &PAIRS[seat];
    let pair = |shift: u32| usize::from(pairs[(side >> shift) as usize & 4095]);
    pair(0) + 25 * pair(2 * WIDTH) + 625 * pair(4 * WIDTH)
}

/// Both sides of a standard game, ready to say what a move makes of them.
pub(super) struct Parent<'a> {
    game: &'a Einstein,
    own: usize,
    opponent: usize,
}

/// What is left after a move.
pub(super) struct Child {
    /// The index of the seat that moved.
    pub(super) moved: usize,
    /// The index of the seat whose turn it is.
    pub(super) next: usize,
    /// Whether the move won.
    pub(super) won: bool,
}

impl<'a> Parent<'a> {
    #[inline(always)]
    pub(super) fn of(game: &'a Einstein) -> Self {
        let mover = game.mover;
        Self { game, own: of(mover, game.own), opponent: of(mover.other(), game.opponent) }
    }

    #[inline(always)]
    pub(super) fn child(&self, m: Move) -> Child {
        let (t, mover, to) = (&ALL[0], self.game.mover, m.target());
        // What a stone of `side` on the target adds to its side's index.
        let captured = |side: u64, distance: u8| {
            let flag = crate::lanes::on(side, to);
            usize::from(WEIGHTS[flag.trailing_zeros().wrapping_sub(5) as usize & 63]) * usize::from(distance)
        };
        let after = t.distance(mover, to);
        let steps = usize::from(t.distance(mover, m.source()) - after);
        let weight = usize::from(WEIGHTS[m.shift() as usize & 63]);
        let moved = self.own - weight * steps - captured(self.game.own, after);
        let next = self.opponent - captured(self.game.opponent, t.distance(mover.other(), to));
        Child { moved, next, won: after == 0 || next == 0 }
    }
}

/// In how many faces stone `i + 1` may move when the stones of `set` live; standard game.
pub(super) fn faces(set: usize, i: u32) -> u8 {
    let below = (set & ((1 << i) - 1)).checked_ilog2().map_or(0, |b| b + 1);
    let above = set >> (i + 1);
    let above = if above == 0 { 6 } else { i + 1 + above.trailing_zeros() };
    (above - below) as u8
}

/// The digits of an index: distances, 0 for captured.
pub(super) fn digits(index: usize) -> [u8; 6] {
    POWERS.map(|power| (index / power % 5) as u8)
}

/// The set of living stones of an index.
pub(super) fn set(index: usize) -> usize {
    (0..6).filter(|&i| digits(index)[i] != 0).map(|i| 1 << i).sum()
}

#[cfg(test)]
mod tests {
    use super::*;
    use gamecore::{Game, Turn, random::generator, uniform};

    fn slow(game: &Einstein, seat: Player) -> usize {
        game.stones(seat).map(|(n, square)| POWERS[usize::from(n) - 1] * usize::from(digit(seat, square.into()))).sum()
    }

    #[test]
    fn indices_follow_moves() {
        let mut rng = generator(5);
        for _ in 0..500 {
            let mut g = Einstein::start(crate::Rules::STANDARD);
            loop {
                match g.turn() {
                    Turn::Over(_) => break,
                    Turn::Chance(die) => g.resolve(gamecore::Chance::sample(&die, &mut rng)),
                    Turn::Decide(_) => {
                        let m = uniform(&g, &mut rng);
                        let child = Parent::of(&g).child(m);
                        g.play(m);
                        assert_eq!(child.won, g.outcome().is_some());
                        assert_eq!(of(g.mover, g.own), slow(&g, g.mover));
                        assert_eq!(child.next, slow(&g, g.mover));
                        assert_eq!(child.moved, slow(&g, g.mover.other()));
                    }
                }
            }
        }
    }

    #[test]
    fn every_face_counts_for_one_or_two_stones() {
        for set in 1usize..64 {
            let total: u8 = (0..6).filter(|i| set >> i & 1 == 1).map(|i| faces(set, i)).sum();
            let gaps = (set >> set.trailing_zeros()).count_zeros() - (set.leading_zeros() + set.trailing_zeros());
            assert_eq!(u32::from(total), 6 + gaps, "{set:b}");
        }
    }
}

//! The state and how it changes.

use gamecore::random::below;
use gamecore::{Game, Outcome, Player, Roll, Turn, mix};
use rand::Rng;
use smallvec::SmallVec;

use crate::dice::{Dice, Throw};
use crate::generate::{Generator, Group};
use crate::moves::{Move, target};
use crate::side::{BAR, IN_PLAY, OFF, PLACES, Side, places};
use crate::stakes::Stakes;

/// A phase: the mover is to roll. The phases 1 to 6 are the higher die rolled.
pub(crate) const ROLL: u8 = 0;
/// A phase: the throw that decides who starts.
pub(crate) const OPENING: u8 = 7;
/// With the points won, the phase of a game won by the seat that moved last.
pub(crate) const WON: u8 = 8;
/// The same, won by the seat that would be next: only positions that were set up.
pub(crate) const LOST: u8 = 12;

/// A position of backgammon: checkers, seat to move, dice, and what is played for.
///
/// 48 bytes, without heap, 32 of them the board. The board is kept from the mover's side: a turn ends by exchanging the
/// two halves. Make one with [`start`](Backgammon::start), [`from_board`](Backgammon::from_board), from text
/// ([`Text`](gamecore::Text), [`FromStr`](core::str::FromStr)) or with the [`formats`](crate::formats).
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Backgammon {
    /// The mover's checkers and the opponent's, each on its own points.
    pub(crate) sides: [Side; 2],
    pub(crate) stakes: Stakes,
    pub(crate) mover: Player,
    pub(crate) phase: u8,
    /// The lower die rolled, or 0.
    pub(crate) low: u8,
}

impl Backgammon {
    /// The seat that rolls or moves; in a finished game the one that would be next. Before the opening throw, nobody:
    /// [`Player::One`].
    #[inline]
    #[must_use]
    pub const fn mover(&self) -> Player {
        self.mover
    }

    /// The dice rolled, while a move is awaited.
    #[inline]
    #[must_use]
    pub const fn dice(&self) -> Option<Roll> {
        match self.phase {
            high @ 1..=6 => Some(Roll::new(high, self.low)),
            _ => None,
        }
    }

    /// Whether the throw that decides who starts is to come.
    #[must_use]
    pub const fn is_opening(&self) -> bool {
        self.phase == OPENING
    }

    /// How the game ended, if it has. Points count in units of the cube, see [`Stakes`].
    #[inline]
    #[must_use]
    pub const fn outcome(&self) -> Option<Outcome> {
        match self.phase {
            ..=OPENING => None,
            phase @ WON..LOST => Some(Outcome::Win { player: self.mover.other(), points: (phase - WON) as u16 }),
            phase => Some(Outcome::Win { player: self.mover, points: (phase - LOST) as u16 }),
        }
    }

    /// What the game is played for.
    #[must_use]
    pub const fn stakes(&self) -> Stakes {
        self.stakes
    }

    /// Whether a double is the mover's to offer now: it is to roll, the rules [allow](Stakes::cube_allows) it, and the cube is
    /// not [dead](Stakes::cube_is_dead), or nothing could be won by it. (Doubles themselves are no moves here.)
    #[must_use]
    pub const fn may_double(&self) -> bool {
        self.phase == ROLL && self.stakes.cube_allows(self.mover) && !self.stakes.cube_is_dead(self.mover)
    }

    /// A seat's checkers on its own point `point`, 1 to 24, or on the bar, 25; 0 elsewhere. A seat's point `p` is the
    /// other's `25 - p`.
    #[must_use]
    pub const fn checkers(&self, seat: Player, point: u8) -> u8 {
        if point == 0 || point > 25 { 0 } else { self.side(seat).count(point as u32 - 1) }
    }

    /// A seat's checkers on the bar.
    #[must_use]
    pub const fn on_bar(&self, seat: Player) -> u8 {
        self.side(seat).count(BAR)
    }

    /// A seat's checkers borne off.
    #[must_use]
    pub const fn borne_off(&self, seat: Player) -> u8 {
        self.side(seat).count(OFF)
    }

    /// A seat's checkers: on its points 1 to 24, on the bar, and off.
    #[must_use]
    pub fn board(&self, seat: Player) -> [u8; PLACES] {
        self.side(seat).counts()
    }

    /// A seat's checkers.
    #[inline(always)]
    pub(crate) const fn side(&self, seat: Player) -> &Side {
        &self.sides[(seat as u8 != self.mover as u8) as usize]
    }

    /// Shows the plays of the roll, see [`Generator`].
    #[inline(always)]
    fn groups(&self, visit: &mut impl FnMut(Group)) {
        let (high, low) = (u32::from(self.phase), u32::from(self.low));
        let generator = Generator::new(self.sides[0], self.sides[1]);
        if high == low { generator.double(high, visit) } else { generator.mixed(high, low, visit) }
    }

    /// Makes one checker's move for the mover. Nothing here asks whether it is legal.
    #[inline(always)]
    pub(crate) fn step(sides: &mut [Side; 2], from: u32, die: u32) {
        let to = target(from, die);
        let [own, opponent] = sides;
        own.remove(1 << from);
        own.add(1 << to);
        if to < BAR {
            let hit = opponent.single() & 1 << (23 - to);
            opponent.remove(hit);
            opponent.add(u32::from(hit != 0) << BAR);
        }
    }

    /// How much `winner`, who has no checker in play, wins against `loser`: 1, for a gammon 2, for a backgammon 3.
    pub(crate) const fn points_won(winner: Side, loser: Side, stakes: Stakes) -> Option<u8> {
        const WINNERS_HOME: u32 = IN_PLAY & !((1 << 18) - 1);
        if winner.occupied() & IN_PLAY != 0 {
            return None;
        }
        Some(if loser.count(OFF) > 0 || !stakes.gammons_count() {
            1
        } else if loser.occupied() & WINNERS_HOME == 0 {
            2
        } else {
            3
        })
    }
}

/// Two words made one: their product, its halves combined.
#[inline(always)]
const fn fold(a: u64, b: u64) -> u64 {
    let product = a as u128 * b as u128;
    product as u64 ^ (product >> 64) as u64
}

impl Game for Backgammon {
    type Move = Move;
    /// A roll has 19 distinct plays on average; the most found is 2226, of a double with all checkers apart. Up to 64
    /// need no heap, and a list that is [cleared](gamecore::MoveBuf::clear) and used again keeps what it has grown to.
    type Moves = SmallVec<[Move; 64]>;
    type Chance = Dice;
    const MAX_POINTS: u16 = 3;

    #[inline(always)]
    fn turn(&self) -> Turn<Dice> {
        match self.phase {
            ROLL => Turn::Chance(Dice::Turn),
            1..=6 => Turn::Decide(self.mover),
            OPENING => Turn::Chance(Dice::Opening),
            WON..LOST => Turn::Over(Outcome::Win { player: self.mover.other(), points: (self.phase - WON).into() }),
            _ => Turn::Over(Outcome::Win { player: self.mover, points: (self.phase - LOST).into() }),
        }
    }

    #[inline]
    fn moves(&self, out: &mut Self::Moves) {
        let mut most = 0;
        self.groups(&mut |group| {
            if group.used > most {
                most = group.used;
                out.clear();
            }
            if group.used == most {
                places(group.sources).for_each(|source| out.push(group.with(source)));
            }
        });
        if most == 0 {
            out.push(Move::PASS);
        }
    }

    #[inline(always)]
    fn play(&mut self, m: Move) {
        debug_assert!((1..=6).contains(&self.phase), "no move is awaited");
        let mut sides = self.sides;
        for (from, die) in m.sources() {
            Self::step(&mut sides, from, die);
        }
        let [own, opponent] = sides;
        self.phase = Self::points_won(own, opponent, self.stakes).map_or(ROLL, |points| WON + points);
        self.sides = [opponent, own];
        self.mover = self.mover.other();
        self.low = 0;
    }

    #[inline(always)]
    fn resolve(&mut self, throw: Throw) {
        debug_assert!(matches!((self.phase, throw), (ROLL, Throw::Turn(_)) | (OPENING, Throw::Opening { .. })));
        if throw.starter() == Some(Player::Two) {
            self.sides.swap(0, 1);
            self.mover = Player::Two;
        }
        let roll = throw.roll();
        (self.phase, self.low) = (roll.high(), roll.low());
    }

    #[inline]
    fn key(&self) -> u64 {
        let words = |side: Side| {
            let [a, b, c, d] = side.planes;
            (u64::from(a) | u64::from(b) << 32, u64::from(c) | u64::from(d) << 32)
        };
        let ((own_low, own_high), (opponent_low, opponent_high)) = (words(self.sides[0]), words(self.sides[1]));
        let own = fold(own_low ^ 0x9E37_79B9_7F4A_7C15, own_high ^ 0xD1B5_4A32_D192_ED03);
        let opponent = fold(opponent_low ^ 0xAEF1_7502_108E_F2D9, opponent_high ^ 0xF135_7AEA_2E62_A9C5);
        let rest = u64::from(self.phase) | u64::from(self.low) << 4 | (self.mover as u64) << 7;
        let rest = (self.stakes.word() ^ rest.rotate_right(8)).wrapping_mul(0x2545_F491_4F6C_DD1D);
        mix(own ^ opponent.rotate_left(32) ^ rest)
    }

    /// Draws one of the groups of plays by their sizes, and one of its plays.
    #[inline]
    fn random_move<R: Rng + ?Sized>(&self, rng: &mut R) -> Move {
        let mut groups = SmallVec::<[Group; 32]>::new();
        let (mut most, mut count) = (0, 0);
        self.groups(&mut |group| {
            if group.used > most {
                (most, count) = (group.used, 0);
                groups.clear();
            }
            if group.used == most {
                count += group.sources.count_ones();
                groups.push(group);
            }
        });
        let mut pick = below(rng, count as usize) as u32;
        for group in groups {
            let here = group.sources.count_ones();
            if pick < here {
                return places(group.sources).nth(pick as usize).map_or(Move::PASS, |source| group.with(source));
            }
            pick -= here;
        }
        // Only if there was none to draw from.
        Move::PASS
    }
}

const _: () = assert!(size_of::<Backgammon>() == 48 && size_of::<[Side; 2]>() == 32 && size_of::<Move>() == 4);

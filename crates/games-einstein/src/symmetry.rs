//! What can be exchanged without changing the game.

use gamecore::{Player, Symmetry};

use crate::lanes::{NONE, WIDTH, lane, shifts, with};
use crate::moves::Move;
use crate::state::{Einstein, ROLL, WON};

/// A symmetry: any combination of three exchanges, each its own inverse and independent of the others.
///
/// - [`REFLECT`](Sym::REFLECT): the board in the diagonal between the corners (standard game) or left and right
///   (variants). Each seat's steps are a set that this maps to itself.
/// - [`SWAP`](Sym::SWAP): the seats, with a half-turn of the board (standard game) or upside down (variants).
/// - [`RENUMBER`](Sym::RENUMBER): stone and face `n` become `7 - n`; 7, 8 and 9 stay. Next lower and next higher change
///   places, and the faces are equally likely.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub struct Sym(u8);

impl Sym {
    /// Nothing changes.
    pub const IDENTITY: Self = Self(0);
    /// The board is reflected, the seats keep their goals.
    pub const REFLECT: Self = Self(1);
    /// The seats are exchanged.
    pub const SWAP: Self = Self(2);
    /// The numbers run the other way.
    pub const RENUMBER: Self = Self(4);

    /// Both, one after the other.
    #[must_use]
    pub const fn and(self, other: Self) -> Self {
        Self(self.0 ^ other.0)
    }

    const fn has(self, part: Self) -> bool {
        self.0 & part.0 != 0
    }
}

static ALL: [Sym; 8] = [Sym(0), Sym(1), Sym(2), Sym(3), Sym(4), Sym(5), Sym(6), Sym(7)];

impl Einstein {
    fn map_square(&self, square: u8, sym: Sym) -> u8 {
        let t = self.tables.0;
        let square = if sym.has(Sym::REFLECT) { t.reflected(square) } else { square };
        if sym.has(Sym::SWAP) { t.opposite(square) } else { square }
    }

    fn map_side(&self, side: u64, sym: Sym) -> u64 {
        shifts(side)
            .fold(NONE, |mapped, shift| with(mapped, map_shift(shift, sym), self.map_square(lane(side, shift) as u8, sym).into()))
    }
}

/// The lane of the stone that `shift`'s becomes.
const fn map_shift(shift: u32, sym: Sym) -> u32 {
    if sym.has(Sym::RENUMBER) && shift < 6 * WIDTH { 5 * WIDTH - shift } else { shift }
}

impl Symmetry for Einstein {
    type Sym = Sym;

    fn symmetries(&self) -> &'static [Sym] {
        &ALL
    }

    fn inverse(&self, sym: Sym) -> Sym {
        sym
    }

    fn swaps_seats(&self, sym: Sym) -> bool {
        sym.has(Sym::SWAP)
    }

    fn transformed(&self, sym: Sym) -> Self {
        let mut g = *self;
        g.own = self.map_side(self.own, sym);
        g.opponent = self.map_side(self.opponent, sym);
        if sym.has(Sym::SWAP) {
            g.mover = self.mover.other();
            if let Some(winner) = self.outcome().and_then(gamecore::Outcome::winner) {
                g.phase = WON + u8::from(winner == Player::One);
            }
        }
        if let Some(face) = self.die() {
            g.phase = ROLL + self.map_event(face, sym);
        }
        g
    }

    fn map_move(&self, m: Move, sym: Sym) -> Move {
        match (m.from(), m.to()) {
            (Some(from), Some(to)) => {
                Move::new(map_shift(m.shift(), sym), self.map_square(from, sym).into(), self.map_square(to, sym).into())
            }
            _ => m,
        }
    }

    fn map_event(&self, face: u8, sym: Sym) -> u8 {
        if sym.has(Sym::RENUMBER) { 7 - face } else { face }
    }
}

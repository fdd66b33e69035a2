use arrayvec::ArrayVec;

use crate::{Game, Never, Outcome, Player, Symmetry, Turn};

/// Connect6 on a line: One places one stone, then both place two a turn; so many adjacent stones of one's own win.
///
/// A stone is a move, so a player decides twice in a row, and both orders of a turn lead to one state. The number of
/// stones says whose turn it is: 1 22 11 22 ...
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct DoubleStep {
    stones: [u16; 2],
    cells: u8,
    row: u8,
}

impl DoubleStep {
    /// An empty line of `cells`; `row` adjacent stones win.
    ///
    /// # Panics
    /// If there are no cells or more than 16, or if `row` is 0.
    #[must_use]
    pub const fn new(cells: u8, row: u8) -> Self {
        assert!(cells >= 1 && cells <= 16 && row >= 1);
        Self { stones: [0; 2], cells, row }
    }

    /// How many cells the line has.
    #[must_use]
    pub const fn cells(self) -> u8 {
        self.cells
    }

    /// A player's stones, bit by cell.
    #[must_use]
    pub const fn stones(self, player: Player) -> u16 {
        self.stones[player.index()]
    }

    /// Who places the next stone.
    #[must_use]
    pub const fn mover(self) -> Player {
        let placed = (self.stones[0] | self.stones[1]).count_ones();
        if placed.div_ceil(2).is_multiple_of(2) { Player::One } else { Player::Two }
    }

    fn has_row(self, player: Player) -> bool {
        // A bit survives n steps if n + 1 adjacent stones begin there.
        (1..self.row).fold(self.stones[player], |run, _| run & run >> 1) != 0
    }
}

impl Game for DoubleStep {
    type Move = u8;
    type Moves = ArrayVec<u8, 16>;
    type Chance = Never;

    fn turn(&self) -> Turn<Never> {
        for player in Player::BOTH {
            if self.has_row(player) {
                return Turn::Over(Outcome::win(player));
            }
        }
        let placed = (self.stones[0] | self.stones[1]).count_ones();
        if placed == u32::from(self.cells) { Turn::Over(Outcome::Draw) } else { Turn::Decide(self.mover()) }
    }

    fn moves(&self, out: &mut Self::Moves) {
        let taken = self.stones[0] | self.stones[1];
        out.extend((0..self.cells).filter(|cell| taken >> cell & 1 == 0));
    }

    fn play(&mut self, cell: u8) {
        let mover = self.mover();
        self.stones[mover] |= 1 << cell;
    }

    fn resolve(&mut self, event: Never) {
        match event {}
    }
}

/// The line read from either end.
impl Symmetry for DoubleStep {
    /// Whether the line is reversed.
    type Sym = bool;

    fn symmetries(&self) -> &'static [bool] {
        &[false, true]
    }

    fn inverse(&self, sym: bool) -> bool {
        sym
    }

    fn swaps_seats(&self, _: bool) -> bool {
        false
    }

    fn transformed(&self, sym: bool) -> Self {
        let turn = |s: u16| if sym { s.reverse_bits() >> (16 - self.cells) } else { s };
        Self { stones: self.stones.map(turn), ..*self }
    }

    fn map_move(&self, cell: u8, sym: bool) -> u8 {
        if sym { self.cells - 1 - cell } else { cell }
    }

    fn map_event(&self, event: Never, _: bool) -> Never {
        match event {}
    }
}

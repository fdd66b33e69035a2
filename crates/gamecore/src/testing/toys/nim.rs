use arrayvec::ArrayVec;

use crate::{Game, Never, Outcome, Player, Turn};

/// One heap; a move takes one, two or three from it; who takes the last wins.
///
/// # Examples
/// ```
/// use gamecore::{Game, Player, testing::toys::Nim};
///
/// assert_eq!(Nim::new(15).winner(), Player::One); // by taking three
/// assert_eq!(Nim::new(15).after(3).winner(), Player::One);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Nim {
    heap: u32,
    mover: Player,
}

impl Nim {
    /// A heap of this size; One begins. An empty heap is a game that Two has won.
    #[must_use]
    pub const fn new(heap: u32) -> Self {
        Self { heap, mover: Player::One }
    }

    /// What is left.
    #[must_use]
    pub const fn heap(self) -> u32 {
        self.heap
    }

    /// Who wins with best play: who finds a multiple of four loses.
    #[must_use]
    pub const fn winner(self) -> Player {
        if self.heap.is_multiple_of(4) { self.mover.other() } else { self.mover }
    }
}

impl Game for Nim {
    type Move = u8;
    type Moves = ArrayVec<u8, 3>;
    type Chance = Never;

    fn turn(&self) -> Turn<Never> {
        if self.heap == 0 { Turn::Over(Outcome::win(self.mover.other())) } else { Turn::Decide(self.mover) }
    }

    fn moves(&self, out: &mut Self::Moves) {
        out.extend(1..=self.heap.min(3) as u8);
    }

    fn play(&mut self, m: u8) {
        self.heap -= u32::from(m);
        self.mover = self.mover.other();
    }

    fn resolve(&mut self, event: Never) {
        match event {}
    }
}

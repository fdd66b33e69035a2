//! Chomp: whoever bites takes a square of the chocolate and all that is above and to the right of it; the square at the
//! bottom left is poisoned. The first player can always win (Gale 1974), and nobody has a rule for how.

use gamecore::{Game, Never, Outcome, Player, Turn, random};
use search_core::{Limits, StopReason};
use search_mcts::{Mcts, Playouts};

const COLUMNS: usize = 4;
const ROWS: u8 = 3;

/// How many squares are left of each column.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
struct Chomp {
    heights: [u8; COLUMNS],
    mover: Player,
}

impl Game for Chomp {
    /// Column and row.
    type Move = (u8, u8);
    type Moves = Vec<(u8, u8)>;
    type Chance = Never;

    fn turn(&self) -> Turn<Never> {
        // Who had to eat the poison has lost.
        if self.heights[0] == 0 { Turn::Over(Outcome::win(self.mover)) } else { Turn::Decide(self.mover) }
    }

    fn moves(&self, out: &mut Self::Moves) {
        out.extend((0..).zip(self.heights).flat_map(|(column, height)| (0..height).map(move |row| (column, row))));
    }

    fn play(&mut self, (column, row): (u8, u8)) {
        self.heights[usize::from(column)..].iter_mut().for_each(|height| *height = row.min(*height));
        self.mover = self.mover.other();
    }

    fn resolve(&mut self, never: Never) {
        match never {}
    }
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let start = Chomp { heights: [ROWS; COLUMNS], mover: Player::One };
    let mut search = Mcts::new(Playouts::uniform()).with_seed(1);
    let report = search.search(&start, &Limits::nodes(500_000))?;
    println!("bite {:?}, {:?} after {} playouts, {} positions", report.best, report.stop, report.nodes, search.tree_len());
    assert_eq!((report.stop, report.value), (StopReason::Solved, Some(1.0)), "the first player can always win");

    let mut rng = random::generator(2);
    let mut game = start;
    while let Turn::Decide(mover) = game.turn() {
        let bite = match mover {
            Player::One => search.search(&game, &Limits::nodes(50_000))?.best.ok_or("a decision has a move")?,
            Player::Two => game.random_move(&mut rng),
        };
        println!("{mover:?} bites {bite:?}");
        game.try_play(bite)?;
    }
    assert_eq!(game.turn(), Turn::Over(Outcome::win(Player::One)));
    Ok(())
}

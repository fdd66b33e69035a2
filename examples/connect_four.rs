//! Your own game in a hundred lines: Connect Four from its rules to an opponent.
//!
//! `cargo run --example connect_four` plays against you; type the number of a column. With `--demo` the engine plays itself.
//! Every search here starts anew; [`Mcts`]'s documentation shows how to keep the tree from move to move.

use std::io::{self, BufRead, Write};

use gamecore::{Game, Never, Outcome, Player, Turn};
use search_core::Limits;
use search_mcts::{Mcts, Playouts};

/// Seven columns of six cells, one bit a cell, the bottom row in the lowest bits of each column's seven.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
struct ConnectFour {
    stones: [u64; 2],
    played: u32,
}

const COLUMNS: u8 = 7;

impl ConnectFour {
    fn mover(self) -> Player {
        if self.played.is_multiple_of(2) { Player::One } else { Player::Two }
    }

    /// How many stones stand in a column.
    fn height(self, column: u8) -> u32 {
        ((self.stones[0] | self.stones[1]) >> (7 * column) & 0x3F).count_ones()
    }

    /// Whether a player has four in a row: upwards, across, and on both diagonals.
    fn has_four(self, player: Player) -> bool {
        let stones = self.stones[player];
        [1, 7, 6, 8].into_iter().any(|step| {
            let pairs = stones & stones >> step;
            pairs & pairs >> (2 * step) != 0
        })
    }
}

impl Game for ConnectFour {
    type Move = u8;
    type Moves = arrayvec::ArrayVec<u8, 7>;
    type Chance = Never;

    fn turn(&self) -> Turn<Never> {
        let before = self.mover().other();
        if self.has_four(before) {
            Turn::Over(Outcome::win(before))
        } else if self.played == 42 {
            Turn::Over(Outcome::Draw)
        } else {
            Turn::Decide(self.mover())
        }
    }

    fn moves(&self, out: &mut Self::Moves) {
        out.extend((0..COLUMNS).filter(|&column| self.height(column) < 6));
    }

    fn play(&mut self, column: u8) {
        let mover = self.mover();
        self.stones[mover] |= 1 << (7 * u32::from(column) + self.height(column));
        self.played += 1;
    }

    fn resolve(&mut self, never: Never) {
        match never {}
    }
}

fn show(game: ConnectFour) {
    for row in (0..6).rev() {
        let mark = |bit: u64| {
            if game.stones[0] & bit != 0 {
                "x "
            } else if game.stones[1] & bit != 0 {
                "o "
            } else {
                ". "
            }
        };
        println!("  {}", (0..7).map(|column| mark(1 << (7 * column + row))).collect::<String>());
    }
    println!("  1 2 3 4 5 6 7\n");
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let demo = words == ["--demo"];
    if !demo && !words.is_empty() {
        println!(
            "usage: connect_four [--demo]\n\nYou play first; type the number of a column. With --demo the engine plays itself."
        );
        return if words == ["--help"] { Ok(()) } else { Err(format!("unknown: {}", words.join(" ")).into()) };
    }
    let mut search = Mcts::new(Playouts::uniform()).with_seed(1);
    let mut game = ConnectFour::default();
    show(game);
    while let Turn::Decide(mover) = game.turn() {
        if demo || mover == Player::Two {
            let report = search.search(&game, &Limits::nodes(50_000))?;
            let column = report.best.ok_or("a decision has a move")?;
            println!("{mover:?} plays {}; worth {:+.2} to One.", column + 1, report.value.unwrap_or(0.0));
            game.play(column);
        } else {
            print!("Your column? ");
            io::stdout().flush()?;
            let mut line = String::new();
            if io::stdin().lock().read_line(&mut line)? == 0 {
                println!();
                return Ok(());
            }
            let column = line.trim().parse().ok().and_then(|number: u8| number.checked_sub(1));
            if column.is_none_or(|column| game.try_play(column).is_err()) {
                println!("A column from 1 to 7 that is not full.");
                continue;
            }
        }
        show(game);
    }
    if let Turn::Over(outcome) = game.turn() {
        println!("{}", outcome.winner().map_or("Drawn.".into(), |player| format!("{player:?} has won.")));
    }
    Ok(())
}

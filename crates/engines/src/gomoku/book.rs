//! Opening books of gomoku.

use std::fs::File;
use std::path::Path;

use games_gomoku::{Gomoku, Rule, SetupError};
use search_core::book::{self, Book, BookError};

/// What every label begins with.
const GAME: &str = "gomoku";

fn label(rule: Rule, size: u8) -> String {
    format!("{GAME} {rule} {size}")
}

/// An empty opening book of a rule set and a board, to be filled or read: one for all eight symmetries. Of other rules or
/// another size it neither knows a position nor reads a file.
///
/// # Errors
/// Unless `size` is 5 to 20.
///
/// # Examples
/// ```
/// use engines::gomoku::book;
/// use games_gomoku::{Gomoku, Rule};
/// use gamecore::{Game, Text};
///
/// let mut book = book(Rule::Freestyle, 15)?;
/// let game: Gomoku = "15/15/15/15/15/15/15/7x7/15/15/15/15/15/15/15 two".parse()?;
/// book.add(&game, game.parse_move("h9")?, 1, 1, 0.1)?;
/// // What is best above the first stone is best beside it, and both are one move to the book.
/// assert_eq!((book.len(), book.moves(&game).len()), (1, 1));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn book(rule: Rule, size: u8) -> Result<Book<Gomoku>, SetupError> {
    Ok(Book::symmetric(&label(rule, size), &Gomoku::start(rule, size)?))
}

/// Reads an opening book of whatever rules and size.
///
/// # Errors
/// If there is no such file, or it is no whole book of gomoku that fits this version.
pub fn load_book(path: impl AsRef<Path>) -> Result<Book<Gomoku>, BookError> {
    let found = book::label(File::open(&path)?)?;
    let words: Vec<&str> = found.split(' ').collect();
    let made = match words[..] {
        [GAME, rule, size] => rule.parse().ok().zip(size.parse().ok()).and_then(|(rule, size)| book(rule, size).ok()),
        _ => None,
    };
    let expected = || format!("{GAME}, a rule set and a size, as in {}", label(Rule::Freestyle, 15));
    let mut book = made.ok_or_else(|| BookError::other_game(&found, &expected()))?;
    book.load(path)?;
    Ok(book)
}

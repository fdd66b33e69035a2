//! Records of Piskvork (`.psq`), the manager of the Gomocup tournaments.
//!
//! ```text
//! Piskvorky 15x15, 11:11, 0
//! 8,8,0
//! 9,7,1250
//! RAPFI.zip
//! PELA.zip
//! -1
//! ```
//! Columns, rows and two levels that mean nothing here; then 0, or 1 if the player named second began. A move is its column and
//! row, from 1 at the top left, and the milliseconds that it took. After the moves come the players' names, or none, and a number
//! that says how the game ended; newer programs add lines.
//!
//! Source: the program's own reading and writing, <https://github.com/plastovicka/Piskvork>.

use core::fmt::Write as _;

use gamecore::text::quoted;
use gamecore::{Player, Record};
use lines::Point;

use super::{ASSUMED, Fault, FormatError, NAMES, moves, name, push};
use crate::rules::{Rule, SMALLEST};
use crate::state::Gomoku;

/// The game as a record of Piskvork. Who has no name is called `homo-1` or `homo-2`, as people are there; times are written as 0.
///
/// # Errors
/// If the game did not begin on an empty board with Player One to move.
///
/// # Examples
/// ```
/// use gamecore::Record;
/// use games_gomoku::{Gomoku, Rule, formats::psq};
///
/// let mut record = Record::from(Gomoku::start(Rule::Freestyle, 15)?);
/// record.push_text("h8")?;
/// let text = psq::text(&record)?;
/// assert_eq!(text, "Piskvorky 15x15, 0:0, 0\n8,8,0\nhomo-1\nhomo-2\n-1\n");
/// assert_eq!(psq::parse(&text, Rule::Freestyle)?.history().state(), record.history().state());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn text(record: &Record<Gomoku>) -> Result<String, FormatError> {
    let start = record.history().start();
    if start.board().count() > 0 || start.mover() != Player::One {
        return Err(Fault::NotFromStart.at(0));
    }
    let size = start.board().size();
    let mut out = format!("Piskvorky {size}x{size}, 0:0, 0\n");
    for (_, m) in moves(record) {
        _ = writeln!(out, "{},{},0", m.x() + 1, m.y() + 1);
    }
    for (player, unnamed) in [(Player::One, "homo-1"), (Player::Two, "homo-2")] {
        let name = name(record, player).unwrap_or(unnamed);
        // Not to be taken for a move or for the number at the end.
        let underscore = if is_number(name) || is_move(name) { "_" } else { "" };
        _ = writeln!(out, "{underscore}{name}");
    }
    Ok(out + "-1\n")
}

/// Reads a game that was played by these rules, which its text does not tell.
///
/// A text that ends with a move has been cut off: the names or the number at the end are missing.
///
/// # Errors
/// The number of the first bad line, and what is wrong with it.
pub fn parse(text: &str, rule: Rule) -> Result<Record<Gomoku>, FormatError> {
    let lines = text.trim_start_matches('\u{feff}').lines().map(str::trim).zip(1..);
    let mut lines = lines.filter(|(line, _)| !line.is_empty());
    let (first, number) = lines.next().unwrap_or(("", 1));
    let (size, exchanged) = header(first).map_err(|fault| fault.at(number))?;
    let mut record = Record::from(Gomoku::start(rule, size).map_err(|error| Fault::Setup(error).at(number))?);
    record.set_tag(ASSUMED, &format!("{rule} rules"));
    // Names, or the number at the end; lines after that mean nothing.
    let (mut names, mut end, mut last) = (Vec::new(), None, number);
    for (line, number) in lines {
        last = number;
        if end.is_some() {
            continue;
        }
        if is_number(line) {
            end = Some((line, number));
        } else if !is_move(line) {
            names.push(line);
        } else if names.is_empty() {
            let point = read_move(line).ok_or_else(|| Fault::Move { found: quoted(line) }.at(number))?;
            push(&mut record, point, line).map_err(|fault| fault.at(number))?;
        } else {
            return Err(Fault::Late { found: quoted(line) }.at(number));
        }
    }
    // A last line such as "12" may have been more.
    let is_whole = |(end, number): (&str, usize)| number < last || end.starts_with('-') || text.ends_with('\n');
    if names.is_empty() && !end.is_some_and(is_whole) {
        return Err(Fault::Cut.at(last));
    }
    for (i, name) in names.into_iter().take(2).enumerate() {
        record.set_tag(NAMES[i ^ usize::from(exchanged)], name);
    }
    Ok(record)
}

/// The board's size, and whether the player named second began.
fn header(line: &str) -> Result<(u8, bool), Fault> {
    let refused = || Fault::NoPsq { found: quoted(line) };
    let (size, rest) = line.strip_prefix("Piskvorky").ok_or_else(refused)?.split_once(',').ok_or_else(refused)?;
    let (columns, rows) = size.split_once('x').ok_or_else(refused)?;
    let columns: u32 = columns.trim().parse().map_err(|_| refused())?;
    let rows: u32 = rows.trim().parse().map_err(|_| refused())?;
    let square = u8::try_from(columns).ok().filter(|&n| columns == rows && (SMALLEST..=lines::LARGEST).contains(&n));
    let size = square.ok_or_else(|| Fault::Size { found: quoted(size.trim()) })?;
    Ok((size, rest.rsplit(',').next().is_some_and(|begins| begins.trim() == "1")))
}

/// Whether a line is a number, as the one that ends a game.
fn is_number(line: &str) -> bool {
    let digits = line.strip_prefix('-').unwrap_or(line);
    !digits.is_empty() && digits.bytes().all(|b| b.is_ascii_digit())
}

/// Whether a line begins as a move does: with a number and a comma.
fn is_move(line: &str) -> bool {
    line.split_once(',').is_some_and(|(first, _)| is_number(first.trim()))
}

/// A move's point (`None` inside: none of the largest board), or `None` if the line is no move.
fn read_move(line: &str) -> Option<Option<Point>> {
    let numbers: Vec<i64> = line.split(',').map(|n| n.trim().parse().ok()).collect::<Option<_>>()?;
    let ([column, row] | [column, row, _]) = numbers[..] else { return None };
    let from_zero = |n: i64| n.checked_sub(1).and_then(|n| u8::try_from(n).ok());
    Some(from_zero(column).zip(from_zero(row)).and_then(|(x, y)| Point::new(x, y)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use gamecore::Outcome;

    /// As Piskvork writes it, by a manager of another system, with lines of a newer version at the end.
    const TEXT: &str = "Piskvorky 15x15, 11:11, 0\r\n8,8,0\r\n9,9,15\r\n8,9,1250\r\n10,10\r\nRAPFI.zip\r\nPELA 2.zip\r\n-1\r\n0,Freestyle15_1\r\n";

    #[test]
    fn records_are_read() {
        let record = parse(TEXT, Rule::Standard).unwrap();
        let history = record.history();
        assert_eq!(history.steps_text(), "h8 i7 h7 j6");
        assert!(record.tags().contains(&(ASSUMED.into(), "standard rules".into())));
        assert_eq!((history.start().rule(), history.start().board().size()), (Rule::Standard, 15));
        assert_eq!([name(&record, Player::One), name(&record, Player::Two)], [Some("RAPFI.zip"), Some("PELA 2.zip")]);
        // The second player began; no names; other ways of writing.
        let exchanged = parse(&TEXT.replace("11, 0", "11, 1"), Rule::Standard).unwrap();
        assert_eq!(name(&exchanged, Player::One), Some("PELA 2.zip"));
        for (from, to) in
            [("RAPFI.zip\r\nPELA 2.zip\r\n", ""), (", 11:11, 0", " , 0 - 0"), ("\r\n", "\n\n"), ("Pisk", "\u{feff}Pisk")]
        {
            assert!(TEXT.contains(from));
            let read = parse(&TEXT.replace(from, to), Rule::Standard).unwrap();
            assert_eq!(read.history().state(), history.state(), "{to}");
        }
    }

    #[test]
    fn faults_are_named_with_their_line() {
        let text = TEXT.replace('\r', "");
        for (from, to, line, words) in [
            ("Piskvorky", "Gomoku", 1, "begins with a line such as"),
            ("15x15", "15x", 1, "begins with a line such as"),
            ("15x15", "15x16", 1, "as many rows as columns"),
            ("15x15", "300x300", 1, "5x5 to 20x20"),
            ("8,8,0", "8,,0", 2, "is no move"),
            ("8,8,0", "8,8,0,0", 2, "is no move"),
            ("8,8,0", "0,8,0", 2, "15 columns"),
            ("8,8,0", "16,8,0", 2, "15 columns"),
            ("8,8,0", "9223372036854775807,8,0", 2, "15 columns"),
            ("9,9,15", "8,8,15", 3, "stands there already"),
            ("PELA 2.zip", "9,1,0", 7, "after the players' names"),
            ("RAPFI.zip\nPELA 2.zip\n-1\n0,Freestyle15_1\n", "", 5, "cut off"),
            (",10\nRAPFI.zip\nPELA 2.zip\n-1\n0,Freestyle15_1\n", "", 5, "cut off"),
            ("10\nRAPFI.zip\nPELA 2.zip\n-1\n0,Freestyle15_1\n", "", 5, "no move"),
        ] {
            assert!(text.contains(from), "{from}");
            let error = parse(&text.replacen(from, to, 1), Rule::Freestyle).unwrap_err();
            assert!(error.line == line && error.to_string().contains(words), "{to}: {error}");
        }
        assert!(parse("", Rule::Freestyle).unwrap_err().to_string().contains("line 1: "));
    }

    #[test]
    fn moves_after_the_end_are_refused() {
        let text = |last: &str| format!("Piskvorky 9x9, 0:0, 0\n1,1\n1,2\n2,1\n2,2\n3,1\n3,2\n4,1\n4,2\n5,1\n{last}-1\n");
        assert_eq!(parse(&text(""), Rule::Freestyle).unwrap().history().state().outcome(), Some(Outcome::win(Player::One)));
        let error = parse(&text("9,9,0\n"), Rule::Freestyle).unwrap_err();
        assert!(error.line == 11 && error.to_string().contains("somebody has won"), "{error}");
    }

    #[test]
    fn what_cannot_be_written_is_refused_and_names_are_made_fit() {
        let setup: Gomoku = "5/1x3/5/5/5 two".parse().unwrap();
        assert_eq!(text(&setup.into()), Err(Fault::NotFromStart.at(0)));
        for (tag, written) in [("7", "_7"), ("8,8", "_8,8"), ("", "homo-1"), ("Ann\nLee", "Ann Lee"), ("-1", "_-1")] {
            let mut record = Record::from(Gomoku::start(Rule::Caro, 9).unwrap());
            record.set_tag("one", tag);
            let read = parse(&text(&record).unwrap(), Rule::Caro).unwrap();
            assert_eq!(name(&read, Player::One), Some(written));
            assert_eq!(name(&read, Player::Two), Some("homo-2"));
        }
    }
}

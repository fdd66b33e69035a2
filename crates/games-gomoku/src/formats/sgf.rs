//! Game records in the Smart Game Format (`.sgf`, `GM[4]`).
//!
//! ```text
//! (;FF[4]GM[4]CA[UTF-8]SZ[15]RU[standard]PB[Alice]PW[Bob]RE[B+];B[hh];W[ig];B[gg]...)
//! ```
//! A point is two letters, its column from the left and its row from the top: `hh` is the middle of the usual board. `AB` and
//! `AW` set stones up before the game, `PL` says who begins it. Of variations the first is read; comments are read over. The
//! format does not say how rules are called: `RU` has the name of a [`Rule`], and other words are read over.
//!
//! Source: <https://www.red-bean.com/sgf/>, which has gomoku and renju among its games without a page of their own; points are
//! those of its page on go.

use core::fmt::Write as _;

use gamecore::sgf::{self, Node, Property, escaped};
use gamecore::text::quoted;
use gamecore::{Outcome, Player, Record};
use lines::sgf::{points, square};
use lines::{LARGEST, Point};

use super::{ASSUMED, Fault, FormatError, NAMES, moves, name, push};
use crate::rules::{Rule, SMALLEST, USUAL};
use crate::state::Gomoku;

/// The tag that holds a result which the board does not show, such as `B+R`, a resignation.
const RESULT: &str = "result";

/// The game as a game record.
///
/// # Examples
/// ```
/// use gamecore::Record;
/// use games_gomoku::{Gomoku, Rule, formats::sgf};
///
/// let start: Gomoku = "9/9/9/9/4x4/9/9/9/9 two standard".parse()?;
/// let mut record = Record::from(start);
/// record.push_text("f6")?;
/// let text = sgf::text(&record);
/// assert_eq!(text, "(;FF[4]GM[4]CA[UTF-8]SZ[9]RU[standard]AB[ee]PL[W]\n;W[fd])\n");
/// assert_eq!(sgf::parse(&text, Rule::Freestyle)?.history().state(), record.history().state());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[must_use]
pub fn text(record: &Record<Gomoku>) -> String {
    let (start, end) = (record.history().start(), record.history().state());
    let board = start.board();
    let mut out = format!("(;FF[4]GM[4]CA[UTF-8]SZ[{}]RU[{}]", board.size(), start.rule());
    for (player, property) in [(Player::One, "PB"), (Player::Two, "PW")] {
        if let Some(name) = name(record, player) {
            _ = write!(out, "{property}[{}]", escaped(name));
        }
    }
    let noted = record.tags().iter().find(|(name, _)| name == RESULT).map(|(_, value)| escaped(value));
    let result = match end.outcome() {
        Some(Outcome::Win { player, .. }) => Some(format!("{}+", sgf::colour(player))),
        Some(Outcome::Draw) => Some("0".into()),
        None => noted,
    };
    if let Some(result) = result {
        _ = write!(out, "RE[{result}]");
    }
    for player in Player::BOTH {
        let mut stones = board.points().filter(|&p| board.stone(p) == Some(player)).peekable();
        if stones.peek().is_some() {
            out += ["AB", "AW"][player];
        }
        stones.for_each(|point| _ = write!(out, "[{}]", letters(point)));
    }
    if board.count() > 0 || start.mover() == Player::Two {
        _ = write!(out, "PL[{}]", sgf::colour(start.mover()));
    }
    for (player, m) in moves(record) {
        _ = write!(out, "\n;{}[{}]", sgf::colour(player), letters(m));
    }
    out + ")\n"
}

/// Reads the first game of a collection; `rule` holds if the text names no rules.
///
/// If it does not say who begins, that is who makes the first move; without moves, who has fewer stones. A result that
/// the board does not show is kept as it is, in the tag `result`.
///
/// # Errors
/// The number of the first bad line, and what is wrong with it.
pub fn parse(text: &str, rule: Rule) -> Result<Record<Gomoku>, FormatError> {
    let games = sgf::parse(text).map_err(|error| Fault::Syntax(error.fault).at(error.line))?;
    read(games.first().ok_or(Fault::NoRecord.at(1))?, rule)
}

/// Reads all games of a collection, one after the other, as [`parse`] does.
///
/// # Errors
/// As [`parse`]: if the text is no collection, and for each game that is none.
pub fn games(text: &str, rule: Rule) -> Result<impl Iterator<Item = Result<Record<Gomoku>, FormatError>>, FormatError> {
    let games = sgf::parse(text).map_err(|error| Fault::Syntax(error.fault).at(error.line))?;
    Ok(games.into_iter().map(move |nodes| read(&nodes, rule)))
}

fn read(nodes: &[Node], rule: Rule) -> Result<Record<Gomoku>, FormatError> {
    let all = || nodes.iter().flatten();
    let first_line = all().next().map_or(1, |p| p.line);
    if all().find(|p| p.name == "GM").is_none_or(|p| p.value() != "4") {
        return Err(Fault::NoRecord.at(first_line));
    }
    let player_of = |p: &Property| sgf::player(&p.name);
    let moves = || all().filter_map(|p| Some((player_of(p)?, p)));
    let mut setup = Setup { size: USUAL, rule, told: false, stones: Vec::new(), mover: moves().next().map(|(player, _)| player) };
    // A node has its properties in any order, and stones are set up before the first move.
    let (mut before, mut names, mut result) = (true, [None, None], None);
    for node in nodes {
        for property in node.iter().filter(|p| player_of(p).is_none()) {
            let fault = |fault: Fault| fault.at(property.line);
            match &*property.name {
                "PB" => names[0] = Some(property.value()),
                "PW" => names[1] = Some(property.value()),
                "RE" => result = Some(property),
                "SZ" | "AB" | "AW" | "PL" if !before => {
                    return Err(fault(refused(property, "the board is set up before the first move")));
                }
                "SZ" | "RU" | "AB" | "AW" | "PL" => setup.take(property).map_err(fault)?,
                // The last two are opening stones, as one server writes them; without them another game would be read.
                "AE" | "QPR" | "QSLW" => {
                    return Err(fault(refused(property, "stones are set up with AB and AW, and played with B and W")));
                }
                _ => {}
            }
        }
        before &= node.iter().all(|p| player_of(p).is_none());
    }
    let told = setup.told;
    let start = setup.position().map_err(|fault| fault.at(first_line))?;
    let mut record = Record::from(start);
    if !told {
        record.set_tag(ASSUMED, &format!("{rule} rules"));
    }
    for (tag, name) in NAMES.into_iter().zip(names) {
        if let Some(name) = name.filter(|name| !name.is_empty()) {
            record.set_tag(tag, name);
        }
    }
    for (player, property) in moves() {
        if record.history().state().mover() != player {
            return Err(Fault::Turn.at(property.line));
        }
        let fault = |fault: Fault| fault.at(property.line);
        let word = property.value();
        let point = point(word).ok_or_else(|| fault(refused(property, "a point is two letters, column and row")))?;
        push(&mut record, Some(point), word).map_err(fault)?;
    }
    if let Some(property) = result {
        let said = property.value();
        let named = sgf::winner(said);
        match record.history().state().outcome() {
            None => record.set_tag(RESULT, said),
            Some(Outcome::Win { player, .. }) if named.is_none_or(|winner| winner == player) => {}
            Some(Outcome::Draw) if named.is_none() => {}
            Some(_) => return Err(Fault::Winner.at(property.line)),
        }
    }
    Ok(record)
}

/// The board before the first move, as far as it is known.
struct Setup {
    size: u8,
    rule: Rule,
    /// Whether the text names the rules.
    told: bool,
    stones: Vec<(Point, Player)>,
    mover: Option<Player>,
}

impl Setup {
    fn take(&mut self, property: &Property) -> Result<(), Fault> {
        let word = property.value();
        match &*property.name {
            "SZ" => self.size = square(word, SMALLEST).ok_or_else(|| Fault::Size { found: quoted(word) })?,
            "RU" => {
                if let Ok(rule) = word.parse() {
                    (self.rule, self.told) = (rule, true);
                }
            }
            "PL" => self.mover = Some(sgf::player(word).ok_or_else(|| refused(property, "B or W"))?),
            _ => {
                let player = if property.name == "AB" { Player::One } else { Player::Two };
                for list in &property.values {
                    let points = points(list.trim(), point).ok_or_else(|| Fault::Property {
                        name: property.name.clone(),
                        found: quoted(list),
                        expected: "a point is two letters, and two points with : between them are the corners of a rectangle",
                    })?;
                    if self.stones.len() > usize::from(LARGEST) * usize::from(LARGEST) {
                        return Err(refused(property, "there are more stones than points"));
                    }
                    self.stones.extend(points.into_iter().map(|point| (point, player)));
                }
            }
        }
        Ok(())
    }

    fn position(self) -> Result<Gomoku, Fault> {
        let ones = self.stones.iter().filter(|stone| stone.1 == Player::One).count();
        let fewer = if 2 * ones > self.stones.len() { Player::Two } else { Player::One };
        Ok(Gomoku::from_stones(self.rule, self.size, self.stones, self.mover.unwrap_or(fewer))?)
    }
}

fn refused(property: &Property, expected: &'static str) -> Fault {
    Fault::Property { name: property.name.clone(), found: quoted(property.value()), expected }
}

/// A point's two letters.
fn letters(point: Point) -> String {
    [point.x(), point.y()].map(|n| char::from(b'a' + n)).iter().collect()
}

fn point(letters: &str) -> Option<Point> {
    let &[column, row] = letters.as_bytes() else { return None };
    Point::new(column.checked_sub(b'a')?, row.checked_sub(b'a')?)
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "(;GM[4]FF[4]SZ[15]RU[Standard]GN[a \\[game\\]]RE[W+R]\nPB[player \\] (1800)]PW[Bob]C[B[zz\\];W]\n;B[hh];W[ii]C[?];B[ig]\n(;W[jg];B[gi])(;W[aa]))(;GM[4];B[aa])";

    #[test]
    fn a_record_is_read_and_written() {
        let record = parse(TEXT, Rule::Renju).unwrap();
        assert_eq!(record.history().steps_text(), "h8 i7 i9 j9 g7");
        assert_eq!(record.history().start().rule(), Rule::Standard);
        assert_eq!(name(&record, Player::One), Some("player ] (1800)"));
        let written = text(&record);
        assert!(written.contains("PB[player \\] (1800)]PW[Bob]RE[W+R]\n;B[hh]\n;W[ii]"), "{written}");
        let again = parse(&written, Rule::Renju).unwrap();
        assert_eq!((again.history().states(), again.tags()), (record.history().states(), record.tags()));
        let all: Vec<_> = games(TEXT, Rule::Caro).unwrap().map(|game| game.unwrap().history().start().rule()).collect();
        assert_eq!(all, [Rule::Standard, Rule::Caro]);
    }

    #[test]
    fn positions_are_set_up() {
        for (sgf, position) in [
            ("AB[aa:ca][ee]AW[bb]PL[B]SZ[5]", "xxx2/1o3/5/5/4x one"),
            ("SZ[5:5]AB[aa]", "x4/5/5/5/5 two"),
            ("SZ[5]AB[aa];W[bb]", "x4/1o3/5/5/5 one"),
            ("SZ[5]AB[aa]AW[ab];W[bb]", "x4/oo3/5/5/5 one"),
            ("SZ[5];W[bb]", "5/1o3/5/5/5 one"),
            ("SZ[5]B[bb]W[cc]", "5/1x3/2o2/5/5 one"),
            ("SZ[5];PL[W]AB[aa]", "x4/5/5/5/5 two"),
        ] {
            let record = parse(&format!("(;GM[4]{sgf})"), Rule::Freestyle).unwrap();
            assert_eq!(record.history().state(), &position.parse().unwrap(), "{sgf}");
            let again = parse(&text(&record), Rule::Freestyle).unwrap();
            assert_eq!(again.history().states(), record.history().states(), "{sgf}");
        }
    }

    #[test]
    fn results_are_told_by_the_board_if_it_can() {
        let won = "(;GM[4]SZ[5]AB[aa:da]AW[ab];B[ea]RE[B+])";
        let record = parse(won, Rule::Freestyle).unwrap();
        assert_eq!(record.tags(), [(ASSUMED.into(), "freestyle rules".into())]);
        assert!(parse(&won.replace("GM[4]", "GM[4]RU[standard]"), Rule::Freestyle).unwrap().tags().is_empty());
        assert!(text(&record).contains("RE[B+]"));
        assert!(parse(&won.replace("B+", "?"), Rule::Freestyle).is_ok());
        for said in ["W+5", "w+"] {
            assert_eq!(parse(&won.replace("B+", said), Rule::Freestyle).unwrap_err().fault, Fault::Winner, "{said}");
        }
        let drawn: Gomoku = "xoxox/xoxox/oxoxo/oxoxo/xoxox two".parse().unwrap();
        assert!(text(&drawn.into()).contains("RE[0]"));
    }

    #[test]
    fn faults_are_named_with_their_line() {
        for (from, to, line, words) in [
            ("GM[4]", "GM[1]", 1, "GM[4]"),
            ("GM[4]", "", 1, "GM[4]"),
            ("SZ[15]", "SZ[15:16]", 1, "as many rows as columns"),
            ("SZ[15]", "SZ[4]", 1, "5x5 to 20x20"),
            ("SZ[15]", "SZ[x]", 1, "5x5 to 20x20"),
            ("B[hh]", "B[]", 3, "two letters"),
            ("B[hh]", "B[HH]", 3, "two letters"),
            ("B[hh]", "B[tt]", 3, "15 columns"),
            ("W[ii]", "AW[ii]", 3, "before the first move"),
            ("W[ii]", "W[hh]", 3, "stands there already"),
            ("W[ii]", "B[ii]", 3, "out of turn"),
            ("W[ii]", "AE[hh]", 3, "AB and AW"),
            ("RE[W+R]", "PL[X]", 1, "B or W"),
            ("RE[W+R]", "AB[hh]", 3, "stands there already"),
            ("RE[W+R]", "AB[gg][gg]", 1, "two stones"),
            ("RE[W+R]", "AB[gg:g]", 1, "corners of a rectangle"),
            ("RE[W+R]", "AB[aa:ea]AW[ab:eb]", 1, "both sides"),
            ("RE[W+R]", "AB[aa:ea]", 3, "somebody has won"),
            (";W[ii]C[?]", ";W[ii]C[?", 4, "out of turn"),
            ("(;W[aa]))(;GM[4];B[aa])", "", 4, "cut off"),
        ] {
            assert!(TEXT.contains(from), "{from}");
            let error = parse(&TEXT.replacen(from, to, 1), Rule::Freestyle).unwrap_err();
            assert!(error.line == line && error.to_string().contains(words), "{to}: {error}");
        }
        for text in ["", "()", ")", "(;", "(;GM[4", "GM[4]", "(;B[hh])"] {
            assert!(parse(text, Rule::Freestyle).is_err(), "{text}");
        }
    }
}

//! Game records in the Smart Game Format (`.sgf`).
//!
//! ```text
//! (;FF[4]GM[511]CA[UTF-8]SZ[19]RU[6,2,1]PB[Alice]PW[Bob];B[JJ];W[KJ];W[JK];B[II]...)
//! ```
//! A point is two letters, its column from the left and its row from the top, in either case. A node has one stone, as written here, or
//! several: `W[KJJK]`, `W[KJ][JK]`, or `W[KJ]W[JK]`. `AB` and `AW` set stones up before the game, `PL` says who begins it. Of
//! variations the first is read; comments are read over.
//!
//! The format has no number for this game: NCTU6, whose records show one stone a node and capital letters, uses 511. It does not
//! say how rules are called either; `RU` has what a position's text has (stones in a row, of a turn, of the first turn), other
//! words are read over.
//!
//! Source: <https://www.red-bean.com/sgf/>.

use core::fmt::Write as _;

use gamecore::sgf::{self, Node, Property, escaped};
use gamecore::text::quoted;
use gamecore::{Outcome, Player, Record};
use lines::sgf::{points, square};
use lines::{LARGEST, Point};

use super::{ASSUMED, Fault, FormatError, NAMES, RESULT, began_empty, push, stones, tag};
use crate::rules::{Rules, SHORTEST};
use crate::state::Connect6;
use crate::text::letters;

/// The game's number; [`parse`] takes a record without one too.
const GAME: &str = "511";
/// How many stones are left in the first turn, where the stones do not say so: a property of this library's own.
const LEFT: &str = "XL";

/// The game as a game record.
///
/// # Examples
/// ```
/// use gamecore::Record;
/// use games_connect6::{Connect6, Rules, formats::sgf};
///
/// let start: Connect6 = "9/9/9/9/4x4/9/9/9/9 two 2".parse()?;
/// let mut record = Record::from(start);
/// record.push_text("FF")?;
/// let text = sgf::text(&record);
/// assert_eq!(text, "(;FF[4]GM[511]CA[UTF-8]SZ[9]RU[6,2,1]AB[EE]PL[W]\n;W[FF])\n");
/// assert_eq!(sgf::parse(&text, Rules::CONNECT6)?.history().state(), record.history().state());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[must_use]
pub fn text(record: &Record<Connect6>) -> String {
    let (start, end) = (record.history().start(), record.history().state());
    let (board, rules) = (start.board(), start.rules());
    let mut out = format!("(;FF[4]GM[{GAME}]CA[UTF-8]SZ[{}]RU[{}]", board.size(), rules.numbers());
    for (name, property) in NAMES.into_iter().zip(["PB", "PW"]) {
        if let Some(name) = tag(record, name) {
            _ = write!(out, "{property}[{}]", escaped(name));
        }
    }
    let result = match end.outcome() {
        Some(Outcome::Win { player, .. }) => Some(format!("{}+", sgf::colour(player))),
        Some(Outcome::Draw) => Some("0".into()),
        None => tag(record, RESULT).map(escaped),
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
    if !began_empty(record) {
        _ = write!(out, "PL[{}]", sgf::colour(start.mover()));
        if start.left() != usual_left(rules, board.count(), start.mover()) {
            _ = write!(out, "{LEFT}[{}]", start.left());
        }
    }
    for (player, m) in stones(record) {
        _ = write!(out, "\n;{}[{}]", sgf::colour(player), letters(m));
    }
    out + ")\n"
}

/// Reads the first game of a collection; `rules` hold where the text names no size or no rules.
///
/// If it does not say who begins, that is who puts the first stone; without stones, who is to move by their number. A result that
/// the board does not show is kept as it is, in the tag `result`.
///
/// # Errors
/// The number of the first bad line, and what is wrong with it.
pub fn parse(text: &str, rules: Rules) -> Result<Record<Connect6>, FormatError> {
    let games = sgf::parse(text).map_err(|error| Fault::Syntax(error.fault).at(error.line))?;
    read(games.first().ok_or(Fault::NoRecord.at(1))?, rules)
}

/// Reads all games of a collection, one after the other, as [`parse`] does.
///
/// # Errors
/// As [`parse`]: if the text is no collection, and for each game that is none.
pub fn games(text: &str, rules: Rules) -> Result<impl Iterator<Item = Result<Record<Connect6>, FormatError>>, FormatError> {
    let games = sgf::parse(text).map_err(|error| Fault::Syntax(error.fault).at(error.line))?;
    Ok(games.into_iter().map(move |nodes| read(&nodes, rules)))
}

fn read(nodes: &[Node], rules: Rules) -> Result<Record<Connect6>, FormatError> {
    let all = || nodes.iter().flatten();
    let first_line = all().next().map_or(1, |p| p.line);
    if all().find(|p| p.name == "GM").is_some_and(|p| p.value() != GAME) {
        return Err(Fault::NoRecord.at(first_line));
    }
    let player_of = |p: &Property| sgf::player(&p.name);
    let moves = || all().filter_map(|p| Some((player_of(p)?, p)));
    let mut setup = Setup::new(rules, moves().next().map(|(player, _)| player));
    // A node has its properties in any order, and stones are set up before the first move.
    let (mut before, mut names, mut result) = (true, [None, None], None);
    for node in nodes {
        for property in node.iter().filter(|p| player_of(p).is_none()) {
            let fault = |fault: Fault| fault.at(property.line);
            match &*property.name {
                "PB" => names[0] = Some(property.value()),
                "PW" => names[1] = Some(property.value()),
                "RE" => result = Some(property),
                "SZ" | "AB" | "AW" | "PL" | LEFT if !before => {
                    return Err(fault(refused(property, "the board is set up before the first move")));
                }
                "SZ" | "RU" | "AB" | "AW" | "PL" | LEFT => setup.take(property).map_err(fault)?,
                "AE" => return Err(fault(refused(property, "stones are set up with AB and AW, and played with B and W"))),
                _ => {}
            }
        }
        before &= node.iter().all(|p| player_of(p).is_none());
    }
    let assumed = match setup.told {
        [true, true] => None,
        [true, false] => Some(format!("rules {}", setup.numbers)),
        [false, true] => Some(format!("size {}", setup.size)),
        [false, false] => Some(format!("rules {rules}")),
    };
    let mut record = Record::from(setup.position().map_err(|fault| fault.at(first_line))?);
    if let Some(assumed) = assumed {
        record.set_tag(ASSUMED, &assumed);
    }
    for (tag, name) in NAMES.into_iter().zip(names) {
        if let Some(name) = name.filter(|name| !name.is_empty()) {
            record.set_tag(tag, name);
        }
    }
    let mut over = 0;
    for (player, property) in moves() {
        let fault = |fault: Fault| fault.at(property.line);
        for value in &property.values {
            let letters: Vec<char> = value.trim().chars().collect();
            let words = letters.chunks(2).map(String::from_iter);
            if letters.is_empty() || !letters.len().is_multiple_of(2) || letters.iter().any(|c| !c.is_ascii_alphabetic()) {
                return Err(fault(refused(property, "a stone is two letters, column and row")));
            }
            for word in words {
                push(&mut record, &mut over, player, &word).map_err(fault)?;
            }
        }
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
    numbers: String,
    /// Whether the text names the size, and the other rules.
    told: [bool; 2],
    stones: Vec<(Point, Player)>,
    mover: Option<Player>,
    left: Option<u8>,
}

impl Setup {
    fn new(rules: Rules, mover: Option<Player>) -> Self {
        Self { size: rules.size(), numbers: rules.numbers(), told: [false; 2], stones: Vec::new(), mover, left: None }
    }

    fn take(&mut self, property: &Property) -> Result<(), Fault> {
        let word = property.value();
        match &*property.name {
            "SZ" => {
                self.size = square(word, SHORTEST).ok_or_else(|| Fault::Size { found: quoted(word) })?;
                self.told[0] = true;
            }
            // Words that are no numbers are some server's.
            "RU" if word.starts_with(|c: char| c.is_ascii_digit()) => {
                self.numbers = word.into();
                self.told[1] = true;
            }
            "RU" => {}
            LEFT => self.left = Some(word.parse().map_err(|_| refused(property, "a number of stones"))?),
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

    fn position(self) -> Result<Connect6, Fault> {
        let rules = format!("{},{}", self.size, self.numbers).parse::<Rules>()?;
        let count = self.stones.len() as u16;
        let mover = self.mover.unwrap_or_else(|| rules.turns().mover(count));
        let left = self.left.unwrap_or_else(|| usual_left(rules, count, mover));
        Ok(Connect6::study(rules, self.stones, mover, left)?)
    }
}

/// Stones left in the turn if `mover` is to move: by their number, if it is then this seat's turn, else a whole turn.
fn usual_left(rules: Rules, stones: u16, mover: Player) -> u8 {
    let turns = rules.turns();
    if turns.mover(stones) == mover { turns.left(stones) } else { turns.each() }
}

fn refused(property: &Property, expected: &'static str) -> Fault {
    Fault::Property { name: property.name.clone(), found: quoted(property.value()), expected }
}

fn point(letters: &str) -> Option<Point> {
    let &[column, row] = letters.as_bytes() else { return None };
    let number = |letter: u8| letter.to_ascii_uppercase().checked_sub(b'A');
    Point::new(number(column)?, number(row)?)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::formats::compact;

    const TEXT: &str = "(;GM[511]FF[4]SZ[19]RU[Free]GN[a \\[game\\]]RE[W+R]\nPB[player \\] (1800)]PW[Bob]C[B[zz\\];W]\n;B[JJ];W[II]C[?];W[KK]\n(;B[ig][jg];W[GI])(;W[aa]))(;SZ[9];B[aa])";

    #[test]
    fn a_record_is_read_and_written() {
        let record = parse(TEXT, Rules::CONNECT6).unwrap();
        assert_eq!(compact::text(&record).unwrap(), "JJ;IIKK;IGJG;GI");
        assert_eq!(tag(&record, "one"), Some("player ] (1800)"));
        let written = text(&record);
        assert!(written.contains("PB[player \\] (1800)]PW[Bob]RE[W+R]\n;B[JJ]\n;W[II]\n;W[KK]"), "{written}");
        let again = parse(&written, Rules::CONNECT6).unwrap();
        assert_eq!(again.history().states(), record.history().states());
        // "Free" says nothing; what is written names the rules.
        let assumed = (ASSUMED.to_owned(), "rules 6,2,1".to_owned());
        let told: Vec<_> = record.tags().iter().filter(|tag| **tag != assumed).cloned().collect();
        assert!(again.tags() == told && told.len() + 1 == record.tags().len(), "{:?}", record.tags());
        let sizes: Vec<_> =
            games(TEXT, Rules::CONNECT6).unwrap().map(|game| game.unwrap().history().start().rules().size()).collect();
        assert_eq!(sizes, [19, 9]);
    }

    /// One stone a node, two in a value, two values, two properties; and rows of another program's file without a number.
    #[test]
    fn stones_are_read_in_several_shapes() {
        for moves in [
            ";B[JJ];W[LH];W[HH];B[JI];B[KJ]",
            ";B[JJ];W[LHHH];B[JIKJ]",
            ";B[jj];W[lh][hh];B[ji][kj]",
            ";B[JJ]W[LH]W[HH]B[JI]B[KJ]",
        ] {
            let record = parse(&format!("({moves})"), Rules::CONNECT6).unwrap();
            assert_eq!(compact::text(&record).unwrap(), "JJ;LHHH;JIKJ", "{moves}");
        }
    }

    #[test]
    fn positions_are_set_up() {
        for (sgf, position) in [
            ("AB[aa:ca][ee]AW[bb]PL[B]SZ[6]", "xxx3/1o4/6/6/4x1/6 one 2"),
            ("SZ[6:6]AB[aa]", "x5/6/6/6/6/6 two 2"),
            ("SZ[6]AB[aa]AW[ba]", "xo4/6/6/6/6/6 two 1"),
            ("SZ[6]AB[aa]AW[ba]PL[W]XL[2]", "xo4/6/6/6/6/6 two 2"),
            ("SZ[6]AB[aa];W[bb]", "x5/1o4/6/6/6/6 two 1"),
            ("SZ[6]AB[aa];B[bb]", "x5/1x4/6/6/6/6 one 1"),
            ("SZ[6]RU[4,1,2];B[bb]", "6/1x4/6/6/6/6 one 1 4,1,2"),
            ("SZ[6];PL[W]AB[aa]", "x5/6/6/6/6/6 two 2"),
        ] {
            let record = parse(&format!("(;{sgf})"), Rules::CONNECT6).unwrap();
            assert_eq!(record.history().state(), &position.parse().unwrap(), "{sgf}");
            let again = parse(&text(&record), Rules::CONNECT6).unwrap();
            assert_eq!(again.history().states(), record.history().states(), "{sgf}");
        }
    }

    #[test]
    fn results_are_told_by_the_board_if_it_can() {
        let won = "(;SZ[6]AB[aa:da]AW[ab];B[ea][fa][fb]RE[B+])";
        let record = parse(won, Rules::CONNECT6);
        assert!(record.unwrap_err().to_string().contains("somebody has won"));
        let won = won.replace("[fb]", "");
        let record = parse(&won, Rules::CONNECT6).unwrap();
        assert_eq!(record.tags(), [(ASSUMED.into(), "rules 6,2,1".into())]);
        assert!(text(&record).contains("RE[B+]"));
        assert!(parse(&won.replace("B+", "?"), Rules::CONNECT6).is_ok());
        for said in ["W+5", "w+"] {
            assert_eq!(parse(&won.replace("B+", said), Rules::CONNECT6).unwrap_err().fault, Fault::Winner, "{said}");
        }
        // A stone after the one that won, in the same turn.
        let tags = |text: &str| parse(text, Rules::CONNECT6).unwrap().tags().to_vec();
        assert_eq!(tags("(;B[JJ])"), [(ASSUMED.into(), "rules 19,6,2,1".into())]);
        assert_eq!(tags("(;RU[6,2,1];B[JJ])"), [(ASSUMED.into(), "size 19".into())]);
        let longer = parse("(;SZ[6]AB[aa:ea]AW[ab];B[fa][fb])", Rules::CONNECT6).unwrap();
        assert_eq!(longer.history().steps().len(), 1);
    }

    #[test]
    fn faults_are_named_with_their_line() {
        for (from, to, line, words) in [
            ("GM[511]", "GM[4]", 1, "GM[511]"),
            ("SZ[19]", "SZ[19:18]", 1, "as many rows as columns"),
            ("SZ[19]", "SZ[2]", 1, "3x3 to 20x20"),
            ("SZ[19]", "SZ[x]", 1, "3x3 to 20x20"),
            ("SZ[19]", "SZ[5]", 1, "fits the board"),
            ("RU[Free]", "RU[9,2,1]", 1, "a row of 9"),
            ("RU[Free]", "XL[9]", 1, "a turn has 1 to 2 stones"),
            ("RU[Free]", "XL[x]", 1, "a number of stones"),
            ("B[JJ]", "B[]", 3, "two letters"),
            ("B[JJ]", "B[J]", 3, "two letters"),
            ("B[JJ]", "B[J1]", 3, "two letters"),
            ("B[JJ]", "B[tt]", 3, "AA (top left) to SS"),
            ("W[II]", "AW[ii]", 3, "before the first move"),
            ("W[II]", "W[JJ]", 3, "stands there already"),
            ("W[II]", "B[ii]", 3, "White is to put 2 more"),
            ("W[II]", "AE[jj]", 3, "AB and AW"),
            ("RE[W+R]", "PL[X]", 1, "B or W"),
            ("RE[W+R]", "AB[jj]", 3, "stands there already"),
            ("RE[W+R]", "AB[gg][gg]", 1, "two stones"),
            ("RE[W+R]", "AB[gg:g]", 1, "corners of a rectangle"),
            ("RE[W+R]", "AB[aa:fa]AW[ab:fb]", 1, "both sides"),
            ("(;W[aa]))(;SZ[9];B[aa])", "", 4, "cut off"),
        ] {
            assert!(TEXT.contains(from), "{from}");
            let error = parse(&TEXT.replacen(from, to, 1), Rules::CONNECT6).unwrap_err();
            assert!(error.line == line && error.to_string().contains(words), "{to}: {error}");
        }
        for text in ["", "()", ")", "(;", "(;GM[511", "GM[511]"] {
            assert!(parse(text, Rules::CONNECT6).is_err(), "{text}");
        }
    }
}

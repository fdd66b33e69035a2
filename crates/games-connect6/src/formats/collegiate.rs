//! Records of the Chinese collegiate computer game tournaments (`.txt`).
//!
//! ```text
//! {[C6][Alice B][Bob W][先手胜][2017.07.29 14:00 重庆][2017 CCGC];B(J,10);W(I,11);W(K,9)...}
//! ```
//! The players, the result, time and place, the event; then a stone each, with its column as a letter from `A` (none is left out) and
//! its row as a number from 1 at the bottom. Marks after a stone, `MARK[1]`, are read over. Results are 先手胜 (the first player
//! won), 后手胜 (the second), 平局 (drawn) and 流局 (void: not drawn, but not counted). The files are often in GBK; the text has to be
//! turned into Unicode first.

use core::fmt::Write as _;

use gamecore::record::{NAMES, RESULT};
use gamecore::text::quoted;
use gamecore::{Outcome, Player, Record};

use super::{Fault, FormatError, began_empty, push, stones, tag};
use crate::rules::Rules;
use crate::state::Connect6;

/// The tags of time and place, and of the event.
const ABOUT: [&str; 2] = ["date", "event"];
/// How the format says who won, and how the Smart Game Format does.
const RESULTS: [(&str, &str); 4] = [("先手胜", "B+"), ("后手胜", "W+"), ("平局", "0"), ("流局", "Void")];

/// The game as a record of the tournaments, time and place from the tag `date`, the event from `event`. A result that the board does
/// not show is taken from the tag `result`, if it has one that the format knows (`B+`, `W+`, `0`, `Void`).
///
/// # Errors
/// If it is not a game of Connect6 on 19x19 from an empty board.
///
/// # Examples
/// ```
/// use games_connect6::formats::{collegiate, compact};
///
/// let mut record = compact::parse("JJ;IIKK", games_connect6::Rules::CONNECT6)?;
/// record.set_tag("one", "Alice");
/// record.set_tag("result", "B+R");
/// let text = collegiate::text(&record)?;
/// assert_eq!(text, "{[C6][Alice B][ W][先手胜][][];B(J,10);W(I,11);W(K,9)}\n");
/// assert_eq!(collegiate::parse(&text)?.history().state(), record.history().state());
/// # Ok::<(), games_connect6::formats::FormatError>(())
/// ```
pub fn text(record: &Record<Connect6>) -> Result<String, FormatError> {
    if !began_empty(record) || record.history().start().rules() != Rules::CONNECT6 {
        return Err(
            Fault::Unfit { format: "records of the collegiate tournaments", games: "of Connect6 from an empty board" }.at(0)
        );
    }
    // Brackets cannot be escaped.
    let word = |name| tag(record, name).unwrap_or_default().replace('[', "(").replace(']', ")");
    let said = match record.history().state().outcome() {
        Some(Outcome::Win { player: Player::One, .. }) => "B+",
        Some(Outcome::Win { player: Player::Two, .. }) => "W+",
        Some(Outcome::Draw) => "0",
        None => tag(record, RESULT).unwrap_or_default(),
    };
    let result = RESULTS.iter().find(|(_, code)| said.starts_with(code)).map_or("", |result| result.0);
    let [one, two] = NAMES.map(word);
    let [date, event] = ABOUT.map(word);
    let mut out = format!("{{[C6][{one} B][{two} W][{result}][{date}][{event}]");
    for (player, m) in stones(record) {
        _ = write!(out, ";{}({},{})", colour(player), char::from(b'A' + m.x()), record.history().start().rules().size() - m.y());
    }
    Ok(out + "}\n")
}

/// Reads a record. A result that the board does not show is kept in the tag `result`, as the Smart Game Format would say it.
///
/// # Errors
/// The number of the first bad line, and what is wrong with it.
pub fn parse(text: &str) -> Result<Record<Connect6>, FormatError> {
    let mut reader = Reader { rest: text.trim_start_matches('\u{feff}'), line: 1 };
    reader.space();
    if !reader.takes("{") {
        return Err(reader.fails(Fault::NoCollegiate { found: quoted(reader.rest) }));
    }
    let heading = (0..6).map(|_| reader.bracket()).collect::<Result<Vec<_>, _>>()?;
    if heading[0] != "C6" {
        return Err(reader.fails(Fault::NoCollegiate { found: quoted(text) }));
    }
    let (mut record, mut over) = (Record::from(Connect6::default()), 0);
    for ((name, word), suffix) in NAMES.into_iter().zip(&heading[1..]).zip([" B", " W"]) {
        // Names end with the colour; an empty one is nothing else.
        let name_only = format!(" {word}");
        let player = name_only.strip_suffix(suffix).unwrap_or(word).trim();
        if !player.is_empty() {
            record.set_tag(name, player);
        }
    }
    for (name, word) in ABOUT.into_iter().zip(&heading[4..]) {
        if !word.is_empty() {
            record.set_tag(name, word);
        }
    }
    let result = match heading[3] {
        "" => None,
        said => Some(
            RESULTS.iter().find(|result| result.0 == said).ok_or_else(|| reader.fails(Fault::Result { found: quoted(said) }))?.1,
        ),
    };
    let result_line = reader.line;
    loop {
        reader.space();
        if reader.takes("}") {
            break;
        }
        if reader.rest.is_empty() {
            return Err(reader.fails(Fault::Cut));
        }
        if reader.takes(";") {
            reader.space();
            // Also after the last stone.
            if reader.rest.starts_with('}') {
                continue;
            }
            let (player, word) = reader.stone()?;
            push(&mut record, &mut over, player, &word).map_err(|fault| reader.fails(fault))?;
        } else {
            reader.mark()?;
        }
    }
    reader.space();
    if !reader.rest.is_empty() {
        return Err(reader.fails(Fault::Late { found: quoted(reader.rest) }));
    }
    if let Some(result) = result {
        let contradicts = match record.history().state().outcome() {
            None => {
                record.set_tag(RESULT, result);
                false
            }
            Some(Outcome::Win { player, .. }) => !result.starts_with(colour(player)),
            Some(Outcome::Draw) => result != "0",
        };
        if contradicts {
            return Err(Fault::Winner.at(result_line));
        }
    }
    Ok(record)
}

const fn colour(player: Player) -> char {
    match player {
        Player::One => 'B',
        Player::Two => 'W',
    }
}

struct Reader<'a> {
    rest: &'a str,
    line: usize,
}

impl<'a> Reader<'a> {
    const fn fails(&self, fault: Fault) -> FormatError {
        fault.at(self.line)
    }

    fn skip(&mut self, bytes: usize) -> &'a str {
        let (taken, rest) = self.rest.split_at(bytes);
        self.line += taken.matches('\n').count();
        self.rest = rest;
        taken
    }

    fn space(&mut self) {
        self.skip(self.rest.len() - self.rest.trim_start().len());
    }

    fn takes(&mut self, word: &str) -> bool {
        let found = self.rest.starts_with(word);
        if found {
            self.skip(word.len());
        }
        found
    }

    /// A word in brackets.
    fn bracket(&mut self) -> Result<&'a str, FormatError> {
        self.space();
        let end = self.rest.find(']').filter(|&end| self.rest.starts_with('[') && !self.rest[1..end].contains('['));
        let end = end.ok_or_else(|| self.fails(Fault::Heading))?;
        Ok(self.skip(end + 1)[1..end].trim())
    }

    /// `B(J,10)`, its point as a word that the game reads.
    fn stone(&mut self) -> Result<(Player, String), FormatError> {
        let shown = || Fault::Stone { found: quoted(self.rest.split([';', '}']).next().unwrap_or_default()) };
        let refused = self.fails(shown());
        let end = self.rest.find(')').ok_or(refused.clone())?;
        let (colour, inside) = self.rest[..end].split_once('(').ok_or(refused.clone())?;
        let player = match colour.trim() {
            "B" | "b" => Player::One,
            "W" | "w" => Player::Two,
            _ => return Err(refused),
        };
        let (column, row) = inside.split_once(',').ok_or(refused.clone())?;
        let (column, row) = (column.trim(), row.trim());
        if column.len() != 1 || row.is_empty() || !row.bytes().all(|b| b.is_ascii_digit()) {
            return Err(refused);
        }
        let word = format!("{column}{row}");
        self.skip(end + 1);
        Ok((player, word))
    }

    /// `MARK[1]`, or another word with one in brackets.
    fn mark(&mut self) -> Result<(), FormatError> {
        let shown = || Fault::Stone { found: quoted(self.rest.split([';', '}']).next().unwrap_or_default()) };
        let letters = self.rest.bytes().take_while(u8::is_ascii_alphabetic).count();
        let end = self.rest.find(']').filter(|_| letters > 0 && self.rest[letters..].starts_with('['));
        self.skip(end.ok_or_else(|| self.fails(shown()))? + 1);
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::formats::compact;

    const TEXT: &str = "{[C6][Alice's team B][Bob W][后手胜][2017.07.29 14:00 重庆][2017 CCGC];B(J,10);W(I,11)MARK[1];W(K,9)\r\n;B(a,1) ; B(S,19);}\r\n";

    #[test]
    fn records_are_read_and_written() {
        let record = parse(TEXT).unwrap();
        assert_eq!(compact::text(&record).unwrap(), "JJ;IIKK;ASSA");
        let tags: Vec<_> = record.tags().iter().map(|(name, value)| (name.as_str(), value.as_str())).collect();
        assert_eq!(
            tags,
            [
                ("one", "Alice's team"),
                ("two", "Bob"),
                ("date", "2017.07.29 14:00 重庆"),
                ("event", "2017 CCGC"),
                ("result", "W+")
            ]
        );
        let written = text(&record).unwrap();
        assert!(
            written.starts_with("{[C6][Alice's team B][Bob W][后手胜][2017.07.29 14:00 重庆][2017 CCGC];B(J,10);W(I,11)"),
            "{written}"
        );
        let again = parse(&written).unwrap();
        assert_eq!((again.history().states(), again.tags()), (record.history().states(), record.tags()));
        for (said, tag) in [("先手胜", Some("B+")), ("平局", Some("0")), ("流局", Some("Void")), ("", None)] {
            let record = parse(&TEXT.replace("后手胜", said)).unwrap();
            assert_eq!(super::tag(&record, RESULT), tag);
            assert!(text(&record).unwrap().contains(&format!("[{said}]")));
        }
    }

    #[test]
    fn results_are_told_by_the_board_if_it_can() {
        let won = compact::parse("AA;BABB;ACAD;CACB;AEAF;HHII;ABJJ", Rules::CONNECT6).unwrap();
        let written = text(&won).unwrap();
        assert!(written.contains("[先手胜]"));
        // The stone after the one that won.
        let longer = written.replace('}', ";B(J,10)}");
        for text in [&written, &longer, &written.replace("先手胜", "")] {
            assert_eq!(parse(text).unwrap().history().state(), won.history().state());
        }
        for said in ["后手胜", "平局", "流局"] {
            assert_eq!(parse(&written.replace("先手胜", said)).unwrap_err().fault, Fault::Winner);
        }
    }

    #[test]
    fn faults_are_named_with_their_line() {
        for (from, to, line, words) in [
            ("{[C6]", "[C6]", 1, "begins with"),
            ("[C6]", "[WZQ]", 1, "begins with"),
            ("[2017 CCGC]", "", 1, "five words"),
            ("[2017 CCGC]", "[2017", 1, "five words"),
            ("后手胜", "won", 1, "no result"),
            ("W(I,11)", "B(I,11)", 1, "White is to put 2 more"),
            ("W(I,11)", "W(I)", 1, "is no stone"),
            ("W(I,11)", "X(I,11)", 1, "is no stone"),
            ("W(I,11)", "W(I,-1)", 1, "is no stone"),
            ("W(I,11)", "W(I,20)", 1, "A1 (bottom left) to S19"),
            ("W(I,11)", "W(T,11)", 1, "A1 (bottom left) to S19"),
            ("W(I,11)", "W(é,11)", 1, "is no stone"),
            ("B(a,1)", "B(J,10)", 2, "stands there already"),
            ("MARK[1]", "MARK", 1, "is no stone"),
            (";}", ";", 3, "is no stone"),
            (";}", "", 3, "cut off"),
            ("}\r\n", "}\r\n{", 3, "after the end"),
        ] {
            assert!(TEXT.contains(from), "{from}");
            let error = parse(&TEXT.replacen(from, to, 1)).unwrap_err();
            assert!(error.line == line && error.to_string().contains(words), "{to}: {error}");
        }
        for text in ["", "{", "{[", "{[C6]", "{[C6][][][][][]", "{[C6][][][][][];"] {
            assert!(parse(text).is_err(), "{text}");
        }
        let small = Record::from(Connect6::start(Rules::connect6(9).unwrap()));
        assert!(text(&small).unwrap_err().to_string().contains("of Connect6 from an empty board"));
    }
}

//! A game in one line: turns with `;` between, each with two letters a stone.
//!
//! ```text
//! JJ;KJJK;IIHH
//! ```
//! Letters are [`Connect6::parse_turn`]'s.

use gamecore::Record;

use super::{ASSUMED, Fault, FormatError, began_empty, stones};
use crate::rules::Rules;
use crate::state::Connect6;
use crate::text::letters;

/// The game in one line.
///
/// # Errors
/// If the game did not begin on an empty board.
///
/// # Examples
/// ```
/// use games_connect6::{Rules, formats::compact};
///
/// let record = compact::parse("JJ;KJJK;II", Rules::CONNECT6)?;
/// assert_eq!(record.history().state().left(), 1);
/// assert_eq!(compact::text(&record)?, "JJ;KJJK;II");
/// # Ok::<(), games_connect6::formats::FormatError>(())
/// ```
pub fn text(record: &Record<Connect6>) -> Result<String, FormatError> {
    if !began_empty(record) {
        return Err(Fault::Unfit { format: "lines of turns", games: "from an empty board" }.at(0));
    }
    let (mut out, mut last) = (String::new(), None);
    for (player, m) in stones(record) {
        if last.is_some_and(|last| last != player) {
            out.push(';');
        }
        last = Some(player);
        out += &letters(m);
    }
    Ok(out)
}

/// Reads a game that was played by these rules, which its text does not tell. The last turn may lack stones: the game goes on there.
/// White space between turns means nothing, and a `;` at the end neither.
///
/// # Errors
/// The number of the first bad line, and what is wrong with it.
pub fn parse(text: &str, rules: Rules) -> Result<Record<Connect6>, FormatError> {
    let mut record = Record::from(Connect6::start(rules));
    record.set_tag(ASSUMED, &format!("rules {rules}"));
    let text = text.trim_start_matches('\u{feff}');
    let turns = text.trim_end().trim_end_matches(';');
    let mut line = 1;
    let count = turns.split(';').count();
    for (i, turn) in turns.split(';').enumerate() {
        let ahead = turn.len() - turn.trim_start().len();
        line += turn[..ahead].matches('\n').count();
        let state = record.history().state();
        let read = if i + 1 == count { state.parse_turn_so_far(turn) } else { state.parse_turn(turn) };
        let stones = if turns.trim().is_empty() { Vec::new() } else { read.map_err(|e| Fault::Text(e).at(line))? };
        for m in stones {
            record.push(gamecore::Step::Move(m), None);
        }
        line += turn[ahead..].matches('\n').count();
    }
    Ok(record)
}

#[cfg(test)]
mod tests {
    use super::*;
    use gamecore::Outcome;

    #[test]
    fn games_are_read_and_written() {
        for text in ["", "JJ", "JJ;KJJK;IIHH", "JJ;KJ", "AA;BABB;ACAD;CACB;AEAF"] {
            let record = parse(text, Rules::CONNECT6).unwrap();
            assert_eq!(super::text(&record).as_deref(), Ok(text));
        }
        let record = parse(" jj ;\n KJ jk;@@\n", Rules::CONNECT6);
        assert!(record.unwrap_err().to_string().starts_with("line 2: "));
        let record = parse("\u{feff}JJ@@;\nkjjk ;\n", Rules::CONNECT6).unwrap();
        assert_eq!(super::text(&record).as_deref(), Ok("JJ;KJJK"));
        // Black's fifth and sixth stone in a row, and one more.
        let won = "AA;BABB;ACAD;CACB;AEAF;HHII;ABJJ";
        let record = parse(won, Rules::CONNECT6).unwrap();
        assert_eq!(record.history().state().outcome(), Some(Outcome::win(gamecore::Player::One)));
        assert_eq!(super::text(&record).as_deref(), Ok(&won[..won.len() - 2]));
    }

    #[test]
    fn faults_are_named_with_their_line() {
        for (text, line, words) in [
            ("JJ;KJ;II", 1, "2 stones"),
            ("JJKK", 1, "1 stone"),
            ("JJ;\nKJJJ", 2, "stands there already"),
            ("JJ;\nKJKJ", 2, "stands there already"),
            ("JJ;KJT", 1, "two letters"),
            ("JJ;;KJJK", 1, "two letters"),
            ("JJ;KJTT", 1, "AA (top left) to SS"),
            ("AA;BABB;ACAD;CACB;AEAF;HHII;ABJJ;KKLL", 1, "somebody has won"),
        ] {
            let error = parse(text, Rules::CONNECT6).unwrap_err();
            assert!(error.line == line && error.to_string().contains(words), "{text}: {error}");
        }
        let study: Connect6 = "6/1x4/6/6/6/6 two 2".parse().unwrap();
        assert!(super::text(&study.into()).unwrap_err().to_string().contains("empty board"));
    }
}

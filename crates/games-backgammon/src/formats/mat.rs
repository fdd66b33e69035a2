//! Match texts of Jellyfish (`.mat`), which GNU Backgammon, eXtreme Gammon and others read and write.
//!
//! ```text
//!  7 point match
//!
//!  Game 1
//!  Alice : 0                            Bob : 0
//!   1)                                  31: 8/5 6/5
//!   2) 52: 13/11 13/8                    Doubles => 2
//!   3)  Takes                           64: 24/14
//!   ...
//!      Wins 2 points
//! ```
//! Player One's column is the left one. Lines that start with `;` hold tags or comments; of the tags, only three are minded:
//! `Variation`, which is `NackGammon` or `HyperGammon (3)` if it is not `Backgammon`; `Crawford`, which is `Off` if no game is the
//! Crawford game; and `Jacoby`, which is `On` if that rule of money games is played. GNU Backgammon 1.07 reads over the last two, and takes
//! no length above 64.
//!
//! Reading needs no columns but the first action's: who acts follows from the rules. Every play is checked against
//! them, so what is read can be played again: [`Game::states`]. The bar may be 25 and off 0, as in old texts and in what GNU
//! Backgammon writes.
//!
//! # Examples
//! ```
//! use games_backgammon::formats::mat;
//!
//! let text = " 3 point match\n\n Game 1\n Ann : 0       Bob : 0\n 1) 31: 8/5 6/5     Doubles => 2\n 2) Drops\n";
//! let read = mat::parse(text)?;
//! assert_eq!((read.length, read.games[0].actions.len()), (3, 3));
//! assert_eq!(mat::parse(&mat::text(&read)?)?, read);
//! # Ok::<(), games_backgammon::formats::game::MatchError>(())
//! ```

use core::fmt::Write as _;

use gamecore::Player;
use gamecore::text::quoted;

use super::game::{Action, Fault, Game, MOST_ACTIONS, MOST_POINTS, Match, MatchError, Replay};
use crate::notation;
use crate::setup::Setup;
use crate::state::Backgammon;

/// Columns of the left half of a line.
const HALF: usize = 34;
/// No first action in the left half starts so far from its line's number.
const RIGHT: usize = 12;

/// The match as text.
///
/// # Errors
/// If an action is not legal where it stands.
pub fn text(whole: &Match) -> Result<String, MatchError> {
    let mut out = String::new();
    if whole.setup != Setup::Standard {
        _ = writeln!(out, "; [Variation \"{}\"]\n", variation(whole.setup));
    }
    if whole.without_crawford {
        _ = writeln!(out, "; [Crawford \"Off\"]\n");
    }
    if whole.jacoby {
        _ = writeln!(out, "; [Jacoby \"On\"]\n");
    }
    _ = writeln!(out, " {} point match", whole.length);
    let [one, two] = whole.names.each_ref().map(|name| clean(name));
    for (i, game) in whole.games.iter().enumerate() {
        let states = game.states(whole, i).map_err(|error| error.in_game(i))?;
        let left = format!("{one} : {}", game.score[0]);
        _ = writeln!(out, "\n Game {}\n {left:<HALF$}  {two} : {}", i + 1, game.score[1]);
        // A line has an action of One's and then one of Two's, either of which may be missing.
        let mut lines: Vec<[String; 2]> = Vec::new();
        for (&(seat, action), state) in game.actions.iter().zip(&states) {
            let words = action_text(state, action);
            match lines.last_mut() {
                Some([_, right]) if seat == Player::Two && right.is_empty() => *right = words,
                _ if seat == Player::Two => lines.push([String::new(), words]),
                _ => lines.push([words, String::new()]),
            }
        }
        let mut end = game.won.map(|(seat, points)| {
            let plural = if points == 1 { "" } else { "s" };
            let total = u32::from(game.score[seat]) + points;
            let whole = if whole.length > 0 && total >= whole.length.into() { " and the match" } else { "" };
            (seat, format!(" Wins {points} point{plural}{whole}"))
        });
        // After One's answer to a double it stands beside it: GNU Backgammon would take it for another answer.
        if let Some([_, right]) = lines.last_mut().filter(|_| game.actions.last() == Some(&(Player::One, Action::Drop))) {
            *right = end.take().map_or(String::new(), |(_, words)| words);
        }
        for (n, [left, right]) in lines.iter().enumerate() {
            // Blanks at the end stay: into a short line GNU Backgammon reads on from the line before.
            _ = writeln!(out, "{:>3}) {left:<HALF$} {right}", n + 1);
        }
        if let Some((seat, words)) = end {
            let indent = if seat == Player::One { 5 } else { HALF + 5 };
            _ = writeln!(out, "{}{words}", " ".repeat(indent));
        }
    }
    Ok(out)
}

/// Reads a match.
///
/// # Errors
/// The number of the first bad line, and what is wrong with it.
pub fn parse(text: &str) -> Result<Match, MatchError> {
    let mut read = Match::default();
    let mut begun = false;
    let mut table = None::<Table>;
    for (i, raw) in text.lines().enumerate() {
        let line = i + 1;
        let trimmed = raw.trim_start_matches('\u{feff}').trim();
        if trimmed.is_empty() {
            continue;
        }
        if let Some(comment) = trimmed.strip_prefix(';') {
            read_tag(comment, &mut read, table.is_some()).map_err(|fault| fault.at(line))?;
            continue;
        }
        if !begun {
            let length = trimmed.strip_suffix("point match").and_then(|n| n.trim().parse::<u16>().ok());
            read.length = length.filter(|&n| n <= crate::LONGEST_MATCH).ok_or(Fault::NoMatch.at(line))?;
            begun = true;
            continue;
        }
        if trimmed.strip_prefix("Game ").is_some_and(|n| n.trim().parse::<u32>().is_ok()) {
            end(&mut read, table.take(), line)?;
            table = Some(Table::Names);
            continue;
        }
        match table.take() {
            None => return Err(Fault::NoGame { found: quoted(trimmed) }.at(line)),
            Some(Table::Names) => {
                let (names, score) = parse_names(trimmed).ok_or_else(|| Fault::Names { found: quoted(trimmed) }.at(line))?;
                read.names = names;
                let game = Game { score, ..Game::default() };
                let state = read.first(&game, read.games.len()).map_err(|fault| fault.at(line))?;
                table = Some(Table::Playing(game, Replay::new(state)));
            }
            Some(Table::Playing(mut game, mut replay)) => {
                read_line(raw, &mut game, &mut replay).map_err(|fault| fault.at(line))?;
                table = Some(Table::Playing(game, replay));
            }
        }
    }
    end(&mut read, table, text.lines().count())?;
    // The one is a rule of matches, the other of games for money.
    read.without_crawford &= read.length > 0;
    read.jacoby &= read.length == 0;
    if begun { Ok(read) } else { Err(Fault::NoMatch.at(1)) }
}

/// The set-up as the tag `Variation` names it; GNU Backgammon heeds the capitals.
const fn variation(setup: Setup) -> &'static str {
    match setup {
        Setup::Standard => "Backgammon",
        Setup::Nackgammon => "NackGammon",
        Setup::Hypergammon => "HyperGammon (3)",
    }
}

/// Takes in a comment, which may be a tag; `begun` if a game has.
fn read_tag(comment: &str, whole: &mut Match, begun: bool) -> Result<(), Fault> {
    let before = (whole.setup, whole.without_crawford, whole.jacoby);
    let tag = if let Some(word) = tag(comment, "Crawford") {
        whole.without_crawford = word.eq_ignore_ascii_case("off");
        "Crawford"
    } else if let Some(word) = tag(comment, "Jacoby") {
        whole.jacoby = word.eq_ignore_ascii_case("on");
        "Jacoby"
    } else if let Some(name) = tag(comment, "Variation") {
        let known = Setup::ALL.into_iter().find(|&setup| variation(setup).eq_ignore_ascii_case(name.trim()));
        whole.setup = known.map_or_else(|| name.parse(), Ok)?;
        "Variation"
    } else {
        return Ok(());
    };
    let changed = before != (whole.setup, whole.without_crawford, whole.jacoby);
    if begun && changed { Err(Fault::Late { tag }) } else { Ok(()) }
}

/// The value in a comment that is the tag of this name: `[Crawford "Off"]`.
fn tag<'a>(comment: &'a str, name: &str) -> Option<&'a str> {
    comment.trim().strip_prefix('[')?.strip_prefix(name)?.trim_start().strip_prefix('"')?.split('"').next()
}

/// Takes in a game that has been read.
fn end(whole: &mut Match, table: Option<Table>, line: usize) -> Result<(), MatchError> {
    match table {
        None => Ok(()),
        Some(Table::Names) => Err(Fault::Names { found: String::new() }.at(line)),
        Some(Table::Playing(game, _)) => {
            whole.games.push(game);
            Ok(())
        }
    }
}

/// What is being read: a game's names, or its actions.
enum Table {
    Names,
    Playing(Game, Replay),
}

/// An action as it is written; `state` is the position before it.
fn action_text(state: &Backgammon, action: Action) -> String {
    match action {
        Action::Play(roll, m) => {
            let rolled = state.with_dice(Some(roll)).unwrap_or(*state);
            let play = if m.is_pass() { "Cannot Move".into() } else { notation::text(&rolled, m) };
            format!("{}{}: {play}", roll.high(), roll.low())
        }
        Action::Double => format!(" Doubles => {}", 2 * state.stakes().cube()),
        Action::Take => " Takes".into(),
        Action::Drop => " Drops".into(),
    }
}

/// Reads a line of actions.
fn read_line(raw: &str, game: &mut Game, replay: &mut Replay) -> Result<(), Fault> {
    // The line's number, if it has one.
    let start = raw.len() - raw.trim_start().len();
    let digits = raw[start..].bytes().take_while(u8::is_ascii_digit).count();
    let rest = match raw[start + digits..].strip_prefix(')') {
        Some(rest) if digits > 0 => rest,
        _ => raw,
    };
    let indent = rest.len() - rest.trim_start().len();
    let mut words = rest.split_whitespace().peekable();
    if !replay.begun && words.peek().is_some() {
        replay.seat_first(if indent > RIGHT { Player::Two } else { Player::One });
    }
    while let Some(word) = words.next() {
        let lower = word.to_ascii_lowercase();
        let action = match lower.trim_end_matches(':') {
            "doubles" => {
                // The value follows the rules.
                while words.next_if(|w| *w == "=>" || w.bytes().all(|b| b.is_ascii_digit())).is_some() {}
                Action::Double
            }
            "takes" => Action::Take,
            "drops" => Action::Drop,
            "wins" => {
                let points = words.next().and_then(|n| n.parse::<u32>().ok()).filter(|&n| n <= MOST_POINTS);
                let points = points.ok_or(Fault::Unknown { found: quoted(rest.trim()) })?;
                let seat = match replay.winner() {
                    Some(winner) => winner,
                    None if indent > RIGHT => Player::Two,
                    None => Player::One,
                };
                game.won = Some((seat, points));
                return Ok(());
            }
            faces if word.ends_with(':') => {
                let roll = crate::text::parse_roll(faces).ok_or(Fault::Unknown { found: quoted(word) })?;
                let mut play = String::new();
                while let Some(part) = words.next_if(|w| w.contains('/') || w.starts_with('(') || is_pass(w)) {
                    play = play + " " + part;
                }
                let play = if play.is_empty() || play.split_whitespace().all(is_pass) { "pass" } else { &play };
                let state = replay.state.with_dice(Some(roll))?;
                Action::Play(roll, notation::parse(&state, play)?)
            }
            _ => return Err(Fault::Unknown { found: quoted(word) }),
        };
        if game.actions.len() == MOST_ACTIONS {
            return Err(Fault::TooLong);
        }
        if game.won.is_some() {
            return Err(Fault::Over);
        }
        let seat = replay.next();
        replay.act(seat, action)?;
        game.actions.push((seat, action));
    }
    Ok(())
}

/// Words for a roll that cannot be played.
fn is_pass(word: &str) -> bool {
    ["cannot", "can't", "move", "no", "pass", "dances", "????"].iter().any(|w| word.eq_ignore_ascii_case(w))
}

/// `Alice : 3      Bob : 1`.
fn parse_names(line: &str) -> Option<([String; 2], [u16; 2])> {
    let (rest, two) = line.rsplit_once(':')?;
    let (left, right) = rest.split_once(':')?;
    let right = right.trim_start();
    let digits = right.bytes().take_while(u8::is_ascii_digit).count();
    let names = [left.trim().to_owned(), right[digits..].trim().to_owned()];
    Some((names, [right[..digits].parse().ok()?, two.trim().parse().ok()?]))
}

/// A name that a line of names can hold.
fn clean(name: &str) -> String {
    let name: String = name.chars().map(|c| if c == ':' || c.is_control() { '_' } else { c }).collect();
    let name = name.split_whitespace().collect::<Vec<_>>().join(" ");
    match name.strip_prefix(';') {
        // Not a comment.
        Some(rest) => format!("_{rest}"),
        None if name.is_empty() => "_".into(),
        None => name,
    }
}
#[cfg(test)]
mod tests {
    use super::*;
    use crate::stakes::Cube;

    const TEXT: &str = " 3 point match

 Game 1
 Ann Lee : 0                         Bob : 0
  1)                                   31: 8/5 6/5
  2) 52: 13/11 13/8                     Doubles => 2
  3)  Takes                            66: 24/18(2) 13/7(2)
  4) 44: 13/9(2) 8/4(2)                21: 13/10
  5)  Doubles => 4                      Drops
      Wins 2 points

 Game 2
 Ann Lee : 2                         Bob : 0
  1) 61: 13/7 8/7                      62: 13/5
                                         Wins 3 points and the match
";

    #[test]
    fn a_match_is_read_and_written() {
        let read = parse(TEXT).unwrap();
        assert_eq!(read.names, ["Ann Lee", "Bob"]);
        assert_eq!((read.length, read.games.len()), (3, 2));
        assert_eq!(read.games[0].won, Some((Player::One, 2)));
        assert_eq!(read.games[1].won, Some((Player::Two, 3)));
        assert_eq!(read.games[0].actions[3], (Player::One, Action::Take));
        let states = read.games[0].states(&read, 0).unwrap();
        assert_eq!(states[4].stakes().owner(), Cube::Owned(Player::One));
        assert_eq!(states[0].mover(), Player::Two);
        assert!(read.games[1].states(&read, 1).unwrap()[0].stakes().is_crawford());
        let written = text(&read).unwrap();
        assert_eq!(parse(&written), Ok(read.clone()), "{written}");
        // Of a series of money games the tag says nothing.
        let money = TEXT.replace("3 point", "0 point").replace(" and the match", "");
        assert_eq!(parse(&format!("; [Crawford \"Off\"]\n{money}")), parse(&money));
        // And of a match the tag of money games.
        assert_eq!(parse(&format!("; [Jacoby \"On\"]\n{TEXT}")).as_ref(), Ok(&read));
        // Old ways of writing: no brackets.
        let plain = TEXT.replace("24/18(2) 13/7(2)", "24/18 24/18 13/7 13/7");
        assert_eq!(parse(&plain), Ok(read));
    }

    /// As GNU Backgammon 1.07 writes them, and in these capitals alone reads them.
    #[test]
    fn variations_have_the_names_of_other_programs() {
        for (setup, name) in [(Setup::Nackgammon, "NackGammon"), (Setup::Hypergammon, "HyperGammon (3)")] {
            let written = text(&Match { setup, ..Match::default() }).unwrap();
            assert!(written.starts_with(&format!("; [Variation \"{name}\"]\n")), "{written}");
            for spelled in [name.to_owned(), name.to_uppercase(), setup.to_string()] {
                assert_eq!(parse(&written.replace(name, &spelled)).unwrap().setup, setup, "{spelled}");
            }
        }
        assert_eq!(parse("; [Variation \"Backgammon\"]\n 1 point match\n").unwrap().setup, Setup::Standard);
        let error = parse("; [Variation \"HyperGammon (2)\"]\n 1 point match\n").unwrap_err();
        assert!(error.to_string().contains("HyperGammon (2)"), "{error}");
    }

    #[test]
    fn the_jacoby_rule_is_kept() {
        let kept = "; [Jacoby \"On\"]\n 0 point match\n Game 1\n a : 0    b : 0\n 1) 31: 8/5 6/5\n";
        let read = parse(kept).unwrap();
        assert!(read.games[0].states(&read, 0).unwrap()[0].stakes().is_jacoby());
        let record = read.record(0).unwrap();
        assert!(record.history().state().stakes().is_jacoby() && Match::of(&record).unwrap().jacoby);
        assert_eq!(parse(&text(&read).unwrap()), Ok(read));
        assert!(!parse(&kept.replace("On", "Off")).unwrap().jacoby);
        let late = kept.replace(" 1)", "; [Jacoby \"Off\"]\n 1)");
        assert_eq!(parse(&late).unwrap_err(), Fault::Late { tag: "Jacoby" }.at(5));
    }

    #[test]
    fn faults_are_named_with_their_line() {
        for (from, to, line, words) in [
            ("3 point match", "match", 1, "begins with its length"),
            (" Game 1\n", "", 3, "\"Game 1\""),
            ("Ann Lee : 0 ", "Ann Lee 0 ", 4, "names and the score"),
            ("31: 8/5 6/5", "31: 8/5 6/4", 5, "is 2"),
            ("31: 8/5", "37: 8/5", 5, "no action"),
            ("44: 13/9(2)", "44: 13/9(3)", 8, "at most four"),
            ("62: 13/5", "62: 13/5\n Wins 3 points\n 2) 31: 8/5 6/5", 16, "is over"),
            (" Drops", "31: 8/5 6/5", 9, "out of turn"),
            ("21: 13/10", "21: 13/10  Takes", 8, "out of turn"),
            ("62: 13/5", "62: 13/5 Doubles", 14, "no double"),
            (" Game 2\n", "; [Variation \"nackgammon\"]\n Game 2\n", 12, "cannot change once a game has begun"),
            ("Ann Lee : 2", "Ann Lee : 3", 13, "is over"),
        ] {
            assert!(TEXT.contains(from), "{from}");
            let error = parse(&TEXT.replacen(from, to, 1)).unwrap_err();
            assert!(error.line == line && error.to_string().contains(words), "{to}: {error}");
        }
        assert!(parse("").is_err());
    }

    #[test]
    fn a_win_stands_beside_the_double_that_the_left_side_passes() {
        let kept = "0 point match\n Game 1\n a : 0    b : 0\n 1)                31: 8/5 6/5\n 2) 52: 13/11 13/8    Doubles => 2\n 3) Drops   Wins 1 point\n";
        let read = parse(kept).unwrap();
        assert_eq!(read.games[0].won, Some((Player::Two, 1)));
        let written = text(&read).unwrap();
        assert!(
            written.lines().last().is_some_and(|line| line.contains("Drops") && line.ends_with(" Wins 1 point")),
            "{written}"
        );
        assert_eq!(parse(&written), Ok(read));
    }

    /// GNU Backgammon 1.07 reads a second double, to 4, after a short last line.
    #[test]
    fn no_line_of_actions_is_short() {
        let kept = "7 point match\n Game 1\n a : 0    b : 0\n 1) 31: 8/5 6/5      Doubles => 2\n 2)  Takes\n";
        let written = text(&parse(kept).unwrap()).unwrap();
        assert!(written.lines().last().is_some_and(|line| line.contains("Takes") && line.len() > HALF), "{written}");
    }

    /// Without a limit a text of a few megabytes takes minutes.
    #[test]
    fn matches_without_end_are_refused() {
        let games = "Game 1\na : 0 b : 0\n".repeat(50_000);
        assert_eq!(parse(&format!("0 point match\n{games}")).unwrap().games.len(), 50_000);
        let error = parse(&format!("7 point match\n{games}")).unwrap_err();
        assert_eq!((error.line, error.fault), (20_003, Fault::TooMany));
    }

    #[test]
    fn names_are_made_fit_for_their_line() {
        let game = Game { won: Some((Player::One, 1)), ..Game::default() };
        for (name, written) in [(";[Site]", "_[Site]"), (" a:b\n c ", "a_b_ c"), ("", "_"), ("7 : 3", "7 _ 3")] {
            let whole = Match { names: [name.into(), name.into()], games: vec![game.clone()], ..Match::default() };
            let read = parse(&text(&whole).unwrap()).unwrap();
            assert_eq!(read, Match { names: [written.into(), written.into()], ..whole });
        }
    }
}

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
//! Player One's column is the left one. Lines that start with `;` hold tags or comments; of the tags, only `Variation`
//! is minded, with the names of [`Setup`].
//!
//! Reading needs no columns but the first action's: who acts follows from the rules. Every play is checked against
//! them, so what is read can be played again: [`Game::states`].

use core::fmt::Write as _;

use gamecore::sgf::SgfFault;
use gamecore::text::quoted;
use gamecore::{Player, Roll};

use crate::moves::Move;
use crate::notation::{self, NotationError};
use crate::setup::{Setup, SetupError};
use crate::stakes::{Cube, Stakes, StakesError};
use crate::state::Backgammon;

/// Columns of the left half of a line.
const HALF: usize = 34;
/// No first action in the left half starts so far from its line's number.
const RIGHT: usize = 12;
/// Actions of a game; more are refused, so that no text takes memory without end.
pub(super) const MOST_ACTIONS: usize = 20_000;
/// The most points that a game is read to have won, far beyond any cube.
pub(super) const MOST_POINTS: u32 = 1 << 20;
/// Games of a match for points, several times as many as any needs; each looks back at those before it.
const MOST_GAMES: usize = 10_000;

/// A match, or a series of money games.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Match {
    /// How the checkers stand at first.
    pub setup: Setup,
    /// The match's length in points, 0 for money.
    pub length: u16,
    /// The players' names, Player One's first.
    pub names: [String; 2],
    /// The games in order.
    pub games: Vec<Game>,
}

/// One game of a match.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Game {
    /// The score before the game, by seat.
    pub score: [u16; 2],
    /// What was done, and by whom.
    pub actions: Vec<(Player, Action)>,
    /// Who won, and how many points of the match; `None` if the game was broken off.
    pub won: Option<(Player, u32)>,
}

/// What a player does.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Action {
    /// Rolls and plays.
    Play(Roll, Move),
    /// Offers to double the stakes.
    Double,
    /// Takes the double.
    Take,
    /// Passes it, and loses the stakes as they were.
    Drop,
}

impl Match {
    /// A game that was played, finished or not, as a match of one game: its start's length and score, the players' names.
    ///
    /// `None` if it cannot be written so: if it did not start from a [`Setup`] with the cube at 1.
    ///
    /// # Examples
    /// ```
    /// use gamecore::{History, Step};
    /// use games_backgammon::{Backgammon, Setup, Throw, formats::mat::Match, notation};
    ///
    /// let mut history = History::from(Backgammon::start(Setup::Standard));
    /// history.push(Step::Chance(Throw::Opening { one: 3, two: 1 }));
    /// let play = notation::parse(history.state(), "8/5 6/5")?;
    /// history.push(Step::Move(play));
    /// let text = Match::of(&history, ["Alice", "Bob"]).expect("it started as usual").text()?;
    /// assert!(text.contains("  1) 31: 8/5 6/5"));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn of(history: &gamecore::History<Backgammon>, names: [&str; 2]) -> Option<Self> {
        let (states, steps) = (history.states(), history.steps());
        let first = states.first()?;
        let stakes = first.stakes();
        let starts = |setup: &Setup| Player::BOTH.iter().all(|&seat| first.board(seat) == setup.board());
        let setup = Setup::ALL.into_iter().find(starts).filter(|_| stakes.cube() == 1)?;
        let mut game = Game { score: stakes.score(), ..Game::default() };
        for (state, step) in states.iter().zip(steps) {
            if let (gamecore::Step::Move(m), Some(roll)) = (step, state.dice()) {
                game.actions.push((state.mover(), Action::Play(roll, *m)));
            }
        }
        if let Some(outcome) = states.last().and_then(Backgammon::outcome) {
            game.won = outcome.winner().map(|winner| (winner, stakes.points(outcome).unsigned_abs()));
        }
        Some(Self { setup, length: stakes.length().unwrap_or(0), names: names.map(String::from), games: vec![game] })
    }

    /// The match as text.
    ///
    /// # Errors
    /// If an action is not legal where it stands.
    pub fn text(&self) -> Result<String, MatError> {
        let mut out = String::new();
        if self.setup != Setup::Standard {
            _ = writeln!(out, "; [Variation \"{}\"]\n", self.setup);
        }
        _ = writeln!(out, " {} point match", self.length);
        let [one, two] = self.names.each_ref().map(|name| clean(name));
        for (i, game) in self.games.iter().enumerate() {
            let states = game.states(self, i).map_err(|error| error.in_game(i))?;
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
                let whole = if self.length > 0 && total >= self.length.into() { " and the match" } else { "" };
                (seat, format!(" Wins {points} point{plural}{whole}"))
            });
            // After One's answer to a double it stands beside it: GNU Backgammon would take it for another answer.
            if let Some([_, right]) = lines.last_mut().filter(|_| game.actions.last() == Some(&(Player::One, Action::Drop))) {
                *right = end.take().map_or(String::new(), |(_, words)| words);
            }
            for (n, [left, right]) in lines.iter().enumerate() {
                let line = format!("{:>3}) {left:<HALF$} {right}", n + 1);
                _ = writeln!(out, "{}", line.trim_end());
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
    pub fn parse(text: &str) -> Result<Self, MatError> {
        let mut read = Self::default();
        let mut begun = false;
        let mut table = None::<Table>;
        for (i, raw) in text.lines().enumerate() {
            let line = i + 1;
            let trimmed = raw.trim_start_matches('\u{feff}').trim();
            if trimmed.is_empty() {
                continue;
            }
            if let Some(comment) = trimmed.strip_prefix(';') {
                if let Some(tag) = comment.trim().strip_prefix("[Variation \"") {
                    let name = tag.split('"').next().unwrap_or_default();
                    let name = if name.eq_ignore_ascii_case("backgammon") { "standard" } else { name };
                    let setup = name.parse().map_err(|error| Fault::Setup(error).at(line))?;
                    if setup != read.setup && table.is_some() {
                        return Err(Fault::Variation.at(line));
                    }
                    read.setup = setup;
                }
                continue;
            }
            if !begun {
                let length = trimmed.strip_suffix("point match").and_then(|n| n.trim().parse::<u16>().ok());
                read.length = length.filter(|&n| n <= crate::LONGEST_MATCH).ok_or(Fault::NoMatch.at(line))?;
                begun = true;
                continue;
            }
            if trimmed.strip_prefix("Game ").is_some_and(|n| n.trim().parse::<u32>().is_ok()) {
                read.end(table.take(), line)?;
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
        read.end(table, text.lines().count())?;
        if begun { Ok(read) } else { Err(Fault::NoMatch.at(1)) }
    }

    /// Takes in a game that has been read.
    fn end(&mut self, table: Option<Table>, line: usize) -> Result<(), MatError> {
        match table {
            None => Ok(()),
            Some(Table::Names) => Err(Fault::Names { found: String::new() }.at(line)),
            Some(Table::Playing(game, _)) => {
                self.games.push(game);
                Ok(())
            }
        }
    }

    /// The position before the first action of game number `i`; Player One is on roll, until it is known who starts.
    pub(super) fn first(&self, game: &Game, i: usize) -> Result<Backgammon, Fault> {
        let mut stakes =
            if self.length == 0 { Stakes::MONEY.with_score(game.score)? } else { Stakes::match_of(self.length, game.score)? };
        if self.length > 0 {
            if i >= MOST_GAMES {
                return Err(Fault::TooMany);
            }
            // The first game in which one side is a point away.
            let leads = |score: [u16; 2]| score.contains(&(self.length - 1));
            if !self.games.iter().take(i).any(|before| leads(before.score)) {
                stakes = stakes.with_crawford().unwrap_or(stakes);
            }
        }
        let board = self.setup.board();
        Ok(Backgammon::from_board([board, board], Player::One, None)?.with_stakes(stakes))
    }
}

/// What is being read: a game's names, or its actions.
enum Table {
    Names,
    Playing(Game, Replay),
}

impl Game {
    /// The positions before each action and, last, after all, in game number `i` (from 0) of `of`. Before a play its
    /// dice are not rolled.
    ///
    /// # Errors
    /// If an action is not legal where it stands.
    pub fn states(&self, of: &Match, i: usize) -> Result<Vec<Backgammon>, MatError> {
        let first = of.first(self, i).map_err(|fault| fault.at(0))?;
        let mut replay = Replay::new(first);
        let mut states = Vec::with_capacity(self.actions.len() + 1);
        for &(seat, action) in &self.actions {
            replay.seat_first(seat);
            states.push(replay.state);
            replay.act(seat, action).map_err(|fault| fault.at(0))?;
        }
        states.push(replay.state);
        Ok(states)
    }
}

/// A game so far.
pub(super) struct Replay {
    pub(super) state: Backgammon,
    /// Whether anything has been done.
    begun: bool,
    /// A double waits for its answer.
    offered: bool,
    dropped: bool,
}

impl Replay {
    pub(super) const fn new(state: Backgammon) -> Self {
        Self { state, begun: false, offered: false, dropped: false }
    }

    /// Who has won by the last checker or a passed double.
    pub(super) fn winner(&self) -> Option<Player> {
        if self.dropped { Some(self.state.mover()) } else { self.state.outcome().and_then(gamecore::Outcome::winner) }
    }

    /// Whose action is next.
    const fn next(&self) -> Player {
        if self.offered { self.state.mover().other() } else { self.state.mover() }
    }

    /// Lets `seat` start, if nobody has.
    pub(super) fn seat_first(&mut self, seat: Player) {
        if !self.begun && seat != self.state.mover() {
            // Both sides stand alike.
            self.state.mover = seat;
        }
        self.begun = true;
    }

    pub(super) fn act(&mut self, seat: Player, action: Action) -> Result<(), Fault> {
        self.seat_first(seat);
        if self.dropped || self.state.outcome().is_some() {
            return Err(Fault::Over);
        }
        if seat != self.next() {
            return Err(Fault::Turn);
        }
        let stakes = self.state.stakes();
        match action {
            Action::Play(roll, m) if !self.offered => {
                let mut state = self.state.with_dice(Some(roll))?;
                gamecore::Game::try_play(&mut state, m).map_err(|_| Fault::Illegal)?;
                self.state = state;
            }
            Action::Double if !self.offered && stakes.cube_allows(seat) => self.offered = true,
            Action::Take if self.offered => {
                let stakes = stakes.with_cube(stakes.cube_log2() + 1, Cube::Owned(seat))?;
                self.state = self.state.with_stakes(stakes);
                self.offered = false;
            }
            Action::Drop if self.offered => self.dropped = true,
            Action::Double => return Err(Fault::Cube),
            Action::Play(..) | Action::Take | Action::Drop => return Err(Fault::Turn),
        }
        Ok(())
    }
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

/// What is wrong with a line.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Fault {
    /// The first line is another.
    #[error("a match text begins with its length, such as \"7 point match\" (0 for money)")]
    NoMatch,
    /// Actions before a game.
    #[error("expected a line such as \"Game 1\", found \"{found}\"")]
    NoGame {
        /// The line found.
        found: String,
    },
    /// A game without names.
    #[error("after \"Game\" the names and the score are to follow, such as \"Alice : 0  Bob : 0\", found \"{found}\"")]
    Names {
        /// The line found.
        found: String,
    },
    /// Another set-up after games have begun.
    #[error("the variation is one of the whole match: it stands before the first game")]
    Variation,
    /// A word that is no action.
    #[error("\"{found}\" is no action: a roll and its play, such as 31: 8/5 6/5, or Doubles, Takes, Drops, Wins")]
    Unknown {
        /// The word found.
        found: String,
    },
    /// No game record of backgammon.
    #[error("a game record begins with \"(;\" and names its game as backgammon, GM[6]")]
    NoRecord,
    /// A text that has not the shape of game records.
    #[error(transparent)]
    Syntax(#[from] SgfFault),
    /// A property that says something else than it may.
    #[error("the property {name}[{found}] is not understood")]
    Property {
        /// Its name.
        name: String,
        /// Its value.
        found: String,
    },
    /// A play that the rules forbid.
    #[error(transparent)]
    Play(#[from] NotationError),
    /// A play that is not legal where it stands.
    #[error("a play is not legal where it stands")]
    Illegal,
    /// A double without a right to the cube, or in the Crawford game.
    #[error("the cube is the opponent's, or it is the crawford game: no double")]
    Cube,
    /// An action out of turn.
    #[error("an action out of turn: an answer without a double, or none to one")]
    Turn,
    /// An action after the end.
    #[error("the game is over")]
    Over,
    /// A result that the actions contradict.
    #[error("the result names another winner than the play")]
    Winner,
    /// Too many actions.
    #[error("a game of more than {MOST_ACTIONS} actions")]
    TooLong,
    /// Too many games.
    #[error("a match of more than {MOST_GAMES} games")]
    TooMany,
    /// Checkers that make no position.
    #[error(transparent)]
    Setup(#[from] SetupError),
    /// A length, a score or a cube that do not go together.
    #[error(transparent)]
    Stakes(#[from] StakesError),
}

impl Fault {
    pub(super) const fn at(self, line: usize) -> MatError {
        MatError { line, game: None, fault: self }
    }
}

/// Why a text is no match, or a match cannot be written.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{}{fault}", self.place())]
pub struct MatError {
    /// The line read, from 1; 0 if nothing was read.
    pub line: usize,
    /// The game to be written, from 0.
    pub game: Option<usize>,
    /// What is wrong.
    pub fault: Fault,
}

impl MatError {
    pub(super) fn in_game(self, game: usize) -> Self {
        Self { game: Some(game), ..self }
    }

    fn place(&self) -> String {
        match (self.line, self.game) {
            (0, None) => String::new(),
            (0, Some(game)) => format!("game {}: ", game + 1),
            (line, _) => format!("line {line}: "),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

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
        let read = Match::parse(TEXT).unwrap();
        assert_eq!(read.names, ["Ann Lee", "Bob"]);
        assert_eq!((read.length, read.games.len()), (3, 2));
        assert_eq!(read.games[0].won, Some((Player::One, 2)));
        assert_eq!(read.games[1].won, Some((Player::Two, 3)));
        assert_eq!(read.games[0].actions[3], (Player::One, Action::Take));
        let states = read.games[0].states(&read, 0).unwrap();
        assert_eq!(states[4].stakes().owner(), Cube::Owned(Player::One));
        assert_eq!(states[0].mover(), Player::Two);
        assert!(read.games[1].states(&read, 1).unwrap()[0].stakes().is_crawford());
        let written = read.text().unwrap();
        assert_eq!(Match::parse(&written), Ok(read.clone()), "{written}");
        // Old ways of writing: the bar is 25, off is 0, no hit marks, no brackets.
        let plain = TEXT.replace("24/18(2) 13/7(2)", "24/18 24/18 13/7 13/7");
        assert_eq!(Match::parse(&plain), Ok(read));
    }

    #[test]
    fn faults_are_named_with_their_line() {
        for (from, to, line, words) in [
            ("3 point match", "match", 1, "begins with its length"),
            (" Game 1\n", "", 3, "\"Game 1\""),
            ("Ann Lee : 0 ", "Ann Lee 0 ", 4, "names and the score"),
            ("31: 8/5 6/5", "31: 8/5 6/4", 5, "dice do not allow"),
            ("31: 8/5", "37: 8/5", 5, "no action"),
            ("44: 13/9(2)", "44: 13/9(3)", 8, "at most four"),
            ("62: 13/5", "62: 13/5\n Wins 3 points\n 2) 31: 8/5 6/5", 16, "is over"),
            (" Drops", "31: 8/5 6/5", 9, "out of turn"),
            ("21: 13/10", "21: 13/10  Takes", 8, "out of turn"),
            ("62: 13/5", "62: 13/5 Doubles", 14, "no double"),
            (" Game 2\n", "; [Variation \"nackgammon\"]\n Game 2\n", 12, "before the first game"),
            ("Ann Lee : 2", "Ann Lee : 3", 13, "is over"),
        ] {
            assert!(TEXT.contains(from), "{from}");
            let error = Match::parse(&TEXT.replacen(from, to, 1)).unwrap_err();
            assert!(error.line == line && error.to_string().contains(words), "{to}: {error}");
        }
        assert!(Match::parse("").is_err());
    }

    #[test]
    fn a_win_stands_beside_the_double_that_the_left_side_passes() {
        let text = "0 point match\n Game 1\n a : 0    b : 0\n 1)                31: 8/5 6/5\n 2) 52: 13/11 13/8    Doubles => 2\n 3) Drops   Wins 1 point\n";
        let read = Match::parse(text).unwrap();
        assert_eq!(read.games[0].won, Some((Player::Two, 1)));
        let written = read.text().unwrap();
        assert!(
            written.lines().last().is_some_and(|line| line.contains("Drops") && line.ends_with(" Wins 1 point")),
            "{written}"
        );
        assert_eq!(Match::parse(&written), Ok(read));
    }

    /// Without a limit a text of a few megabytes takes minutes.
    #[test]
    fn matches_without_end_are_refused() {
        let games = "Game 1\na : 0 b : 0\n".repeat(50_000);
        assert_eq!(Match::parse(&format!("0 point match\n{games}")).unwrap().games.len(), 50_000);
        let error = Match::parse(&format!("7 point match\n{games}")).unwrap_err();
        assert_eq!((error.line, error.fault), (20_003, Fault::TooMany));
    }

    #[test]
    fn names_are_made_fit_for_their_line() {
        let game = Game { won: Some((Player::One, 1)), ..Game::default() };
        for (name, written) in [(";[Site]", "_[Site]"), (" a:b\n c ", "a_b_ c"), ("", "_"), ("7 : 3", "7 _ 3")] {
            let whole = Match { names: [name.into(), name.into()], games: vec![game.clone()], ..Match::default() };
            let read = Match::parse(&whole.text().unwrap()).unwrap();
            assert_eq!(read, Match { names: [written.into(), written.into()], ..whole });
        }
    }
}

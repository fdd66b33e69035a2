//! Game records in the Smart Game Format (`.sgf`, `GM[6]`), as GNU Backgammon keeps them.
//!
//! A match is one game tree after another:
//! ```text
//! (;FF[4]GM[6]MI[length:7][game:1][bs:0][ws:0]PB[Alice]PW[Bob]RE[B+2]
//! ;B[31qtst];W[52xvmh];B[double];W[take]...)
//! ```
//! Black is [`Player::One`], White is [`Player::Two`]. A play is the two dice and the places that each checker leaves and enters: `a` to `x`
//! are White's points 1 to 24, `y` is the bar, `z` off. Of variations the first is read; analysis and comments are read
//! over. Every play is checked against the rules, as in [`mat`](super::mat). The Crawford game is the one whose rules, `RU`, say so
//! (`CrawfordGame`); if they name no Crawford rule, there is none. Of money games they say `Jacoby`, in all or in none.
//!
//! Source: <https://www.red-bean.com/sgf/backgammon.html>.

use core::fmt::Write as _;

use gamecore::Player;
use gamecore::sgf::{self, Property, escaped};
use gamecore::text::quoted;

use super::game::{Action, Fault, Game, MOST_ACTIONS, MOST_POINTS, Match, MatchError, Replay};
use crate::notation;
use crate::setup::Setup;
use crate::stakes::Stakes;

/// The match as a collection of game records.
///
/// # Errors
/// If an action is not legal where it stands.
pub fn text(whole: &Match) -> Result<String, MatchError> {
    let mut out = String::new();
    let names = whole.names.each_ref().map(|name| escaped(name));
    for (i, game) in whole.games.iter().enumerate() {
        let states = game.states(whole, i).map_err(|error| error.in_game(i))?;
        let [one, two] = game.score;
        _ = write!(out, "(;FF[4]GM[6]CA[UTF-8]MI[length:{}][game:{}][bs:{one}][ws:{two}]", whole.length, i + 1);
        _ = write!(out, "PB[{}]PW[{}]", names[0], names[1]);
        let mut rules = Vec::new();
        if whole.length > 0 && !whole.without_crawford {
            rules.push("Crawford");
        }
        if states[0].stakes().is_crawford() {
            rules.push("CrawfordGame");
        }
        if states[0].stakes().is_jacoby() {
            rules.push("Jacoby");
        }
        match whole.setup {
            Setup::Standard => {}
            Setup::Nackgammon => rules.push("Nackgammon"),
            Setup::Hypergammon => rules.push("Hypergammon3"),
        }
        if !rules.is_empty() {
            _ = write!(out, "RU[{}]", rules.join(":"));
        }
        if let Some((seat, points)) = game.won {
            // Given up, if neither the checkers nor a passed double have decided it.
            let dropped = matches!(game.actions.last(), Some((_, Action::Drop)));
            let decided = dropped || states.last().is_some_and(|state| state.outcome().is_some());
            _ = write!(out, "RE[{}+{points}{}]", colour(seat), if decided { "" } else { "R" });
        }
        for &(seat, action) in &game.actions {
            _ = write!(out, "\n;{}[", colour(seat));
            match action {
                Action::Double => out += "double",
                Action::Take => out += "take",
                Action::Drop => out += "drop",
                Action::Play(roll, m) => {
                    _ = write!(out, "{}{}", roll.high(), roll.low());
                    for step in m.steps() {
                        out.push(letter(seat, step.from));
                        out.push(letter(seat, step.to));
                    }
                }
            }
            out.push(']');
        }
        out += ")\n";
    }
    Ok(out)
}

/// Reads the games of a collection as a match.
///
/// # Errors
/// The number of the first bad line, and what is wrong with it.
pub fn parse(text: &str) -> Result<Match, MatchError> {
    let mut whole = Match::default();
    let collection = sgf::parse(text).map_err(|error| Fault::Syntax(error.fault).at(error.line))?;
    for nodes in collection {
        let properties: Vec<Property> = nodes.into_iter().flatten().collect();
        let first = properties.iter().find(|p| p.name == "GM");
        if first.is_none_or(|p| p.values[0].trim() != "6") {
            return Err(Fault::NoRecord.at(properties.first().map_or(1, |p| p.line)));
        }
        let mut reading = Reading::default();
        for property in &properties {
            reading.read(property, &mut whole).map_err(|fault| fault.at(property.line))?;
        }
        let line = |name| properties.iter().find(|p| p.name == name).map_or(1, |p| p.line);
        let winner = reading.replay(&mut whole).map_err(|fault| fault.at(line("GM")))?.winner();
        if winner.zip(reading.game.won).is_some_and(|(winner, (seat, _))| winner != seat) {
            return Err(Fault::Winner.at(line("RE")));
        }
        whole.games.push(reading.game);
    }
    if whole.games.is_empty() { Err(Fault::NoRecord.at(1)) } else { Ok(whole) }
}

/// A game that is being read.
#[derive(Default)]
struct Reading {
    game: Game,
    /// Whether the Crawford rule is named.
    rule: bool,
    /// Whether this is said to be the Crawford game.
    crawford: bool,
    /// Whether the Jacoby rule is named.
    jacoby: bool,
    /// Once anything has been done.
    replay: Option<Replay>,
}

impl Reading {
    /// The game so far. From here on its match's rules and its score are settled.
    fn replay(&mut self, whole: &mut Match) -> Result<&mut Replay, Fault> {
        let replay = match self.replay.take() {
            Some(replay) => replay,
            None => {
                let i = whole.games.len();
                let leads = || Stakes::match_of(whole.length, self.game.score).and_then(Stakes::with_crawford).is_ok();
                let unnamed = i == 0 && whole.length > 0 && !self.rule;
                let jacoby = whole.length == 0 && self.jacoby;
                if i == 0 {
                    whole.jacoby = jacoby;
                } else if whole.jacoby != jacoby {
                    return Err(Fault::Late { tag: "Jacoby" });
                }
                whole.without_crawford |= unnamed || !self.crawford && whole.may_be_crawford(i) && leads();
                Replay::new(whole.first(&self.game, i)?)
            }
        };
        Ok(self.replay.insert(replay))
    }

    /// Whether it is too late for a property of the whole match.
    fn match_has_begun(&self, whole: &Match) -> bool {
        !whole.games.is_empty() || self.replay.is_some()
    }

    /// Takes in one property.
    fn read(&mut self, property: &Property, whole: &mut Match) -> Result<(), Fault> {
        let value = &*property.values[0];
        match &*property.name {
            "PB" => whole.names[0] = value.into(),
            "PW" => whole.names[1] = value.into(),
            "MI" => self.read_match(property, whole)?,
            "RU" => self.read_rules(property, whole)?,
            "RE" => {
                // Also 0 and Void, for games broken off; and W+1R, for one given up.
                if let Some((winner, points)) = value.split_once('+') {
                    let seat = seat_of(winner.trim()).ok_or_else(|| refused(property))?;
                    let points = points.trim().trim_end_matches(|c: char| c.is_ascii_alphabetic()).parse::<u32>();
                    let points = points.ok().filter(|&n| n <= MOST_POINTS).ok_or_else(|| refused(property))?;
                    self.game.won = Some((seat, points));
                }
            }
            "AB" | "AW" | "AE" | "CV" | "CO" | "DI" | "PL" => return Err(refused(property)),
            "B" => self.act(Player::One, property, whole)?,
            "W" => self.act(Player::Two, property, whole)?,
            _ => {}
        }
        Ok(())
    }

    /// The match's length and the score before the game.
    fn read_match(&mut self, property: &Property, whole: &mut Match) -> Result<(), Fault> {
        for (tag, n) in property.values.iter().filter_map(|pair| pair.split_once(':')) {
            let number = || n.trim().parse::<u16>().map_err(|_| refused(property));
            match &*tag.trim().to_ascii_lowercase() {
                "length" if self.match_has_begun(whole) && number()? != whole.length => return Err(refused(property)),
                "length" => whole.length = number()?,
                "bs" | "ws" if self.replay.is_some() => return Err(refused(property)),
                "bs" => self.game.score[0] = number()?,
                "ws" => self.game.score[1] = number()?,
                _ => {}
            }
        }
        Ok(())
    }

    /// The Crawford rule and the set-up.
    fn read_rules(&mut self, property: &Property, whole: &mut Match) -> Result<(), Fault> {
        let rules = property.values[0].to_ascii_lowercase();
        let named = |name: &str| rules.split(':').any(|rule| rule.trim() == name);
        self.crawford = named("crawfordgame");
        self.rule = self.crawford || named("crawford");
        self.jacoby = named("jacoby");
        let setup = if rules.contains("nackgammon") {
            Setup::Nackgammon
        } else if rules.contains("hypergammon3") {
            Setup::Hypergammon
        } else {
            return Ok(());
        };
        if setup != whole.setup && self.match_has_begun(whole) {
            return Err(refused(property));
        }
        whole.setup = setup;
        Ok(())
    }

    /// What `seat` did.
    fn act(&mut self, seat: Player, property: &Property, whole: &mut Match) -> Result<(), Fault> {
        if self.game.actions.len() == MOST_ACTIONS {
            return Err(Fault::TooLong);
        }
        let replay = self.replay(whole)?;
        replay.seat_first(seat);
        let action = match &*property.values[0].trim().to_ascii_lowercase() {
            "double" => Action::Double,
            "take" => Action::Take,
            "drop" => Action::Drop,
            play => {
                let (dice, places) = play.split_at_checked(2).ok_or_else(|| refused(property))?;
                let roll = crate::text::parse_roll(dice).ok_or_else(|| refused(property))?;
                let words = words(seat, places).ok_or_else(|| refused(property))?;
                // Its dice show, so that the plays of this seat are the ones meant.
                if replay.state.mover() != seat {
                    return Err(Fault::Turn);
                }
                Action::Play(roll, notation::parse(&replay.state.with_dice(Some(roll))?, &words)?)
            }
        };
        replay.act(seat, action)?;
        self.game.actions.push((seat, action));
        Ok(())
    }
}

/// The fault of a property that is not understood, or stands where it cannot.
fn refused(property: &Property) -> Fault {
    Fault::Property { name: property.name.clone(), found: quoted(&property.values[0]) }
}

/// The checker moves as notation has them.
fn words(seat: Player, places: &str) -> Option<String> {
    if places.is_empty() {
        return Some("pass".into());
    }
    let letters = places.as_bytes();
    let name = |letter: u8| match (letter, seat) {
        (b'y', _) => Some("bar".into()),
        (b'z', _) => Some("off".into()),
        (b'a'..=b'x', Player::Two) => Some((letter - b'a' + 1).to_string()),
        (b'a'..=b'x', Player::One) => Some((24 - (letter - b'a')).to_string()),
        _ => None,
    };
    let pairs = letters.chunks(2).map(|pair| match *pair {
        [from, to] => Some(format!("{}/{}", name(from)?, name(to)?)),
        _ => None,
    });
    pairs.collect::<Option<Vec<String>>>().map(|words| words.join(" "))
}

/// The letter of a seat's point, 25 for its bar and 0 for off.
fn letter(seat: Player, point: u8) -> char {
    char::from(match (point, seat) {
        (0, _) => b'z',
        (25, _) => b'y',
        (point, Player::Two) => b'a' + (point - 1),
        (point, Player::One) => b'a' + (24 - point),
    })
}

const fn colour(seat: Player) -> &'static str {
    match seat {
        Player::One => "B",
        Player::Two => "W",
    }
}

fn seat_of(colour: &str) -> Option<Player> {
    match colour {
        "B" | "b" => Some(Player::One),
        "W" | "w" => Some(Player::Two),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "(;FF[4]GM[6]MI[length:3][game:1][bs:0][ws:0]PW[B\\]ob]PB[Ann]RE[W+2]C[a (comment; B[x\\]]
;W[31hefe]A[0][hefe 0.1];B[52lnlq](;W[double];B[take]
;W[66xrxrmgmg])(;W[11aa]))
(;GM[6]MI[length:3][bs:0][ws:2]PW[B\\]ob]PB[Ann])
";

    #[test]
    fn a_record_is_read_and_written() {
        let read = parse(TEXT).unwrap();
        assert_eq!((read.length, read.names.clone()), (3, ["Ann".into(), "B]ob".into()]));
        assert_eq!((read.games[0].won, read.games[1].score), (Some((Player::Two, 2)), [0, 2]));
        let last = read.games[0].states(&read, 0).unwrap().pop().unwrap();
        assert_eq!(last.checkers(Player::Two, 18), 2);
        assert_eq!(last.stakes().cube(), 2);
        assert!(read.games[0].actions.len() == 5 && read.games[1].actions.is_empty());
        assert_eq!(parse(&text(&read).unwrap()), Ok(read));
    }

    /// As GNU Backgammon writes it; a gammon with the cube in the middle then counts one.
    #[test]
    fn the_jacoby_rule_is_kept() {
        let kept = "(;GM[6]MI[length:0][bs:0][ws:0]RU[Jacoby]RE[B+1R];B[31qtst])\n(;GM[6]MI[length:0][bs:1][ws:0]RU[Jacoby])\n";
        let read = parse(kept).unwrap();
        for i in 0..2 {
            assert!(read.games[i].states(&read, i).unwrap().iter().all(|state| state.stakes().is_jacoby()));
        }
        assert_eq!(parse(&text(&read).unwrap()), Ok(read));
        let other = kept.replacen("[ws:0]RU[Jacoby])", "[ws:0])", 1);
        assert_eq!(parse(&other).unwrap_err(), Fault::Late { tag: "Jacoby" }.at(2));
        // In a match there is no such rule.
        assert!(!parse(&kept.replace("length:0", "length:5")).unwrap().jacoby);
    }

    #[test]
    fn faults_are_named_with_their_line() {
        for (from, to, line, words) in [
            ("GM[6]", "GM[1]", 1, "GM[6]"),
            ("31hefe", "31hefd", 2, "no die, nor a sum of dice, is 2"),
            ("31hefe", "31hef", 2, "not understood"),
            ("[31hefe]", "[37hefe]", 2, "not understood"),
            ("B[take]", "W[take]", 2, "out of turn"),
            ("B[52lnlq]", "W[52lnlq]", 2, "out of turn"),
            (";W[double]", ";DI[31]W[double]", 2, "DI[31]"),
            ("length:3", "length:x", 1, "not understood"),
            ("[bs:0]", "[bs:3]", 2, "is over"),
            ("[ws:2]", "[ws:3]", 4, "is over"),
            ("(;GM[6]MI[length:3]", "(;GM[6]MI[length:5]", 4, "MI[length:5]"),
            ("(;GM[6]MI", "(;GM[6]RU[Nackgammon]MI", 4, "RU[Nackgammon]"),
            (";B[52lnlq]", ";B[52lnlq]MI[bs:1]", 2, "MI[bs:1]"),
            (")\n", "\n", 5, "cut off"),
        ] {
            assert!(TEXT.contains(from), "{from}");
            let error = parse(&TEXT.replacen(from, to, 1)).unwrap_err();
            assert!(error.line == line && error.to_string().contains(words), "{to}: {error}");
        }
        let given_up = text(&parse(TEXT).unwrap()).unwrap();
        assert!(given_up.contains("RE[W+2R]"), "{given_up}");
        let dropped = TEXT.replacen("B[take]\n;W[66xrxrmgmg]", "B[drop]", 1);
        let read = parse(&dropped).unwrap();
        assert!(read.games[0].won == Some((Player::Two, 2)) && text(&read).unwrap().contains("RE[W+2]"));
        assert_eq!(parse(&dropped.replacen("W+2", "B+2", 1)).unwrap_err(), Fault::Winner.at(1));
        assert!(parse(&TEXT.replacen("W+2", "W+1048576", 1)).is_ok() && parse(&TEXT.replacen("W+2", "W+1048577", 1)).is_err());
        for text in ["", "()", ")", "(;", "(;GM[6", "GM[6]"] {
            assert!(parse(text).is_err(), "{text}");
        }
    }
}

//! Plays as people write them: `24/18*(2)`, `bar/22 13/11`, `6/off(3)`.
//!
//! Points are the mover's own, 1 to 24. A checker's moves are written as one, `24/15`; a point on its way is named if
//! a checker is hit there, `24/18*/15`. A star marks a hit, a number in brackets repeats. The only play of a player who
//! cannot move is written `pass`.
//!
//! Reading asks for less: any case, `b` or `25` for the bar, `o` or `0` for off, `-` for `/`, commas for spaces, any
//! order, every point on the way or none (and of a checker that is borne off by both dice, also the wrong one), no hit marks or one
//! after the bracket, the roll before the play as in match texts, `31: 8/5 6/5`. If plays with and without a hit on the way are
//! meant by the same words, those with the fewest hits are taken, as the mark would have been written. What is read is a legal
//! play or an error that says what is wrong.
//!
//! # Examples
//! ```
//! use games_backgammon::{Backgammon, notation};
//!
//! let game: Backgammon = "00000503000050000000000200/00000503000050000000000200 one 31".parse()?;
//! let play = notation::parse(&game, "8/5, 6/5")?;
//! assert_eq!(notation::text(&game, play), "8/5 6/5");
//! assert_eq!(notation::parse(&game, "24/23/20"), notation::parse(&game, "24/20"));
//! assert!(notation::parse(&game, "6/5").is_err()); // both dice can be played
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

use core::fmt::Write as _;

use arrayvec::ArrayVec;
use gamecore::text::quoted;
use gamecore::{Game, Roll};

use crate::generate::Generator;
use crate::moves::{CheckerMove, Move, target};
use crate::side::{BAR, HOME, IN_PLAY, OFF, Side};
use crate::state::Backgammon;

/// A way to play a roll, checker move by checker move.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Path {
    /// The checker moves in the order made.
    pub steps: ArrayVec<CheckerMove, 4>,
    /// The play that this is a way of making.
    pub play: Move,
}

/// One request of a text: a checker from a place to another, by any of the dice.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Hop {
    from: u32,
    to: u32,
    hit: bool,
}

/// The play in notation: `24/18*(2)`. `game` is the position that it is made in.
#[must_use]
pub fn text(game: &Backgammon, play: Move) -> String {
    words(game, play, " ")
}

/// [`text`] with something other than a space between the checkers.
pub(crate) fn words(game: &Backgammon, play: Move, separator: &str) -> String {
    if play.is_pass() {
        return "pass".into();
    }
    // Each checker's places, and all points where a checker is hit.
    let (mut checkers, mut hits) = (ArrayVec::<ArrayVec<u32, 5>, 4>::new(), 0u32);
    let mut own_hits = ArrayVec::<u32, 4>::new();
    let mut sides = game.sides;
    for (from, die) in play.sources() {
        let (to, before) = (target(from, die), sides[1].count(BAR));
        Backgammon::step(&mut sides, from, die);
        let hit = u32::from(sides[1].count(BAR) > before) << to;
        hits |= hit;
        match checkers.iter().position(|way| way.last() == Some(&from)) {
            Some(i) => {
                checkers[i].push(to);
                own_hits[i] |= hit;
            }
            None => {
                checkers.push(ArrayVec::from_iter([from, to]));
                own_hits.push(hit);
            }
        }
    }
    let ends = checkers.iter().fold(0, |set, way| set | 1 << way[way.len() - 1]);
    // What is shown of each: its ends, and where else a checker is hit.
    let mut shown: ArrayVec<ArrayVec<u32, 5>, 4> = checkers
        .iter()
        .zip(own_hits)
        .map(|(way, own)| {
            let last = way.len() - 1;
            let named = |&(i, place): &(usize, u32)| i == 0 || i == last || (own & !ends) >> place & 1 != 0;
            way.iter().copied().enumerate().filter(named).map(|(_, place)| place).collect()
        })
        .collect();
    // Off comes last, as the lowest of all.
    shown.sort_by_key(|way| {
        way.iter().map(|&place| core::cmp::Reverse(if place == OFF { -1 } else { place as i32 })).collect::<ArrayVec<_, 5>>()
    });
    let (mut out, mut marked, mut i) = (String::new(), 0, 0);
    while i < shown.len() {
        let way = &shown[i];
        let times = shown[i..].iter().take_while(|other| *other == way).count();
        if i > 0 {
            out.push_str(separator);
        }
        for (k, &place) in way.iter().enumerate() {
            if k > 0 {
                out.push('/');
            }
            match place {
                BAR => out.push_str("bar"),
                OFF => out.push_str("off"),
                _ => _ = write!(out, "{}", place + 1),
            }
            if k > 0 && (hits & !marked) >> place & 1 != 0 {
                out.push('*');
                marked |= 1 << place;
            }
        }
        if times > 1 {
            _ = write!(out, "({times})");
        }
        i += times;
    }
    out
}

/// Reads a play of this position, see the [module](self).
///
/// # Errors
/// If the text is no play, or none that is legal here, or means more than one.
pub fn parse(game: &Backgammon, text: &str) -> Result<Move, NotationError> {
    let Some(roll) = game.dice() else { return Err(NotationError::NoRoll) };
    let mut list = <Backgammon as Game>::Moves::default();
    game.moves(&mut list);
    let must_pass = list[0].is_pass();
    let (said, words) = after_roll(text);
    if let Some(said) = said.filter(|&said| said != roll) {
        return Err(NotationError::OtherRoll { said: digits(said), rolled: digits(roll) });
    }
    let Some(hops) = read(words)? else {
        return if must_pass { Ok(Move::PASS) } else { Err(NotationError::MayNotPass) };
    };
    if must_pass {
        return Err(NotationError::MustPass);
    }
    let mut found = Found::default();
    let dice: ArrayVec<u32, 4> = if roll.is_double() {
        ArrayVec::from([roll.high().into(); 4])
    } else {
        ArrayVec::from_iter([roll.high().into(), roll.low().into()])
    };
    follow(game.sides, &hops, &dice, &mut found);
    if let (true, Some(hop)) = (found.0.is_empty(), home_at_once(&hops)) {
        follow(game.sides, &[hop], &dice, &mut found);
    }
    let blots = Generator::new(game.sides[0], game.sides[1]).blots();
    if let Some(hop) = hops.iter().find(|hop| hop.hit && (hop.to > 23 || blots >> hop.to & 1 == 0)) {
        return Err(NotationError::NoBlot { place: name(hop.to) });
    }
    let fewest = |m: &Move| made(game, *m)[1].count(BAR);
    let mut meant: Vec<Move> = list.iter().copied().filter(|&m| found.0.contains(&made(game, m))).collect();
    let least = meant.iter().map(fewest).min();
    meant.retain(|m| Some(fewest(m)) == least);
    match meant.as_slice() {
        [one] => Ok(*one),
        [a, b, ..] => Err(NotationError::Ambiguous { one: self::text(game, *a), other: self::text(game, *b) }),
        [] => Err(refusal(game, roll, &hops, !found.0.is_empty(), list[0].len())),
    }
}

/// Every way of playing the roll, in the order of the positions that they lead to ([`Game::moves`]): what an input by
/// clicks lets a person do. Empty if no roll is to be played, one empty path if it is a pass.
///
/// Doubles with many free checkers have tens of thousands of ways.
#[must_use]
pub fn paths(game: &Backgammon) -> Vec<Path> {
    let Some(roll) = game.dice() else { return Vec::new() };
    let mut list = <Backgammon as Game>::Moves::default();
    game.moves(&mut list);
    let ends: std::collections::HashMap<[Side; 2], usize> = list.iter().enumerate().map(|(i, &m)| (made(game, m), i)).collect();
    let mut found = Vec::new();
    let (high, low) = (u32::from(roll.high()), u32::from(roll.low()));
    let mut walk = |dice: &[u32]| {
        all_ways(game.sides, dice, list[0].len(), &mut ArrayVec::new(), &mut |steps, sides| {
            if let Some(&i) = ends.get(&sides) {
                found.push((i, steps.clone()));
            }
        });
    };
    if roll.is_double() {
        walk(&[high; 4]);
    } else {
        walk(&[high, low]);
        walk(&[low, high]);
    }
    found.sort_by_key(|way| way.0);
    let mut paths: Vec<Path> = found.into_iter().map(|(i, steps)| Path { steps, play: list[i] }).collect();
    paths.dedup();
    paths
}

/// Shows every sequence of `left` legal steps by the first of `dice`.
fn all_ways(
    sides: [Side; 2],
    dice: &[u32],
    left: usize,
    steps: &mut ArrayVec<CheckerMove, 4>,
    visit: &mut impl FnMut(&ArrayVec<CheckerMove, 4>, [Side; 2]),
) {
    if left == 0 {
        return visit(steps, sides);
    }
    let Some((&die, rest)) = dice.split_first() else { return };
    for from in crate::side::places(Generator::new(sides[0], sides[1]).legal(die)) {
        let mut next = sides;
        Backgammon::step(&mut next, from, die);
        steps.push(CheckerMove::of(from, die));
        all_ways(next, rest, left - 1, steps, visit);
        steps.pop();
    }
}

/// The way of a checker that both dice bear off, without the point between. For 42 and `5/off` GNU Backgammon's match texts say
/// `5/1 1/0`, also where only `5/3/off` can be played.
fn home_at_once(hops: &[Hop]) -> Option<Hop> {
    let (first, last) = match *hops {
        [a, b] if a.to == b.from => (a, b),
        [a, b] if b.to == a.from => (b, a),
        _ => return None,
    };
    (last.to == OFF && !first.hit).then_some(Hop { from: first.from, ..last })
}

/// The two sides after a play, the mover's first.
fn made(game: &Backgammon, play: Move) -> [Side; 2] {
    let mut sides = game.sides;
    play.sources().for_each(|(from, die)| Backgammon::step(&mut sides, from, die));
    sides
}

/// The positions that hops lead to.
#[derive(Default)]
struct Found(Vec<[Side; 2]>);

/// Makes the rest of `hops` by `dice` in every legal order.
fn follow(sides: [Side; 2], hops: &[Hop], dice: &[u32], found: &mut Found) {
    if hops.is_empty() {
        if !found.0.contains(&sides) {
            found.0.push(sides);
        }
        return;
    }
    let generator = Generator::new(sides[0], sides[1]);
    for (i, &die) in dice.iter().enumerate() {
        if dice[..i].contains(&die) {
            continue;
        }
        let rest: ArrayVec<u32, 4> = dice.iter().enumerate().filter(|&(k, _)| k != i).map(|(_, &d)| d).collect();
        for (k, hop) in hops.iter().enumerate() {
            let to = target(hop.from, die);
            let reaches = if hop.to == OFF { true } else { to != OFF && to >= hop.to };
            if hops[..k].contains(hop) || !reaches || generator.legal(die) >> hop.from & 1 == 0 {
                continue;
            }
            let mut next = sides;
            Backgammon::step(&mut next, hop.from, die);
            let mut left: ArrayVec<Hop, 4> = hops.iter().copied().collect();
            if to == hop.to {
                left.remove(k);
            } else {
                left[k].from = to;
            }
            follow(next, &left, &rest, found);
        }
    }
}

/// What follows a roll and a colon, `31: 8/5 6/5`, and the roll.
fn after_roll(text: &str) -> (Option<Roll>, &str) {
    let split = text.split_once(':').and_then(|(head, rest)| Some((crate::text::parse_roll(head.trim())?, rest)));
    split.map_or((None, text), |(roll, rest)| (Some(roll), rest))
}

/// Words about the cube and the end of a game, as other programs have them.
const CUBE: [&str; 14] = [
    "double", "doubles", "redouble", "take", "takes", "drop", "drops", "beaver", "accept", "reject", "decline", "agree",
    "resign", "resigns",
];

/// The roll as it is written.
fn digits(roll: Roll) -> String {
    format!("{}{}", roll.high(), roll.low())
}

/// The hops that a text asks for; `None` for a pass.
fn read(text: &str) -> Result<Option<ArrayVec<Hop, 4>>, NotationError> {
    let unreadable = || NotationError::Unreadable { found: quoted(text.trim()) };
    let lower = text.trim().to_ascii_lowercase();
    if matches!(lower.as_str(), "pass" | "cannot move" | "no move" | "dance" | "dances") {
        return Ok(None);
    }
    if lower.split_whitespace().next().is_some_and(|word| CUBE.contains(&word)) {
        return Err(NotationError::Cube { found: quoted(text.trim()) });
    }
    let mut hops = ArrayVec::new();
    // A number in brackets may stand apart.
    let lower = lower.replace(" (", "(");
    for word in lower.split(|c: char| c.is_whitespace() || c == ',').filter(|word| !word.is_empty()) {
        let (way, times) = match word.split_once('(') {
            None => (word.to_owned(), 1),
            Some((way, rest)) => {
                let (digits, star) = rest.split_once(')').ok_or_else(unreadable)?;
                let times = digits.parse::<usize>().ok().filter(|n| (1..=4).contains(n)).ok_or_else(unreadable)?;
                match star {
                    "" => (way.into(), times),
                    "*" => (format!("{way}*"), times),
                    _ => return Err(unreadable()),
                }
            }
        };
        let mut places = ArrayVec::<(u32, bool), 5>::new();
        for (i, name) in way.split(['/', '-']).enumerate() {
            let (name, hit) = name.strip_suffix('*').map_or((name, false), |bare| (bare, true));
            let place = match name {
                "bar" | "b" | "25" if i == 0 => BAR,
                "off" | "o" | "0" if i > 0 => OFF,
                digits if digits.len() <= 2 && digits.bytes().all(|b| b.is_ascii_digit()) => {
                    digits.parse().ok().filter(|n| (1..=24u32).contains(n)).ok_or_else(unreadable)? - 1
                }
                _ => return Err(unreadable()),
            };
            if hit && (i == 0 || place == OFF) {
                return Err(unreadable());
            }
            places.try_push((place, hit)).map_err(|_| NotationError::TooMany)?;
        }
        if places.len() < 2 {
            return Err(unreadable());
        }
        for pair in places.windows(2) {
            let hop = Hop { from: pair[0].0, to: pair[1].0, hit: pair[1].1 };
            if hop.to != OFF && hop.to >= hop.from || hop.from == OFF {
                return Err(NotationError::Backwards { from: name(hop.from), to: name(hop.to) });
            }
            for _ in 0..times {
                hops.try_push(hop).map_err(|_| NotationError::TooMany)?;
            }
        }
    }
    if hops.is_empty() { Err(unreadable()) } else { Ok(Some(hops)) }
}

/// A place as notation names it.
fn name(place: u32) -> String {
    match place {
        BAR => "bar".into(),
        OFF => "off".into(),
        point => (point + 1).to_string(),
    }
}

/// Why no legal play is meant by `hops`; `playable` if they can be made, though they are no whole play; `most` is the
/// number of dice that can be played.
fn refusal(game: &Backgammon, roll: Roll, hops: &[Hop], playable: bool, most: usize) -> NotationError {
    let generator = Generator::new(game.sides[0], game.sides[1]);
    if playable {
        return if most == 1 { NotationError::NotLarger { die: roll.high() } } else { NotationError::NotWhole { most } };
    }
    let bar = u32::from(game.sides[0].count(BAR));
    for hop in hops {
        if game.sides[0].count(hop.from) == 0 && hops.iter().all(|other| other.to != hop.from) {
            return NotationError::NoChecker { place: name(hop.from) };
        }
        if hop.to < BAR && generator.is_blocked(hop.to) {
            return NotationError::Blocked { place: name(hop.to) };
        }
    }
    if (hops.iter().filter(|hop| hop.from == BAR).count() as u32) < bar.min(hops.len() as u32) {
        return NotationError::BarFirst;
    }
    let (high, low) = (u32::from(roll.high()), u32::from(roll.low()));
    let sums = if roll.is_double() { [high, 2 * high, 3 * high, 4 * high] } else { [high, low, high + low, high + low] };
    let away = game.sides[0].sum(IN_PLAY & !HOME);
    for hop in hops {
        if hop.to == OFF {
            if hops.iter().filter(|other| HOME >> other.from & 1 == 0).count() < away as usize {
                return NotationError::NotHome;
            }
            let distance = hop.from + 1;
            if sums.iter().all(|&sum| sum < distance) {
                return NotationError::NoSum { distance, more: " or more" };
            }
        } else if !sums.contains(&(hop.from - hop.to)) {
            return NotationError::NoSum { distance: hop.from - hop.to, more: "" };
        }
    }
    NotationError::Dice
}

/// Why a text is no play of a position.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum NotationError {
    /// It cannot be read.
    #[error("\"{found}\" is not a play: a play looks like 24/18*(2), bar/22 13/11, 6/off, or pass")]
    Unreadable {
        /// The text, shortened and made printable.
        found: String,
    },
    /// More than four checker moves.
    #[error("a play is at most four checker moves")]
    TooMany,
    /// A checker moved away from home.
    #[error("checkers move towards the 1-point, not from {from} to {to}")]
    Backwards {
        /// The place left.
        from: String,
        /// The place entered.
        to: String,
    },
    /// The state waits for no play.
    #[error("no play is awaited: the dice have not been rolled, or the game is over")]
    NoRoll,
    /// There is a legal play.
    #[error("who can move may not pass")]
    MayNotPass,
    /// There is none.
    #[error("no checker can move: the only play is pass")]
    MustPass,
    /// Nothing to move there.
    #[error("there is no checker of yours on {}{place}", if place == "bar" { "the " } else { "" })]
    NoChecker {
        /// The place.
        place: String,
    },
    /// The opponent's point.
    #[error("the opponent holds your {place}-point")]
    Blocked {
        /// The point.
        place: String,
    },
    /// Checkers on the bar come first.
    #[error("checkers on the bar must enter first")]
    BarFirst,
    /// A hit mark where nothing is hit.
    #[error("a hit is marked on {place}, but there is no single enemy checker")]
    NoBlot {
        /// The place.
        place: String,
    },
    /// A word about the cube, or a resignation.
    #[error("\"{found}\" is no play: nobody doubles or resigns here, every roll is played")]
    Cube {
        /// The text, shortened and made printable.
        found: String,
    },
    /// Another roll before the play.
    #[error("the roll is {rolled}, not {said}")]
    OtherRoll {
        /// The roll said.
        said: String,
        /// The roll thrown.
        rolled: String,
    },
    /// Possible steps that leave dice unplayed.
    #[error("not a whole play: {most} of the dice can be played and must be")]
    NotWhole {
        /// Dice to be played.
        most: usize,
    },
    /// The smaller die, though the larger could be played, if not both.
    #[error("only one die can be played, and then it must be the larger one: the {die}")]
    NotLarger {
        /// The larger die.
        die: u8,
    },
    /// Checkers borne off too soon.
    #[error("no checker may be borne off before all are at home, on the 6-point and below")]
    NotHome,
    /// A distance that no dice add up to.
    #[error("no die, nor a sum of dice, is {distance}{more}")]
    NoSum {
        /// From the point left to the one entered.
        distance: u32,
        /// Words after it.
        more: &'static str,
    },
    /// No way of making these moves with these dice.
    #[error("the dice do not allow that: a point on the way is blocked, dice are used twice, or higher checkers bear off first")]
    Dice,
    /// Plays that hit different checkers.
    #[error("that may be {one} or {other}: name the point on the way")]
    Ambiguous {
        /// One of the plays meant.
        one: String,
        /// Another.
        other: String,
    },
}

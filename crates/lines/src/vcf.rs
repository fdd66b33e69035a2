//! Victory by continuous fours.

use std::collections::HashMap;
use std::hash::BuildHasherDefault;

use gamecore::{KeyHasher, Player};

use crate::board::stone_key;
use crate::patterns::Patterns;
use crate::point::Point;
use crate::table::Made;

/// Looks for a victory by continuous fours (VCF): every attacking move threatens to win at once, so the defender has one answer,
/// until one move threatens to win on two points.
///
/// Depth counts the attacker's stones, the winning one included; it grows until a win is found (the first is therefore a
/// shortest one), none can exist, or a limit is reached. Complete: a "no" means that there is no VCF of so many stones. Sound:
/// after a "yes" the line wins against every defence, even if that makes fours of its own on the way.
///
/// Threat sequences as a search of their own go back to Allis, van den Herik and Huntjens (*Go-Moku and threat-space search*,
/// 1994). This one is a plain depth-first search with a memory of positions that failed.
///
/// # Examples
/// ```
/// use gamecore::Player;
/// use lines::{Board, Forced, Goal, Patterns, Point, Vcf};
///
/// // Two rows of three that share a point, both closed at one end.
/// let mut board = Board::new(15).unwrap();
/// for (x, y) in [(3, 7), (4, 7), (5, 7), (6, 4), (6, 5), (6, 6)] {
///     board.place(Point::new(x, y).unwrap(), Player::One);
/// }
/// for (x, y) in [(2, 7), (6, 3)] {
///     board.place(Point::new(x, y).unwrap(), Player::Two);
/// }
/// let patterns = Patterns::new(&board, [Goal::FIVE_OR_MORE; 2]);
/// let Forced::Win(line) = Vcf::default().win(&patterns, Player::One) else { panic!() };
/// assert_eq!(line[0], Point::new(6, 7).unwrap());
/// assert_eq!(line.len(), 3); // the double four, a block, the five
/// ```
#[derive(Clone, Debug)]
pub struct Vcf {
    stones: u8,
    node_limit: u64,
    nodes: u64,
    /// By the key of the stones added: so many attacking stones do not win. [`NEVER`]: none do.
    failed: HashMap<u64, u8, BuildHasherDefault<KeyHasher>>,
    /// Whether the depth limit has been felt.
    cut: bool,
}

/// More stones than there are.
const NEVER: u8 = u8::MAX;

/// Whether a win can be forced.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Forced {
    /// Yes: an attacking move, its answer, and so on; the last move wins. Where several answers are possible (after the last
    /// four, say), one of them.
    Win(Vec<Point>),
    /// No, not with so many stones.
    No,
    /// The search was stopped, by its limit of nodes as a rule, before that was known.
    Unknown,
}

/// The search stopped at its limit of nodes.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[error("no answer within {nodes} nodes")]
pub struct OutOfNodes {
    /// The limit.
    pub nodes: u64,
}

/// A line of play, last move first.
type Backwards = Vec<Point>;

impl Default for Vcf {
    /// 20 stones and a million nodes.
    fn default() -> Self {
        Self { stones: 20, node_limit: 1_000_000, nodes: 0, failed: HashMap::default(), cut: false }
    }
}

impl Vcf {
    /// At most so many attacking stones, the winning one included.
    #[must_use]
    pub fn with_stones(self, stones: u8) -> Self {
        Self { stones: stones.min(NEVER - 1), ..self }
    }

    /// At most so many nodes in one call: positions in which the attacker is to move.
    #[must_use]
    pub fn with_nodes(self, nodes: u64) -> Self {
        Self { node_limit: nodes, ..self }
    }

    /// Nodes of the last call.
    #[must_use]
    pub const fn nodes(&self) -> u64 {
        self.nodes
    }

    /// A shortest win for `attacker`, who is to move.
    pub fn win(&mut self, patterns: &Patterns, attacker: Player) -> Forced {
        self.restart();
        match self.shortest(patterns, 0, attacker, self.stones) {
            Ok(Some(mut line)) => {
                line.reverse();
                Forced::Win(line)
            }
            Ok(None) => Forced::No,
            Err(OutOfNodes { .. }) => Forced::Unknown,
        }
    }

    /// Every move that begins a win for `attacker`, each with the shortest such line. If a five can be made at once, those
    /// moves only.
    ///
    /// # Errors
    /// If the limit of nodes is reached.
    pub fn wins(&mut self, patterns: &Patterns, attacker: Player) -> Result<Vec<Vec<Point>>, OutOfNodes> {
        self.restart();
        let fives = patterns.fives(attacker);
        if !fives.is_empty() {
            return Ok(fives.iter().map(|p| vec![p]).collect());
        }
        let mut lines = Vec::new();
        for first in patterns.fours(attacker).iter() {
            for stones in 2..=self.stones {
                self.cut = false;
                if let Some(mut line) = self.after(patterns, 0, attacker, stones, first)? {
                    line.reverse();
                    lines.push(line);
                    break;
                }
                if !self.cut {
                    break;
                }
            }
        }
        Ok(lines)
    }

    /// What `defender`, who is to move, can do against the opponent's VCF: every move after which there is none. `None` if
    /// there is none anyway. Whoever can win at once does: then those moves alone.
    ///
    /// A four of the defender's is among them unless its answer attacks in turn, even if it only puts the end off.
    ///
    /// # Errors
    /// If the limit of nodes, for one move, is reached.
    pub fn defences(&mut self, patterns: &Patterns, defender: Player) -> Result<Option<Vec<Point>>, OutOfNodes> {
        let fives = patterns.fives(defender);
        if !fives.is_empty() {
            return Ok(Some(fives.iter().collect()));
        }
        let attacker = defender.other();
        self.restart();
        let Some(mut line) = self.shortest(patterns, 0, attacker, self.stones)? else { return Ok(None) };
        line.reverse();
        let mut found = Vec::new();
        for point in patterns.empty_points().filter(|&p| !patterns.is_forbidden(p, defender)) {
            let mut next = patterns.clone();
            next.place(point, defender);
            // Most moves do not touch the win that is known.
            if !wins_by(&next, attacker, &line) {
                self.restart();
                if self.shortest(&next, 0, attacker, self.stones)?.is_none() {
                    found.push(point);
                }
            }
        }
        Ok(Some(found))
    }

    fn restart(&mut self) {
        self.nodes = 0;
        self.failed.clear();
    }

    fn shortest(&mut self, patterns: &Patterns, key: u64, attacker: Player, most: u8) -> Result<Option<Backwards>, OutOfNodes> {
        for stones in 1..=most {
            self.cut = false;
            let found = self.attack(patterns, key, attacker, stones)?;
            if found.is_some() || !self.cut {
                return Ok(found);
            }
        }
        Ok(None)
    }

    /// A win with at most so many stones of the attacker's, who is to move.
    fn attack(&mut self, patterns: &Patterns, key: u64, attacker: Player, stones: u8) -> Result<Option<Backwards>, OutOfNodes> {
        self.nodes += 1;
        if self.nodes > self.node_limit {
            return Err(OutOfNodes { nodes: self.node_limit });
        }
        if let Some(five) = patterns.fives(attacker).first() {
            return Ok((stones > 0).then(|| vec![five]));
        }
        if stones < 2 {
            self.cut |= !patterns.fours(attacker).is_empty();
            return Ok(None);
        }
        if let Some(&failed) = self.failed.get(&key)
            && failed >= stones
        {
            self.cut |= failed != NEVER;
            return Ok(None);
        }
        let cut_before = core::mem::replace(&mut self.cut, false);
        for point in patterns.fours(attacker).iter() {
            if let Some(line) = self.after(patterns, key, attacker, stones, point)? {
                return Ok(Some(line));
            }
        }
        self.failed.insert(key, if self.cut { stones } else { NEVER });
        self.cut |= cut_before;
        Ok(None)
    }

    /// The same, beginning with a four on `point`.
    fn after(
        &mut self,
        patterns: &Patterns,
        key: u64,
        attacker: Player,
        stones: u8,
        point: Point,
    ) -> Result<Option<Backwards>, OutOfNodes> {
        let defender = attacker.other();
        let spoilt = patterns.is_spoilt_from_beside(attacker);
        if stones == 2 && !spoilt && !is_double(patterns, attacker, point) {
            self.cut = true;
            return Ok(None);
        }
        if patterns.is_forbidden(point, attacker) {
            return Ok(None);
        }
        let mut four = patterns.clone();
        four.place(point, attacker);
        if !four.fives(defender).is_empty() {
            return Ok(None);
        }
        let fives = *four.fives(attacker);
        let Some(first) = fives.first() else { return Ok(None) };
        // All answers have to lose; the longest line is shown.
        let mut longest: Backwards = Vec::new();
        for answer in answers(&four, attacker) {
            let mut next = four.clone();
            next.place(answer, defender);
            let added = stone_key(point, attacker) ^ stone_key(answer, defender);
            match self.attack(&next, key ^ added, attacker, stones - 1)? {
                None => return Ok(None),
                Some(mut line) => {
                    line.extend([answer, point]);
                    if line.len() > longest.len() {
                        longest = line;
                    }
                }
            }
        }
        if longest.is_empty() {
            // No answer stops the five, or the one that would is forbidden: one that takes a winning point, or any.
            let allowed = |&p: &Point| !four.is_forbidden(p, defender);
            let blocks = fives.iter().filter(|_| fives.len() > 1).find(allowed);
            longest = match blocks.or_else(|| four.empty_points().find(|&p| !fives.contains(p) && allowed(&p))) {
                None => vec![first, point],
                Some(answer) => {
                    let mut next = four.clone();
                    next.place(answer, defender);
                    vec![next.fives(attacker).first().unwrap_or(first), answer, point]
                }
            };
        }
        Ok(Some(longest))
    }
}

/// Whether a stone leaves two winning points.
fn is_double(patterns: &Patterns, attacker: Player, point: Point) -> bool {
    let made = patterns.made_around(point, attacker);
    made.contains(&Made::OpenFour) || made.iter().filter(|&&m| m == Made::Four).count() > 1
}

/// The moves after which `attacker` has no winning point any more.
fn answers(patterns: &Patterns, attacker: Player) -> Vec<Point> {
    let fives = patterns.fives(attacker);
    if !patterns.is_spoilt_from_beside(attacker) {
        let open = |&point: &Point| fives.len() == 1 && !patterns.is_forbidden(point, attacker.other());
        return fives.iter().filter(open).collect();
    }
    let stops = |&point: &Point| {
        let mut next = patterns.clone();
        next.place(point, attacker.other());
        next.fives(attacker).is_empty()
    };
    patterns.empty_points().filter(stops).collect()
}

/// Whether `attacker`, who is to move, wins along this line of fours whatever the defender does: each attacking move leaves
/// the defender nothing but the answer in the line, and the last one wins.
///
/// A check of proofs that no search had a hand in, and of whether a proof still holds with a stone more on the board.
#[must_use]
pub fn wins_by(patterns: &Patterns, attacker: Player, line: &[Point]) -> bool {
    let defender = attacker.other();
    let mut now = patterns.clone();
    for pair in line.chunks(2) {
        let attack = pair[0];
        if !now.is_empty(attack) || now.is_forbidden(attack, attacker) {
            return false;
        }
        if now.fives(attacker).contains(attack) {
            return true;
        }
        now.place(attack, attacker);
        if !now.fives(defender).is_empty() {
            return false;
        }
        match (&answers(&now, attacker)[..], pair.get(1)) {
            ([], _) => return !now.fives(attacker).is_empty(),
            ([only], Some(answer)) if only == answer => now.place(*only, defender),
            _ => return false,
        }
    }
    false
}

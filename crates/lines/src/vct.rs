//! Victory by continuous threats: fours and open threes.

use std::collections::HashMap;
use std::hash::BuildHasherDefault;

use gamecore::{KeyHasher, Player};

use crate::board::stone_key;
use crate::patterns::Patterns;
use crate::point::{Direction, Point};
use crate::table::Made;
use crate::vcf::{Forced, OutOfNodes, Vcf};

/// Looks for a victory by continuous threats (VCT): every attacking move makes a four, or threatens to make an open four or two
/// fours at once.
///
/// Against a four there is one answer. Against a threat of fours the defender has a few points on which a stone could prevent
/// them, and fours of its own; all of these are tried, so a win that is found is one. Depth counts the attacker's threats and
/// grows; at its end a [`Vcf`] looks on. The line that is shown is a longest one: the defender holds out.
///
/// "No" means no VCT of so many threats with a VCF of the given limits after them. Where a stone beside a row can spoil it
/// ([`Row::Unclosed`](crate::Row::Unclosed)), and in renju, where a stone can change what is forbidden, the defences are not
/// known to be complete: there the answer is [`Forced::Unknown`] unless a VCF wins.
///
/// # Examples
/// ```
/// use gamecore::Player;
/// use lines::{Board, Forced, Goal, Patterns, Point, Vcf, Vct};
///
/// // Two open twos that cross: a double three wins, though nothing makes a four yet.
/// let mut board = Board::new(15).unwrap();
/// for (x, y) in [(5, 7), (6, 7), (7, 5), (7, 6)] {
///     board.place(Point::new(x, y).unwrap(), Player::One);
/// }
/// let patterns = Patterns::new(&board, [Goal::FIVE_OR_MORE; 2]);
/// assert_eq!(Vcf::default().win(&patterns, Player::One), Forced::No);
/// assert!(matches!(Vct::default().win(&patterns, Player::One), Forced::Win(_)));
/// ```
#[derive(Clone, Debug)]
pub struct Vct {
    threats: u8,
    node_limit: u64,
    nodes: u64,
    vcf: Vcf,
    /// By the key of the stones added: so many threats do not win.
    failed: HashMap<u64, u8, BuildHasherDefault<KeyHasher>>,
}

impl Default for Vct {
    /// Six threats and 20,000 nodes; a VCF of ten stones and 1000 nodes at the end of each line.
    fn default() -> Self {
        let vcf = Vcf::default().with_stones(10).with_nodes(1000);
        Self { threats: 6, node_limit: 20_000, nodes: 0, vcf, failed: HashMap::default() }
    }
}

impl Vct {
    /// At most so many threats before the VCF.
    #[must_use]
    pub fn with_threats(self, threats: u8) -> Self {
        Self { threats, ..self }
    }

    /// At most so many nodes in one call, those of the VCF not counted.
    #[must_use]
    pub fn with_nodes(self, nodes: u64) -> Self {
        Self { node_limit: nodes, ..self }
    }

    /// What looks on at the end of a line.
    #[must_use]
    pub fn with_vcf(self, vcf: Vcf) -> Self {
        Self { vcf, ..self }
    }

    /// Nodes of the last call: positions in which the attacker is to move.
    #[must_use]
    pub const fn nodes(&self) -> u64 {
        self.nodes
    }

    /// A win for `attacker`, who is to move, with as few threats as possible.
    pub fn win(&mut self, patterns: &Patterns, attacker: Player) -> Forced {
        self.nodes = 0;
        self.failed.clear();
        let complete = !patterns.is_renju() && !Player::BOTH.iter().any(|&p| patterns.is_spoilt_from_beside(p));
        for threats in 0..=if complete { self.threats } else { 0 } {
            match self.attack(patterns, 0, attacker, threats) {
                Ok(Some(mut line)) => {
                    line.reverse();
                    return Forced::Win(line);
                }
                Ok(None) => {}
                Err(OutOfNodes { .. }) => return Forced::Unknown,
            }
        }
        if complete { Forced::No } else { Forced::Unknown }
    }

    /// A win with at most so many threats of the attacker's, who is to move; last move first.
    fn attack(&mut self, patterns: &Patterns, key: u64, attacker: Player, threats: u8) -> Result<Option<Vec<Point>>, OutOfNodes> {
        self.nodes += 1;
        if self.nodes > self.node_limit {
            return Err(OutOfNodes { nodes: self.node_limit });
        }
        if self.failed.get(&key).is_some_and(|&failed| failed >= threats) {
            return Ok(None);
        }
        // A VCF that is not found within its limits is no loss: threats may find it.
        if let Forced::Win(mut line) = self.vcf.win(patterns, attacker) {
            line.reverse();
            return Ok(Some(line));
        }
        let defender = attacker.other();
        let fives = *patterns.fives(defender);
        if threats > 0 && fives.len() < 2 {
            // Whoever has to answer a four does so, and the threats of before stand.
            let moves = if fives.is_empty() { *patterns.threes(attacker) } else { fives };
            let mut moves: Vec<Point> = moves.iter().collect();
            // Fours first: they leave one answer.
            moves.sort_by_cached_key(|&p| core::cmp::Reverse(patterns.made_around(p, attacker).into_iter().max()));
            for point in moves {
                if let Some(line) = self.after(patterns, key, attacker, threats, point)? {
                    return Ok(Some(line));
                }
            }
        }
        self.failed.insert(key, threats);
        Ok(None)
    }

    /// The same, beginning with a threat on `point`.
    fn after(
        &mut self,
        patterns: &Patterns,
        key: u64,
        attacker: Player,
        threats: u8,
        point: Point,
    ) -> Result<Option<Vec<Point>>, OutOfNodes> {
        let defender = attacker.other();
        let mut threat = patterns.clone();
        threat.place(point, attacker);
        if !threat.fives(defender).is_empty() {
            return Ok(None);
        }
        let answers = match threat.fives(attacker).len() {
            0 if threat.double_fours(defender).next().is_some() => return Ok(None),
            0 => stops(&threat, attacker),
            _ => threat.fives(attacker).iter().collect(),
        };
        let mut longest: Vec<Point> = Vec::new();
        for &answer in &answers {
            let mut next = threat.clone();
            next.place(answer, defender);
            let added = stone_key(point, attacker) ^ stone_key(answer, defender);
            let Some(mut line) = self.attack(&next, key ^ added, attacker, threats - 1)? else { return Ok(None) };
            line.extend([answer, point]);
            if line.len() > longest.len() {
                longest = line;
            }
        }
        // Without an answer there was no threat.
        Ok(Some(longest).filter(|line| !line.is_empty()))
    }
}

/// Where a stone of the opponent's could stop `player` from making an open four, or two fours at once, and where the opponent
/// makes a four; empty if there is nothing to stop. A stone anywhere else leaves the threat standing.
///
/// Complete for [`Row::AtLeast`](crate::Row::AtLeast) and [`Row::Exactly`](crate::Row::Exactly).
#[must_use]
pub fn stops(patterns: &Patterns, player: Player) -> Vec<Point> {
    let mut list = Vec::new();
    for point in patterns.double_fours(player).filter(|&p| !patterns.is_forbidden(p, player)) {
        for direction in Direction::ALL {
            if patterns.made(point, direction, player) >= Made::Four {
                list.extend(patterns.defences(point, direction, player));
            }
        }
    }
    if !list.is_empty() {
        list.extend(patterns.fours(player.other()).iter());
        list.sort_unstable();
        list.dedup();
    }
    list
}

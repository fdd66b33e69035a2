//! The search itself: turns of the attacker's, and all answers to each.

use arrayvec::ArrayVec;
use core::cell::OnceCell;

use gamecore::Player;
use lines::{OutOfNodes, Point, Windows, stone_key};

use super::attacks::{Attack, Attacks, Candidate, Free};
use super::board::{ATTACKER, Board, DEFENDER, spots};
use super::{NEVER, Vcdt};
use crate::threats::{Missing, Threats, blocking_pairs, level, winning};

/// Stones of a line of play, last one first.
pub(super) type Backwards = Vec<Point>;

/// Whether there is a win; the last stone first.
type Found = Result<Option<Backwards>, OutOfNodes>;

/// One question, and what has been found out about it.
pub(super) struct Search<'a> {
    vcdt: &'a mut Vcdt,
    board: Board,
    /// The position at the root.
    windows: &'a Windows,
    attacker: Player,
    /// Whether all answers are given at once.
    conservative: bool,
    /// Asked at every node.
    go_on: &'a mut dyn FnMut() -> bool,
    /// Whether the depth limit has been felt.
    cut: bool,
    /// The attacks of all nodes on the way here.
    attacks: Vec<Attack>,
    /// Lent to [`Attacks`].
    candidates: Vec<Candidate>,
    /// By turns left, the attack that won last.
    last_won: Vec<Option<[Point; 2]>>,
    /// Points that looked good at the root, for stones that can go anywhere; the best first.
    best: OnceCell<Vec<Point>>,
}

/// As many stones as a defence may have: each pair that stops a double threat has one of the two points of the first row, and with
/// either of them go two others at most.
type Stones = ArrayVec<Point, 6>;

impl<'a> Search<'a> {
    pub(super) fn new(
        vcdt: &'a mut Vcdt,
        windows: &'a Windows,
        attacker: Player,
        conservative: bool,
        go_on: &'a mut dyn FnMut() -> bool,
    ) -> Self {
        vcdt.restart();
        let board = Board::new(windows, attacker);
        Self {
            vcdt,
            board,
            windows,
            attacker,
            conservative,
            go_on,
            cut: false,
            attacks: Vec::new(),
            candidates: Vec::new(),
            last_won: Vec::new(),
            best: OnceCell::new(),
        }
    }

    /// A shortest win for the attacker, who is to move with so many stones.
    pub(super) fn shortest(&mut self, left: u8) -> Result<Option<Vec<Point>>, OutOfNodes> {
        if self.windows.can_win(self.attacker, left) {
            self.enter()?;
            let now = winning(self.windows, self.attacker, left);
            let line = now.points.first().map(|&p| vec![p]).or_else(|| now.pairs.first().map(|pair| pair.to_vec()));
            return Ok(line.filter(|_| self.vcdt.turns > 0));
        }
        for turns in 2..=self.vcdt.turns {
            self.cut = false;
            let found = if left < 2 { self.attack_with_one(turns) } else { self.attack(0, turns) }?;
            if found.is_some() || !self.cut {
                return Ok(found.map(|line| self.shown(line, left.min(2).into())));
            }
        }
        Ok(None)
    }

    /// A shortest win that begins with this turn, which leaves the defender nothing to win with.
    pub(super) fn shortest_after(&mut self, stones: [Point; 2]) -> Result<Option<Vec<Point>>, OutOfNodes> {
        for turns in 2..=self.vcdt.turns {
            self.cut = false;
            let found = self.after(0, turns, &stones)?;
            if found.is_some() || !self.cut {
                return Ok(found.map(|line| self.shown(line, 2)));
            }
        }
        Ok(None)
    }

    /// Whether this turn, which leaves the defender nothing to win with, begins a win.
    pub(super) fn wins_with(&mut self, stones: [Point; 2]) -> Result<bool, OutOfNodes> {
        Ok(self.vcdt.turns > 1 && self.after(0, self.vcdt.turns, &stones)?.is_some())
    }

    /// Whether these turns of the attacker's win, one after the other, against a defender who has stones on all points that stop each
    /// of them; if so, the points that this rests on: one more stone of the defender's changes nothing elsewhere.
    pub(super) fn replay(&mut self, turns: &[[Point; 2]]) -> Option<Vec<Point>> {
        if !self.replayed(turns, &mut |_, _| {}) {
            return None;
        }
        let mut points = Vec::new();
        self.board.nearly_hot_everywhere(DEFENDER, &mut points);
        self.replayed(turns, &mut |board, stones| {
            points.extend(stones);
            stones.iter().for_each(|&p| board.nearly_hot(p, DEFENDER, &mut points));
        });
        points.sort_unstable();
        points.dedup();
        Some(points)
    }

    /// Whether these turns win; `visit` sees the stones of each turn and the points of the threats that it leaves, which the defender has then
    /// (but for the last).
    fn replayed(&mut self, turns: &[[Point; 2]], visit: &mut impl FnMut(&Board, &[Point])) -> bool {
        let root = self.board.stones();
        let mut won = false;
        for turn in turns {
            if !turn.iter().all(|&p| self.board.is_empty(p)) {
                break;
            }
            self.board.place(turn, ATTACKER);
            let rows = self.board.threats(ATTACKER);
            let level = level(&rows);
            if level < 2 || self.board.threatens(DEFENDER) {
                break;
            }
            visit(&self.board, turn);
            rows.iter().for_each(|row| visit(&self.board, row.points()));
            if level > 2 {
                won = true;
                break;
            }
            let answer = together(&blocking_pairs(&rows));
            self.board.place(&answer, DEFENDER);
            if answer.iter().any(|&p| self.board.has_row(p, DEFENDER)) {
                break;
            }
            visit(&self.board, &answer);
        }
        self.board.undo(self.board.stones() - root);
        won
    }

    /// All turns that make double threats, in ascending order.
    pub(super) fn all_attacks(&mut self) -> Vec<[Point; 2]> {
        let attacks = Attacks::of(&self.board, &mut self.candidates).map(|attacks| attacks.all()).unwrap_or_default();
        let mut all: Vec<[Point; 2]> = attacks.iter().map(|attack| attack.stones).collect();
        all.sort_unstable();
        all
    }

    /// Counts a node.
    fn enter(&mut self) -> Result<(), OutOfNodes> {
        self.vcdt.nodes += 1;
        if self.vcdt.nodes > self.vcdt.node_limit || !(self.go_on)() {
            return Err(OutOfNodes { nodes: self.vcdt.node_limit });
        }
        Ok(())
    }

    /// A win in at most so many turns, at least two, of the attacker's, who is to move with two stones and cannot win at once.
    fn attack(&mut self, key: u64, turns: u8) -> Found {
        self.enter()?;
        if let Some(&failed) = self.vcdt.failed.get(&key)
            && failed >= turns
        {
            self.cut |= failed != NEVER;
            return Ok(None);
        }
        let cut_before = core::mem::replace(&mut self.cut, false);
        let found = if turns == 2 { self.last_but_one() } else { self.try_all(key, turns)? };
        if found.is_none() {
            self.vcdt.failed.insert(key, if self.cut { turns } else { NEVER });
        }
        self.cut |= cut_before;
        Ok(found)
    }

    /// A win by a turn that leaves more threats than can be stopped.
    fn last_but_one(&mut self) -> Option<Backwards> {
        let attacks = Attacks::of(&self.board, &mut self.candidates)?;
        // Others could be stopped, and these are the last two turns.
        self.cut |= attacks.may_exist();
        let triple = attacks.triple(&Free::One(|a| free(&self.best, self.windows, &self.board, self.attacker, a)))?;
        Some(self.won_with(&triple.stones))
    }

    fn try_all(&mut self, key: u64, turns: u8) -> Found {
        let from = self.attacks.len();
        let triple = Attacks::of(&self.board, &mut self.candidates).and_then(|attacks| {
            let free = Free::One(|a| free(&self.best, self.windows, &self.board, self.attacker, a));
            attacks.list(&free, &mut self.attacks)
        });
        let mut found = triple.map(|attack| self.won_with(&attack.stones));
        if found.is_none() {
            // What won last with so many turns first: against another answer to the same attack it often wins too.
            let last = self.last_won.get(usize::from(turns)).copied().flatten();
            self.attacks[from..]
                .sort_unstable_by_key(|attack| (Some(attack.stones) != last, attack.effect.answers, attack.stones));
            for i in from..self.attacks.len() {
                let stones = self.attacks[i].stones;
                found = self.after(key, turns, &stones)?;
                if found.is_some() {
                    self.last_won.resize(self.last_won.len().max(usize::from(turns) + 1), None);
                    self.last_won[usize::from(turns)] = Some(stones);
                    break;
                }
            }
        }
        self.attacks.truncate(from);
        Ok(found)
    }

    /// The line of a turn that leaves more threats than can be stopped.
    fn won_with(&mut self, stones: &[Point]) -> Backwards {
        self.board.place(stones, ATTACKER);
        let line = helpless(&self.board.threats(ATTACKER), stones);
        self.board.undo(stones.len());
        line
    }

    /// The same as [`attack`](Self::attack) with one stone.
    fn attack_with_one(&mut self, turns: u8) -> Found {
        self.enter()?;
        let enemy = Threats::of(self.windows, self.attacker.other());
        let points: Vec<Point> = self.windows.empty_points().filter(|&p| enemy.are_stopped_by(&[p])).collect();
        let mut attacks: Vec<([Point; 1], u8)> = Vec::new();
        let old = level(&self.board.threats(ATTACKER));
        for point in points {
            // Elsewhere the threats remain as they are.
            let matters = spots(point).iter().any(|spot| {
                let line = self.board.line(spot.line);
                (line.threes | self.board.hot(spot.line, ATTACKER)) & self.board.through(spot.at) != 0
            });
            let mut level_now = old;
            if matters {
                self.board.place(&[point], ATTACKER);
                level_now = level(&self.board.threats(ATTACKER));
                self.board.undo(1);
            }
            if level_now >= 2 {
                attacks.push(([point], level_now));
            }
        }
        // Those that win first.
        attacks.sort_by_key(|attack| core::cmp::Reverse(attack.1));
        for (stones, _) in attacks {
            if let Some(line) = self.after(0, turns, &stones)? {
                return Ok(Some(line));
            }
        }
        Ok(None)
    }

    /// A win in at most so many turns, at least two, beginning with one that leaves the defender nothing to win with.
    fn after(&mut self, key: u64, turns: u8, stones: &[Point]) -> Found {
        self.board.place(stones, ATTACKER);
        let rows = self.board.threats(ATTACKER);
        let found = match level(&rows) {
            3.. => Ok(Some(helpless(&rows, stones))),
            2 if turns > 2 => {
                let key = stones.iter().fold(key, |key, &p| key ^ stone_key(p, self.attacker));
                self.answered(key, turns, stones, &blocking_pairs(&rows))
            }
            2 => {
                self.cut = true;
                Ok(None)
            }
            _ => Ok(None),
        };
        self.board.undo(stones.len());
        found
    }

    /// Whether all answers lose; the longest line is shown.
    fn answered(&mut self, key: u64, turns: u8, stones: &[Point], pairs: &[[Point; 2]]) -> Found {
        let mut longest = Backwards::new();
        let all: ArrayVec<Stones, 4> = if self.conservative {
            [together(pairs)].into_iter().collect()
        } else {
            pairs.iter().map(|&pair| pair.into_iter().collect()).collect()
        };
        for (answer, &[a, b]) in all.iter().zip(pairs) {
            self.board.place(answer, DEFENDER);
            // Stones that are not all on the board could hide a threat by completing it.
            let lost = self.conservative && answer.iter().any(|&p| self.board.has_row(p, DEFENDER));
            let key = answer.iter().fold(key, |key, &p| key ^ stone_key(p, self.attacker.other()));
            let found = if lost { Ok(None) } else { self.attack(key, turns - 1) };
            self.board.undo(answer.len());
            let Some(mut line) = found? else { return Ok(None) };
            line.extend([b, a]);
            line.extend(stones.iter().rev());
            if line.len() > longest.len() {
                longest = line;
            }
        }
        Ok(Some(longest))
    }

    /// A line that was found, in order. Where the defender had more stones than two in a turn, it is played again with two: its
    /// threats are no fewer then, the defender's no more, and an answer to them is one of those that were given at once.
    fn shown(&mut self, mut line: Backwards, left: usize) -> Vec<Point> {
        line.reverse();
        if !self.conservative {
            return line;
        }
        if left == 2 {
            self.vcdt.plan = line.chunks(4).filter_map(|part| Some([*part.first()?, *part.get(1)?])).collect();
        }
        let (mut played, mut at, mut stones) = (Vec::new(), 0, left);
        let root = self.board.stones();
        while let Some(turn) = line.get(at..at + stones) {
            self.board.place(turn, ATTACKER);
            played.extend(turn);
            let rows = self.board.threats(ATTACKER);
            match (level(&rows), blocking_pairs(&rows).first()) {
                (2, Some(pair)) => {
                    self.board.place(pair, DEFENDER);
                    played.extend(pair);
                }
                _ => {
                    played.extend(helpless(&rows, &[]).iter().rev());
                    break;
                }
            }
            (at, stones) = (at + stones + 2, 2);
        }
        self.board.undo(self.board.stones() - root);
        played
    }
}

/// So many points that look good are listed for stones that can go anywhere: usually one of them is still empty.
const GOOD: usize = 24;

/// A point for a stone that can go anywhere but on `a`.
fn free(best: &OnceCell<Vec<Point>>, windows: &Windows, board: &Board, attacker: Player, a: Point) -> Option<Point> {
    let good = || windows.best_points(attacker, GOOD, |own, other| u32::from(own) + u32::from(other)).collect();
    let fits = |&b: &Point| b != a && board.is_empty(b);
    best.get_or_init(good).iter().copied().find(fits).or_else(|| board.empty_points().find(fits))
}

/// The end of a line after these stones, which leave threats that cannot be stopped: two are, and another wins.
fn helpless(rows: &[Missing], stones: &[Point]) -> Backwards {
    let mut line = Backwards::new();
    let answer = rows.first().map(|row| row.points()[0]);
    let other = rows.iter().find(|row| !answer.is_some_and(|a| row.contains(a))).map(|row| row.points()[0]);
    let left = rows.iter().filter(|row| ![answer, other].into_iter().flatten().any(|p| row.contains(p)));
    if let Some(row) = left.min_by_key(|row| row.points().len()) {
        line.extend(row.points().iter().rev());
    }
    line.extend(other.into_iter().chain(answer));
    line.extend(stones.iter().rev());
    line
}

/// All points of these pairs.
fn together(pairs: &[[Point; 2]]) -> Stones {
    let mut all = Stones::new();
    for &point in pairs.iter().flatten() {
        if !all.contains(&point) {
            all.push(point);
        }
    }
    all
}

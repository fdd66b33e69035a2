//! Victory by continuous double threats.

use std::collections::HashMap;
use std::hash::BuildHasherDefault;

use gamecore::{KeyHasher, Player};
use lines::{Forced, OutOfNodes, Point, Windows, stone_key};

use crate::threats::{Missing, Threats, level, winning};

/// Looks for a victory by continuous double threats (VCDT): after every turn of the attacker's the defender needs both stones to
/// stop the rows that lack two stones or one, until two are not enough.
///
/// All pairs of points on which the defender can stop them are tried; anything else loses at once, and so does a turn of the
/// attacker's that leaves the defender a row to complete. Therefore a win that is found is one. Depth counts the attacker's
/// turns, the winning one included, and grows: the first win found is a shortest one.
///
/// "No" means that there is no such win of so many turns. In turns before the last but one, both stones take part: each in a threat,
/// or one makes two threats and the other stops the defender's. (A free second stone can be of use only later on; all points would
/// have to be tried for it.) The last but one, which leaves more threats than can be stopped, is complete.
///
/// For games with two stones a turn. Threat-based search in Connect6 is due to Wu and Huang (*A new family of k-in-a-row games*,
/// 2005).
///
/// # Examples
/// ```
/// use games_connect6::{Connect6, Forced, Vcdt};
///
/// // Two open rows of three that cross, and two stones to put.
/// let rows = "19/19/19/19/19/9x9/9x9/9x9/19/5xxx11/19/19/19/19/19/19/19/19/19";
/// let game: Connect6 = format!("{rows} one 2").parse()?;
/// let mut vcdt = Vcdt::default();
/// let Forced::Win(line) = vcdt.win(&game.windows(), game.mover(), game.left()) else { panic!() };
/// assert_eq!(line.len(), 6); // two stones that leave three threats, two that stop two of them, two that win
/// # Ok::<(), gamecore::TextError>(())
/// ```
#[derive(Clone, Debug)]
pub struct Vcdt {
    turns: u8,
    node_limit: u64,
    nodes: u64,
    /// By the key of the stones added: so many turns of the attacker's do not win.
    failed: HashMap<u64, u8, BuildHasherDefault<KeyHasher>>,
    /// Whether the depth limit has been felt.
    cut: bool,
}

/// More turns than there are.
const NEVER: u8 = u8::MAX;

/// Stones of a line of play, last one first.
type Backwards = Vec<Point>;

/// Asked at every node.
type GoOn<'a> = &'a mut dyn FnMut() -> bool;

impl Default for Vcdt {
    /// Eight turns and 20,000 nodes.
    fn default() -> Self {
        Self { turns: 8, node_limit: 20_000, nodes: 0, failed: HashMap::default(), cut: false }
    }
}

/// A turn of the attacker's and what it threatens.
struct Attack {
    stones: [Point; 2],
    /// See [`Threats::level`]; 2 or 3.
    level: u8,
}

impl Vcdt {
    /// At most so many turns of the attacker's, the winning one included.
    #[must_use]
    pub fn with_turns(self, turns: u8) -> Self {
        Self { turns: turns.min(NEVER - 1), ..self }
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

    /// A shortest win for `attacker`, who is to move and has `left` stones, 1 or 2, in this turn. The line has the stones in order:
    /// those of this turn, two of the defender's, two of the attacker's, and so on; it ends with the stone that wins. Of several
    /// defences it shows one that holds out longest.
    pub fn win(&mut self, windows: &Windows, attacker: Player, left: u8) -> Forced {
        self.win_while(windows, attacker, left, || true)
    }

    /// [`win`](Self::win) that asks at every node whether to go on: for who has other limits than nodes, a clock or a flag. Told not
    /// to, the answer is [`Forced::Unknown`].
    pub fn win_while(&mut self, windows: &Windows, attacker: Player, left: u8, mut go_on: impl FnMut() -> bool) -> Forced {
        self.restart();
        match self.shortest(windows, attacker, left, &mut go_on) {
            Ok(Some(mut line)) => {
                line.reverse();
                Forced::Win(line)
            }
            Ok(None) => Forced::No,
            Err(OutOfNodes { .. }) => Forced::Unknown,
        }
    }

    /// Whether the turn of these two stones, by `attacker`, who cannot win at once, begins a win: to see whether what won in one
    /// position also does in another like it. Out of nodes is no.
    pub fn wins_with(&mut self, windows: &Windows, attacker: Player, stones: [Point; 2]) -> bool {
        self.wins_with_while(windows, attacker, stones, || true)
    }

    /// [`wins_with`](Self::wins_with) that asks at every node whether to go on, as [`win_while`](Self::win_while).
    pub fn wins_with_while(
        &mut self,
        windows: &Windows,
        attacker: Player,
        stones: [Point; 2],
        mut go_on: impl FnMut() -> bool,
    ) -> bool {
        self.restart();
        let fits = stones[0] != stones[1] && stones.iter().all(|&p| windows.is_empty(p));
        if !fits || !Threats::of(windows, attacker.other()).are_stopped_by(&stones) {
            return false;
        }
        for turns in 2..=self.turns {
            self.cut = false;
            match self.after(windows, 0, attacker, turns, &stones, &mut go_on) {
                Ok(None) if self.cut => {}
                Ok(found) => return found.is_some(),
                Err(OutOfNodes { .. }) => return false,
            }
        }
        false
    }

    /// Every turn of two stones that wins, but not at once: each in ascending order, with a shortest line that begins so. Empty if
    /// `attacker` can win at once ([`winning`]). Where one stone does it all, every point is a second one.
    ///
    /// # Errors
    /// If the limit of nodes is reached.
    pub fn wins(&mut self, windows: &Windows, attacker: Player) -> Result<Vec<Vec<Point>>, OutOfNodes> {
        self.restart();
        let mut lines = Vec::new();
        if windows.can_win(attacker, 2) {
            return Ok(lines);
        }
        for attack in attacks(windows, attacker, 2, true) {
            for turns in 2..=self.turns {
                self.cut = false;
                if let Some(mut line) = self.after(windows, 0, attacker, turns, &attack.stones, &mut || true)? {
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

    /// What `defender`, who is to move with `left` stones, can do if the opponent threatens to win by [`win`](Self::win):
    /// every turn after which there is no such win, each in ascending order. `None` if nothing is threatened. Turns that win at once
    /// are not looked for ([`winning`]).
    ///
    /// Complete for the wins that this search knows: whoever plays another turn loses by one of them.
    ///
    /// # Errors
    /// If the limit of nodes, for one turn, is reached.
    pub fn defences(&mut self, windows: &Windows, defender: Player, left: u8) -> Result<Option<Vec<Vec<Point>>>, OutOfNodes> {
        let attacker = defender.other();
        self.restart();
        let Some(line) = self.shortest(windows, attacker, 2, &mut || true)? else { return Ok(None) };
        // Most turns do not touch a win that is known.
        let mut known = Vec::new();
        if let [.., b, a] = *line {
            known.push([a, b]);
        }
        let threats = Threats::of(windows, attacker);
        let points: Vec<Point> = windows.empty_points().collect();
        let mut found = Vec::new();
        for (i, &a) in points.iter().enumerate() {
            let mut first = windows.clone();
            first.place(a, defender);
            if left < 2 || points.len() == 1 {
                if threats.are_stopped_by(&[a]) && self.holds(&first, attacker, &mut known)? {
                    found.push(vec![a]);
                }
                continue;
            }
            for &b in points[i + 1..].iter().filter(|&&b| threats.are_stopped_by(&[a, b])) {
                let mut second = first.clone();
                second.place(b, defender);
                if self.holds(&second, attacker, &mut known)? {
                    found.push(vec![a, b]);
                }
            }
        }
        Ok(Some(found))
    }

    /// Whether the attacker, to move, has no win. Tries the first turns of `known` wins before others, and adds to them.
    fn holds(&mut self, windows: &Windows, attacker: Player, known: &mut Vec<[Point; 2]>) -> Result<bool, OutOfNodes> {
        self.restart();
        if windows.can_win(attacker, 2) {
            return Ok(false);
        }
        let enemy = Threats::of(windows, attacker.other());
        for stones in known.iter().filter(|stones| stones.iter().all(|&p| windows.is_empty(p)) && enemy.are_stopped_by(*stones)) {
            if self.after(windows, 0, attacker, self.turns, stones, &mut || true)?.is_some() {
                return Ok(false);
            }
        }
        let found = self.shortest(windows, attacker, 2, &mut || true)?;
        if let Some([.., b, a]) = found.as_deref() {
            known.push([*a, *b]);
        }
        Ok(found.is_none())
    }

    fn restart(&mut self) {
        self.nodes = 0;
        self.failed.clear();
    }

    fn shortest(
        &mut self,
        windows: &Windows,
        attacker: Player,
        left: u8,
        go_on: GoOn<'_>,
    ) -> Result<Option<Backwards>, OutOfNodes> {
        for turns in 1..=self.turns {
            self.cut = false;
            let found = self.attack(windows, 0, attacker, left, turns, go_on)?;
            if found.is_some() || !self.cut {
                return Ok(found);
            }
        }
        Ok(None)
    }

    /// A win in at most so many turns of the attacker's, who is to move.
    fn attack(
        &mut self,
        windows: &Windows,
        key: u64,
        attacker: Player,
        left: u8,
        turns: u8,
        go_on: GoOn<'_>,
    ) -> Result<Option<Backwards>, OutOfNodes> {
        self.nodes += 1;
        if self.nodes > self.node_limit || !go_on() {
            return Err(OutOfNodes { nodes: self.node_limit });
        }
        if windows.can_win(attacker, left) {
            let now = winning(windows, attacker, left);
            let line = now.points.first().map(|&p| vec![p]).or_else(|| now.pairs.first().map(|&[a, b]| vec![b, a]));
            return Ok(line.filter(|_| turns > 0));
        }
        if turns < 2 {
            self.cut = true;
            return Ok(None);
        }
        if let Some(&failed) = self.failed.get(&key)
            && failed >= turns
        {
            self.cut |= failed != NEVER;
            return Ok(None);
        }
        let cut_before = core::mem::replace(&mut self.cut, false);
        let mut list = attacks(windows, attacker, left, false);
        // Those that win first.
        list.sort_by_key(|attack| core::cmp::Reverse(attack.level));
        for attack in list {
            if turns == 2 && attack.level < 3 {
                // It could all be stopped, and these are the last two turns.
                self.cut = true;
                break;
            }
            let stones = &attack.stones[..usize::from(left.min(2))];
            if let Some(line) = self.after(windows, key, attacker, turns, stones, go_on)? {
                return Ok(Some(line));
            }
        }
        self.failed.insert(key, if self.cut { turns } else { NEVER });
        self.cut |= cut_before;
        Ok(None)
    }

    /// The same, beginning with a turn that leaves the defender nothing to win with.
    fn after(
        &mut self,
        windows: &Windows,
        key: u64,
        attacker: Player,
        turns: u8,
        stones: &[Point],
        go_on: GoOn<'_>,
    ) -> Result<Option<Backwards>, OutOfNodes> {
        let defender = attacker.other();
        let (mut now, mut key) = (windows.clone(), key);
        for &stone in stones {
            now.place(stone, attacker);
            key ^= stone_key(stone, attacker);
        }
        let threats = Threats::of(&now, attacker);
        let answers = match threats.level() {
            3.. => helpless(&threats),
            2 if turns > 2 => threats.blocking_pairs(),
            2 => {
                self.cut = true;
                return Ok(None);
            }
            _ => return Ok(None),
        };
        // All answers have to lose; the longest line is shown.
        let mut longest: Backwards = Vec::new();
        for [a, b] in answers {
            let mut next = now.clone();
            next.place(a, defender);
            next.place(b, defender);
            let added = stone_key(a, defender) ^ stone_key(b, defender);
            match self.attack(&next, key ^ added, attacker, 2, turns - 1, go_on)? {
                None => return Ok(None),
                Some(mut line) => {
                    line.extend([b, a]);
                    line.extend(stones.iter().rev());
                    if line.len() > longest.len() {
                        longest = line;
                    }
                }
            }
        }
        Ok(Some(longest))
    }
}

/// An answer to threats that cannot be stopped: one that stops two of them.
fn helpless(threats: &Threats) -> Vec<[Point; 2]> {
    let Some(a) = threats.rows().first().map(|row| row.points()[0]) else { return Vec::new() };
    let other = threats.rows().iter().find(|row| !row.contains(a)).map(|row| row.points()[0]);
    other.map(|b| [a, b]).into_iter().collect()
}

/// What a seat's own rows lack that lack three stones or four, listed by point.
struct Rows {
    /// Three missing points each.
    threes: Vec<[Point; 3]>,
    /// By the first point, then the number of the row of three.
    at: Vec<(Point, usize)>,
    /// Pairs that complete four of six on one row, and what that row then lacks; sorted.
    pairs: Vec<([Point; 2], Missing)>,
}

impl Rows {
    fn of(windows: &Windows, player: Player) -> Self {
        let mut rows = Self { threes: Vec::new(), at: Vec::new(), pairs: Vec::new() };
        let points =
            |lacks: u8| windows.length().checked_sub(lacks).into_iter().flat_map(move |n| windows.with_stones(player, n));
        for window in points(3) {
            let mut missing = window.missing();
            if let (Some(a), Some(b), Some(c)) = (missing.next(), missing.next(), missing.next()) {
                rows.at.extend([a, b, c].map(|p| (p, rows.threes.len())));
                rows.threes.push([a, b, c]);
            }
        }
        rows.at.sort_unstable();
        for window in points(4) {
            let mut missing = window.missing();
            if let (Some(a), Some(b), Some(c), Some(d)) = (missing.next(), missing.next(), missing.next(), missing.next()) {
                for (pair, rest) in
                    [([a, b], [c, d]), ([a, c], [b, d]), ([a, d], [b, c]), ([b, c], [a, d]), ([b, d], [a, c]), ([c, d], [a, b])]
                {
                    rows.pairs.push((ascending(pair), Missing::two(rest[0], rest[1])));
                }
            }
        }
        // As numbers: twice as fast as point by point.
        let number = |&([a, b], rest): &([Point; 2], Missing)| {
            let (c, d) = (rest.points()[0], rest.points()[1]);
            [a, b, c, d].iter().fold(0u64, |all, p| all << 16 | p.index() as u64)
        };
        rows.pairs.sort_unstable_by_key(number);
        rows
    }

    /// The points of rows that lack three, each once.
    fn points(&self) -> Vec<Point> {
        let mut points: Vec<Point> = self.at.iter().map(|at| at.0).collect();
        points.dedup();
        points
    }

    fn threes_at(&self, point: Point) -> impl Iterator<Item = &[Point; 3]> {
        let start = self.at.partition_point(|at| at.0 < point);
        self.at[start..].iter().take_while(move |at| at.0 == point).map(|at| &self.threes[at.1])
    }

    /// Adds what the rows of three lack after stones on `a` and perhaps `b`.
    fn threats_of(&self, a: Point, b: Option<Point>, out: &mut Vec<Missing>) {
        let others = |row: &[Point; 3]| {
            let mut left = row.iter().copied().filter(|&p| p != a && Some(p) != b);
            match (left.next(), left.next()) {
                (Some(p), Some(q)) => Some(Missing::two(p, q)),
                (Some(p), None) => Some(Missing::one(p)),
                (None, _) => None,
            }
        };
        out.extend(self.threes_at(a).filter_map(others));
        if let Some(b) = b {
            out.extend(self.threes_at(b).filter(|row| !row.contains(&a)).filter_map(others));
        }
    }
}

fn ascending([a, b]: [Point; 2]) -> [Point; 2] {
    if a < b { [a, b] } else { [b, a] }
}

/// The turns after which the defender, who has then no row to complete, needs two stones or more; the attacker, who cannot win
/// at once, has `left`. With `all`, where one stone makes those threats, every other point is a second one.
fn attacks(windows: &Windows, attacker: Player, left: u8, all: bool) -> Vec<Attack> {
    let enemy = Threats::of(windows, attacker.other());
    let rows = Rows::of(windows, attacker);
    let (mut list, mut sets) = (Vec::new(), Vec::new());
    if left < 2 {
        // What is there already, and lacks two.
        let old = Threats::of(windows, attacker);
        for point in windows.empty_points().filter(|&p| enemy.are_stopped_by(&[p])) {
            sets.clear();
            for row in old.rows() {
                let mut rest = row.points().iter().filter(|&&p| p != point);
                match (rest.next(), rest.next()) {
                    (Some(&a), Some(&b)) => sets.push(Missing::two(a, b)),
                    (Some(&a), None) => sets.push(Missing::one(a)),
                    (None, _) => {}
                }
            }
            rows.threats_of(point, None, &mut sets);
            let level = level(&sets);
            if level >= 2 {
                list.push(Attack { stones: [point; 2], level });
            }
        }
        return list;
    }
    if enemy.level() > 2 {
        return list;
    }
    let points = rows.points();
    let mut consider = |stones: [Point; 2], at: usize, sets: &mut Vec<Missing>| -> usize {
        let end = at + rows.pairs[at..].iter().take_while(|pair| pair.0 == stones).count();
        if enemy.are_stopped_by(&stones) {
            sets.clear();
            sets.extend(rows.pairs[at..end].iter().map(|pair| pair.1));
            rows.threats_of(stones[0], Some(stones[1]), sets);
            let level = level(sets);
            if level >= 2 {
                list.push(Attack { stones, level });
            }
        }
        end
    };
    // Both on one row; and two rows of three.
    let mut at = 0;
    while at < rows.pairs.len() {
        at = consider(rows.pairs[at].0, at, &mut sets);
    }
    for (i, &a) in points.iter().enumerate() {
        for &b in &points[i + 1..] {
            if rows.pairs.binary_search_by_key(&[a, b], |pair| pair.0).is_err() {
                consider([a, b], rows.pairs.len(), &mut sets);
            }
        }
    }
    // One that makes them alone.
    let mut alone = Vec::new();
    for &a in &points {
        sets.clear();
        rows.threats_of(a, None, &mut sets);
        let level = level(&sets);
        if level < 2 {
            continue;
        }
        if all {
            alone.extend(windows.empty_points().filter(|&b| b != a).map(|b| (ascending([a, b]), level)));
        } else {
            // The other stops the defender's rows; without any, it goes where it looks best.
            let blocks = if enemy.rows().is_empty() {
                let weight = |p: &Point| windows.weight(attacker, *p).saturating_add(windows.weight(attacker.other(), *p));
                windows.empty_points().filter(|&b| b != a).max_by_key(weight).into_iter().collect()
            } else {
                enemy.rows()[0].points().to_vec()
            };
            alone.extend(blocks.into_iter().filter(|&b| b != a).map(|b| (ascending([a, b]), level)));
        }
    }
    for (stones, level) in alone {
        if enemy.are_stopped_by(&stones) {
            list.push(Attack { stones, level });
        }
    }
    // A second stone can spoil nothing of what the first makes, but may add to it: the higher level counts.
    list.sort_unstable_by_key(|attack| (attack.stones, core::cmp::Reverse(attack.level)));
    list.dedup_by_key(|attack| attack.stones);
    list
}

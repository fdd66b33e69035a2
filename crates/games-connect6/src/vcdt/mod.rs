//! Victory by continuous double threats.

use std::collections::HashMap;
use std::hash::BuildHasherDefault;

use gamecore::{KeyHasher, Player};
use lines::{Forced, OutOfNodes, Point, Windows};

use crate::threats::Threats;

mod attacks;
mod board;
mod search;

use search::Search;

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
/// The [conservative defence](Self::with_conservative_defence) is a quicker search that finds less.
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
    conservative: bool,
    nodes: u64,
    /// See [`Vcdt::plan`].
    plan: Vec<[Point; 2]>,
    /// By the key of the stones added: so many turns of the attacker's do not win.
    failed: HashMap<u64, u8, BuildHasherDefault<KeyHasher>>,
}

/// More turns than there are.
const NEVER: u8 = u8::MAX;

impl Default for Vcdt {
    /// Eight turns and 20,000 nodes, every answer by itself.
    fn default() -> Self {
        Self { turns: 8, node_limit: 20_000, conservative: false, nodes: 0, plan: Vec::new(), failed: HashMap::default() }
    }
}

impl Vcdt {
    /// At most so many turns of the attacker's, the winning one included.
    #[must_use]
    pub fn with_turns(self, turns: u8) -> Self {
        Self { turns: turns.min(NEVER - 1), ..self }
    }

    /// At most so many nodes in one call: positions in which the attacker is to move, and cannot yet win at once.
    #[must_use]
    pub fn with_nodes(self, nodes: u64) -> Self {
        Self { node_limit: nodes, ..self }
    }

    /// With the conservative defence: instead of trying each pair of points that stops a double threat, the defender has stones on
    /// all points of all such pairs at once. One position follows from each attack then, not up to four.
    ///
    /// More stones never help the attacker, so a win that is found is one; "no" means less, and the win may not be a shortest one.
    /// The line has one pair for each answer: of those that stop what there is to stop, the first. For [`win`](Self::win) and
    /// [`wins_with`](Self::wins_with); [`wins`](Self::wins) and [`defences`](Self::defences), which promise complete lists,
    /// try every answer by itself.
    ///
    /// From Allis, van den Herik and Huntjens (*Go-Moku and threat-space search*, 1994), who let the defender play all answers to
    /// a threat.
    #[must_use]
    pub fn with_conservative_defence(self, conservative: bool) -> Self {
        Self { conservative, ..self }
    }

    /// Nodes of the last call.
    #[must_use]
    pub const fn nodes(&self) -> u64 {
        self.nodes
    }

    /// The attacker's turns, in order, of the last win that was found against the [conservative
    /// defence](Self::with_conservative_defence) by a whole turn of two stones; otherwise none. There may be more of them than in the line, in
    /// which the defender has fewer stones.
    #[must_use]
    pub fn plan(&self) -> &[[Point; 2]] {
        &self.plan
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
        if !self.may_win(windows, attacker, left) {
            self.restart();
            return Forced::No;
        }
        let conservative = self.conservative;
        match Search::new(self, windows, attacker, conservative, &mut go_on).shortest(left) {
            Ok(Some(line)) => Forced::Win(line),
            Ok(None) => Forced::No,
            Err(OutOfNodes { .. }) => Forced::Unknown,
        }
    }

    /// Whether the turn of these two stones, by `attacker`, begins a win: to see whether what won in one position also does in
    /// another like it. No if `attacker` can win at once, and if nodes run out.
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
        if windows.can_win(attacker, 2) || !can_follow(windows, attacker, stones) {
            self.restart();
            return false;
        }
        let conservative = self.conservative;
        let mut search = Search::new(self, windows, attacker, conservative, &mut go_on);
        matches!(search.shortest_after(stones), Ok(Some(_)))
    }

    /// [Turns](Self::plan) that won elsewhere, one after the other, tried here against the [conservative
    /// defence](Self::with_conservative_defence), for `attacker` who begins a turn: the number of the first of `plans` that wins, and
    /// the points that this rests on, in ascending order. None if `attacker` can win at once.
    ///
    /// With one more stone of the defender's anywhere else the same turns win, too.
    ///
    /// # Examples
    /// ```
    /// use games_connect6::{Connect6, Forced, Point, Vcdt};
    ///
    /// let rows = "19/19/19/19/19/9x9/9x9/9x9/19/5xxx11/19/19/19/19/19/19/19/19/19";
    /// let game: Connect6 = format!("{rows} one 2").parse()?;
    /// let mut windows = game.windows();
    /// let mut vcdt = Vcdt::default().with_conservative_defence(true);
    /// assert!(matches!(vcdt.win(&windows, game.mover(), 2), Forced::Win(_)));
    /// let (_, points) = Vcdt::replay(&windows, game.mover(), [vcdt.plan()]).expect("it wins here");
    /// // A stone far away changes nothing; one where the attacker has to play does.
    /// windows.place(Point::new(0, 0).unwrap(), game.mover().other());
    /// assert!(Vcdt::replay(&windows, game.mover(), [vcdt.plan()]).is_some());
    /// let first = vcdt.plan()[0][0];
    /// assert!(points.contains(&first));
    /// windows.place(first, game.mover().other());
    /// assert!(Vcdt::replay(&windows, game.mover(), [vcdt.plan()]).is_none());
    /// # Ok::<(), gamecore::TextError>(())
    /// ```
    pub fn replay<'a>(
        windows: &Windows,
        attacker: Player,
        plans: impl IntoIterator<Item = &'a [[Point; 2]]>,
    ) -> Option<(usize, Vec<Point>)> {
        if windows.can_win(attacker, 2) {
            return None;
        }
        let (mut go_on, mut vcdt) = (|| true, Self::default());
        let mut search = Search::new(&mut vcdt, windows, attacker, true, &mut go_on);
        plans.into_iter().enumerate().find_map(|(i, turns)| Some((i, search.replay(turns)?)))
    }

    /// Every turn of two stones that wins, but not at once: each in ascending order, with a shortest line that begins so. Empty if
    /// `attacker` can win at once ([`winning`](crate::winning)). Where one stone does it all, every point is a second one.
    ///
    /// # Errors
    /// If the limit of nodes is reached.
    pub fn wins(&mut self, windows: &Windows, attacker: Player) -> Result<Vec<Vec<Point>>, OutOfNodes> {
        let mut go_on = || true;
        let mut search = Search::new(self, windows, attacker, false, &mut go_on);
        if windows.can_win(attacker, 2) {
            return Ok(Vec::new());
        }
        let mut lines = Vec::new();
        for stones in search.all_attacks() {
            lines.extend(search.shortest_after(stones)?);
        }
        Ok(lines)
    }

    /// What `defender`, who is to move with `left` stones, can do if the opponent threatens to win by [`win`](Self::win):
    /// every turn after which no such win is found, each in ascending order. `None` if nothing is threatened. Turns that win at once
    /// are not looked for ([`winning`](crate::winning)).
    ///
    /// Complete for the wins that this search knows: whoever plays another turn loses by one of them.
    ///
    /// # Errors
    /// If the limit of nodes, for one turn, is reached.
    pub fn defences(&mut self, windows: &Windows, defender: Player, left: u8) -> Result<Option<Vec<Vec<Point>>>, OutOfNodes> {
        let attacker = defender.other();
        let mut go_on = || true;
        let Some(line) = Search::new(self, windows, attacker, false, &mut go_on).shortest(2)? else { return Ok(None) };
        // Most turns do not touch a win that is known.
        let mut known = Vec::new();
        if let [a, b, ..] = *line {
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
        let mut go_on = || true;
        let mut search = Search::new(self, windows, attacker, false, &mut go_on);
        if windows.can_win(attacker, 2) {
            return Ok(false);
        }
        for &stones in known.iter().filter(|&&stones| can_follow(windows, attacker, stones)) {
            if search.wins_with(stones)? {
                return Ok(false);
            }
        }
        let found = search.shortest(2)?;
        if let Some([a, b, ..]) = found.as_deref() {
            known.push([*a, *b]);
        }
        Ok(found.is_none())
    }

    /// Whether there are windows enough for a win at once, or for threats that take two stones to stop, or three if only two turns
    /// are left: a threat comes of a window each.
    fn may_win(&self, windows: &Windows, attacker: Player, left: u8) -> bool {
        let lacking = |n: u8| windows.length().checked_sub(n).map_or(0, |stones| windows.alive(attacker, stones));
        let threats = lacking(3) + if left < 2 { lacking(2) } else { lacking(4) };
        windows.can_win(attacker, left) || threats > 2 || threats == 2 && self.turns > 2
    }

    fn restart(&mut self) {
        self.nodes = 0;
        self.plan.clear();
        self.failed.clear();
    }
}

/// Whether these two stones can be put, and leave the defender no row to complete.
fn can_follow(windows: &Windows, attacker: Player, stones: [Point; 2]) -> bool {
    let fits = stones[0] != stones[1] && stones.iter().all(|&p| windows.is_empty(p));
    fits && Threats::of(windows, attacker.other()).are_stopped_by(&stones)
}

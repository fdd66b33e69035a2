//! Wins that begin with turns after which a win by double threats threatens, and cannot be stopped in the end.

use std::collections::{HashMap, VecDeque};
use std::hash::BuildHasherDefault;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use gamecore::{Game, KeyHasher, Player};
use games_connect6::{Connect6, Forced, Narrowed, Point, Vcdt};

/// Turns and nodes of the searches for double threats.
const VCDT: (u8, u64) = (20, 500);
/// Wins by double threats that are tried in other positions.
const RECENT: usize = 8;
/// More positions than there are.
const MOST: u32 = u32::MAX / 2;
/// Positions that are remembered when a search begins, at most; one that comes to twice as many stops. About 50 MB.
const REMEMBERED: usize = 1 << 17;

/// Asked whether to go on.
type GoOn<'a> = &'a mut dyn FnMut() -> bool;

/// One that threads and searches have in common.
pub(super) type Shared = Arc<Mutex<SecondOrder>>;

/// Nobody else has it meanwhile.
pub(super) fn lock(second: &Shared) -> MutexGuard<'_, SecondOrder> {
    second.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Looks for wins of the second order: turns of the attacker's after which a win by double threats ([`Vcdt`]) threatens, until the
/// defender has no turn that stops it. In the words of lambda search (Thomsen, *Lambda-search in game trees - with application to Go*,
/// 2000) double threats are of the first order. The tree is searched by proof numbers, depth first (Nagai, *Df-pn algorithm for searching
/// AND/OR trees and its applications*, 2002), stone by stone.
///
/// The attacker's turns are those of the short list ([`Narrowed`]). The defender's have a stone on a point that the win rests on that
/// threatens, or make a threat; others do not stop it. Two stones that make a threat together and are not on such a point are left out, so
/// what is found is no proof.
#[derive(Clone, Debug)]
pub(super) struct SecondOrder {
    vcdt: Vcdt,
    attacker: Player,
    known: HashMap<u64, Known, BuildHasherDefault<KeyHasher>>,
    /// The attacker's wins by double threats, were it to begin a turn.
    threats: HashMap<u64, Option<Arc<Threat>>, BuildHasherDefault<KeyHasher>>,
    /// The latest of them.
    recent: VecDeque<Arc<Threat>>,
    /// And of the defender's, its turns.
    counters: VecDeque<Vec<[Point; 2]>>,
}

/// How many positions have to be decided at least to prove a win, and to disprove it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Known {
    proof: u32,
    disproof: u32,
}

impl Known {
    const WON: Self = Self { proof: 0, disproof: MOST };
    const NOT_WON: Self = Self { proof: MOST, disproof: 0 };

    const fn decided(won: bool) -> Self {
        if won { Self::WON } else { Self::NOT_WON }
    }

    const fn open(proof: u32) -> Self {
        Self { proof, disproof: 1 }
    }
}

/// A win by double threats.
#[derive(Clone, PartialEq, Eq, Debug)]
struct Threat {
    /// The attacker's turns.
    turns: Vec<[Point; 2]>,
    /// What it rests on: no stone elsewhere stops it, but by threats.
    points: Vec<Point>,
}

/// The search was told to stop.
#[derive(Debug)]
struct Stopped;

/// A win of the second order.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Win {
    /// How it begins.
    pub(super) turn: [Point; 2],
    /// Points that what follows runs over: where a defence might be.
    pub(super) points: Vec<Point>,
}

impl SecondOrder {
    pub(super) fn new() -> Self {
        let vcdt = Vcdt::default().with_turns(VCDT.0).with_nodes(VCDT.1).with_conservative_defence(true);
        Self {
            vcdt,
            attacker: Player::One,
            known: HashMap::default(),
            threats: HashMap::default(),
            recent: VecDeque::new(),
            counters: VecDeque::new(),
        }
    }

    /// Another position: what was found out about the last one is forgotten.
    pub(super) fn begin(&mut self) {
        self.known.clear();
        self.threats.clear();
        self.recent.clear();
        self.counters.clear();
    }

    /// A win of the mover's, who begins a turn of two stones and has no win by double threats, with at most so many turns before
    /// one. Asks at every node of the searches for double threats whether to go on; told not to, it finds none.
    pub(super) fn win(&mut self, game: &Narrowed, turns: u8, go_on: GoOn<'_>) -> Option<Win> {
        if game.winner().is_some() {
            return None;
        }
        if self.attacker != game.game().mover() {
            self.attacker = game.game().mover();
            self.recent.clear();
            self.counters.clear();
        }
        for turns in 1..=turns {
            if self.remembered() > REMEMBERED {
                self.begin();
            }
            let found = self.search(game, turns, Known { proof: MOST, disproof: MOST }, None, go_on).ok()?;
            if found == Known::WON {
                return self.shown(game, turns);
            }
        }
        None
    }

    fn remembered(&self) -> usize {
        self.known.len() + self.threats.len()
    }

    /// How a win begins that is known.
    fn shown(&self, game: &Narrowed, turns: u8) -> Option<Win> {
        let won = |game: &Narrowed, turns: u8| self.known.get(&self.key(game, turns)) == Some(&Known::WON);
        let (a, half) = list(game).into_iter().map(|a| (a, game.after(a))).find(|(_, half)| won(half, turns))?;
        let (b, next) = list(&half).into_iter().map(|b| (b, half.after(b))).find(|(_, next)| won(next, turns - 1))?;
        // Rows that are a turn away have to be stopped first.
        let threat = self.threats.get(&self.key(&next, 0)).cloned().flatten();
        Some(Win { turn: [a, b], points: threat.map_or_else(|| list(&next), |threat| threat.points.clone()) })
    }

    fn key(&self, game: &Narrowed, turns: u8) -> u64 {
        let about = 2 * u64::from(turns) + u64::from(self.attacker == Player::One);
        game.game().key() ^ about.wrapping_mul(0x9E37_79B9_7F4A_7C15)
    }

    /// Searches until as much is to be proven or disproven as `limits` say. `expected` is what threatened before.
    fn search(
        &mut self,
        game: &Narrowed,
        turns: u8,
        limits: Known,
        expected: Option<&Arc<Threat>>,
        go_on: GoOn<'_>,
    ) -> Result<Known, Stopped> {
        let key = self.key(game, turns);
        let (attacks, forced) = (self.attacks(game), game.is_forced());
        let threat = if attacks || forced { expected.cloned() } else { self.threat(game, expected, go_on)? };
        // Nothing threatens any more: the first stone has stopped it.
        let stopped = !attacks && !forced && threat.is_none();
        if stopped && turns == 0 {
            self.known.insert(key, Known::NOT_WON);
            return Ok(Known::NOT_WON);
        }
        let moves = if attacks { list(game) } else { defences(game, threat.as_deref()) };
        // The attacker's second stone ends the turn.
        let below = turns - u8::from(attacks && game.game().left() == 1);
        let mut children = Vec::with_capacity(moves.len());
        for m in moves {
            let child = game.after(m);
            let child_key = self.key(&child, below);
            let known = match self.known.get(&child_key) {
                Some(&known) => known,
                None => {
                    let known = self.first(&child, below, threat.as_ref(), stopped, go_on)?;
                    self.known.insert(child_key, known);
                    known
                }
            };
            if known == Known::decided(attacks) {
                self.known.insert(key, known);
                return Ok(known);
            }
            children.push((m, child_key));
        }
        loop {
            let (known, best, second) = self.sum(game, &children);
            let Some((m, child_key)) = best.filter(|_| known.proof < limits.proof && known.disproof < limits.disproof) else {
                self.known.insert(key, known);
                return Ok(known);
            };
            let child = self.known[&child_key];
            // As long as it is not much worse than the second best.
            let patience = second.saturating_add(second / 4 + 1);
            let rest = |limit: u32, all: u32, own: u32| if limit >= MOST { MOST } else { limit - all + own };
            let limits = if attacks {
                Known { proof: limits.proof.min(patience), disproof: rest(limits.disproof, known.disproof, child.disproof) }
            } else {
                Known { proof: rest(limits.proof, known.proof, child.proof), disproof: limits.disproof.min(patience) }
            };
            self.search(&game.after(m), below, limits, threat.as_ref(), go_on)?;
        }
    }

    /// What the children say together, which of them is to be searched, and the number of the second best.
    fn sum(&self, game: &Narrowed, children: &[(Point, u64)]) -> (Known, Option<(Point, u64)>, u32) {
        let attacks = self.attacks(game);
        let (mut least, mut second, mut all, mut best) = (MOST, MOST, 0u32, None);
        for &(m, key) in children {
            let Known { proof, disproof } = self.known[&key];
            let (one, more) = if attacks { (proof, disproof) } else { (disproof, proof) };
            all = all.saturating_add(more).min(MOST);
            if one < least {
                (second, least, best) = (least, one, Some((m, key)));
            } else {
                second = second.min(one);
            }
        }
        let known = if attacks { Known { proof: least, disproof: all } } else { Known { proof: all, disproof: least } };
        (known, best, second)
    }

    /// What is known of a position that was not searched. `expected` is what threatened before; `stopped` says that nothing does any more.
    fn first(
        &mut self,
        game: &Narrowed,
        turns: u8,
        expected: Option<&Arc<Threat>>,
        stopped: bool,
        go_on: GoOn<'_>,
    ) -> Result<Known, Stopped> {
        let won_by = |winner: Option<Player>| Known::decided(winner == Some(self.attacker));
        if let Some(outcome) = game.game().outcome() {
            return Ok(won_by(outcome.winner()));
        }
        if game.winner().is_some() {
            return Ok(won_by(game.winner()));
        }
        let begins = game.game().left() == 2;
        Ok(match (self.attacks(game), begins) {
            (true, true) if stopped => Known::open(1),
            (true, true) => match self.threat(game, expected, go_on)? {
                Some(_) => Known::WON,
                None if turns == 0 => Known::NOT_WON,
                None => Known::open(1),
            },
            (true, false) => Known::open(1),
            // The cheapest question first.
            (false, true) if self.counters_again(game) => Known::NOT_WON,
            (false, true) if !game.is_forced() && self.threat(game, expected, go_on)?.is_none() => Known::NOT_WON,
            (false, true) if self.counters(game, go_on)? => Known::NOT_WON,
            (false, true) => Known::open(if game.is_forced() { 2 } else { 4 }),
            (false, false) => Known::open(2),
        })
    }

    fn attacks(&self, game: &Narrowed) -> bool {
        game.game().mover() == self.attacker
    }

    /// Whether the defender, who begins a turn, wins by double threats as it did elsewhere.
    fn counters_again(&self, game: &Narrowed) -> bool {
        Vcdt::replay(game.windows(), self.attacker.other(), self.counters.iter().map(Vec::as_slice)).is_some()
    }

    /// Whether the defender, who begins a turn, wins by double threats.
    fn counters(&mut self, game: &Narrowed, go_on: GoOn<'_>) -> Result<bool, Stopped> {
        let wins = self.first_order(game, self.attacker.other(), go_on)?.is_some();
        if wins {
            self.counters.push_front(self.vcdt.plan().to_vec());
            self.counters.truncate(RECENT);
        }
        Ok(wins)
    }

    /// The attacker's win by double threats, were it to begin a turn; perhaps one that is known from elsewhere.
    fn threat(
        &mut self,
        game: &Narrowed,
        expected: Option<&Arc<Threat>>,
        go_on: GoOn<'_>,
    ) -> Result<Option<Arc<Threat>>, Stopped> {
        let key = self.key(game, 0);
        if let Some(threat) = self.threats.get(&key) {
            return Ok(threat.clone());
        }
        let windows = game.windows();
        let plans: Vec<&[[Point; 2]]> = expected.into_iter().chain(&self.recent).map(|threat| threat.turns.as_slice()).collect();
        let known = Vcdt::replay(windows, self.attacker, plans.iter().copied());
        let found = match known.map(|(i, points)| Threat { turns: plans[i].to_vec(), points }) {
            Some(threat) => Some(Arc::new(threat)),
            None => self.first_order(game, self.attacker, go_on)?.map(|line| {
                let plan = self.vcdt.plan();
                let points = Vcdt::replay(windows, self.attacker, [plan]).map_or(line, |(_, points)| points);
                Arc::new(Threat { turns: plan.to_vec(), points })
            }),
        };
        if let Some(threat) = &found
            && !self.recent.iter().any(|known| known.turns == threat.turns)
        {
            self.recent.push_front(threat.clone());
            self.recent.truncate(RECENT);
        }
        self.threats.insert(key, found.clone());
        Ok(found)
    }

    /// A win by double threats, were this player to begin a turn.
    fn first_order(&mut self, game: &Narrowed, player: Player, go_on: GoOn<'_>) -> Result<Option<Vec<Point>>, Stopped> {
        let mut stopped = false;
        let found = self.vcdt.win_while(game.windows(), player, 2, || {
            stopped |= !go_on();
            !stopped
        });
        // Also where no node was needed time passes.
        if stopped || !go_on() || self.remembered() > 2 * REMEMBERED {
            return Err(Stopped);
        }
        Ok(match found {
            Forced::Win(line) => Some(line),
            Forced::No | Forced::Unknown => None,
        })
    }
}

/// The stones of the defender's that may stop what threatens, the first of its turn or the second.
fn defences(game: &Narrowed, threat: Option<&Threat>) -> Vec<Point> {
    let mut points = list(game);
    let Some(threat) = threat.filter(|_| !game.is_forced()) else { return points };
    if game.game().left() == 1 {
        points.retain(|m| threat.points.contains(m));
    }
    for &m in &threat.points {
        if game.windows().is_empty(m) && !points.contains(&m) {
            points.push(m);
        }
    }
    points
}

/// The short list.
pub(super) fn list(game: &Narrowed) -> Vec<Point> {
    let mut moves = <Connect6 as Game>::Moves::default();
    game.moves(&mut moves);
    moves.to_vec()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn position(stones: &str) -> Narrowed {
        let points = stones.as_bytes().chunks(2).map(|c| Point::new(c[0] - b'A', c[1] - b'A').unwrap());
        Narrowed::from(points.fold(Connect6::default(), |game, m| game.after(m)))
    }

    fn win(game: &Narrowed, turns: u8, mut nodes: u32) -> Option<Win> {
        SecondOrder::new().win(game, turns, &mut || {
            nodes = nodes.saturating_sub(1);
            nodes > 0
        })
    }

    /// A quiet turn that wins: two stones that threaten nothing yet, and no two stones hold it.
    #[test]
    fn quiet_turns_that_win_are_found() {
        let game = position("JJLJIHKKLLIIJI");
        let mut first = Vcdt::default().with_turns(20);
        assert!(!matches!(first.win(game.windows(), game.game().mover(), 2), Forced::Win(_)));
        let found = win(&game, 1, 100_000).expect("there is one");
        // Whatever is tried against it on a long list loses.
        let next = game.after(found.turn[0]).after(found.turn[1]).with_width([40, 40]);
        for x in list(&next) {
            for y in list(&next.after(x)) {
                let end = next.after(x).after(y);
                let wins = matches!(first.win(end.windows(), end.game().mover(), 2), Forced::Win(_));
                assert!(wins, "{x:?} {y:?} holds {end:?}");
            }
        }
        // Told to stop it finds nothing.
        assert_eq!(win(&game, 1, 1), None);
        // Without the stones that it rests on there is none.
        assert_eq!(win(&position("JJ"), 1, 100_000), None);
    }

    /// A turn that wins only after another one.
    #[test]
    fn longer_wins_are_found() {
        let game = position("JJILLMKILJKLIK");
        assert_eq!(win(&game, 1, 200_000), None);
        let found = win(&game, 2, 200_000).expect("there is one");
        let next = game.after(found.turn[0]).after(found.turn[1]);
        assert!(next.winner().is_none() && !found.points.is_empty());
    }

    /// Turns that would win if the defender had no stones that make threats on the way: among them those of these lists, which hold.
    #[test]
    fn defences_that_make_threats_are_seen() {
        let held = [
            ("JJHJLHGLGKGIHHHKIKEKJF", "FJJK", "KKIG"),
            ("JJIJJHIIHHGGHGIGGIJFJIKKIK", "MMJE", "JDEK"),
            ("JJGHMKHKIGLLNLJLJKJNNJ", "KMKK", "IKOI"),
        ];
        for (stones, turn, answer) in held {
            assert_eq!(win(&position(stones), 1, 200_000), None, "{stones}");
            let end = position(&[stones, turn, answer].concat());
            let found = Vcdt::default().with_turns(20).win(end.windows(), end.game().mover(), 2);
            assert!(!matches!(found, Forced::Win(_)), "{stones} {turn} {answer}: {found:?}");
        }
    }
}

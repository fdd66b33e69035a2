//! What a position is worth.

use core::fmt;
use core::sync::atomic::{AtomicU16, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use gamecore::{Bounds, Evaluator, Game, Player};
use lines::{Forced, Point};

use crate::narrow::Narrowed;
use crate::state::Connect6;
use crate::vcdt::Vcdt;

/// Numbers of stones in a window, none to six.
const KINDS: usize = 7;

/// Counts windows, in points for [`Player::One`], and knows wins that are a turn away.
///
/// The open windows of each seat are weighed by how many stones they hold, by whose turn it is and by whether it has one stone left or
/// more; the difference `d` becomes `d / (2 + |d|)`. The weights are rounded by hand from a logistic regression: who won 220 games of
/// an earlier state of the engine against itself (7,220 positions without a known win), given the counts (`connect6_fit` in the benches fits
/// in the same way, to other games). Such counts say little about who will win (the loss is 0.66, a coin's 0.69): the search, and wins by
/// double threats, have to find out.
#[derive(Clone, Copy, Debug, Default)]
pub struct Count;

/// What windows are worth to whoever has this many stones left in the turn; by the stones in an open window.
struct Weights {
    own: [f32; KINDS],
    other: [f32; KINDS],
    base: f32,
}

/// With one stone left, and with more. Half a point of `d / (2 + |d|)`, the slope of a logistic curve of `d`.
const WEIGHTS: [Weights; 2] = [
    Weights {
        own: [0.0, 0.0135, 0.073, 0.205, 0.305, 0.35, 0.0],
        other: [0.0, 0.0135, 0.073, 0.205, 0.31, 0.41, 0.0],
        base: 0.05,
    },
    Weights { own: [0.0, 0.014, 0.065, 0.216, 0.3, 0.35, 0.0], other: [0.0, 0.014, 0.068, 0.179, 0.175, 0.38, 0.0], base: 0.82 },
];
/// A difference of sums that is worth half a point.
const HALF: f32 = 2.0;

/// The value for One by the numbers of open windows.
#[inline]
fn count(counts: &[[u16; KINDS]; 2], mover: Player, left: u8) -> f32 {
    let weights = &WEIGHTS[usize::from(left > 1)];
    let (own, other) = (&counts[mover], &counts[mover.other()]);
    let mut ahead = weights.base;
    for i in 1..KINDS {
        ahead += f32::from(own[i]) * weights.own[i] - f32::from(other[i]) * weights.other[i];
    }
    mover.sign() * ahead / (HALF + ahead.abs())
}

/// The value for One: known where the rows that are a turn away decide, or an opinion.
#[inline(always)]
fn value(game: &Narrowed, opinion: impl FnOnce() -> f32) -> f32 {
    game.winner().map_or_else(opinion, Player::sign)
}

/// The value after a stone: known, or an opinion, which is given the numbers of open windows, who is then to move and what is left.
#[inline(always)]
fn after<E: Evaluator<Narrowed>>(
    evaluator: &E,
    game: &Narrowed,
    m: Point,
    opinion: impl FnOnce(&[[u16; KINDS]; 2], Player, u8) -> f32,
) -> f32 {
    let (bare, windows) = (game.game(), game.windows());
    let (mover, rules) = (bare.mover(), bare.rules());
    let counts = windows.alive_after(mover, m);
    if counts[mover][usize::from(rules.length())] > 0 {
        return mover.sign();
    }
    let (next, left) = if bare.left() > 1 { (mover, bare.left() - 1) } else { (mover.other(), rules.turns().each()) };
    let length = usize::from(rules.length());
    if counts[next][length.saturating_sub(left.into())..length].iter().any(|&n| n > 0) {
        return next.sign();
    }
    if game.hot(&counts, next.other()) > left.into() || bare.board().empty_count() < 2 {
        // Perhaps too many threats to stop.
        let after = game.after(m);
        return match after.game().outcome() {
            Some(outcome) => evaluator.terminal(&after, outcome),
            None => evaluator.value(&after),
        };
    }
    opinion(&counts, next, left)
}

/// How far values reach: no further than what is known.
#[inline(always)]
fn bounds(game: &Narrowed) -> Bounds {
    game.winner().map_or(Bounds::symmetric(1.0), |player| Bounds::exact(player.sign()))
}

impl Evaluator<Narrowed> for Count {
    #[inline]
    fn value(&self, game: &Narrowed) -> f32 {
        value(game, || count(game.windows().all_alive(), game.game().mover(), game.game().left()))
    }

    #[inline]
    fn after(&self, game: &Narrowed, m: Point) -> f32 {
        after(self, game, m, count)
    }

    #[inline]
    fn bounds(&self, game: &Narrowed) -> Bounds {
        bounds(game)
    }
}

/// What was [learned](crate::learned) from games, in points for [`Player::One`], and wins that are a turn away. Of positions without a
/// [net](Narrowed::with_net) it says what [`Count`] says.
#[derive(Clone, Copy, Debug, Default)]
pub struct Learned;

impl Evaluator<Narrowed> for Learned {
    #[inline]
    fn value(&self, game: &Narrowed) -> f32 {
        let Some(sight) = game.sight() else { return Count.value(game) };
        value(game, || sight.value(game.game().mover(), game.game().left()))
    }

    #[inline]
    fn after(&self, game: &Narrowed, m: Point) -> f32 {
        let Some(sight) = game.sight() else { return Count.after(game, m) };
        after(self, game, m, |_, mover, left| sight.value_after(m, game.game().mover(), mover, left))
    }

    #[inline]
    fn bounds(&self, game: &Narrowed) -> Bounds {
        bounds(game)
    }
}

/// [`Learned`] that also knows wins by continuous double threats ([`Vcdt`]) of whoever begins a turn.
///
/// [`bounds`](Evaluator::bounds) look for one: far in the positions next to the one that is [searched](Self::begin), where one that
/// is overlooked costs the game, and less [far](Self::with_far) in the others. What was found is
/// remembered by key, in a table that threads share without locks.
#[derive(Debug)]
pub struct Forcing {
    turns: u8,
    nodes: u64,
    /// Turns and nodes elsewhere.
    far: (u8, u64),
    /// Nodes for each visit.
    again: u64,
    /// Positions with more stones are no longer near.
    near: AtomicU16,
    attacks: Mutex<Attacks>,
    known: Box<[AtomicU64]>,
}

/// Of the search that runs.
#[derive(Clone)]
struct Attacks {
    /// First turns of wins that positions near the root may have in common.
    expected: Vec<[Point; 2]>,
    /// Whether there is time to look for them.
    go_on: Arc<dyn Fn() -> bool + Send + Sync>,
}

impl Default for Attacks {
    fn default() -> Self {
        Self { expected: Vec::new(), go_on: Arc::new(|| true) }
    }
}

impl fmt::Debug for Attacks {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Attacks").field("expected", &self.expected).finish_non_exhaustive()
    }
}

/// Positions that [`Forcing`] remembers.
const REMEMBERED: usize = 1 << 17;
/// The most nodes of a look again.
const AGAIN: u64 = 20_000;
/// Turns and nodes for attacks that are expected.
const FURTHER: (u8, u64) = (10, 300);
/// What an entry says, in its lowest bits: all was searched and there is no win; nothing was found near, or in passing; there is one.
const NO_WIN: u64 = 0;
const NONE_NEAR: u64 = 1;
const NONE: u64 = 2;
const WIN: u64 = 3;

impl Forcing {
    /// Near the root it looks for wins of at most so many turns, the winning one included, and nodes; with 0 of either, for none
    /// anywhere.
    #[must_use]
    pub fn new(turns: u8, nodes: u64) -> Self {
        let attacks = Mutex::default();
        Self {
            turns,
            nodes,
            far: (2, 3),
            again: 16,
            near: AtomicU16::new(0),
            attacks,
            known: (0..REMEMBERED).map(|_| AtomicU64::new(0)).collect(),
        }
    }

    /// Looks so far in the other positions, instead of 2 turns and 3 nodes: for a turn that leaves more threats than can be
    /// stopped.
    #[must_use]
    pub fn with_far(self, turns: u8, nodes: u64) -> Self {
        Self { far: (turns, nodes), ..self }
    }

    /// [Looks again](Self::bounds_again) with so many nodes for each visit, instead of 16; with 0, never.
    #[must_use]
    pub fn with_again(self, nodes: u64) -> Self {
        Self { again: nodes, ..self }
    }

    /// A search of this position begins: what comes of one whole turn is near.
    pub fn begin(&self, game: &Connect6) {
        self.begin_while(game, || true);
    }

    /// [`begin`](Self::begin) of a search that has other limits than nodes: its looks near the root, which take long, ask whether to go
    /// on, a clock or a flag. Of what is not looked at to the end nothing is known.
    pub fn begin_while(&self, game: &Connect6, go_on: impl Fn() -> bool + Send + Sync + 'static) {
        let near = game.board().count() + u16::from(game.left());
        self.near.store(near, Ordering::Relaxed);
        *self.attacks() = Attacks { expected: Vec::new(), go_on: Arc::new(go_on) };
    }

    /// Whether the search that has [begun](Self::begin_while) may go on, to be asked at every node: a clock takes as long as one, so
    /// it is asked each 64th time.
    pub fn go_on(&self) -> impl FnMut() -> bool + use<> {
        let (go_on, mut asked) = (self.attacks().go_on.clone(), 0u64);
        move || {
            asked += 1;
            !asked.is_multiple_of(64) || go_on()
        }
    }

    /// Forgets all that it remembers.
    pub fn forget(&self) {
        self.known.iter().for_each(|entry| entry.store(0, Ordering::Relaxed));
        self.attacks().expected.clear();
    }

    /// The opponent's next turn might begin a win with these stones: near the root that is tried first, and further.
    pub fn expect(&self, attack: [Point; 2]) {
        let expected = &mut self.attacks().expected;
        if !expected.contains(&attack) {
            expected.push(attack);
        }
    }

    /// In this position, near the root, whoever is to move wins.
    pub fn remember(&self, game: &Connect6) {
        self.note(game.key(), WIN);
    }

    fn attacks(&self) -> MutexGuard<'_, Attacks> {
        self.attacks.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn slot(&self, key: u64) -> &AtomicU64 {
        &self.known[(key >> 40) as usize % REMEMBERED]
    }

    /// Whether the mover, at the beginning of a turn, may win by double threats, as far as a glance tells.
    fn may_win(&self, game: &Narrowed) -> bool {
        let (bare, length) = (game.game(), usize::from(game.game().rules().length()));
        let alive = &game.windows().all_alive()[bare.mover()];
        let begins = bare.left() == 2 && bare.rules().turns().each() == 2 && length > 4;
        // Two windows that lack three stones, or enough of four for one line to be threatened twice.
        self.turns > 1 && self.nodes > 0 && begins && (alive[length - 3] > 1 || alive[length - 4] > 2)
    }

    /// What is remembered of a position.
    fn known(&self, key: u64) -> Option<u64> {
        let found = self.slot(key).load(Ordering::Relaxed);
        ((found ^ key) >> 2 == 0).then_some(found & 3)
    }

    fn note(&self, key: u64, says: u64) {
        self.slot(key).store(key & !3 | says, Ordering::Relaxed);
    }

    /// Whether the mover, at the beginning of a turn, is known to win by double threats.
    #[must_use]
    pub fn wins(&self, game: &Narrowed) -> bool {
        if !self.may_win(game) {
            return false;
        }
        let (bare, windows) = (game.game(), game.windows());
        let (mover, key) = (bare.mover(), bare.key());
        let near = bare.board().count() <= self.near.load(Ordering::Relaxed);
        match self.known(key) {
            Some(WIN) => return true,
            Some(NO_WIN | NONE_NEAR) => return false,
            Some(NONE) if !near => return false,
            _ => {}
        }
        let (turns, nodes) = if near { (self.turns, self.nodes) } else { self.far };
        let attacks = near.then(|| self.attacks().clone());
        let mut further = quick(FURTHER.0, FURTHER.1);
        let mut stopped = false;
        let mut go_on = || {
            stopped |= attacks.as_ref().is_some_and(|attacks| !(attacks.go_on)());
            !stopped
        };
        let won = attacks
            .iter()
            .flat_map(|attacks| &attacks.expected)
            .any(|&attack| further.wins_with_while(windows, mover, attack, &mut go_on))
            || matches!(quick(turns, nodes).win_while(windows, mover, bare.left(), &mut go_on), Forced::Win(_));
        if stopped && !won {
            return false;
        }
        let says = if won {
            WIN
        } else if near {
            NONE_NEAR
        } else {
            NONE
        };
        self.note(key, says);
        won
    }

    /// [`bounds`](Evaluator::bounds) of a position that a search has come to so often: the more depends on it, the further wins are
    /// looked for.
    #[must_use]
    pub fn bounds_again(&self, game: &Narrowed, visits: u32) -> Bounds {
        let nodes = self.again.saturating_mul(visits.into()).min(AGAIN);
        if nodes == 0 || game.winner().is_some() || !self.may_win(game) {
            return bounds(game);
        }
        let (bare, key) = (game.game(), game.game().key());
        let says = match self.known(key) {
            Some(says @ (WIN | NO_WIN)) => says,
            _ => {
                let mut go_on = self.go_on();
                match quick(self.turns, nodes).win_while(game.windows(), bare.mover(), bare.left(), &mut go_on) {
                    Forced::Win(_) => WIN,
                    Forced::No => NO_WIN,
                    Forced::Unknown => return bounds(game),
                }
            }
        };
        self.note(key, says);
        if says == WIN { Bounds::exact(bare.mover().sign()) } else { bounds(game) }
    }
}

/// A search that is quick to find a win.
fn quick(turns: u8, nodes: u64) -> Vcdt {
    Vcdt::default().with_conservative_defence(true).with_turns(turns).with_nodes(nodes)
}

impl Clone for Forcing {
    /// Remembers nothing.
    fn clone(&self) -> Self {
        Self::new(self.turns, self.nodes).with_far(self.far.0, self.far.1).with_again(self.again)
    }
}

impl Evaluator<Narrowed> for Forcing {
    #[inline]
    fn value(&self, game: &Narrowed) -> f32 {
        if game.winner().is_none() && self.wins(game) { game.game().mover().sign() } else { Learned.value(game) }
    }

    #[inline]
    fn after(&self, game: &Narrowed, m: Point) -> f32 {
        Learned.after(game, m)
    }

    #[inline]
    fn bounds(&self, game: &Narrowed) -> Bounds {
        let bounds = Learned.bounds(game);
        if bounds.low < bounds.high && self.wins(game) { Bounds::exact(game.game().mover().sign()) } else { bounds }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::learned::Net;
    use crate::rules::Rules;
    use gamecore::random;

    /// The value after a stone, which is the same whether it is laid out or not.
    fn after_laid_out<E: Evaluator<Narrowed>>(evaluator: &E, game: &Narrowed, m: Point) -> f32 {
        let next = game.after(m);
        let value = match next.game().outcome() {
            Some(outcome) => evaluator.terminal(&next, outcome),
            None => evaluator.value(&next),
        };
        assert_eq!(evaluator.after(game, m), value, "{m:?} in {game:?}");
        let bounds = evaluator.bounds(&next);
        assert!(next.game().outcome().is_some() || (bounds.low..=bounds.high).contains(&value));
        value
    }

    /// A last stone that is not laid out is worth what it is worth when it is.
    #[test]
    fn values_after_a_stone_are_those_of_the_position() {
        let mut rng = random::generator(5);
        let family =
            [Rules::CONNECT6, Rules::connect6(8).unwrap(), Rules::new(7, 4, 1, 1).unwrap(), Rules::new(7, 5, 3, 2).unwrap()];
        let (mut known, mut opinions) = (0, 0);
        for rules in family.into_iter().flat_map(|rules| [rules; 6]) {
            let mut game = Narrowed::from(Connect6::start(rules)).with_net(Some(Net::built_in()));
            while game.game().outcome().is_none() {
                let mut moves = <Narrowed as Game>::Moves::default();
                game.moves(&mut moves);
                for &m in &moves {
                    for value in [after_laid_out(&Count, &game, m), after_laid_out(&Learned, &game, m)] {
                        known += u32::from(value.abs() == 1.0);
                        opinions += u32::from(value.abs() < 1.0);
                    }
                }
                // Now and then any stone, so that threats stand for longer.
                let m =
                    if random::below(&mut rng, 3) == 0 { game.game().random_move(&mut rng) } else { game.random_move(&mut rng) };
                game.play(m);
            }
        }
        assert!(known > 100 && opinions > 1000, "{known} {opinions}");
    }

    /// What is claimed to be won is: no reply is left out by the search that claims it, so here only who claims is checked.
    #[test]
    fn wins_by_double_threats_are_known() {
        let rows = "19/19/19/19/19/9x9/9x9/9x9/19/5xxx11/19/19/19/19/19/19/19/19/19";
        let game: Connect6 = format!("{rows} one 2").parse().unwrap();
        let narrowed = Narrowed::from(game.clone());
        let forcing = Forcing::new(4, 50);
        forcing.begin(&game);
        assert!(forcing.wins(&narrowed) && forcing.value(&narrowed) == 1.0);
        assert_eq!(forcing.bounds(&narrowed), Bounds::exact(1.0));
        assert!(!Forcing::new(0, 0).wins(&narrowed));
        // Without time nothing is known, and nothing remembered.
        let forcing = Forcing::new(4, 50);
        forcing.begin_while(&game, || false);
        assert!(!forcing.wins(&narrowed));
        forcing.begin(&game);
        assert!(forcing.wins(&narrowed));
        // Far from the root a turn that leaves more threats than can be stopped is seen, if it is looked for.
        assert!(Forcing::new(4, 50).wins(&narrowed));
        assert!(!Forcing::new(4, 50).with_far(0, 0).wins(&narrowed));
        // The more visits, the further it is looked for; what was searched to the end is not searched again.
        let forcing = Forcing::new(4, 50).with_far(0, 0).with_again(1);
        assert_eq!(forcing.bounds_again(&narrowed, 0), Bounds::symmetric(1.0));
        assert_eq!(forcing.bounds_again(&narrowed, 4), Bounds::exact(1.0));
        assert!(forcing.wins(&narrowed));
        assert_eq!(Forcing::new(4, 50).with_again(0).bounds_again(&narrowed, 4), Bounds::symmetric(1.0));
        let lone = Narrowed::from(game.after(Point::new(0, 0).unwrap()).passed().unwrap());
        assert_eq!(forcing.bounds_again(&lone, 1 << 20), Bounds::symmetric(1.0));
        // With the other seat to move nobody wins yet.
        let other = Narrowed::from(game.passed().unwrap());
        assert!(!forcing.wins(&other) && Count.value(&other) > -1.0);
    }
}

//! What every game promises.

use core::hash::{Hash, Hasher};
use std::collections::HashMap;

use rand::rngs::Xoshiro256PlusPlus;

use super::{Spot, Trials, ensure, moves, same_set, some, walk};
use crate::random::below;
use crate::{Chance, Event, Game, KEY_HORIZON, KeyHasher, Outcome, PlayError, ResolveError, Step, Turn};

/// Moves of one state that are tried one by one; of longer lists, a random choice.
const MOVES_TRIED: usize = 12;
/// States that are remembered to be met again.
const REMEMBERED: usize = 20_000;
/// Probabilities may miss their sum by this.
const ROUNDING: f64 = 1e-12;

/// Plays random games from each of `starts` and checks every promise of [`Game`] and [`Chance`].
///
/// - Keys: equal states have equal keys, whatever the order of the moves that led there; states with equal keys wait
///   for the same, list the same moves in the same order, and go on doing so.
/// - Moves: at least one, distinct, in the same order for a clone; `try_play` takes each of them, agrees with `play` and
///   `after`, and refuses others, also before a roll and after the end; `random_move` is legal and fair.
/// - Chance: probabilities are positive and sum to 1; `sample` follows them; `try_resolve` agrees with `resolve` and
///   `resolved`; `merged` is honest: events that allow the same moves with the same results weigh the same in both
///   lists, and every event has its representative.
/// - The end comes within [`Trials::steps`], and with at most `MAX_POINTS` points.
///
/// Give it starts of every kind: set-ups, positions near the end, with and without a roll.
///
/// # Panics
/// At the first broken promise, naming the state.
pub fn conformance<G: Game>(starts: &[G], trials: Trials) {
    let mut seen = Seen { keys: HashMap::new(), states: HashMap::new(), moves: Vec::new(), events: Vec::new() };
    walk("conformance", starts, trials, true, |spot, rng| {
        let g = spot.state;
        ensure!(spot, g.clone() == *g, "a clone is not equal");
        ensure!(spot, same_turn(&g.turn(), &g.clone().turn()), "a clone waits for something else");
        match g.turn() {
            Turn::Over(outcome) => seen.over(spot, outcome),
            Turn::Chance(chance) => seen.chance(spot, &chance, rng),
            Turn::Decide(_) => seen.decide(spot, rng),
        }
        seen.remember(spot, g, rng);
    });
}

/// What has been met so far.
struct Seen<G: Game> {
    keys: HashMap<u64, G>,
    states: HashMap<G, u64>,
    moves: Vec<G::Move>,
    events: Vec<Event<G>>,
}

impl<G: Game> Seen<G> {
    /// Compares `g` with the states met before, and keeps it.
    fn remember(&mut self, spot: &Spot<'_, G>, g: &G, rng: &mut Xoshiro256PlusPlus) {
        let key = g.key();
        ensure!(spot, key == g.clone().key(), "a clone has another key");
        if let Some((same, &before)) = self.states.get_key_value(g) {
            ensure!(spot, before == key, "equal states have unequal keys: {g:?}");
            behave_alike(spot, same, g, 1, rng);
        } else if let Some(other) = self.keys.get(&key) {
            for _ in 0..4 {
                behave_alike(spot, other, g, KEY_HORIZON.min(16), rng);
            }
        }
        if self.states.len() < REMEMBERED {
            self.states.entry(g.clone()).or_insert(key);
            self.keys.entry(key).or_insert_with(|| g.clone());
        }
    }

    fn over(&self, spot: &Spot<'_, G>, outcome: Outcome) {
        match outcome {
            Outcome::Draw => {}
            Outcome::Win { points: 0, .. } => spot.fail("a win of no points"),
            Outcome::Win { points, .. } => {
                ensure!(spot, points <= G::MAX_POINTS, "{points} points are more than MAX_POINTS = {}", G::MAX_POINTS);
            }
        }
        for &m in self.moves.last().into_iter().chain(self.moves.first()) {
            let mut g = spot.state.clone();
            ensure!(spot, g.try_play(m) == Err(PlayError::Over { m }), "try_play takes {m:?} after the end");
            ensure!(spot, g == *spot.state, "try_play refuses {m:?} but changes the state");
        }
        self.no_roll(spot);
    }

    /// Nothing is to be rolled: no event can happen.
    fn no_roll(&self, spot: &Spot<'_, G>) {
        if let Some(&event) = self.events.last() {
            let mut g = spot.state.clone();
            let refused = g.try_resolve(event) == Err(ResolveError::NoChance { event });
            ensure!(spot, refused, "try_resolve takes {event:?} though nothing is to be rolled");
            ensure!(spot, g == *spot.state, "try_resolve refuses {event:?} but changes the state");
        }
    }

    fn chance(&mut self, spot: &Spot<'_, G>, chance: &G::Chance, rng: &mut Xoshiro256PlusPlus) {
        let g = spot.state;
        let events = chance.events();
        for (name, list) in [("events", events), ("merged", chance.merged())] {
            ensure!(spot, !list.is_empty(), "{name}() is empty");
            for (i, &(event, p)) in list.iter().enumerate() {
                ensure!(spot, p > 0.0 && p.is_finite(), "{name}(): the probability of {event:?} is {p}");
                ensure!(spot, list[..i].iter().all(|e| e.0 != event), "{name}() lists {event:?} twice");
                ensure!(spot, events.iter().any(|e| e.0 == event), "{name}() lists {event:?}, which events() does not");
            }
            let sum: f64 = list.iter().map(|e| e.1).sum();
            ensure!(spot, (sum - 1.0).abs() < ROUNDING, "{name}(): the probabilities sum to {sum}");
        }
        if chance.merged() != events {
            honest(spot, events, chance.merged());
        }
        for &(event, _) in events {
            let stands = chance.representative(event);
            ensure!(
                spot,
                chance.merged().iter().any(|m| m.0 == stands),
                "{stands:?} is to represent {event:?}, but merged() does not list it"
            );
            ensure!(
                spot,
                alike(&g.resolved(event), &g.resolved(stands)),
                "{stands:?} is to represent {event:?}, but its consequence is another"
            );
        }

        let draws = if spot.game == 0 && spot.step < 4 { 300 * events.len() } else { 4 };
        let mut counts = vec![0; events.len()];
        for _ in 0..draws {
            let event = chance.sample(rng);
            let Some(i) = events.iter().position(|e| e.0 == event) else {
                spot.fail(format_args!("sample() draws {event:?}, which events() does not list"))
            };
            counts[i] += 1;
        }
        for (&count, &(event, p)) in counts.iter().zip(events) {
            let fair = follows(count, p, draws);
            ensure!(spot, draws == 4 || fair, "sample() drew {event:?} {count} of {draws} times, its probability is {p}");
        }

        for (event, _) in some(events, MOVES_TRIED, rng) {
            let mut next = g.clone();
            next.resolve(event);
            ensure!(spot, g.resolved(event) == next, "resolved({event:?}) differs from resolve");
            let mut checked = g.clone();
            ensure!(spot, checked.try_resolve(event).is_ok(), "try_resolve refuses {event:?}, which events() lists");
            ensure!(spot, checked == next, "try_resolve({event:?}) differs from resolve");
            self.remember(spot, &next, rng);
            if self.events.len() < REMEMBERED && !self.events.contains(&event) {
                self.events.push(event);
            }
        }
        if let Some(&event) = self.events.iter().find(|&&e| events.iter().all(|listed| listed.0 != e)) {
            let mut other = g.clone();
            let refused = other.try_resolve(event) == Err(ResolveError::Impossible { event });
            ensure!(spot, refused, "try_resolve takes {event:?}, which events() does not list");
            ensure!(spot, other == *g, "try_resolve refuses {event:?} but changes the state");
        }
        if let Some(&m) = self.moves.last() {
            let mut other = g.clone();
            ensure!(spot, other.try_play(m) == Err(PlayError::ChanceFirst { m }), "try_play takes {m:?} before the roll");
            ensure!(spot, other == *g, "try_play refuses {m:?} but changes the state");
        }
    }

    fn decide(&mut self, spot: &Spot<'_, G>, rng: &mut Xoshiro256PlusPlus) {
        let g = spot.state;
        let list = moves(g);
        ensure!(spot, !list.is_empty(), "no move to choose from: a player who cannot move passes");
        ensure!(spot, list.len() <= usize::from(u16::MAX), "{} moves are more than a table can number", list.len());
        for (i, m) in list.iter().enumerate() {
            ensure!(spot, !list[..i].contains(m), "the move {m:?} is listed twice");
        }
        ensure!(spot, moves(&g.clone()) == list, "a clone lists its moves otherwise: {list:?}");

        let careful = spot.game == 0 && spot.step < 4 && list.len() <= 64;
        let draws = if careful { 200 * list.len() } else { 4 };
        let mut counts = vec![0; list.len()];
        for _ in 0..draws {
            let m = g.random_move(rng);
            let Some(i) = list.iter().position(|&l| l == m) else {
                spot.fail(format_args!("random_move() draws {m:?}, which is not legal"))
            };
            counts[i] += 1;
        }
        for (&count, m) in counts.iter().zip(&list) {
            let fair = follows(count, 1.0 / list.len() as f64, draws);
            ensure!(spot, !careful || fair, "random_move() drew {m:?} {count} of {draws} times, one of {} moves", list.len());
        }

        for m in some(&list, MOVES_TRIED, rng) {
            let mut next = g.clone();
            next.play(m);
            ensure!(spot, g.after(m) == next, "after({m:?}) differs from play");
            let mut checked = g.clone();
            ensure!(spot, checked.try_play(m).is_ok(), "try_play refuses {m:?}, which moves() lists");
            ensure!(spot, checked == next, "try_play({m:?}) differs from play");
            self.remember(spot, &next, rng);
        }
        if let Some(&m) = some(&self.moves, MOVES_TRIED, rng).iter().find(|m| !list.contains(m)) {
            let mut other = g.clone();
            ensure!(spot, other.try_play(m) == Err(PlayError::Illegal { m }), "try_play takes {m:?}, which is not listed");
            ensure!(spot, other == *g, "try_play refuses {m:?} but changes the state");
        }
        self.no_roll(spot);
        transpositions(spot, rng);
        let m = list[below(rng, list.len())];
        if self.moves.len() < 256 && !self.moves.contains(&m) {
            self.moves.push(m);
        }
    }
}

/// Whether `count` of `draws` is a likely number for something of probability `p`: within six standard deviations.
fn follows(count: u32, p: f64, draws: usize) -> bool {
    let n = draws as f64;
    (f64::from(count) - n * p).abs() <= 6.0 * (n * p * (1.0 - p)).sqrt() + 1e-6
}

fn same_turn<C: Chance>(a: &Turn<C>, b: &Turn<C>) -> bool {
    match (a, b) {
        (Turn::Decide(a), Turn::Decide(b)) => a == b,
        (Turn::Chance(a), Turn::Chance(b)) => a.events() == b.events(),
        (Turn::Over(a), Turn::Over(b)) => a == b,
        _ => false,
    }
}

/// Plays the same random line from two states with the same key.
fn behave_alike<G: Game>(spot: &Spot<'_, G>, a: &G, b: &G, decisions: u32, rng: &mut Xoshiro256PlusPlus) {
    let (mut x, mut y) = (a.clone(), b.clone());
    for decision in 0..decisions {
        loop {
            let alike = same_turn(&x.turn(), &y.turn());
            ensure!(spot, alike, "equal keys, but {decision} decisions later another turn: {a:?} and {b:?}");
            let Turn::Chance(chance) = x.turn() else { break };
            let event = chance.sample(rng);
            x.resolve(event);
            y.resolve(event);
        }
        let Turn::Decide(_) = x.turn() else { return };
        let list = moves(&x);
        let alike = list == moves(&y);
        ensure!(spot, alike, "equal keys, but {decision} decisions later other moves: {a:?} and {b:?}");
        if list.is_empty() {
            return;
        }
        let m = list[below(rng, list.len())];
        x.play(m);
        y.play(m);
    }
}

/// Plays a short random line with two of its moves exchanged: if both orders end in equal states, then with equal keys.
fn transpositions<G: Game>(spot: &Spot<'_, G>, rng: &mut Xoshiro256PlusPlus) {
    let (mut g, mut line, mut places) = (spot.state.clone(), Vec::new(), Vec::new());
    while places.len() < 3 {
        match g.turn() {
            Turn::Over(_) => break,
            Turn::Chance(chance) => {
                let event = chance.sample(rng);
                g.resolve(event);
                line.push(Step::Chance(event));
            }
            Turn::Decide(_) => {
                let list = moves(&g);
                if list.is_empty() {
                    return;
                }
                let m = list[below(rng, list.len())];
                g.play(m);
                places.push(line.len());
                line.push(Step::Move(m));
                for &before in &places[..places.len() - 1] {
                    let mut other = line.clone();
                    other.swap(before, line.len() - 1);
                    if let Some(h) = follow(spot.state, &other)
                        && g == h
                    {
                        ensure!(spot, g.key() == h.key(), "equal states have unequal keys: after {line:?} and {other:?}");
                        let same = hash(&g) == hash(&h);
                        ensure!(spot, same, "equal states have unequal hashes: after {line:?} and {other:?}");
                    }
                }
            }
        }
    }
}

/// The state after a line, if it can be played.
fn follow<G: Game>(start: &G, line: &[crate::StepOf<G>]) -> Option<G> {
    let mut g = start.clone();
    for &step in line {
        match step {
            Step::Chance(event) => g.try_resolve(event).ok()?,
            Step::Move(m) => g.try_play(m).ok()?,
        }
    }
    Some(g)
}

fn hash(x: &impl Hash) -> u64 {
    let mut hasher = KeyHasher::default();
    x.hash(&mut hasher);
    hasher.finish()
}

/// Events of equal consequence weigh the same in both lists.
fn honest<G: Game>(spot: &Spot<'_, G>, events: &[(Event<G>, f64)], merged: &[(Event<G>, f64)]) {
    // Classes of equal consequence, each with an event, the state after it, and its weight in both lists.
    let mut classes: Vec<(Event<G>, G, [f64; 2])> = Vec::new();
    for (which, list) in [events, merged].into_iter().enumerate() {
        for &(event, p) in list {
            let next = spot.state.resolved(event);
            if let Some(class) = classes.iter_mut().find(|class| alike(&class.1, &next)) {
                class.2[which] += p;
            } else {
                let mut weights = [0.0; 2];
                weights[which] = p;
                classes.push((event, next, weights));
            }
        }
    }
    for (event, _, [listed, joined]) in classes {
        ensure!(
            spot,
            (listed - joined).abs() < ROUNDING,
            "merged() is not honest: events with the consequence of {event:?} weigh {listed}, merged {joined}"
        );
    }
}

/// Whether two states after a roll allow the same moves with the same results.
fn alike<G: Game>(a: &G, b: &G) -> bool {
    if a == b {
        return true;
    }
    match (a.turn(), b.turn()) {
        (Turn::Over(x), Turn::Over(y)) => x == y,
        (Turn::Decide(x), Turn::Decide(y)) => {
            let list = moves(a);
            x == y && same_set(&list, &moves(b)) && list.iter().all(|&m| a.after(m) == b.after(m))
        }
        (Turn::Chance(x), Turn::Chance(y)) => {
            x.events() == y.events() && x.events().iter().all(|&(e, _)| alike(&a.resolved(e), &b.resolved(e)))
        }
        _ => false,
    }
}

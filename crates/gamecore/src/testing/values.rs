//! What trackers, evaluators and networks promise.

use core::fmt::Debug;

use super::{Spot, Trials, ensure, moves, some, walk};
use crate::{Bounds, Chance, Evaluator, Game, Leaf, PolicyValue, Track, Tracked, Turn};

/// Values worked out in two ways may differ by this, times the size of the value where that is above 1.
const ROUNDING: f32 = 1e-6;

/// Plays random games and compares what was tracked along them with the same from scratch.
///
/// # Panics
/// At the first difference, naming the state.
///
/// # Examples
/// `testing::tracked::<Windows, _>(&[Connect6::default()], Trials::default())`
pub fn tracked<T: Track<G> + PartialEq + Debug, G: Game>(starts: &[G], trials: Trials) {
    tracked_with(starts, trials, |a: &T, b: &T| if a == b { Ok(()) } else { Err(format!("{a:?}, from scratch {b:?}")) });
}

/// As [`tracked`], for trackers that are compared otherwise: a network's sums, equal within rounding.
///
/// `same` is given what was tracked and the same from scratch, and says what differs.
///
/// # Panics
/// At the first difference, naming the state.
pub fn tracked_with<T: Track<G>, G: Game>(starts: &[G], trials: Trials, same: impl Fn(&T, &T) -> Result<(), String>) {
    let starts: Vec<Tracked<G, T>> = starts.iter().cloned().map(Tracked::from).collect();
    walk("tracked", &starts, trials, false, |spot, _| {
        if let Err(difference) = same(spot.state.track(), &T::of(spot.state.game())) {
            spot.fail(format_args!("tracked {difference}"));
        }
    });
}

/// Plays random games and checks every promise of [`Evaluator`].
///
/// Values are finite, repeatable, and inside the bounds of their state and of every state above it; so are ends. A state
/// whose bounds have equal ends is known: it has that value, what lies below it is not compared with it, and if all its
/// children are known or over, it agrees with the best of them (or their mean) within 1e-4 of `MAX_POINTS`. `after` and `after_all` agree with the value of the child within 1e-6 (of a value above 1, relative), `after_all` in the order
/// of the moves it was given.
///
/// # Panics
/// At the first broken promise, naming the state.
pub fn evaluator<G: Game>(evaluator: &(impl Evaluator<G> + ?Sized), starts: &[G], trials: Trials) {
    // What the bounds of all states above allow.
    let mut above = Bounds { low: f32::NEG_INFINITY, high: f32::INFINITY };
    walk("evaluator", starts, trials, false, |spot, rng| {
        let g = spot.state;
        if spot.step == 0 {
            above = Bounds { low: f32::NEG_INFINITY, high: f32::INFINITY };
        }
        if let Turn::Over(outcome) = g.turn() {
            let end = evaluator.terminal(g, outcome);
            ensure!(spot, end.is_finite(), "the end's value is {end}");
            inside(spot, "the end's value", end, above);
            return;
        }
        let bounds = evaluator.bounds(g);
        let ordered = bounds.low.is_finite() && bounds.high.is_finite() && bounds.low <= bounds.high;
        ensure!(spot, ordered, "{bounds:?} enclose nothing");
        if bounds.low >= bounds.high {
            inside(spot, "the known value", bounds.low, above);
            inside(spot, "the value", evaluator.value(g), bounds);
            known(spot, evaluator, bounds.low);
            // No search looks below it.
            above = Bounds { low: f32::NEG_INFINITY, high: f32::INFINITY };
        } else {
            above = Bounds { low: above.low.max(bounds.low), high: above.high.min(bounds.high) };
        }
        let value = evaluator.value(g);
        ensure!(spot, value.is_finite(), "the value is {value}");
        ensure!(spot, evaluator.value(&g.clone()).to_bits() == value.to_bits(), "a clone has another value than {value}");
        inside(spot, "the value", value, above);
        let Turn::Decide(_) = g.turn() else { return };

        let list = moves(g);
        let worth: Vec<f32> = list
            .iter()
            .map(|&m| {
                let next = g.after(m);
                match next.turn() {
                    Turn::Over(outcome) => evaluator.terminal(&next, outcome),
                    Turn::Decide(_) | Turn::Chance(_) => evaluator.value(&next),
                }
            })
            .collect();
        for i in some(&(0..list.len()).collect::<Vec<_>>(), 40, rng) {
            let (m, after) = (list[i], evaluator.after(g, list[i]));
            ensure!(spot, near(after, worth[i]), "after({m:?}) is {after}, the value there {}", worth[i]);
            inside(spot, "the value of a state below", worth[i], above);
        }
        // Forwards behind something that is there already, then backwards.
        let mut out = vec![7.5];
        evaluator.after_all(g, &list, &mut out);
        let appended = out.len() == list.len() + 1 && out[0].to_bits() == 7.5_f32.to_bits();
        ensure!(spot, appended, "after_all does not append one value for each move");
        let backwards: Vec<_> = list.iter().rev().copied().collect();
        let mut other = Vec::new();
        evaluator.after_all(g, &backwards, &mut other);
        ensure!(spot, other.len() == list.len(), "after_all does not append one value for each move");
        for (i, m) in list.iter().enumerate() {
            let (a, b) = (out[i + 1], other[list.len() - 1 - i]);
            ensure!(spot, near(a, worth[i]), "after_all says {a} for {m:?}, the value there is {}", worth[i]);
            ensure!(spot, near(b, worth[i]), "after_all says {b} for {m:?} in another order, the value there is {}", worth[i]);
        }
    });
}

/// Compares the value of a known state with those below it, if all of them are known or ends.
fn known<G: Game>(spot: &Spot<'_, G>, evaluator: &(impl Evaluator<G> + ?Sized), value: f32) {
    let worth = |next: G| match next.turn() {
        Turn::Over(outcome) => Some(evaluator.terminal(&next, outcome)),
        _ => Some(evaluator.bounds(&next)).filter(|b| b.low >= b.high).map(|b| b.low),
    };
    let best = match spot.state.turn() {
        Turn::Over(_) => return,
        Turn::Chance(chance) => {
            chance.events().iter().map(|&(e, p)| Some(p as f32 * worth(spot.state.resolved(e))?)).sum::<Option<f32>>()
        }
        Turn::Decide(player) => {
            let below: Option<Vec<f32>> = moves(spot.state).into_iter().map(|m| worth(spot.state.after(m))).collect();
            below.map(|list| list.into_iter().map(|v| v * player.sign()).fold(f32::NEG_INFINITY, f32::max) * player.sign())
        }
    };
    if let Some(best) = best {
        let close = (best - value).abs() <= 1e-4 * f32::from(G::MAX_POINTS);
        ensure!(spot, close, "the value is said to be known as {value}, but from the states below it is {best}");
    }
}

/// Plays random games and checks every promise of [`PolicyValue`] on single leaves and on batches of up to 16.
///
/// One prior for each move, none negative, their sum 1 within 1e-4; values finite; what was in the leaf before does not
/// matter, and a batch agrees with single leaves within 1e-4.
///
/// # Panics
/// At the first broken promise, naming the state.
pub fn policy_value<G: Game>(network: &(impl PolicyValue<G> + ?Sized), starts: &[G], trials: Trials) {
    let mut batch: Vec<Leaf<G>> = Vec::new();
    let mut alone: Vec<Leaf<G>> = Vec::new();
    network.evaluate(&mut batch);
    walk("policy", starts, trials, false, |spot, _| {
        if let Turn::Decide(_) = spot.state.turn() {
            let mut leaf = Leaf::new(spot.state.clone());
            network.evaluate(core::slice::from_mut(&mut leaf));
            sound(spot, &leaf);
            alone.push(leaf);
            let mut again = Leaf::new(spot.state.clone());
            again.priors = vec![9.0; 3];
            again.value = f32::NAN;
            batch.push(again);
        }
        if batch.len() == 16 || (!batch.is_empty() && matches!(spot.state.turn(), Turn::Over(_))) {
            network.evaluate(&mut batch);
            for (leaf, single) in batch.drain(..).zip(alone.drain(..)) {
                let state = &leaf.game;
                let spot = Spot { state, ..*spot };
                sound(&spot, &leaf);
                let close = |a: f32, b: f32| (a - b).abs() <= 1e-4 * a.abs().max(1.0);
                let same = close(leaf.value, single.value) && leaf.priors.iter().zip(&single.priors).all(|(&a, &b)| close(a, b));
                ensure!(spot, same, "in a batch the network says otherwise than of one leaf");
            }
        }
    });
}

fn sound<G: Game>(spot: &Spot<'_, G>, leaf: &Leaf<G>) {
    let list = moves(&leaf.game);
    ensure!(spot, leaf.moves == list, "the network changed the leaf's moves");
    ensure!(spot, leaf.priors.len() == list.len(), "{} priors for {} moves", leaf.priors.len(), list.len());
    ensure!(spot, leaf.priors.iter().all(|p| p.is_finite() && *p >= 0.0), "priors {:?}", leaf.priors);
    let sum: f32 = leaf.priors.iter().sum();
    ensure!(spot, (sum - 1.0).abs() < 1e-4, "the priors sum to {sum}");
    ensure!(spot, leaf.value.is_finite(), "the value is {}", leaf.value);
}

fn near(a: f32, b: f32) -> bool {
    (a - b).abs() <= ROUNDING * b.abs().max(1.0)
}

fn inside<G: Game>(spot: &Spot<'_, G>, what: &str, value: f32, bounds: Bounds) {
    let fits = bounds.low <= value || near(bounds.low, value);
    let fits = fits && (value <= bounds.high || near(bounds.high, value));
    ensure!(spot, fits, "{what} {value} is outside the bounds {} ..= {} given here or above", bounds.low, bounds.high);
}

//! What a game with symmetries promises.

use super::{Trials, ensure, moves, same_set, some, walk};
use crate::{Chance, Outcome, Player, Symmetry, Turn, canonical};

/// Plays random games and checks every promise of [`Symmetry`].
///
/// The identity comes first and changes nothing; inverses undo; turns, moves, events and outcomes of a transformed state
/// correspond to the state's own (seats and signs exchanged if [`Symmetry::swaps_seats`]); transforming commutes with
/// playing and with rolling; and [`canonical`] picks the same state from all over the class.
///
/// # Panics
/// At the first broken promise, naming the state and the symmetry.
pub fn symmetry<G: Symmetry>(starts: &[G], trials: Trials) {
    walk("symmetry", starts, trials, false, |spot, rng| {
        let g = spot.state;
        let all = g.symmetries();
        ensure!(spot, !all.is_empty(), "there is no identity");
        ensure!(spot, g.transformed(all[0]) == *g && !g.swaps_seats(all[0]), "{:?} comes first, not the identity", all[0]);
        let class = canonical(g).0;
        for (i, &sym) in all.iter().enumerate() {
            ensure!(spot, !all[..i].contains(&sym), "{sym:?} is listed twice");
            let (image, inverse, swaps) = (g.transformed(sym), g.inverse(sym), g.swaps_seats(sym));
            ensure!(spot, image.symmetries() == all, "the image under {sym:?} has other symmetries");
            let closed = all.contains(&inverse) && g.inverse(inverse) == sym && g.swaps_seats(inverse) == swaps;
            ensure!(spot, closed, "{inverse:?} is not the inverse of {sym:?}");
            ensure!(spot, image.transformed(inverse) == *g, "{inverse:?} does not undo {sym:?}");
            let (best, way) = canonical(&image);
            ensure!(spot, best == class, "canonical() differs after {sym:?}: {best:?} and {class:?}");
            ensure!(spot, image.transformed(way) == best, "{way:?} does not lead to the canonical state");

            let seat = |p: Player| if swaps { p.other() } else { p };
            match (g.turn(), image.turn()) {
                (Turn::Over(a), Turn::Over(b)) => {
                    let a: Outcome = if swaps { a.swapped() } else { a };
                    ensure!(spot, a == b, "under {sym:?} the outcome is {b:?}, not {a:?}");
                }
                (Turn::Decide(a), Turn::Decide(b)) => {
                    ensure!(spot, seat(a) == b, "under {sym:?} it is {b:?}'s turn, not {:?}'s", seat(a));
                    let list = moves(g);
                    let mapped: Vec<_> = list.iter().map(|&m| g.map_move(m, sym)).collect();
                    let there = moves(&image);
                    ensure!(spot, same_set(&mapped, &there), "under {sym:?} moves map to {mapped:?}, legal are {there:?}");
                    for m in some(&list, 40, rng) {
                        let n = g.map_move(m, sym);
                        ensure!(spot, image.map_move(n, inverse) == m, "{inverse:?} does not undo {sym:?} on the move {m:?}");
                        let commutes = g.after(m).transformed(sym) == image.after(n);
                        ensure!(spot, commutes, "{sym:?} does not commute with the move {m:?}, mapped to {n:?}");
                    }
                }
                (Turn::Chance(a), Turn::Chance(b)) => {
                    ensure!(spot, a.events().len() == b.events().len(), "under {sym:?} there are more or fewer events");
                    for &(event, p) in a.events() {
                        let mapped = g.map_event(event, sym);
                        let there = b.events().iter().any(|&(e, q)| e == mapped && (p - q).abs() < 1e-12);
                        ensure!(spot, there, "under {sym:?} no event {mapped:?} of probability {p}");
                        let back = image.map_event(mapped, inverse) == event;
                        ensure!(spot, back, "{inverse:?} does not undo {sym:?} on the event {event:?}");
                        let commutes = g.resolved(event).transformed(sym) == image.resolved(mapped);
                        ensure!(spot, commutes, "{sym:?} does not commute with the event {event:?}, mapped to {mapped:?}");
                    }
                }
                _ => spot.fail(format_args!("under {sym:?} the state waits for something else: {image:?}")),
            }
        }
    });
}

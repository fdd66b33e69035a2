//! What is known while a search runs, and how that is written.

use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use gamecore::{Player, Step};
use games_gomoku::{Gomoku, Point};
use search_core::ReportOf;

use super::position::text;

/// Between two words of progress, and before the first.
const EVERY: Duration = Duration::from_secs(1);
/// Moves of a line that are written.
const MOVES: usize = 20;

/// Where an engine tells what it knows while it thinks; the server writes some of it, at most once a second.
///
/// Clones tell the same server. Nothing waits here: what cannot be written at once is passed over.
///
/// # Examples
/// ```
/// # use games_gomoku::{Narrowed, eval::Shapes};
/// # use protocols::gomocup::Setup;
/// # use search_alphabeta::AlphaBeta;
/// # fn engine(setup: &Setup) -> AlphaBeta<Narrowed, Shapes> {
/// let progress = setup.progress.clone();
/// AlphaBeta::<Narrowed, _>::new(Shapes).with_progress(move |report| progress.tell(report))
/// # }
/// ```
#[derive(Clone, Debug, Default)]
pub struct Progress(Arc<Shared>);

#[derive(Debug, Default)]
struct Shared {
    state: Mutex<State>,
    changed: Condvar,
}

#[derive(Debug, Default)]
struct State {
    /// Who moves in the position that is thought about, and when next a line may be written.
    asked: Option<(Player, Instant)>,
    line: Option<String>,
    over: bool,
}

impl Progress {
    /// Tells what is known of the position that the engine was asked about.
    pub fn tell(&self, report: &ReportOf<Gomoku>) {
        // If somebody writes just now, this can wait.
        let Ok(mut state) = self.0.state.try_lock() else { return };
        let Some((mover, next)) = state.asked else { return };
        let (now, Some(best)) = (Instant::now(), report.best) else { return };
        if now >= next {
            state.line = Some(message(report, best, mover, None));
            state.asked = Some((mover, now + EVERY));
            self.0.changed.notify_all();
        }
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.0.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// A search begins.
    pub(super) fn begin(&self, mover: Player) {
        self.lock().asked = Some((mover, Instant::now() + EVERY));
    }

    /// The search has ended: from now on nothing is written about it.
    pub(super) fn end(&self) {
        let mut state = self.lock();
        (state.asked, state.line) = (None, None);
    }

    /// Nothing more will be told.
    pub(super) fn close(&self) {
        self.lock().over = true;
        self.0.changed.notify_all();
    }

    /// Writes what is told until the end.
    pub(super) fn write(&self, mut say: impl FnMut(&str)) {
        let mut state = self.lock();
        while !state.over {
            if let Some(line) = state.line.take() {
                say(&line);
            }
            state = self.0.changed.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
    }
}

/// A line that says what was found about a move, with its end.
pub(super) fn message(report: &ReportOf<Gomoku>, m: Point, mover: Player, rank: Option<usize>) -> String {
    let line = report.moves.iter().find(|line| line.m == m);
    let value = line.map_or(report.value, |line| Some(line.value)).filter(|v| v.is_finite());
    let ends_in = line.map_or(report.ends_in, |line| line.ends_in);
    let millis = report.elapsed.as_millis();
    let per_ms = (report.nodes as f64 / report.elapsed.as_secs_f64().max(1e-6) / 1000.0).round();
    let mut out = format!("MESSAGE depth {0}-{0}", report.depth);
    if let Some(rank) = rank {
        out += &format!(" multipv {rank}");
    }
    let own = f64::from(mover.sign()) * value.unwrap_or(0.0);
    match ends_in {
        Some(moves) if own > 0.0 => out += &format!(" ev +M{moves}"),
        Some(moves) if own < 0.0 => out += &format!(" ev -M{moves}"),
        _ => out += &format!(" ev {}", score(own)),
    }
    out += &format!(" n {} n/ms {per_ms} tm {millis} pv {}", report.nodes, text(m));
    for step in line.map_or(&[][..], |line| &line.line).iter().take(MOVES - 1) {
        let Step::Move(m) = *step else { break };
        out = out + " " + &text(m);
    }
    out + "\n"
}

/// A value in points, -1 to 1, as a number on a logistic scale: the chance to win, (1 + value) / 2, is 1 / (1 + e^(-score / 400)).
fn score(value: f64) -> i64 {
    (800.0 * value.clamp(-0.999_999, 0.999_999).atanh()).round() as i64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scores_are_logistic() {
        for (value, expected) in [(0.0, 0), (0.5, 439), (-0.5, -439), (1.0, 5803), (-7.0, -5803)] {
            assert_eq!(score(value), expected);
        }
        let chance = 1.0 / (1.0 + (-f64::from(439) / 400.0).exp());
        assert!((chance - 0.75).abs() < 0.001);
    }
}

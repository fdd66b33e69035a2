//! What a decision may spend.

use std::time::{Duration, Instant};

use search_core::{Limits, StopFlag};

/// What a decision may spend, and what it has spent.
pub(super) struct Budget<'a> {
    limits: &'a Limits,
    started: Instant,
    pub(super) nodes: u64,
}

impl<'a> Budget<'a> {
    pub(super) fn new(limits: &'a Limits) -> Self {
        Self { limits, started: Instant::now(), nodes: 0 }
    }

    /// So many hundredths of what is left of time and nodes, and the other limits.
    pub(super) fn share(&self, hundredths: u32) -> Limits {
        let mut rest = self.limits.clone();
        rest.time = self.limits.time.map(|time| time.saturating_sub(self.started.elapsed()) / 100 * hundredths);
        rest.nodes = self.limits.nodes.map(|most| {
            let left = u128::from(most.saturating_sub(self.nodes));
            ((left * u128::from(hundredths) / 100) as u64).max(1)
        });
        rest
    }

    /// How long ago it began.
    pub(super) fn elapsed(&self) -> Duration {
        self.started.elapsed()
    }

    /// Whether time and flag allow more.
    pub(super) fn go_on(&self) -> impl Fn() -> bool + Send + Sync + 'static {
        let stop = self.limits.stop.clone();
        // A time too long for the clock is no limit.
        let deadline = self.limits.time.and_then(|time| self.started.checked_add(time));
        move || !stop.as_ref().is_some_and(StopFlag::is_raised) && deadline.is_none_or(|deadline| Instant::now() < deadline)
    }

    /// Whether what is left is not worth another search.
    pub(super) fn is_nearly_spent(&self) -> bool {
        let Limits { nodes, time, stop, .. } = self.limits;
        stop.as_ref().is_some_and(StopFlag::is_raised)
            || time.is_some_and(|time| self.started.elapsed() > time / 10 * 9)
            || nodes.is_some_and(|most| self.nodes > most / 10 * 9)
    }
}

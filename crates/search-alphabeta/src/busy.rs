//! Which moves other threads are just searching.

use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use gamecore::mix;

/// Moves that are being searched, so that other threads try something else first and find the result in the table later
/// (simplified ABDADA, Kerrigan 2017). A hint: what is forgotten or left behind only costs time.
#[derive(Debug)]
pub(crate) struct Busy(Vec<AtomicU64>);

const SLOTS: usize = 1 << 12;

impl Busy {
    pub(crate) fn new() -> Self {
        Self((0..SLOTS).map(|_| AtomicU64::new(0)).collect())
    }

    /// Names a move, by its place in the list, in a position.
    #[inline]
    pub(crate) fn name(key: u64, place: usize) -> u64 {
        mix(key.wrapping_add(place as u64 + 1))
    }

    #[inline]
    fn slot(&self, name: u64) -> &AtomicU64 {
        &self.0[name as usize % SLOTS]
    }

    /// Whether somebody is searching this move.
    #[inline]
    pub(crate) fn has(&self, name: u64) -> bool {
        self.slot(name).load(Relaxed) == name
    }

    #[inline]
    pub(crate) fn begin(&self, name: u64) {
        self.slot(name).store(name, Relaxed);
    }

    #[inline]
    pub(crate) fn end(&self, name: u64) {
        if self.has(name) {
            self.slot(name).store(0, Relaxed);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moves_are_busy_from_begin_to_end() {
        let busy = Busy::new();
        let names: Vec<u64> = (0..4).flat_map(|key| (0..4).map(move |place| Busy::name(key * 977, place))).collect();
        for &name in &names {
            assert!(!busy.has(name));
            busy.begin(name);
            assert!(busy.has(name) && names.iter().filter(|&&n| busy.has(n)).count() == 1);
            busy.end(name);
        }
        assert!(names.iter().all(|&n| !busy.has(n)));
    }
}

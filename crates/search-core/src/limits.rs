//! When a search stops.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// What a search may spend; whichever comes first. The default has no limit at all.
///
/// # Examples
/// ```
/// use search_core::Limits;
/// use std::time::Duration;
/// let limits = Limits::time(Duration::from_millis(50)).and_depth(6);
/// assert_eq!(limits.depth, Some(6));
/// ```
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct Limits {
    /// Decisions to look ahead; rolls are free. A search looks at least one decision ahead.
    pub depth: Option<u32>,
    /// Nodes to visit, or playouts to run, by the whole search, however many threads it has. What a search counts together (the moves of a last decision) it finishes.
    pub nodes: Option<u64>,
    /// Wall-clock time.
    pub time: Option<Duration>,
    /// What the game's clock shows for whoever is asked, more than `time` as a rule: who uses it up has lost. For engines
    /// that divide their time themselves; a search keeps to `time`, and may keep the clock's time where it is far more.
    pub left: Option<Duration>,
    /// Bytes for the search's tables or tree.
    pub memory: Option<usize>,
    /// Raised by somebody else to stop the search.
    pub stop: Option<StopFlag>,
}

impl Limits {
    /// Only a depth, in decisions.
    #[must_use]
    pub fn depth(depth: u32) -> Self {
        Self::default().and_depth(depth)
    }

    /// Only a number of nodes or playouts.
    #[must_use]
    pub fn nodes(nodes: u64) -> Self {
        Self { nodes: Some(nodes), ..Self::default() }
    }

    /// Only a time.
    #[must_use]
    pub fn time(time: Duration) -> Self {
        Self { time: Some(time), ..Self::default() }
    }

    /// The same limits, and a depth.
    #[must_use]
    pub fn and_depth(self, depth: u32) -> Self {
        Self { depth: Some(depth), ..self }
    }

    /// The same limits, and a number of nodes or playouts.
    #[must_use]
    pub fn and_nodes(self, nodes: u64) -> Self {
        Self { nodes: Some(nodes), ..self }
    }

    /// The same limits, and a time.
    #[must_use]
    pub fn and_time(self, time: Duration) -> Self {
        Self { time: Some(time), ..self }
    }

    /// The same limits, and what the game's clock shows.
    #[must_use]
    pub fn and_left(self, left: Duration) -> Self {
        Self { left: Some(left), ..self }
    }

    /// The same limits, and bytes of memory.
    #[must_use]
    pub fn and_memory(self, bytes: usize) -> Self {
        Self { memory: Some(bytes), ..self }
    }

    /// The same limits, and a flag that stops the search when raised.
    #[must_use]
    pub fn and_stop(self, stop: StopFlag) -> Self {
        Self { stop: Some(stop), ..self }
    }
}

/// A flag by which one thread stops the searches of others. Clones share the flag.
///
/// # Examples
/// ```
/// use search_core::StopFlag;
/// let (program, mut limits) = (StopFlag::default(), search_core::Limits::default());
/// limits.stop = Some(program.child());
/// program.raise();
/// assert!(limits.stop.unwrap().is_raised());
/// ```
#[derive(Clone, Debug, Default)]
pub struct StopFlag(Arc<Flag>);

#[derive(Debug, Default)]
struct Flag {
    raised: AtomicBool,
    parent: Option<StopFlag>,
}

impl StopFlag {
    /// Raises the flag.
    pub fn raise(&self) {
        self.0.raised.store(true, Ordering::Relaxed);
    }

    /// A flag of its own that is raised when this one is, too: what it stops is a part of what this one stops.
    #[must_use]
    pub fn child(&self) -> Self {
        Self(Arc::new(Flag { raised: AtomicBool::new(false), parent: Some(self.clone()) }))
    }

    /// Lowers the flag, for the next search; a flag that it is a child of stays as it is.
    pub fn lower(&self) {
        self.0.raised.store(false, Ordering::Relaxed);
    }

    /// Whether the flag is raised.
    #[must_use]
    pub fn is_raised(&self) -> bool {
        self.0.raised.load(Ordering::Relaxed) || self.0.parent.as_ref().is_some_and(Self::is_raised)
    }
}

/// Why a search stopped.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum StopReason {
    /// The depth that was asked for was reached, or the greatest that the search looks to.
    Depth,
    /// Everything below the root that matters was searched to the end of the game: the value is exact, more time changes nothing.
    Solved,
    /// The node or playout limit was reached.
    Nodes,
    /// The time was up.
    Time,
    /// The memory was used up.
    Memory,
    /// The flag was raised.
    Stopped,
    /// There was no search: the answer is from an opening [`Book`](crate::Book).
    Book,
}

impl core::fmt::Display for StopReason {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.write_str(match self {
            Self::Depth => "depth reached",
            Self::Solved => "solved to the end of the game",
            Self::Nodes => "node limit",
            Self::Time => "time limit",
            Self::Memory => "memory limit",
            Self::Stopped => "stopped",
            Self::Book => "from the opening book",
        })
    }
}

/// How long a search may go without looking at the clock.
const CHECK_EVERY: Duration = Duration::from_micros(200);
/// The most nodes between two looks, however fast they are.
const MOST_NODES: u64 = 4096;

/// Counts a running search's nodes and says when its [`Limits`] are reached.
///
/// The clock is read only now and then: the number of nodes between two looks follows the speed of the game, so that
/// a slow game (milliseconds a move) is stopped as promptly as a fast one.
#[derive(Debug)]
pub struct Watch {
    started: Instant,
    deadline: Option<Instant>,
    stop: Option<StopFlag>,
    node_limit: u64,
    nodes: u64,
    /// Look at the limits when `nodes` reaches this.
    look_at: u64,
    looked: Instant,
    interval: u64,
    reason: Option<StopReason>,
}

impl Watch {
    /// Starts the clock.
    #[must_use]
    pub fn start(limits: &Limits) -> Self {
        let started = Instant::now();
        let node_limit = limits.nodes.unwrap_or(u64::MAX);
        Self {
            started,
            // A time too long for the clock is no limit.
            deadline: limits.time.and_then(|t| started.checked_add(t)),
            stop: limits.stop.clone(),
            node_limit,
            nodes: 0,
            look_at: node_limit.min(1),
            looked: started,
            interval: 1,
            reason: None,
        }
    }

    /// Counts `n` more nodes. True if the search must stop now, and from then on.
    #[inline(always)]
    pub fn count(&mut self, n: u64) -> bool {
        self.nodes = self.nodes.saturating_add(n);
        self.nodes >= self.look_at && self.look()
    }

    #[cold]
    fn look(&mut self) -> bool {
        if self.reason.is_some() {
            return true;
        }
        if self.nodes >= self.node_limit {
            self.reason = Some(StopReason::Nodes);
        } else if self.stop.as_ref().is_some_and(StopFlag::is_raised) {
            self.reason = Some(StopReason::Stopped);
        } else {
            let now = Instant::now();
            if self.deadline.is_some_and(|d| now >= d) {
                self.reason = Some(StopReason::Time);
            } else {
                let since = now - self.looked;
                self.looked = now;
                if since < CHECK_EVERY / 2 {
                    self.interval = (self.interval * 2).min(MOST_NODES);
                } else if since > CHECK_EVERY {
                    self.interval = (self.interval / 2).max(1);
                }
                self.look_at = self.nodes.saturating_add(self.interval).min(self.node_limit);
                return false;
            }
        }
        // Every later count looks again, and stops.
        self.look_at = 0;
        true
    }

    /// Nodes counted so far.
    #[inline]
    #[must_use]
    pub fn nodes(&self) -> u64 {
        self.nodes
    }

    /// Time since the start.
    #[must_use]
    pub fn elapsed(&self) -> Duration {
        self.started.elapsed()
    }

    /// Why the search must stop, if it must.
    #[inline]
    #[must_use]
    pub fn reason(&self) -> Option<StopReason> {
        self.reason
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn node_limits_are_exact_and_final() {
        for limit in [0, 1, 7, 10_000] {
            let mut watch = Watch::start(&Limits::nodes(limit));
            while !watch.count(1) {}
            assert_eq!(watch.nodes(), limit.max(1));
            assert_eq!(watch.reason(), Some(StopReason::Nodes));
            assert!(watch.count(1) && watch.count(0));
        }
    }

    #[test]
    fn a_raised_flag_stops_within_an_interval() {
        let flag = StopFlag::default();
        let mut watch = Watch::start(&Limits::default().and_stop(flag.clone()));
        for _ in 0..100_000 {
            assert!(!watch.count(1));
        }
        flag.raise();
        let before = watch.nodes();
        while !watch.count(1) {}
        assert!(watch.nodes() - before <= MOST_NODES);
        assert_eq!(watch.reason(), Some(StopReason::Stopped));
    }

    #[test]
    fn no_time_at_all_stops_at_the_first_node() {
        let mut watch = Watch::start(&Limits::time(Duration::ZERO));
        assert!(watch.count(1));
        assert_eq!(watch.reason(), Some(StopReason::Time));
        assert!(!Watch::start(&Limits::time(Duration::MAX)).count(1));
    }
}

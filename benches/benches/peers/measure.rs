//! Time and memory of a search.

use std::alloc::{GlobalAlloc, Layout, System};
use std::any::Any;
use std::sync::atomic::Ordering::Relaxed;
use std::sync::atomic::{AtomicBool, AtomicUsize};
use std::time::Duration;

use cpu_time::ProcessTime;

/// A search to be measured.
pub(crate) struct Row<'a> {
    pub(crate) name: &'static str,
    /// Does with a seed what is not measured, and leaves what is.
    pub(crate) prepare: Box<dyn Fn(u64) -> Job<'a> + 'a>,
}

/// What is measured: from the position to the chosen move.
pub(crate) type Job<'a> = Box<dyn FnOnce() -> Done + 'a>;

/// What a search did.
pub(crate) struct Done {
    /// The move, for people; `None` if nobody chose any.
    pub(crate) best: Option<String>,
    /// Positions in its tree, or moves that it made, if it says.
    pub(crate) nodes: Option<usize>,
    /// Playouts that it counted, if it says.
    pub(crate) playouts: Option<u64>,
    /// What is to be dropped when the clock has stopped.
    pub(crate) rest: Box<dyn Any>,
}

impl Row<'_> {
    /// A search that has nothing to prepare.
    pub(crate) fn new<'a>(name: &'static str, job: impl Fn(u64) -> Done + Clone + 'a) -> Row<'a> {
        let prepare = move |seed| {
            let job = job.clone();
            Box::new(move || job(seed)) as Job<'a>
        };
        Row { name, prepare: Box::new(prepare) }
    }
}

/// A search as it was measured.
pub(crate) struct Measured {
    /// CPU time of the process, user and system: of each seed the best, added up.
    pub(crate) time: Duration,
    /// [`Done::nodes`] of the runs whose time counts, added up.
    pub(crate) nodes: usize,
    /// The most bytes that it held at once, and how often it asked for memory.
    pub(crate) peak: usize,
    pub(crate) allocations: usize,
    pub(crate) done: Done,
}

/// Measures each row: memory once, then time, with several seeds because trees of one size differ in shape. The rounds visit
/// every row, so that a busy spell of the machine does not hit one row alone.
pub(crate) fn all(rows: &[Row<'_>], seeds: u64, rounds: usize) -> Vec<Measured> {
    let memory = |row: &Row<'_>| {
        let (mut done, peak, allocations) = counted((row.prepare)(1));
        done.rest = Box::new(());
        Measured { time: Duration::ZERO, nodes: 0, peak, allocations, done }
    };
    let mut results: Vec<Measured> = rows.iter().map(memory).collect();
    for seed in 1..=seeds {
        let mut best = vec![(Duration::MAX, 0); rows.len()];
        for _ in 0..rounds {
            for (row, best) in rows.iter().zip(&mut best) {
                // Twice: what the row before left behind, in caches and in the allocator's lists, is not this row's.
                for _ in 0..2 {
                    let job = (row.prepare)(seed);
                    let started = ProcessTime::now();
                    let done = job();
                    *best = (started.elapsed(), done.nodes.unwrap_or(0)).min(*best);
                    drop(done);
                }
            }
        }
        for (result, (time, nodes)) in results.iter_mut().zip(best) {
            result.time += time;
            result.nodes += nodes;
        }
    }
    results
}

/// The system's allocator, which counts on demand.
struct Counting;

#[global_allocator]
static ALLOCATOR: Counting = Counting;

static ON: AtomicBool = AtomicBool::new(false);
static LIVE: AtomicUsize = AtomicUsize::new(0);
static PEAK: AtomicUsize = AtomicUsize::new(0);
static COUNT: AtomicUsize = AtomicUsize::new(0);

impl Counting {
    /// What was there before counting began may be returned meanwhile: the difference wraps, and counts as nothing.
    fn note(&self, more: usize, less: usize, asked: usize) {
        if ON.load(Relaxed) {
            let live = LIVE.fetch_add(more.wrapping_sub(less), Relaxed).wrapping_add(more).wrapping_sub(less);
            if live.cast_signed() > 0 {
                PEAK.fetch_max(live, Relaxed);
            }
            COUNT.fetch_add(asked, Relaxed);
        }
    }
}

// SAFETY: every call is passed on as it is; counting touches nothing but numbers.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        self.note(layout.size(), 0, 1);
        // SAFETY: the caller's promises are the callee's demands, here and below.
        unsafe { System.alloc(layout) }
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        self.note(layout.size(), 0, 1);
        // SAFETY: as above.
        unsafe { System.alloc_zeroed(layout) }
    }

    unsafe fn realloc(&self, ptr: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        self.note(size, layout.size(), 1);
        // SAFETY: as above.
        unsafe { System.realloc(ptr, layout, size) }
    }

    unsafe fn dealloc(&self, ptr: *mut u8, layout: Layout) {
        self.note(0, layout.size(), 0);
        // SAFETY: as above.
        unsafe { System.dealloc(ptr, layout) }
    }
}

/// What a job did, the most bytes that it held at once, and how often it asked for memory.
fn counted(job: Job<'_>) -> (Done, usize, usize) {
    for number in [&LIVE, &PEAK, &COUNT] {
        number.store(0, Relaxed);
    }
    ON.store(true, Relaxed);
    let done = job();
    ON.store(false, Relaxed);
    (done, PEAK.load(Relaxed), COUNT.load(Relaxed))
}

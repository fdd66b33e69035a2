//! Work shared by threads.

use std::num::NonZero;
use std::panic::resume_unwind;
use std::thread;

/// 0 stands for as many threads as there are processors.
pub(crate) fn threads(asked: usize) -> usize {
    if asked > 0 { asked } else { thread::available_parallelism().map_or(1, NonZero::get) }
}

/// The results of `work` for every item, in their order.
///
/// `S` is what one thread keeps from item to item. Threads take turns at the items, so those that grow along the list are
/// shared evenly.
pub(crate) fn map<T: Sync, S: Default, R: Send>(threads: usize, items: &[T], work: impl Fn(&mut S, &T) -> R + Sync) -> Vec<R> {
    let threads = threads.min(items.len());
    let share = |thread: usize| {
        let mut state = S::default();
        items.iter().skip(thread).step_by(threads).map(|item| work(&mut state, item)).collect::<Vec<R>>()
    };
    if threads <= 1 {
        return if items.is_empty() { Vec::new() } else { share(0) };
    }
    let mut shares: Vec<_> = thread::scope(|scope| {
        let running: Vec<_> = (0..threads).map(|i| scope.spawn(move || share(i))).collect();
        running.into_iter().map(|thread| thread.join().unwrap_or_else(|panic| resume_unwind(panic)).into_iter()).collect()
    });
    (0..items.len()).filter_map(|i| shares[i % threads].next()).collect()
}

//! The transposition table.

use std::sync::atomic::{AtomicU64, Ordering};

use crate::{Bound, Limits};

/// What a table knows about a position searched to some depth.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Entry {
    /// For One; or a number that stands for it, as long as it says the same to whoever wrote it.
    pub value: f64,
    /// What `value` says.
    pub bound: Bound,
    /// Decisions looked ahead, at most 255.
    pub depth: u8,
    /// Whether the ends of the game were reached everywhere below: a deeper search would find the same.
    pub complete: bool,
    /// The best move's index in the game's list, if there is one to remember. Clamp it on reading: another position
    /// can share the key.
    pub best: Option<u16>,
}

/// 16 bytes: the packed entry xored with the value, and the value. A slot torn by two threads that write at once
/// fails the check of the key and reads as absent (Hyatt and Mann 2002).
#[derive(Debug, Default)]
struct Slot {
    packed: AtomicU64,
    value: AtomicU64,
}

/// One cache line.
#[derive(Debug, Default)]
#[repr(align(64))]
struct Bucket([Slot; 4]);

/// A table of positions by key, of fixed size, shared by threads without a lock.
///
/// Written by [`put`](Table::put), a position may stand in it once for each depth, because expectimax needs *equal* depths
/// to find the value that it would find without a table; written by [`replace`](Table::replace), once. A full bucket gives up entries of earlier searches first, then the shallowest. 32 bits
/// of the key are checked beside those that choose the bucket: one probe in 10^9 of a full table meets a stranger.
#[derive(Debug)]
pub struct Table {
    buckets: Vec<Bucket>,
    /// A bit for each bucket that may hold something: a table that was used little is cleared quickly, and before every
    /// game of a match it is cleared.
    used: Vec<AtomicU64>,
    /// The present search, modulo 32.
    age: u64,
}

const MOVE_SHIFT: u32 = 16;
const DEPTH_SHIFT: u32 = 8;
const COMPLETE: u64 = 1 << 7;
const BOUND_SHIFT: u32 = 5;
const AGE_MASK: u64 = 31;
const NO_MOVE: u64 = 0xFFFF;

impl Table {
    /// An empty table of at most `bytes`; less than 64 bytes is a table that remembers nothing.
    ///
    /// # Panics
    /// If so much memory cannot be had.
    #[must_use]
    pub fn with_bytes(bytes: usize) -> Self {
        let mut buckets = Vec::new();
        buckets.resize_with(bytes / size_of::<Bucket>(), Bucket::default);
        let mut used = Vec::new();
        used.resize_with(buckets.len().div_ceil(64), AtomicU64::default);
        Self { buckets, used, age: 1 }
    }

    /// The memory it occupies, up to a five hundredth of bookkeeping.
    #[must_use]
    pub fn bytes(&self) -> usize {
        size_of_val(self.buckets.as_slice())
    }

    /// Brings it to the size that a search wants, at most what its limits allow, and tells it that a new search begins.
    ///
    /// # Panics
    /// If so much memory cannot be had.
    pub fn prepare(&mut self, bytes: usize, limits: &Limits) {
        let bytes = limits.memory.map_or(bytes, |most| most.min(bytes));
        if self.bytes().abs_diff(bytes) >= size_of::<Bucket>() {
            *self = Self::with_bytes(bytes);
        }
        self.new_search();
    }

    /// Forgets everything; takes the longer the more it knows.
    pub fn clear(&mut self) {
        for (word, buckets) in self.used.iter_mut().zip(self.buckets.chunks_mut(64)) {
            let word = word.get_mut();
            while *word != 0 {
                buckets[word.trailing_zeros() as usize] = Bucket::default();
                *word &= *word - 1;
            }
        }
    }

    /// Starts a new search: what is in the table stays, and makes way for what the new search finds.
    pub fn new_search(&mut self) {
        self.age = (self.age + 1) & AGE_MASK;
    }

    /// Whether it remembers nothing at all.
    #[inline]
    #[must_use]
    pub fn is_disabled(&self) -> bool {
        self.buckets.is_empty()
    }

    #[inline(always)]
    fn index(&self, key: u64) -> usize {
        ((u128::from(key) * self.buckets.len() as u128) >> 64) as usize
    }

    #[inline(always)]
    fn bucket(&self, key: u64) -> Option<&[Slot; 4]> {
        self.buckets.get(self.index(key)).map(|b| &b.0)
    }

    /// Brings what is known of a position near, for a question that comes soon: a large table is mostly waited for. On processors
    /// for which there is no such word, nothing happens.
    ///
    /// Alpha-beta with a table takes a tenth less time by it on small states (`cargo bench -p benches --features peers --bench peers --
    /// alpha-beta`), which is why there is `unsafe` code here.
    #[inline(always)]
    #[allow(unsafe_code)]
    pub fn prefetch(&self, key: u64) {
        #[cfg(all(target_arch = "x86_64", target_feature = "sse"))]
        if let Some(slots) = self.bucket(key) {
            use core::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
            // SAFETY: a prefetch reads and writes nothing and faults at no address; the instruction is part of SSE.
            unsafe { _mm_prefetch::<_MM_HINT_T0>(slots.as_ptr().cast()) }
        }
        #[cfg(not(all(target_arch = "x86_64", target_feature = "sse")))]
        let _ = key;
    }

    /// What is known of the position that holds for exactly `depth` decisions: an entry of that depth, or a complete
    /// one of less.
    #[inline]
    #[must_use]
    pub fn get(&self, key: u64, depth: u8) -> Option<Entry> {
        self.find(key, |packed| {
            let at = (packed >> DEPTH_SHIFT) as u8;
            at == depth || packed & COMPLETE != 0 && at <= depth
        })
    }

    /// The deepest entry of the position: for ordering moves, and for searches to which deeper is better.
    #[inline]
    #[must_use]
    pub fn deepest(&self, key: u64) -> Option<Entry> {
        let mut best: Option<Entry> = None;
        for slot in self.bucket(key)? {
            if let Some((packed, value)) = slot.read(key)
                && best.is_none_or(|b| b.depth < (packed >> DEPTH_SHIFT) as u8)
            {
                best = Some(unpack(packed, value));
            }
        }
        best
    }

    /// An entry of the position, whatever its depth: the one, if all were written by [`replace`](Table::replace).
    #[inline]
    #[must_use]
    pub fn any(&self, key: u64) -> Option<Entry> {
        self.find(key, |_| true)
    }

    #[inline(always)]
    fn find(&self, key: u64, fits: impl Fn(u64) -> bool) -> Option<Entry> {
        for slot in self.bucket(key)? {
            if let Some((packed, value)) = slot.read(key)
                && fits(packed)
            {
                return Some(unpack(packed, value));
            }
        }
        None
    }

    /// Remembers what was found, in place of an entry of the same position and depth.
    #[inline]
    pub fn put(&self, key: u64, entry: Entry) {
        self.write(key, entry, |depth| depth == entry.depth);
    }

    /// Remembers what was found, in place of whatever stood there of the same position: for searches that deepen and have no
    /// use for what they found before.
    #[inline]
    pub fn replace(&self, key: u64, entry: Entry) {
        self.write(key, entry, |_| true);
    }

    /// Writes an entry in place of one of the same position whose depth is `outdone`, or else of the least worth keeping.
    #[inline(always)]
    fn write(&self, key: u64, entry: Entry, outdone: impl Fn(u8) -> bool) {
        let Some(slots) = self.bucket(key) else { return };
        let (mut victim, mut least) = (&slots[0], u64::MAX);
        for slot in slots {
            let packed = slot.packed.load(Ordering::Relaxed) ^ slot.value.load(Ordering::Relaxed);
            let depth = (packed >> DEPTH_SHIFT) & 0xFF;
            let worth = if packed == 0 {
                0
            } else if packed >> 32 == key & 0xFFFF_FFFF && outdone(depth as u8) {
                victim = slot;
                break;
            } else {
                1 + depth + if packed & AGE_MASK == self.age { 256 } else { 0 }
            };
            if worth < least {
                (victim, least) = (slot, worth);
            }
        }
        let index = self.index(key);
        let (word, bit) = (&self.used[index / 64], 1 << (index % 64));
        if word.load(Ordering::Relaxed) & bit == 0 {
            word.fetch_or(bit, Ordering::Relaxed);
        }
        let packed = pack(key, entry, self.age);
        let value = entry.value.to_bits();
        victim.packed.store(packed ^ value, Ordering::Relaxed);
        victim.value.store(value, Ordering::Relaxed);
    }
}

impl Slot {
    /// The packed entry and the value, if they are `key`'s.
    #[inline(always)]
    fn read(&self, key: u64) -> Option<(u64, u64)> {
        let value = self.value.load(Ordering::Relaxed);
        let packed = self.packed.load(Ordering::Relaxed) ^ value;
        (packed >> 32 == key & 0xFFFF_FFFF && packed & (3 << BOUND_SHIFT) != 0).then_some((packed, value))
    }
}

#[inline(always)]
fn pack(key: u64, entry: Entry, age: u64) -> u64 {
    let bound = match entry.bound {
        Bound::Exact => 1,
        Bound::AtLeast => 2,
        Bound::AtMost => 3,
    };
    key << 32
        | entry.best.map_or(NO_MOVE, u64::from) << MOVE_SHIFT
        | u64::from(entry.depth) << DEPTH_SHIFT
        | if entry.complete { COMPLETE } else { 0 }
        | bound << BOUND_SHIFT
        | age
}

#[inline(always)]
fn unpack(packed: u64, value: u64) -> Entry {
    let best = packed >> MOVE_SHIFT & 0xFFFF;
    Entry {
        value: f64::from_bits(value),
        bound: match packed >> BOUND_SHIFT & 3 {
            1 => Bound::Exact,
            2 => Bound::AtLeast,
            _ => Bound::AtMost,
        },
        depth: (packed >> DEPTH_SHIFT) as u8,
        complete: packed & COMPLETE != 0,
        best: (best != NO_MOVE).then_some(best as u16),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use gamecore::mix;
    use proptest::prelude::*;

    fn entry(value: f64, depth: u8) -> Entry {
        Entry { value, bound: Bound::Exact, depth, complete: false, best: None }
    }

    proptest! {
        #[test]
        fn what_is_put_is_found(
            key: u64, value in -1e9..1e9f64, depth: u8, complete: bool, best in prop::option::of(0..0xFFFFu16), kind in 0..3usize,
        ) {
            let table = Table::with_bytes(1 << 12);
            let entry = Entry { value, bound: [Bound::Exact, Bound::AtLeast, Bound::AtMost][kind], depth, complete, best };
            table.put(key, entry);
            prop_assert_eq!(table.get(key, depth), Some(entry));
            prop_assert_eq!(table.deepest(key), Some(entry));
            prop_assert_eq!(table.get(key ^ 1, depth), None);
            if let Some(deeper) = depth.checked_add(1) {
                prop_assert_eq!(table.get(key, deeper), complete.then_some(entry));
            }
            if let Some(less) = depth.checked_sub(1) {
                prop_assert_eq!(table.get(key, less), None);
            }
        }
    }

    #[test]
    fn depths_of_one_position_live_side_by_side() {
        let table = Table::with_bytes(64);
        for depth in 1..=4 {
            table.put(9, entry(f64::from(depth), depth));
        }
        table.put(9, entry(-3.0, 3));
        assert_eq!([1, 2, 3, 4].map(|d| table.get(9, d).unwrap().value), [1.0, 2.0, -3.0, 4.0]);
        assert_eq!(table.deepest(9).unwrap().depth, 4);
    }

    #[test]
    fn replacing_leaves_one_entry_of_a_position() {
        let table = Table::with_bytes(64);
        for depth in [3, 5, 1] {
            table.replace(9, entry(f64::from(depth), depth));
            table.replace(8, entry(0.0, depth));
            assert_eq!(table.any(9), Some(entry(f64::from(depth), depth)));
            assert_eq!(table.deepest(9), table.any(9));
        }
        assert_eq!(table.any(7), None);
    }

    #[test]
    fn old_and_shallow_entries_make_way() {
        let mut table = Table::with_bytes(64);
        for (key, depth) in [(1, 9), (2, 5), (3, 1), (4, 7)] {
            table.put(key, entry(0.0, depth));
        }
        table.put(5, entry(0.0, 2));
        assert!(table.get(3, 1).is_none() && table.get(5, 2).is_some());
        table.new_search();
        table.put(6, entry(0.0, 1));
        table.put(7, entry(0.0, 1));
        // The two shallowest of the old search went; its deep ones are still there, the new ones too.
        assert!(table.get(1, 9).is_some() && table.get(4, 7).is_some());
        assert!(table.get(6, 1).is_some() && table.get(7, 1).is_some());
    }

    #[test]
    fn memory_is_capped_and_may_be_nothing() {
        for bytes in [0, 63, 64, 1000, 1 << 20] {
            let table = Table::with_bytes(bytes);
            assert!(table.bytes() <= bytes && bytes - table.bytes() < 64);
            table.put(1, entry(1.0, 1));
            assert_eq!(table.get(1, 1).is_some(), bytes >= 64);
        }
        let mut table = Table::with_bytes(1 << 10);
        (0..100).for_each(|k| table.put(mix(k), entry(0.0, 1)));
        table.clear();
        assert!((0..100).all(|k| table.get(mix(k), 1).is_none()));
    }

    /// Threads that write the same slots never make an entry that nobody put.
    #[test]
    fn torn_writes_read_as_absent() {
        let table = Table::with_bytes(64);
        std::thread::scope(|s| {
            for t in 0..2u64 {
                let table = &table;
                s.spawn(move || {
                    for i in 0..50_000u64 {
                        let key = i % 8 * 2 + t;
                        table.put(key, entry(key as f64, 1));
                        let other = i % 16;
                        if let Some(e) = table.get(other, 1) {
                            assert_eq!(e.value, other as f64);
                        }
                    }
                });
            }
        });
    }
}

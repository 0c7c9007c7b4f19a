//! The transposition table (TT, the hash table of USI): results of positions searched before, shared by all threads
//! without locks.
//!
//! A cluster fills one cache line and holds five entries. An entry is a 64-bit data word and a 32-bit check, both
//! atomic; the check is the key's low half combined with the folded data, so that two threads which write at once leave
//! an entry that matches no position instead of a mixed one (lockless hashing, Hyatt and Mann 2002). The other bits of
//! the key choose the cluster, by multiplication, so any number of clusters works.
//!
//! An entry carries the generation (the search) in which it was written. A new entry replaces the one with the least
//! depth minus 8 per generation of age; that of the same position stays if it is of this search and at least 4 plies
//! deeper. Both rules, and keeping the old move, are Stockfish's.
//!
//! Memory is fetched from the system before a search needs it; what a slow machine has not given in time is left out at
//! first.
//!
//! Knows nothing of positions: a move found here must be checked for legality before it is used.

use std::sync::Arc;
use std::sync::atomic::{
    AtomicBool, AtomicU8, AtomicU32, AtomicU64, AtomicUsize, Ordering::Relaxed,
};
use std::time::{Duration, Instant};

use rayon::prelude::*;

use super::report::Bound;
use crate::memory::{self, Fetching, ZeroIsValid, ZeroedRow};
use crate::score::Value;
use crate::shogi::{Move, scale_down};

/// Entries per cluster.
const WAYS: usize = 5;
/// Generations before the counter wraps.
const GENERATIONS: u8 = 32;
/// The depth that is stored as 1; a data word with depth bits 0 is an empty entry.
const DEPTH_OFFSET: i32 = -7;
/// Static evaluation stored where none is known.
const NO_EVAL: i16 = i16::MIN;
/// Clusters sampled for [`TranspositionTable::hashfull`].
const SAMPLE: usize = 1000;

/// Depth of entries that hold only a static evaluation.
pub(super) const DEPTH_UNSEARCHED: i32 = DEPTH_OFFSET + 1;

/// An entry of the table, unpacked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct TtEntry {
    /// The best move, not verified.
    pub mv: Option<Move>,
    /// The value counted from the position itself; meaningful only with a bound.
    pub value: Value,
    /// The static evaluation; `None` if it was not computed.
    pub eval: Option<Value>,
    /// The depth of the search behind the value.
    pub depth: i32,
    /// The kind of bound that the value is; `None` if only the evaluation is known.
    pub bound: Option<Bound>,
    /// Whether the position has been on a principal variation.
    pub pv: bool,
}

impl TtEntry {
    /// Of a position of which only the static evaluation is known.
    pub fn evaluation(eval: Value) -> Self {
        Self {
            mv: None,
            value: 0,
            eval: Some(eval),
            depth: DEPTH_UNSEARCHED,
            bound: None,
            pv: false,
        }
    }

    fn pack(&self, generation: u8) -> u64 {
        let mv = self.mv.map_or(0, Move::raw);
        let value = self.value as i16 as u16;
        let eval = self.eval.map_or(NO_EVAL, |eval| eval as i16) as u16;
        let depth = (self.depth - DEPTH_OFFSET).clamp(1, 255) as u8;
        let bound = self.bound.map_or(0, |bound| bound as u8);
        let flags = generation << 3 | u8::from(self.pv) << 2 | bound;
        u64::from(mv)
            | u64::from(value) << 16
            | u64::from(eval) << 32
            | u64::from(depth) << 48
            | u64::from(flags) << 56
    }

    fn unpack(data: u64) -> Self {
        let eval = (data >> 32) as i16;
        Self {
            mv: Move::from_raw(data as u16),
            value: Value::from((data >> 16) as i16),
            eval: (eval != NO_EVAL).then_some(Value::from(eval)),
            depth: packed_depth(data),
            bound: match data >> 56 & 3 {
                1 => Some(Bound::Upper),
                2 => Some(Bound::Lower),
                3 => Some(Bound::Exact),
                _ => None,
            },
            pv: data >> 58 & 1 != 0,
        }
    }
}

#[inline]
fn packed_depth(data: u64) -> i32 {
    (data >> 48 & 255) as i32 + DEPTH_OFFSET
}

#[inline]
fn is_empty(data: u64) -> bool {
    data >> 48 & 255 == 0
}

#[inline]
fn packed_generation(data: u64) -> u8 {
    (data >> 59) as u8
}

/// The check of a data word that belongs to `key`.
#[inline]
fn check_of(key: u64, data: u64) -> u32 {
    key as u32 ^ data as u32 ^ (data >> 32) as u32
}

/// One cache line of entries.
#[repr(align(64))]
struct Cluster {
    data: [AtomicU64; WAYS],
    check: [AtomicU32; WAYS],
}

// SAFETY: zeros are valid numbers, which need no drop; they make a cluster of empty entries.
#[allow(unsafe_code)]
unsafe impl ZeroIsValid for Cluster {}

impl Cluster {
    /// The entry of `key` as it is now, with its place.
    #[inline]
    fn find(&self, key: u64) -> Option<(usize, u64)> {
        (0..WAYS).find_map(|way| {
            let data = self.data[way].load(Relaxed);
            let check = self.check[way].load(Relaxed);
            (check == check_of(key, data) && !is_empty(data)).then_some((way, data))
        })
    }

    #[inline]
    fn write(&self, way: usize, key: u64, data: u64) {
        self.data[way].store(data, Relaxed);
        self.check[way].store(check_of(key, data), Relaxed);
    }

    /// The place whose entry is worth least: empty, or shallow and old.
    fn victim(&self, generation: u8) -> usize {
        let worth = |way: usize| {
            let data = self.data[way].load(Relaxed);
            if is_empty(data) {
                return i32::MIN;
            }
            packed_depth(data) - 8 * i32::from(age(data, generation))
        };
        (0..WAYS).min_by_key(|&way| worth(way)).unwrap_or(0)
    }

    /// Writes without changing anything, so that the system puts memory here.
    fn touch(&self) {
        let _ = self.check[0].compare_exchange(0, 0, Relaxed, Relaxed);
    }

    fn clear(&self) {
        for way in 0..WAYS {
            self.data[way].store(0, Relaxed);
            self.check[way].store(0, Relaxed);
        }
    }
}

/// The first of `mib`, its half, its quarter .. for which `allocate` succeeds.
fn first_that_fits<T>(mib: usize, allocate: impl Fn(usize) -> Option<T>) -> Option<(T, usize)> {
    std::iter::successors(Some(mib.max(1)), |size| (*size > 1).then_some(size / 2))
        .find_map(|size| Some((allocate(size)?, size)))
}

/// The age of an entry: how many searches (generations) ago it was written.
#[inline]
fn age(data: u64, generation: u8) -> u8 {
    generation.wrapping_sub(packed_generation(data)) % GENERATIONS
}

/// The transposition table.
pub(super) struct TranspositionTable {
    clusters: ZeroedRow<Cluster>,
    /// The clusters in use, from the first on.
    in_use: AtomicUsize,
    /// The clusters whose memory has been fetched.
    fetched: AtomicUsize,
    generation: AtomicU8,
    /// Whether anything was stored since the last clearing.
    dirty: AtomicBool,
}

/// Clusters whose memory is fetched at a time: 64 MiB, some tenths of a second on a slow machine.
const PORTION: usize = 32 * ZeroedRow::<Cluster>::PER_LARGE_PAGE;

impl TranspositionTable {
    /// An empty table of `mib` MiB, or of the largest power-of-two fraction of it that the machine can hold.
    /// Returns the size as well.
    pub fn new(mib: usize) -> (Self, usize) {
        first_that_fits(mib, Self::allocate)
            .unwrap_or_else(|| (Self::of(1).expect("room for a cache line"), 1))
    }

    fn allocate(mib: usize) -> Option<Self> {
        let bytes = mib.checked_mul(1 << 20)?;
        let length = bytes / size_of::<Cluster>();
        // Large pages that were set aside do not count as available memory.
        if let Some(clusters) = ZeroedRow::in_large_pages(length) {
            return Some(Self::with(clusters));
        }
        if !memory::has_room_for(bytes) {
            return None;
        }
        Self::of(length)
    }

    fn of(clusters: usize) -> Option<Self> {
        ZeroedRow::new(clusters).map(Self::with)
    }

    fn with(clusters: ZeroedRow<Cluster>) -> Self {
        Self {
            in_use: AtomicUsize::new(clusters.len()),
            fetched: AtomicUsize::new(clusters.len()),
            clusters,
            generation: AtomicU8::new(0),
            dirty: AtomicBool::new(false),
        }
    }

    /// Fetches the memory of the table from the system, with all processors, for up to `patience`. The table does
    /// without the rest until the [`Fetcher`] has it. Returns the MiB in use. To be called before anything is stored.
    pub fn fetch_memory(&self, patience: Duration) -> usize {
        let begin = Instant::now();
        let all = self.clusters.len();
        let mut done = 0;
        while done < all && (done == 0 || begin.elapsed() < patience) {
            let portion = done..(done + PORTION).min(all);
            done = portion.end;
            self.clusters.touch(portion, Cluster::touch);
        }
        self.fetched.store(done, Relaxed);
        self.in_use.store(done, Relaxed);
        (done * size_of::<Cluster>()) >> 20
    }

    /// Clears the table with all processors. Costs nothing if it is clear.
    pub fn clear(&self) {
        if self.dirty.swap(false, Relaxed) {
            self.used_clusters().par_iter().for_each(Cluster::clear);
            self.generation.store(0, Relaxed);
        }
        // The size in use decides where an entry is stored, so it may change only while the table is empty.
        self.in_use.store(self.fetched.load(Relaxed), Relaxed);
    }

    fn used_clusters(&self) -> &[Cluster] {
        &self.clusters[..self.in_use.load(Relaxed)]
    }

    /// Starts a new search: what is stored so far becomes older by one.
    pub fn advance(&self) {
        let next = (self.generation.load(Relaxed) + 1) % GENERATIONS;
        self.generation.store(next, Relaxed);
        self.dirty.store(true, Relaxed);
    }

    #[inline]
    fn cluster(&self, key: u64) -> &Cluster {
        &self.clusters[scale_down(key, self.in_use.load(Relaxed))]
    }

    /// Prefetches the cluster of a key that will be probed soon.
    #[inline]
    pub fn prefetch(&self, key: u64) {
        memory::prefetch(self.cluster(key));
    }

    /// The entry of the position with this key.
    #[inline]
    pub fn probe(&self, key: u64) -> Option<TtEntry> {
        let (_, data) = self.cluster(key).find(key)?;
        Some(TtEntry::unpack(data))
    }

    /// Stores an entry for the position with this key, unless the present one is worth more. A move stored before is
    /// kept if the new entry has none.
    pub fn store(&self, key: u64, mut entry: TtEntry) {
        let generation = self.generation.load(Relaxed);
        let cluster = self.cluster(key);
        let Some((way, old)) = cluster.find(key) else {
            let way = cluster.victim(generation);
            return cluster.write(way, key, entry.pack(generation));
        };
        let known = TtEntry::unpack(old);
        entry.mv = entry.mv.or(known.mv);
        let replaces = entry.bound == Some(Bound::Exact)
            || entry.depth + 2 * i32::from(entry.pv) > known.depth - 4
            || age(old, generation) != 0;
        if replaces {
            cluster.write(way, key, entry.pack(generation));
        } else if entry.mv != known.mv {
            let renewed = TtEntry {
                mv: entry.mv,
                ..known
            };
            cluster.write(way, key, renewed.pack(generation));
        }
    }

    /// Thousandths of the table that are filled with entries of the current search, from a sample.
    pub fn hashfull(&self) -> u32 {
        let generation = self.generation.load(Relaxed);
        let clusters = self.used_clusters();
        let sample = &clusters[..clusters.len().min(SAMPLE)];
        let words = sample.iter().flat_map(|cluster| &cluster.data);
        let filled = words
            .map(|word| word.load(Relaxed))
            .filter(|&data| !is_empty(data) && packed_generation(data) == generation)
            .count();
        (filled * 1000 / (sample.len() * WAYS)) as u32
    }
}

/// The memory that a table still lacks, on its way in the background. The table uses it once it is cleared.
pub(super) type Fetcher = Fetching<()>;

/// Fetches the memory that a table still lacks; `None` if nothing is missing, or the system gives no thread: the table
/// does without the rest then. The thread keeps the table alive, and with it memory that another table may need.
pub(super) fn fetch_rest(table: &Arc<TranspositionTable>) -> Option<Fetcher> {
    let first = table.fetched.load(Relaxed);
    if first == table.clusters.len() {
        return None;
    }
    let table = Arc::clone(table);
    Fetching::start(move |must_end| {
        let rest = table.clusters[first..].chunks(ZeroedRow::<Cluster>::PER_LARGE_PAGE);
        for page in rest.take_while(|_| !must_end.load(Relaxed)) {
            memory::touch_pages(page, Cluster::touch);
            table.fetched.fetch_add(page.len(), Relaxed);
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::shogi::SplitMix64;

    fn entry(depth: i32, value: Value) -> TtEntry {
        TtEntry {
            mv: "7g7f".parse().ok(),
            value,
            eval: Some(-value / 2),
            depth,
            bound: Some(Bound::Lower),
            pv: false,
        }
    }

    /// Keys that differ in the low half only, hence share a cluster.
    fn neighbours() -> impl Iterator<Item = u64> {
        (1..).map(|i| 0x1234_5678_0000_0000 + i * 0x10001)
    }

    #[test]
    fn entries_survive_packing() {
        for mv in [
            None,
            "7g7f".parse().ok(),
            "P*5e".parse().ok(),
            "8h2b+".parse().ok(),
        ] {
            for value in [0, 1, -1, 32_000, -32_000, 12_345] {
                for eval in [None, Some(0), Some(-26_000), Some(26_000)] {
                    for depth in [DEPTH_UNSEARCHED, -1, 0, 1, 60, 245] {
                        for bound in [
                            None,
                            Some(Bound::Upper),
                            Some(Bound::Lower),
                            Some(Bound::Exact),
                        ] {
                            let entry = TtEntry {
                                mv,
                                value,
                                eval,
                                depth,
                                bound,
                                pv: depth % 2 == 0,
                            };
                            assert_eq!(TtEntry::unpack(entry.pack(31)), entry);
                            assert_eq!(packed_generation(entry.pack(31)), 31);
                        }
                    }
                }
            }
        }
    }

    #[test]
    fn a_cluster_is_a_cache_line() {
        assert_eq!(size_of::<Cluster>(), 64);
        assert_eq!(align_of::<Cluster>(), 64);
        let (table, mib) = TranspositionTable::new(3);
        assert_eq!((table.clusters.len(), mib), (3 << 14, 3));
    }

    /// Other tests in the process take and give back little memory beside this table.
    #[cfg(target_os = "linux")]
    #[test]
    fn memory_comes_before_it_is_used() {
        let resident =
            || memory::kernel_number("/proc/self/status", "VmRSS:").expect("a number") as i64;
        let before = resident();
        let (table, _) = TranspositionTable::new(512);
        assert_eq!(table.fetch_memory(Duration::from_secs(100)), 512);
        assert!(resident() - before > 384 << 10);
        table.store(1 << 63, entry(7, 1));
        assert_eq!(table.probe(1 << 63), Some(entry(7, 1)));
    }

    #[test]
    fn what_comes_late_is_used_once_it_is_there() {
        let table = Arc::new(TranspositionTable::new(192).0);
        assert_eq!(table.fetch_memory(Duration::ZERO), 64);
        let keys: Vec<_> = (1..1000)
            .map(|i: u64| i.wrapping_mul(0x9e37_79b9_7f4a_7c15))
            .collect();
        let are_known = |table: &TranspositionTable| {
            keys.iter()
                .filter(|&&key| table.probe(key).is_some())
                .count()
        };
        keys.iter().for_each(|&key| table.store(key, entry(7, 1)));
        table.advance();
        let fetcher = fetch_rest(&table).expect("a thread");
        fetcher.join().expect("its end");
        assert_eq!(
            are_known(&table),
            keys.len(),
            "what is known stays in its place"
        );
        table.clear();
        assert_eq!(table.used_clusters().len(), table.clusters.len());
        assert!(fetch_rest(&table).is_none());
        assert_eq!(are_known(&table), 0);
        keys.iter().for_each(|&key| table.store(key, entry(7, 1)));
        assert_eq!(are_known(&table), keys.len());
    }

    #[test]
    fn a_table_may_go_before_its_memory_has_come() {
        let table = Arc::new(TranspositionTable::new(512).0);
        table.fetch_memory(Duration::ZERO);
        drop(fetch_rest(&table));
        assert_eq!(Arc::strong_count(&table), 1);
    }

    #[test]
    fn what_is_stored_is_found_and_nothing_else() {
        let (table, _) = TranspositionTable::new(1);
        let mut random = SplitMix64::new(1);
        let mut key = 0;
        for i in 0..1000 {
            key = random.next_u64();
            assert_eq!(table.probe(key), None);
            let stored = entry(i % 50, i);
            table.store(key, stored);
            assert_eq!(table.probe(key), Some(stored));
            assert_eq!(table.probe(key ^ 1), None);
        }
        table.advance();
        table.clear();
        assert_eq!(table.probe(key), None);
        // An empty entry belongs to no key, not even to those whose check would be 0.
        assert_eq!(table.probe(0), None);
    }

    #[test]
    fn the_shallowest_oldest_entry_makes_room() {
        let (table, _) = TranspositionTable::new(1);
        let keys: Vec<u64> = neighbours().take(WAYS + 2).collect();
        for (i, &key) in keys[..WAYS].iter().enumerate() {
            table.store(key, entry(10 + i as i32, 0));
        }
        table.store(keys[WAYS], entry(3, 0));
        assert_eq!(table.probe(keys[0]), None, "the shallowest went");
        table.advance();
        table.store(keys[1], entry(11, 0)); // renewed, now the youngest
        table.store(keys[WAYS + 1], entry(1, 0));
        assert_eq!(
            table.probe(keys[WAYS]),
            None,
            "the shallowest of the old ones went"
        );
        assert!(table.probe(keys[1]).is_some());
    }

    #[test]
    fn deep_results_are_kept_and_lack_of_a_move_erases_none() {
        let (table, _) = TranspositionTable::new(1);
        let deep = entry(20, 100);
        table.store(7, deep);
        let shallow = TtEntry {
            mv: None,
            ..entry(5, -3)
        };
        table.store(7, shallow);
        assert_eq!(table.probe(7), Some(deep));
        let other_move = TtEntry {
            mv: "2g2f".parse().ok(),
            ..shallow
        };
        table.store(7, other_move);
        assert_eq!(
            table.probe(7),
            Some(TtEntry {
                mv: other_move.mv,
                ..deep
            })
        );
        let exact = TtEntry {
            bound: Some(Bound::Exact),
            ..shallow
        };
        table.store(7, exact);
        assert_eq!(
            table.probe(7),
            Some(TtEntry {
                mv: other_move.mv,
                ..exact
            })
        );
    }

    #[test]
    fn a_torn_entry_reads_as_a_miss() {
        let (table, _) = TranspositionTable::new(1);
        for (key, other) in neighbours().zip(neighbours().skip(1)).take(200) {
            let (a, b) = (entry(9, 55), entry(10, -77));
            table.store(key, a);
            let cluster = table.cluster(key);
            let (way, _) = cluster.find(key).unwrap();
            // Half of another thread's write, of the same position and of another one.
            cluster.data[way].store(b.pack(0), Relaxed);
            assert_eq!(table.probe(key), None);
            assert_eq!(table.probe(other), None);
            cluster.write(way, key, a.pack(0));
            cluster.check[way].store(check_of(other, b.pack(0)), Relaxed);
            assert_eq!(table.probe(key), None);
            assert_eq!(table.probe(other), None);
        }
    }

    #[test]
    fn threads_that_race_never_read_a_mixture() {
        const ROUNDS: usize = if cfg!(miri) { 1000 } else { 20_000 };
        let (table, _) = TranspositionTable::new(1);
        // Value, depth and evaluation of an entry all tell its key, so that any mixture shows.
        let made_for = |i: i32| TtEntry {
            eval: Some(i),
            ..entry(i % 40, i)
        };
        let keys: Vec<u64> = neighbours().take(20).collect();
        std::thread::scope(|scope| {
            for offset in 0..3 {
                let (table, keys) = (&table, &keys);
                scope.spawn(move || {
                    for round in 0..ROUNDS {
                        let i = (round * 7 + offset) % keys.len();
                        if round % 2 == 0 {
                            table.store(keys[i], made_for(i as i32));
                        } else if let Some(found) = table.probe(keys[i]) {
                            assert_eq!(found, made_for(i as i32));
                        }
                    }
                });
            }
        });
    }

    #[test]
    fn only_entries_of_this_search_count_as_full() {
        let (table, _) = TranspositionTable::new(1);
        assert_eq!(table.hashfull(), 0);
        // Keys spread evenly over the sampled clusters.
        let step = u64::MAX / table.clusters.len() as u64;
        for cluster in 0..SAMPLE as u64 {
            table.store(cluster * step + step / 2, entry(1, 0));
        }
        assert_eq!(table.hashfull(), 200);
        table.advance();
        assert_eq!(table.hashfull(), 0);
    }

    #[test]
    #[cfg_attr(miri, ignore = "asks for more memory than Miri survives")]
    fn a_size_beyond_all_memory_is_halved_until_it_fits() {
        let with_limit = |limit| move |size| (size <= limit).then_some(());
        for (wish, limit, got) in [
            (256, 256, 256),
            (1000, 256, 250),
            (1 << 40, 3, 2),
            (0, 5, 1),
        ] {
            assert_eq!(first_that_fits(wish, with_limit(limit)), Some(((), got)));
        }
        assert_eq!(first_that_fits(1 << 40, with_limit(0)), None);
        for wish in [1 << 30, 1 << 43, usize::MAX] {
            assert!(TranspositionTable::allocate(wish).is_none(), "{wish} MiB");
        }
    }
}

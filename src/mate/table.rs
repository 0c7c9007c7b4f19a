//! The solver's transposition table: proof numbers and results of positions, in memory of bounded size.
//!
//! A position is filed under its board; the attacker's hand stands in the entry (the defender holds the rest of the
//! set). So one walk over the entries of a board finds results for other hands, too: a mate with less in hand is a
//! mate with more, and what cannot be mated with more cannot with less.
//!
//! Open addressing: the entries of a board follow each other from the board's home slot up to the first free slot.
//! The table begins small, so that easy problems stay within the processor's caches, and grows, into memory that was
//! fetched in the background before. Once it may not grow any more, the entries with the least work behind them are
//! dropped (the garbage collection of Nagai's SmallTreeGC).

use super::proof_number::{Len, PnValue};
use crate::memory::{self, ComingRow, ZeroedRow};
use crate::shogi::{Hand, scale_down};

/// An entry, packed in four words; zeros are a free slot.
#[derive(Clone, Copy)]
struct Entry {
    board: u64,
    hand: Hand,
    /// The least depth at which the position was visited.
    depth: u16,
    /// Whether a disproof that holds on some paths only was found.
    is_on_path: bool,
    pn: u32,
    dn: u32,
    /// The shortest mate proved.
    proved: Option<Len>,
    /// The greatest length up to which there is no mate.
    disproved: Option<Len>,
    /// Nodes spent on the position.
    work: u32,
}

type Slot = [u64; 4];

/// Flags beside the hand.
const USED: u64 = 1 << 32;
const ON_PATH: u64 = 1 << 63;

/// Slots of a new table, and how much it grows at a time. While it grows the old slots are still there.
const FIRST_SLOTS: usize = 1 << 15;
const GROWTH: usize = 16;

impl Entry {
    fn new(board: u64, hand: Hand) -> Self {
        Self {
            board,
            hand,
            depth: u16::MAX >> 1,
            is_on_path: false,
            pn: 0,
            dn: 0,
            proved: None,
            disproved: None,
            work: 0,
        }
    }

    #[inline]
    fn unpack(slot: &Slot) -> Self {
        let [board, key, numbers, results] = *slot;
        Self {
            board,
            hand: Hand::from_bits(key as u32),
            depth: (key >> 48) as u16 & 0x7fff,
            is_on_path: key & ON_PATH != 0,
            pn: numbers as u32,
            dn: (numbers >> 32) as u32,
            proved: Len::unpack(results as u16),
            disproved: Len::unpack((results >> 16) as u16),
            work: (results >> 32) as u32,
        }
    }

    #[inline]
    fn pack(&self) -> Slot {
        let on_path = if self.is_on_path { ON_PATH } else { 0 };
        [
            self.board,
            u64::from(self.hand.bits()) | USED | u64::from(self.depth) << 48 | on_path,
            u64::from(self.pn) | u64::from(self.dn) << 32,
            u64::from(Len::pack(self.proved))
                | u64::from(Len::pack(self.disproved)) << 16
                | u64::from(self.work) << 32,
        ]
    }
}

/// What the table knows of a position, for one length.
#[derive(Clone, Copy, Debug)]
pub(super) enum Known {
    /// A result that holds whatever led here.
    Result(PnValue),
    /// Numbers of an unfinished search of just this position.
    Open {
        value: PnValue,
        /// The least depth at which the position was visited.
        depth: u16,
        /// Whether a disproof may be known that holds on some paths only.
        is_on_path: bool,
    },
    /// Never visited. Similar positions say that the numbers are at least these.
    New { pn: u32, dn: u32 },
}

/// The table.
pub(super) struct Table {
    slots: ZeroedRow<Slot>,
    /// Empty slots that were in use when the table was smaller, and those of a table that has been cleared: memory that
    /// was taken once is kept.
    smaller: Vec<ZeroedRow<Slot>>,
    larger: Vec<ZeroedRow<Slot>>,
    /// The slots of the next size, whose memory is being fetched.
    coming: Option<ComingRow<4>>,
    used: usize,
    /// How many slots there may be.
    most: usize,
}

/// The table needs room when more than seven eighths are used.
const fn room(slots: usize) -> usize {
    slots - slots / 8
}

/// The next size is being fetched from here on ..
const fn foresight(slots: usize) -> usize {
    slots / 4
}

/// .. and waited for up to here.
const fn patience(slots: usize) -> usize {
    slots - slots / 32
}

/// Whether a table has larger slots.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Growth {
    Done,
    /// Their memory is still being fetched.
    Coming,
    /// There is no memory for them.
    Never,
}

impl Table {
    /// A table that never needs more than `bytes`.
    pub fn new(bytes: usize) -> Self {
        let most = (bytes / size_of::<Slot>() * (GROWTH - 1) / GROWTH).max(1024);
        Self {
            slots: ZeroedRow::new_or_small(FIRST_SLOTS.min(most), 1024),
            coming: None,
            smaller: Vec::new(),
            larger: Vec::new(),
            used: 0,
            most,
        }
    }

    /// Takes all memory that the table may ever need now, so that no work has to wait for it.
    pub fn fetch_memory(&mut self) {
        std::hint::black_box(&mut *self.slots).fill([0; 4]);
        while self.enlarge(true) == Growth::Done {}
        self.clear();
    }

    /// Forgets everything; the table is small again.
    pub fn clear(&mut self) {
        self.used = 0;
        self.slots.fill([0; 4]);
        while let Some(smaller) = self.smaller.pop() {
            let larger = std::mem::replace(&mut self.slots, smaller);
            self.larger.push(larger);
        }
    }

    /// How full the table is, in thousandths.
    pub fn permille(&self) -> u32 {
        (self.used * 1000 / self.most) as u32
    }

    #[inline]
    fn home(&self, board: u64) -> usize {
        scale_down(board, self.slots.len())
    }

    #[inline]
    fn is_free(&self, i: usize) -> bool {
        self.slots[i][1] & USED == 0
    }

    #[inline]
    fn next(&self, i: usize) -> usize {
        if i + 1 == self.slots.len() { 0 } else { i + 1 }
    }

    /// Prefetches the entries of a board that will be looked up soon.
    #[inline]
    pub fn prefetch(&self, board: u64) {
        memory::prefetch(&self.slots[self.home(board)]);
    }

    /// What is known of a position: can the attacker with `hand` mate in at most `len`?
    pub fn look_up(&self, board: u64, hand: Hand, len: Len) -> Known {
        let mut proof: Option<PnValue> = None;
        let mut open = None;
        let (mut pn, mut dn) = (0, 0);
        let mut i = self.home(board);
        while !self.is_free(i) {
            if self.slots[i][0] == board {
                let entry = Entry::unpack(&self.slots[i]);
                if hand.contains(entry.hand) {
                    match entry.proved {
                        Some(found) if found <= len => {
                            if proof.is_none_or(|best| found < best.len) {
                                proof = Some(PnValue::proof(found, entry.hand));
                            }
                        }
                        _ => dn = dn.max(entry.dn),
                    }
                }
                if entry.hand.contains(hand) {
                    match entry.disproved {
                        Some(found) if found >= len => {
                            return Known::Result(PnValue::disproof(found, entry.hand));
                        }
                        _ => pn = pn.max(entry.pn),
                    }
                }
                if entry.hand == hand && entry.pn > 0 {
                    open = Some((entry.depth, entry.is_on_path));
                }
            }
            i = self.next(i);
        }
        if let Some(proof) = proof {
            return Known::Result(proof);
        }
        match open {
            Some((depth, is_on_path)) => Known::Open {
                value: PnValue::open(pn.max(1), dn.max(1)),
                depth,
                is_on_path,
            },
            None => Known::New { pn, dn },
        }
    }

    /// Keeps the numbers of an unfinished search.
    pub fn store_open(&mut self, board: u64, hand: Hand, value: &PnValue, depth: usize, work: u64) {
        self.update(board, hand, work, |entry| {
            entry.pn = value.pn;
            entry.dn = value.dn;
            entry.depth = entry.depth.min(depth as u16);
        });
    }

    /// Notes that the position was disproved on some path.
    pub fn store_on_path(&mut self, board: u64, hand: Hand, depth: usize, work: u64) {
        self.update(board, hand, work, |entry| {
            entry.pn = entry.pn.max(1);
            entry.dn = entry.dn.max(1);
            entry.depth = entry.depth.min(depth as u16);
            entry.is_on_path = true;
        });
    }

    /// Keeps a result that holds whatever led to the position, for the hand named in it.
    pub fn store_result(&mut self, board: u64, value: &PnValue, work: u64) {
        self.update(board, value.hand, work, |entry| {
            if value.pn == 0 {
                entry.proved = Some(entry.proved.map_or(value.len, |len| len.min(value.len)));
            } else {
                let old = entry.disproved;
                entry.disproved = Some(old.map_or(value.len, |len| len.max(value.len)));
            }
        });
    }

    fn update(&mut self, board: u64, hand: Hand, work: u64, change: impl FnOnce(&mut Entry)) {
        let mut i = self.home(board);
        while !self.is_free(i) {
            let slot = &self.slots[i];
            if slot[0] == board && slot[1] as u32 == hand.bits() {
                let mut entry = Entry::unpack(slot);
                change(&mut entry);
                entry.work = entry.work.saturating_add(saturated(work));
                self.slots[i] = entry.pack();
                return;
            }
            i = self.next(i);
        }
        let mut entry = Entry::new(board, hand);
        change(&mut entry);
        entry.work = saturated(work);
        self.slots[i] = entry.pack();
        self.used += 1;
        if self.used == foresight(self.slots.len()) {
            self.foresee();
        }
        if self.used >= room(self.slots.len()) {
            self.grow();
        }
    }

    /// Moves to a larger table, or makes room in this one. A table whose memory comes slower than entries do is filled
    /// a bit more, but does not wait, except for the first few MiB.
    fn grow(&mut self) {
        match self.enlarge(self.slots.len() <= FIRST_SLOTS) {
            Growth::Done => {}
            Growth::Coming if self.used < patience(self.slots.len()) => return,
            Growth::Coming | Growth::Never => return self.collect_garbage(),
        }
        let Some(mut old) = self.smaller.pop() else {
            return;
        };
        for slot in old.iter_mut().filter(|slot| slot[1] & USED != 0) {
            self.put(std::mem::take(slot));
        }
        self.smaller.push(old);
    }

    /// Begins to fetch the memory of the next size, unless it is there or there is none. The table has as many slots as
    /// it may have then.
    fn foresee(&mut self) {
        if self.slots.len() == self.most || !self.larger.is_empty() || self.coming.is_some() {
            return;
        }
        let count = (self.slots.len() * GROWTH).min(self.most);
        self.coming = ComingRow::start_if_there_is_room(count);
        if self.coming.is_none() {
            self.most = self.slots.len();
        }
    }

    /// Puts larger slots, all free, in the place of those in use, if they are there or `must_wait`.
    fn enlarge(&mut self, must_wait: bool) -> Growth {
        if self.slots.len() == self.most {
            return Growth::Never;
        }
        if self.larger.is_empty() {
            self.foresee();
            match self.coming.take_if(|coming| must_wait || coming.is_there()) {
                Some(coming) => self.larger.extend(coming.take()),
                None if self.coming.is_some() => return Growth::Coming,
                None => return Growth::Never,
            }
        }
        let Some(slots) = self.larger.pop() else {
            self.most = self.slots.len();
            return Growth::Never;
        };
        self.smaller.push(std::mem::replace(&mut self.slots, slots));
        Growth::Done
    }

    /// Puts an entry into the first free slot from its home on.
    fn put(&mut self, slot: Slot) {
        let mut i = self.home(slot[0]);
        while !self.is_free(i) {
            i = self.next(i);
        }
        self.slots[i] = slot;
    }

    /// Throws out the entries with the least work behind them, about half of all.
    fn collect_garbage(&mut self) {
        let limit = self.median_work();
        let count = self.slots.len();
        for i in 0..count {
            if !self.is_free(i) && Entry::unpack(&self.slots[i]).work <= limit {
                self.slots[i] = [0; 4];
            }
        }
        self.close_gaps();
    }

    /// The amount of work that about half of the entries do not exceed.
    fn median_work(&self) -> u32 {
        const SAMPLES: usize = 4096;
        let step = (self.slots.len() / SAMPLES).max(1);
        let mut works: Vec<u32> = (0..self.slots.len())
            .step_by(step)
            .filter(|&i| !self.is_free(i))
            .map(|i| Entry::unpack(&self.slots[i]).work)
            .collect();
        let middle = works.len() / 2;
        if works.is_empty() {
            return 0;
        }
        *works.select_nth_unstable(middle).1
    }

    /// Moves every entry as near to its home as it gets, so that no walk ends at a gap too early.
    fn close_gaps(&mut self) {
        let count = self.slots.len();
        self.used = 0;
        let Some(start) = (0..count).find(|&i| self.is_free(i)) else {
            return;
        };
        for i in (0..count).map(|i| (start + i) % count) {
            if self.is_free(i) {
                continue;
            }
            let slot = std::mem::take(&mut self.slots[i]);
            self.put(slot);
            self.used += 1;
        }
    }
}

fn saturated(work: u64) -> u32 {
    u32::try_from(work).unwrap_or(u32::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn memory_that_was_taken_is_kept() {
        let mut table = Table::new(8 << 20);
        table.fetch_memory();
        let places = |table: &Table| {
            let all = table
                .larger
                .iter()
                .chain(&table.smaller)
                .chain([&table.slots]);
            let mut places: Vec<_> = all.map(|slots| (slots.len(), slots.as_ptr())).collect();
            places.sort_unstable();
            places
        };
        let taken = places(&table);
        let value = PnValue::disproof(Len::UNBOUNDED, Hand::EMPTY);
        let board = |i: u64| (i + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        for _ in 0..2 {
            assert_eq!(table.slots.len(), FIRST_SLOTS);
            (0..100_000).for_each(|i| table.store_result(board(i), &value, 1));
            assert_eq!(table.slots.len(), table.most);
            assert_eq!(table.used, 100_000);
            assert_eq!(places(&table), taken);
            table.clear();
            let is_free = |slots: &ZeroedRow<Slot>| slots.iter().all(|slot| *slot == [0; 4]);
            assert!(table.larger.iter().chain([&table.slots]).all(is_free));
        }
    }

    /// Whether the next size is there in time or not, what took work is kept.
    #[test]
    fn growing_waits_for_no_memory() {
        const SECOND: usize = FIRST_SLOTS * GROWTH;
        let value = PnValue::disproof(Len::UNBOUNDED, Hand::EMPTY);
        let board = |i: usize| (i as u64 + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        for is_late in [false, true] {
            let mut table = Table::new(64 << 20);
            let store = |numbers: std::ops::Range<usize>, table: &mut Table| {
                for i in numbers {
                    let work = if i % 100 == 0 { 1000 } else { 1 };
                    table.store_result(board(i), &value, work);
                }
            };
            store(0..foresight(SECOND), &mut table);
            assert_eq!(table.slots.len(), SECOND);
            assert!(table.coming.is_some());
            if is_late {
                table.coming = Some(ComingRow::never());
            }
            let is_due = |table: &Table| table.coming.as_ref().is_some_and(|row| !row.is_there());
            while !is_late && is_due(&table) {
                std::thread::yield_now();
            }
            store(foresight(SECOND)..2 * SECOND, &mut table);
            assert_eq!(table.slots.len() == SECOND, is_late);
            let is_known = |i: &usize| {
                let known = table.look_up(board(*i), Hand::EMPTY, Len::UNBOUNDED);
                matches!(known, Known::Result(_))
            };
            let known = (0..2 * SECOND).filter(is_known).count();
            assert_eq!(known == 2 * SECOND, !is_late);
            assert!((0..2 * SECOND).step_by(100).all(|i| is_known(&i)));
        }
    }

    /// Fills a table with far more positions than it has room for.
    #[test]
    fn memory_is_bounded_and_what_took_most_work_is_kept() {
        const BYTES: usize = 8 << 20;
        let mut table = Table::new(BYTES);
        let len = Len::UNBOUNDED;
        let board = |i: u64| (i + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        let count = 4 * BYTES as u64 / 32;
        for i in 0..count {
            let work = if i % 1000 == 0 { 1_000_000 } else { 1 };
            table.store_result(board(i), &PnValue::disproof(len, Hand::EMPTY), work);
            assert!(table.used <= room(table.slots.len()));
        }
        let old = table.slots.len() / GROWTH;
        assert!((table.slots.len() + old) * size_of::<Slot>() <= BYTES);
        assert!(table.slots.len() * size_of::<Slot>() > BYTES * 9 / 10);
        let is_known =
            |i: &u64| matches!(table.look_up(board(*i), Hand::EMPTY, len), Known::Result(_));
        let costly = (0..count).step_by(1000);
        assert_eq!(costly.clone().filter(is_known).count(), costly.count());
        assert!((0..count).filter(is_known).count() < table.slots.len());
    }
}

//! Memory for large tables: how much is available, large pages, memory touched before it is needed, and prefetching.
//!
//! Operating systems provide the memory of a page when the page is first touched. On virtual machines this may take
//! milliseconds, for which a search must not wait: so tables are touched beforehand.

use std::alloc::{Layout, alloc_zeroed, dealloc};
use std::ops::{Deref, DerefMut};
use std::ptr::NonNull;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::thread::{self, JoinHandle};

use rayon::prelude::*;
use sysinfo::System;

/// A page, the smallest piece of memory that systems give, in bytes.
pub(crate) const PAGE: usize = 4 << 10;
/// A large page, in bytes.
pub(crate) const LARGE_PAGE: usize = 2 << 20;

/// Bytes that can be allocated without forcing other memory out; `None` if the system does not tell. Asking for more
/// does not fail where memory is overcommitted: the process is killed later, when it touches it.
pub(crate) fn available() -> Option<u64> {
    if cfg!(miri) {
        return None; // it has no system to ask
    }
    let mut system = System::new().ok()?;
    system.refresh_memory();
    let free = Some(system.available_memory()).filter(|&bytes| bytes > 0);
    // A container may allow less, and so may the shell that started the process.
    let room = system.cgroup_limits().map(|limits| limits.free_memory);
    free.into_iter().chain(room).chain(address_space()).min()
}

/// Whether this much memory can be taken, according to the system.
pub(crate) fn has_room_for(bytes: usize) -> bool {
    available().is_none_or(|available| bytes as u64 <= available)
}

/// Bytes that a process may still take that was started with a limit of its own (`ulimit -v`).
#[cfg(target_os = "linux")]
fn address_space() -> Option<u64> {
    let limit = kernel_number("/proc/self/limits", "Max address space")?; // "unlimited" is no number
    let used = kernel_number("/proc/self/status", "VmSize:")? << 10;
    Some(limit.saturating_sub(used))
}

/// No limit that could be asked for on this system.
#[cfg(not(target_os = "linux"))]
fn address_space() -> Option<u64> {
    None
}

/// The number behind a name in a file in which the kernel tells how things are.
#[cfg(target_os = "linux")]
pub(crate) fn kernel_number(file: &str, name: &str) -> Option<u64> {
    let text = std::fs::read_to_string(file).ok()?;
    let line = text.lines().find_map(|line| line.strip_prefix(name))?;
    line.split_whitespace().next()?.parse().ok()
}

/// Types whose values may be all zero.
///
/// # Safety
///
/// Zero in every byte is a value of the type, and values need not be dropped.
#[allow(unsafe_code)]
pub(crate) unsafe trait ZeroIsValid: Sync + Send {}

// SAFETY: zeros are numbers, which need not be dropped.
#[allow(unsafe_code)]
unsafe impl<const N: usize> ZeroIsValid for [u64; N] {}

/// A long array of values that are zero at first, in large pages where the system has some: reserved ones (hugetlbfs)
/// or else transparent ones. A row of any length is allocated at once; its memory is provided by
/// [`touch`](Self::touch), or as it is used.
pub(crate) struct ZeroedRow<T: ZeroIsValid> {
    block: Block,
    /// Where the row begins: the first place in the block that suits a `T`.
    first: NonNull<T>,
    length: usize,
}

/// Where the memory of a row comes from.
enum Block {
    Allocated(NonNull<u8>, Layout),
    /// Reserved large pages, and their size in bytes.
    Mapped(NonNull<u8>, usize),
}

impl<T: ZeroIsValid> ZeroedRow<T> {
    /// Alignment with which allocators return zeroed pages as the system gives them; for a greater one they write the
    /// zeros themselves.
    const ALIGN: usize = 16;

    /// Values on a large page.
    pub const PER_LARGE_PAGE: usize = if size_of::<T>() < LARGE_PAGE {
        LARGE_PAGE / size_of::<T>()
    } else {
        1
    };

    /// A row of `length` values; `None` if there is not enough memory.
    pub fn new(length: usize) -> Option<Self> {
        Self::in_large_pages(length).or_else(|| Self::allocated(length))
    }

    /// A row of `length` values or, if there is not enough memory, of `least`.
    ///
    /// # Panics
    ///
    /// If there is not even memory for these.
    pub fn new_or_small(length: usize, least: usize) -> Self {
        let row = Self::new(length).or_else(|| Self::new(least));
        row.expect("memory for a small table")
    }

    /// A row in reserved large pages; `None` if the system has none to spare, or the row does not fill one.
    #[allow(unsafe_code)]
    pub fn in_large_pages(length: usize) -> Option<Self> {
        let bytes = length.checked_mul(size_of::<T>())?;
        if bytes < LARGE_PAGE || align_of::<T>() > LARGE_PAGE {
            return None;
        }
        let bytes = bytes.checked_next_multiple_of(LARGE_PAGE)?;
        let block = map_large_pages(bytes)?;
        Some(Self {
            block: Block::Mapped(block, bytes),
            first: block.cast(),
            length,
        })
    }

    #[allow(unsafe_code)]
    fn allocated(length: usize) -> Option<Self> {
        let bytes = length.checked_mul(size_of::<T>())?;
        let layout =
            Layout::from_size_align(bytes.checked_add(align_of::<T>())?, Self::ALIGN).ok()?;
        // SAFETY: the layout has at least the size of an alignment, which is not 0.
        let block = NonNull::new(unsafe { alloc_zeroed(layout) })?;
        let skipped = block.as_ptr().align_offset(align_of::<T>());
        // SAFETY: less than an alignment is skipped, and the block is longer than the row by one.
        let first = unsafe { block.add(skipped) }.cast::<T>();
        // SAFETY: `first` is aligned and begins a part of the block with room for the row; it is not shared yet, and by
        // the promise of `ZeroIsValid` its zeros are values.
        prefer_large_pages(unsafe { std::slice::from_raw_parts_mut(first.as_ptr(), length) });
        Some(Self {
            block: Block::Allocated(block, layout),
            first,
            length,
        })
    }

    /// Makes the system provide the memory of a part of the row, with all processors. `touch` must write to a value
    /// without changing it.
    pub fn touch(&self, part: std::ops::Range<usize>, touch: impl Fn(&T) + Sync) {
        self[part]
            .par_chunks(Self::PER_LARGE_PAGE)
            .for_each(|page| touch_pages(page, &touch));
    }
}

/// Makes the system provide the memory of the values, one page after the other. `touch` must write to a value without
/// changing it.
pub(crate) fn touch_pages<T>(values: &[T], touch: impl Fn(&T)) {
    values.iter().step_by(per_page::<T>()).for_each(touch);
}

/// How many values share a page, at least 1.
fn per_page<T>() -> usize {
    (PAGE / size_of::<T>()).max(1)
}

/// A thread that fetches memory in the background. It ends when this is dropped, so that the memory is free for
/// something else.
pub(crate) struct Fetching<T> {
    must_end: Arc<AtomicBool>,
    thread: Option<JoinHandle<T>>,
}

impl<T: Send + 'static> Fetching<T> {
    /// Starts a thread; `None` if the system gives none. `fetch` has to end soon once the flag is set.
    pub fn start(fetch: impl FnOnce(&AtomicBool) -> T + Send + 'static) -> Option<Self> {
        let must_end = Arc::new(AtomicBool::new(false));
        let order = Arc::clone(&must_end);
        let thread = thread::Builder::new().name("hien-memory".into());
        Some(Self {
            must_end,
            thread: Some(thread.spawn(move || fetch(&order)).ok()?),
        })
    }

    /// Whether the thread has ended.
    fn is_done(&self) -> bool {
        self.thread.as_ref().is_none_or(JoinHandle::is_finished)
    }

    /// What the thread fetched, once it has ended; `None` after a panic.
    pub fn join(mut self) -> Option<T> {
        self.thread.take()?.join().ok()
    }
}

impl<T> Drop for Fetching<T> {
    fn drop(&mut self) {
        self.must_end.store(true, Relaxed);
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}

/// A row whose memory is fetched in the background, for work that will need it soon.
pub(crate) struct ComingRow<const N: usize> {
    length: usize,
    /// `None` if the system gave no thread.
    fetching: Option<Fetching<Option<ZeroedRow<[u64; N]>>>>,
}

impl<const N: usize> ComingRow<N> {
    /// Begins to fetch the memory of a row; `None` if the system does not have that much.
    pub fn start_if_there_is_room(length: usize) -> Option<Self> {
        has_room_for(length * size_of::<[u64; N]>()).then(|| Self::start(length))
    }

    /// Begins to fetch the memory of a row.
    fn start(length: usize) -> Self {
        let fetch = move |must_end: &AtomicBool| {
            let mut row = ZeroedRow::<[u64; N]>::new(length)?;
            for page in row.chunks_mut(per_page::<[u64; N]>()) {
                if must_end.load(Relaxed) {
                    return None;
                }
                // The compiler knows that new memory is zero, and would leave plain zeros out.
                page[0] = std::hint::black_box([0; N]);
            }
            Some(row)
        };
        Self {
            length,
            fetching: Fetching::start(fetch),
        }
    }

    /// A row that never arrives.
    #[cfg(test)]
    pub fn never() -> Self {
        let wait = |must_end: &AtomicBool| {
            while !must_end.load(Relaxed) {
                thread::yield_now();
            }
            None
        };
        let fetching = Fetching::start(wait);
        assert!(fetching.is_some(), "a thread");
        Self {
            length: 0,
            fetching,
        }
    }

    /// Whether the row can be taken without waiting for memory.
    pub fn is_there(&self) -> bool {
        self.fetching.as_ref().is_none_or(Fetching::is_done)
    }

    /// Waits for the row; `None` if there is not enough memory. Without a thread to fetch it the memory is provided as
    /// it is used.
    pub fn take(self) -> Option<ZeroedRow<[u64; N]>> {
        match self.fetching {
            Some(fetching) => fetching.join().flatten(),
            None => ZeroedRow::new(self.length),
        }
    }
}

impl<T: ZeroIsValid> Deref for ZeroedRow<T> {
    type Target = [T];

    #[inline]
    #[allow(unsafe_code)]
    fn deref(&self) -> &[T] {
        // SAFETY: `first` is aligned and begins a part of the block with room for the row, whose bytes were zero, which
        // by the promise of `ZeroIsValid` are values. The block lives as long as `self`, and nobody else has access to
        // it.
        unsafe { std::slice::from_raw_parts(self.first.as_ptr(), self.length) }
    }
}

impl<T: ZeroIsValid> DerefMut for ZeroedRow<T> {
    #[inline]
    #[allow(unsafe_code)]
    fn deref_mut(&mut self) -> &mut [T] {
        // SAFETY: see `deref`; the exclusive borrow of `self` is one of the row.
        unsafe { std::slice::from_raw_parts_mut(self.first.as_ptr(), self.length) }
    }
}

impl<T: ZeroIsValid> Drop for ZeroedRow<T> {
    #[allow(unsafe_code)]
    fn drop(&mut self) {
        match self.block {
            // SAFETY: the block was allocated with this layout, and values need not be dropped.
            Block::Allocated(block, layout) => unsafe { dealloc(block.as_ptr(), layout) },
            Block::Mapped(block, bytes) => unmap_large_pages(block, bytes),
        }
    }
}

// SAFETY: the row owns its values, which may be sent and shared.
#[allow(unsafe_code)]
unsafe impl<T: ZeroIsValid> Send for ZeroedRow<T> {}

// SAFETY: as above; the row itself gives out shared references only.
#[allow(unsafe_code)]
unsafe impl<T: ZeroIsValid> Sync for ZeroedRow<T> {}

/// Maps `bytes`, a multiple of a large page, all zero, in reserved large pages (hugetlbfs). The pages are claimed at
/// once, so touching them cannot fail.
#[cfg(all(target_os = "linux", not(miri)))]
#[allow(unsafe_code)]
fn map_large_pages(bytes: usize) -> Option<NonNull<u8>> {
    let flags = libc::MAP_PRIVATE | libc::MAP_ANONYMOUS | libc::MAP_HUGETLB | libc::MAP_HUGE_2MB;
    let access = libc::PROT_READ | libc::PROT_WRITE;
    // SAFETY: new memory at a place of the system's choice concerns nothing that exists.
    let block = unsafe { libc::mmap(std::ptr::null_mut(), bytes, access, flags, -1, 0) };
    NonNull::new(block.cast()).filter(|_| block != libc::MAP_FAILED)
}

/// Gives back what [`map_large_pages`] gave.
#[cfg(all(target_os = "linux", not(miri)))]
#[allow(unsafe_code)]
fn unmap_large_pages(block: NonNull<u8>, bytes: usize) {
    // SAFETY: the range was mapped as a whole, and its only owner is being dropped.
    unsafe { libc::munmap(block.as_ptr().cast(), bytes) };
}

/// Nothing to ask for on this system.
#[cfg(not(all(target_os = "linux", not(miri))))]
fn map_large_pages(_: usize) -> Option<NonNull<u8>> {
    None
}

/// Nothing was mapped on this system.
#[cfg(not(all(target_os = "linux", not(miri))))]
fn unmap_large_pages(_: NonNull<u8>, _: usize) {}

/// Asks for large pages behind memory that has not been touched yet. Tables that are read at random are much faster on
/// them: so few pages fit the processor's TLB.
#[cfg(all(target_os = "linux", not(miri)))]
#[allow(unsafe_code)]
pub(crate) fn prefer_large_pages<T>(memory: &mut [T]) {
    // Advice must begin at a page.
    let length = size_of_val(memory);
    let start = memory.as_mut_ptr().cast::<libc::c_void>();
    let skipped = start.addr().next_multiple_of(PAGE) - start.addr();
    if length > skipped {
        let first = start.wrapping_byte_add(skipped);
        // SAFETY: the range lies within memory that the caller lends, and this advice changes neither its contents
        // nor who may use it. A refusal does no harm.
        unsafe { libc::madvise(first, length - skipped, libc::MADV_HUGEPAGE) };
    }
}

/// Nothing to ask for on this system.
#[cfg(not(all(target_os = "linux", not(miri))))]
pub(crate) fn prefer_large_pages<T>(_: &mut [T]) {}

/// Asks the processor to fetch what will be read soon.
#[inline]
#[allow(unsafe_code)]
pub(crate) fn prefetch<T>(item: &T) {
    #[cfg(target_arch = "x86_64")]
    {
        use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
        // SAFETY: a prefetch has no effect that a program can observe, whatever the address. SSE, which it needs,
        // is part of x86-64.
        unsafe { _mm_prefetch::<_MM_HINT_T0>(std::ptr::from_ref(item).cast()) };
    }
    #[cfg(not(target_arch = "x86_64"))]
    let _ = item;
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

    use super::*;

    #[repr(align(64))]
    struct Line([AtomicU64; 8]);

    // SAFETY: zeros are numbers, which need not be dropped.
    #[allow(unsafe_code)]
    unsafe impl ZeroIsValid for Line {}

    #[test]
    fn rows_are_zero_aligned_and_writable() {
        const MANY: usize = if cfg!(miri) { 1000 } else { 100_000 };
        for length in [1, 3, MANY] {
            let row = ZeroedRow::<Line>::new(length).unwrap();
            assert_eq!(row.len(), length);
            assert_eq!(row.as_ptr().addr() % 64, 0);
            for (line, number) in row.iter().zip(1..) {
                assert!(line.0.iter().all(|word| word.load(Relaxed) == 0));
                line.0[7].store(number, Relaxed);
            }
            assert_eq!(row[length - 1].0[7].load(Relaxed), length as u64);
        }
        assert!(ZeroedRow::<Line>::new(usize::MAX / 100).is_none());
        assert!(ZeroedRow::<Line>::new(usize::MAX).is_none());
    }

    #[test]
    fn touching_changes_nothing() {
        let mut row = ZeroedRow::<Line>::new(3 * PAGE).unwrap();
        row[70].0[0] = AtomicU64::new(7);
        let touch = |line: &Line| {
            let _ = line.0[0].compare_exchange(0, 0, Relaxed, Relaxed);
        };
        row.touch(0..100, touch);
        row.touch(100..3 * PAGE, touch);
        touch_pages(&row, touch);
        let sum: u64 = row
            .iter()
            .flat_map(|line| &line.0)
            .map(|word| word.load(Relaxed))
            .sum();
        assert_eq!(sum, 7);
    }

    #[test]
    fn rows_come_in_the_background() {
        const LENGTH: usize = if cfg!(miri) { 1000 } else { 1_000_000 };
        let coming = ComingRow::<4>::start(LENGTH);
        let row = coming.take().unwrap();
        assert_eq!(row.len(), LENGTH);
        assert!(row.iter().all(|value| *value == [0; 4]));
        // Nobody waits for what is not wanted any more.
        drop(ComingRow::<4>::start(LENGTH));
        assert!(ComingRow::<4>::start(usize::MAX / 64).take().is_none());
        let late = ComingRow::<4>::start(10);
        while !late.is_there() {
            thread::yield_now();
        }
        assert_eq!(late.take().unwrap().len(), 10);
    }

    #[cfg(all(target_os = "linux", not(miri)))]
    #[test]
    fn some_memory_but_no_more_than_the_machine_has_is_available() {
        let meminfo = std::fs::read_to_string("/proc/meminfo").unwrap();
        let total = meminfo.lines().next().unwrap();
        let kib: u64 = total
            .trim_start_matches("MemTotal:")
            .trim_end_matches("kB")
            .trim()
            .parse()
            .unwrap();
        let available = available().unwrap();
        assert!(available > 1 << 20 && available < kib << 10, "{available}");
    }
}

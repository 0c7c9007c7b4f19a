//! Memory for large tables: how much the machine can still give, memory that is there at once, large pages, and
//! fetching ahead of time.

use std::alloc::{Layout, alloc_zeroed, dealloc};
use std::ops::Deref;
use std::ptr::NonNull;

use sysinfo::System;

/// The smallest piece of memory that systems give, in bytes.
pub(crate) const PAGE: usize = 4 << 10;
/// A large page, in bytes.
pub(crate) const LARGE_PAGE: usize = 2 << 20;

/// Bytes that can be taken without pushing others out; `None` if the system does not tell. Asking for more does not
/// fail where memory is overcommitted: the process is killed later, when it touches it.
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

/// A long row of values that are zero at first. The system gives memory to what is touched only, in large pages where
/// it can: a row of any length is there at once, and is paid for by and by, by all threads that use it.
pub(crate) struct ZeroedRow<T: ZeroIsValid> {
    /// What was allocated; the row begins at the first place in it that suits a `T`.
    block: NonNull<u8>,
    layout: Layout,
    first: NonNull<T>,
    length: usize,
}

impl<T: ZeroIsValid> ZeroedRow<T> {
    /// Alignment with which allocators pass on what the system gives; for a greater one they write the zeros
    /// themselves.
    const ALIGN: usize = 16;

    /// A row of `length` values; `None` if there is not enough memory.
    #[allow(unsafe_code)]
    pub fn new(length: usize) -> Option<Self> {
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
            block,
            layout,
            first,
            length,
        })
    }
}

impl<T: ZeroIsValid> Deref for ZeroedRow<T> {
    type Target = [T];

    #[inline]
    #[allow(unsafe_code)]
    fn deref(&self) -> &[T] {
        // SAFETY: see `new`; the block lives as long as `self`, and nobody else has access to it.
        unsafe { std::slice::from_raw_parts(self.first.as_ptr(), self.length) }
    }
}

impl<T: ZeroIsValid> Drop for ZeroedRow<T> {
    #[allow(unsafe_code)]
    fn drop(&mut self) {
        // SAFETY: the block was allocated with this layout, and values need not be dropped.
        unsafe { dealloc(self.block.as_ptr(), self.layout) };
    }
}

// SAFETY: the row owns its values, which may be sent and shared.
#[allow(unsafe_code)]
unsafe impl<T: ZeroIsValid> Send for ZeroedRow<T> {}

// SAFETY: as above; the row itself gives out shared references only.
#[allow(unsafe_code)]
unsafe impl<T: ZeroIsValid> Sync for ZeroedRow<T> {}

/// Asks for large pages behind memory that has not been touched yet. Tables that are read at random are much faster
/// on them, because the processor can remember where so few pages lie.
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

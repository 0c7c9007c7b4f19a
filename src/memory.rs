//! Memory for large tables: how much the machine can still give, large pages, and fetching ahead of time.

use sysinfo::System;

/// Bytes that can be taken without pushing others out; `None` if the system does not tell. Asking for more does not
/// fail where memory is overcommitted: the process is killed later, when it touches it.
pub(crate) fn available() -> Option<u64> {
    let mut system = System::new().ok()?;
    system.refresh_memory();
    let free = Some(system.available_memory()).filter(|&bytes| bytes > 0);
    // A container may allow less.
    let room = system.cgroup_limits().map(|limits| limits.free_memory);
    free.into_iter().chain(room).min()
}

/// Asks for large pages behind memory that has not been touched yet. Tables that are read at random are much faster
/// on them, because the processor can remember where so few pages lie.
#[cfg(target_os = "linux")]
#[allow(unsafe_code)]
pub(crate) fn prefer_large_pages<T>(memory: &mut [T]) {
    /// Advice must begin at a page; on no Linux are they smaller than this.
    const PAGE: usize = 4096;
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
#[cfg(not(target_os = "linux"))]
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

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use super::*;

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

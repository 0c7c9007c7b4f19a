//! Memory for large tables: how much the machine can still give, and large pages.

/// Bytes that can be taken without pushing others out; `None` if the system does not tell. Asking for more does not
/// fail where memory is overcommitted: the process is killed later, when it touches it.
#[cfg(target_os = "linux")]
pub(super) fn available() -> Option<u64> {
    let read = |path: &str| std::fs::read_to_string(path).ok();
    let number = |path: &str| read(path)?.trim().parse::<u64>().ok();
    let free = read("/proc/meminfo").and_then(|text| mem_available(&text));
    // Containers of both kinds may allow less.
    let room = [
        ("memory.max", "memory.current"),
        (
            "memory/memory.limit_in_bytes",
            "memory/memory.usage_in_bytes",
        ),
    ]
    .map(|(limit, used)| {
        let limit = number(&format!("/sys/fs/cgroup/{limit}"))?;
        let used = number(&format!("/sys/fs/cgroup/{used}")).unwrap_or(0);
        Some(limit.saturating_sub(used))
    });
    free.into_iter().chain(room.into_iter().flatten()).min()
}

/// Bytes that can be taken without pushing others out; `None` if the system does not tell.
#[cfg(not(target_os = "linux"))]
pub(super) fn available() -> Option<u64> {
    None
}

/// The line `MemAvailable:  12345 kB` of `/proc/meminfo`, in bytes.
#[cfg(target_os = "linux")]
fn mem_available(meminfo: &str) -> Option<u64> {
    let line = meminfo
        .lines()
        .find_map(|line| line.strip_prefix("MemAvailable:"))?;
    let kib: u64 = line.trim().strip_suffix("kB")?.trim().parse().ok()?;
    Some(kib << 10)
}

/// Asks for large pages behind memory that has not been touched yet. Tables that are read at random are much faster
/// on them, because the processor can remember where so few pages lie.
#[cfg(target_os = "linux")]
#[allow(unsafe_code)]
pub(super) fn prefer_large_pages<T>(memory: &mut [T]) {
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
pub(super) fn prefer_large_pages<T>(_: &mut [T]) {}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use super::*;

    #[test]
    fn the_kernel_reports_available_memory() {
        let text = "MemTotal:       24665036 kB\nMemAvailable:   23500000 kB\n";
        assert_eq!(mem_available(text), Some(23_500_000 << 10));
        assert_eq!(mem_available("MemTotal: 1 kB\n"), None);
        assert_eq!(mem_available("MemAvailable: many kB\n"), None);
    }
}

//! How much memory the machine can still give. Asking for more than that does not fail where memory is
//! overcommitted: the process is killed later, when it touches it.

/// Bytes that can be taken without pushing others out; `None` if the system does not tell.
#[cfg(target_os = "linux")]
pub(super) fn available() -> Option<u64> {
    let free = std::fs::read_to_string("/proc/meminfo")
        .ok()
        .and_then(|text| mem_available(&text));
    let cgroup = std::fs::read_to_string("/sys/fs/cgroup/memory.max")
        .ok()
        .and_then(|text| text.trim().parse::<u64>().ok());
    let used = std::fs::read_to_string("/sys/fs/cgroup/memory.current")
        .ok()
        .and_then(|text| text.trim().parse::<u64>().ok());
    let room = cgroup.map(|limit| limit.saturating_sub(used.unwrap_or(0)));
    free.into_iter().chain(room).min()
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

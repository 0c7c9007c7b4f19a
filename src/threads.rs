//! Threads on systems that refuse some of those asked for, and locks that survive a panic.

use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::Duration;

use rayon::{ThreadPool, ThreadPoolBuildError, ThreadPoolBuilder};

/// Threads besides those that share work: what the program cannot do without.
const OTHERS: usize = 8;

/// How long a busy machine takes until ended threads no longer count against its limit.
const END: Duration = Duration::from_millis(50);

/// Locks what threads share, also after one of them panicked: no code leaves it half changed.
pub(crate) fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Waits like [`Condvar::wait_while`], with the same view of panics as [`lock`].
pub(crate) fn wait_while<T>(
    changed: &Condvar,
    guard: MutexGuard<'_, T>,
    condition: impl FnMut(&mut T) -> bool,
) {
    drop(
        changed
            .wait_while(guard, condition)
            .unwrap_or_else(PoisonError::into_inner),
    );
}

/// A pool of `count` threads with stacks of this size, or of a half, a quarter .. of them if the system refuses more.
pub(crate) fn pool(
    mut count: usize,
    stack_size: usize,
    name: fn(usize) -> String,
) -> Result<ThreadPool, ThreadPoolBuildError> {
    loop {
        let pool = ThreadPoolBuilder::new()
            .num_threads(count)
            .stack_size(stack_size)
            .thread_name(name)
            .build();
        if pool.is_ok() || count <= 1 {
            return pool;
        }
        count /= 2;
        thread::sleep(END);
    }
}

/// Prepares `rayon`'s threads, which share finite work such as loading and clearing. Without this `rayon` fails at
/// first use if the system does not give it a thread for each processor.
pub(crate) fn share_work() {
    let processors = thread::available_parallelism().map_or(1, usize::from);
    if !can_start(processors + OTHERS) {
        thread::sleep(END);
        // If it fails even so, the work fails, which is reported where it does.
        let _ = ThreadPoolBuilder::new().num_threads(1).build_global();
    }
}

/// Whether this many threads can run at the same time.
fn can_start(count: usize) -> bool {
    let gate = Mutex::new(());
    thread::scope(|scope| {
        let closed = gate.lock();
        let wait = || drop(gate.lock());
        let started: Vec<_> = (0..count)
            .map_while(|_| thread::Builder::new().spawn_scoped(scope, wait).ok())
            .collect();
        drop(closed);
        let all = started.len() == count;
        // The scope alone waits for their work, not for their end, and so long they count.
        for thread in started {
            let _ = thread.join();
        }
        all
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_few_threads_can_run_and_a_pool_has_as_many_as_asked_for() {
        assert!(can_start(5));
        for count in [1, 3] {
            let pool = pool(count, 1 << 20, |i| format!("test-{i}")).unwrap();
            assert_eq!(pool.current_num_threads(), count);
        }
    }

    /// Stacks that no address space has room for.
    #[test]
    fn a_pool_that_cannot_be_is_an_error() {
        assert!(pool(4, 1 << 60, |i| format!("test-{i}")).is_err());
    }
}

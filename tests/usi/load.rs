//! Tests that measure time run alone, and again if only the clock was at fault.

use std::sync::{PoisonError, RwLock, RwLockReadGuard};
use std::time::Duration;

/// What a limit of the protocol reference may be exceeded by on a busy machine: scheduling, pipes, start of a
/// thread. The reference grants the host this much.
pub const HOST_ALLOWANCE: Duration = Duration::from_millis(100);

/// How often a late answer is given another chance. A broken engine is late every time.
const ATTEMPTS: usize = 3;

static MACHINE: RwLock<()> = RwLock::new(());

/// Held by tests that do not mind company.
pub fn together() -> RwLockReadGuard<'static, ()> {
    MACHINE.read().unwrap_or_else(PoisonError::into_inner)
}

/// Runs a test with the machine to itself, as far as this process is concerned.
pub fn alone(test: impl FnOnce()) {
    let _guard = MACHINE.write().unwrap_or_else(PoisonError::into_inner);
    test();
}

/// Notes what was late.
#[derive(Default)]
pub struct Stopwatch {
    late: Vec<String>,
}

impl Stopwatch {
    /// The answer must have taken at most this long, give or take [`HOST_ALLOWANCE`].
    pub fn at_most(&mut self, what: &str, elapsed: Duration, limit_ms: u64) {
        if elapsed > Duration::from_millis(limit_ms) + HOST_ALLOWANCE {
            self.late.push(format!(
                "{what}: {} ms, limit {limit_ms} ms",
                elapsed.as_millis()
            ));
        }
    }
}

/// Runs a test that measures time, alone. Being late is forgiven twice, everything else fails at once.
pub fn timed(test: impl Fn(&mut Stopwatch)) {
    alone(|| {
        for attempt in 1..=ATTEMPTS {
            let mut watch = Stopwatch::default();
            test(&mut watch);
            if watch.late.is_empty() {
                return;
            }
            println!("attempt {attempt} was late: {}", watch.late.join("; "));
            assert!(
                attempt < ATTEMPTS,
                "late {ATTEMPTS} times: {}",
                watch.late.join("; ")
            );
        }
    });
}

/// An answer before this time is too early. Nothing on the host can cause that, so it fails at once.
pub fn at_least(what: &str, elapsed: Duration, limit_ms: u64) {
    assert!(
        elapsed >= Duration::from_millis(limit_ms),
        "{what}: already after {} ms",
        elapsed.as_millis()
    );
}

//! Stop, abandon and ponderhit flags of one search.

use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::{Condvar, Mutex, MutexGuard};
use std::time::Instant;

use crate::search::limits::Clock;
use crate::threads;

/// The expected move was played: what is known of the clocks, and when it became known.
#[derive(Clone, Copy, Debug)]
pub struct PonderHit {
    pub clock: Option<Clock>,
    pub at: Instant,
}

#[derive(Default)]
struct Gate {
    stopped: bool,
    abandoned: bool,
    hit: Option<PonderHit>,
}

/// Shared by the workers, the driver and whoever started the search.
#[derive(Default)]
pub struct Control {
    /// Read by every worker at every node.
    halt: AtomicBool,
    gate: Mutex<Gate>,
    changed: Condvar,
}

impl Control {
    /// Ends the search; its answer is wanted now.
    pub fn stop(&self) {
        self.change(|gate| gate.stopped = true);
        self.halt();
    }

    /// Ends the search; its answer is not wanted any more.
    pub fn abandon(&self) {
        self.change(|gate| gate.abandoned = true);
        self.halt();
    }

    /// Turns pondering into a normal search.
    pub fn ponderhit(&self, hit: PonderHit) {
        self.change(|gate| gate.hit = Some(hit));
    }

    /// Ends the workers' search, for any reason of their own. It may still be too early to answer.
    pub fn halt(&self) {
        self.halt.store(true, Relaxed);
    }

    /// Whether the workers must end.
    #[inline]
    pub fn is_halted(&self) -> bool {
        self.halt.load(Relaxed)
    }

    /// Whether nobody waits for the answer.
    pub fn is_abandoned(&self) -> bool {
        self.lock().abandoned
    }

    /// The ponderhit, once there was one.
    pub fn hit(&self) -> Option<PonderHit> {
        self.lock().hit
    }

    /// Waits until the answer may be given: at once for a normal search, after a stop for an infinite one, after
    /// a stop or a ponderhit while pondering.
    pub fn wait_until_due(&self, infinite: bool, ponder: bool) {
        let too_early = |gate: &mut Gate| {
            let hit = gate.hit.is_some() && !infinite;
            (infinite || ponder) && !gate.stopped && !gate.abandoned && !hit
        };
        threads::wait_while(&self.changed, self.lock(), too_early);
    }

    fn change(&self, change: impl FnOnce(&mut Gate)) {
        change(&mut self.lock());
        self.changed.notify_all();
    }

    fn lock(&self) -> MutexGuard<'_, Gate> {
        threads::lock(&self.gate)
    }
}

//! Stops the threads of a run when it cannot go on.

use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::thread;

/// Stops the workers when nobody collects their results any more.
pub(crate) struct StopAtEnd<'a>(pub &'a AtomicBool);

impl Drop for StopAtEnd<'_> {
    fn drop(&mut self) {
        self.0.store(true, Relaxed);
    }
}

/// Stops the other workers when one fails: its result would never come, and all later ones would wait for it.
pub(crate) struct StopIfFailed<'a>(pub &'a AtomicBool);

impl Drop for StopIfFailed<'_> {
    fn drop(&mut self) {
        if thread::panicking() {
            self.0.store(true, Relaxed);
        }
    }
}

//! Ctrl-C as a flag, so that long commands stop cleanly.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

/// A flag that Ctrl-C sets from now on, instead of ending the program.
///
/// # Errors
///
/// If the system refuses, or there is such a flag already.
pub fn flag() -> Result<Arc<AtomicBool>, ctrlc::Error> {
    let stop = Arc::new(AtomicBool::new(false));
    let interrupted = Arc::clone(&stop);
    ctrlc::set_handler(move || interrupted.store(true, Relaxed))?;
    Ok(stop)
}

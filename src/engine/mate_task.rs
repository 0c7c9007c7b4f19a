//! Mate problems (tsume) solved in the background.

use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::thread;

use super::Engine;
pub use crate::mate::MateLimits;
use crate::mate::{Mate, MateProgress, MateReport, Solver, SolverListener};
use crate::shogi::Position;

/// Receives the progress and the result of a problem. Called from another thread.
pub trait MateListener: Send + Sync {
    /// How far the work has come, about twice a second.
    fn news(&self, progress: &MateProgress);
    /// A mate was found, or a shorter one.
    fn found(&self, mate: &Mate, progress: &MateProgress);
    /// The end, called once.
    fn done(&self, report: MateReport);
}

/// A problem that is being worked on. Dropping it ends the work.
pub struct MateTask {
    stop: Arc<AtomicBool>,
}

impl MateTask {
    /// Ends the work; the answer comes at once.
    pub fn stop(&self) {
        self.stop.store(true, Relaxed);
    }
}

impl Drop for MateTask {
    fn drop(&mut self) {
        self.stop();
    }
}

/// Hands the solver's reports on, and the stop signal to the solver.
struct Hook<'a> {
    stop: &'a AtomicBool,
    listener: &'a dyn MateListener,
}

impl SolverListener for Hook<'_> {
    fn progress(&self, progress: &MateProgress) {
        self.listener.news(progress);
    }

    fn found(&self, mate: &Mate, progress: &MateProgress) {
        self.listener.found(mate, progress);
    }

    fn is_stopped(&self) -> bool {
        self.stop.load(Relaxed)
    }
}

impl Engine {
    /// Starts to look for a mate by the side to move and returns at once. Needs as much memory as the hash table, as
    /// long as it works.
    ///
    /// # Errors
    ///
    /// If the system gives no thread.
    pub fn start_mate(
        &self,
        root: Position,
        limits: MateLimits,
        listener: Arc<dyn MateListener>,
    ) -> io::Result<MateTask> {
        let stop = Arc::new(AtomicBool::new(false));
        let task = MateTask {
            stop: Arc::clone(&stop),
        };
        let hash_mib = self.settings().hash_mib;
        let work = move || {
            let hook = Hook {
                stop: &stop,
                listener: &*listener,
            };
            let mut solver = Solver::new(hash_mib);
            let report = solver.solve(&root, limits, &hook);
            // Giving the memory back may take long, and comes after the answer.
            listener.done(report);
        };
        thread::Builder::new()
            .name("hien-mate-driver".to_owned())
            .spawn(work)?;
        Ok(task)
    }
}

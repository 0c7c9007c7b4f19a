//! Mate problems in the background.

use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::thread;
use std::time::{Duration, Instant};

use super::Engine;
use crate::mate::{self, Mate, Progress, Report, Solver};
use crate::shogi::Position;

/// How long a problem may be worked on.
#[derive(Clone, Copy, Debug, Default)]
pub struct MateTaskLimits {
    /// When to end.
    pub deadline: Option<Instant>,
    /// Nodes to visit.
    pub nodes: Option<u64>,
    /// Plies of the longest mate to look for.
    pub plies: Option<usize>,
    /// For how long a mate that was found is shortened, besides the other limits.
    pub shortening: Option<Duration>,
}

/// Hears what comes of a problem. The calls come from another thread.
pub trait MateListener: Send + Sync {
    /// How the work is going on.
    fn news(&self, progress: &Progress);
    /// A mate was found, or a shorter one.
    fn found(&self, mate: &Mate, progress: &Progress);
    /// The end, called once.
    fn done(&self, report: Report);
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
        limits: MateTaskLimits,
        listener: Arc<dyn MateListener>,
    ) -> io::Result<MateTask> {
        let stop = Arc::new(AtomicBool::new(false));
        let task = MateTask {
            stop: Arc::clone(&stop),
        };
        let hash_mib = self.settings().hash_mib;
        let work = move || {
            let limits = mate::MateLimits {
                deadline: limits.deadline,
                nodes: limits.nodes,
                plies: limits.plies,
                shortening: limits.shortening,
                stop: Some(&*stop),
            };
            let report = Solver::new(hash_mib).solve(
                &root,
                limits,
                &|progress| listener.news(progress),
                &|mate, progress| listener.found(mate, progress),
            );
            listener.done(report);
        };
        thread::Builder::new()
            .name("hien-mate-driver".to_owned())
            .spawn(work)?;
        Ok(task)
    }
}

//! Limits of a solver's work, and reports while it works.

use std::time::{Duration, Instant};

use super::answer::Mate;
use super::table::Table;

/// Nodes between two looks at the clock.
const INTERVAL: u64 = 256;
/// The pause before the first news and between two of them.
const NEWS_PAUSE: Duration = Duration::from_millis(500);

/// How long a problem may be worked on. The default has no limit: until it is solved.
#[derive(Clone, Copy, Debug, Default)]
pub struct MateLimits {
    /// When to stop.
    pub deadline: Option<Instant>,
    /// The most nodes to visit.
    pub nodes: Option<u64>,
    /// Plies of the longest mate to look for.
    pub plies: Option<usize>,
    /// The most time for shortening a mate after it was found, within the other limits.
    pub shortening: Option<Duration>,
}

/// How far a solver has come.
#[derive(Clone, Copy, Debug, Default)]
pub struct MateProgress {
    /// Plies of the longest line visited since the last report.
    pub depth: usize,
    /// Nodes visited.
    pub nodes: u64,
    /// Time used.
    pub elapsed: Duration,
    /// How full the table is, in thousandths.
    pub hash_permille: u32,
}

/// Hears of a solver's progress and may stop it. `()` ignores everything.
pub trait SolverListener: Sync {
    /// Called about twice a second.
    fn progress(&self, _progress: &MateProgress) {}

    /// A mate was found, or a shorter one than the last.
    fn found(&self, _mate: &Mate, _progress: &MateProgress) {}

    /// Whether the solver shall give up; asked every few hundred nodes.
    fn is_stopped(&self) -> bool {
        false
    }
}

impl SolverListener for () {}

/// Counts nodes and watches the limits.
pub(super) struct Watch<'a> {
    pub nodes: u64,
    limits: MateLimits,
    /// Asked now and then whether to end.
    must_end: &'a mut dyn FnMut() -> bool,
    start: Instant,
    next_look: u64,
    next_news: Instant,
    depth: usize,
    is_halted: bool,
    listener: &'a dyn Fn(&MateProgress),
}

impl<'a> Watch<'a> {
    /// Watches the limits and `must_end`, from now on.
    pub fn new(
        limits: MateLimits,
        must_end: &'a mut dyn FnMut() -> bool,
        listener: &'a dyn Fn(&MateProgress),
    ) -> Self {
        let start = Instant::now();
        Self {
            nodes: 0,
            limits,
            must_end,
            start,
            next_look: 0,
            next_news: start + NEWS_PAUSE,
            depth: 0,
            is_halted: false,
            listener,
        }
    }

    /// To be called when a mate was found: from now on it is shortened.
    pub fn note_mate(&mut self) {
        if let Some(shortening) = self.limits.shortening {
            let end = Instant::now() + shortening;
            let deadline = self
                .limits
                .deadline
                .map_or(end, |deadline| deadline.min(end));
            self.limits.deadline = Some(deadline);
        }
    }

    #[inline]
    pub fn is_halted(&self) -> bool {
        self.is_halted
    }

    /// To be called at every node.
    #[inline]
    pub fn count_node(&mut self, depth: usize, table: &Table) {
        self.nodes += 1;
        self.depth = self.depth.max(depth);
        if self.nodes >= self.next_look {
            self.look(table);
        }
    }

    #[cold]
    fn look(&mut self, table: &Table) {
        let interval = match self.limits.nodes {
            Some(limit) => limit.saturating_sub(self.nodes).clamp(1, INTERVAL),
            None => INTERVAL,
        };
        self.next_look = self.nodes + interval;
        let now = Instant::now();
        let is_late = self.limits.deadline.is_some_and(|deadline| now >= deadline);
        let is_enough = self.limits.nodes.is_some_and(|limit| self.nodes >= limit);
        if is_late || is_enough || (self.must_end)() {
            self.is_halted = true;
        } else if now >= self.next_news {
            self.next_news = now + NEWS_PAUSE;
            (self.listener)(&self.progress(table));
            self.depth = 0;
        }
    }

    pub fn progress(&self, table: &Table) -> MateProgress {
        MateProgress {
            depth: self.depth,
            nodes: self.nodes,
            elapsed: self.start.elapsed(),
            hash_permille: table.permille(),
        }
    }
}

//! The solver of mate problems (tsume shogi): finds a mate, extracts its line, and shortens it while there is time.

use std::thread;

use super::answer::{Answer, Mate};
use super::dfpn::Search;
use super::limits::{MateLimits, MateProgress, SolverListener, Watch};
use super::line::Defence;
use super::path::PathTable;
use super::proof_number::Len;
use super::table::Table;
use crate::shogi::Position;

/// Stack in bytes, enough for the longest path in a build without optimisation. Untouched pages cost nothing.
const STACK_SIZE: usize = 256 << 20;
/// The share of the memory that keeps disproofs that hold on one path only.
const PATH_SHARE: usize = 16;

/// The result of a problem.
#[derive(Clone, Debug)]
pub struct MateReport {
    /// The answer.
    pub answer: Answer,
    /// The work it took.
    pub progress: MateProgress,
    /// Nodes after which the answer was known; the others served to shorten the mate.
    pub nodes_to_solve: u64,
}

/// A solver of mate problems with its memory.
pub struct Solver {
    table: Table,
    path_table: PathTable,
}

impl Solver {
    /// A solver that uses at most `hash_mib` MiB for what it learns.
    pub fn new(hash_mib: usize) -> Self {
        Self::with_bytes(hash_mib.max(1) << 20)
    }

    /// A solver that uses at most `bytes` bytes for what it learns, some tens of thousands at least.
    pub fn with_bytes(bytes: usize) -> Self {
        Self {
            table: Table::new(bytes - bytes / PATH_SHARE),
            path_table: PathTable::new(bytes / PATH_SHARE),
        }
    }

    /// Looks for a mate by the side to move, and then for shorter ones. Forgets earlier problems.
    pub fn solve(
        &mut self,
        position: &Position,
        limits: MateLimits,
        listener: &dyn SolverListener,
    ) -> MateReport {
        self.table.clear();
        self.path_table.clear();
        thread::scope(|scope| {
            let work = || self.work(position, limits, listener);
            let thread = thread::Builder::new()
                .name("hien-mate".into())
                .stack_size(STACK_SIZE)
                .spawn_scoped(scope, work);
            match thread.map(|thread| thread.join()) {
                Ok(Ok(report)) => report,
                _ => MateReport {
                    answer: Answer::Unknown,
                    progress: MateProgress::default(),
                    nodes_to_solve: 0,
                },
            }
        })
    }

    fn work(
        &mut self,
        position: &Position,
        limits: MateLimits,
        listener: &dyn SolverListener,
    ) -> MateReport {
        let mut is_stopped = || listener.is_stopped();
        let news = |progress: &MateProgress| listener.progress(progress);
        let watch = Watch::new(limits, &mut is_stopped, &news);
        let position = position.clone();
        let mut search = Search::new(position, &mut self.table, &mut self.path_table, watch);
        let len = limits.plies.map_or(Len::UNBOUNDED, Len::new);
        let value = search.solve(len);
        let nodes_to_solve = search.watch.nodes;
        let answer = if value.pn == 0 {
            let found = |mate: &Mate, progress: &MateProgress| listener.found(mate, progress);
            shorten(&mut search, value.len, &found).map_or(Answer::Unknown, Answer::Mate)
        } else if value.dn == 0 && value.len == Len::UNBOUNDED {
            Answer::NoMate
        } else {
            Answer::Unknown
        };
        MateReport {
            answer,
            progress: search.watch.progress(search.table),
            nodes_to_solve,
        }
    }
}

/// Writes down the mate just proved, then looks for shorter ones until there is none or the time is up.
pub(super) fn shorten(
    search: &mut Search,
    mut len: Len,
    found: &dyn Fn(&Mate, &MateProgress),
) -> Option<Mate> {
    let mut mate = Mate {
        line: search.line(len, Defence::Known)?,
        is_shortest: false,
    };
    search.watch.note_mate();
    loop {
        let plies = len.plies()?;
        if plies == 1 {
            mate.is_shortest = true;
            return Some(mate);
        }
        found(&mate, &search.watch.progress(search.table));
        let value = search.solve(Len::new(plies - 2));
        if value.pn == 0 {
            len = value.len;
            match search.line(len, Defence::Known) {
                Some(line) => mate.line = line,
                None => return Some(mate),
            }
        } else if value.dn == 0 {
            // The defence shown so far need not be the longest.
            if mate.line.len() < plies
                && let Some(line) = search.line(len, Defence::Longest)
            {
                mate.line = line;
            }
            mate.is_shortest = mate.line.len() == plies;
            return Some(mate);
        } else {
            return Some(mate);
        }
    }
}

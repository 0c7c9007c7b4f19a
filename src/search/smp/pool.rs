//! Lazy SMP: a pool of threads that search the same root and share the transposition table, and their vote on the
//! result.

use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Mutex;

use rayon::{ThreadPool, ThreadPoolBuildError};

use crate::eval::Evaluator;
use crate::score::{self, Value};
use crate::search::job::SearchJob;
use crate::search::report::Remark;
use crate::search::worker::{Worker, WorkerResult, WorkerState};
use crate::{memory, threads};

/// Room for the deepest line: some 250 nodes with their move lists, in builds without optimisation, too. Pages
/// that are not touched cost nothing.
pub const STACK_SIZE: usize = 16 << 20;

/// History tables and stack of a thread, in bytes, rounded up.
const MEMORY_BYTES: usize = 16 << 20;

/// What a thread may take in all.
const THREAD_BYTES: usize = STACK_SIZE + MEMORY_BYTES;

/// The threads and the state that each keeps between searches.
pub struct Pool {
    threads: ThreadPool,
    memories: Vec<Mutex<WorkerState>>,
}

impl Pool {
    /// A pool of `count` threads, or of fewer if the system refuses or memory is short.
    pub fn new(count: usize) -> Result<Self, ThreadPoolBuildError> {
        let affordable = memory::available().map_or(count, |bytes| bytes as usize / THREAD_BYTES);
        let mut count = count.min(affordable).max(1);
        let threads = loop {
            let threads = threads::pool(count, STACK_SIZE, |i| format!("hien-search-{i}"))?;
            // Once all threads have begun, the memory that they take to begin is taken.
            threads.broadcast(|_| ());
            count = threads.current_num_threads();
            if count == 1 || memory::has_room_for(count * MEMORY_BYTES) {
                break threads;
            }
            count /= 2;
        };
        // Each thread creates its own memory, so that it lies near the thread.
        let memories = threads.broadcast(|_| Mutex::new(WorkerState::new()));
        Ok(Self { threads, memories })
    }

    /// The number of threads.
    pub fn len(&self) -> usize {
        self.memories.len()
    }

    /// Touches all memory that searches with this evaluator will use, so that the system provides it now. For a pool
    /// that has learnt nothing yet.
    pub fn fetch_memory(&self, evaluator: &Evaluator) {
        self.threads.broadcast(|context| {
            let id = context.index();
            threads::lock(&self.memories[id]).fetch_memory(evaluator, id == 0);
        });
    }

    /// Clears the histories of all threads.
    pub fn clear(&self) {
        self.threads.broadcast(|context| {
            threads::lock(&self.memories[context.index()]).clear();
        });
    }

    /// Searches with all threads until the last one has ended. A thread that fails ends the search of the others;
    /// its place holds what went wrong.
    pub fn search(&self, job: &SearchJob) -> Vec<Result<WorkerResult, Remark>> {
        self.threads.broadcast(|context| {
            let id = context.index();
            let mut memory = threads::lock(&self.memories[id]);
            let search = AssertUnwindSafe(|| Worker::new(job, id, &mut memory).run());
            catch_unwind(search).map_err(|panic| {
                job.control.halt();
                Remark::ThreadFailed {
                    id,
                    reason: message(&*panic).to_owned(),
                }
            })
        })
    }
}

fn message(panic: &(dyn Any + Send)) -> &str {
    panic
        .downcast_ref::<&str>()
        .copied()
        .or_else(|| panic.downcast_ref::<String>().map(String::as_str))
        .unwrap_or("unknown reason")
}

/// Chooses the thread whose result counts.
///
/// Thread voting. Proved results beat all others: the shortest mate given, else a mate suffered, which the other
/// threads just have not seen yet. Otherwise every thread votes for its move with a weight of depth times value above
/// the worst thread's plus 14 (as in Stockfish). Of the threads that voted for the winning move, the one with the
/// greatest weight is chosen.
pub fn elect(outcomes: &[&WorkerResult]) -> usize {
    let value = |i: usize| outcomes[i].root_moves[0].shown_value();
    let lowest = (0..outcomes.len()).map(value).min().unwrap_or(0);
    let weight = |i: usize| {
        let above: Value = value(i) - lowest + 14;
        i64::from(above) * i64::from(outcomes[i].completed)
    };
    let votes = |i: usize| -> i64 {
        let mv = outcomes[i].root_moves[0].mv;
        (0..outcomes.len())
            .filter(|&j| outcomes[j].root_moves[0].mv == mv)
            .map(weight)
            .sum()
    };
    // A line without a reply has no ponder move: it loses ties.
    let rank = |i: usize| {
        let replies = outcomes[i].root_moves[0].line.len() > 1;
        (votes(i), replies, weight(i))
    };
    let better = |i: usize, best: usize| match (value(i), value(best)) {
        (new, old) if score::is_win(new) || score::is_win(old) => new > old,
        (new, old) if score::is_loss(new) && score::is_loss(old) => new < old,
        (new, old) if score::is_loss(new) || score::is_loss(old) => score::is_loss(new),
        _ => rank(i) > rank(best),
    };
    (1..outcomes.len()).fold(0, |best, i| if better(i, best) { i } else { best })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::score::{mate_in, mated_in};
    use crate::search::Limits;
    use crate::search::report::Bound;
    use crate::search::root::root_moves;
    use crate::shogi::{Move, Position};

    fn outcome(mv: &str, value: Value, completed: u32) -> WorkerResult {
        let mv: Move = mv.parse().unwrap();
        let limits = Limits {
            searchmoves: vec![mv],
            ..Limits::default()
        };
        let mut root_moves = root_moves(&Position::startpos(), &limits);
        root_moves[0].set(value, Bound::Exact, completed, completed, &[mv]);
        WorkerResult {
            completed,
            root_moves,
            reporter: None,
            over_since: None,
        }
    }

    fn elected(outcomes: &[WorkerResult]) -> usize {
        elect(&outcomes.iter().collect::<Vec<_>>())
    }

    #[test]
    fn most_votes_win_and_the_deepest_of_them_speaks() {
        let outcomes = [
            outcome("2g2f", 30, 10),
            outcome("7g7f", 25, 10),
            outcome("7g7f", 25, 11),
        ];
        assert_eq!(elected(&outcomes), 2);
        assert_eq!(elected(&outcomes[..1]), 0);
    }

    #[test]
    fn proofs_beat_votes() {
        let normal = || outcome("7g7f", 100, 12);
        let mate = |plies| outcome("2g2f", mate_in(plies), 9);
        let lost = |plies| outcome("2g2f", mated_in(plies), 9);
        assert_eq!(elected(&[normal(), normal(), mate(7), mate(5)]), 3);
        assert_eq!(elected(&[mate(5), normal(), mate(7)]), 0);
        assert_eq!(elected(&[normal(), lost(8), lost(6)]), 2);
        assert_eq!(elected(&[lost(8), normal(), mate(9)]), 2);
    }

    #[test]
    fn a_pool_has_as_many_threads_as_asked_for() {
        for count in [0, 1, 3] {
            assert_eq!(Pool::new(count).unwrap().len(), count.max(1));
        }
    }

    #[test]
    fn panics_have_readable_messages() {
        let panic = catch_unwind(|| panic!("number {}", 7)).unwrap_err();
        assert_eq!(message(&*panic), "number 7");
        let panic = catch_unwind(|| panic!("plain")).unwrap_err();
        assert_eq!(message(&*panic), "plain");
        assert_eq!(
            message(&*(Box::new(7) as Box<dyn Any + Send>)),
            "unknown reason"
        );
    }
}

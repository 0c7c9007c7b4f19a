//! One search thread: iterative deepening with aspiration windows. Knows no other worker; what it shares with them is
//! in its [`SearchJob`]: the table, the stop flag, the node counters.
//!
//! The window around a running average of the value, its growth after a miss, and the depth that falls with each fail
//! high follow Stockfish.

use std::time::Instant;

use super::job::SearchJob;
use super::mate_search::MateSearch;
use super::ordering::correction_history::CorrectionHistory;
use super::ordering::history::{History, PieceTo};
use super::ordering::movepick::CONTINUATIONS;
use super::params;
use super::report::Bound;
use super::reporter::Reporter;
use super::root::{PvLine, RootMove};
use super::stack::StackEntry;
use super::time::lateness::Lateness;
use super::time::manager::{IterationStats, OwnLag, TimeManager};
use super::tree::node_type::Root;
use crate::eval::{Evaluator, IncrementalEval};
use crate::mate::RootMateSearch;
use crate::score::{self, EVAL_MAX, INFINITE, MAX_PLY, Value, mate_in};
use crate::shogi::{Move, Position};

/// Nodes between two looks at the clock. Few, since a node may have to wait while the system finds memory for the
/// table.
const POLL_INTERVAL: u64 = 128;
/// Stack that a search uses as a rule, in bytes.
const USUAL_STACK: usize = 1 << 20;
/// Stack entries before the root's, so that "some plies ago" always exists.
const SENTINELS: usize = CONTINUATIONS;

/// What a worker keeps from one search to the next.
pub(super) struct WorkerState {
    history: Box<History>,
    correction_history: CorrectionHistory,
    stack: Box<[StackEntry]>,
    pv_table: Box<[PvLine]>,
    /// The incremental evaluation of the last search.
    eval: Option<IncrementalEval>,
    /// The main thread's mate search, once it was needed.
    seeker: Option<Box<RootMateSearch>>,
    /// The first worker's pauses between two looks at the clock.
    pauses: Lateness,
}

impl WorkerState {
    pub fn new() -> Self {
        Self {
            history: History::new(),
            correction_history: CorrectionHistory::new(),
            stack: vec![StackEntry::default(); SENTINELS + MAX_PLY + 3].into_boxed_slice(),
            pv_table: vec![PvLine::new(); MAX_PLY + 2].into_boxed_slice(),
            eval: None,
            seeker: None,
            pauses: Lateness::new(),
        }
    }

    /// Forgets everything. Memory is kept.
    pub fn clear(&mut self) {
        self.history.clear();
        self.correction_history.clear();
        if let Some(seeker) = &mut self.seeker {
            seeker.clear();
        }
    }

    /// Touches all memory that a search with this evaluator will use, the calling thread's stack included, so that the
    /// system provides it now. To be called before anything was learnt.
    pub fn fetch_memory(&mut self, evaluator: &Evaluator, is_first: bool) {
        self.history.clear();
        self.correction_history.clear();
        if is_first {
            self.seeker.get_or_insert_default();
        }
        fit(&mut self.eval, evaluator);
        fetch_stack();
    }

    /// Exchanges the mate search for another one: for searches on behalf of both players in turn.
    pub fn swap_seeker(&mut self, other: &mut Option<Box<RootMateSearch>>) {
        std::mem::swap(&mut self.seeker, other);
    }
}

/// The incremental evaluation kept in `eval`, made anew if it belongs to another evaluator.
fn fit<'a>(
    eval: &'a mut Option<IncrementalEval>,
    evaluator: &Evaluator,
) -> &'a mut IncrementalEval {
    let kept = eval.take().filter(|eval| eval.belongs_to(evaluator));
    eval.insert(kept.unwrap_or_else(|| IncrementalEval::new(evaluator)))
}

/// Uses as much of the stack as all but the deepest searches do.
#[inline(never)]
fn fetch_stack() {
    std::hint::black_box([0u8; USUAL_STACK]);
}

/// The result of a worker.
pub(super) struct WorkerResult {
    /// The last iteration that was completed.
    pub completed: u32,
    /// The moves at the root, best first.
    pub root_moves: Vec<RootMove>,
    /// The reporter, of the main thread only.
    pub reporter: Option<Reporter>,
    /// When the first worker's time was up, if that has ended the search.
    pub over_since: Option<Instant>,
}

/// The main thread's additional tasks: to watch the clock, to report, and to look for mates.
struct MainThread<'a> {
    time_manager: TimeManager<'a>,
    reporter: Reporter,
    mates: Option<MateSearch<'a>>,
}

/// One thread's search of a job.
pub(super) struct Worker<'a> {
    pub(super) job: &'a SearchJob,
    pub(super) id: usize,
    pub(super) position: Position,
    pub(super) eval: &'a mut IncrementalEval,
    pub(super) history: &'a mut History,
    pub(super) correction_history: &'a mut CorrectionHistory,
    stack: &'a mut [StackEntry],
    /// The principal variation from each ply on.
    pub(super) pv_table: &'a mut [PvLine],
    pub(super) nodes: u64,
    next_poll: u64,
    pub(super) root_moves: Vec<RootMove>,
    /// Root moves that are searched only if all others lose.
    pub(super) unpromoted: Vec<RootMove>,
    /// The line being searched (MultiPV). The root moves before it are those of the better lines.
    pub(super) pv_index: usize,
    pub(super) root_depth: u32,
    /// The greatest ply reached on a principal variation.
    pub(super) seldepth: usize,
    /// No null move before this ply, while one is being verified.
    pub(super) nmp_min_ply: usize,
    /// What a draw is worth to Black and White.
    pub(super) draw_values: [Value; 2],
    main: Option<MainThread<'a>>,
}

impl<'a> Worker<'a> {
    pub fn new(job: &'a SearchJob, id: usize, memory: &'a mut WorkerState) -> Self {
        let WorkerState {
            history,
            correction_history,
            stack,
            pv_table,
            eval,
            seeker,
            pauses,
        } = memory;
        let eval = fit(eval, &job.evaluator);
        history.age();
        stack.fill(StackEntry::default());
        let main = (id == 0).then(|| MainThread {
            time_manager: TimeManager::new(
                &job.root,
                &job.limits,
                job.start,
                &job.options,
                job.root_moves.len() + job.unpromoted.len() == 1,
                job.clock_estimate,
                OwnLag {
                    pauses,
                    answer: job.answer_lag,
                },
            ),
            reporter: Reporter::new(job),
            mates: MateSearch::new(job, seeker),
        });
        let mut worker = Self {
            job,
            id,
            position: job.root.clone(),
            eval,
            history,
            correction_history,
            stack,
            pv_table,
            nodes: 0,
            next_poll: 0,
            root_moves: job.root_moves.clone(),
            unpromoted: job.unpromoted.clone(),
            pv_index: 0,
            root_depth: 0,
            seldepth: 0,
            nmp_min_ply: 0,
            draw_values: job.options.draw_values(job.root.side_to_move()),
            main,
        };
        worker.next_poll = worker.poll_interval();
        worker
    }

    /// Searches until the limits are reached or the search is halted.
    pub fn run(mut self) -> WorkerResult {
        let mut completed = 0;
        let mut history_of_best = BestMoves::default();
        for depth in 1..=self.job.limits.max_depth() {
            let before = self.root_moves.clone();
            self.root_depth = depth;
            self.iterate();
            if self.is_halted() {
                self.restore_after_abort(before);
                break;
            }
            completed = depth;
            history_of_best.add(&self.root_moves[0]);
            if self.end_iteration(depth, &history_of_best) {
                break;
            }
        }
        if completed == 0 {
            self.fallback_values();
        }
        self.publish_nodes();
        if self.id == 0 {
            self.job.control.halt();
        }
        WorkerResult {
            completed,
            root_moves: self.root_moves,
            over_since: self
                .main
                .as_ref()
                .and_then(|main| main.time_manager.over_since()),
            reporter: self.main.map(|main| main.reporter),
        }
    }

    /// One iteration of iterative deepening: every line that is asked for (MultiPV), the best one first.
    fn iterate(&mut self) {
        for root_move in &mut self.root_moves {
            root_move.previous_value = root_move.value;
        }
        for line in 0..self.job.multi_pv() {
            self.pv_index = line;
            self.aspiration_search();
            sort(&mut self.root_moves[..=line]);
            if self.is_halted() {
                return;
            }
        }
    }

    /// Searches the root in an aspiration window around the expected value, which grows until the value lies inside.
    fn aspiration_search(&mut self) {
        let expected = self.root_moves[self.pv_index].average;
        let mut delta = params::aspiration_delta() + (self.id % 8) as Value;
        let (mut alpha, mut beta) =
            if (self.root_depth as i32) < params::aspiration_depth() || expected == -INFINITE {
                (-INFINITE, INFINITE)
            } else {
                delta += (expected.abs() / params::aspiration_value_divisor())
                    .min(params::aspiration_value_max());
                (
                    (expected - delta).max(-INFINITE),
                    (expected + delta).min(INFINITE),
                )
            };
        let mut fail_highs = 0;
        loop {
            self.seldepth = 0;
            let depth = (self.root_depth as i32 - fail_highs).max(1);
            let usual_moves = self.root_moves.len();
            let value = self.search::<Root>(alpha, beta, depth, 0, false);
            self.set_aside_useless(usual_moves);
            sort(&mut self.root_moves[self.pv_index..]);
            if self.is_halted() {
                return;
            }
            if value <= alpha {
                self.report_bound(value, Bound::Upper);
                beta = (alpha + beta) / 2;
                alpha = (value - delta).max(-INFINITE);
                fail_highs = 0;
            } else if value >= beta {
                self.report_bound(value, Bound::Lower);
                beta = (value + delta).min(INFINITE);
                fail_highs += 1;
            } else {
                return;
            }
            delta += delta * params::aspiration_growth() / 100;
        }
    }

    /// Sets the root moves from `first` on aside again, but for one that is better than all others.
    fn set_aside_useless(&mut self, first: usize) {
        let is_useless = |root_move: &mut RootMove| root_move.value == -INFINITE;
        let useless = self.root_moves.extract_if(first.., is_useless);
        self.unpromoted.extend(useless);
    }

    /// After an iteration that was not completed: keeps its best move if that is a real improvement, else restores the
    /// results of the iteration before.
    fn restore_after_abort(&mut self, before: Vec<RootMove>) {
        let (Some(now), Some(old)) = (self.root_moves.first(), before.first()) else {
            return;
        };
        let is_result = now.depth == self.root_depth && now.bound != Bound::Upper;
        let forgets_mate = score::is_mate(old.value) && now.value < old.value;
        let unfinished_loss = score::is_loss(now.value) && !score::is_loss(old.value);
        let was_searched = old.depth > 0;
        let is_better = is_result && !forgets_mate && !(unfinished_loss && was_searched);
        if !is_better || self.job.multi_pv() > 1 && was_searched {
            self.root_moves = before;
            return;
        }
        // A value above the window comes without its line. A mate that cannot be shown is not announced.
        let best = &mut self.root_moves[0];
        let lacks_line = best.bound == Bound::Lower && best.value != mate_in(best.line.len());
        if lacks_line && score::is_win(best.value) {
            best.value = EVAL_MAX;
        }
    }

    /// Gives values to the root moves if not even one iteration was completed.
    fn fallback_values(&mut self) {
        let static_value = self.eval.value(&self.job.root);
        for root_move in &mut self.root_moves {
            if root_move.depth == 0 {
                root_move.set(static_value, Bound::Exact, 1, 1, &[]);
            }
        }
        sort(&mut self.root_moves);
    }

    /// Whether the search must end after this iteration.
    fn end_iteration(&mut self, depth: u32, best: &BestMoves) -> bool {
        self.publish_nodes();
        let is_won = self.look_for_mate(depth);
        let job = self.job;
        let Some(main) = &mut self.main else {
            return false;
        };
        main.reporter.iteration(job, &self.root_moves, depth);
        let root_move = &self.root_moves[0];
        // Analysis continues: there may be a shorter mate.
        (is_won && !job.limits.infinite)
            || main.time_manager.iteration_done(&IterationStats {
                depth,
                value: root_move.value,
                previous_value: job.previous_value,
                earlier_value: best.earlier_value(),
                stable_for: best.stable_for,
                effort: root_move.nodes as f64 / self.nodes.max(1) as f64,
            })
    }

    /// Gives the mate search its share of nodes. Returns whether a mate is known.
    fn look_for_mate(&mut self, depth: u32) -> bool {
        let job = self.job;
        let Some(MainThread {
            time_manager,
            mates: Some(mates),
            ..
        }) = &mut self.main
        else {
            return false;
        };
        let mut must_end = || job.control.is_halted() || time_manager.is_over(&job.control);
        self.nodes += mates.work(job, self.nodes, &mut must_end);
        mates.recall(&mut self.root_moves, &mut self.unpromoted);
        let is_won = mates.install(&mut self.root_moves, depth);
        self.publish_nodes();
        is_won
    }

    fn report_bound(&mut self, value: Value, bound: Bound) {
        self.publish_nodes();
        if let Some(main) = &mut self.main {
            let root_move = &self.root_moves[self.pv_index];
            main.reporter
                .bound(self.job, root_move, value, bound, self.root_depth);
        }
    }

    /// Whether the search has been halted, by this worker or another.
    #[inline]
    pub(super) fn is_halted(&self) -> bool {
        self.job.control.is_halted()
    }

    /// Whether the search must end. To be called at every node.
    #[inline]
    pub(super) fn must_end(&mut self) -> bool {
        if self.nodes >= self.next_poll {
            self.poll();
        }
        self.is_halted()
    }

    #[cold]
    fn poll(&mut self) {
        self.publish_nodes();
        self.next_poll = self.nodes + self.poll_interval();
        let job = self.job;
        // Every worker checks this, since the system may let any of them run first.
        if job.limits.max_nodes().is_some_and(|max| job.nodes() >= max) {
            job.control.halt();
        }
        if let Some(main) = &mut self.main {
            if main.time_manager.is_over(&job.control) {
                job.control.halt();
            } else {
                main.reporter.heartbeat(job);
            }
        }
    }

    /// Nodes until the next look at the clock, fewer where a node limit asks for it.
    fn poll_interval(&self) -> u64 {
        let Some(limit) = self.job.limits.max_nodes() else {
            return POLL_INTERVAL;
        };
        let threads = self.job.counters.len() as u64;
        let interval = if threads == 1 {
            limit.saturating_sub(self.nodes)
        } else {
            limit / (64 * threads)
        };
        interval.clamp(1, POLL_INTERVAL)
    }

    fn publish_nodes(&self) {
        self.job.counters[self.id].set(self.nodes);
    }

    /// The stack entry of a ply.
    #[inline]
    pub(super) fn stack(&self, ply: usize) -> &StackEntry {
        &self.stack[ply + SENTINELS]
    }

    /// The stack entry of a ply.
    #[inline]
    pub(super) fn stack_mut(&mut self, ply: usize) -> &mut StackEntry {
        &mut self.stack[ply + SENTINELS]
    }

    /// The stack entry `back` plies before `ply`, perhaps before the root.
    #[inline]
    pub(super) fn stack_before(&self, ply: usize, back: usize) -> &StackEntry {
        &self.stack[ply + SENTINELS - back]
    }

    /// The moves that led to `ply`, the last one first.
    #[inline]
    pub(super) fn previous_moves(&self, ply: usize) -> [PieceTo; CONTINUATIONS] {
        std::array::from_fn(|i| self.stack_before(ply, i + 1).moved)
    }

    /// Sets the principal variation of `ply`: a move and what follows it.
    pub(super) fn update_pv(&mut self, ply: usize, mv: Move) {
        let (upper, lower) = self.pv_table.split_at_mut(ply + 1);
        let line = &mut upper[ply];
        line.clear();
        line.push(mv);
        line.extend(lower[0].iter().copied().take(line.remaining_capacity()));
    }
}

/// The best moves of the iterations so far.
#[derive(Default)]
struct BestMoves {
    values: Vec<Value>,
    last: Option<Move>,
    stable_for: u32,
}

impl BestMoves {
    fn add(&mut self, best: &RootMove) {
        self.stable_for = if self.last == Some(best.mv) {
            self.stable_for + 1
        } else {
            0
        };
        self.last = Some(best.mv);
        self.values.push(best.value);
    }

    /// The value four iterations ago, or the oldest there is.
    fn earlier_value(&self) -> Value {
        let i = self.values.len().saturating_sub(5);
        self.values.get(i).copied().unwrap_or(0)
    }
}

/// Best first; equal ones keep their order.
fn sort(root_moves: &mut [RootMove]) {
    root_moves.sort_by_key(|m| std::cmp::Reverse((m.value, m.previous_value)));
}

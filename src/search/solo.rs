//! Searches in the calling thread: for tools that search very many positions with few nodes each, where waking up other
//! threads would take a good part of the time.

use std::sync::Arc;
use std::time::{Duration, Instant};

use super::job::{NodeCounter, SearchJob};
use super::limits::{Limits, SearchOptions};
use super::report::Listener;
use super::root::{root_moves, set_aside_unpromoted};
use super::smp::control::Control;
use super::smp::pool::STACK_SIZE;
use super::tt::TranspositionTable;
use super::worker::{Worker, WorkerState};
use crate::eval::Evaluator;
use crate::mate::RootMateSearch;
use crate::score::Value;
use crate::shogi::{Move, Position};

/// A searcher without threads of its own.
///
/// ```
/// use hien::eval::Evaluator;
/// use hien::search::{Limits, SearchOptions, Solo};
/// use hien::shogi::Position;
///
/// let mut solo = Solo::new(Evaluator::material(), 1, SearchOptions::default());
/// let limits = Limits { nodes: Some(500), ..Limits::default() };
/// let start = Position::startpos();
/// let found = solo.search(&start, limits).expect("there are moves");
/// assert!(start.is_legal(found.best));
/// ```
pub struct Solo {
    evaluator: Evaluator,
    options: SearchOptions,
    table: Arc<TranspositionTable>,
    memory: WorkerState,
    /// The mate searches of either player: each forgets everything when it is to look for the other's mates.
    seekers: [Option<Box<RootMateSearch>>; 2],
    listener: Arc<dyn Listener>,
}

/// A line of a search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Found {
    /// The best move, or that of a further line.
    pub best: Move,
    /// What it is worth for the side to move.
    pub value: Value,
    /// Nodes searched for all lines.
    pub nodes: u64,
}

impl Solo {
    /// The stack that a thread needs for its searches, in bytes.
    pub const STACK: usize = STACK_SIZE;

    /// A searcher with a table of `hash_mib` MiB, or less (which is logged) if the machine has less.
    pub fn new(evaluator: Evaluator, hash_mib: usize, options: SearchOptions) -> Self {
        let (table, size) = TranspositionTable::new(hash_mib);
        if size < hash_mib {
            log::warn!("a hash of {hash_mib} MiB does not fit into memory, using {size} MiB");
        }
        Self {
            evaluator,
            options,
            table: Arc::new(table),
            memory: WorkerState::new(),
            seekers: [None, None],
            listener: Arc::new(()),
        }
    }

    /// Forgets everything: before a new game.
    pub fn clear(&mut self) {
        self.memory.clear();
        self.seekers = [None, None];
        self.table.clear();
    }

    /// Searches a position with its history. `limits` must end the search by themselves. `None` if there is no legal
    /// move. With limits of nodes or depth the result depends on nothing but the searches since the last
    /// [`clear`](Self::clear).
    pub fn search(&mut self, root: &Position, limits: Limits) -> Option<Found> {
        self.search_lines(root, limits, 1).into_iter().next()
    }

    /// As [`search`](Self::search), but for the best `lines` moves, or as many as there are, the best one first.
    pub fn search_lines(&mut self, root: &Position, limits: Limits, lines: u32) -> Vec<Found> {
        let mut root_moves = root_moves(root, &limits);
        if root_moves.is_empty() {
            return Vec::new();
        }
        let unpromoted = set_aside_unpromoted(&mut root_moves, root, &limits, &self.options);
        self.table.advance();
        let job = SearchJob {
            root: root.clone(),
            root_moves,
            unpromoted,
            start: limits.start.unwrap_or_else(Instant::now),
            limits,
            options: SearchOptions {
                multi_pv: lines,
                ..self.options.clone()
            },
            control: Arc::new(Control::default()),
            tt: Arc::clone(&self.table),
            evaluator: self.evaluator.clone(),
            listener: Arc::clone(&self.listener),
            counters: Arc::new([NodeCounter::default()]),
            clock_estimate: None,
            answer_lag: Duration::ZERO,
            previous_value: None,
            level: None,
        };
        let seeker = &mut self.seekers[root.side_to_move().index()];
        self.memory.swap_seeker(seeker);
        let outcome = Worker::new(&job, 0, &mut self.memory).run();
        self.memory.swap_seeker(seeker);
        let found = outcome.root_moves.iter().map(|best| Found {
            best: best.mv,
            value: best.shown_value(),
            nodes: job.nodes(),
        });
        found.take(job.multi_pv()).collect()
    }
}

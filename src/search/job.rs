//! One search, as all workers see it.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::time::{Duration, Instant};

use super::limits::{Clock, Limits, SearchOptions};
use super::report::Listener;
use super::root::RootMove;
use super::skill::SkillLevel;
use super::smp::control::Control;
use super::tt::TranspositionTable;
use crate::eval::Evaluator;
use crate::score::Value;
use crate::shogi::Position;

/// A node counter that one thread writes often, alone on its cache line (no false sharing).
#[derive(Default)]
#[repr(align(128))]
pub(super) struct NodeCounter(AtomicU64);

impl NodeCounter {
    /// Publishes the number of nodes searched by the thread that owns the counter.
    pub fn set(&self, nodes: u64) {
        self.0.store(nodes, Relaxed);
    }
}

/// One search, as all workers see it.
pub(super) struct SearchJob {
    pub root: Position,
    pub root_moves: Vec<RootMove>,
    /// Root moves that decline a promotion without need: searched only if all others lose.
    pub unpromoted: Vec<RootMove>,
    pub limits: Limits,
    /// When the request arrived.
    pub start: Instant,
    pub options: SearchOptions,
    /// The playing level, if it is below full strength.
    pub level: Option<SkillLevel>,
    pub control: Arc<Control>,
    pub tt: Arc<TranspositionTable>,
    pub evaluator: Evaluator,
    pub listener: Arc<dyn Listener>,
    pub counters: Arc<[NodeCounter]>,
    /// An estimate of the clocks, for pondering without any given.
    pub clock_estimate: Option<Clock>,
    /// Lag to allow for outside the search: from its end until the host has the answer, and from the host's request
    /// until it arrived here.
    pub answer_lag: Duration,
    /// The value at the end of the previous search of this game.
    pub previous_value: Option<Value>,
}

impl SearchJob {
    /// Nodes searched so far by all workers, as published.
    pub fn nodes(&self) -> u64 {
        total_nodes(&self.counters)
    }

    /// How many lines are searched.
    pub fn multi_pv(&self) -> usize {
        let needed = self.level.map_or(1, |level| level.lines());
        self.shown_lines().max(needed).min(self.root_moves.len())
    }

    /// How many lines to report.
    pub fn shown_lines(&self) -> usize {
        let wish = self.options.multi_pv.max(1) as usize;
        wish.min(self.root_moves.len())
    }
}

/// The sum of the counters.
pub(super) fn total_nodes(counters: &[NodeCounter]) -> u64 {
    counters.iter().map(|counter| counter.0.load(Relaxed)).sum()
}

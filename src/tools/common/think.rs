//! Searching one position for the tools: the last lines that a search reports.

use std::sync::{Arc, Mutex, MutexGuard};

use crate::engine::Engine;
use crate::score::Score;
use crate::search::{BestMove, Bound, Info, Limits, Listener};
use crate::shogi::{Move, Position};
use crate::threads;

/// What a search found.
#[derive(Clone, Debug, Default)]
pub struct Thought {
    /// The lines, the best first. The first alone may be without moves, if the game is over.
    pub lines: Vec<PvLine>,
    /// Nodes searched.
    pub nodes: u64,
    /// Time used in milliseconds.
    pub time_ms: u64,
}

/// A principal variation and its score.
#[derive(Clone, Debug)]
pub struct PvLine {
    /// The score for the side to move.
    pub score: Score,
    /// Plies searched.
    pub depth: u32,
    /// The greatest ply reached.
    pub seldepth: u32,
    /// The moves.
    pub pv: Vec<Move>,
}

/// Searches a position with its history and waits for the end. `limits` must end the search by themselves.
pub fn think(engine: &mut Engine, position: &Position, limits: Limits) -> Thought {
    engine
        .prepare()
        .iter()
        .for_each(|note| log::warn!("{note}"));
    let collector = Arc::new(Collector::default());
    engine.start(position.clone(), limits, collector.clone());
    engine.wait();
    std::mem::take(&mut collector.lock())
}

#[derive(Default)]
struct Collector(Mutex<Thought>);

impl Collector {
    fn lock(&self) -> MutexGuard<'_, Thought> {
        threads::lock(&self.0)
    }
}

impl Listener for Collector {
    fn info(&self, info: &Info) {
        if info.bound != Bound::Exact {
            return;
        }
        let mut thought = self.lock();
        (thought.nodes, thought.time_ms) = (info.nodes, info.time_ms);
        let line = PvLine {
            score: info.score,
            depth: info.depth,
            seldepth: info.seldepth,
            pv: info.pv.clone(),
        };
        let index = info.multipv.unwrap_or(1).saturating_sub(1) as usize;
        match thought.lines.get_mut(index) {
            Some(known) => *known = line,
            None => thought.lines.push(line),
        }
    }

    fn done(&self, _: BestMove) {}
}

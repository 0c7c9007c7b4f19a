//! A look for mates by consecutive checks at the root, beside the search: a mate search sees in a blink what the
//! search would need many iterations for. The first worker gives it a small share of its nodes between iterations.

use super::job::SearchJob;
use super::report::Bound;
use super::root::{self, RootMove};
use crate::mate::RootMateSearch;
use crate::score::mate_in;
use crate::shogi::{Move, Repetition};

/// Nodes of the search for each node of the mate search, which costs two or three times as much.
const SHARE: u64 = 64;
/// Nodes that are free: enough to take up what an earlier search found, and for most mates in three.
const FREE: u64 = 64;
/// The least portion of work that is worth beginning, in nodes.
const PORTION: u64 = 64;

/// The mate search of one root.
pub(super) struct MateSearch<'a> {
    seeker: &'a mut RootMateSearch,
    /// Nodes spent so far.
    spent: u64,
    /// The shortest mate found.
    line: Vec<Move>,
}

impl<'a> MateSearch<'a> {
    /// `None` where the search is limited in depth or moves, or more than the best line is asked for.
    pub fn new(job: &SearchJob, seeker: &'a mut Option<Box<RootMateSearch>>) -> Option<Self> {
        let is_free = job.limits.depth.is_none() && job.limits.searchmoves.is_empty();
        if !is_free || job.multi_pv() > 1 {
            return None;
        }
        let seeker = seeker.get_or_insert_default();
        seeker.start(&job.root);
        Some(Self {
            seeker,
            spent: 0,
            line: Vec::new(),
        })
    }

    /// Works as much as `nodes` of the search allow, or until `must_end`. Returns the nodes it took.
    pub fn work(&mut self, job: &SearchJob, nodes: u64, must_end: &mut dyn FnMut() -> bool) -> u64 {
        let max = job.limits.max_nodes().unwrap_or(u64::MAX);
        let portion = (FREE + nodes / SHARE).saturating_sub(self.spent);
        if portion < PORTION.max(self.spent / 4) {
            return 0;
        }
        let left = max.saturating_sub(job.nodes());
        let (worked, mate) = self.seeker.work(portion.min(left), must_end);
        self.spent += worked;
        if let Some(mate) = mate.filter(|mate| holds(job, &mate.line)) {
            self.line = mate.line;
        }
        worked
    }

    /// Makes the mate that was found the first root move, unless a shorter one stands there. Returns whether there
    /// is a mate.
    pub fn install(&self, moves: &mut [RootMove], depth: u32) -> bool {
        let Some(i) = moves
            .iter()
            .position(|root_move| Some(&root_move.mv) == self.line.first())
        else {
            return false;
        };
        let value = mate_in(self.line.len());
        if moves[0].value < value {
            moves[..=i].rotate_right(1);
            moves[0] = RootMove {
                value,
                bound: Bound::Exact,
                depth,
                seldepth: self.line.len() as u32,
                line: self.line.iter().copied().collect(),
                ..moves[0].clone()
            };
        }
        true
    }
}

/// Whether the rules of the game leave the line alone: repetitions and the limit of moves.
fn holds(job: &SearchJob, line: &[Move]) -> bool {
    let mut position = job.root.clone();
    line.iter().enumerate().all(|(i, &mv)| {
        position.do_move(mv);
        let is_last = i + 1 == line.len();
        position.repetition() == Repetition::None
            && (is_last || !root::is_beyond_last_move(&position, &job.options))
    })
}

//! A df-pn mate search at the root, run between iterations: it finds long mates by consecutive checks for which the
//! main search would need many iterations. The main thread gives it a small share of its nodes.

use super::job::SearchJob;
use super::params;
use super::report::Bound;
use super::root::{self, RootMove};
use crate::mate::RootMateSearch;
use crate::score::mate_in;
use crate::shogi::{Move, Repetition};

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

    /// Searches as long as the share of the main search's `nodes` allows, or until `must_end`. Returns the nodes used.
    pub fn work(&mut self, job: &SearchJob, nodes: u64, must_end: &mut dyn FnMut() -> bool) -> u64 {
        let max = job.limits.max_nodes().unwrap_or(u64::MAX);
        let due = params::mate_search_free() as u64 + nodes / params::mate_search_share() as u64;
        let portion = due.saturating_sub(self.spent);
        if portion < (params::mate_search_portion() as u64).max(self.spent / 4) {
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

    /// Puts the mating move back among the root moves, if it was set aside for declining a promotion.
    pub fn recall(&self, moves: &mut Vec<RootMove>, unpromoted: &mut Vec<RootMove>) {
        let first = self.line.first().copied();
        moves.extend(unpromoted.extract_if(.., |root_move| Some(root_move.mv) == first));
    }

    /// Moves the mate that was found to the front of the root moves, unless a shorter one stands there. Returns whether
    /// there is a mate.
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

/// Whether neither a repetition nor the limit of moves ends the game before the line does.
fn holds(job: &SearchJob, line: &[Move]) -> bool {
    let mut position = job.root.clone();
    line.iter().enumerate().all(|(i, &mv)| {
        position.do_move(mv);
        let is_last = i + 1 == line.len();
        position.repetition() == Repetition::None
            && (is_last || !root::is_beyond_last_move(&position, &job.options))
    })
}

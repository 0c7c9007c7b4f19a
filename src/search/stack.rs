//! The search stack: what each node leaves behind for its descendants.

use super::ordering::history::PieceTo;
use crate::score::{INFINITE, Value};
use crate::shogi::Move;

/// What a node leaves behind for its descendants.
#[derive(Clone, Copy)]
pub(super) struct StackEntry {
    /// The move being searched; `None` for a null move.
    pub mv: Option<Move>,
    /// The same as the history tables know it.
    pub moved: PieceTo,
    /// Whether it takes nothing.
    pub quiet: bool,
    /// Experience with it.
    pub history: i32,
    /// Which one it is of the node's moves, from 1.
    pub count: usize,
    /// By how many plies its search is reduced.
    pub reduction: i32,
    /// A move that is not to be searched.
    pub excluded: Option<Move>,
    /// Static evaluation, that of two plies ago if in check; `INFINITE` before the root.
    pub static_eval: Value,
    pub in_check: bool,
    /// Whether the node is or has been on a principal variation.
    pub tt_pv: bool,
    /// How many nodes of this ply have failed high below the present grandparent.
    pub cutoffs: u32,
}

impl Default for StackEntry {
    fn default() -> Self {
        Self {
            mv: None,
            moved: PieceTo::NONE,
            quiet: false,
            history: 0,
            count: 0,
            reduction: 0,
            excluded: None,
            static_eval: INFINITE,
            in_check: false,
            tt_pv: false,
            cutoffs: 0,
        }
    }
}

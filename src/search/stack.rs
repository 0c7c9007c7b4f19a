//! The search stack: what each node leaves behind for its descendants.

use super::ordering::history::PieceTo;
use crate::score::{INFINITE, Value};
use crate::shogi::Move;

/// One entry of the search stack.
#[derive(Clone, Copy)]
pub(super) struct StackEntry {
    /// The move being searched; `None` for a null move.
    pub mv: Option<Move>,
    /// The same as the history tables know it.
    pub moved: PieceTo,
    /// Whether it is no capture.
    pub quiet: bool,
    /// Its history, see [`MoveInfo`](super::tree::state::MoveInfo).
    pub history: i32,
    /// Its number among the node's moves, from 1.
    pub count: usize,
    /// Plies by which its search is reduced (LMR).
    pub reduction: i32,
    /// The move excluded from a singular search.
    pub excluded: Option<Move>,
    /// Static evaluation, that of two plies ago if in check; `INFINITE` before the root.
    pub static_eval: Value,
    pub in_check: bool,
    /// Whether the node is or has been on a principal variation.
    pub tt_pv: bool,
    /// Beta cutoffs in nodes of this ply below the current grandparent.
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

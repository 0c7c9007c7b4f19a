//! Singular extensions, multi-cut and negative extensions of the TT move.
//!
//! The scheme is that of Stockfish; the margins were tuned for Hien.

use super::node_type::{NodeType, NonPv};
use super::state::{MoveInfo, NodeState};
use crate::score::{self, Value};
use crate::search::params;
use crate::search::report::Bound;
use crate::search::worker::Worker;

/// What a search of the other moves says about the TT move.
pub enum Singular {
    /// Extend the TT move by this many plies; a negative extension makes it shallower.
    Extension(i32),
    /// Multi-cut: several moves beat beta. The value of the node.
    MultiCut(Value),
}

impl Worker<'_> {
    /// Searches all moves but the TT move to half depth. If all fall clearly short of its value, the TT move is
    /// *singular* and is extended. The stack entry of the node is unchanged afterwards.
    pub fn singular_extension<N: NodeType>(
        &mut self,
        node: &NodeState,
        info: &MoveInfo,
        beta: Value,
    ) -> Singular {
        let NodeState { depth, ply, tt, .. } = *node;
        let Some((value, bound)) = tt.value else {
            return Singular::Extension(0);
        };
        if depth < params::singular_depth() + i32::from(node.tt_pv)
            || bound == Bound::Upper
            || tt.depth < depth - params::singular_depth_gap()
            || score::is_decisive(value)
            || ply >= params::singular_ply_limit() as usize * self.root_depth as usize
        {
            return Singular::Extension(0);
        }
        let margin = params::singular_margin()
            + if node.tt_pv && !N::PV {
                params::singular_margin_pv()
            } else {
                0
            };
        let threshold = value - margin * depth / 64;
        let before = *self.stack(ply);
        self.stack_mut(ply).excluded = Some(info.mv);
        let rest = self.search::<NonPv>(
            threshold - 1,
            threshold,
            (depth - 1) / 2,
            ply,
            node.cut_node,
        );
        *self.stack_mut(ply) = before;
        if self.is_halted() {
            return Singular::Extension(0);
        }
        if rest < threshold {
            return Singular::Extension(1);
        }
        if rest >= beta && !score::is_decisive(rest) {
            return Singular::MultiCut(rest);
        }
        Singular::Extension(if value >= beta {
            -params::singular_negative()
        } else if node.cut_node {
            -params::singular_negative_cut()
        } else {
            0
        })
    }
}

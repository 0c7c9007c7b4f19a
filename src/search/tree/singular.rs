//! Whether the table move stands out among the moves of a node, and what follows from it for its depth.

use super::state::{MoveInfo, NodeState, NodeType, NonPv};
use crate::score::{self, Value};
use crate::search::params;
use crate::search::report::Bound;
use crate::search::worker::Worker;

/// What the other moves of a node say about the table move.
pub enum Singular {
    /// Search the table move so much more deeply (or less, if negative).
    Extension(i32),
    /// Several moves refute the opponent's last one: the node's value.
    MultiCut(Value),
}

impl Worker<'_> {
    /// Compares the table move with all others by a search of these to half depth. If all fall clearly short, the
    /// table move is *singular*, and worth more depth. The frame of the node is the same before and after.
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
            || tt.depth < depth - 3
            || score::is_decisive(value)
            || ply >= 2 * self.root_depth as usize
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

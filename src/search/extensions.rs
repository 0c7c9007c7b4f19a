//! Whether the table move stands out among the moves of a node, and what follows from it for its depth.

use super::node::{Candidate, Node, NonPv, Situation};
use super::params;
use super::report::Bound;
use super::worker::Worker;
use crate::score::{self, Value};

/// What the other moves of a node say about the table move.
pub(super) enum Rivalry {
    /// Search the table move so much more deeply (or less, if negative).
    Extend(i32),
    /// Several moves refute the opponent's last one: the node's value.
    Cut(Value),
}

impl Worker<'_> {
    /// Compares the table move with all others by a search of these to half depth. If all fall clearly short, the
    /// table move is *singular*, and worth more depth. The frame of the node is the same before and after.
    pub(super) fn rivalry<N: Node>(
        &mut self,
        node: &Situation,
        candidate: &Candidate,
        beta: Value,
    ) -> Rivalry {
        let Situation {
            depth, ply, known, ..
        } = *node;
        let Some((value, bound)) = known.value else {
            return Rivalry::Extend(0);
        };
        if depth < params::singular_depth() + i32::from(node.pv)
            || bound == Bound::Upper
            || known.depth < depth - 3
            || score::is_decisive(value)
            || ply >= 2 * self.root_depth as usize
        {
            return Rivalry::Extend(0);
        }
        let margin = params::singular_margin()
            + if node.pv && !N::PV {
                params::singular_margin_pv()
            } else {
                0
            };
        let threshold = value - margin * depth / 64;
        let before = *self.frame(ply);
        self.frame_mut(ply).excluded = Some(candidate.mv);
        let rest = self.search::<NonPv>(
            threshold - 1,
            threshold,
            (depth - 1) / 2,
            ply,
            node.cut_node,
        );
        *self.frame_mut(ply) = before;
        if self.is_halted() {
            return Rivalry::Extend(0);
        }
        if rest < threshold {
            return Rivalry::Extend(1);
        }
        if rest >= beta && !score::is_decisive(rest) {
            return Rivalry::Cut(rest);
        }
        Rivalry::Extend(if value >= beta {
            -params::singular_negative()
        } else if node.cut_node {
            -params::singular_negative_cut()
        } else {
            0
        })
    }
}

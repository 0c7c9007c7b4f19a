//! What settles a whole node without searching its moves. Each is tried in nodes off the principal variation that
//! are not in check, and returns the node's value if it applies.

use super::history::PieceTo;
use super::knowledge::Known;
use super::node::{NonPv, Situation};
use super::params;
use super::worker::Worker;
use crate::score::{self, Value};

impl Worker<'_> {
    /// Hopeless nodes go to quiescence at once.
    pub(super) fn razor(&mut self, node: &Situation, eval: Value, alpha: Value) -> Option<Value> {
        let margin = params::razor_base() + params::razor_slope() * node.depth * node.depth;
        if eval >= alpha - margin || score::is_decisive(alpha) {
            return None;
        }
        let value = self.quiesce::<NonPv>(alpha, alpha + 1, false, node.ply);
        (value <= alpha).then_some(value)
    }

    /// A position far above beta stays there, whatever the opponent does in the few plies left.
    pub(super) fn reverse_futility(
        &self,
        node: &Situation,
        known: &Known,
        eval: Value,
        beta: Value,
    ) -> Option<Value> {
        let quiet_move = known.mv.is_some_and(|mv| self.victim(mv).is_none());
        if known.pv || quiet_move || node.depth > params::reverse_futility_depth() {
            return None;
        }
        let improving = if node.improving {
            params::reverse_futility_improving()
        } else {
            0
        };
        let margin = params::reverse_futility_slope() * node.depth - improving;
        let holds = eval - margin.max(0) >= beta && eval >= beta;
        (holds && !score::is_loss(beta) && !score::is_win(eval)).then(|| (2 * beta + eval) / 3)
    }

    /// If the side to move could even pass, it has no need to search further.
    pub(super) fn null_move(
        &mut self,
        node: &Situation,
        eval: Value,
        beta: Value,
    ) -> Option<Value> {
        let Situation { depth, ply, .. } = *node;
        let passed_before = self.frame_before(ply, 1).moved == PieceTo::NONE && ply > 0;
        if depth < params::null_depth()
            || passed_before
            || ply < self.null_floor
            || eval < beta
            || node.eval < beta - 20 * depth + 150
            || score::is_loss(beta)
        {
            return None;
        }
        let reduction = params::null_reduction()
            + depth / params::null_depth_divisor()
            + ((eval - beta) / params::null_eval_divisor()).min(3);
        self.frame_mut(ply).moved = PieceTo::NONE;
        self.nodes += 1;
        self.position.do_null_move();
        let value = -self.search::<NonPv>(-beta, 1 - beta, depth - reduction, ply + 1, false);
        self.position.undo_null_move();
        if self.is_halted() || value < beta {
            return None;
        }
        let value = if score::is_win(value) { beta } else { value };
        if depth < params::null_verification_depth() {
            return Some(value);
        }
        // Zugzwang hardly exists in shogi, but threats that passing overlooks do.
        let floor = self.null_floor;
        self.null_floor = ply + 3 * (depth - reduction).max(0) as usize / 4;
        let verified = self.search::<NonPv>(beta - 1, beta, depth - reduction, ply, false);
        self.null_floor = floor;
        (!self.is_halted() && verified >= beta).then_some(value)
    }
}

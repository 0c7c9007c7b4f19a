//! Which moves of a shallow node are not worth a search.

use super::node::{Candidate, Situation};
use super::params;
use super::worker::Worker;
use crate::score::{INFINITE, Value};
use crate::shogi::piece_value;

/// From which move on the quiet moves of a node are not tried any more.
pub(super) fn late_move_limit(node: &Situation) -> usize {
    let tenths = params::late_move_base() + params::late_move_slope() * node.depth * node.depth;
    let limit = tenths / 10 / if node.improving { 1 } else { 2 };
    limit.max(1) as usize
}

impl Worker<'_> {
    /// Whether a move of a node that is not lost promises too little to be searched, and the most it can be expected to
    /// bring then: `-INFINITE` if nothing is known of that. `depth` is what the move's search would probably get.
    pub(super) fn futility(
        &self,
        node: &Situation,
        candidate: &Candidate,
        alpha: Value,
        depth: i32,
        nothing_found: bool,
    ) -> Option<Value> {
        let depth = depth.max(0);
        if candidate.victim.is_some() || candidate.gives_check {
            let is_futile = self.is_futile_capture(node, candidate, alpha, depth);
            return is_futile.then_some(-INFINITE);
        }
        if candidate.history < -params::history_pruning() * node.depth {
            return Some(-INFINITE);
        }
        let depth = (depth + candidate.history / params::futility_history()).max(0);
        let mut margin = params::futility_base() + params::futility_slope() * depth;
        if nothing_found {
            margin += params::futility_nothing_found();
        }
        let promise = node.eval + margin;
        if !node.in_check && depth <= params::futility_depth() && promise <= alpha {
            return Some(promise);
        }
        let allowed = params::see_quiet_slope() * depth * depth;
        (!self.position.see_ge(candidate.mv, -allowed)).then_some(-INFINITE)
    }

    /// The same for captures, and for checks. Sacrifices that give check are the essence of attack: an exchange must
    /// be quite bad before they are skipped.
    fn is_futile_capture(
        &self,
        node: &Situation,
        candidate: &Candidate,
        alpha: Value,
        depth: i32,
    ) -> bool {
        let may_skip = !candidate.gives_check && !node.in_check;
        if let Some(victim) = candidate.victim
            && may_skip
            && depth < params::capture_futility_depth()
        {
            let margin = params::capture_futility_base()
                + params::capture_futility_slope() * depth
                + piece_value::value(victim)
                + candidate.history / 8;
            if node.eval + margin <= alpha {
                return true;
            }
        }
        let allowed = params::see_capture_slope() * node.depth;
        !self.position.see_ge(candidate.mv, -allowed)
    }
}

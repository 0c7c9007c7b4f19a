//! What settles a whole node without searching its moves. Each is tried in nodes off the principal variation that
//! are not in check, and returns the node's value if it applies.

use super::history::PieceTo;
use super::movepick::MovePicker;
use super::node::{NonPv, Situation, TERMINAL_BONUS};
use super::params;
use super::report::Bound;
use super::worker::Worker;
use crate::mate::{mate_in_one, mate_in_three};
use crate::score::{self, Value, mate_in};

/// Plies back in which the search for a mate in three notices a repeated position. Longer cycles are rare.
const CYCLE_REACH: usize = 16;

impl Worker<'_> {
    /// The value of a node that looks decided, if any of the ways to see that applies.
    pub(super) fn shortcut(
        &mut self,
        node: &Situation,
        alpha: Value,
        beta: Value,
    ) -> Option<Value> {
        self.mate_in_one(node)
            .or_else(|| self.mate_in_three(node))
            .or_else(|| self.razor(node, alpha))
            .or_else(|| self.reverse_futility(node, beta))
            .or_else(|| self.null_move(node, beta))
    }

    /// A mate in one is seen at once. Positions that the table knows have been looked at before.
    fn mate_in_one(&mut self, node: &Situation) -> Option<Value> {
        if node.known.is_hit() {
            return None;
        }
        let mv = mate_in_one(&mut self.position)?;
        let value = mate_in(node.ply + 1);
        let depth = node.depth + TERMINAL_BONUS;
        self.remember(Some(mv), value, Bound::Exact, depth, node, node.pv);
        Some(value)
    }

    /// A mate in three is worth looking for where much would be searched otherwise.
    fn mate_in_three(&mut self, node: &Situation) -> Option<Value> {
        let last = self.job.options.max_moves_to_draw;
        let is_drawn_before = last > 0 && self.position.ply() + 2 > last;
        if node.depth < params::mate_in_three_depth() || node.known.is_hit() || is_drawn_before {
            return None;
        }
        mate_in_three(&mut self.position, CYCLE_REACH)?;
        Some(mate_in(node.ply + 3))
    }

    /// Hopeless nodes go to quiescence at once.
    fn razor(&mut self, node: &Situation, alpha: Value) -> Option<Value> {
        let margin = params::razor_base() + params::razor_slope() * node.depth * node.depth;
        if node.estimate >= alpha - margin || score::is_decisive(alpha) {
            return None;
        }
        let value = self.quiesce::<NonPv>(alpha, alpha + 1, true, node.ply);
        (value <= alpha).then_some(value)
    }

    /// A position far above beta stays there, whatever the opponent does in the few plies left.
    fn reverse_futility(&self, node: &Situation, beta: Value) -> Option<Value> {
        let eval = node.estimate;
        let quiet_move = node.known.mv.is_some_and(|mv| self.victim(mv).is_none());
        if node.pv || quiet_move || node.depth > params::reverse_futility_depth() {
            return None;
        }
        let improving = if node.improving {
            params::reverse_futility_improving()
        } else {
            0
        };
        let worsening = if node.opponent_worsening {
            params::reverse_futility_worsening()
        } else {
            0
        };
        let margin = params::reverse_futility_slope() * node.depth - improving - worsening
            + node.correction / 2;
        let holds = eval - margin.max(0) >= beta && eval >= beta;
        (holds && !score::is_loss(beta) && !score::is_win(eval)).then(|| (2 * beta + eval) / 3)
    }

    /// If the side to move could even pass, it has no need to search further.
    fn null_move(&mut self, node: &Situation, beta: Value) -> Option<Value> {
        let Situation { depth, ply, .. } = *node;
        let eval = node.estimate;
        let passed_before = self.frame_before(ply, 1).moved == PieceTo::NONE && ply > 0;
        if !node.cut_node
            || depth < params::null_depth()
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
        let frame = self.frame_mut(ply);
        frame.moved = PieceTo::NONE;
        frame.mv = None;
        frame.quiet = false;
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

    /// A capture that beats a much higher bound at much less depth would beat this one at full depth.
    pub(super) fn prob_cut(&mut self, node: &Situation, beta: Value) -> Option<Value> {
        let Situation {
            depth, ply, known, ..
        } = *node;
        if score::is_decisive(beta) {
            return None;
        }
        // What the table knows may be enough.
        let raised = beta + params::table_cut_margin();
        if let Some((value, bound)) = known.value
            && bound != Bound::Upper
            && known.depth >= depth - 4
            && value >= raised
            && !score::is_decisive(value)
            && !score::is_decisive(raised)
        {
            return Some(raised);
        }
        let raised = beta + params::prob_cut_margin()
            - if node.improving {
                params::prob_cut_improving()
            } else {
                0
            };
        let known_less = known.value.is_some_and(|(value, _)| value < raised);
        if depth < 3 || node.in_check || known_less {
            return None;
        }
        let gain = raised - node.eval;
        let checks = self.position.check_info();
        let previous = self.previous_moves(ply);
        let mut picker = MovePicker::captures(node.table_move, self.promotions());
        let reduced = (depth - params::prob_cut_reduction()).max(0);
        loop {
            let context = self.context(&checks, previous, node.places.structure(), ply);
            let mv = picker.next(&context)?;
            let Some(victim) = self.victim(mv) else {
                continue;
            };
            self.fetch_entry_after(mv);
            if !self.position.see_ge(mv, gain) {
                continue;
            }
            let moved = PieceTo::of(&self.position, mv);
            let history = self.history.capture(moved, victim);
            let frame = self.frame_mut(ply);
            frame.history = history;
            frame.quiet = false;
            self.make(mv, moved, ply);
            let mut value = -self.quiesce::<NonPv>(-raised, 1 - raised, true, ply + 1);
            if value >= raised && reduced > 0 {
                value =
                    -self.search::<NonPv>(-raised, 1 - raised, reduced, ply + 1, !node.cut_node);
            }
            self.position.undo_move();
            if self.is_halted() {
                return None;
            }
            if value >= raised {
                self.remember(Some(mv), value, Bound::Lower, reduced + 1, node, node.pv);
                return Some(if score::is_decisive(value) {
                    value
                } else {
                    value - (raised - beta)
                });
            }
        }
    }
}

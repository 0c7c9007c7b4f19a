//! Updates of the history tables and the correction history after a node.
//!
//! The rules and their numbers, above all the scale in [`Worker::reward_prior_move`], started from those of Stockfish
//! and YaneuraOu 9.70.

use super::history::PieceTo;
use super::movepick::CONTINUATIONS;
use crate::score::{self, Value};
use crate::search::params;
use crate::search::tree::alphabeta::TriedMoves;
use crate::search::tree::state::NodeState;
use crate::search::tree::state::TtData;
use crate::search::worker::Worker;
use crate::shogi::Move;

/// Weights of the continuation histories 1, 2, .. plies ago, in 1024ths.
fn continuation_weights() -> [i32; CONTINUATIONS] {
    [
        params::continuation_1(),
        params::continuation_2(),
        params::continuation_3(),
        params::continuation_4(),
        params::continuation_5(),
        params::continuation_6(),
    ]
}

impl Worker<'_> {
    /// A bonus for the best move of a node, a malus for the moves tried before it.
    pub fn update_histories(
        &mut self,
        best: Move,
        tried: &TriedMoves,
        node: &NodeState,
        depth: i32,
    ) {
        let mut bonus = (params::history_bonus_slope() * depth - params::history_bonus_offset())
            .min(params::history_bonus_max());
        if Some(best) == node.tt_move {
            bonus += params::history_bonus_tt_move();
        }
        let malus = (params::history_malus_slope() * depth - params::history_malus_offset())
            .min(params::history_malus_max());
        if self.position.captured_by(best).is_some() {
            self.update_capture_history(best, bonus);
        } else {
            self.update_quiet_histories(best, bonus, node);
            let mut malus = malus;
            for &mv in &tried.quiets {
                self.update_quiet_histories(mv, -malus, node);
                malus -= malus * params::history_malus_fade() / 1024;
            }
        }
        for &mv in &tried.captures {
            self.update_capture_history(mv, -malus);
        }
        // The opponent's first move was refuted.
        let ply = node.ply;
        let parent = *self.stack_before(ply, 1);
        if ply > 0 && parent.mv.is_some() && parent.quiet && parent.count == 1 {
            self.update_continuation_histories(
                ply - 1,
                parent.moved,
                -malus * params::history_refuted() / 1024,
            );
        }
    }

    /// A bonus for the opponent's last move, which nothing beats: the node failed low.
    pub fn reward_prior_move(&mut self, node: &NodeState, best: Value, depth: i32) {
        let ply = node.ply;
        let parent = *self.stack_before(ply, 1);
        let Some(mv) = parent.mv.filter(|_| ply > 0) else {
            return;
        };
        if !parent.quiet {
            let captured = self.position.diff(0).and_then(|diff| diff.captured);
            if let Some(captured) = captured {
                self.history.update_capture(
                    parent.moved,
                    captured.kind(),
                    params::prior_capture_bonus(),
                );
            }
            return;
        }
        let mut scale = (params::prior_depth_slope() * depth).min(params::prior_depth_max())
            - params::prior_offset()
            - parent.history / params::prior_history_divisor();
        if parent.count as i32 >= params::prior_late_count() {
            scale += params::prior_late();
        }
        if !node.in_check && best <= node.static_eval - params::prior_below_eval_margin() {
            scale += params::prior_below_eval();
        }
        if !parent.in_check && best <= -parent.static_eval - params::prior_below_parent_margin() {
            scale += params::prior_below_parent();
        }
        let bonus = (params::prior_bonus_slope() * depth - params::prior_bonus_offset())
            .min(params::prior_bonus_max())
            * scale.max(0);
        self.update_continuation_histories(
            ply - 1,
            parent.moved,
            bonus / params::prior_continuation_divisor(),
        );
        self.history.update_main(
            !self.position.side_to_move(),
            mv,
            bonus / params::prior_main_divisor(),
        );
    }

    /// Rates the opponent's last quiet move by how much it changed the static evaluation.
    pub fn update_by_eval_diff(&mut self, node: &NodeState) {
        let parent = *self.stack_before(node.ply, 1);
        if node.in_check || parent.in_check || !parent.quiet || node.tt.is_hit() {
            return;
        }
        if let Some(mv) = parent.mv {
            let gain = (-parent.static_eval - node.static_eval)
                .clamp(params::eval_diff_min(), params::eval_diff_max())
                + params::eval_diff_offset();
            self.history.update_main(
                !self.position.side_to_move(),
                mv,
                gain * params::eval_diff_weight(),
            );
        }
    }

    /// The table caused a cutoff: a bonus for its quiet move, a malus for the opponent's early quiet move.
    pub fn update_on_tt_cutoff(&mut self, tt: &TtData, depth: i32, ply: usize) {
        if let Some(mv) = tt.mv
            && self.position.captured_by(mv).is_none()
            && self.position.is_legal(mv)
        {
            let moved = PieceTo::of(&self.position, mv);
            let bonus = (params::tt_cutoff_bonus_slope() * depth
                - params::tt_cutoff_bonus_offset())
            .min(params::tt_cutoff_bonus_max());
            self.history
                .update_main(self.position.side_to_move(), mv, bonus);
            self.update_continuation_histories(ply, moved, bonus);
        }
        let parent = *self.stack_before(ply, 1);
        if ply > 0
            && parent.mv.is_some()
            && parent.quiet
            && parent.count as i32 <= params::tt_cutoff_malus_count()
        {
            self.update_continuation_histories(ply - 1, parent.moved, -params::tt_cutoff_malus());
        }
    }

    /// A bonus for a move whose reduced search (LMR) beat alpha.
    pub fn update_after_lmr(&mut self, moved: PieceTo, ply: usize) {
        self.update_continuation_histories(ply, moved, params::lmr_success_bonus());
    }

    /// Updates the correction history by the node's result, unless a capture or a mate explains the difference, or the
    /// result is a bound on the wrong side of the static evaluation.
    pub fn update_correction_history(
        &mut self,
        node: &NodeState,
        best_move: Option<Move>,
        best: Value,
        depth: i32,
    ) {
        let is_capture = best_move.is_some_and(|mv| self.position.captured_by(mv).is_some());
        let surplus = best - node.static_eval;
        if node.in_check
            || is_capture
            || best_move.is_some() != (surplus > 0)
            || score::is_decisive(best)
        {
            return;
        }
        let divisor = if best_move.is_some() {
            params::correction_divisor()
        } else {
            params::correction_divisor_fail_low()
        };
        self.correction_history.update(
            self.position.side_to_move(),
            &node.correction_indices,
            surplus,
            depth,
            divisor,
        );
    }

    fn update_quiet_histories(&mut self, mv: Move, bonus: i32, node: &NodeState) {
        let moved = PieceTo::of(&self.position, mv);
        self.history
            .update_main(self.position.side_to_move(), mv, bonus);
        self.history
            .update_low_ply(node.ply, mv, bonus * params::history_low_ply() / 1024);
        self.history.update_pawn(
            node.context.pawn_index,
            moved,
            bonus * params::history_pawn() / 1024,
        );
        self.update_continuation_histories(node.ply, moved, bonus);
    }

    /// Continuation history of a move made at `ply`, after each of the moves before it.
    fn update_continuation_histories(&mut self, ply: usize, moved: PieceTo, bonus: i32) {
        // In check only the last two moves matter.
        let reach = if self.stack(ply).in_check {
            2
        } else {
            CONTINUATIONS
        };
        for (back, weight) in (1..).zip(continuation_weights()).take(reach) {
            let earlier = self.stack_before(ply, back).moved;
            self.history
                .update_continuation(earlier, moved, bonus * weight / 1024);
        }
    }

    fn update_capture_history(&mut self, mv: Move, bonus: i32) {
        if let Some(kind) = self.position.captured_by(mv) {
            let moved = PieceTo::of(&self.position, mv);
            self.history.update_capture(moved, kind, bonus);
        }
    }
}

//! What a node teaches about moves, and about static evaluation.

use super::history::PieceTo;
use super::knowledge::Known;
use super::node::{Situation, Tried};
use super::params;
use super::worker::Worker;
use crate::score::{self, Value};
use crate::shogi::Move;

/// Weights of a continuation by how many plies ago its first move was, in 1024ths.
const WEIGHTS: [i32; 6] = [1100, 700, 300, 550, 140, 440];

impl Worker<'_> {
    /// Rewards the best move of a node and punishes those that were tried before it.
    pub(super) fn learn(&mut self, best: Move, tried: &Tried, node: &Situation, depth: i32) {
        let mut bonus = (params::history_bonus_slope() * depth - params::history_bonus_offset())
            .min(params::history_bonus_max());
        if Some(best) == node.table_move {
            bonus += params::history_bonus_table();
        }
        let malus = (params::history_malus_slope() * depth - params::history_malus_offset())
            .min(params::history_malus_max());
        if self.victim(best).is_some() {
            self.learn_capture(best, bonus);
        } else {
            self.learn_quiet(best, bonus, node);
            let mut malus = malus;
            for &mv in &tried.quiets {
                self.learn_quiet(mv, -malus, node);
                malus -= malus * params::history_malus_fade() / 1024;
            }
        }
        for &mv in &tried.captures {
            self.learn_capture(mv, -malus);
        }
        // The opponent's first choice was refuted.
        let ply = node.ply;
        let parent = *self.frame_before(ply, 1);
        if ply > 0 && parent.mv.is_some() && parent.quiet && parent.count == 1 {
            self.learn_continuations(
                ply - 1,
                parent.moved,
                -malus * params::history_refuted() / 1024,
            );
        }
    }

    /// The opponent's last move has been good: nothing beats it.
    pub(super) fn learn_from_failure(&mut self, node: &Situation, best: Value, depth: i32) {
        let ply = node.ply;
        let parent = *self.frame_before(ply, 1);
        let Some(mv) = parent.mv.filter(|_| ply > 0) else {
            return;
        };
        if !parent.quiet {
            let captured = self.position.diff(0).and_then(|diff| diff.captured);
            if let Some(captured) = captured {
                self.history
                    .update_capture(parent.moved, captured.kind(), 1000);
            }
            return;
        }
        let mut scale = (59 * depth).min(450) - 230 - parent.history / 106;
        if parent.count > 8 {
            scale += 170;
        }
        if !node.in_check && best <= node.eval - 110 {
            scale += 145;
        }
        if !parent.in_check && best <= -parent.eval - 75 {
            scale += 155;
        }
        let bonus = (135 * depth - 80).min(1400) * scale.max(0);
        self.learn_continuations(ply - 1, parent.moved, bonus / 74);
        self.history
            .update_quiet(!self.position.side_to_move(), mv, bonus / 139);
    }

    /// The opponent's last quiet move changed the evaluation: for the better or not.
    pub(super) fn learn_from_swing(&mut self, node: &Situation) {
        let parent = *self.frame_before(node.ply, 1);
        if node.in_check || parent.in_check || !parent.quiet || node.known.is_hit() {
            return;
        }
        if let Some(mv) = parent.mv {
            let gain = (-parent.eval - node.eval).clamp(-214, 171) + 60;
            self.history
                .update_quiet(!self.position.side_to_move(), mv, gain * 10);
        }
    }

    /// The table ended a node: its move was good again.
    pub(super) fn learn_from_table(&mut self, known: &Known, depth: i32, ply: usize) {
        if let Some(mv) = known.mv
            && self.victim(mv).is_none()
            && self.position.is_legal(mv)
        {
            let moved = PieceTo::of(&self.position, mv);
            let bonus = (130 * depth - 70).min(1000);
            self.history
                .update_quiet(self.position.side_to_move(), mv, bonus);
            self.learn_continuations(ply, moved, bonus);
        }
        let parent = *self.frame_before(ply, 1);
        if ply > 0 && parent.mv.is_some() && parent.quiet && parent.count < 4 {
            self.learn_continuations(ply - 1, parent.moved, -2100);
        }
    }

    /// A move that was to be reduced did better than expected.
    pub(super) fn learn_surprise(&mut self, moved: PieceTo, ply: usize) {
        self.learn_continuations(ply, moved, 1400);
    }

    /// Compares the result with static evaluation, unless a capture explains it.
    pub(super) fn learn_correction(
        &mut self,
        node: &Situation,
        best_move: Option<Move>,
        best: Value,
        depth: i32,
    ) {
        let is_capture = best_move.is_some_and(|mv| self.victim(mv).is_some());
        let surplus = best - node.eval;
        if node.in_check
            || is_capture
            || best_move.is_some() != (surplus > 0)
            || score::is_decisive(best)
        {
            return;
        }
        let divisor = if best_move.is_some() { 10 } else { 7 };
        self.corrections.learn(
            self.position.side_to_move(),
            &node.places,
            surplus,
            depth,
            divisor,
        );
    }

    fn learn_quiet(&mut self, mv: Move, bonus: i32, node: &Situation) {
        let moved = PieceTo::of(&self.position, mv);
        self.history
            .update_quiet(self.position.side_to_move(), mv, bonus);
        self.history.update_low_ply(node.ply, mv, bonus * 3 / 4);
        self.history
            .update_structure(node.places.structure(), moved, bonus * 3 / 4);
        self.learn_continuations(node.ply, moved, bonus);
    }

    /// A move made at `ply` as the continuation of those before it.
    fn learn_continuations(&mut self, ply: usize, moved: PieceTo, bonus: i32) {
        // In check only the last two moves matter.
        let reach = if self.frame(ply).in_check { 2 } else { 6 };
        for (back, weight) in (1..).zip(WEIGHTS).take(reach) {
            let earlier = self.frame_before(ply, back).moved;
            self.history
                .update_continuation(earlier, moved, bonus * weight / 1024);
        }
    }

    fn learn_capture(&mut self, mv: Move, bonus: i32) {
        if let Some(kind) = self.victim(mv) {
            let moved = PieceTo::of(&self.position, mv);
            self.history.update_capture(moved, kind, bonus);
        }
    }
}

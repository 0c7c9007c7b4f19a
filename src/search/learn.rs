//! What a node teaches about its moves.

use super::history::PieceTo;
use super::node::Tried;
use super::params;
use super::worker::Worker;
use crate::shogi::Move;

impl Worker<'_> {
    /// Rewards the best move of a node and punishes those that were tried before it.
    pub(super) fn learn(&mut self, best: Move, tried: &Tried, depth: i32, ply: usize) {
        let bonus = (params::history_bonus_slope() * depth - params::history_bonus_offset())
            .min(params::history_bonus_max());
        let malus = (params::history_malus_slope() * depth - params::history_malus_offset())
            .min(params::history_malus_max());
        if self.victim(best).is_some() {
            self.learn_capture(best, bonus);
        } else {
            self.learn_quiet(best, bonus, ply);
            for &mv in &tried.quiets {
                self.learn_quiet(mv, -malus, ply);
            }
        }
        for &mv in &tried.captures {
            self.learn_capture(mv, -malus);
        }
    }

    fn learn_quiet(&mut self, mv: Move, bonus: i32, ply: usize) {
        let moved = PieceTo::of(&self.position, mv);
        self.history
            .update_quiet(self.position.side_to_move(), mv, bonus);
        // Weights of the plies in 1024ths; in check only the last two moves matter.
        const WEIGHTS: [i32; 6] = [1100, 700, 300, 550, 140, 440];
        let reach = if self.position.in_check() { 2 } else { 6 };
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

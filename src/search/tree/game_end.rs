//! End of the game inside the tree: repetition (sennichite, 千日手), declaration (nyugyoku, 入玉宣言), the last move
//! allowed, the greatest ply.

use crate::score::{MAX_PLY, REPETITION_WIN, SUPERIOR, Value, mate_in, mated_in};
use crate::search::root::is_beyond_last_move;
use crate::search::worker::Worker;
use crate::shogi::{Cycle, Declaration, EnteringKingRule};

/// How many moves before the root are searched for an earlier occurrence of the position.
const REPETITION_REACH: usize = 16;

impl Worker<'_> {
    /// The value of a position in which the game is over, or as good as over, below the root.
    pub fn end_of_game(&mut self, ply: usize) -> Option<Value> {
        if let Some(cycle) = self.position.search_repetition(ply, REPETITION_REACH) {
            return Some(match cycle {
                Cycle::Draw => self.draw_value(),
                Cycle::Win => REPETITION_WIN - ply as Value,
                Cycle::Lose => ply as Value - REPETITION_WIN,
                Cycle::Superior => SUPERIOR,
                Cycle::Inferior => -SUPERIOR,
            });
        }
        if is_beyond_last_move(&self.position, &self.job.options) {
            return Some(if self.position.count_legal() == 0 {
                mated_in(ply)
            } else {
                self.draw_value()
            });
        }
        if ply >= MAX_PLY {
            return Some(if self.position.in_check() {
                self.draw_value()
            } else {
                self.eval.value(&self.position)
            });
        }
        if self.can_declare() {
            return Some(mate_in(ply + 1));
        }
        None
    }

    /// Whether the side to move wins by declaration, or by a try.
    fn can_declare(&self) -> bool {
        let rule = self.job.options.entering_king_rule;
        rule != EnteringKingRule::NoEnteringKing
            && self.position.is_king_in_zone()
            && self.position.declaration(rule) == Declaration::Win
    }

    /// The value of a draw for the side to move, with some jitter (as in Stockfish): otherwise the search would settle
    /// on one of many ways to the draw and overlook better moves.
    fn draw_value(&self) -> Value {
        let jitter = (self.nodes & 2) as Value - 1;
        self.draw_values[self.position.side_to_move().index()] + jitter
    }
}

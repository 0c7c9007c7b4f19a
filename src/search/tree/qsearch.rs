//! Quiescence search (qsearch): below the main search only captures are followed, until the static evaluation can be
//! trusted. Instead of quiet checks there is a test for mate in one. In check all evasions are tried, so that mates
//! found here are proofs.
//!
//! The order of its pruning follows Stockfish and YaneuraOu 9.70, the test for mate in one YaneuraOu.

use super::node_type::NodeType;
use super::state::NodeState;
use crate::mate::mate_in_one;
use crate::score::{self, INFINITE, Value, mate_in, mated_in};
use crate::search::ordering::history::PieceTo;
use crate::search::ordering::movepick::MovePicker;
use crate::search::report::Bound;
use crate::search::tt::{DEPTH_UNSEARCHED, TtEntry};
use crate::search::worker::Worker;
use crate::shogi::Move;

/// Depth of the table entries of quiescence search.
const DEPTH_QUIESCENCE: i32 = 0;
const _: () = assert!(DEPTH_QUIESCENCE > DEPTH_UNSEARCHED);

impl Worker<'_> {
    /// The value of the position by quiescence search.
    pub fn qsearch<N: NodeType>(&mut self, alpha: Value, beta: Value, ply: usize) -> Value {
        // Step 1. End of the search or of the game; mate distance pruning.
        if self.must_end() {
            return 0;
        }
        if N::PV {
            self.pv_table[ply].clear();
            self.seldepth = self.seldepth.max(ply);
        }
        if let Some(value) = self.end_of_game(ply) {
            return value;
        }
        let mut alpha = alpha.max(mated_in(ply));
        let beta = beta.min(mate_in(ply + 1));
        if alpha >= beta {
            return alpha;
        }

        // Step 2. Transposition table cutoff.
        let tt = self.probe_tt(ply);
        if !N::PV
            && tt.depth >= DEPTH_QUIESCENCE
            && let Some(value) = tt.bound_for(beta)
        {
            return value;
        }

        // Step 3. Mate in one. Positions found in the table have been tested before.
        let in_check = self.position.in_check();
        if !in_check
            && !tt.is_hit()
            && let Some(mv) = mate_in_one(&mut self.position)
        {
            if N::PV {
                self.pv_table[ply + 1].clear();
                self.update_pv(ply, mv);
            }
            return self.store_mate_in_one(ply, mv, None, DEPTH_QUIESCENCE, N::PV);
        }

        // Step 4. Stand pat: except in check, the side to move need not capture.
        let node = self.evaluate_node(DEPTH_QUIESCENCE, ply, tt, N::PV, false);
        let mut best = -INFINITE;
        if !in_check {
            best = node.eval;
            if best >= beta {
                if !tt.is_hit() {
                    self.store_tt(
                        ply,
                        qsearch_entry(&node, None, best, Bound::Lower, DEPTH_UNSEARCHED),
                    );
                }
                return soften_fail_high(best, beta);
            }
            alpha = alpha.max(best);
        }

        // Step 5. Captures, with move count, futility (delta) and SEE pruning; in check all evasions.
        let mut picker = MovePicker::captures(self.qsearch_tt_move(&node), self.promotions());
        let mut best_move = None;
        let mut count = 0;
        while let Some(mv) = self.pick(&mut picker, &node, best) {
            count += 1;
            if !in_check && let Some(promise) = self.prune_qsearch_move(&node, mv, alpha, count) {
                best = best.max(promise);
                continue;
            }
            self.fetch_entry_after(mv);
            self.make(mv, PieceTo::of(&self.position, mv), ply);
            let value = -self.qsearch::<N>(-beta, -alpha, ply + 1);
            self.position.undo_move();
            if self.is_halted() {
                return 0;
            }
            if value > best {
                best = value;
                if value > alpha {
                    best_move = Some(mv);
                    if N::PV {
                        self.update_pv(ply, mv);
                    }
                    if value >= beta {
                        break;
                    }
                    alpha = value;
                }
            }
        }

        // Step 6. Checkmate, or the transposition table.
        if in_check && count == 0 {
            return mated_in(ply);
        }
        let bound = if best >= beta {
            Bound::Lower
        } else {
            Bound::Upper
        };
        if best > beta {
            best = soften_fail_high(best, beta);
        }
        self.store_tt(
            ply,
            qsearch_entry(&node, best_move, best, bound, DEPTH_QUIESCENCE),
        );
        best
    }

    /// The TT move, if quiescence search may try it: any in check, else only a capture.
    fn qsearch_tt_move(&self, node: &NodeState) -> Option<Move> {
        node.tt
            .mv
            .filter(|&mv| node.in_check || self.position.captured_by(mv).is_some())
            .filter(|&mv| self.is_playable(mv))
    }
}

fn qsearch_entry(
    node: &NodeState,
    mv: Option<Move>,
    value: Value,
    bound: Bound,
    depth: i32,
) -> TtEntry {
    TtEntry {
        mv,
        value,
        eval: node.raw_eval,
        depth,
        bound: Some(bound),
        pv: false,
    }
}

/// A fail-high value overstates: moves it half way towards beta. Proved results stay as they are, and nothing becomes
/// one.
fn soften_fail_high(value: Value, beta: Value) -> Value {
    if score::is_decisive(value) || score::is_decisive(beta) {
        value
    } else {
        (value + beta) / 2
    }
}

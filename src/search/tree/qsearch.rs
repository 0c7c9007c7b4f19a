//! Quiescence search: below the main search only captures are followed (and quiet checks in the first ply), until the
//! static evaluation can be trusted. When in check all evasions are tried, so that mates found here are proofs.
//!
//! The order of its pruning follows Stockfish and YaneuraOu 9.70.

use super::state::NodeType;
use crate::score::{self, INFINITE, Value, mate_in, mated_in};
use crate::search::ordering::correction_history::CorrectionIndices;
use crate::search::ordering::history::PieceTo;
use crate::search::ordering::movepick::MovePicker;
use crate::search::params;
use crate::search::report::Bound;
use crate::search::tt::{self, DEPTH_UNSEARCHED, TtEntry};
use crate::search::worker::Worker;
use crate::shogi::{Move, piece_value};

/// Depths of the table entries of quiescence search: with checks, and without.
const DEPTH_WITH_CHECKS: i32 = 0;
const DEPTH_PLAIN: i32 = -1;
const _: () = assert!(DEPTH_PLAIN > tt::DEPTH_UNSEARCHED);

/// After this many moves only recaptures and checks are tried.
const MOVE_LIMIT: usize = 3;

impl Worker<'_> {
    /// The value of the position by quiescence search.
    pub fn qsearch<N: NodeType>(
        &mut self,
        alpha: Value,
        beta: Value,
        with_checks: bool,
        ply: usize,
    ) -> Value {
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
        let in_check = self.position.in_check();
        let depth = if with_checks || in_check {
            DEPTH_WITH_CHECKS
        } else {
            DEPTH_PLAIN
        };
        let tt = self.probe_tt(ply);
        if !N::PV
            && tt.depth >= depth
            && let Some(value) = tt.bound_for(beta)
        {
            return value;
        }

        // Step 3. Stand pat: not to capture is an option, unless in check.
        let previous = self.previous_moves(ply);
        let correction_indices = CorrectionIndices::of(&self.position, &previous);
        let raw_eval = (!in_check).then(|| self.raw_eval(&tt));
        let static_eval = match raw_eval {
            Some(raw) => self.corrected(raw, &correction_indices),
            None => self.stack_before(ply, 2).static_eval,
        };
        let entry = self.stack_mut(ply);
        entry.static_eval = static_eval;
        entry.in_check = in_check;
        let mut best = -INFINITE;
        if !in_check {
            best = match tt.bound_for(static_eval) {
                Some(value) if !score::is_decisive(value) => value,
                _ => static_eval,
            };
            if best >= beta {
                if !tt.is_hit() {
                    self.store_tt(
                        ply,
                        TtEntry {
                            mv: None,
                            value: best,
                            eval: raw_eval,
                            depth: DEPTH_UNSEARCHED,
                            bound: Some(Bound::Lower),
                            pv: false,
                        },
                    );
                }
                return soften_fail_high(best, beta);
            }
            alpha = alpha.max(best);
        }
        let futility = static_eval + params::quiescence_futility();

        // Step 4. Captures and checks, or evasions.
        let tt_move = tt
            .mv
            .filter(|&mv| in_check || self.position.captured_by(mv).is_some())
            .filter(|&mv| self.position.is_legal(mv));
        let checks = self.position.check_info();
        let recapture_square = self.position.last_move().map(Move::to);
        let mut picker = MovePicker::quiescence(tt_move, with_checks, self.promotions());
        let mut best_move = None;
        let mut count = 0;
        loop {
            let context = self.context(&checks, previous, correction_indices.pawn_index(), ply);
            let Some(mv) = picker.next(&context) else {
                if in_check && score::is_mated(best) && picker.add_unpromoted(&context) {
                    continue;
                }
                break;
            };
            count += 1;
            self.fetch_entry_after(mv);
            let captured = self.position.captured_by(mv);
            if !in_check {
                let gives_check = checks.gives_check(&self.position, mv);
                let value = captured.map_or(0, piece_value::value);
                // What the exchange is known to bring at least.
                let mut gain = -INFINITE;
                if !gives_check && Some(mv.to()) != recapture_square {
                    if count > MOVE_LIMIT {
                        continue;
                    }
                    if futility + value <= alpha {
                        best = best.max(futility + value);
                        continue;
                    }
                    if !self.position.see_ge(mv, alpha - futility) {
                        best = best.max(alpha.min(futility));
                        continue;
                    }
                    gain = alpha - futility;
                }
                let least = -params::quiescence_see();
                if gain < least && !self.position.see_ge(mv, least) {
                    continue;
                }
            }
            self.make(mv, PieceTo::of(&self.position, mv), ply);
            let value = -self.qsearch::<N>(-beta, -alpha, false, ply + 1);
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

        // Step 5. Checkmate, or the table.
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
            TtEntry {
                mv: best_move,
                value: best,
                eval: raw_eval,
                depth,
                bound: Some(bound),
                pv: false,
            },
        );
        best
    }
}

/// A fail-high value overstates: moves it half way towards beta. Proofs stay what they are, and nothing becomes one.
fn soften_fail_high(value: Value, beta: Value) -> Value {
    if score::is_decisive(value) || score::is_decisive(beta) {
        value
    } else {
        (value + beta) / 2
    }
}

//! Quiescence: beyond the search's depth only captures are followed (and checks in the first ply), until the
//! static evaluation can be trusted. When in check every answer is tried, so that mates found here are proofs.

use super::movepick::MovePicker;
use super::node::Node;
use super::params;
use super::report::Bound;
use super::tt::{DEPTH_UNSEARCHED, Entry};
use super::worker::Worker;
use super::{corrections::Places, history::PieceTo, tt};
use crate::score::{self, INFINITE, Value, mate_in, mated_in};
use crate::shogi::{Move, piece_value};

/// Depth under which quiescence stores its results: with checks, and without.
const DEPTH_WITH_CHECKS: i32 = 0;
const DEPTH_PLAIN: i32 = -1;
const _: () = assert!(DEPTH_PLAIN > tt::DEPTH_UNSEARCHED);

/// After this many moves only recaptures and checks are tried.
const MOVE_LIMIT: usize = 3;

impl Worker<'_> {
    /// The value of the position once it is quiet.
    pub(super) fn quiesce<N: Node>(
        &mut self,
        alpha: Value,
        beta: Value,
        with_checks: bool,
        ply: usize,
    ) -> Value {
        // Step 1. The end of the search, and of the game.
        if self.must_end() {
            return 0;
        }
        if N::PV {
            self.lines[ply].clear();
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

        // Step 2. The table.
        let in_check = self.position.in_check();
        let depth = if with_checks || in_check {
            DEPTH_WITH_CHECKS
        } else {
            DEPTH_PLAIN
        };
        let known = self.look_up(ply);
        if !N::PV
            && known.depth >= depth
            && let Some(value) = known.verdict(beta)
        {
            return value;
        }

        // Step 3. Doing nothing is an option, unless in check.
        let previous = self.previous_moves(ply);
        let places = Places::of(&self.position, &previous);
        let mut raw_eval = 0;
        let mut static_eval = self.frame_before(ply, 2).eval;
        if !in_check {
            raw_eval = self.raw_eval(&known);
            static_eval = self.corrected(raw_eval, &places);
        }
        let frame = self.frame_mut(ply);
        frame.eval = static_eval;
        frame.in_check = in_check;
        let mut best = -INFINITE;
        if !in_check {
            best = match known.verdict(static_eval) {
                Some(value) if !score::is_decisive(value) => value,
                _ => static_eval,
            };
            if best >= beta {
                if !known.is_hit() {
                    self.remember_quiet(
                        None,
                        best,
                        Some(Bound::Lower),
                        DEPTH_UNSEARCHED,
                        ply,
                        raw_eval,
                    );
                }
                return blended(best, beta);
            }
            alpha = alpha.max(best);
        }
        let futility = static_eval + params::quiescence_futility();

        // Step 4. The moves.
        let table_move = known
            .mv
            .filter(|&mv| in_check || self.victim(mv).is_some())
            .filter(|&mv| self.position.is_legal(mv));
        let checks = self.position.check_info();
        let recapture_square = self.position.last_move().map(Move::to);
        let mut picker = MovePicker::quiescence(table_move, with_checks, self.promotions());
        let mut best_move = None;
        let mut count = 0;
        loop {
            let context = self.context(&checks, previous, places.structure(), ply);
            let Some(mv) = picker.next(&context) else {
                if in_check && score::is_mated(best) && picker.recall_declined(&context) {
                    continue;
                }
                break;
            };
            count += 1;
            self.fetch_entry_after(mv);
            let victim = self.victim(mv);
            if !in_check {
                let gives_check = checks.gives_check(&self.position, mv);
                let value = victim.map_or(0, piece_value::value);
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
            let value = -self.quiesce::<N>(-beta, -alpha, false, ply + 1);
            self.position.undo_move();
            if self.is_halted() {
                return 0;
            }
            if value > best {
                best = value;
                if value > alpha {
                    best_move = Some(mv);
                    if N::PV {
                        self.extend_line(ply, mv);
                    }
                    if value >= beta {
                        break;
                    }
                    alpha = value;
                }
            }
        }

        // Step 5. No answer to a check: mated.
        if in_check && count == 0 {
            return mated_in(ply);
        }
        let bound = if best >= beta {
            Bound::Lower
        } else {
            Bound::Upper
        };
        if best > beta {
            best = blended(best, beta);
        }
        self.remember_quiet(best_move, best, Some(bound), depth, ply, raw_eval);
        best
    }

    fn remember_quiet(
        &self,
        mv: Option<Move>,
        value: Value,
        bound: Option<Bound>,
        depth: i32,
        ply: usize,
        raw_eval: Value,
    ) {
        let in_check = self.position.in_check();
        let entry = Entry {
            mv,
            value: score::from_root_to_node(value, ply),
            eval: (!in_check).then_some(raw_eval),
            depth,
            bound,
            pv: false,
        };
        self.job.table.store(self.position.key(), entry);
    }
}

/// A value above beta is less reliable than that it is above beta. Proofs stay what they are, and nothing becomes one.
fn blended(value: Value, beta: Value) -> Value {
    if score::is_decisive(value) || score::is_decisive(beta) {
        value
    } else {
        (value + beta) / 2
    }
}

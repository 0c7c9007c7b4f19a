//! Pruning. Of whole nodes: mate in one and in three, razoring, reverse futility pruning, null move pruning and
//! ProbCut. Each is tried in nodes off the principal variation that are not in check (small ProbCut also in check), and
//! returns the node's value if it applies. Of single moves: late move pruning, futility pruning, history pruning and
//! SEE pruning.
//!
//! Conditions and shapes of the margins follow Stockfish and YaneuraOu 9.70; the numbers were tuned for Hien.

use super::node_type::NonPv;
use super::state::{MoveInfo, NodeState};
use crate::mate::{mate_in_one_with, mate_in_three_with};
use crate::score::{self, INFINITE, Value, mate_in};
use crate::search::ordering::history::PieceTo;
use crate::search::ordering::movepick::MovePicker;
use crate::search::params;
use crate::search::report::Bound;
use crate::search::tt::TtEntry;
use crate::search::worker::Worker;
use crate::shogi::{Move, piece_value};

/// How many plies back the search for a mate in three notices repeated positions. Longer cycles are rare.
const CYCLE_REACH: usize = 16;

/// Late move pruning (LMP, move count pruning): from this move number on no quiet moves are tried.
pub fn lmp_count(node: &NodeState) -> usize {
    let tenths = params::lmp_base() + params::lmp_slope() * node.depth * node.depth;
    let limit = tenths / 10 / if node.improving { 1 } else { 2 };
    limit.max(1) as usize
}

impl Worker<'_> {
    /// Tries all whole-node pruning but ProbCut, which needs a verified TT move. Returns the node's value.
    pub fn prune_node(&mut self, node: &NodeState, alpha: Value, beta: Value) -> Option<Value> {
        self.mate_in_one(node)
            .or_else(|| self.mate_in_three(node))
            .or_else(|| self.razor(node, alpha))
            .or_else(|| self.reverse_futility(node, beta))
            .or_else(|| self.null_move(node, beta))
    }

    /// Mate in one. Positions found in the table have been tested before.
    fn mate_in_one(&mut self, node: &NodeState) -> Option<Value> {
        if node.tt.is_hit() {
            return None;
        }
        let checks = node.context.checks(&self.position);
        let mv = mate_in_one_with(&mut self.position, checks)?;
        let depth = node.depth + params::tt_terminal_bonus();
        Some(self.store_mate_in_one(node.ply, mv, node.raw_eval, depth, node.tt_pv))
    }

    /// Stores that a move mates at once, with the static evaluation if it is known. Returns the node's value.
    pub fn store_mate_in_one(
        &mut self,
        ply: usize,
        mv: Move,
        eval: Option<Value>,
        depth: i32,
        pv: bool,
    ) -> Value {
        let value = mate_in(ply + 1);
        self.store_tt(
            ply,
            TtEntry {
                mv: Some(mv),
                value,
                eval,
                depth,
                bound: Some(Bound::Exact),
                pv,
            },
        );
        value
    }

    /// Mate in three, where the depth makes it worth the time.
    fn mate_in_three(&mut self, node: &NodeState) -> Option<Value> {
        let last = self.job.options.max_moves_to_draw;
        let is_drawn_before = last > 0 && self.position.ply() + 2 > last;
        if node.depth < params::mate_in_three_depth() || node.tt.is_hit() || is_drawn_before {
            return None;
        }
        let checks = node.context.checks(&self.position);
        mate_in_three_with(&mut self.position, checks, CYCLE_REACH)?;
        Some(mate_in(node.ply + 3))
    }

    /// Razoring: a node far below alpha is left to quiescence search.
    fn razor(&mut self, node: &NodeState, alpha: Value) -> Option<Value> {
        let margin = params::razor_base() + params::razor_slope() * node.depth * node.depth;
        if node.eval >= alpha - margin || score::is_decisive(alpha) {
            return None;
        }
        let value = self.qsearch::<NonPv>(alpha, alpha + 1, node.ply);
        (value <= alpha).then_some(value)
    }

    /// Reverse futility pruning (RFP, static null move pruning): an evaluation far above beta stays there in the few
    /// plies left.
    fn reverse_futility(&self, node: &NodeState, beta: Value) -> Option<Value> {
        let eval = node.eval;
        let quiet_move = node
            .tt
            .mv
            .is_some_and(|mv| self.position.captured_by(mv).is_none());
        if node.tt_pv || quiet_move || node.depth > params::reverse_futility_depth() {
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
            + node.correction * params::reverse_futility_correction() / 1024;
        let holds = eval - margin.max(0) >= beta && eval >= beta;
        (holds && !score::is_loss(beta) && !score::is_win(eval)).then(|| {
            let weight = params::reverse_futility_beta();
            (weight * beta + eval) / (weight + 1)
        })
    }

    /// Null move pruning (NMP): if even passing beats beta, some move does. In deep nodes a verification search without
    /// null moves must confirm it.
    fn null_move(&mut self, node: &NodeState, beta: Value) -> Option<Value> {
        let NodeState { depth, ply, .. } = *node;
        let eval = node.eval;
        let passed_before = self.stack_before(ply, 1).moved == PieceTo::NONE && ply > 0;
        if !node.cut_node
            || depth < params::nmp_depth()
            || passed_before
            || ply < self.nmp_min_ply
            || eval < beta
            || node.static_eval
                < beta - params::nmp_margin_slope() * depth + params::nmp_margin_base()
            || score::is_loss(beta)
        {
            return None;
        }
        let reduction = params::nmp_reduction()
            + depth / params::nmp_depth_divisor()
            + ((eval - beta) / params::nmp_eval_divisor()).min(params::nmp_eval_max());
        let entry = self.stack_mut(ply);
        entry.moved = PieceTo::NONE;
        entry.mv = None;
        entry.quiet = false;
        self.nodes += 1;
        self.position.do_null_move();
        let value = -self.search::<NonPv>(-beta, 1 - beta, depth - reduction, ply + 1, false);
        self.position.undo_null_move();
        if self.is_halted() || value < beta {
            return None;
        }
        let value = if score::is_win(value) { beta } else { value };
        if depth < params::nmp_verification_depth() {
            return Some(value);
        }
        // Verification search. Zugzwang hardly exists in shogi, but a reduced search may overlook threats.
        let floor = self.nmp_min_ply;
        let span = (depth - reduction).max(0) * params::nmp_verification_span() / 1024;
        self.nmp_min_ply = ply + span as usize;
        let verified = self.search::<NonPv>(beta - 1, beta, depth - reduction, ply, false);
        self.nmp_min_ply = floor;
        (!self.is_halted() && verified >= beta).then_some(value)
    }

    /// ProbCut: a capture that beats a raised beta at much less depth would beat beta at full depth. Small ProbCut: the
    /// table's value shows as much.
    pub fn prob_cut(&mut self, node: &NodeState, beta: Value) -> Option<Value> {
        let NodeState { depth, ply, tt, .. } = *node;
        if score::is_decisive(beta) {
            return None;
        }
        // Small ProbCut.
        let raised = beta + params::tt_cut_margin();
        if let Some((value, bound)) = tt.value
            && bound != Bound::Upper
            && tt.depth >= depth - params::tt_cut_depth_gap()
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
        let known_less = tt.value.is_some_and(|(value, _)| value < raised);
        if depth < params::prob_cut_depth() || node.in_check || known_less {
            return None;
        }
        let gain = raised - node.static_eval;
        let mut picker = MovePicker::captures(node.tt_move, self.promotions());
        let reduced = (depth - params::prob_cut_reduction()).max(0);
        loop {
            let mv = picker.next(&self.position, self.history, &node.context)?;
            let Some(captured) = self.position.captured_by(mv) else {
                continue;
            };
            self.fetch_entry_after(mv);
            if !self.position.see_ge(mv, gain) {
                continue;
            }
            let moved = PieceTo::of(&self.position, mv);
            let history = self.history.capture(moved, captured);
            let entry = self.stack_mut(ply);
            entry.history = history;
            entry.quiet = false;
            self.make(mv, moved, ply);
            let mut value = -self.qsearch::<NonPv>(-raised, 1 - raised, ply + 1);
            if value >= raised && reduced > 0 {
                value =
                    -self.search::<NonPv>(-raised, 1 - raised, reduced, ply + 1, !node.cut_node);
            }
            self.position.undo_move();
            if self.is_halted() {
                return None;
            }
            if value >= raised {
                self.store_tt(
                    ply,
                    TtEntry {
                        mv: Some(mv),
                        value,
                        eval: node.raw_eval,
                        depth: reduced + 1,
                        bound: Some(Bound::Lower),
                        pv: node.tt_pv,
                    },
                );
                return Some(if score::is_decisive(value) {
                    value
                } else {
                    value - (raised - beta)
                });
            }
        }
    }

    /// Futility, history and SEE pruning of a quiet move; captures and checks have rules of their own. Returns `None`
    /// for a move to search. For a pruned move it returns an upper bound of its expected value, or `-INFINITE` if there
    /// is none. `depth` is the depth of the search that the move would probably get.
    pub fn prune_move(
        &self,
        node: &NodeState,
        info: &MoveInfo,
        alpha: Value,
        depth: i32,
        nothing_found: bool,
    ) -> Option<Value> {
        let depth = depth.max(0);
        if info.captured.is_some() || info.gives_check {
            let is_futile = self.is_futile_capture(node, info, alpha, depth);
            return is_futile.then_some(-INFINITE);
        }
        if info.history < -params::history_pruning() * node.depth {
            return Some(-INFINITE);
        }
        let depth = (depth + info.history / params::futility_history()).max(0);
        let mut margin = params::futility_base() + params::futility_slope() * depth;
        if nothing_found {
            margin += params::futility_nothing_found();
        }
        let promise = node.static_eval + margin;
        if !node.in_check && depth <= params::futility_depth() && promise <= alpha {
            return Some(promise);
        }
        let allowed = params::see_quiet_slope() * depth * depth;
        (!self.position.see_ge(info.mv, -allowed)).then_some(-INFINITE)
    }

    /// Futility pruning of captures, SEE pruning of captures and checks. Attacks consist of sacrifices that give check:
    /// only clearly bad exchanges are pruned.
    fn is_futile_capture(
        &self,
        node: &NodeState,
        info: &MoveInfo,
        alpha: Value,
        depth: i32,
    ) -> bool {
        let may_skip = !info.gives_check && !node.in_check;
        if let Some(captured) = info.captured
            && may_skip
            && depth < params::capture_futility_depth()
        {
            let margin = params::capture_futility_base()
                + params::capture_futility_slope() * depth
                + piece_value::value(captured)
                + info.history * params::capture_futility_history() / 1024;
            if node.static_eval + margin <= alpha {
                return true;
            }
        }
        let allowed = params::see_capture_slope() * node.depth;
        !self.position.see_ge(info.mv, -allowed)
    }

    /// Pruning of a capture in quiescence search by move count, futility (delta pruning) and SEE; not to be
    /// called in check. Returns as [`prune_move`](Self::prune_move) does.
    pub fn prune_qsearch_move(
        &self,
        node: &NodeState,
        mv: Move,
        alpha: Value,
        count: usize,
    ) -> Option<Value> {
        let position = &self.position;
        let least = -params::quiescence_see();
        let is_recapture = position.last_move().map(Move::to) == Some(mv.to());
        if is_recapture || node.context.checks(position).gives_check(position, mv) {
            return (!position.see_ge(mv, least)).then_some(-INFINITE);
        }
        if count as i32 > params::quiescence_moves() {
            return Some(-INFINITE);
        }
        let futility = node.static_eval + params::quiescence_futility();
        let promise = futility + position.captured_by(mv).map_or(0, piece_value::value);
        if promise <= alpha {
            return Some(promise);
        }
        let needed = alpha - futility;
        if !position.see_ge(mv, needed) {
            return Some(alpha.min(futility));
        }
        (needed < least && !position.see_ge(mv, least)).then_some(-INFINITE)
    }
}

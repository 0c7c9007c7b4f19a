//! The state of a node: table entry and static evaluation, what else its steps need to know, and access to the table.

use crate::score::{self, EVAL_MAX, Value};
use crate::search::ordering::correction_history::CorrectionIndices;
use crate::search::ordering::history::PieceTo;
use crate::search::ordering::movepick::MoveContext;
use crate::search::report::Bound;
use crate::search::tt::{DEPTH_UNSEARCHED, TtEntry};
use crate::search::worker::Worker;
use crate::shogi::{Move, PieceType};

/// The table entry of a node, as the node uses it.
#[derive(Clone, Copy, Default)]
pub struct TtData {
    /// The best move, not verified.
    pub mv: Option<Move>,
    /// The value, counted from the root.
    pub value: Option<(Value, Bound)>,
    pub depth: i32,
    pub eval: Option<Value>,
    pub pv: bool,
}

impl TtData {
    /// Whether the table knows the position at all.
    pub fn is_hit(&self) -> bool {
        self.depth >= DEPTH_UNSEARCHED
    }

    /// The value, if it is a bound on the side of `beta` that it lies on: it settles the comparison then.
    #[inline]
    pub fn bound_for(&self, beta: Value) -> Option<Value> {
        let (value, bound) = self.value?;
        let needed = if value >= beta {
            Bound::Lower
        } else {
            Bound::Upper
        };
        (bound == needed || bound == Bound::Exact).then_some(value)
    }
}

/// A move as pruning, reductions and extensions need it.
pub struct MoveInfo {
    pub mv: Move,
    pub moved: PieceTo,
    pub captured: Option<PieceType>,
    pub gives_check: bool,
    /// The history of the move, from several tables.
    pub history: i32,
}

/// A node as pruning, reductions and extensions need it.
pub struct NodeState {
    pub depth: i32,
    pub ply: usize,
    /// The table entry.
    pub tt: TtData,
    /// Static evaluation as the net gives it; `None` in check.
    pub raw_eval: Option<Value>,
    /// The same with the correction history added; in check that of two plies ago.
    pub static_eval: Value,
    /// The best estimate of the value before any search: `static_eval`, or what the table knows better.
    pub eval: Value,
    /// The size of the correction in `static_eval`: the larger, the less it is to be trusted.
    pub correction: Value,
    /// The entries of the position in the correction history.
    pub correction_indices: CorrectionIndices,
    pub in_check: bool,
    /// Improving: whether the static evaluation is better than two plies ago.
    pub improving: bool,
    /// Opponent worsening: whether the opponent's last move made its position worse.
    pub opponent_worsening: bool,
    /// Whether the node is or has been on a principal variation (ttPv).
    pub tt_pv: bool,
    /// Whether the node is expected to fail high.
    pub cut_node: bool,
    /// What the order of the moves depends on.
    pub context: MoveContext,
    /// The TT move, verified to be legal.
    pub tt_move: Option<Move>,
    /// Whether it is a capture.
    pub tt_capture: bool,
    /// The TT move while a singular search tests the others against it.
    pub excluded: Option<Move>,
}

impl Worker<'_> {
    /// Probes the table.
    pub fn probe_tt(&self, ply: usize) -> TtData {
        let Some(entry) = self.job.tt.probe(self.position.key()) else {
            return TtData {
                depth: DEPTH_UNSEARCHED - 1,
                ..TtData::default()
            };
        };
        let value = score::from_node_to_root(entry.value, ply);
        let usable = entry.bound.filter(|_| !self.comes_too_late(entry.value));
        TtData {
            mv: entry.mv,
            value: usable.map(|bound| (value, bound)),
            depth: entry.depth,
            eval: entry.eval,
            pv: entry.pv,
        }
    }

    /// Whether a mate with this value, counted from the position, comes after the last move of the game. The table does
    /// not know move numbers.
    fn comes_too_late(&self, value: Value) -> bool {
        let last = self.job.options.max_moves_to_draw;
        let plies = score::MATE - value.abs();
        last > 0
            && value.abs() >= score::MATE_IN_MAX_PLY
            && i64::from(self.position.ply()) + i64::from(plies) > i64::from(last) + 1
    }

    /// The state of a node before its search, with the static evaluation; in check that of two plies ago stands in. The
    /// stack entry is filled in. The TT move is not verified yet.
    pub fn evaluate_node(
        &mut self,
        depth: i32,
        ply: usize,
        tt: TtData,
        is_pv: bool,
        cut_node: bool,
    ) -> NodeState {
        let in_check = self.position.in_check();
        let previous = self.previous_moves(ply);
        let correction_indices = CorrectionIndices::of(&self.position, &previous);
        let earlier = self.stack_before(ply, 2).static_eval;
        let raw_eval = (!in_check).then(|| self.raw_eval(&tt));
        let static_eval = raw_eval.map_or(earlier, |raw| self.corrected(raw, &correction_indices));
        self.stack_mut(ply + 2).cutoffs = 0;
        let entry = self.stack_mut(ply);
        entry.static_eval = static_eval;
        entry.in_check = in_check;
        if entry.excluded.is_none() {
            entry.tt_pv = is_pv || tt.pv;
        }
        let (tt_pv, excluded) = (entry.tt_pv, entry.excluded);
        // The table may know better.
        let eval = match tt.bound_for(static_eval) {
            Some(value) if !in_check && !score::is_decisive(value) => value,
            _ => static_eval,
        };
        NodeState {
            depth,
            ply,
            tt,
            raw_eval,
            static_eval,
            eval,
            correction: raw_eval.map_or(0, |raw| (static_eval - raw).abs()),
            context: MoveContext::new(previous, correction_indices.pawn_index(), ply),
            correction_indices,
            in_check,
            improving: !in_check && static_eval > earlier,
            opponent_worsening: !in_check && static_eval > -self.stack_before(ply, 1).static_eval,
            tt_pv,
            cut_node,
            tt_move: None,
            tt_capture: false,
            excluded,
        }
    }

    /// The static evaluation without correction, from the table if it is there. Not to be called in check.
    fn raw_eval(&mut self, tt: &TtData) -> Value {
        tt.eval.unwrap_or_else(|| self.eval.value(&self.position))
    }

    /// A static evaluation with the correction history added.
    fn corrected(&self, raw: Value, correction_indices: &CorrectionIndices) -> Value {
        let correction = self
            .correction_history
            .correction(self.position.side_to_move(), correction_indices);
        (raw + correction).clamp(-EVAL_MAX, EVAL_MAX)
    }

    /// Stores what was found out about the position of a node. The entry's value is counted from the root here.
    pub fn store_tt(&self, ply: usize, entry: TtEntry) {
        let value = score::from_root_to_node(entry.value, ply);
        let entry = TtEntry { value, ..entry };
        self.job.tt.store(self.position.key(), entry);
    }
}

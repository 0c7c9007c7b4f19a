//! What a node knows before it searches: the table's entry and the static evaluation; and what it leaves there.

use super::corrections::Places;
use super::node::Situation;
use super::report::Bound;
use super::tt::{DEPTH_UNSEARCHED, Entry};
use super::worker::Worker;
use crate::score::{self, EVAL_MAX, Value};
use crate::shogi::Move;

/// What the table knows of a node.
#[derive(Clone, Copy, Default)]
pub(super) struct Known {
    /// The best move, not verified.
    pub mv: Option<Move>,
    /// The value, counted from the root.
    pub value: Option<(Value, Bound)>,
    pub depth: i32,
    pub eval: Option<Value>,
    pub pv: bool,
}

impl Known {
    /// Whether the table knows the position at all.
    pub fn is_hit(&self) -> bool {
        self.depth >= DEPTH_UNSEARCHED
    }

    /// The value if it settles the comparison with `beta`.
    #[inline]
    pub fn verdict(&self, beta: Value) -> Option<Value> {
        let (value, bound) = self.value?;
        let needed = if value >= beta {
            Bound::Lower
        } else {
            Bound::Upper
        };
        (bound == needed || bound == Bound::Exact).then_some(value)
    }
}

impl Worker<'_> {
    /// What the table knows of the position.
    pub(super) fn look_up(&self, ply: usize) -> Known {
        let Some(entry) = self.job.table.probe(self.position.key()) else {
            return Known {
                depth: DEPTH_UNSEARCHED - 1,
                ..Known::default()
            };
        };
        let value = score::from_node_to_root(entry.value, ply);
        let usable = entry.bound.filter(|_| !self.comes_too_late(entry.value));
        Known {
            mv: entry.mv,
            value: usable.map(|bound| (value, bound)),
            depth: entry.depth,
            eval: entry.eval,
            pv: entry.pv,
        }
    }

    /// Whether a mate of this value, counted from the position, lies beyond the last move of the game. The table
    /// does not know the number of the move.
    fn comes_too_late(&self, value: Value) -> bool {
        let last = self.job.options.max_moves_to_draw;
        let plies = score::MATE - value.abs();
        last > 0
            && value.abs() >= score::MATE_IN_MAX_PLY
            && i64::from(self.position.ply()) + i64::from(plies) > i64::from(last) + 1
    }

    /// What there is to know of a position before it is searched. The frame of the node learns of its evaluation,
    /// which if in check is that of two plies ago. The table move is not verified yet.
    pub(super) fn assess(
        &mut self,
        depth: i32,
        ply: usize,
        known: Known,
        is_pv: bool,
        cut_node: bool,
    ) -> Situation {
        let in_check = self.position.in_check();
        let previous = self.previous_moves(ply);
        let places = Places::of(&self.position, &previous);
        let earlier = self.frame_before(ply, 2).eval;
        let (raw_eval, eval) = if in_check {
            (earlier, earlier)
        } else {
            let raw = self.raw_eval(&known);
            if known.eval.is_none() {
                self.remember_eval(raw); // whatever ends this node
            }
            (raw, self.corrected(raw, &places))
        };
        self.frame_mut(ply + 2).cutoffs = 0;
        let frame = self.frame_mut(ply);
        frame.eval = eval;
        frame.in_check = in_check;
        if frame.excluded.is_none() {
            frame.pv = is_pv || known.pv;
        }
        let (pv, excluded) = (frame.pv, frame.excluded);
        // The table may know better.
        let estimate = match known.verdict(eval) {
            Some(value) if !in_check && !score::is_decisive(value) => value,
            _ => eval,
        };
        Situation {
            depth,
            ply,
            known,
            eval,
            raw_eval,
            estimate,
            correction: (eval - raw_eval).abs(),
            places,
            in_check,
            improving: !in_check && eval > earlier,
            opponent_worsening: !in_check && eval > -self.frame_before(ply, 1).eval,
            pv,
            cut_node,
            table_move: None,
            table_capture: false,
            excluded,
        }
    }

    /// The static evaluation, from the table if it is there; not when in check.
    pub(super) fn raw_eval(&mut self, known: &Known) -> Value {
        known
            .eval
            .unwrap_or_else(|| self.eval.value(&self.position))
    }

    /// A static evaluation with the experience of such positions added.
    pub(super) fn corrected(&self, raw: Value, places: &Places) -> Value {
        let correction = self
            .corrections
            .correction(self.position.side_to_move(), places);
        (raw + correction).clamp(-EVAL_MAX, EVAL_MAX)
    }

    /// Stores a static evaluation in the table.
    fn remember_eval(&self, eval: Value) {
        let entry = Entry {
            mv: None,
            value: 0,
            eval: Some(eval),
            depth: DEPTH_UNSEARCHED,
            bound: None,
            pv: false,
        };
        self.job.table.store(self.position.key(), entry);
    }

    /// Stores a result in the table.
    pub(super) fn remember(
        &self,
        mv: Option<Move>,
        value: Value,
        bound: Bound,
        depth: i32,
        node: &Situation,
        pv: bool,
    ) {
        let entry = Entry {
            mv,
            value: score::from_root_to_node(value, node.ply),
            eval: (!node.in_check).then_some(node.raw_eval),
            depth,
            bound: Some(bound),
            pv,
        };
        self.job.table.store(self.position.key(), entry);
    }
}

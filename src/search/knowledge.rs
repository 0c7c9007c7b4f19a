//! What a node knows before it searches: the table's entry and the static evaluation; and what it leaves there.

use super::node::Situation;
use super::report::Bound;
use super::tt::{DEPTH_UNSEARCHED, Entry};
use super::worker::Worker;
use crate::score::{self, Value};
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

    /// The static evaluation, from the table if it is there; if in check that of two plies ago.
    pub(super) fn static_eval(&mut self, known: &Known, ply: usize) -> Value {
        let eval = if self.position.in_check() {
            self.frame_before(ply, 2).eval
        } else {
            known
                .eval
                .unwrap_or_else(|| self.eval.value(&self.position))
        };
        self.frame_mut(ply).eval = eval;
        eval
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
            eval: (!node.in_check).then_some(node.eval),
            depth,
            bound: Some(bound),
            pv,
        };
        self.job.table.store(self.position.key(), entry);
    }
}

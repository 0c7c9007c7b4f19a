//! A position's value. Knows the rules, but nothing of search, options or where files lie.
//!
//! [`Evaluator`] is what all threads share: it never changes. Each worker makes an [`IncrementalEval`] of it,
//! which may remember what it computed for earlier positions of the line. The only evaluation so far is
//! [`material`], which needs no file at all.

pub mod material;

use crate::score::Value;
use crate::shogi::Position;

/// A position's worth from the view of the side to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Evaluation {
    /// The evaluation's own integer, before any scaling.
    pub raw: i32,
    /// The worth in eval units, within ±[`EVAL_MAX`](crate::score::EVAL_MAX).
    pub value: Value,
}

/// An evaluation function. Cheap to clone and shared by all threads.
#[derive(Clone, Debug)]
pub struct Evaluator {
    kind: Kind,
}

#[derive(Clone, Debug)]
enum Kind {
    Material,
}

impl Evaluator {
    /// The evaluation that works without any file.
    pub fn material() -> Self {
        Self {
            kind: Kind::Material,
        }
    }

    /// The evaluation of a position, from scratch.
    pub fn evaluate(&self, position: &Position) -> Evaluation {
        match self.kind {
            Kind::Material => {
                let value = material::evaluate(position);
                Evaluation { raw: value, value }
            }
        }
    }
}

/// The evaluation as one worker uses it along its line of play.
#[derive(Clone, Debug)]
pub struct IncrementalEval {
    evaluator: Evaluator,
}

impl IncrementalEval {
    /// Remembers nothing yet.
    pub fn new(evaluator: &Evaluator) -> Self {
        Self {
            evaluator: evaluator.clone(),
        }
    }

    /// The value of the position for the side to move; equal to that of [`Evaluator::evaluate`].
    #[inline]
    pub fn value(&mut self, position: &Position) -> Value {
        self.evaluator.evaluate(position).value
    }
}

//! Static evaluation: a position's value without search. Knows the rules, but not search, options or where files lie.
//!
//! [`Evaluator`] is immutable and shared by all threads. Each search thread has an [`IncrementalEval`] made from it,
//! which keeps what it computed for earlier positions of the line. There are two kinds: [`material`], and neural
//! networks ([`nnue`], with their arithmetic in [`simd`]). One net is embedded (`internal`); others are read from
//! files.
//!
//! ```no_run
//! use hien::eval::{Evaluator, nnue::NetFile, simd::Kernels};
//! use hien::shogi::Position;
//!
//! let file = NetFile::read("eval/nn.bin".as_ref(), None)?;
//! println!("{}", file.net.architecture());
//! let evaluator = Evaluator::net(file.net.into(), Kernels::best(), file.scale.0);
//! println!("{} eval units", evaluator.evaluate(&Position::startpos()).value);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

#[cfg(feature = "embedded-net")]
pub mod internal;
pub mod material;
pub mod nnue;
pub mod simd;

use std::sync::Arc;

use crate::score::{EVAL_MAX, Value};
use crate::shogi::Position;

use nnue::{Net, NnueState};
use simd::Kernels;

/// A static evaluation, for the side to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Evaluation {
    /// The evaluation function's own integer, before scaling: a net's output, or eval units for material.
    pub raw: i32,
    /// The value in eval units, within ±[`EVAL_MAX`].
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
    Net(NetEvaluator),
}

/// A net, and the kernels and scale it is used with.
#[derive(Clone, Debug)]
struct NetEvaluator {
    net: Arc<Net>,
    kernels: &'static Kernels,
    /// FV_SCALE: units of raw output per eval unit.
    fv_scale: u32,
}

impl NetEvaluator {
    #[inline]
    fn evaluation(&self, raw: i32) -> Evaluation {
        Evaluation {
            raw,
            // YaneuraOu's limit is wider than the search's, which keeps room above for wins by repetition.
            value: nnue::scaled(raw, self.fv_scale).clamp(-EVAL_MAX, EVAL_MAX),
        }
    }
}

impl Evaluator {
    /// Material evaluation, with simple positional terms.
    pub fn material() -> Self {
        Self {
            kind: Kind::Material,
        }
    }

    /// Evaluation by a net. `fv_scale` units of its raw output, at least 1, make one eval unit.
    pub fn net(net: Arc<Net>, kernels: &'static Kernels, fv_scale: u32) -> Self {
        let net = NetEvaluator {
            net,
            kernels,
            fv_scale: fv_scale.max(1),
        };
        Self {
            kind: Kind::Net(net),
        }
    }

    /// The net in use, its kernels and its scale; `None` for the material evaluation.
    pub fn as_net(&self) -> Option<(&Arc<Net>, &'static Kernels, u32)> {
        match &self.kind {
            Kind::Material => None,
            Kind::Net(net) => Some((&net.net, net.kernels, net.fv_scale)),
        }
    }

    /// The evaluation of a position, from scratch. A net cannot evaluate a position that lacks a king; such a position
    /// gets the material evaluation.
    pub fn evaluate(&self, position: &Position) -> Evaluation {
        match &self.kind {
            Kind::Net(net) => match net.net.evaluate(net.kernels, position) {
                Some(raw) => net.evaluation(raw),
                None => by_material(position),
            },
            Kind::Material => by_material(position),
        }
    }
}

#[inline]
fn by_material(position: &Position) -> Evaluation {
    let value = material::evaluate(position);
    Evaluation { raw: value, value }
}

/// The evaluation of one search thread, updated incrementally along its line of play.
#[derive(Clone, Debug)]
pub struct IncrementalEval {
    /// The evaluator's net and this thread's accumulators; `None` for material.
    net: Option<(NetEvaluator, Box<NnueState>)>,
}

impl IncrementalEval {
    /// An evaluation for one thread; nothing is computed yet.
    pub fn new(evaluator: &Evaluator) -> Self {
        let net = match &evaluator.kind {
            Kind::Material => None,
            Kind::Net(net) => Some((net.clone(), Box::new(NnueState::new(&net.net)))),
        };
        Self { net }
    }

    /// Whether it was made for this evaluator.
    pub fn belongs_to(&self, evaluator: &Evaluator) -> bool {
        match (&self.net, &evaluator.kind) {
            (None, Kind::Material) => true,
            (Some((mine, _)), Kind::Net(net)) => {
                Arc::ptr_eq(&mine.net, &net.net)
                    && mine.kernels.path() == net.kernels.path()
                    && mine.fv_scale == net.fv_scale
            }
            _ => false,
        }
    }

    /// The value of the position for the side to move; equal to that of [`Evaluator::evaluate`]. Allocates nothing.
    #[inline]
    pub fn value(&mut self, position: &Position) -> Value {
        let Some((net, state)) = &mut self.net else {
            return material::evaluate(position);
        };
        match state.evaluate(&net.net, net.kernels, position) {
            Some(raw) => net.evaluation(raw).value,
            None => material::evaluate(position),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_scaled_towards_zero_and_limited() {
        for (raw, scale, value) in [
            (-31, 16, -1),
            (31, 16, 1),
            (-500_000, 10, -31_753),
            (i32::MAX, 1, 31_753),
        ] {
            assert_eq!(nnue::scaled(raw, scale), value);
        }
    }
}

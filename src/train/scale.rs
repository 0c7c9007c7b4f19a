//! Quantization scales: what 1.0 of each number of a model is in a file.

use crate::score::PAWN_VALUE;

use super::settings::Settings;

/// 1.0 of an activation, and of the transformer's numbers.
pub(super) const ONE: f32 = 127.0;
/// 1.0 of a hidden weight.
pub(super) const HIDDEN: f32 = 64.0;
/// The largest weight of a layer behind the transformer.
const LARGEST: f32 = 127.0;
/// The largest weight of the transformer: the sum of 41 rows must fit 16 bits.
const LARGEST_SUMMAND: f32 = 6.0 * ONE;

/// The scales that the settings decide.
#[derive(Clone, Copy, Debug)]
pub(super) struct Scale {
    /// 1.0 of an output weight.
    pub output: f32,
    /// Whether the engine doubles the transformer's numbers, which leaves half the room for them.
    doubled: bool,
}

/// The scale of a kind of numbers.
#[derive(Clone, Copy, Debug)]
pub(super) struct Unit {
    /// 1.0 in the file.
    pub one: f32,
    /// The largest number, either way.
    pub bound: f32,
}

impl Unit {
    const fn new(one: f32, largest: f32) -> Self {
        Self {
            one,
            bound: largest / one,
        }
    }

    /// Weights of the hidden layers.
    pub const HIDDEN_WEIGHT: Self = Self::new(HIDDEN, LARGEST);
    /// Biases of the hidden layers.
    pub const HIDDEN_BIAS: Self = Self::new(HIDDEN * ONE, 1e6);
}

impl Scale {
    /// The scale at which an output of 1.0 (a winning probability of sigmoid(1)) becomes the settings' `score_scale`.
    pub fn new(settings: &Settings) -> Self {
        // Scores are centipawns; the file's output is in eval units times FV_SCALE.
        let units = settings.score_scale * PAWN_VALUE as f32 / 100.0;
        Self {
            output: units * settings.fv_scale as f32 / ONE,
            doubled: settings.stacks.is_some(),
        }
    }

    /// The transformer's numbers.
    pub fn transformer(self) -> Unit {
        let factor = if self.doubled { 2.0 } else { 1.0 };
        Unit::new(ONE, LARGEST_SUMMAND / factor)
    }

    /// The raw output of the file's net for a model output of 1.0.
    pub fn raw_per_odds(self) -> f32 {
        self.output * ONE
    }

    /// Weights of the output.
    pub fn output_weight(self) -> Unit {
        Unit::new(self.output, LARGEST)
    }

    /// The bias of the output.
    pub fn output_bias(self) -> Unit {
        Unit::new(self.raw_per_odds(), 1e6)
    }
}

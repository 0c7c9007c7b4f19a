//! From a model to a net's file, and how far the two are from one another.

use crate::eval::nnue::arch::{Architecture, Family, FirstActivation};
use crate::eval::nnue::classic::{ClassicNumbers, LayerNumbers, write_classic};
use crate::eval::nnue::features::FeatureSet;

use super::model::Model;
use super::scale::{HIDDEN, ONE};
use super::settings::Settings;

/// How many weights of each part were at the limit of their bits when they were rounded.
#[derive(Clone, Copy, Debug, Default)]
pub struct Saturation {
    /// Numbers of the transformer.
    pub transformer: usize,
    /// Weights of the layers behind it.
    pub layers: [usize; 3],
}

/// Rounds numbers and counts those at the limit.
struct Rounder {
    saturated: usize,
}

impl Rounder {
    fn round(&mut self, value: f32, scale: f32, limit: f32) -> f32 {
        let rounded = (value * scale).round();
        self.saturated += usize::from(rounded.abs() >= limit);
        rounded.clamp(-limit, limit)
    }
}

/// The architecture of the net that a model becomes.
pub(super) fn architecture(
    features: FeatureSet,
    [width, first, second]: [usize; 3],
) -> Architecture {
    Architecture {
        features,
        width,
        hidden: [first, second],
        family: Family::Classic(FirstActivation::Clip),
    }
}

/// The bytes of the net's file.
pub(super) fn export(
    model: &Model,
    arch: &Architecture,
    settings: &Settings,
) -> (Vec<u8>, Saturation) {
    let scale = model.scale;
    let (layout, dense) = (&model.layout, &model.dense);
    let mut saturation = Saturation::default();
    let mut rounder = Rounder { saturated: 0 };
    let mut wide = |value: f32| rounder.round(value, ONE, f32::from(i16::MAX)) as i16;
    let bias = dense[layout.transformer_bias.clone()]
        .iter()
        .map(|&value| wide(value))
        .collect();
    let mut weights = Vec::with_capacity(model.inputs.real() * layout.width);
    let row = |row: usize| &model.table[row * layout.width..(row + 1) * layout.width];
    for feature in 0..model.inputs.real() {
        match model.inputs.factor(feature) {
            Some(factor) => weights.extend(
                row(feature)
                    .iter()
                    .zip(row(factor))
                    .map(|(weight, shared)| wide(weight + shared)),
            ),
            None => weights.extend(row(feature).iter().map(|&weight| wide(weight))),
        }
    }
    saturation.transformer = rounder.saturated;
    let sizes = arch.layers();
    let places = [
        (
            layout.weights[0].clone(),
            layout.hidden[0],
            layout.bias[0].clone(),
            HIDDEN,
        ),
        (
            layout.weights[1].clone(),
            layout.hidden[1],
            layout.bias[1].clone(),
            HIDDEN,
        ),
        (
            layout.output_weights.clone(),
            1,
            layout.output_bias.clone(),
            scale.output,
        ),
    ];
    let mut index = 0;
    let layers = places.map(|(weights, stride, bias, unit)| {
        let (inputs, outputs) = sizes[index];
        // The engine rounds the sums of hidden layers down; half a unit more makes that the nearest.
        let half = if index < 2 { HIDDEN as i32 / 2 } else { 0 };
        let mut rounder = Rounder { saturated: 0 };
        let (weights, bias) = (&dense[weights], &dense[bias]);
        let places =
            (0..outputs).flat_map(|output| (0..inputs).map(move |input| input * stride + output));
        let numbers = LayerNumbers {
            weights: places
                .map(|place| rounder.round(weights[place], unit, ONE) as i8)
                .collect(),
            bias: bias[..outputs]
                .iter()
                .map(|&value| (value * unit * ONE).round() as i32 + half)
                .collect(),
        };
        saturation.layers[index] = rounder.saturated;
        index += 1;
        numbers
    });
    let numbers = ClassicNumbers {
        bias,
        weights,
        layers,
    };
    (write_classic(arch, &numbers, settings.fv_scale), saturation)
}

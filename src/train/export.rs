//! From a model to a net's file: quantizes the weights, and counts those at the limit of their bits.

use crate::eval::nnue::numbers::{LayerNumbers, NetNumbers, write_numbers};

use super::model::{Model, NetworkLayout};
use super::scale::ONE;
use super::settings::Settings;

/// How many weights of each part were saturated when they were quantized.
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
        let quantized = (value * scale).round();
        self.saturated += usize::from(quantized.abs() >= limit);
        quantized.clamp(-limit, limit)
    }
}

/// The bytes of the net's file.
pub(super) fn export(model: &Model, settings: &Settings) -> (Vec<u8>, Saturation) {
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
    let networks = layout
        .networks
        .iter()
        .map(|network| export_network(model, network, &mut saturation.layers));
    let numbers = NetNumbers {
        bias,
        weights,
        networks: networks.collect(),
    };
    let net = write_numbers(&model.arch, &numbers, settings.fv_scale);
    (net, saturation)
}

/// The layers behind the transformer of one stack. Weights at their limit are counted.
fn export_network(
    model: &Model,
    network: &NetworkLayout,
    saturated: &mut [usize; 3],
) -> [LayerNumbers; 3] {
    let layers = network.layers(&model.layout);
    let (sizes, units) = (model.arch.layers(), model.units());
    std::array::from_fn(|layer| {
        let (weights, stride, bias) = layers[layer].clone();
        let ((inputs, outputs), (unit, half)) = (sizes[layer], units[layer]);
        let mut rounder = Rounder { saturated: 0 };
        let (weights, bias) = (&model.dense[weights], &model.dense[bias]);
        let places =
            (0..outputs).flat_map(|output| (0..inputs).map(move |input| input * stride + output));
        let numbers = LayerNumbers {
            weights: places
                .map(|place| rounder.round(weights[place], unit, ONE) as i8)
                .collect(),
            bias: bias[..outputs]
                .iter()
                .map(|&value| (value * unit * ONE + half).round() as i32)
                .collect(),
        };
        saturated[layer] += rounder.saturated;
        numbers
    })
}

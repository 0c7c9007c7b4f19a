//! A net in floating point: the weights that are trained.
//!
//! Activations lie between 0 and 1, and the output is a logit: the winning probability is its sigmoid. The first layer
//! (the feature transformer) is a table with a row per feature; all that follows is small and lies in one array,
//! `dense`.

use std::ops::Range;

use crate::eval::simd::Aligned;

use super::inputs::Inputs;
use crate::eval::nnue::Architecture;
use crate::eval::nnue::numbers::NetNumbers;

use super::kernels::{self, NARROW};
use super::random::Random;
use super::scale::{HIDDEN, ONE, Scale, Unit};
use super::settings::Settings;

/// Places in the dense array.
#[derive(Clone, Debug)]
pub(super) struct Layout {
    /// Outputs of the transformer per perspective.
    pub width: usize,
    /// What the first hidden layer reads: the transformer's values, or their products.
    pub inputs: usize,
    /// Outputs of the hidden layers, padded. The first may have one more, which is added to the output.
    pub hidden: [usize; 2],
    /// What the second hidden layer reads, padded.
    pub middle: usize,
    /// The bias of the transformer.
    pub transformer_bias: Range<usize>,
    /// The layers behind the transformer, once for each layer stack.
    pub networks: Vec<NetworkLayout>,
    length: usize,
}

/// Places of the layers behind the transformer. Small layers have a row per input, and rows padded to whole blocks.
#[derive(Clone, Debug)]
pub(super) struct NetworkLayout {
    /// Weights of the first and second hidden layer.
    pub weights: [Range<usize>; 2],
    /// Their biases.
    pub bias: [Range<usize>; 2],
    /// Weights of the output.
    pub output_weights: Range<usize>,
    /// The bias of the output, the first of a block.
    pub output_bias: Range<usize>,
}

impl Layout {
    pub fn new(arch: &Architecture) -> Self {
        let [first, second, _] = arch.layers();
        let hidden = [first.1, second.1].map(|size| size.next_multiple_of(NARROW));
        let middle = second.0.next_multiple_of(NARROW);
        let mut length = 0;
        let mut place = |size: usize| {
            let start = length;
            length += size;
            start..length
        };
        let transformer_bias = place(arch.width);
        let networks = (0..arch.networks()).map(|_| NetworkLayout {
            weights: [place(first.0 * hidden[0]), place(middle * hidden[1])],
            bias: hidden.map(&mut place),
            output_weights: place(hidden[1]),
            output_bias: place(NARROW),
        });
        Self {
            width: arch.width,
            inputs: first.0,
            hidden,
            middle,
            transformer_bias,
            networks: networks.collect(),
            length,
        }
    }

    /// All parts of the dense array, and the units of their numbers.
    pub fn parts(&self, scale: Scale) -> Vec<(Range<usize>, Unit)> {
        let mut parts = vec![(self.transformer_bias.clone(), scale.transformer())];
        for network in &self.networks {
            parts.extend([
                (network.weights[0].clone(), Unit::HIDDEN_WEIGHT),
                (network.weights[1].clone(), Unit::HIDDEN_WEIGHT),
                (network.bias[0].clone(), Unit::HIDDEN_BIAS),
                (network.bias[1].clone(), Unit::HIDDEN_BIAS),
                (network.output_weights.clone(), scale.output_weight()),
                (network.output_bias.clone(), scale.output_bias()),
            ]);
        }
        parts
    }

    /// The length of the dense array.
    pub fn length(&self) -> usize {
        self.length
    }
}

impl NetworkLayout {
    /// The three layers: their weights, the length of a row (one per input), and their biases.
    pub fn layers(&self, layout: &Layout) -> [(Range<usize>, usize, Range<usize>); 3] {
        let [first, second] = [0, 1].map(|layer: usize| {
            (
                self.weights[layer].clone(),
                layout.hidden[layer],
                self.bias[layer].clone(),
            )
        });
        [
            first,
            second,
            (self.output_weights.clone(), 1, self.output_bias.clone()),
        ]
    }
}

/// The numbers of a net, and what describes them. There are two of each: the master weight, which the optimizer moves,
/// and the one that is used, which is quantized as in a file unless the settings forbid it. The gradient at the
/// quantized number stands for that at the master weight (straight-through estimator), so the net learns to live with
/// its rounding: quantization-aware training.
#[derive(Clone, Debug)]
pub(super) struct Model {
    pub inputs: Inputs,
    pub arch: Architecture,
    pub layout: Layout,
    pub scale: Scale,
    /// Quantization-aware training: whether numbers and activations are quantized while the net learns.
    pub quantized: bool,
    /// A row of weights per feature.
    pub table: Aligned<f32>,
    /// Everything else.
    pub dense: Aligned<f32>,
    pub master_table: Aligned<f32>,
    pub master_dense: Aligned<f32>,
    /// The first hidden layers' weights with a row per output, for the way back.
    by_output: Vec<Aligned<f32>>,
}

impl Model {
    /// A net with random weights.
    pub fn new(inputs: Inputs, arch: Architecture, settings: &Settings) -> Self {
        let layout = Layout::new(&arch);
        let mut random = Random::new(settings.seed, "start", 0);
        let by_output = Aligned::zeroed(layout.inputs * layout.hidden[0]);
        let mut model = Self {
            scale: Scale::new(settings),
            quantized: settings.quantized,
            table: Aligned::zeroed(inputs.rows() * layout.width),
            dense: Aligned::zeroed(layout.length()),
            master_table: Aligned::zeroed(inputs.rows() * layout.width),
            master_dense: Aligned::zeroed(layout.length()),
            by_output: vec![by_output; layout.networks.len()],
            inputs,
            arch,
            layout,
        };
        // About 40 rows are added up: sums begin well inside 0..1. Factors begin at zero, since they add to rows, and
        // so do the rows of absent pieces, which hardly any data has.
        let (width, absent) = (model.layout.width, model.inputs.stride());
        for row in (0..model.inputs.real()).filter(|row| !row.is_multiple_of(absent)) {
            let row = &mut model.master_table[row * width..(row + 1) * width];
            row.iter_mut()
                .for_each(|weight| *weight = 0.1 * random.symmetric());
        }
        model.master_dense[model.layout.transformer_bias.clone()].fill(0.25);
        // All stacks begin alike.
        let layers = model.layout.networks[0].layers(&model.layout);
        for (layer, (weights, stride, bias)) in layers.into_iter().enumerate() {
            let (inputs, outputs) = model.arch.layers()[layer];
            let bound = (inputs as f32).sqrt().recip();
            for row in model.master_dense[weights].chunks_mut(stride).take(inputs) {
                row[..outputs]
                    .iter_mut()
                    .for_each(|weight| *weight = bound * random.symmetric());
            }
            if layer < 2 {
                model.master_dense[bias][..outputs].fill(0.1);
            }
        }
        let networks = model.layout.transformer_bias.end..model.layout.length();
        let one = networks.len() / model.layout.networks.len();
        for start in networks.clone().step_by(one).skip(1) {
            model
                .master_dense
                .copy_within(networks.start..networks.start + one, start);
        }
        model.refresh_all();
        model
    }

    /// Takes over the numbers of a net's file; factors become zero.
    pub fn start_from(&mut self, numbers: &NetNumbers) {
        let layout = &self.layout;
        self.master_table.fill(0.0);
        let table = self.master_table.iter_mut().zip(&numbers.weights);
        let bias = self.master_dense[layout.transformer_bias.clone()]
            .iter_mut()
            .zip(&numbers.bias);
        table
            .chain(bias)
            .for_each(|(to, &from)| *to = f32::from(from) / ONE);
        for (network, layers) in layout.networks.iter().zip(&numbers.networks) {
            let places = network.layers(layout).into_iter().zip(self.units());
            for (layer, ((weights, stride, bias), (one, half))) in layers.iter().zip(places) {
                let inputs = layer.weights.len() / layer.bias.len();
                let rows = layer.weights.chunks(inputs).zip(&layer.bias);
                for (output, (row, &number)) in rows.enumerate() {
                    for (input, &weight) in row.iter().enumerate() {
                        self.master_dense[weights.start + input * stride + output] =
                            f32::from(weight) / one;
                    }
                    self.master_dense[bias.start + output] = (number as f32 - half) / (one * ONE);
                }
            }
        }
        self.refresh_all();
    }

    /// For each layer behind the transformer, 1.0 of its weights in a file, and what a file adds to its biases. The
    /// engine rounds down the sums of hidden layers: half a unit more makes that the nearest. Where sums are also
    /// squared or go to the output as they are, nothing is added, and the model rounds down as well.
    pub fn units(&self) -> [(f32, f32); 3] {
        let half = if self.arch.is_stacked() {
            0.0
        } else {
            HIDDEN / 2.0
        };
        [(HIDDEN, half), (HIDDEN, half), (self.scale.output, 0.0)]
    }

    /// Updates everything derived from the master weights.
    pub fn refresh_all(&mut self) {
        quantize_into(
            &mut self.table,
            &self.master_table,
            self.scale.transformer(),
            self.quantized,
        );
        self.refresh();
    }

    /// Updates everything derived from the dense array.
    pub fn refresh(&mut self) {
        for (range, unit) in self.layout.parts(self.scale) {
            let exact = &self.master_dense[range.clone()];
            quantize_into(&mut self.dense[range], exact, unit, self.quantized);
        }
        let (inputs, outputs) = (self.layout.inputs, self.layout.hidden[0]);
        for (by_output, network) in self.by_output.iter_mut().zip(&self.layout.networks) {
            let weights = &self.dense[network.weights[0].clone()];
            for (input, row) in weights.chunks(outputs).enumerate() {
                for (output, &weight) in row.iter().enumerate() {
                    by_output[output * inputs + input] = weight;
                }
            }
        }
    }

    /// The first hidden layer's weights of a stack with a row per output.
    pub fn first_by_output(&self, stack: usize) -> &[f32] {
        &self.by_output[stack]
    }
}

/// Makes the numbers that are used from the master weights.
pub(super) fn quantize_into(to: &mut [f32], from: &[f32], unit: Unit, quantized: bool) {
    if quantized {
        kernels::round(to, from, unit.one)
    } else {
        to.copy_from_slice(from)
    }
}

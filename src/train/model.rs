//! A net in floating point: the numbers that are trained.
//!
//! Activations lie between 0 and 1, and the output is the logarithm of the odds to win. The first layer (the feature
//! transformer) is a table with a row per feature; all that follows is small and lies in one array, `dense`.

use std::ops::Range;

use crate::eval::simd::Aligned;

use super::inputs::Inputs;
use crate::eval::nnue::classic::ClassicNumbers;

use super::kernels::{self, NARROW};
use super::random::Random;
use super::scale::{HIDDEN, ONE, Scale, Unit};
use super::settings::Settings;

/// Places in the dense array. Small layers have a row per input, and rows padded to whole blocks.
#[derive(Clone, Debug)]
pub(super) struct Layout {
    /// Outputs of the transformer per perspective.
    pub width: usize,
    /// Outputs of the hidden layers, padded.
    pub hidden: [usize; 2],
    /// The bias of the transformer.
    pub transformer_bias: Range<usize>,
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
    pub fn new([width, first, second]: [usize; 3]) -> Self {
        let hidden = [first, second].map(|size| size.next_multiple_of(NARROW));
        let mut end = 0;
        let mut place = |length: usize| {
            let start = end;
            end += length;
            start..end
        };
        Self {
            width,
            hidden,
            transformer_bias: place(width),
            weights: [place(2 * width * hidden[0]), place(hidden[0] * hidden[1])],
            bias: [place(hidden[0]), place(hidden[1])],
            output_weights: place(hidden[1]),
            output_bias: place(NARROW),
        }
    }

    /// All parts of the dense array, and the units of their numbers.
    pub fn parts(&self, scale: Scale) -> [(Range<usize>, Unit); 7] {
        [
            (self.transformer_bias.clone(), Unit::TRANSFORMER),
            (self.weights[0].clone(), Unit::HIDDEN_WEIGHT),
            (self.weights[1].clone(), Unit::HIDDEN_WEIGHT),
            (self.bias[0].clone(), Unit::HIDDEN_BIAS),
            (self.bias[1].clone(), Unit::HIDDEN_BIAS),
            (self.output_weights.clone(), scale.output_weight()),
            (self.output_bias.clone(), scale.output_bias()),
        ]
    }

    /// The length of the dense array.
    pub fn length(&self) -> usize {
        self.output_bias.end
    }
}

/// The numbers of a net, and what describes them. There are two of each: the exact one, which the optimiser moves, and
/// the one that is used, which is rounded as in a file unless the settings forbid it. The gradient at the rounded number
/// stands for that at the exact one ("straight through"), so the net learns to live with its rounding.
#[derive(Clone, Debug)]
pub(super) struct Model {
    pub inputs: Inputs,
    pub layout: Layout,
    pub scale: Scale,
    /// Whether numbers and activations are rounded.
    pub rounded: bool,
    /// A row of weights per feature.
    pub table: Aligned<f32>,
    /// Everything else.
    pub dense: Aligned<f32>,
    pub exact_table: Aligned<f32>,
    pub exact_dense: Aligned<f32>,
    /// The first hidden layer's weights with a row per output, for the way back.
    by_output: Aligned<f32>,
}

impl Model {
    /// A net to begin with.
    pub fn new(inputs: Inputs, settings: &Settings) -> Self {
        let layout = Layout::new(settings.layers);
        let mut random = Random::new(settings.seed, "start", 0);
        let mut model = Self {
            scale: Scale::new(settings),
            rounded: settings.rounded,
            table: Aligned::zeroed(inputs.rows() * layout.width),
            dense: Aligned::zeroed(layout.length()),
            exact_table: Aligned::zeroed(inputs.rows() * layout.width),
            exact_dense: Aligned::zeroed(layout.length()),
            by_output: Aligned::zeroed(layout.weights[0].len()),
            inputs,
            layout,
        };
        // About 40 rows are added up: sums begin well inside 0..1. Factors begin at zero, since they add to rows, and so
        // do the rows of absent pieces, which hardly any data has.
        let (width, absent) = (model.layout.width, model.inputs.stride());
        for row in (0..model.inputs.real()).filter(|row| !row.is_multiple_of(absent)) {
            let row = &mut model.exact_table[row * width..(row + 1) * width];
            row.iter_mut()
                .for_each(|weight| *weight = 0.1 * random.symmetric());
        }
        model.exact_dense[model.layout.transformer_bias.clone()].fill(0.25);
        let [_, first, second] = settings.layers;
        let sizes = [(2 * model.layout.width, first), (first, second)];
        for (layer, (inputs, outputs)) in sizes.into_iter().enumerate() {
            let bound = (inputs as f32).sqrt().recip();
            let weights = &mut model.exact_dense[model.layout.weights[layer].clone()];
            for row in weights.chunks_mut(model.layout.hidden[layer]).take(inputs) {
                row[..outputs]
                    .iter_mut()
                    .for_each(|weight| *weight = bound * random.symmetric());
            }
            model.exact_dense[model.layout.bias[layer].clone()][..outputs].fill(0.1);
        }
        let bound = (second as f32).sqrt().recip();
        model.exact_dense[model.layout.output_weights.clone()][..second]
            .iter_mut()
            .for_each(|weight| *weight = bound * random.symmetric());
        model.refresh_all();
        model
    }

    /// Takes over the numbers of a net's file; factors become zero.
    pub fn start_from(&mut self, numbers: &ClassicNumbers) {
        let layout = &self.layout;
        self.exact_table.fill(0.0);
        let table = self.exact_table.iter_mut().zip(&numbers.weights);
        let bias = self.exact_dense[layout.transformer_bias.clone()]
            .iter_mut()
            .zip(&numbers.bias);
        table
            .chain(bias)
            .for_each(|(to, &from)| *to = f32::from(from) / ONE);
        let places = [
            (
                layout.weights[0].clone(),
                layout.hidden[0],
                layout.bias[0].start,
                HIDDEN,
                HIDDEN / 2.0,
            ),
            (
                layout.weights[1].clone(),
                layout.hidden[1],
                layout.bias[1].start,
                HIDDEN,
                HIDDEN / 2.0,
            ),
            (
                layout.output_weights.clone(),
                1,
                layout.output_bias.start,
                self.scale.output,
                0.0,
            ),
        ];
        for (layer, (weights, stride, bias, one, half)) in numbers.layers.iter().zip(places) {
            let inputs = layer.weights.len() / layer.bias.len();
            for (output, (row, &number)) in
                layer.weights.chunks(inputs).zip(&layer.bias).enumerate()
            {
                for (input, &weight) in row.iter().enumerate() {
                    self.exact_dense[weights.start + input * stride + output] =
                        f32::from(weight) / one;
                }
                self.exact_dense[bias + output] = (number as f32 - half) / (one * ONE);
            }
        }
        self.refresh_all();
    }

    /// Follows any change of the exact numbers.
    pub fn refresh_all(&mut self) {
        use_numbers(
            &mut self.table,
            &self.exact_table,
            Unit::TRANSFORMER,
            self.rounded,
        );
        self.refresh();
    }

    /// Follows a change of the dense array.
    pub fn refresh(&mut self) {
        for (range, unit) in self.layout.parts(self.scale) {
            let exact = &self.exact_dense[range.clone()];
            use_numbers(&mut self.dense[range], exact, unit, self.rounded);
        }
        let (inputs, outputs) = (2 * self.layout.width, self.layout.hidden[0]);
        let weights = &self.dense[self.layout.weights[0].clone()];
        for (input, row) in weights.chunks(outputs).enumerate() {
            for (output, &weight) in row.iter().enumerate() {
                self.by_output[output * inputs + input] = weight;
            }
        }
    }

    /// The first hidden layer's weights with a row per output.
    pub fn first_by_output(&self) -> &[f32] {
        &self.by_output
    }
}

/// Makes the numbers that are used from the exact ones.
pub(super) fn use_numbers(to: &mut [f32], from: &[f32], unit: Unit, rounded: bool) {
    match rounded {
        true => kernels::round(to, from, unit.one),
        false => to.copy_from_slice(from),
    }
}

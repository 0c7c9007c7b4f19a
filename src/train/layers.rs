//! Forward and backward pass through the layers behind the transformer, a sample at a time.

use crate::eval::simd::Aligned;

use super::kernels;
use super::model::{Layout, Model, NetworkLayout};
use super::scale::{HIDDEN, ONE};

/// 127 / 128: the engine divides the product of two activations, in 127ths, by 128 with a shift. Squares of hidden
/// sums, shifted by 19 bits, come to the same factor.
const SHIFTED: f32 = ONE / 128.0;
/// Added before rounding to the nearest, it makes that rounding down, with a tolerance below the resolution of the
/// engine's sums.
const DOWN: f32 = 0.002 - 0.5;

/// The values of one sample in the layers behind the transformer.
#[derive(Clone, Debug)]
pub(super) struct Layers {
    /// Which of the net's layer stacks the sample uses.
    stack: usize,
    /// What the first hidden layer reads, later the grads of it.
    input: Aligned<f32>,
    /// The sums of the first hidden layer, later their grads.
    sums: Aligned<f32>,
    /// What the second hidden layer reads.
    pub middle: Aligned<f32>,
    /// The values of the second hidden layer.
    pub second: Aligned<f32>,
    /// The grads of `second`.
    grads: Aligned<f32>,
    active: [Vec<u16>; 2],
}

impl Layers {
    pub fn new(layout: &Layout) -> Self {
        Self {
            stack: 0,
            input: Aligned::zeroed(layout.inputs),
            sums: Aligned::zeroed(layout.hidden[0]),
            middle: Aligned::zeroed(layout.middle),
            second: Aligned::zeroed(layout.hidden[1]),
            grads: Aligned::zeroed(layout.hidden[1]),
            active: [layout.inputs, layout.middle].map(Vec::with_capacity),
        }
    }

    /// The output for the transformer's sums, which are clipped.
    pub fn forward(&mut self, model: &Model, stack: usize, values: &mut [f32]) -> f32 {
        let (layout, dense) = (&model.layout, &model.dense);
        let network = &layout.networks[stack];
        self.stack = stack;
        self.read(model, values);
        list_active(&self.input, &mut self.active[0]);
        self.sums.copy_from_slice(&dense[network.bias[0].clone()]);
        let weights = &dense[network.weights[0].clone()];
        kernels::affine(&mut self.sums, weights, &self.input, &self.active[0]);
        self.activate(model);
        list_active(&self.middle, &mut self.active[1]);
        self.second.copy_from_slice(&dense[network.bias[1].clone()]);
        let weights = &dense[network.weights[1].clone()];
        kernels::affine(&mut self.second, weights, &self.middle, &self.active[1]);
        clip(&mut self.second, model);
        let products = self
            .second
            .iter()
            .zip(&dense[network.output_weights.clone()])
            .map(|(value, weight)| value * weight);
        let shortcut = shortcut(model).map_or(0.0, |(sum, factor)| factor * self.sums[sum]);
        dense[network.output_bias.start] + products.sum::<f32>() + shortcut
    }

    /// Makes the first hidden layer's inputs of the transformer's sums, which are clipped.
    fn read(&mut self, model: &Model, values: &mut [f32]) {
        kernels::clip(values);
        if !model.arch.is_stacked() {
            self.input.copy_from_slice(values);
            return;
        }
        let half = model.layout.width / 2;
        let sides = values.chunks(2 * half).zip(self.input.chunks_mut(half));
        for (values, products) in sides {
            let (low, high) = values.split_at(half);
            kernels::multiply(products, low, high, SHIFTED);
        }
        if model.quantized {
            kernels::round_here(&mut self.input, ONE, DOWN);
        }
    }

    /// Makes the second hidden layer's inputs of the first one's sums.
    fn activate(&mut self, model: &Model) {
        let real = model.arch.hidden[0];
        if !model.arch.is_stacked() {
            self.middle.copy_from_slice(&self.sums);
            return clip(&mut self.middle, model);
        }
        self.middle[real..2 * real].copy_from_slice(&self.sums[..real]);
        for (square, sum) in self.middle.iter_mut().zip(&self.sums[..real]) {
            *square = SHIFTED * sum * sum;
        }
        clip(&mut self.middle, model);
    }

    /// Backward pass from the grad of the output: adds to the gradient, and turns the values into the grads of their
    /// sums.
    pub fn backward(&mut self, model: &Model, values: &mut [f32], grad: f32, gradient: &mut [f32]) {
        let (layout, dense) = (&model.layout, &model.dense);
        let network = &layout.networks[self.stack];
        let output_weights = &dense[network.output_weights.clone()];
        gradient[network.output_bias.start] += grad;
        let gradients = &mut gradient[network.output_weights.clone()];
        for (index, &value) in self.second.iter().enumerate() {
            gradients[index] += grad * value;
            self.grads[index] = if is_open(value) {
                grad * output_weights[index]
            } else {
                0.0
            };
        }
        add(&mut gradient[network.bias[1].clone()], &self.grads);
        let gradients = &mut gradient[network.weights[1].clone()];
        kernels::add_products(gradients, &self.middle, &self.active[1], &self.grads);
        self.activate_backward(model, network, grad);
        add(&mut gradient[network.bias[0].clone()], &self.sums);
        let gradients = &mut gradient[network.weights[0].clone()];
        kernels::add_products(gradients, &self.input, &self.active[0], &self.sums);
        let weights = model.first_by_output(self.stack);
        kernels::affine_backward(&mut self.input, weights, &self.sums);
        self.read_backward(model, values);
    }

    /// From the grads of the second hidden layer to those of the first one's sums.
    fn activate_backward(&mut self, model: &Model, network: &NetworkLayout, grad: f32) {
        let weights = model.dense[network.weights[1].clone()].chunks(model.layout.hidden[1]);
        for (value, weights) in self.middle.iter_mut().zip(weights) {
            *value = if is_open(*value) {
                weights
                    .iter()
                    .zip(self.grads.iter())
                    .map(|(weight, grad)| weight * grad)
                    .sum()
            } else {
                0.0
            };
        }
        if !model.arch.is_stacked() {
            return self.sums.copy_from_slice(&self.middle);
        }
        let real = model.arch.hidden[0];
        let (of_squares, of_values) = self.middle.split_at(real);
        let grads = of_squares.iter().zip(of_values);
        for (sum, (of_square, of_value)) in self.sums.iter_mut().zip(grads) {
            *sum = 2.0 * SHIFTED * *sum * of_square + of_value;
        }
        self.sums[real..].fill(0.0);
        if let Some((sum, factor)) = shortcut(model) {
            self.sums[sum] = factor * grad;
        }
    }

    /// From the grads of the first hidden layer's inputs to those of the transformer's sums.
    fn read_backward(&self, model: &Model, values: &mut [f32]) {
        if !model.arch.is_stacked() {
            return kernels::clip_backward(values, &self.input);
        }
        let half = model.layout.width / 2;
        let sides = values.chunks_mut(2 * half).zip(self.input.chunks(half));
        for (values, grads) in sides {
            let (low, high) = values.split_at_mut(half);
            kernels::multiply_backward(low, high, grads, SHIFTED);
        }
    }
}

/// The sum of the first hidden layer that is added to the output, and the factor, if there is one: the engine adds it
/// as it stands in the scale of hidden layers.
fn shortcut(model: &Model) -> Option<(usize, f32)> {
    let factor = HIDDEN * ONE / model.scale.raw_per_odds();
    let sum = model.arch.hidden[0];
    model.arch.has_shortcut().then_some((sum, factor))
}

/// Clipped ReLU of the sums of a hidden layer, rounded as the engine rounds them.
fn clip(values: &mut [f32], model: &Model) {
    kernels::clip(values);
    if model.quantized {
        let more = if model.arch.is_stacked() { DOWN } else { 0.0 };
        kernels::round_here(values, ONE, more);
    }
}

/// Whether a small change of the sum changes the clipped value.
fn is_open(value: f32) -> bool {
    value > 0.0 && value < 1.0
}

fn add(to: &mut [f32], from: &[f32]) {
    to.iter_mut().zip(from).for_each(|(to, from)| *to += from);
}

/// Lists the places of values above 0.
fn list_active(values: &[f32], list: &mut Vec<u16>) {
    list.clear();
    list.resize(values.len(), 0);
    let mut count = 0;
    for (index, &value) in values.iter().enumerate() {
        list[count] = index as u16;
        count += usize::from(value > 0.0);
    }
    list.truncate(count);
}

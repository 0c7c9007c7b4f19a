//! The inner loops: plain Rust, compiled for several kinds of CPU and chosen at run time by `multiversion`. Sums are
//! never reordered, so all versions give the same numbers, bit for bit.
//!
//! Rows are multiples of [`BLOCK`] long, those of small layers of [`NARROW`]: a block of sums stays in registers.

use multiversion::multiversion;

/// Numbers of a row that are summed at a time.
pub(super) const BLOCK: usize = 64;
/// Outputs of a small layer that are summed at a time.
pub(super) const NARROW: usize = 32;

/// One step of the optimizer, the same for all weights.
#[derive(Clone, Copy, Debug)]
pub(super) struct AdamStep {
    /// Factor of the gradient.
    pub scale: f32,
    /// Adam's beta1 and beta2: how much of the running means of gradients and of their squares is kept.
    pub keep: [f32; 2],
    /// Adam's bias correction: factors for these means, which start at zero.
    pub correct: [f32; 2],
    /// The learning rate.
    pub learning_rate: f32,
    /// Decoupled weight decay: a step multiplies weights by `1 - learning_rate * weight_decay`.
    pub weight_decay: f32,
}

/// Adam's epsilon, which keeps the division finite.
const EPSILON: f32 = 1e-8;

/// `N` numbers from a place on.
#[inline(always)]
fn block<const N: usize>(numbers: &[f32], at: usize) -> &[f32; N] {
    numbers[at..at + N]
        .as_array()
        .expect("a slice of N numbers")
}

/// Adds rows of a table, as wide as the sum, to the sum.
#[multiversion(targets("x86_64+avx512f", "x86_64+avx2"))]
pub(super) fn add_rows(sum: &mut [f32], table: &[f32], rows: &[u32]) {
    let width = sum.len();
    for (index, sum) in sum.as_chunks_mut::<BLOCK>().0.iter_mut().enumerate() {
        let mut total = *sum;
        for &row in rows {
            let row: &[f32; BLOCK] = block(table, row as usize * width + index * BLOCK);
            for i in 0..BLOCK {
                total[i] += row[i];
            }
        }
        *sum = total;
    }
}

/// The sums of a small layer: `sums += input * weights`, one row of weights per input, over the active inputs.
#[multiversion(targets("x86_64+avx512f", "x86_64+avx2"))]
pub(super) fn affine(sums: &mut [f32], weights: &[f32], input: &[f32], active: &[u16]) {
    let width = sums.len();
    for (index, sums) in sums.as_chunks_mut::<NARROW>().0.iter_mut().enumerate() {
        let mut total = *sums;
        for &at in active {
            let at = usize::from(at);
            let row: &[f32; NARROW] = block(weights, at * width + index * NARROW);
            for i in 0..NARROW {
                total[i] += input[at] * row[i];
            }
        }
        *sums = total;
    }
}

/// The gradient of a small layer's weights: `gradient[i] += input[i] * grads` for the active inputs.
#[multiversion(targets("x86_64+avx512f", "x86_64+avx2"))]
pub(super) fn add_products(gradient: &mut [f32], input: &[f32], active: &[u16], grads: &[f32]) {
    let width = grads.len();
    for (index, grads) in grads.as_chunks::<NARROW>().0.iter().enumerate() {
        let grads = *grads;
        for &at in active {
            let at = usize::from(at);
            let row = &mut gradient[at * width + index * NARROW..][..NARROW];
            for i in 0..NARROW {
                row[i] += input[at] * grads[i];
            }
        }
    }
}

/// The gradients of a layer's inputs from those of its outputs, whose weights are the rows.
#[multiversion(targets("x86_64+avx512f", "x86_64+avx2"))]
pub(super) fn affine_backward(inputs: &mut [f32], weights: &[f32], grads: &[f32]) {
    let width = inputs.len();
    for (index, inputs) in inputs.as_chunks_mut::<BLOCK>().0.iter_mut().enumerate() {
        let mut total = [0.0; BLOCK];
        for (output, &grad) in grads.iter().enumerate() {
            if grad != 0.0 {
                let row: &[f32; BLOCK] = block(weights, output * width + index * BLOCK);
                for i in 0..BLOCK {
                    total[i] += grad * row[i];
                }
            }
        }
        *inputs = total;
    }
}

/// A gradient passed on where a small change of the sum changes the clipped `value`, 0 elsewhere.
#[inline(always)]
fn where_open(value: f32, grad: f32) -> f32 {
    if value > 0.0 && value < 1.0 {
        grad
    } else {
        0.0
    }
}

/// The gradients of sums from those of the clipped values, which they replace: 0 where the value was clipped.
#[multiversion(targets("x86_64+avx512f", "x86_64+avx2"))]
pub(super) fn clip_backward(values: &mut [f32], grads: &[f32]) {
    for (value, &grad) in values.iter_mut().zip(grads) {
        *value = where_open(*value, grad);
    }
}

/// Products of the clipped values of two halves, times a factor: `products[i] = low[i] * high[i] * factor`.
#[multiversion(targets("x86_64+avx512f", "x86_64+avx2"))]
pub(super) fn multiply(products: &mut [f32], low: &[f32], high: &[f32], factor: f32) {
    for (product, (low, high)) in products.iter_mut().zip(low.iter().zip(high)) {
        *product = low * high * factor;
    }
}

/// The gradients of the sums behind two halves of clipped values from those of their products, in place of the values.
#[multiversion(targets("x86_64+avx512f", "x86_64+avx2"))]
pub(super) fn multiply_backward(low: &mut [f32], high: &mut [f32], grads: &[f32], factor: f32) {
    for (grad, (low, high)) in grads.iter().zip(low.iter_mut().zip(high)) {
        let grad = grad * factor;
        let (a, b) = (*low, *high);
        *low = where_open(a, grad * b);
        *high = where_open(b, grad * a);
    }
}

/// Clips sums to 0..=1, what the next layer reads.
#[multiversion(targets("x86_64+avx512f", "x86_64+avx2"))]
pub(super) fn clip(values: &mut [f32]) {
    for value in values {
        *value = value.clamp(0.0, 1.0);
    }
}

/// Rounds numbers to whole parts of one: `to = round(from * parts) / parts`.
#[multiversion(targets("x86_64+avx512f", "x86_64+avx2"))]
pub(super) fn round(to: &mut [f32], from: &[f32], parts: f32) {
    let part = 1.0 / parts;
    for (to, from) in to.iter_mut().zip(from) {
        *to = (from * parts).round_ties_even() * part;
    }
}

/// The same in place after adding `more` parts: nearly half a part less makes it a rounding down.
#[multiversion(targets("x86_64+avx512f", "x86_64+avx2"))]
pub(super) fn round_here(values: &mut [f32], parts: f32, more: f32) {
    let part = 1.0 / parts;
    for value in values {
        *value = (*value * parts + more).round_ties_even() * part;
    }
}

/// Adds one array to another and leaves zeros behind.
#[multiversion(targets("x86_64+avx512f", "x86_64+avx2"))]
pub(super) fn drain(to: &mut [f32], from: &mut [f32]) {
    for (to, from) in to.iter_mut().zip(from) {
        *to += *from;
        *from = 0.0;
    }
}

/// A step of AdamW: Adam (Kingma and Ba, 2014) with decoupled weight decay (Loshchilov and Hutter, 2017). Weights stay
/// within ±`bound`. The gradient is zero afterwards.
#[multiversion(targets("x86_64+avx512f", "x86_64+avx2"))]
pub(super) fn adam(
    weights: &mut [f32],
    means: &mut [f32],
    squares: &mut [f32],
    gradient: &mut [f32],
    step: &AdamStep,
    bound: f32,
) {
    let [keep_mean, keep_square] = step.keep;
    let [take_mean, take_square] = step.keep.map(|keep| 1.0 - keep);
    let rate = step.learning_rate * step.correct[0];
    let keep = 1.0 - step.learning_rate * step.weight_decay;
    let moments = means.iter_mut().zip(squares);
    for ((weight, grad), (mean, square)) in weights.iter_mut().zip(gradient).zip(moments) {
        let scaled = *grad * step.scale;
        *mean = keep_mean * *mean + take_mean * scaled;
        *square = keep_square * *square + take_square * (scaled * scaled);
        let size = (*square * step.correct[1]).sqrt() + EPSILON;
        *weight = (*weight * keep - rate * *mean / size).clamp(-bound, bound);
        *grad = 0.0;
    }
}

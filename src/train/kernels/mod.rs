//! The inner loops, each compiled for every kind of CPU and chosen at run time. Sums are never reordered, so all kinds
//! give the same numbers, bit for bit.
//!
//! Arrays are [`Aligned`](crate::eval::simd::Aligned) or parts of such, in multiples of [`BLOCK`], those of small
//! layers of [`NARROW`]: a block of sums stays in registers.
#![allow(unsafe_code)]

mod vector;

use vector::{Pack, Vector};

/// Numbers of a row that are summed at a time.
pub(super) const BLOCK: usize = 4 * Pack::LEN;
/// Outputs of a small layer that are summed at a time.
pub(super) const NARROW: usize = 2 * Pack::LEN;

/// Defines kernels: functions that call their bodies, compiled with the instructions that suit the CPU.
macro_rules! kernels {
    ($($(#[$doc:meta])* fn $name:ident($($argument:ident: $type:ty),* $(,)?) = $body:ident;)*) => { $(
        $(#[$doc])*
        pub(super) fn $name($($argument: $type),*) {
            #[cfg(target_arch = "x86_64")]
            {
                use std::arch::is_x86_feature_detected;

                #[target_feature(enable = "avx512f")]
                fn avx512($($argument: $type),*) {
                    $body::<vector::x86::Avx512>($($argument),*);
                }
                #[target_feature(enable = "avx2")]
                fn avx2($($argument: $type),*) {
                    $body::<vector::x86::Avx2>($($argument),*);
                }
                if is_x86_feature_detected!("avx512f") {
                    // SAFETY: the CPU was asked for the only feature that the function needs.
                    return unsafe { avx512($($argument),*) };
                }
                if is_x86_feature_detected!("avx2") {
                    // SAFETY: as above.
                    return unsafe { avx2($($argument),*) };
                }
            }
            $body::<Pack>($($argument),*);
        }
    )* };
}

kernels! {
    /// Adds rows of a table, as wide as the sum, to the sum.
    fn add_rows(sum: &mut [f32], table: &[f32], rows: &[u32]) = add_rows_body;

    /// The sums of a small layer: `sums += input * weights`, one row of weights per input, over the active inputs.
    fn affine(sums: &mut [f32], weights: &[f32], input: &[f32], active: &[u16]) = affine_body;

    /// The gradient of a small layer's weights: `gradient[i] += input[i] * grads` for the active inputs.
    fn add_products(gradient: &mut [f32], input: &[f32], active: &[u16], grads: &[f32]) = add_products_body;

    /// The grads of a layer's inputs from those of its outputs, whose weights are the rows.
    fn affine_backward(inputs: &mut [f32], weights: &[f32], grads: &[f32]) = affine_backward_body;

    /// The grads of sums from those of the clipped values, which they replace: 0 where the value was clipped.
    fn clip_backward(values: &mut [f32], grads: &[f32]) = clip_backward_body;

    /// Products of the clipped values of two halves, times a factor: `products[i] = low[i] * high[i] * factor`.
    fn multiply(products: &mut [f32], low: &[f32], high: &[f32], factor: f32) = multiply_body;

    /// The grads of the sums behind two halves of clipped values from those of their products, in place of the values.
    fn multiply_backward(low: &mut [f32], high: &mut [f32], grads: &[f32], factor: f32) = multiply_backward_body;

    /// Clips sums to 0..=1, what the next layer reads.
    fn clip(values: &mut [f32]) = clip_body;

    /// Rounds numbers to whole parts of one: `to = round(from * parts) / parts`.
    fn round(to: &mut [f32], from: &[f32], parts: f32) = round_body;

    /// The same in place after adding `more` parts: nearly half a part less makes it a rounding down.
    fn round_here(values: &mut [f32], parts: f32, more: f32) = round_here_body;

    /// Adds one array to another and leaves zeros behind.
    fn drain(to: &mut [f32], from: &mut [f32]) = drain_body;

    /// Adam (Kingma and Ba, 2014) for some weights, which stay within ±`bound`, with decay apart from the gradient
    /// (Loshchilov and Hutter, 2017). The gradient is zero afterwards.
    fn adam(weights: &mut [f32], means: &mut [f32], squares: &mut [f32], gradient: &mut [f32], step: &AdamStep, bound: f32)
        = adam_body;
}

/// One step of the optimiser, the same for all weights.
#[derive(Clone, Copy, Debug)]
pub(super) struct AdamStep {
    /// Factor of the gradient.
    pub scale: f32,
    /// How much of the means of gradients and of their squares is kept.
    pub keep: [f32; 2],
    /// Corrects these means for their start at zero.
    pub correct: [f32; 2],
    /// The learning rate.
    pub rate: f32,
    /// How fast weights shrink, as a share per unit of learning rate.
    pub decay: f32,
}

/// Keeps the division of a step finite.
const EPSILON: f32 = 1e-8;

/// Packs of a block.
const WIDE: usize = BLOCK / Pack::LEN;
/// Packs of a narrow block.
const SMALL: usize = NARROW / Pack::LEN;

/// The packs of a block from a place on.
#[inline(always)]
fn block<const N: usize>(packs: &[Pack], at: usize) -> &[Pack; N] {
    packs[at..at + N].as_array().expect("a slice of N packs")
}

#[inline(always)]
fn load<V: Vector, const N: usize>(packs: &[Pack; N]) -> [V; N] {
    std::array::from_fn(|i| V::load(&packs[i]))
}

#[inline(always)]
fn store<V: Vector, const N: usize>(values: [V; N], packs: &mut [Pack; N]) {
    for i in 0..N {
        values[i].store(&mut packs[i]);
    }
}

/// `total + factor * row`.
#[inline(always)]
fn add_scaled<V: Vector, const N: usize>(total: [V; N], factor: V, row: &[Pack; N]) -> [V; N] {
    std::array::from_fn(|i| total[i].add(factor.mul(V::load(&row[i]))))
}

#[inline(always)]
fn add_rows_body<V: Vector>(sum: &mut [f32], table: &[f32], rows: &[u32]) {
    let (sum, table) = (Pack::all_mut(sum), Pack::all(table));
    let width = sum.len();
    for (index, sum) in sum.as_chunks_mut::<WIDE>().0.iter_mut().enumerate() {
        let mut total: [V; WIDE] = load(sum);
        for &row in rows {
            let row = block::<WIDE>(table, row as usize * width + index * WIDE);
            total = std::array::from_fn(|i| total[i].add(V::load(&row[i])));
        }
        store(total, sum);
    }
}

#[inline(always)]
fn affine_body<V: Vector>(sums: &mut [f32], weights: &[f32], input: &[f32], active: &[u16]) {
    let (sums, weights) = (Pack::all_mut(sums), Pack::all(weights));
    let width = sums.len();
    for (index, sums) in sums.as_chunks_mut::<SMALL>().0.iter_mut().enumerate() {
        let mut total: [V; SMALL] = load(sums);
        for &at in active {
            let at = usize::from(at);
            let row = block::<SMALL>(weights, at * width + index * SMALL);
            total = add_scaled(total, V::splat(input[at]), row);
        }
        store(total, sums);
    }
}

#[inline(always)]
fn add_products_body<V: Vector>(
    gradient: &mut [f32],
    input: &[f32],
    active: &[u16],
    grads: &[f32],
) {
    let (gradient, grads) = (Pack::all_mut(gradient), Pack::all(grads));
    let width = grads.len();
    for (index, grads) in grads.as_chunks::<SMALL>().0.iter().enumerate() {
        let grads: [V; SMALL] = load(grads);
        for &at in active {
            let at = usize::from(at);
            let factor = V::splat(input[at]);
            let start = at * width + index * SMALL;
            let row: &mut [Pack; SMALL] = gradient[start..start + SMALL]
                .as_mut_array()
                .expect("a slice of SMALL packs");
            let sums: [V; SMALL] = load(row);
            store::<V, SMALL>(
                std::array::from_fn(|i| sums[i].add(factor.mul(grads[i]))),
                row,
            );
        }
    }
}

#[inline(always)]
fn affine_backward_body<V: Vector>(inputs: &mut [f32], weights: &[f32], grads: &[f32]) {
    let (inputs, weights) = (Pack::all_mut(inputs), Pack::all(weights));
    let width = inputs.len();
    for (index, inputs) in inputs.as_chunks_mut::<WIDE>().0.iter_mut().enumerate() {
        let mut total = [V::splat(0.0); WIDE];
        for (output, &grad) in grads.iter().enumerate() {
            if grad != 0.0 {
                let row = block::<WIDE>(weights, output * width + index * WIDE);
                total = add_scaled(total, V::splat(grad), row);
            }
        }
        store::<V, WIDE>(total, inputs);
    }
}

#[inline(always)]
fn clip_backward_body<V: Vector>(values: &mut [f32], grads: &[f32]) {
    for (value, grad) in Pack::all_mut(values).iter_mut().zip(Pack::all(grads)) {
        V::load(grad).where_open(V::load(value)).store(value);
    }
}

#[inline(always)]
fn multiply_body<V: Vector>(products: &mut [f32], low: &[f32], high: &[f32], factor: f32) {
    let factor = V::splat(factor);
    let pairs = Pack::all(low).iter().zip(Pack::all(high));
    for (product, (low, high)) in Pack::all_mut(products).iter_mut().zip(pairs) {
        let both = V::load(low).mul(V::load(high));
        both.mul(factor).store(product);
    }
}

#[inline(always)]
fn multiply_backward_body<V: Vector>(
    low: &mut [f32],
    high: &mut [f32],
    grads: &[f32],
    factor: f32,
) {
    let factor = V::splat(factor);
    let pairs = Pack::all_mut(low).iter_mut().zip(Pack::all_mut(high));
    for (grad, (low, high)) in Pack::all(grads).iter().zip(pairs) {
        let grad = V::load(grad).mul(factor);
        let (a, b) = (V::load(low), V::load(high));
        grad.mul(b).where_open(a).store(low);
        grad.mul(a).where_open(b).store(high);
    }
}

#[inline(always)]
fn clip_body<V: Vector>(values: &mut [f32]) {
    for pack in Pack::all_mut(values) {
        V::load(pack)
            .clamp(V::splat(0.0), V::splat(1.0))
            .store(pack);
    }
}

#[inline(always)]
fn round_body<V: Vector>(to: &mut [f32], from: &[f32], parts: f32) {
    let (to, from) = (Pack::all_mut(to), Pack::all(from));
    let (parts, part) = (V::splat(parts), V::splat(1.0 / parts));
    for (to, from) in to.iter_mut().zip(from) {
        V::load(from).mul(parts).round().mul(part).store(to);
    }
}

#[inline(always)]
fn round_here_body<V: Vector>(values: &mut [f32], parts: f32, more: f32) {
    let (parts, part, more) = (V::splat(parts), V::splat(1.0 / parts), V::splat(more));
    for pack in Pack::all_mut(values) {
        let value = V::load(pack).mul(parts).add(more);
        value.round().mul(part).store(pack);
    }
}

#[inline(always)]
fn drain_body<V: Vector>(to: &mut [f32], from: &mut [f32]) {
    let (to, from) = (Pack::all_mut(to), Pack::all_mut(from));
    for i in 0..to.len().min(from.len()) {
        V::load(&to[i]).add(V::load(&from[i])).store(&mut to[i]);
        V::splat(0.0).store(&mut from[i]);
    }
}

#[inline(always)]
fn adam_body<V: Vector>(
    weights: &mut [f32],
    means: &mut [f32],
    squares: &mut [f32],
    gradient: &mut [f32],
    step: &AdamStep,
    bound: f32,
) {
    let (weights, gradient) = (Pack::all_mut(weights), Pack::all_mut(gradient));
    let (means, squares) = (Pack::all_mut(means), Pack::all_mut(squares));
    let [keep_mean, keep_square] = step.keep.map(V::splat);
    let [take_mean, take_square] = step.keep.map(|keep| V::splat(1.0 - keep));
    let rate = V::splat(step.rate * step.correct[0]);
    let keep = V::splat(1.0 - step.rate * step.decay);
    for i in 0..weights.len() {
        let grad = V::load(&gradient[i]).mul(V::splat(step.scale));
        let mean = keep_mean.mul(V::load(&means[i])).add(take_mean.mul(grad));
        let square = keep_square
            .mul(V::load(&squares[i]))
            .add(take_square.mul(grad.mul(grad)));
        let size = square
            .mul(V::splat(step.correct[1]))
            .sqrt()
            .add(V::splat(EPSILON));
        let kept = V::load(&weights[i]).mul(keep);
        let moved = kept.sub(rate.mul(mean).div(size));
        moved
            .clamp(V::splat(-bound), V::splat(bound))
            .store(&mut weights[i]);
        mean.store(&mut means[i]);
        square.store(&mut squares[i]);
        V::splat(0.0).store(&mut gradient[i]);
    }
}

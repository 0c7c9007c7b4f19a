//! The optimizer, AdamW (see [`kernels::adam`]), which updates the weights after each batch, and the cosine schedule of
//! the learning rate.

use std::f64::consts::PI;

use rayon::prelude::*;

use crate::eval::simd::Aligned;

use super::kernels::{self, AdamStep};
use super::model::{Model, quantize_into};
use super::settings::Settings;
use super::shard::Shard;

/// Adam's beta1 and beta2.
const KEEP: [f32; 2] = [0.9, 0.999];
/// Rows of the table that one task updates.
const ROWS: usize = 32;

/// Adam's state.
#[derive(Clone, Debug)]
pub(super) struct Optimizer {
    /// Steps taken.
    pub steps: u64,
    pub table: Moments,
    pub dense: Moments,
}

/// Running means of gradients and of their squares, one of each per weight.
#[derive(Clone, Debug)]
pub(super) struct Moments {
    pub means: Aligned<f32>,
    pub squares: Aligned<f32>,
}

impl Moments {
    fn new(length: usize) -> Self {
        Self {
            means: Aligned::zeroed(length),
            squares: Aligned::zeroed(length),
        }
    }
}

impl Optimizer {
    pub fn new(model: &Model) -> Self {
        Self {
            steps: 0,
            table: Moments::new(model.table.len()),
            dense: Moments::new(model.dense.len()),
        }
    }

    /// Takes a step along the gradients of all shards, of `samples` in sum, and clears them. Rows of the table that no
    /// sample used are left alone, their moments included (lazy Adam).
    pub fn step(
        &mut self,
        model: &mut Model,
        shards: &mut [Shard],
        learning_rate: f32,
        weight_decay: f32,
        samples: usize,
    ) {
        let Some((first, others)) = shards.split_first_mut() else {
            return;
        };
        self.steps += 1;
        let step = AdamStep {
            scale: 1.0 / samples as f32,
            keep: KEEP,
            correct: KEEP
                .map(|keep| (1.0 / (1.0 - f64::from(keep).powf(self.steps as f64))) as f32),
            learning_rate,
            weight_decay,
        };
        for other in others {
            gather(first, other, model.layout.width);
        }
        self.step_table(model, first, &step);
        self.step_dense(model, first, &step);
        model.refresh();
    }

    fn step_table(&mut self, model: &mut Model, shard: &mut Shard, step: &AdamStep) {
        let (width, quantized) = (model.layout.width, model.quantized);
        let unit = model.scale.transformer();
        let size = ROWS * width;
        let used = model.table.par_chunks_mut(size);
        let weights = model.master_table.par_chunks_mut(size).zip(used);
        let means = self.table.means.par_chunks_mut(size);
        let moments = means.zip(self.table.squares.par_chunks_mut(size));
        let gradient = shard.table.par_chunks_mut(size);
        let gradient = gradient.zip(shard.touched.par_chunks_mut(ROWS));
        let parts = weights.zip(moments).zip(gradient);
        parts.for_each(
            |(((weights, used), (means, squares)), (gradient, touched))| {
                for (row, touched) in touched.iter_mut().enumerate() {
                    if std::mem::take(touched) {
                        let row = row * width..(row + 1) * width;
                        let weights = &mut weights[row.clone()];
                        kernels::adam(
                            weights,
                            &mut means[row.clone()],
                            &mut squares[row.clone()],
                            &mut gradient[row.clone()],
                            step,
                            unit.bound,
                        );
                        quantize_into(&mut used[row], weights, unit, quantized);
                    }
                }
            },
        );
    }

    fn step_dense(&mut self, model: &mut Model, shard: &mut Shard, step: &AdamStep) {
        for (range, unit) in model.layout.parts(model.scale) {
            kernels::adam(
                &mut model.master_dense[range.clone()],
                &mut self.dense.means[range.clone()],
                &mut self.dense.squares[range.clone()],
                &mut shard.dense[range],
                step,
                unit.bound,
            );
        }
    }
}

/// Adds the gradient of one shard to another's and clears it.
fn gather(to: &mut Shard, from: &mut Shard, width: usize) {
    kernels::drain(&mut to.dense, &mut from.dense);
    let size = ROWS * width;
    let tables = to
        .table
        .par_chunks_mut(size)
        .zip(from.table.par_chunks_mut(size));
    let touched = to
        .touched
        .par_chunks_mut(ROWS)
        .zip(from.touched.par_chunks_mut(ROWS));
    tables
        .zip(touched)
        .for_each(|((to, from), (all, touched))| {
            for (row, touched) in touched.iter_mut().enumerate() {
                if std::mem::take(touched) {
                    let place = row * width..(row + 1) * width;
                    kernels::drain(&mut to[place.clone()], &mut from[place]);
                    all[row] = true;
                }
            }
        });
}

/// The learning rate after the share `done` of the run: a cosine schedule from `learning_rate` down to `final_lr` times
/// it.
pub(super) fn learning_rate(settings: &Settings, done: f64) -> f32 {
    let (start, end) = (
        f64::from(settings.learning_rate),
        f64::from(settings.learning_rate * settings.final_lr),
    );
    (end + (start - end) * 0.5 * (1.0 + (PI * done.min(1.0)).cos())) as f32
}

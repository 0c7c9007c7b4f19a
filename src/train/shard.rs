//! A shard of a batch: forward and backward pass through a model, a chunk of samples at a time.

use crate::eval::nnue::arch::{Family, Stacks};
use crate::eval::simd::Aligned;
use crate::shogi::Color;

use super::inputs::{MOST, square_of};
use super::kernels;
use super::layers::Layers;
use super::model::Model;
use super::sample::Sample;

/// Samples whose values are kept at a time: few enough for the cache, enough to sum a feature's grads in one go.
const CHUNK: usize = 256;

/// How the target of a position is computed.
#[derive(Clone, Copy, Debug)]
pub(super) struct Target {
    /// Share of the score in the target; the rest is the game's result (WDL).
    pub lambda: f32,
    /// Sigmoid scale, see [`Settings::score_scale`](super::Settings::score_scale).
    pub score_scale: f32,
}

impl Target {
    /// The target winning probability of a sample.
    fn target(&self, sample: &Sample) -> f32 {
        let score = sigmoid(f32::from(sample.score()) / self.score_scale);
        self.lambda * score + (1.0 - self.lambda) * sample.result()
    }
}

/// The loss of some samples.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct LossStats {
    /// Samples.
    pub count: u64,
    /// Sum of the losses: the cross-entropy between target and sigmoid of the output.
    pub loss: f64,
    /// Samples with a score other than 0, and those of them whose evaluation has the same sign.
    pub signs: [u64; 2],
}

impl LossStats {
    pub fn add(&mut self, other: &Self) {
        self.count += other.count;
        self.loss += other.loss;
        self.signs[0] += other.signs[0];
        self.signs[1] += other.signs[1];
    }

    fn take(&mut self, sample: &Sample, target: f32, output: f32) {
        let (target, output) = (f64::from(target), f64::from(output));
        self.count += 1;
        // The cross-entropy with the sigmoid of the logit `output`: ln(1 + e^output) - target * output, without
        // overflow.
        self.loss += output.max(0.0) + (-output.abs()).exp().ln_1p() - target * output;
        if sample.score() != 0 {
            self.signs[0] += 1;
            self.signs[1] += u64::from((sample.score() > 0) == (output > 0.0));
        }
    }
}

/// How often each output of a layer was 0 and 1.
#[derive(Clone, Debug, Default)]
pub(super) struct Activity {
    zeros: Vec<u64>,
    ones: Vec<u64>,
    count: u64,
}

impl Activity {
    fn new(outputs: usize) -> Self {
        Self {
            zeros: vec![0; outputs],
            ones: vec![0; outputs],
            count: 0,
        }
    }

    fn take(&mut self, values: &[f32]) {
        for ((zeros, ones), &value) in self.zeros.iter_mut().zip(&mut self.ones).zip(values) {
            *zeros += u64::from(value <= 0.0);
            *ones += u64::from(value >= 1.0);
        }
        self.count += 1;
    }

    pub fn add(&mut self, other: &Self) {
        let pairs = self.zeros.iter_mut().chain(&mut self.ones);
        for (mine, theirs) in pairs.zip(other.zeros.iter().chain(&other.ones)) {
            *mine += theirs;
        }
        self.count += other.count;
    }

    /// How many of the first outputs, all but padding, were always 0, and how many always 1.
    pub fn stuck(&self, outputs: usize) -> [usize; 2] {
        [&self.zeros, &self.ones].map(|counts| {
            let always = counts[..outputs]
                .iter()
                .filter(|&&count| count == self.count);
            always.count()
        })
    }
}

/// What one thread needs to work on its part of a batch, and the gradient it finds.
#[derive(Clone, Debug)]
pub(super) struct Shard {
    /// Gradients of the table and of the dense array.
    pub table: Aligned<f32>,
    pub dense: Aligned<f32>,
    /// Rows of the table with a gradient.
    pub touched: Vec<bool>,
    pub stats: LossStats,
    layers: Layers,
    /// Two rows per sample of the chunk, one for each perspective: the transformer's outputs, later their grads.
    values: Aligned<f32>,
    chunk: Chunk,
}

/// The active features of a chunk.
#[derive(Clone, Debug, Default)]
struct Chunk {
    /// Features of all rows of values, one row after the other.
    features: Vec<u32>,
    /// Where each row's features end.
    ends: Vec<usize>,
    /// How often each feature occurs; all zero between chunks.
    counts: Vec<u32>,
    /// The features that occur.
    seen: Vec<u32>,
    /// The rows of values in which each feature occurs, the features in the order of `seen`.
    rows: Vec<u32>,
    /// Where the rows of each feature are put next.
    next: Vec<u32>,
}

impl Shard {
    pub fn new(model: &Model) -> Self {
        let layout = &model.layout;
        let rows = model.inputs.rows();
        Self {
            table: Aligned::zeroed(model.table.len()),
            dense: Aligned::zeroed(model.dense.len()),
            touched: vec![false; rows],
            stats: LossStats::default(),
            layers: Layers::new(layout),
            values: Aligned::zeroed(2 * CHUNK * layout.width),
            chunk: Chunk {
                counts: vec![0; rows],
                next: vec![0; rows],
                ..Chunk::default()
            },
        }
    }

    /// Adds up the gradients and losses of samples, some of them mirrored.
    pub fn accumulate(&mut self, model: &Model, target: &Target, samples: &[(Sample, bool)]) {
        for samples in samples.chunks(CHUNK) {
            self.chunk.read(model, samples);
            self.transform(model, samples.len());
            for (index, (sample, mirror)) in samples.iter().enumerate() {
                let pair = 2 * model.layout.width;
                let values = &mut self.values[index * pair..(index + 1) * pair];
                let target = target.target(sample);
                let stack = stack(model, sample, *mirror);
                let output = self.layers.forward(model, stack, values);
                self.stats.take(sample, target, output);
                let grad = sigmoid(output) - target;
                self.layers.backward(model, values, grad, &mut self.dense);
            }
            self.backprop_transformer(model, samples.len());
        }
    }

    /// Evaluates validation samples without learning from them. `activity` is of both perspectives' transformer outputs
    /// together and of the hidden layers.
    pub fn validate(
        &mut self,
        model: &Model,
        target: &Target,
        samples: &[Sample],
    ) -> (LossStats, [Activity; 3]) {
        let layout = &model.layout;
        let mut stats = LossStats::default();
        let mut activity = [layout.width, layout.middle, layout.hidden[1]].map(Activity::new);
        for samples in samples.chunks(CHUNK) {
            let pairs: Vec<_> = samples.iter().map(|&sample| (sample, false)).collect();
            self.chunk.read(model, &pairs);
            self.chunk.forget();
            self.transform(model, samples.len());
            for (sample, values) in samples.iter().zip(self.values.chunks_mut(2 * layout.width)) {
                let stack = stack(model, sample, false);
                let output = self.layers.forward(model, stack, values);
                stats.take(sample, target.target(sample), output);
                values
                    .chunks(layout.width)
                    .for_each(|side| activity[0].take(side));
                activity[1].take(&self.layers.middle);
                activity[2].take(&self.layers.second);
            }
        }
        (stats, activity)
    }

    /// The output for one sample.
    pub fn output(&mut self, model: &Model, sample: &Sample) -> f32 {
        self.chunk.read(model, &[(*sample, false)]);
        self.chunk.forget();
        self.transform(model, 1);
        let values = &mut self.values[..2 * model.layout.width];
        self.layers
            .forward(model, stack(model, sample, false), values)
    }

    /// The sums of the transformer, both perspectives of each sample.
    fn transform(&mut self, model: &Model, samples: usize) {
        let bias = &model.dense[model.layout.transformer_bias.clone()];
        let rows = self.values.chunks_mut(model.layout.width).take(2 * samples);
        let mut start = 0;
        for (values, &end) in rows.zip(&self.chunk.ends) {
            values.copy_from_slice(bias);
            kernels::add_rows(values, &model.table, &self.chunk.features[start..end]);
            start = end;
        }
    }

    /// Backward pass of the transformer: adds the grads of the chunk's values to the gradient of the table and of the
    /// transformer's bias.
    fn backprop_transformer(&mut self, model: &Model, samples: usize) {
        let width = model.layout.width;
        let values = &self.values[..2 * samples * width];
        let all: Vec<u32> = (0..2 * samples as u32).collect();
        kernels::add_rows(
            &mut self.dense[model.layout.transformer_bias.clone()],
            values,
            &all,
        );
        self.chunk.sort();
        let mut start = 0;
        for &feature in &self.chunk.seen {
            let feature = feature as usize;
            let end = self.chunk.next[feature] as usize;
            let row = &mut self.table[feature * width..(feature + 1) * width];
            kernels::add_rows(row, values, &self.chunk.rows[start..end]);
            self.touched[feature] = true;
            start = end;
        }
        self.chunk.forget();
    }
}

impl Chunk {
    /// Lists and counts the features of samples.
    fn read(&mut self, model: &Model, samples: &[(Sample, bool)]) {
        self.features.clear();
        self.ends.clear();
        self.features.reserve(2 * samples.len() * MOST);
        for (sample, mirror) in samples {
            for side in Color::ALL {
                model.inputs.tell(sample, side, *mirror, |feature| {
                    let count = &mut self.counts[feature as usize];
                    if *count == 0 {
                        self.seen.push(feature);
                    }
                    *count += 1;
                    self.features.push(feature);
                });
                self.ends.push(self.features.len());
            }
        }
    }

    /// Lists for each feature the rows in which it occurs; `next` is where they end.
    fn sort(&mut self) {
        let mut start = 0;
        for &feature in &self.seen {
            self.next[feature as usize] = start;
            start += self.counts[feature as usize];
        }
        self.rows.resize(self.features.len(), 0);
        let mut from = 0;
        for (row, &end) in self.ends.iter().enumerate() {
            for &feature in &self.features[from..end] {
                let place = &mut self.next[feature as usize];
                self.rows[*place as usize] = row as u32;
                *place += 1;
            }
            from = end;
        }
    }

    /// Makes ready for the next samples.
    fn forget(&mut self) {
        for feature in self.seen.drain(..) {
            self.counts[feature as usize] = 0;
        }
    }
}

/// The layer stack of a sample, perhaps mirrored.
fn stack(model: &Model, sample: &Sample, mirror: bool) -> usize {
    let Family::Stacks(Stacks { rule, .. }) = model.arch.family else {
        return 0;
    };
    let [ours, theirs] = sample.kings().map(|square| {
        if mirror {
            square_of(square).mirror()
        } else {
            square_of(square)
        }
    });
    rule.stack_of(sample.hands(), [ours, theirs.flip()], || 0)
}

pub(super) fn sigmoid(x: f32) -> f32 {
    1.0 / (1.0 + (-x).exp())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::{RecordFile, RecordPosition};
    use crate::train::Settings;
    use crate::train::inputs::Inputs;
    use crate::train::model::Model;
    use std::path::Path;

    const AIM: Target = Target {
        lambda: 0.75,
        score_scale: 600.0,
    };

    fn samples() -> Vec<(Sample, bool)> {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/train/sample.sbinpack");
        let file = RecordFile::open(&path).expect("the sample");
        let mut samples = Vec::new();
        let visit =
            &mut |position: RecordPosition, label: &_| samples.extend(Sample::new(position, label));
        file.visit(0, visit).expect("a sound block");
        let mirrored = samples.into_iter().enumerate();
        { mirrored.map(|(index, sample)| (sample, index % 3 == 0)) }.collect()
    }

    fn loss(model: &Model, samples: &[(Sample, bool)]) -> f64 {
        let mut shard = Shard::new(model);
        shard.accumulate(model, &AIM, samples);
        shard.stats.loss
    }

    /// The gradient of every kind of weight is the grad of the loss, measured by moving the weight.
    #[test]
    fn gradients_are_slopes() {
        compare_gradients(Settings {
            layers: [64, 8, 8],
            ..Settings::default()
        });
    }

    #[test]
    fn gradients_of_layer_stacks_are_slopes() {
        compare_gradients(Settings {
            layers: [128, 7, 8],
            stacks: Some("hand16".to_owned()),
            ..Settings::default()
        });
    }

    fn compare_gradients(settings: Settings) {
        let settings = Settings {
            features: "halfkp".to_owned(),
            // Rounding makes steps of grads.
            quantized: false,
            ..settings
        };
        let arch = settings.architecture().expect("sound settings");
        let mut model = Model::new(Inputs::new(arch.features, true), arch, &settings);
        let samples = &samples()[..300];
        let mut shard = Shard::new(&model);
        shard.accumulate(&model, &AIM, samples);
        let layout = model.layout.clone();
        // The last output of the first hidden layer is the one that is added to the output, if there is such a one.
        let last = arch.layers()[0].1 - 1;
        let network = &layout.networks[stack(&model, &samples[0].0, samples[0].1)];
        let dense = [
            layout.transformer_bias.start + 3,
            network.weights[0].start + 32 * 70 + 2,
            network.weights[0].start + 32 * 71 + last,
            network.bias[0].start + 1,
            network.bias[0].start + last,
            network.weights[1].start + 32 + 4,
            network.weights[1].start + 32 * (arch.layers()[1].0 - 1) + 4,
            network.bias[1].start + 5,
            network.output_weights.start + 6,
            network.output_bias.start,
        ];
        // A factor's row, and a row of the engine's.
        let row = shard
            .touched
            .iter()
            .position(|&touched| touched)
            .expect("a row");
        let factor = model.inputs.factor(row).expect("factors");
        let table = [row * layout.width + 1, factor * layout.width + 1];
        let places = dense
            .map(|place| (true, place))
            .into_iter()
            .chain(table.map(|place| (false, place)));
        for (is_dense, place) in places {
            let found = f64::from(if is_dense {
                shard.dense[place]
            } else {
                shard.table[place]
            });
            let mut moved = |by: f32| {
                let weight = if is_dense {
                    &mut model.master_dense[place]
                } else {
                    &mut model.master_table[place]
                };
                let old = std::mem::replace(weight, *weight + by);
                model.refresh_all();
                let loss = loss(&model, samples);
                let weight = if is_dense {
                    &mut model.master_dense[place]
                } else {
                    &mut model.master_table[place]
                };
                *weight = old;
                loss
            };
            let step = 2e-3;
            let grad = (moved(step) - moved(-step)) / f64::from(2.0 * step);
            let close = (grad - found).abs() < 0.02 * grad.abs() + 0.02;
            assert!(close, "{is_dense} {place}: {found} instead of {grad}");
        }
    }

    /// Mirrored positions have the features of the engine's view of the mirror image.
    #[test]
    fn features_are_those_of_the_engine() {
        use crate::eval::nnue::features::FeatureSet;
        use crate::shogi::Position;
        for set in FeatureSet::ALL
            .into_iter()
            .filter(|set| !set.uses_effects())
        {
            let inputs = Inputs::new(set, false);
            for (sample, _) in samples().iter().step_by(7) {
                for mirror in [false, true] {
                    let sfen = sample.sfen();
                    let sfen = if mirror { mirror_image(&sfen) } else { sfen };
                    let (position, _) = Position::from_sfen_tolerant(&sfen).expect("a position");
                    for color in Color::ALL {
                        let king = position.king(color).expect("a king");
                        let (mut ours, mut engines) = (Vec::new(), Vec::new());
                        inputs.tell(sample, color, mirror, |feature| ours.push(feature));
                        set.view(color, king)
                            .active(&position, |feature| engines.push(feature));
                        ours.sort_unstable();
                        engines.sort_unstable();
                        assert_eq!(ours, engines, "{} {sfen}", set.name());
                    }
                }
            }
        }
    }

    fn mirror_image(sfen: &str) -> String {
        let (board, rest) = sfen.split_once(' ').expect("fields");
        let row = |row: &str| -> String {
            let mut pieces: Vec<String> = Vec::new();
            for letter in row.chars() {
                match pieces.last_mut() {
                    Some(last) if last == "+" => last.push(letter),
                    _ => pieces.push(letter.to_string()),
                }
            }
            pieces.into_iter().rev().collect()
        };
        let rows: Vec<String> = board.split('/').map(row).collect();
        format!("{} {rest}", rows.join("/"))
    }
}

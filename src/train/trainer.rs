//! A training run from the first batch to the last: batches, validation, checkpoints, and the net at the end.

use std::io;
use std::path::{Path, PathBuf};

use rayon::prelude::*;

use crate::data::RecordError;
use crate::eval::nnue::numbers::read_numbers;

use super::buffer::ShuffleBuffer;
use super::checkpoint::{self, Checkpoint, Header};
use super::curve::Point;
use super::dataset::Dataset;
use super::export::{Saturation, export};
use super::inputs::Inputs;
use super::model::Model;
use super::optimizer::{Optimizer, learning_rate};
use super::progress::{Cursor, Progress};
use super::random::Random;
use super::sample::Sample;
use super::settings::{Settings, SettingsError};
use super::shard::{Activity, LossStats, Shard, Target};
use super::verify::{RoundingError, VerifyError, compare};

/// Why a run cannot begin or continue.
#[derive(Debug, thiserror::Error)]
pub enum TrainError {
    /// The settings make no sense.
    #[error(transparent)]
    Settings(#[from] SettingsError),
    /// A file of records is missing or damaged.
    #[error(transparent)]
    Records(#[from] RecordError),
    /// No samples to train on, or none for validation.
    #[error("no record for {0} passes the filter; more blocks or other filters are needed")]
    NoSamples(&'static str),
    /// A checkpoint cannot be read or written.
    #[error("{path}: {error}")]
    Checkpoint {
        /// The file.
        path: String,
        /// What went wrong.
        error: io::Error,
    },
    /// A checkpoint of a run on other data.
    #[error("the files of records are not those of the checkpoint")]
    OtherFiles,
    /// A net of another architecture to begin with.
    #[error("the net to begin with has another architecture than the one to be trained")]
    OtherNet,
    /// The net that was written is not the one that was trained.
    #[error(transparent)]
    Verify(#[from] VerifyError),
}

/// A run of training.
pub struct Trainer {
    settings: Settings,
    dataset: Dataset,
    validation: Vec<Sample>,
    buffer: Option<ShuffleBuffer>,
    model: Model,
    optimizer: Optimizer,
    shards: Vec<Shard>,
    cursor: Cursor,
    progress: Progress,
    /// Sum of the losses since the last point of the curve, and their number.
    recent: (f64, u64),
    curve: Vec<Point>,
}

/// A net's file, and what there is to know about it.
#[derive(Clone, Debug)]
pub struct Export {
    /// The bytes of the file.
    pub net: Vec<u8>,
    /// Numbers that were at the limit of their bits.
    pub saturation: Saturation,
    /// How far the file's evaluations are from the model's.
    pub error: RoundingError,
    /// For the transformer and the hidden layers: outputs that were 0 in all samples of the last measurement, and
    /// outputs that were 1.
    pub stuck: [[usize; 2]; 3],
}

impl Trainer {
    /// Prepares a run on some files.
    ///
    /// # Errors
    ///
    /// If the settings make no sense, a file cannot be read, or no sample is left to measure with.
    pub fn new(settings: Settings, files: &[PathBuf]) -> Result<Self, TrainError> {
        let arch = settings.architecture()?;
        let dataset = Dataset::open(files, &settings)?;
        let validation = dataset.validation(settings.max_validation)?;
        if validation.is_empty() {
            return Err(TrainError::NoSamples("validation"));
        }
        let inputs = Inputs::new(arch.features, settings.factorised);
        let model = Model::new(inputs, arch, &settings);
        Ok(Self {
            optimizer: Optimizer::new(&model),
            shards: (0..settings.shards).map(|_| Shard::new(&model)).collect(),
            settings,
            dataset,
            validation,
            buffer: None,
            model,
            cursor: Cursor::default(),
            progress: Progress::default(),
            recent: (0.0, 0),
            curve: Vec::new(),
        })
    }

    /// Begins with the weights of a net instead of random ones (fine-tuning).
    ///
    /// # Errors
    ///
    /// If the bytes are no net of the architecture that is to be trained.
    pub fn start_from(&mut self, net: &[u8]) -> Result<(), TrainError> {
        let (arch, numbers) = read_numbers(net).map_err(VerifyError::from)?;
        if arch != self.model.arch {
            return Err(TrainError::OtherNet);
        }
        self.model.start_from(&numbers);
        Ok(())
    }

    /// Resumes a run from a checkpoint, bit for bit as if it had not been interrupted.
    ///
    /// # Errors
    ///
    /// As for [`Trainer::new`], and if the checkpoint cannot be read or belongs to other files.
    pub fn resume(path: &Path, files: &[PathBuf]) -> Result<Self, TrainError> {
        let blame = |error| TrainError::Checkpoint {
            path: path.display().to_string(),
            error,
        };
        let checkpoint = Checkpoint::read(path).map_err(blame)?;
        let header = checkpoint.header.clone();
        let mut trainer = Self::new(header.settings, files)?;
        if header.files != trainer.dataset.files() {
            return Err(TrainError::OtherFiles);
        }
        let Self {
            model, optimizer, ..
        } = &mut trainer;
        let (table, dense) = (&mut optimizer.table, &mut optimizer.dense);
        let mut arrays = [
            ("table", &mut model.master_table[..]),
            ("dense", &mut model.master_dense[..]),
            ("table.means", &mut table.means[..]),
            ("table.squares", &mut table.squares[..]),
            ("dense.means", &mut dense.means[..]),
            ("dense.squares", &mut dense.squares[..]),
        ];
        checkpoint.copy_to(&mut arrays).map_err(blame)?;
        trainer.model.refresh_all();
        trainer.optimizer.steps = header.progress.steps;
        trainer.cursor = header.cursor;
        trainer.progress = header.progress;
        trainer.recent = header.recent;
        trainer.curve = header.curve;
        Ok(trainer)
    }

    /// Writes a checkpoint, over an older one only when it is whole.
    ///
    /// # Errors
    ///
    /// If the file cannot be written.
    pub fn save(&self, path: &Path) -> Result<(), TrainError> {
        let header = Header {
            settings: self.settings.clone(),
            files: self.dataset.files(),
            cursor: self.cursor,
            progress: self.progress,
            recent: self.recent,
            curve: self.curve.clone(),
        };
        let (table, dense) = (&self.optimizer.table, &self.optimizer.dense);
        let arrays = [
            ("table", &self.model.master_table[..]),
            ("dense", &self.model.master_dense[..]),
            ("table.means", &table.means[..]),
            ("table.squares", &table.squares[..]),
            ("dense.means", &dense.means[..]),
            ("dense.squares", &dense.squares[..]),
        ];
        checkpoint::write(path, &header, &arrays).map_err(|error| TrainError::Checkpoint {
            path: path.display().to_string(),
            error,
        })
    }

    /// What the run was told to do.
    pub fn settings(&self) -> &Settings {
        &self.settings
    }

    /// All measurements so far.
    pub fn curve(&self) -> &[Point] {
        &self.curve
    }

    /// Where the run stands.
    pub fn progress(&self) -> Progress {
        self.progress
    }

    /// Learns from one batch. `false` if the run is over.
    ///
    /// # Errors
    ///
    /// If records cannot be read or none passes the filter.
    pub fn step(&mut self) -> Result<bool, TrainError> {
        if self.cursor.epoch >= self.settings.epochs {
            return Ok(false);
        }
        if !self
            .buffer
            .as_ref()
            .is_some_and(|buffer| buffer.holds(self.cursor))
        {
            let before = self.buffer.take();
            let seed = self.settings.seed;
            self.buffer = ShuffleBuffer::fill(&self.dataset, self.cursor, seed, before)?;
        }
        let Some(buffer) = &self.buffer else {
            return Err(TrainError::NoSamples("training"));
        };
        let batches = buffer.batches(self.settings.batch);
        let batch = buffer.batch(self.cursor.batch, batches).len();
        let (cursor, fillings) = (self.cursor, buffer.fillings());
        let done = cursor.filling as f64 + cursor.batch as f64 / batches as f64;
        let epochs = cursor.epoch as f64 + done / fillings as f64;
        let stats = self.accumulate(batches);
        let learning_rate = learning_rate(&self.settings, epochs / self.settings.epochs as f64);
        self.optimizer.step(
            &mut self.model,
            &mut self.shards,
            learning_rate,
            self.settings.weight_decay,
            batch,
        );
        self.cursor = cursor.next(batches, fillings);
        self.progress = Progress {
            steps: self.optimizer.steps,
            epochs,
            positions: self.progress.positions + stats.count,
            learning_rate,
            loss: stats.loss / stats.count as f64,
        };
        self.recent = (self.recent.0 + stats.loss, self.recent.1 + stats.count);
        Ok(true)
    }

    /// Adds up the gradients of the cursor's batch, one of `batches` in the buffer, in the shards.
    fn accumulate(&mut self, batches: usize) -> LossStats {
        let target = self.target();
        let Some(buffer) = &self.buffer else {
            return LossStats::default();
        };
        let batch = buffer.batch(self.cursor.batch, batches);
        let mirror = Mirror::new(&self.settings, self.optimizer.steps, batch.len());
        let size = batch.len().div_ceil(self.shards.len()).max(1);
        let parts = batch.par_chunks(size).enumerate();
        let parts = self.shards.par_iter_mut().zip(parts);
        parts.for_each(|(shard, (number, part))| {
            shard.stats = LossStats::default();
            let numbered = (number * size..).zip(part);
            let samples: Vec<_> = numbered
                .map(|(index, &sample)| (buffer.sample(sample), mirror.at(index)))
                .collect();
            shard.accumulate(&self.model, &target, &samples);
        });
        let mut stats = LossStats::default();
        self.shards.iter().for_each(|shard| stats.add(&shard.stats));
        stats
    }

    /// Computes the validation loss and adds a point to the learning curve.
    pub fn measure(&mut self) -> Point {
        let (stats, _) = self.validate();
        let (loss, count) = std::mem::take(&mut self.recent);
        let point = Point {
            steps: self.progress.steps,
            epochs: self.progress.epochs,
            learning_rate: self.progress.learning_rate,
            training: if count > 0 {
                loss / count as f64
            } else {
                self.progress.loss
            },
            validation: stats.loss / stats.count as f64,
            signs: stats.signs[1] as f64 / stats.signs[0].max(1) as f64,
        };
        self.curve.push(point);
        point
    }

    fn validate(&mut self) -> (LossStats, [Activity; 3]) {
        let part = self.validation.len().div_ceil(self.shards.len());
        let parts = self.validation.par_chunks(part);
        let (model, target) = (&self.model, self.target());
        let parts = self
            .shards
            .par_iter_mut()
            .zip(parts)
            .map(|(shard, part)| shard.validate(model, &target, part));
        let mut parts = parts.collect::<Vec<_>>().into_iter();
        let (mut stats, mut activity) = parts.next().unwrap_or_default();
        for (other, others) in parts {
            stats.add(&other);
            activity
                .iter_mut()
                .zip(&others)
                .for_each(|(mine, theirs)| mine.add(theirs));
        }
        (stats, activity)
    }

    /// The net as it is now, compared with the model.
    ///
    /// # Errors
    ///
    /// If the engine does not read the net.
    pub fn export(&mut self) -> Result<Export, TrainError> {
        let (net, saturation) = export(&self.model, &self.settings);
        let (_, activity) = self.validate();
        let [_, (middle, second), _] = self.model.arch.layers();
        let outputs = [self.model.arch.width, middle, second];
        let stuck = std::array::from_fn(|layer| activity[layer].stuck(outputs[layer]));
        let shard = &mut self.shards[0];
        let error = compare(&self.model, shard, &net, &self.settings, &self.validation)?;
        Ok(Export {
            net,
            saturation,
            error,
            stuck,
        })
    }

    fn target(&self) -> Target {
        Target {
            lambda: self.settings.lambda,
            score_scale: self.settings.score_scale,
        }
    }
}

/// Which samples of a batch are mirrored: one random bit each.
struct Mirror(Vec<u64>);

impl Mirror {
    fn new(settings: &Settings, step: u64, samples: usize) -> Self {
        let mut random = Random::new(settings.seed, "mirror", step);
        let mut bits = || if settings.mirror { random.next() } else { 0 };
        Self((0..samples.div_ceil(64)).map(|_| bits()).collect())
    }

    fn at(&self, index: usize) -> bool {
        self.0[index / 64] >> (index % 64) & 1 != 0
    }
}

//! A run from the first batch to the last.

use std::io;
use std::path::{Path, PathBuf};

use rayon::prelude::*;
use serde::{Deserialize, Serialize};

use crate::data::RecordError;
use crate::eval::nnue::numbers::read_numbers;

use super::checkpoint::{self, Header};
use super::curve::Point;
use super::data::Data;
use super::export::{Saturation, export};
use super::inputs::Inputs;
use super::model::Model;
use super::optimizer::{Optimizer, rate};
use super::pass::{Activity, Aim, Lane, Tally};
use super::random::Random;
use super::sample::Sample;
use super::settings::Settings;
use super::verify::{RoundingError, VerifyError, compare};

/// Why a run cannot go on.
#[derive(Debug, thiserror::Error)]
pub enum TrainError {
    /// The settings make no sense.
    #[error("{0}")]
    Settings(String),
    /// A file of records is missing or damaged.
    #[error(transparent)]
    Records(#[from] RecordError),
    /// Nothing to train on, or nothing to measure with.
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

/// Where a run stands.
#[derive(Clone, Copy, Debug, Default, Serialize, Deserialize)]
pub struct Progress {
    /// Steps of the optimiser taken.
    pub steps: u64,
    /// Passes through the data, with the current one's share.
    pub epochs: f64,
    /// Positions learnt from, repeated ones repeatedly.
    pub positions: u64,
    /// The learning rate of the last step.
    pub rate: f32,
    /// Mean loss of the last batch.
    pub loss: f64,
}

/// A run of training.
pub struct Trainer {
    settings: Settings,
    data: Data,
    validation: Vec<Sample>,
    pool: Option<Pool>,
    model: Model,
    optimizer: Optimizer,
    lanes: Vec<Lane>,
    place: Place,
    progress: Progress,
    /// Sum of the losses since the last point of the curve, and their number.
    recent: (f64, u64),
    curve: Vec<Point>,
}

/// The batch to do next.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Place {
    epoch: usize,
    pool: usize,
    batch: usize,
}

/// Samples in memory, and the order in which they are used.
struct Pool {
    blocks: Vec<(usize, usize)>,
    samples: Vec<Sample>,
    order: Vec<u32>,
    /// The epoch and pool that the order is for.
    turn: (usize, usize),
    /// Pools of this epoch.
    of: usize,
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
    /// Makes ready for a run on some files.
    ///
    /// # Errors
    ///
    /// If the settings make no sense, a file cannot be read, or no sample is left to measure with.
    pub fn new(settings: Settings, files: &[PathBuf]) -> Result<Self, TrainError> {
        let arch = settings.architecture().map_err(TrainError::Settings)?;
        let data = Data::open(files, &settings)?;
        let validation = data.validation(settings.validation_most)?;
        if validation.is_empty() {
            return Err(TrainError::NoSamples("validation"));
        }
        let inputs = Inputs::new(arch.features, settings.factorised);
        let model = Model::new(inputs, arch, &settings);
        Ok(Self {
            optimizer: Optimizer::new(&model),
            lanes: (0..settings.lanes).map(|_| Lane::new(&model)).collect(),
            settings,
            data,
            validation,
            pool: None,
            model,
            place: Place::default(),
            progress: Progress::default(),
            recent: (0.0, 0),
            curve: Vec::new(),
        })
    }

    /// Begins with the numbers of a net instead of random ones.
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

    /// Goes on with a run from a checkpoint, bit for bit as if it had not been interrupted.
    ///
    /// # Errors
    ///
    /// As for [`Trainer::new`], and if the checkpoint cannot be read or belongs to other files.
    pub fn resume(path: &Path, files: &[PathBuf]) -> Result<Self, TrainError> {
        let blame = |error| TrainError::Checkpoint {
            path: path.display().to_string(),
            error,
        };
        let (header, numbers) = checkpoint::Reader::open(path).map_err(blame)?;
        let mut trainer = Self::new(header.settings, files)?;
        if header.files != trainer.data.files() {
            return Err(TrainError::OtherFiles);
        }
        let Self {
            model, optimizer, ..
        } = &mut trainer;
        let (table, dense) = (&mut optimizer.table, &mut optimizer.dense);
        let mut arrays = [
            &mut model.exact_table,
            &mut model.exact_dense,
            &mut table.means,
            &mut table.squares,
            &mut dense.means,
            &mut dense.squares,
        ]
        .map(|array| &mut array[..]);
        numbers.read(&mut arrays).map_err(blame)?;
        trainer.model.refresh_all();
        trainer.optimizer.steps = header.progress.steps;
        trainer.place = header.place;
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
            files: self.data.files(),
            place: self.place,
            progress: self.progress,
            recent: self.recent,
            curve: self.curve.clone(),
        };
        let (table, dense) = (&self.optimizer.table, &self.optimizer.dense);
        let arrays = [
            &self.model.exact_table,
            &self.model.exact_dense,
            &table.means,
            &table.squares,
            &dense.means,
            &dense.squares,
        ];
        checkpoint::write(path, &header, &arrays.map(|array| &array[..])).map_err(|error| {
            TrainError::Checkpoint {
                path: path.display().to_string(),
                error,
            }
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
        if self.place.epoch >= self.settings.epochs {
            return Ok(false);
        }
        self.fill_pool()?;
        let Some(pool) = &self.pool else {
            return Ok(false);
        };
        let batches = (pool.samples.len() / self.settings.batch).max(1);
        let ends = [self.place.batch, self.place.batch + 1]
            .map(|batch| batch * pool.samples.len() / batches);
        let batch = &pool.order[ends[0]..ends[1]];
        let epochs = self.place.epoch as f64
            + (self.place.pool as f64 + self.place.batch as f64 / batches as f64) / pool.of as f64;
        self.progress.rate = rate(&self.settings, epochs / self.settings.epochs as f64);
        let aim = self.aim();
        let mirror = Mirror::new(&self.settings, self.optimizer.steps, batch.len());
        let part = batch.len().div_ceil(self.lanes.len()).max(1);
        let parts = batch.par_chunks(part).enumerate();
        self.lanes
            .par_iter_mut()
            .zip(parts)
            .for_each(|(lane, (number, part_of_batch))| {
                lane.tally = Tally::default();
                let first = number * part;
                let chosen = part_of_batch.iter().enumerate();
                let samples: Vec<_> = chosen
                    .map(|(index, &sample)| {
                        (pool.samples[sample as usize], mirror.at(first + index))
                    })
                    .collect();
                lane.learn(&self.model, &aim, &samples);
            });
        let mut tally = Tally::default();
        self.lanes.iter().for_each(|lane| tally.add(&lane.tally));
        self.optimizer.step(
            &mut self.model,
            &mut self.lanes,
            self.progress.rate,
            self.settings.decay,
            batch.len(),
        );
        self.place.batch += 1;
        if self.place.batch == batches {
            self.place = Place {
                pool: self.place.pool + 1,
                batch: 0,
                ..self.place
            };
        }
        if self.place.pool == pool.of {
            self.place = Place {
                epoch: self.place.epoch + 1,
                ..Place::default()
            };
        }
        self.progress = Progress {
            steps: self.optimizer.steps,
            epochs,
            positions: self.progress.positions + tally.count,
            rate: self.progress.rate,
            loss: tally.loss / tally.count as f64,
        };
        self.recent = (self.recent.0 + tally.loss, self.recent.1 + tally.count);
        Ok(true)
    }

    /// Loads and shuffles the samples that are next, unless they are there.
    fn fill_pool(&mut self) -> Result<(), TrainError> {
        let turn = (self.place.epoch, self.place.pool);
        if self.pool.as_ref().is_some_and(|pool| pool.turn == turn) {
            return Ok(());
        }
        let mut pools = self.data.pools(self.place.epoch);
        let of = pools.len();
        if self.place.pool >= of {
            return Err(TrainError::NoSamples("training"));
        }
        let blocks = pools.swap_remove(self.place.pool);
        let samples = match self.pool.take() {
            Some(pool) if pool.blocks == blocks => pool.samples,
            _ => self.data.load(&blocks)?,
        };
        if samples.is_empty() {
            return Err(TrainError::NoSamples("training"));
        }
        let mut order: Vec<u32> = (0..samples.len() as u32).collect();
        let number = (turn.0 * of + turn.1) as u64;
        Random::new(self.settings.seed, "order", number).shuffle(&mut order);
        self.pool = Some(Pool {
            blocks,
            samples,
            order,
            turn,
            of,
        });
        Ok(())
    }

    /// Measures with samples that are never trained on, and adds a point to the curve.
    pub fn measure(&mut self) -> Point {
        let (tally, _) = self.judge();
        let (loss, count) = std::mem::take(&mut self.recent);
        let point = Point {
            steps: self.progress.steps,
            epochs: self.progress.epochs,
            rate: self.progress.rate,
            training: if count > 0 {
                loss / count as f64
            } else {
                self.progress.loss
            },
            validation: tally.loss / tally.count as f64,
            signs: tally.signs[1] as f64 / tally.signs[0].max(1) as f64,
        };
        self.curve.push(point);
        point
    }

    fn judge(&mut self) -> (Tally, [Activity; 3]) {
        let part = self.validation.len().div_ceil(self.lanes.len());
        let parts = self.validation.par_chunks(part);
        let (model, aim) = (&self.model, self.aim());
        let parts = self
            .lanes
            .par_iter_mut()
            .zip(parts)
            .map(|(lane, part)| lane.judge(model, &aim, part));
        let mut parts = parts.collect::<Vec<_>>().into_iter();
        let (mut tally, mut activity) = parts.next().unwrap_or_default();
        for (other, others) in parts {
            tally.add(&other);
            activity
                .iter_mut()
                .zip(&others)
                .for_each(|(mine, theirs)| mine.add(theirs));
        }
        (tally, activity)
    }

    /// The net as it is now, compared with the model.
    ///
    /// # Errors
    ///
    /// If the engine does not read the net.
    pub fn export(&mut self) -> Result<Export, TrainError> {
        let (net, saturation) = export(&self.model, &self.settings);
        let (_, activity) = self.judge();
        let [_, (middle, second), _] = self.model.arch.layers();
        let outputs = [self.model.arch.width, middle, second];
        let mut layer = 0;
        let stuck = activity.map(|activity| {
            layer += 1;
            activity.stuck(outputs[layer - 1])
        });
        let lane = &mut self.lanes[0];
        let error = compare(&self.model, lane, &net, &self.settings, &self.validation)?;
        Ok(Export {
            net,
            saturation,
            error,
            stuck,
        })
    }

    fn aim(&self) -> Aim {
        Aim {
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

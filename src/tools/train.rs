//! `hien train`: trains a net on files of records.

use std::error::Error;
use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::atomic::Ordering::Relaxed;
use std::time::{Duration, Instant};

use indicatif::ProgressBar;

use crate::data::replace_file;
use crate::eval::nnue::read_bytes;
use crate::train::curve::{Point, csv, svg};
use crate::train::{Filter, Settings, Trainer};

use super::common::path_error::PathError;
use super::common::target::prepare_folder;
use super::common::{interrupt, progress};

/// The arguments of `hien train`.
#[derive(clap::Args, Debug)]
pub struct Arguments {
    /// Files of records, sbinpack or PSV
    #[arg(value_name = "FILE", required = true)]
    files: Vec<PathBuf>,
    /// Folder for the net (nn.bin), the checkpoint, and the losses (curve.csv, curve.svg)
    #[arg(long, value_name = "FOLDER")]
    output: PathBuf,
    /// Go on with the run whose checkpoint is in the folder; its settings count, not those given here
    #[arg(long)]
    resume: bool,
    /// Begin with this net instead of random weights
    #[arg(long, value_name = "NET", conflicts_with = "resume")]
    start: Option<PathBuf>,
    /// Inputs of the net: kp, halfkp, halfkahm2 ..
    #[arg(long, default_value_t = Settings::default().features)]
    features: String,
    /// Outputs of the first layer per side, and of the two hidden layers
    #[arg(long, value_name = "N,N,N", value_delimiter = ',', default_values_t = Settings::default().layers)]
    layers: Vec<usize>,
    /// Train a net of the SFNN kind, whose layer stacks are chosen by this rule: hand16, k3k3 .. (none = a single one)
    #[arg(long, value_name = "RULE")]
    stacks: Option<String>,
    /// Do not let king squares share what their features have in common
    #[arg(long)]
    no_factors: bool,
    /// Epochs: passes through the data
    #[arg(long, default_value_t = Settings::default().epochs)]
    epochs: usize,
    /// Batch size: positions per step
    #[arg(long, default_value_t = Settings::default().batch)]
    batch: usize,
    /// Learning rate at the start; it follows a cosine schedule
    #[arg(long, alias = "rate", default_value_t = Settings::default().learning_rate)]
    learning_rate: f32,
    /// Learning rate at the end, as a share of that at the start
    #[arg(long, alias = "final-rate", default_value_t = Settings::default().final_lr)]
    final_lr: f32,
    /// Weight decay, decoupled from the gradient: the share of each weight lost per step and unit of learning rate
    #[arg(long, alias = "decay", default_value_t = Settings::default().weight_decay)]
    weight_decay: f32,
    /// Lambda: share of the score in the target; the rest is the game's result (WDL)
    #[arg(long, default_value_t = Settings::default().lambda)]
    lambda: f32,
    /// Share of the next record's target in that of the one before (a lambda-return): what a search overlooked shows a
    /// few moves later
    #[arg(long, alias = "foresight", default_value_t = Settings::default().next_target)]
    next_target: f32,
    /// Sigmoid scale: the winning probability of a score is sigmoid(score / this)
    #[arg(long, default_value_t = Settings::default().score_scale)]
    score_scale: f32,
    /// Do not mirror positions at random
    #[arg(long)]
    no_mirror: bool,
    /// Also use positions in check
    #[arg(long)]
    in_check: bool,
    /// Also use positions whose move captures or promotes
    #[arg(long)]
    tactical: bool,
    /// Largest score that is used, either way
    #[arg(long, alias = "score-most", default_value_t = Filter::default().max_abs_score)]
    max_abs_score: i16,
    /// First move number that is used
    #[arg(long, alias = "ply-least", default_value_t = Filter::default().min_ply)]
    min_ply: u16,
    /// Quantize the net's numbers only at the end, not while it learns (no quantization-aware training)
    #[arg(long, alias = "no-rounding")]
    no_quantization: bool,
    /// Share of the data held out for validation
    #[arg(long, default_value_t = Settings::default().validation)]
    validation: f64,
    /// Positions shuffled in memory at a time, about 90 bytes each; larger data is read in several parts
    #[arg(long, alias = "pool", default_value_t = Settings::default().shuffle_buffer)]
    shuffle_buffer: usize,
    /// Parts of a batch computed at the same time; as many as threads without it
    #[arg(long, alias = "lanes")]
    shards: Option<usize>,
    /// Seed of all that is random
    #[arg(long, default_value_t = Settings::default().seed)]
    seed: u64,
    /// FV_SCALE of the net
    #[arg(long, default_value_t = Settings::default().fv_scale)]
    fv_scale: u32,
    /// Steps between two measurements
    #[arg(long, default_value_t = 250, value_parser = clap::value_parser!(u64).range(1..))]
    measure: u64,
}

/// The checkpoint in the folder of a run.
const CHECKPOINT: &str = "checkpoint.bin";
/// The net in the folder of a run.
const NET: &str = "nn.bin";
/// Time between two checkpoints.
const SAVE: Duration = Duration::from_secs(300);

impl Arguments {
    /// Trains and writes a table of measurements.
    ///
    /// # Errors
    ///
    /// If the arguments make no sense, or reading or writing fails; the message is for the user.
    pub fn run(&self, out: &mut dyn Write) -> Result<(), Box<dyn Error>> {
        let checkpoint = self.output.join(CHECKPOINT);
        self.protect_earlier_run()?;
        let read = |path| read_bytes(path).map_err(PathError::at(path));
        let start = self.start.as_deref().map(read).transpose()?;
        let stop = interrupt::flag()?;
        let mut trainer = if self.resume {
            Trainer::resume(&checkpoint, &self.files)?
        } else {
            Trainer::new(self.settings()?, &self.files)?
        };
        if let Some(net) = start {
            trainer.start_from(&net)?;
        }
        self.prepare_files(&trainer)?;
        writeln!(
            out,
            "epochs   steps     rate  training  validation  signs   positions/s"
        )?;
        let bar = progress_bar(trainer.settings().epochs);
        let mut watch = Watch::new(&trainer);
        let mut saved = Instant::now();
        while !stop.load(Relaxed) && trainer.step()? {
            let progress = trainer.progress();
            bar.set_position((progress.epochs * BAR_UNITS) as u64);
            bar.set_message(format!("loss {:.4}", progress.loss));
            if progress.steps.is_multiple_of(self.measure) {
                let speed = watch.speed(&trainer);
                let point = trainer.measure();
                bar.suspend(|| write_point(out, &point, speed))?;
                complain(self.write_curve(trainer.curve()));
                watch = Watch::new(&trainer);
            }
            if saved.elapsed() >= SAVE {
                complain(trainer.save(&checkpoint));
                saved = Instant::now();
            }
        }
        bar.finish_and_clear();
        if stop.load(Relaxed) {
            trainer.save(&checkpoint)?;
            writeln!(out, "interrupted; --resume continues the run")?;
            return Ok(());
        }
        let speed = watch.speed(&trainer);
        let point = trainer.measure();
        write_point(out, &point, speed)?;
        self.write_curve(trainer.curve())?;
        trainer.save(&checkpoint)?;
        write_net(&mut trainer, &self.output.join(NET), out)
    }

    /// Refuses a folder where something of another run would be lost.
    fn protect_earlier_run(&self) -> Result<(), ArgumentError> {
        for name in [CHECKPOINT, NET] {
            let path = self.output.join(name);
            if !self.resume && path.exists() {
                return Err(ArgumentError::EarlierRun(path));
            }
        }
        Ok(())
    }

    /// Makes the folder, and sees that files can be written there. To be called once nothing else can be refused.
    fn prepare_files(&self, trainer: &Trainer) -> Result<(), Box<dyn Error>> {
        prepare_folder(&self.output)?;
        let written = self.write_curve(trainer.curve());
        written.map_err(PathError::at(&self.output))?;
        Ok(())
    }

    fn write_curve(&self, curve: &[Point]) -> std::io::Result<()> {
        fs::write(self.output.join("curve.csv"), csv(curve))?;
        fs::write(self.output.join("curve.svg"), svg(curve))
    }

    fn settings(&self) -> Result<Settings, ArgumentError> {
        let layers = self.layers.as_slice().try_into();
        Ok(Settings {
            features: self.features.clone(),
            layers: layers.map_err(|_| ArgumentError::Layers)?,
            stacks: self.stacks.clone(),
            factorised: !self.no_factors,
            epochs: self.epochs,
            batch: self.batch,
            learning_rate: self.learning_rate,
            final_lr: self.final_lr,
            weight_decay: self.weight_decay,
            lambda: self.lambda,
            next_target: self.next_target,
            score_scale: self.score_scale,
            mirror: !self.no_mirror,
            filter: Filter {
                in_check: self.in_check,
                tactical: self.tactical,
                max_abs_score: self.max_abs_score,
                min_ply: self.min_ply,
            },
            quantized: !self.no_quantization,
            validation: self.validation,
            shuffle_buffer: self.shuffle_buffer,
            shards: self.shards.unwrap_or_else(rayon::current_num_threads),
            seed: self.seed,
            fv_scale: self.fv_scale,
            ..Settings::default()
        })
    }
}

/// Why a run cannot begin as its arguments ask.
#[derive(Debug, thiserror::Error)]
enum ArgumentError {
    #[error("--layers takes three numbers, as 256,32,32")]
    Layers,
    #[error(
        "{} belongs to an earlier run: --resume continues it, or choose another folder",
        .0.display()
    )]
    EarlierRun(PathBuf),
}

/// Reports that a file could not be written during a run, which goes on: later there may be room on the disk.
fn complain<E: std::fmt::Display>(result: Result<(), E>) {
    if let Err(error) = result {
        log::warn!("{error}");
    }
}

/// Parts of an epoch that the progress bar shows.
const BAR_UNITS: f64 = 1000.0;

fn progress_bar(epochs: usize) -> ProgressBar {
    let length = (epochs as f64 * BAR_UNITS) as u64;
    progress::bar(Some(length), "{wide_bar} {percent}% {msg} {eta} left")
}

/// Measures how many positions are trained on per second.
struct Watch {
    start: Instant,
    positions: u64,
}

impl Watch {
    fn new(trainer: &Trainer) -> Self {
        Self {
            start: Instant::now(),
            positions: trainer.progress().positions,
        }
    }

    fn speed(&self, trainer: &Trainer) -> f64 {
        let positions = trainer.progress().positions - self.positions;
        positions as f64 / self.start.elapsed().as_secs_f64()
    }
}

fn write_point(out: &mut dyn Write, point: &Point, speed: f64) -> std::io::Result<()> {
    let Point {
        steps,
        epochs,
        learning_rate,
        training,
        validation,
        signs,
    } = point;
    writeln!(
        out,
        "{epochs:>6.2} {steps:>7} {learning_rate:>8.2e}   {training:.5}     {validation:.5} {:>5.2}% {speed:>10.0}",
        100.0 * signs
    )?;
    out.flush()
}

/// Writes the net and what there is to know about it.
fn write_net(
    trainer: &mut Trainer,
    path: &Path,
    out: &mut dyn Write,
) -> Result<(), Box<dyn Error>> {
    let export = trainer.export()?;
    replace_file(path, &export.net).map_err(PathError::at(path))?;
    let [transformer, first, second] = export.stuck;
    let (error, saturation) = (&export.error, &export.saturation);
    writeln!(
        out,
        "net           {}, {} bytes",
        path.display(),
        export.net.len()
    )?;
    writeln!(
        out,
        "rounding      mean error {:.2}, largest {:.1} centipawns in {} positions",
        error.mean, error.most, error.count
    )?;
    writeln!(
        out,
        "saturated     {} numbers of the transformer, {:?} weights of the layers",
        saturation.transformer, saturation.layers
    )?;
    for (name, [dead, full]) in [
        ("transformer", transformer),
        ("1st hidden", first),
        ("2nd hidden", second),
    ] {
        writeln!(out, "{name:<13} {dead} outputs always 0, {full} always 1")?;
    }
    Ok(())
}

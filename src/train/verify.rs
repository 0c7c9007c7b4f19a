//! Compares the evaluations of a net's file with those of the model that it was made from.

use crate::eval::nnue::{Hints, Net, NetError};
use crate::eval::simd::Kernels;
use crate::shogi::Position;

use super::model::Model;
use super::sample::Sample;
use super::settings::Settings;
use super::shard::Shard;

/// Samples that are compared.
const SAMPLES: usize = 4096;

/// How far a file is from its model, in centipawns.
#[derive(Clone, Copy, Debug, Default)]
pub struct RoundingError {
    /// Positions compared.
    pub count: usize,
    /// Mean of the absolute differences.
    pub mean: f64,
    /// Largest of them.
    pub most: f64,
}

/// Why a file is not the model's.
#[derive(Debug, thiserror::Error)]
pub enum VerifyError {
    /// The engine does not read it.
    #[error("the engine refuses the net: {0}")]
    Net(#[from] NetError),
    /// A sample that is no position to the engine.
    #[error("the engine has no value for {0}")]
    Position(String),
}

/// Compares the model with the file made of it.
pub(super) fn compare(
    model: &Model,
    shard: &mut Shard,
    net: &[u8],
    settings: &Settings,
    samples: &[Sample],
) -> Result<RoundingError, VerifyError> {
    let net = Net::from_bytes(net, &Hints::default())?;
    let kernels = Kernels::best();
    let mut error = RoundingError::default();
    for sample in samples.iter().take(SAMPLES) {
        let sfen = sample.sfen();
        let position = Position::from_sfen_tolerant(&sfen);
        let raw = position
            .ok()
            .and_then(|(position, _)| net.evaluate(kernels, &position));
        let raw = raw.ok_or(VerifyError::Position(sfen))?;
        let odds = f64::from(raw) / f64::from(model.scale.raw_per_odds());
        let difference =
            (odds - f64::from(shard.output(model, sample))).abs() * f64::from(settings.score_scale);
        error.count += 1;
        error.mean += difference;
        error.most = error.most.max(difference);
    }
    error.mean /= error.count.max(1) as f64;
    Ok(error)
}

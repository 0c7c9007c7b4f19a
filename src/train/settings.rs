//! The settings (hyperparameters) of a training run.

use serde::{Deserialize, Serialize};

use crate::eval::nnue::arch::{Architecture, Family, FirstActivation, Stacks};
use crate::eval::nnue::buckets::{ParseStackRuleError, StackRule};
use crate::eval::nnue::features::FeatureSet;

use super::kernels::BLOCK;

/// The architecture, the choice of data and the hyperparameters. Stored in checkpoints: with the same files they
/// determine the net.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Settings {
    /// The inputs, by the name of a feature set (`kp`, `halfkp` ..).
    pub features: String,
    /// Outputs of the first layer per perspective, a multiple of 64, then of the two hidden layers.
    pub layers: [usize; 3],
    /// How a position chooses its layer stack, as the text of a [`StackRule`] (`hand16`, `k3k3`, or `none` for a single
    /// one). With it the net is of the SFNN kind: halves of the accumulators are multiplied, sums of the first hidden
    /// layer also squared. Without it the net is classic.
    pub stacks: Option<String>,
    /// Whether features of different king squares share a factor in training (factorizer).
    pub factorised: bool,
    /// Epochs: passes through the data.
    pub epochs: usize,
    /// Batch size: positions per step of the optimizer.
    pub batch: usize,
    /// Learning rate at the start.
    pub learning_rate: f32,
    /// Learning rate at the end, as a share of that at the start; between them it follows a cosine schedule.
    pub final_lr: f32,
    /// Decoupled weight decay (AdamW): each step multiplies weights by `1 - learning_rate * weight_decay`.
    pub weight_decay: f32,
    /// Lambda: share of the score in the target; the rest is the game's result (WDL).
    pub lambda: f32,
    /// Share of the next position's target in a position's own, where records follow each other. Each target thus
    /// contains the scores of all positions that follow, with decreasing weight (a lambda-return).
    pub next_target: f32,
    /// Sigmoid scale: the winning probability of a score is `sigmoid(score / score_scale)`. In the unit of the files'
    /// scores, centipawns.
    pub score_scale: f32,
    /// Whether positions are mirrored, left to right, at random.
    pub mirror: bool,
    /// Which records are used.
    pub filter: Filter,
    /// Quantization-aware training: whether the net learns with its weights and activations quantized as in its file.
    pub quantized: bool,
    /// Share of the blocks that is held out for validation.
    pub validation: f64,
    /// Largest number of validation positions.
    pub max_validation: usize,
    /// Positions shuffled in memory at a time; larger data is streamed in several fillings per epoch, each of blocks
    /// drawn at random.
    pub shuffle_buffer: usize,
    /// Number of parts of a batch that are computed in parallel. Sums depend on it in their last bits, so it is a
    /// setting and not the number of threads.
    pub shards: usize,
    /// Seed of all that is random.
    pub seed: u64,
    /// FV_SCALE of the net that is written.
    pub fv_scale: u32,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            features: "kp".to_owned(),
            layers: [256, 32, 32],
            stacks: None,
            factorised: true,
            epochs: 8,
            batch: 16_384,
            learning_rate: 8e-4,
            final_lr: 0.01,
            weight_decay: 0.0,
            lambda: 1.0,
            next_target: 0.0,
            score_scale: 600.0,
            mirror: true,
            filter: Filter::default(),
            quantized: true,
            validation: 0.01,
            max_validation: 200_000,
            shuffle_buffer: 32_000_000,
            shards: 2,
            seed: 1,
            fv_scale: 16,
        }
    }
}

/// Which records are used.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Filter {
    /// Whether positions in check are used. The search evaluates none.
    pub in_check: bool,
    /// Whether positions are used whose recorded move captures or promotes: their score is about to change.
    pub tactical: bool,
    /// Largest score, either way.
    pub max_abs_score: i16,
    /// First move number.
    pub min_ply: u16,
}

impl Default for Filter {
    fn default() -> Self {
        Self {
            in_check: false,
            tactical: false,
            max_abs_score: 3_000,
            min_ply: 1,
        }
    }
}

/// Why settings cannot be used.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SettingsError {
    /// No feature set has this name.
    #[error("no feature set is called '{0}'")]
    Features(String),
    /// The trainer knows no attack counts.
    #[error("features that depend on attack counts cannot be trained")]
    Effects,
    /// The width of the first layer.
    #[error("the first layer needs a multiple of 64 outputs, 4096 at most")]
    Width,
    /// The same with layer stacks, whose halves are multiplied.
    #[error("with layer stacks the first layer needs a multiple of 128 outputs")]
    StackWidth,
    /// The sizes of the hidden layers.
    #[error("hidden layers have 1 to 256 outputs")]
    Hidden,
    /// The same with layer stacks.
    #[error(
        "with layer stacks the hidden layers have 7 (or 8, 15, 16, 23, 24 ..) and 8 outputs at least"
    )]
    StackHidden,
    /// The rule of the layer stacks cannot be read.
    #[error(transparent)]
    Stacks(#[from] ParseStackRuleError),
    /// The rule of the layer stacks asks for more than the trainer has.
    #[error("a choice of stacks by progress needs weights that are not trained")]
    Progress,
    /// One of the counts is 0.
    #[error("epochs, batch, shuffle buffer and shards are at least 1")]
    Count,
    /// The learning rate, at the start or at the end.
    #[error("the learning rate lies between 0 and 1, and so does its final share")]
    LearningRate,
    /// The decay of weights.
    #[error("the decay lies between 0 and 1")]
    WeightDecay,
    /// The share of the next position's target.
    #[error("the share of next_target is 0 or more and less than 1")]
    NextTarget,
    /// Lambda or the sigmoid scale.
    #[error("lambda lies between 0 and 1, and the scale of scores is positive")]
    Target,
    /// The share or number of validation positions.
    #[error("the share of validation lies between 0 and 1")]
    Validation,
    /// The scale of the net.
    #[error("FV_SCALE lies between 1 and 128")]
    FvScale,
}

impl Settings {
    /// The net that is trained.
    ///
    /// # Errors
    ///
    /// What is wrong with the settings.
    pub(super) fn architecture(&self) -> Result<Architecture, SettingsError> {
        let features = FeatureSet::from_name(&self.features)
            .ok_or_else(|| SettingsError::Features(self.features.clone()))?;
        if features.uses_effects() {
            return Err(SettingsError::Effects);
        }
        self.check_numbers()?;
        let [width, first, second] = self.layers;
        Ok(Architecture {
            features,
            width,
            hidden: [first, second],
            family: self.family()?,
        })
    }

    fn check_numbers(&self) -> Result<(), SettingsError> {
        let is_share = |share: f32| (0.0..=1.0).contains(&share);
        let [width, hidden @ ..] = self.layers;
        let counts = [self.epochs, self.batch, self.shards, self.shuffle_buffer];
        let rules = [
            (
                (1..=4096).contains(&width) && width.is_multiple_of(BLOCK),
                SettingsError::Width,
            ),
            (
                hidden.iter().all(|size| (1..=256).contains(size)),
                SettingsError::Hidden,
            ),
            (!counts.contains(&0), SettingsError::Count),
            (
                self.learning_rate > 0.0 && self.learning_rate < 1.0 && is_share(self.final_lr),
                SettingsError::LearningRate,
            ),
            (is_share(self.weight_decay), SettingsError::WeightDecay),
            (
                (0.0..1.0).contains(&self.next_target),
                SettingsError::NextTarget,
            ),
            (
                is_share(self.lambda) && self.score_scale > 0.0,
                SettingsError::Target,
            ),
            (
                self.validation > 0.0 && self.validation < 1.0 && self.max_validation > 0,
                SettingsError::Validation,
            ),
            ((1..=128).contains(&self.fv_scale), SettingsError::FvScale),
        ];
        match rules.into_iter().find(|(holds, _)| !holds) {
            Some((_, error)) => Err(error),
            None => Ok(()),
        }
    }

    fn family(&self) -> Result<Family, SettingsError> {
        let Some(rule) = &self.stacks else {
            return Ok(Family::Classic(FirstActivation::Clip));
        };
        let rule: StackRule = rule.parse()?;
        let [width, first, second] = self.layers;
        if rule.progress.is_some() {
            return Err(SettingsError::Progress);
        }
        if !width.is_multiple_of(2 * BLOCK) {
            return Err(SettingsError::StackWidth);
        }
        if !matches!(first % 8, 0 | 7) || first < 7 || second < 8 {
            return Err(SettingsError::StackHidden);
        }
        Ok(Family::Stacks(Stacks {
            rule,
            shards: None,
            progress: false,
        }))
    }
}

//! Training NNUE nets on CPUs: from files of training records to a net that the engine reads. Quantization-aware by
//! default: the forward pass uses weights and activations rounded as in the net's file. The loss is the cross-entropy
//! between the predicted winning probability and a mixture (lambda) of score and game result; the optimizer is AdamW
//! with a cosine schedule.
//!
//! The data's path: `dataset` draws blocks of records at random and keeps what `settings` lets pass as `sample`s;
//! `buffer` shuffles them; `inputs` lists a sample's active features; each `shard` runs its part of a batch forward and
//! backward through the `model` and its `layers`, in the loops of `kernels`; `optimizer` updates the weights. `trainer`
//! does it all in order, with `progress`, `checkpoint` and `curve` beside it; `export` quantizes the model into a net's
//! file and `verify` compares the two.
//!
//! Training is deterministic: the same files and settings give the same net, bit for bit, whether or not a run was
//! interrupted and whatever the number of threads. (Systems may differ in how they round exponentials.)

mod buffer;
mod checkpoint;
pub mod curve;
mod dataset;
mod export;
mod inputs;
mod kernels;
mod layers;
mod model;
mod optimizer;
mod progress;
mod random;
mod sample;
mod scale;
mod settings;
mod shard;
mod trainer;
mod verify;

pub use export::Saturation;
pub use progress::Progress;
pub use settings::{Filter, Settings, SettingsError};
pub use trainer::{Export, TrainError, Trainer};
pub use verify::{RoundingError, VerifyError};

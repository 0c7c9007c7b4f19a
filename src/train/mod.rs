//! Training nets on CPUs: from files of records to a file that the engine reads.
//!
//! The data's path: `dataset` draws blocks of records at random and keeps what `settings` lets pass as `sample`s;
//! `buffer` shuffles them; `inputs` lists a sample's active features; each `shard` runs its part of a batch forward and
//! backward through the `model` and its `layers`, in the loops of `kernels`; `optimizer` updates the weights. `trainer`
//! does it all in order, with `progress`, `checkpoint` and `curve` beside it; `export` quantizes the model into a net's
//! file and `verify` compares the two.
//!
//! Everything is a function of files and settings: they give the same net, bit for bit, whether or not a run was
//! interrupted and whatever the number of threads. (Another system may round exponentials otherwise.)

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

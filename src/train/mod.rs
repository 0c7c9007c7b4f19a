//! Training nets on CPUs: from files of records to a file that the engine reads.
//!
//! The way of the data: `data` draws blocks of records into pools, keeps what `settings` lets pass as `sample`s and
//! shuffles them; `inputs` turns a sample into the numbers of its active features; `pass` runs a chunk of them forward
//! and backward through the `model`, each through its `layers`, in the loops of `kernels`; `optimizer` moves the
//! weights; `trainer` does it all in order, with `checkpoint` and `curve` beside it; `export` rounds the model into a
//! net's file and `verify` compares them.
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
pub use settings::{Filter, Settings};
pub use trainer::{Export, TrainError, Trainer};
pub use verify::{RoundingError, VerifyError};

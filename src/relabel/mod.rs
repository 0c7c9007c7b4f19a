//! Relabelling: new scores for the positions of training files, by one or several evaluations (teachers) or by searches
//! with them.
//!
//! Labels by the static evaluation of other nets (distillation) take some microseconds a position, a thousandth of what
//! a search takes; and *variants* of each position, a few random moves further, teach a net what games never show.
//!
//! | file | about |
//! | --- | --- |
//! | `teacher` | the label of a position |
//! | `variants` | positions near a recorded one |
//! | `options` | how files are relabelled |
//! | `run` | many blocks on many threads |
//! | `output` | the file and what is needed to go on with it |
//!
//! Every block of the input is a function of the options and its number, and blocks are written in the order of their
//! numbers: the same file comes out whatever the number of threads, and whether or not the work was interrupted.

mod options;
mod output;
mod run;
mod teacher;
mod variants;

pub use options::Options;
pub use output::{Output, Tally};
pub use run::relabel;
pub use teacher::{Scoring, Teacher};

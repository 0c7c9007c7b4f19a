//! How files are relabelled.

use serde::{Deserialize, Serialize};

use super::teacher::Scoring;
use crate::data::Format;

/// What the new records depend on, besides the evaluations.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Options {
    /// Where scores come from.
    pub scoring: Scoring,
    /// Positions near each recorded one that are labelled, too.
    pub variants: usize,
    /// Size of the hash table of each search in MiB.
    pub hash_mib: usize,
    /// The form of the new file.
    pub format: Format,
    /// Seed of the random moves.
    pub seed: u64,
}

//! What several commands share.

pub mod effort;
pub mod progress;
pub mod think;

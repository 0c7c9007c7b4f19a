//! What several commands share.

pub mod effort;
pub mod format_name;
pub mod interrupt;
pub mod path_error;
pub mod position_line;
pub mod progress;
pub mod target;
pub mod think;

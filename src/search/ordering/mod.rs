//! Move ordering: the move picker, and the tables of experience behind it.

pub mod correction_history;
pub mod history;
pub mod movepick;
pub mod scored_moves;
pub mod update;

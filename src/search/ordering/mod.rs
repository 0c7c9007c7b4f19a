//! Move ordering: the move picker, the history tables behind it, the correction history, and the updates of both.

pub mod correction_history;
pub mod history;
pub mod movepick;
pub mod scored_moves;
pub mod update;

//! Time management: how long a move may take, and when to stop.

pub mod budget;
pub mod lateness;
pub mod manager;

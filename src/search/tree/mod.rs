//! The tree: alpha-beta and quiescence search, with pruning, extensions and reductions.

pub mod alphabeta;
pub mod game_end;
pub mod lmr;
pub mod node_type;
pub mod pruning;
pub mod qsearch;
pub mod singular;
pub mod state;

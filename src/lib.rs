//! Hien (飛燕), a shogi engine.
//!
//! The rooms of the house, each using only those above it:
//!
//! - [`shogi`]: the rules. Board, moves, legality, repetition, declarations, SFEN.

pub mod shogi;

//! The rules of shogi.
pub mod bitboard;
pub mod color;
pub mod hand;
pub mod moves;
pub mod piece;
pub mod square;

//! Hien
pub mod shogi;

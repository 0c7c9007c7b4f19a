//! The two players.

use std::ops::Not;

/// A player. Black (先手, sente) moves first from the usual start position.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[repr(u8)]
pub enum Color {
    /// 先手 (sente), at the bottom of the diagram, moving towards rank a.
    Black = 0,
    /// 後手 (gote), at the top of the diagram, moving towards rank i.
    White = 1,
}

impl Color {
    /// Both players, Black first.
    pub const ALL: [Self; 2] = [Self::Black, Self::White];

    /// 0 for Black, 1 for White.
    #[inline]
    pub const fn index(self) -> usize {
        self as usize
    }

    /// The opponent, usable in constants.
    #[inline]
    pub const fn flip(self) -> Self {
        match self {
            Self::Black => Self::White,
            Self::White => Self::Black,
        }
    }
}

impl Not for Color {
    type Output = Self;

    #[inline]
    fn not(self) -> Self {
        self.flip()
    }
}

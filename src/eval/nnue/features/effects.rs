//! Attack counts (利き, kiki; YaneuraOu's "effect"), on which some feature sets depend.

use crate::shogi::{Bitboard, Color, Position, Square, attacks};

/// Attack counts of one square, capped at 2: how many pieces of Black and of White attack it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Effect {
    counts: [u8; 2],
}

impl Effect {
    pub(super) const NONE: Self = Self { counts: [0; 2] };

    /// Three times the own attacks plus the enemy's.
    pub(super) const fn plane(self, perspective: Color) -> u32 {
        let own = self.counts[perspective.index()] as u32;
        let enemy = self.counts[1 - perspective.index()] as u32;
        3 * own + enemy
    }
}

/// Which squares each player attacks once, and twice or more.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct EffectMap {
    once: [Bitboard; 2],
    twice: [Bitboard; 2],
}

impl EffectMap {
    /// No attacks. Also stands for attack counts of sets that do not use them.
    pub const NONE: Self = Self {
        once: [Bitboard::EMPTY; 2],
        twice: [Bitboard::EMPTY; 2],
    };

    /// The attack counts of a position.
    pub fn of(position: &Position) -> Self {
        let mut map = Self::NONE;
        let occupied = position.occupied();
        for square in occupied.squares() {
            let Some(piece) = position.piece_on(square) else {
                continue;
            };
            let attacked = attacks::attacks(piece.kind(), piece.color(), square, occupied);
            let side = piece.color().index();
            map.twice[side] |= map.once[side] & attacked;
            map.once[side] |= attacked;
        }
        map
    }

    pub(super) fn at(&self, square: Square) -> Effect {
        let count = |side: usize| {
            u8::from(self.once[side].contains(square)) + u8::from(self.twice[side].contains(square))
        };
        Effect {
            counts: [count(0), count(1)],
        }
    }

    pub(super) fn changed_since(&self, other: &Self) -> Bitboard {
        let mut changed = Bitboard::EMPTY;
        for side in 0..2 {
            changed |= self.once[side] ^ other.once[side];
            changed |= self.twice[side] ^ other.twice[side];
        }
        changed
    }
}

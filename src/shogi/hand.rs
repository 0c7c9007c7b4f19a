//! Pieces in hand (持ち駒, mochigoma).

use super::piece::PieceType;

/// A kind that can be held in hand and dropped; the numbers are those of [`PieceType`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[repr(u8)]
pub enum HandPiece {
    /// 歩 (fu).
    Pawn = 1,
    /// 香 (kyo).
    Lance = 2,
    /// 桂 (kei).
    Knight = 3,
    /// 銀 (gin).
    Silver = 4,
    /// 角 (kaku).
    Bishop = 5,
    /// 飛 (hisha).
    Rook = 6,
    /// 金 (kin).
    Gold = 7,
}

impl HandPiece {
    /// The number of kinds.
    pub const COUNT: usize = 7;

    /// All kinds in the order of their numbers.
    pub const ALL: [Self; Self::COUNT] = [
        Self::Pawn,
        Self::Lance,
        Self::Knight,
        Self::Silver,
        Self::Bishop,
        Self::Rook,
        Self::Gold,
    ];

    /// All kinds, the most valuable first: the order in which SFEN and diagrams list a hand.
    pub const BY_VALUE: [Self; Self::COUNT] = [
        Self::Rook,
        Self::Bishop,
        Self::Gold,
        Self::Silver,
        Self::Knight,
        Self::Lance,
        Self::Pawn,
    ];

    /// Zero-based position in [`HandPiece::ALL`].
    #[inline]
    pub const fn index(self) -> usize {
        self as usize - 1
    }

    /// The kind on the board after the drop.
    #[inline]
    pub const fn kind(self) -> PieceType {
        PieceType::ALL[self.index()]
    }

    /// What a captured piece of `kind` becomes in its captor's hand; `None` for a king.
    #[inline]
    pub const fn from_captured(kind: PieceType) -> Option<Self> {
        match kind.unpromoted() {
            PieceType::Pawn => Some(Self::Pawn),
            PieceType::Lance => Some(Self::Lance),
            PieceType::Knight => Some(Self::Knight),
            PieceType::Silver => Some(Self::Silver),
            PieceType::Bishop => Some(Self::Bishop),
            PieceType::Rook => Some(Self::Rook),
            PieceType::Gold => Some(Self::Gold),
            _ => None,
        }
    }

    /// How many of this kind a full set has, both players together.
    #[inline]
    pub const fn set_size(self) -> u32 {
        match self {
            Self::Pawn => 18,
            Self::Bishop | Self::Rook => 2,
            _ => 4,
        }
    }
}

/// One player's pieces in hand, counts packed in 32 bits with a spare bit above each count.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Hand(u32);

impl Hand {
    /// Lowest bit of each kind's field: pawn 5 bits + spare, the others 3 bits + spare.
    const SHIFT: [u32; HandPiece::COUNT] = [0, 6, 10, 14, 18, 22, 26];
    const MASK: [u32; HandPiece::COUNT] = [31, 7, 7, 7, 7, 7, 7];
    /// The spare bits: a subtraction that borrows from one shows a count that was too small.
    const SPARE: u32 = 1 << 5 | 1 << 9 | 1 << 13 | 1 << 17 | 1 << 21 | 1 << 25 | 1 << 29;

    /// A hand without pieces.
    pub const EMPTY: Self = Self(0);

    /// How many pieces of `kind` are held.
    #[inline]
    pub const fn count(self, kind: HandPiece) -> u32 {
        self.0 >> Self::SHIFT[kind.index()] & Self::MASK[kind.index()]
    }

    /// Whether at least one piece of `kind` is held.
    #[inline]
    pub const fn has(self, kind: HandPiece) -> bool {
        self.0 & Self::MASK[kind.index()] << Self::SHIFT[kind.index()] != 0
    }

    /// Whether nothing is held.
    #[inline]
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// One piece of `kind` more. The caller keeps the total within a full set.
    #[inline]
    pub const fn add(&mut self, kind: HandPiece) {
        self.0 += 1 << Self::SHIFT[kind.index()];
    }

    /// One piece of `kind` less. The caller makes sure that one is held.
    #[inline]
    pub const fn remove(&mut self, kind: HandPiece) {
        self.0 -= 1 << Self::SHIFT[kind.index()];
    }

    /// Whether this hand holds at least as many of every kind as `other`.
    #[inline]
    pub const fn contains(self, other: Self) -> bool {
        (self.0 | Self::SPARE).wrapping_sub(other.0) & Self::SPARE == Self::SPARE
    }

    /// The packed counts, for storage.
    #[inline]
    pub const fn bits(self) -> u32 {
        self.0
    }

    /// From what [`Hand::bits`] gave.
    #[inline]
    pub const fn from_bits(bits: u32) -> Self {
        Self(bits & !Self::SPARE)
    }

    /// Sets the count of one kind.
    #[inline]
    pub const fn set(&mut self, kind: HandPiece, count: u32) {
        let shift = Self::SHIFT[kind.index()];
        self.0 = self.0 & !(Self::MASK[kind.index()] << shift) | count << shift;
    }

    /// Both hands together. The caller keeps the total within a full set.
    #[inline]
    pub const fn plus(self, other: Self) -> Self {
        Self(self.0 + other.0)
    }

    /// Of each kind the greater count.
    pub fn union(self, other: Self) -> Self {
        self.merge(other, u32::max)
    }

    /// Of each kind the smaller count.
    pub fn intersection(self, other: Self) -> Self {
        self.merge(other, u32::min)
    }

    fn merge(self, other: Self, choose: impl Fn(u32, u32) -> u32) -> Self {
        let mut result = 0;
        for (shift, mask) in Self::SHIFT.into_iter().zip(Self::MASK) {
            let field = mask << shift;
            result |= choose(self.0 & field, other.0 & field);
        }
        Self(result)
    }

    /// The kinds held, each with its count, in the order of [`HandPiece::ALL`].
    pub fn iter(self) -> impl Iterator<Item = (HandPiece, u32)> {
        HandPiece::ALL
            .into_iter()
            .map(move |kind| (kind, self.count(kind)))
            .filter(|&(_, count)| count > 0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn hand(pieces: &[(HandPiece, u32)]) -> Hand {
        let mut hand = Hand::EMPTY;
        for &(kind, count) in pieces {
            for _ in 0..count {
                hand.add(kind);
            }
        }
        hand
    }

    #[test]
    fn counts_of_a_full_set_do_not_interfere() {
        let mut all = Hand::EMPTY;
        for kind in HandPiece::ALL {
            for _ in 0..kind.set_size() {
                all.add(kind);
            }
        }
        for kind in HandPiece::ALL {
            assert_eq!(all.count(kind), kind.set_size());
        }
        for kind in HandPiece::ALL {
            for _ in 0..kind.set_size() {
                assert!(all.has(kind));
                all.remove(kind);
            }
            assert!(!all.has(kind));
        }
        assert!(all.is_empty());
    }

    #[test]
    fn hands_merge_kind_by_kind() {
        use HandPiece::{Gold, Knight, Pawn, Rook};
        let a = hand(&[(Pawn, 17), (Rook, 1), (Gold, 4)]);
        let b = hand(&[(Pawn, 1), (Rook, 1), (Knight, 3)]);
        assert_eq!(
            a.union(b),
            hand(&[(Pawn, 17), (Rook, 1), (Gold, 4), (Knight, 3)])
        );
        assert_eq!(a.intersection(b), hand(&[(Pawn, 1), (Rook, 1)]));
        assert_eq!(
            a.plus(b),
            hand(&[(Pawn, 18), (Rook, 2), (Gold, 4), (Knight, 3)])
        );
        assert_eq!(Hand::from_bits(a.bits()), a);
        let mut c = a;
        c.set(Pawn, 2);
        assert_eq!(c, hand(&[(Pawn, 2), (Rook, 1), (Gold, 4)]));
    }

    #[test]
    fn containment_compares_each_kind() {
        use HandPiece::{Gold, Knight, Pawn, Rook};
        let small = hand(&[(Pawn, 2), (Rook, 1)]);
        let large = hand(&[(Pawn, 3), (Rook, 1), (Gold, 4)]);
        let other = hand(&[(Pawn, 18), (Knight, 4)]);
        assert!(large.contains(small) && !small.contains(large));
        assert!(!other.contains(small) && !small.contains(other));
        assert!(small.contains(small) && small.contains(Hand::EMPTY));
    }
}

//! Sets of squares as bits of one `u128`. Knows nothing of pieces.

use std::fmt;
use std::ops::{BitAnd, BitAndAssign, BitOr, BitOrAssign, BitXor, BitXorAssign, Not};

use super::color::Color;
use super::square::{File, Rank, Square};

/// A set of squares; bit i is the square with index i, bits 81 and above are 0.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct Bitboard(u128);

impl Bitboard {
    /// No square.
    pub const EMPTY: Self = Self(0);
    /// All 81 squares.
    pub const ALL: Self = Self((1 << 81) - 1);

    const RANK_A: Self = Self::repeat_files(1);
    const RANK_I: Self = Self::repeat_files(1 << 8);

    /// The same nine bits (rank a lowest) on every file.
    const fn repeat_files(bits: u128) -> Self {
        let mut board = 0;
        let mut file = 0;
        while file < 9 {
            board |= bits << (9 * file);
            file += 1;
        }
        Self(board)
    }

    /// The set with one square.
    #[inline]
    pub const fn from_square(square: Square) -> Self {
        Self(1 << square.index())
    }

    /// From raw bits; those above bit 80 are dropped.
    #[inline]
    pub const fn from_bits(bits: u128) -> Self {
        Self(bits & Self::ALL.0)
    }

    /// The raw bits, bit i for the square with index i.
    #[inline]
    pub const fn bits(self) -> u128 {
        self.0
    }

    /// The squares of one file.
    #[inline]
    pub const fn file(file: File) -> Self {
        Self(0x1ff << (9 * file.index()))
    }

    /// The squares of one rank.
    #[inline]
    pub const fn rank(rank: Rank) -> Self {
        Self(Self::RANK_A.0 << rank.index())
    }

    /// The `count` ranks farthest from `color`: three are its promotion zone. `count` is at most 9.
    #[inline]
    pub const fn far_ranks(color: Color, count: usize) -> Self {
        let low = (1u128 << count) - 1;
        match color {
            Color::Black => Self::repeat_files(low),
            Color::White => Self::repeat_files(low << (9 - count)),
        }
    }

    /// The promotion zone of `color`.
    #[inline]
    pub const fn zone(color: Color) -> Self {
        const ZONES: [Bitboard; 2] = [
            Bitboard::far_ranks(Color::Black, 3),
            Bitboard::far_ranks(Color::White, 3),
        ];
        ZONES[color.index()]
    }

    /// Whether the set has no square.
    #[inline]
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// Whether the set has at least two squares.
    #[inline]
    pub const fn has_several(self) -> bool {
        self.0 & self.0.wrapping_sub(1) != 0
    }

    /// The number of squares.
    #[inline]
    pub const fn count(self) -> u32 {
        self.0.count_ones()
    }

    /// Whether `square` is in the set.
    #[inline]
    pub const fn contains(self, square: Square) -> bool {
        self.0 >> square.index() & 1 != 0
    }

    /// Whether the two sets share a square.
    #[inline]
    pub const fn intersects(self, other: Self) -> bool {
        self.0 & other.0 != 0
    }

    /// The set with the square added.
    #[inline]
    pub const fn with(self, square: Square) -> Self {
        Self(self.0 | Self::from_square(square).0)
    }

    /// The set with the square taken out.
    #[inline]
    pub const fn without(self, square: Square) -> Self {
        Self(self.0 & !Self::from_square(square).0)
    }

    /// The lowest square, if any.
    #[inline]
    pub const fn first(self) -> Option<Square> {
        // Trailing zeros of an empty set are 128, which is no square.
        Square::try_new(self.0.trailing_zeros() as u8)
    }

    /// The squares, lowest first. The set itself is no `Iterator`, so that no copy is consumed unseen.
    #[inline]
    pub fn squares(mut self) -> impl Iterator<Item = Square> {
        std::iter::from_fn(move || {
            let square = self.first()?;
            self.0 &= self.0 - 1;
            Some(square)
        })
    }

    /// All squares moved one rank forward as `color` sees it; those on the last rank leave the board.
    #[inline]
    pub const fn forward(self, color: Color) -> Self {
        match color {
            Color::Black => Self((self.0 & !Self::RANK_A.0) >> 1),
            Color::White => Self((self.0 & !Self::RANK_I.0) << 1),
        }
    }

    /// All squares moved one file to the left and one to the right as Black sees the board.
    #[inline]
    pub const fn sideways(self) -> Self {
        Self((self.0 << 9 | self.0 >> 9) & Self::ALL.0)
    }

    /// The files that hold at least one of the squares, in full.
    ///
    /// A file is a lane of nine bits. Adding 255 to its lower eight bits carries into the ninth exactly
    /// if one of them is set, and the ninth bit is then smeared over its lane.
    #[inline]
    pub const fn files_touched(self) -> Self {
        const LOW: u128 = Bitboard::ALL.0 & !Bitboard::RANK_I.0;
        let top = (((self.0 & LOW) + LOW) | self.0) & Self::RANK_I.0;
        Self(top | (top - (top >> 8)))
    }
}

impl BitAnd for Bitboard {
    type Output = Self;
    #[inline]
    fn bitand(self, other: Self) -> Self {
        Self(self.0 & other.0)
    }
}

impl BitOr for Bitboard {
    type Output = Self;
    #[inline]
    fn bitor(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }
}

impl BitXor for Bitboard {
    type Output = Self;
    #[inline]
    fn bitxor(self, other: Self) -> Self {
        Self(self.0 ^ other.0)
    }
}

impl Not for Bitboard {
    type Output = Self;
    #[inline]
    fn not(self) -> Self {
        Self(!self.0 & Self::ALL.0)
    }
}

impl BitAndAssign for Bitboard {
    #[inline]
    fn bitand_assign(&mut self, other: Self) {
        self.0 &= other.0;
    }
}

impl BitOrAssign for Bitboard {
    #[inline]
    fn bitor_assign(&mut self, other: Self) {
        self.0 |= other.0;
    }
}

impl BitXorAssign for Bitboard {
    #[inline]
    fn bitxor_assign(&mut self, other: Self) {
        self.0 ^= other.0;
    }
}

impl FromIterator<Square> for Bitboard {
    fn from_iter<I: IntoIterator<Item = Square>>(squares: I) -> Self {
        squares.into_iter().fold(Self::EMPTY, Self::with)
    }
}

impl fmt::Debug for Bitboard {
    /// The board as Black sees it, `#` for members.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for rank in Rank::all() {
            writeln!(f)?;
            for file in File::all().rev() {
                let member = self.contains(Square::new(file, rank));
                write!(f, "{}", if member { " #" } else { " ." })?;
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A reproducible sequence of boards with all densities.
    fn boards() -> impl Iterator<Item = Bitboard> {
        let mut seed = 1u64;
        (0..3000).map(move |i| {
            let mut next = || {
                seed ^= seed << 13;
                seed ^= seed >> 7;
                seed ^= seed << 17;
                u128::from(seed) << 64 | u128::from(seed.rotate_left(31))
            };
            let bits = match i % 3 {
                0 => next(),
                1 => next() & next() & next(),
                _ => next() | next(),
            };
            Bitboard::from_bits(bits)
        })
    }

    #[test]
    fn sets_behave_like_sets_of_squares() {
        for board in boards() {
            let squares: Vec<_> = board.squares().collect();
            assert_eq!(squares.len() as u32, board.count());
            assert!(squares.is_sorted());
            assert_eq!(squares.iter().copied().collect::<Bitboard>(), board);
            assert_eq!(board.first(), squares.first().copied());
            assert_eq!(board.has_several(), squares.len() > 1);
            assert_eq!((!board).count() + board.count(), 81);
        }
    }

    #[test]
    fn touched_files_are_found_for_any_number_of_members() {
        for board in boards().chain([Bitboard::EMPTY, Bitboard::ALL]) {
            let expected = Square::all()
                .filter(|&s| board.squares().any(|t| t.file() == s.file()))
                .collect();
            assert_eq!(board.files_touched(), expected, "{board:?}");
        }
    }

    #[test]
    fn steps_do_not_wrap_around_the_edges() {
        for board in boards() {
            for color in Color::ALL {
                let expected: Bitboard = board
                    .squares()
                    .filter(|s| s.rank().from_far_edge(color) > 0)
                    .map(|s| {
                        let step = if color == Color::Black { -1 } else { 1 };
                        Square::try_new((s.index() as i8 + step) as u8).unwrap()
                    })
                    .collect();
                assert_eq!(board.forward(color), expected);
            }
            let beside = |s: Square, t: Square| {
                s.rank() == t.rank() && s.file().index().abs_diff(t.file().index()) == 1
            };
            let expected = Square::all()
                .filter(|&s| board.squares().any(|t| beside(s, t)))
                .collect();
            assert_eq!(board.sideways(), expected);
        }
    }

    #[test]
    fn zones_are_the_three_far_ranks() {
        for color in Color::ALL {
            let expected = Square::all().filter(|s| s.is_in_zone(color)).collect();
            assert_eq!(Bitboard::zone(color), expected);
            assert_eq!(Bitboard::far_ranks(color, 9), Bitboard::ALL);
            assert_eq!(Bitboard::far_ranks(color, 0), Bitboard::EMPTY);
        }
    }
}

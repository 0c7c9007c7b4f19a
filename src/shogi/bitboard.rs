//! Bitboards: sets of squares as bits of two words. Knows nothing of pieces.

use std::fmt;
use std::ops::{BitAnd, BitAndAssign, BitOr, BitOrAssign, BitXor, BitXorAssign, Not};

use super::color::Color;
use super::square::{File, Rank, Square};

/// A set of squares; bit i of the pair of words, low word first, is the square with index i. Bits 81 and above are 0.
///
/// ```
/// use hien::shogi::{Bitboard, Color, Square};
///
/// let knights: Bitboard = ["2i", "8i"].iter().map(|text| text.parse::<Square>().unwrap()).collect();
/// assert_eq!(knights.count(), 2);
/// assert_eq!(knights.first().unwrap().to_string(), "2i");
///
/// let two_up = knights.forward(Color::Black).forward(Color::Black);
/// assert_eq!(format!("{:?}", knights | two_up), "
///  . . . . . . . . .
///  . . . . . . . . .
///  . . . . . . . . .
///  . . . . . . . . .
///  . . . . . . . . .
///  . . . . . . . . .
///  . # . . . . . # .
///  . . . . . . . . .
///  . # . . . . . # .");
/// assert!((knights & two_up).is_empty());
/// assert_eq!((!knights).count(), 79);
/// ```
///
/// Two words instead of one `u128`, since the compiler then loads, combines and stores the pair at once and
/// works on the halves where only their emptiness or their bits are asked for; a perft gained 8 % by it.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct Bitboard([u64; 2]);

impl Bitboard {
    /// No square.
    pub const EMPTY: Self = Self::pack(0);
    /// All 81 squares.
    pub const ALL: Self = Self::pack((1 << 81) - 1);

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
        Self::pack(board)
    }

    /// The set with one square.
    #[inline]
    pub const fn from_square(square: Square) -> Self {
        // A load is cheaper than a shift of 128 bits by a variable amount.
        static SINGLES: [Bitboard; Square::COUNT] = {
            let mut singles = [Bitboard::EMPTY; Square::COUNT];
            let mut i = 0;
            while i < Square::COUNT {
                singles[i] = Bitboard::pack(1 << i);
                i += 1;
            }
            singles
        };
        SINGLES[square.index()]
    }

    /// From raw bits; those above bit 80 are dropped.
    #[inline]
    pub const fn from_bits(bits: u128) -> Self {
        Self::pack(bits & Self::ALL.bits())
    }

    /// The raw bits, bit i for the square with index i.
    #[inline]
    pub const fn bits(self) -> u128 {
        self.0[0] as u128 | (self.0[1] as u128) << 64
    }

    /// From raw bits that are known to lie on the board.
    #[inline]
    const fn pack(bits: u128) -> Self {
        Self([bits as u64, (bits >> 64) as u64])
    }

    /// The squares of one file.
    #[inline]
    pub const fn file(file: File) -> Self {
        const FILES: [Bitboard; 9] = {
            let mut files = [Bitboard::EMPTY; 9];
            let mut i = 0;
            while i < 9 {
                files[i] = Bitboard::pack(0x1ff << (9 * i));
                i += 1;
            }
            files
        };
        FILES[file.index()]
    }

    /// The squares of one rank.
    #[inline]
    pub const fn rank(rank: Rank) -> Self {
        Self::pack(Self::RANK_A.bits() << rank.index())
    }

    /// The `count` ranks farthest from `color`: three are its promotion zone. `count` is at most 9.
    #[inline]
    pub const fn far_ranks(color: Color, count: usize) -> Self {
        const FAR: [[Bitboard; 10]; 2] = {
            let mut far = [[Bitboard::EMPTY; 10]; 2];
            let mut count = 0;
            while count < 10 {
                let low = (1u128 << count) - 1;
                far[0][count] = Bitboard::repeat_files(low);
                far[1][count] = Bitboard::repeat_files(low << (9 - count));
                count += 1;
            }
            far
        };
        FAR[color.index()][count]
    }

    /// The promotion zone of `color`.
    #[inline]
    pub const fn zone(color: Color) -> Self {
        Self::far_ranks(color, 3)
    }

    /// Whether the set has no square.
    #[inline]
    pub const fn is_empty(self) -> bool {
        self.0[0] | self.0[1] == 0
    }

    /// Whether the set has at least two squares.
    #[inline]
    pub const fn has_several(self) -> bool {
        let [low, high] = self.0;
        let low_rest = low & low.wrapping_sub(1);
        let high_rest = high & high.wrapping_sub(1);
        low_rest | high_rest != 0 || (low != 0 && high != 0)
    }

    /// The number of squares.
    #[inline]
    pub const fn count(self) -> u32 {
        self.0[0].count_ones() + self.0[1].count_ones()
    }

    /// Whether `square` is in the set.
    #[inline]
    pub const fn contains(self, square: Square) -> bool {
        self.intersects(Self::from_square(square))
    }

    /// Whether the two sets share a square.
    #[inline]
    pub const fn intersects(self, other: Self) -> bool {
        (self.0[0] & other.0[0]) | (self.0[1] & other.0[1]) != 0
    }

    /// The set with the square added.
    #[inline]
    pub const fn with(self, square: Square) -> Self {
        let [low, high] = Self::from_square(square).0;
        Self([self.0[0] | low, self.0[1] | high])
    }

    /// The set with the square taken out.
    #[inline]
    pub const fn without(self, square: Square) -> Self {
        let [low, high] = Self::from_square(square).0;
        Self([self.0[0] & !low, self.0[1] & !high])
    }

    /// The lowest square, if any.
    #[inline]
    pub const fn first(self) -> Option<Square> {
        // Trailing zeros of an empty set are 128, which is no square.
        let index = match self.0 {
            [0, high] => 64 + high.trailing_zeros(),
            [low, _] => low.trailing_zeros(),
        };
        Square::try_new(index as u8)
    }

    /// The squares, lowest index first: file 1 from rank a to i, then file 2. The set itself is no `Iterator`, so that
    /// no copy is consumed unseen.
    #[inline]
    pub fn squares(self) -> impl Iterator<Item = Square> {
        // Word by word: half the instructions of counting zeros over 128 bits.
        let [mut low, mut high] = self.0;
        std::iter::from_fn(move || {
            let index = if low != 0 {
                let index = low.trailing_zeros();
                low &= low - 1;
                index
            } else {
                let index = 64 + high.trailing_zeros();
                high &= high.wrapping_sub(1);
                index
            };
            // An exhausted set gives 128, which is no square.
            Square::try_new(index as u8)
        })
    }

    /// The two words, low one first.
    #[inline]
    pub(super) const fn words(self) -> [u64; 2] {
        self.0
    }

    /// From two words; bits above bit 80 are dropped.
    #[inline]
    pub(super) const fn from_words([low, high]: [u64; 2]) -> Self {
        Self([low, high & Self::ALL.0[1]])
    }

    /// All squares moved one rank forward as `color` sees it; those on the last rank leave the board.
    #[inline]
    pub const fn forward(self, color: Color) -> Self {
        match color {
            Color::Black => Self::pack((self.bits() & !Self::RANK_A.bits()) >> 1),
            Color::White => Self::pack((self.bits() & !Self::RANK_I.bits()) << 1),
        }
    }

    /// The files that hold at least one of the squares, in full.
    ///
    /// With the pawns of a player these are the files on which a pawn drop would be nifu (二歩).
    ///
    /// ```
    /// use hien::shogi::{Bitboard, Square};
    ///
    /// let pawns: Bitboard = ["3f", "3g", "7g"].iter().map(|text| text.parse::<Square>().unwrap()).collect();
    /// assert_eq!(pawns.files_touched().count(), 18);
    /// ```
    ///
    /// A file is a lane of nine bits. Adding 255 to its lower eight bits carries into the ninth exactly
    /// if one of them is set, and the ninth bit is then smeared over its lane.
    #[inline]
    pub const fn files_touched(self) -> Self {
        const LOW: u128 = Bitboard::ALL.bits() & !Bitboard::RANK_I.bits();
        let top = (((self.bits() & LOW) + LOW) | self.bits()) & Self::RANK_I.bits();
        Self::pack(top | (top - (top >> 8)))
    }
}

impl BitAnd for Bitboard {
    type Output = Self;
    #[inline]
    fn bitand(self, other: Self) -> Self {
        Self([self.0[0] & other.0[0], self.0[1] & other.0[1]])
    }
}

impl BitOr for Bitboard {
    type Output = Self;
    #[inline]
    fn bitor(self, other: Self) -> Self {
        Self([self.0[0] | other.0[0], self.0[1] | other.0[1]])
    }
}

impl BitXor for Bitboard {
    type Output = Self;
    #[inline]
    fn bitxor(self, other: Self) -> Self {
        Self([self.0[0] ^ other.0[0], self.0[1] ^ other.0[1]])
    }
}

impl Not for Bitboard {
    type Output = Self;
    #[inline]
    fn not(self) -> Self {
        Self([!self.0[0], !self.0[1] & 0x1_ffff])
    }
}

impl BitAndAssign for Bitboard {
    #[inline]
    fn bitand_assign(&mut self, other: Self) {
        self.0[0] &= other.0[0];
        self.0[1] &= other.0[1];
    }
}

impl BitOrAssign for Bitboard {
    #[inline]
    fn bitor_assign(&mut self, other: Self) {
        self.0[0] |= other.0[0];
        self.0[1] |= other.0[1];
    }
}

impl BitXorAssign for Bitboard {
    #[inline]
    fn bitxor_assign(&mut self, other: Self) {
        self.0[0] ^= other.0[0];
        self.0[1] ^= other.0[1];
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

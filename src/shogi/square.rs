//! Squares, files and ranks of the 9x9 board, and their text forms.

use std::fmt;
use std::str::FromStr;

use super::color::Color;

/// A file (筋), 1 to 9 counted from the right as Black sees the board.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct File(u8);

impl File {
    /// From a zero-based index: file 1 is 0. `None` unless `index < 9`.
    #[inline]
    pub const fn try_new(index: u8) -> Option<Self> {
        if index < 9 { Some(Self(index)) } else { None }
    }

    /// All files, file 1 first.
    pub fn all() -> impl DoubleEndedIterator<Item = Self> {
        (0..9).map(Self)
    }

    /// Zero-based: file 1 is 0.
    #[inline]
    pub const fn index(self) -> usize {
        self.0 as usize
    }
}

/// A rank (段), a to i counted from White's side.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Rank(u8);

impl Rank {
    /// From a zero-based index: rank a is 0. `None` unless `index < 9`.
    #[inline]
    pub const fn try_new(index: u8) -> Option<Self> {
        if index < 9 { Some(Self(index)) } else { None }
    }

    /// All ranks, rank a first.
    pub fn all() -> impl DoubleEndedIterator<Item = Self> {
        (0..9).map(Self)
    }

    /// Zero-based: rank a is 0.
    #[inline]
    pub const fn index(self) -> usize {
        self.0 as usize
    }

    /// Zero-based distance from the far edge as `color` sees it: 0 is the last rank it can reach.
    #[inline]
    pub const fn from_far_edge(self, color: Color) -> usize {
        match color {
            Color::Black => self.index(),
            Color::White => 8 - self.index(),
        }
    }
}

/// A board square, file-major: 1a = 0, 1b = 1, .. 9i = 80 (the numbering of nets and packed positions).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Square(u8);

impl Square {
    /// The number of squares.
    pub const COUNT: usize = 81;

    /// The square where a file and a rank meet.
    #[inline]
    pub const fn new(file: File, rank: Rank) -> Self {
        Self(file.0 * 9 + rank.0)
    }

    /// From outside data; `None` unless `index < 81`.
    #[inline]
    pub const fn try_new(index: u8) -> Option<Self> {
        if index < 81 { Some(Self(index)) } else { None }
    }

    /// All squares in the order of their indices.
    pub fn all() -> impl DoubleEndedIterator<Item = Self> + ExactSizeIterator {
        (0..Self::COUNT as u8).map(Self)
    }

    /// 0 (1a) to 80 (9i).
    #[inline]
    pub const fn index(self) -> usize {
        self.0 as usize
    }

    /// The file this square lies on.
    #[inline]
    pub const fn file(self) -> File {
        File(self.0 / 9)
    }

    /// The rank this square lies on.
    #[inline]
    pub const fn rank(self) -> Rank {
        Rank(self.0 % 9)
    }

    /// The same square seen from the other side of the board: 1a <-> 9i.
    #[inline]
    pub const fn flip(self) -> Self {
        Self(80 - self.0)
    }

    /// The square mirrored left to right: 1a <-> 9a.
    #[inline]
    pub const fn mirror(self) -> Self {
        Self((8 - self.0 / 9) * 9 + self.0 % 9)
    }

    /// Whether the square lies in the promotion zone of `color` (its three far ranks, 敵陣).
    #[inline]
    pub const fn is_in_zone(self, color: Color) -> bool {
        self.rank().from_far_edge(color) < 3
    }
}

impl fmt::Display for Square {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let file = char::from(b'1' + self.file().0);
        let rank = char::from(b'a' + self.rank().0);
        write!(f, "{file}{rank}")
    }
}

/// A text that names no square.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("not a square (file 1-9, rank a-i)")]
pub struct ParseSquareError;

impl FromStr for Square {
    type Err = ParseSquareError;

    fn from_str(text: &str) -> Result<Self, ParseSquareError> {
        let &[file, rank] = text.as_bytes() else {
            return Err(ParseSquareError);
        };
        let file = File::try_new(file.wrapping_sub(b'1')).ok_or(ParseSquareError)?;
        let rank = Rank::try_new(rank.wrapping_sub(b'a')).ok_or(ParseSquareError)?;
        Ok(Self::new(file, rank))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_and_numbers_follow_the_file_major_convention() {
        for (text, index) in [("1a", 0), ("1i", 8), ("2a", 9), ("5e", 40), ("9i", 80)] {
            let square: Square = text.parse().unwrap();
            assert_eq!(square.index(), index);
            assert_eq!(square.to_string(), text);
        }
        for text in ["", "1", "0a", "1j", "a1", "10a", "１a"] {
            assert_eq!(text.parse::<Square>(), Err(ParseSquareError), "{text}");
        }
    }

    #[test]
    fn flip_and_mirror_are_involutions() {
        for square in Square::all() {
            assert_eq!(square.flip().flip(), square);
            assert_eq!(square.mirror().mirror(), square);
            assert_eq!(square.mirror().rank(), square.rank());
            assert_eq!(Square::new(square.file(), square.rank()), square);
        }
        let square = |text: &str| text.parse::<Square>().unwrap();
        assert_eq!(square("1a").flip(), square("9i"));
        assert_eq!(square("2c").mirror(), square("8c"));
    }
}

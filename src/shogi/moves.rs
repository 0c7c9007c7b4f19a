//! Moves in 16 bits and their USI text. A move does not know the position it belongs to.

use std::fmt;
use std::num::NonZeroU16;
use std::str::FromStr;

use arrayvec::ArrayVec;

use super::hand::HandPiece;
use super::piece::PieceType;
use super::square::Square;

/// The capacity of a [`MoveList`]: more than the legal moves of any position.
///
/// 593 is the greatest number known for a legal position, but boards without kings are read as well. A bound:
/// each piece on the board takes a square from seven kinds of drops and gains at most 32 moves (rook, bishop),
/// 11 (lance), 10 (silver), 8 (king) or less than 7 (all others); with one piece of each kind kept in hand
/// this makes at most 7 * 81 + 2 * 25 + 3 * 4 + 3 * 3 + 1 = 639.
pub const MAX_MOVES: usize = 640;

/// Moves of one position, without heap memory.
pub type MoveList = ArrayVec<Move, MAX_MOVES>;

/// A move of a piece or a drop, in 16 bits. It does not name the piece that moves or what it captures.
///
/// ```
/// use hien::shogi::{HandPiece, Move, MoveKind};
///
/// let mv: Move = "8h2b+".parse().unwrap();
/// assert_eq!((mv.from().unwrap().to_string(), mv.to().to_string()), ("8h".into(), "2b".into()));
/// assert!(mv.is_promotion());
///
/// let drop: Move = "P*5e".parse().unwrap();
/// assert_eq!(drop.kind(), MoveKind::Drop(HandPiece::Pawn));
/// assert_eq!(drop.from(), None);
/// ```
///
/// The layout is YaneuraOu's: to (bits 0-6), from or dropped kind (7-13), drop (14), promotion (15).
///
/// Never 0, so `Option<Move>` has 16 bits too. Its squares are on the board whatever data it came from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Move(NonZeroU16);

/// A [`Move`] unpacked for reading.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum MoveKind {
    /// A piece moves from one square to another, with or without promotion.
    Board {
        /// Where the piece comes from.
        from: Square,
        /// Whether it promotes.
        promote: bool,
    },
    /// A piece is dropped from the hand.
    Drop(HandPiece),
}

impl Move {
    const DROP: u16 = 1 << 14;
    const PROMOTE: u16 = 1 << 15;

    const fn from_bits(bits: u16) -> Self {
        match NonZeroU16::new(bits) {
            Some(bits) => Self(bits),
            // A board move never has equal squares and a drop has its bit set.
            None => panic!("a move is never 0"),
        }
    }

    /// A move of a piece on the board. `from` and `to` differ.
    #[inline]
    pub const fn board(from: Square, to: Square, promote: bool) -> Self {
        let flag = if promote { Self::PROMOTE } else { 0 };
        Self::from_bits(to.index() as u16 | (from.index() as u16) << 7 | flag)
    }

    /// A drop.
    #[inline]
    pub const fn drop(kind: HandPiece, to: Square) -> Self {
        Self::from_bits(to.index() as u16 | (kind as u16) << 7 | Self::DROP)
    }

    /// From stored bits; `None` if they encode no move (squares off the board, unknown kind, a promoting drop).
    pub const fn from_raw(bits: u16) -> Option<Self> {
        let to = bits & 127;
        let origin = bits >> 7 & 127;
        let valid = if bits & Self::DROP == 0 {
            origin < 81 && origin != to
        } else {
            origin >= 1 && origin <= 7 && bits & Self::PROMOTE == 0
        };
        if valid && to < 81 {
            Some(Self::from_bits(bits))
        } else {
            None
        }
    }

    /// The 16 bits.
    #[inline]
    pub const fn raw(self) -> u16 {
        self.0.get()
    }

    /// The destination.
    #[inline]
    pub const fn to(self) -> Square {
        match Square::try_new((self.raw() & 127) as u8) {
            Some(square) => square,
            None => unreachable!(),
        }
    }

    /// The origin of a board move; `None` for a drop.
    #[inline]
    pub const fn from(self) -> Option<Square> {
        if self.is_drop() {
            None
        } else {
            Square::try_new((self.raw() >> 7 & 127) as u8)
        }
    }

    /// The move unpacked.
    #[inline]
    pub const fn kind(self) -> MoveKind {
        match self.from() {
            Some(from) => MoveKind::Board {
                from,
                promote: self.is_promotion(),
            },
            None => MoveKind::Drop(HandPiece::ALL[(self.raw() >> 7 & 7) as usize - 1]),
        }
    }

    /// Whether a piece is dropped.
    #[inline]
    pub const fn is_drop(self) -> bool {
        self.raw() & Self::DROP != 0
    }

    /// Whether the moving piece promotes.
    #[inline]
    pub const fn is_promotion(self) -> bool {
        self.raw() & Self::PROMOTE != 0
    }
}

impl fmt::Display for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let to = self.to();
        match self.kind() {
            MoveKind::Board { from, promote } => {
                write!(f, "{from}{to}{}", if promote { "+" } else { "" })
            }
            MoveKind::Drop(kind) => write!(f, "{}*{to}", kind.kind().letter()),
        }
    }
}

/// A text that is no USI move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("not a USI move (like 7g7f, 8h2b+ or P*5e)")]
pub struct ParseMoveError;

impl FromStr for Move {
    type Err = ParseMoveError;

    /// Reads the canonical USI form only: `7g7f`, `8h2b+`, `P*5e`.
    fn from_str(text: &str) -> Result<Self, ParseMoveError> {
        // ASCII is checked first so that the slices below cannot split a character.
        if !text.is_ascii() || !(4..=5).contains(&text.len()) {
            return Err(ParseMoveError);
        }
        let square = |range: std::ops::Range<usize>| {
            text[range].parse::<Square>().map_err(|_| ParseMoveError)
        };
        let to = square(2..4)?;
        if text.as_bytes()[1] == b'*' {
            let kind = text
                .chars()
                .next()
                .and_then(PieceType::from_letter)
                .and_then(HandPiece::from_captured)
                .ok_or(ParseMoveError)?;
            return (text.len() == 4)
                .then(|| Self::drop(kind, to))
                .ok_or(ParseMoveError);
        }
        let from = square(0..2)?;
        let promote = match &text[4..] {
            "" => false,
            "+" => true,
            _ => return Err(ParseMoveError),
        };
        (from != to)
            .then(|| Self::board(from, to, promote))
            .ok_or(ParseMoveError)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_16_bit_pattern_is_a_move_or_refused() {
        let mut moves = 0;
        for bits in 0..=u16::MAX {
            let Some(mv) = Move::from_raw(bits) else {
                continue;
            };
            moves += 1;
            assert_eq!(mv.raw(), bits);
            assert_eq!(mv.to_string().parse(), Ok(mv));
            let rebuilt = match mv.kind() {
                MoveKind::Board { from, promote } => Move::board(from, mv.to(), promote),
                MoveKind::Drop(kind) => Move::drop(kind, mv.to()),
            };
            assert_eq!(rebuilt, mv);
        }
        assert_eq!(moves, 81 * 80 * 2 + 7 * 81);
    }

    #[test]
    fn malformed_texts_are_refused() {
        for text in [
            "", "7g", "7g7", "7g7g", "7g7f*", "7g7f++", "K*5e", "+P*5e", "P*5e+", "p*5e", "P5e",
            "0000", "resign", "7g７f", "飛*5", "7j7f",
        ] {
            assert_eq!(text.parse::<Move>(), Err(ParseMoveError), "{text}");
        }
    }
}

//! Piece kinds, pieces, and what promotion does to them.

use std::fmt;
use std::num::NonZeroU8;

use super::color::Color;

/// A kind of piece. Promotion adds 8 to the discriminant; the numbers 1 to 14 are those of
/// YaneuraOu's moves and packed positions.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[repr(u8)]
pub enum PieceType {
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
    /// 玉 (gyoku).
    King = 8,
    /// と (tokin), a promoted pawn.
    ProPawn = 9,
    /// 成香 (narikyo).
    ProLance = 10,
    /// 成桂 (narikei).
    ProKnight = 11,
    /// 成銀 (narigin).
    ProSilver = 12,
    /// 馬 (uma), a promoted bishop.
    Horse = 13,
    /// 龍 (ryu), a promoted rook.
    Dragon = 14,
}

impl PieceType {
    /// The number of kinds.
    pub const COUNT: usize = 14;

    /// All kinds in the order of their numbers.
    pub const ALL: [Self; Self::COUNT] = [
        Self::Pawn,
        Self::Lance,
        Self::Knight,
        Self::Silver,
        Self::Bishop,
        Self::Rook,
        Self::Gold,
        Self::King,
        Self::ProPawn,
        Self::ProLance,
        Self::ProKnight,
        Self::ProSilver,
        Self::Horse,
        Self::Dragon,
    ];

    /// Zero-based position in [`PieceType::ALL`].
    #[inline]
    pub const fn index(self) -> usize {
        self as usize - 1
    }

    /// The promoted kind; `None` for gold, king and kinds already promoted.
    #[inline]
    pub const fn promoted(self) -> Option<Self> {
        match self {
            Self::Pawn => Some(Self::ProPawn),
            Self::Lance => Some(Self::ProLance),
            Self::Knight => Some(Self::ProKnight),
            Self::Silver => Some(Self::ProSilver),
            Self::Bishop => Some(Self::Horse),
            Self::Rook => Some(Self::Dragon),
            _ => None,
        }
    }

    /// The kind without its promotion; other kinds are themselves.
    #[inline]
    pub const fn unpromoted(self) -> Self {
        match self {
            Self::ProPawn => Self::Pawn,
            Self::ProLance => Self::Lance,
            Self::ProKnight => Self::Knight,
            Self::ProSilver => Self::Silver,
            Self::Horse => Self::Bishop,
            Self::Dragon => Self::Rook,
            other => other,
        }
    }

    /// Whether this is one of the six promoted kinds.
    #[inline]
    pub const fn is_promoted(self) -> bool {
        self as u8 > Self::King as u8
    }

    /// Whether the kind moves like a gold general.
    #[inline]
    pub const fn moves_like_gold(self) -> bool {
        matches!(
            self,
            Self::Gold | Self::ProPawn | Self::ProLance | Self::ProKnight | Self::ProSilver
        )
    }

    /// The ranks at the far edge from which the kind could never move again, where it must not stand:
    /// one for pawn and lance, two for the knight.
    #[inline]
    pub const fn dead_ranks(self) -> usize {
        match self {
            Self::Pawn | Self::Lance => 1,
            Self::Knight => 2,
            _ => 0,
        }
    }

    /// The SFEN letter, upper case, of the unpromoted kind.
    pub const fn letter(self) -> char {
        match self.unpromoted() {
            Self::Pawn => 'P',
            Self::Lance => 'L',
            Self::Knight => 'N',
            Self::Silver => 'S',
            Self::Bishop => 'B',
            Self::Rook => 'R',
            Self::Gold => 'G',
            _ => 'K',
        }
    }

    /// The unpromoted kind of an upper-case SFEN letter.
    pub const fn from_letter(letter: char) -> Option<Self> {
        match letter {
            'P' => Some(Self::Pawn),
            'L' => Some(Self::Lance),
            'N' => Some(Self::Knight),
            'S' => Some(Self::Silver),
            'B' => Some(Self::Bishop),
            'R' => Some(Self::Rook),
            'G' => Some(Self::Gold),
            'K' => Some(Self::King),
            _ => None,
        }
    }
}

/// A piece on the board: its kind and its owner. `Option<Piece>` takes one byte.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Piece(NonZeroU8);

impl Piece {
    const COLOR_BIT: u8 = 16;

    /// The piece of `kind` that belongs to `color`.
    #[inline]
    pub const fn new(color: Color, kind: PieceType) -> Self {
        let bits = kind as u8 | (color as u8 * Self::COLOR_BIT);
        match NonZeroU8::new(bits) {
            Some(bits) => Self(bits),
            None => unreachable!(),
        }
    }

    /// The owner.
    #[inline]
    pub const fn color(self) -> Color {
        if self.0.get() & Self::COLOR_BIT == 0 {
            Color::Black
        } else {
            Color::White
        }
    }

    /// 0 to 27: Black's kinds in the order of [`PieceType::ALL`], then White's.
    #[inline]
    pub const fn index(self) -> usize {
        let bits = self.0.get();
        (bits & 15) as usize - 1 + (bits / Self::COLOR_BIT) as usize * PieceType::COUNT
    }

    /// The kind.
    #[inline]
    pub const fn kind(self) -> PieceType {
        // Sixteen entries, so that a masked index needs no bounds check; the outer two are never read.
        const KINDS: [PieceType; 16] = {
            let mut kinds = [PieceType::Pawn; 16];
            let mut i = 0;
            while i < PieceType::COUNT {
                kinds[i + 1] = PieceType::ALL[i];
                i += 1;
            }
            kinds
        };
        KINDS[(self.0.get() & 15) as usize]
    }

    /// The piece after a move: promoted if the move says so and the kind can.
    #[inline]
    pub const fn promoted_if(self, promote: bool) -> Self {
        match self.kind().promoted() {
            Some(kind) if promote => Self::new(self.color(), kind),
            _ => self,
        }
    }
}

impl fmt::Display for Piece {
    /// The SFEN of the piece, like `P` or `+r`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let letter = match self.color() {
            Color::Black => self.kind().letter(),
            Color::White => self.kind().letter().to_ascii_lowercase(),
        };
        if self.kind().is_promoted() {
            f.pad(&format!("+{letter}"))
        } else {
            f.pad(letter.encode_utf8(&mut [0; 4]))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_piece_keeps_its_kind_and_owner() {
        for color in Color::ALL {
            for kind in PieceType::ALL {
                let piece = Piece::new(color, kind);
                assert_eq!((piece.color(), piece.kind()), (color, kind));
                assert_eq!(
                    piece.index(),
                    color.index() * PieceType::COUNT + kind.index()
                );
            }
        }
        assert_eq!(size_of::<Option<Piece>>(), 1);
    }

    #[test]
    fn promotion_adds_eight() {
        for kind in PieceType::ALL {
            if let Some(promoted) = kind.promoted() {
                assert_eq!(promoted as u8, kind as u8 + 8);
                assert_eq!(promoted.unpromoted(), kind);
                assert!(promoted.is_promoted() && !kind.is_promoted());
            }
        }
    }
}

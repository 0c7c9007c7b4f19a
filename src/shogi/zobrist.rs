//! Zobrist keys (Zobrist 1970): the key of a position is the exclusive or of random numbers of all its parts, so a move
//! changes it by a few operations.

use super::color::Color;
use super::hand::HandPiece;
use super::piece::{Piece, PieceType};
use super::splitmix::SplitMix64;
use super::square::Square;

/// The most pieces of one kind that a hand can hold.
const MAX_IN_HAND: usize = 18;

/// Zobrist keys of parts of the board, for history and correction-history tables that depend on these alone.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct PartKeys {
    /// The pawns of both players.
    pub pawns: u64,
    /// The kings, golds and silvers of both players, and what moves like them.
    pub generals: u64,
    /// All pieces of Black and of White but the pawns.
    pub pieces: [u64; 2],
}

impl PartKeys {
    /// Adds or takes away a piece whose number this is.
    #[inline]
    pub(super) fn toggle(&mut self, piece: Piece, number: u64) {
        let kind = piece.kind();
        if kind == PieceType::Pawn {
            self.pawns ^= number;
            return;
        }
        self.pieces[piece.color().index()] ^= number;
        if kind.moves_like_gold() || matches!(kind, PieceType::King | PieceType::Silver) {
            self.generals ^= number;
        }
    }
}

struct Keys {
    board: [[[u64; Square::COUNT]; PieceType::COUNT]; 2],
    hand: [[[u64; MAX_IN_HAND]; HandPiece::COUNT]; 2],
    side: u64,
}

static KEYS: Keys = {
    let mut keys = Keys {
        board: [[[0; Square::COUNT]; PieceType::COUNT]; 2],
        hand: [[[0; MAX_IN_HAND]; HandPiece::COUNT]; 2],
        side: 0,
    };
    let mut random = SplitMix64::new(0);
    keys.side = random.next_u64();
    let mut color = 0;
    while color < 2 {
        let mut kind = 0;
        while kind < PieceType::COUNT {
            let mut square = 0;
            while square < Square::COUNT {
                keys.board[color][kind][square] = random.next_u64();
                square += 1;
            }
            kind += 1;
        }
        let mut kind = 0;
        while kind < HandPiece::COUNT {
            let mut nth = 0;
            while nth < MAX_IN_HAND {
                keys.hand[color][kind][nth] = random.next_u64();
                nth += 1;
            }
            kind += 1;
        }
        color += 1;
    }
    keys
};

/// The number of a piece on a square.
#[inline]
pub(super) fn piece(piece: Piece, square: Square) -> u64 {
    KEYS.board[piece.color().index()][piece.kind().index()][square.index()]
}

/// The number of the `nth` piece of a kind in a hand, counted from 0. A hand of n pieces has the numbers 0 to n - 1.
#[inline]
pub(super) fn hand(color: Color, kind: HandPiece, nth: u32) -> u64 {
    KEYS.hand[color.index()][kind.index()][nth as usize]
}

/// The number of "White to move".
#[inline]
pub(super) fn side() -> u64 {
    KEYS.side
}

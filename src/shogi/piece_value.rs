//! Piece values for exchanges and for the material count of a position.

use super::hand::HandPiece;
use super::piece::PieceType;

/// The value of a piece of `kind` on the board, 90 a pawn. The king counts nothing.
///
/// The proportions are those long used by YaneuraOu's material evaluation.
#[inline]
pub const fn value(kind: PieceType) -> i32 {
    const VALUES: [i32; PieceType::COUNT] = [
        90, 315, 405, 495, 855, 990, 540, 0, 540, 540, 540, 540, 945, 1395,
    ];
    VALUES[kind.index()]
}

/// The value of a piece in hand: that of the unpromoted piece.
#[inline]
pub const fn hand_value(kind: HandPiece) -> i32 {
    value(kind.kind())
}

/// What capturing a piece of `kind` changes in the material balance: the owner loses it from the board and
/// the captor gains it, unpromoted, in hand.
#[inline]
pub const fn capture_gain(kind: PieceType) -> i32 {
    value(kind) + value(kind.unpromoted())
}

/// What promoting a piece of `kind` gains; 0 for kinds that do not promote.
#[inline]
pub const fn promotion_gain(kind: PieceType) -> i32 {
    match kind.promoted() {
        Some(promoted) => value(promoted) - value(kind),
        None => 0,
    }
}

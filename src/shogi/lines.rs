//! The eight directions, and walks along them: the definitions from which the tables of `attacks` and `magic` are made.

use super::bitboard::Bitboard;
use super::square::Square;

/// The eight directions as (file step, rank step); a direction and its opposite differ in bit 0.
pub(super) const DIRECTIONS: [(i8, i8); 8] = [
    (0, -1),
    (0, 1),
    (-1, 0),
    (1, 0),
    (-1, -1),
    (1, 1),
    (1, -1),
    (-1, 1),
];

/// The square `steps` away from the square with index `from`; `None` off the board.
pub(super) const fn offset(from: usize, (files, ranks): (i8, i8)) -> Option<Square> {
    let file = (from / 9) as i8 + files;
    let rank = (from % 9) as i8 + ranks;
    if file < 0 || file > 8 || rank < 0 || rank > 8 {
        return None;
    }
    Square::try_new((file * 9 + rank) as u8)
}

/// Walks from a square until the edge or the first occupied square, which is included.
///
/// The slow, obvious definition of sliding: it fills the tables and judges them in tests.
pub(super) const fn slide(from: usize, direction: (i8, i8), occupied: Bitboard) -> Bitboard {
    let mut reached = Bitboard::EMPTY;
    let mut at = offset(from, direction);
    while let Some(square) = at {
        reached = reached.with(square);
        if occupied.contains(square) {
            break;
        }
        at = offset(square.index(), direction);
    }
    reached
}

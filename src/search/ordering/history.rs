//! History tables: which moves caused cutoffs lately. They order the moves and steer pruning and reductions.
//!
//! Main (butterfly) history, capture history, continuation history, pawn history and low-ply history. Every entry is an
//! `i16` with *gravity*: `new = old + bonus - old * |bonus| / bound`, so that it stays within ±bound and recent results
//! weigh more. One set per worker, nothing is shared.
//!
//! The tables and their bounds (7183, 10692, 30000, 8192; five plies of low-ply history) are those of Stockfish and
//! YaneuraOu 9.70.

use crate::memory;
use crate::search::params;
use crate::shogi::color::Color;
use crate::shogi::piece::{Piece, PieceType};
use crate::shogi::{HandPiece, Move, MoveKind, Position, Square};

/// Bound of the main and the low-ply history.
pub const MAIN_BOUND: i32 = 7183;
/// Bound of the capture history.
pub const CAPTURE_BOUND: i32 = 10_692;
/// Bound of the continuation history.
pub const CONTINUATION_BOUND: i32 = 30_000;
/// Bound of the pawn history.
pub const PAWN_BOUND: i32 = 8192;

/// Plies from the root that have a low-ply history.
const LOW_PLIES: usize = 5;
/// Rows of the pawn history.
const PAWN_ROWS: usize = 512;

/// Pieces of both colours.
const PIECES: usize = 2 * PieceType::COUNT;
/// Piece and destination.
const PIECE_TOS: usize = PIECES * Square::COUNT;
/// How much greater the index of a piece becomes by promotion.
const PROMOTION: usize = PieceType::ProPawn.index() - PieceType::Pawn.index();
/// Origins of a move: squares, each with and without promotion, and the kinds in hand, with gaps.
const ORIGINS: usize = 2 * (Square::COUNT + HandPiece::COUNT);

/// A piece and the square it goes to: a move as the capture, continuation and pawn histories know it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PieceTo(u16);

impl PieceTo {
    /// "No move": before the root, or at a null move.
    pub const NONE: Self = Self(PIECE_TOS as u16);

    /// From a legal move that has not been made: the piece as it will stand on its destination.
    #[inline]
    pub fn of(position: &Position, mv: Move) -> Self {
        let piece = match mv.kind() {
            MoveKind::Drop(kind) => Piece::new(position.side_to_move(), kind.kind()).index(),
            MoveKind::Board { from, promote } => match position.piece_on(from) {
                Some(piece) => piece.index() + if promote { PROMOTION } else { 0 },
                None => return Self::NONE,
            },
        };
        Self((piece * Square::COUNT + mv.to().index()) as u16)
    }

    /// Identifies this move after another one, in the high bits.
    #[inline]
    pub fn pair_key(self, earlier: Self) -> u64 {
        let pair = self.index() * (PIECE_TOS + 1) + earlier.index();
        (pair as u64 + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15)
    }

    #[inline]
    fn index(self) -> usize {
        usize::from(self.0)
    }
}

/// History values by destination square, of the moves of one piece or from one origin.
pub type ByTarget = [i16; Square::COUNT];

/// History values of all moves under one circumstance: after a given move, or with a pawn structure. The last entry
/// belongs to [`PieceTo::NONE`] and is never read.
pub type Row = [i16; PIECE_TOS + 1];

/// The part of a row about the moves of `piece`, named as it will stand on its destination.
#[inline]
pub fn of_piece(row: &Row, piece: Piece) -> &ByTarget {
    &row.as_chunks().0[piece.index()]
}

/// The origin of a move as the main and low-ply histories know it: a square, with or without promotion, or the hand.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Origin(u8);

impl Origin {
    #[inline]
    pub fn board(from: Square, promote: bool) -> Self {
        Self(2 * from.index() as u8 + u8::from(promote))
    }

    #[inline]
    pub fn hand(kind: HandPiece) -> Self {
        Self(2 * (Square::COUNT + kind.index()) as u8)
    }

    #[inline]
    pub fn of(mv: Move) -> Self {
        match mv.kind() {
            MoveKind::Board { from, promote } => Self::board(from, promote),
            MoveKind::Drop(kind) => Self::hand(kind),
        }
    }

    #[inline]
    fn index(self) -> usize {
        usize::from(self.0)
    }
}

/// The row of the pawn history that belongs to a pawn structure.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PawnIndex(u16);

impl PawnIndex {
    /// From a hash of the pawns on the board.
    #[inline]
    pub fn new(key: u16) -> Self {
        Self(key % PAWN_ROWS as u16)
    }
}

/// All tables of one worker, about 13 MB.
pub struct History {
    /// Main (butterfly) history: by colour, origin with promotion, destination.
    main: [[ByTarget; ORIGINS]; 2],
    /// Capture history: by piece and destination, then captured kind.
    capture: [[i16; PieceType::COUNT]; PIECE_TOS + 1],
    /// Continuation history: rows by an earlier move. The last row belongs to [`PieceTo::NONE`] and stays zero. Flat,
    /// so that memory that is zero from the start takes no room until it is written.
    continuation: Box<[i16]>,
    /// Pawn history: rows by pawn structure.
    pawn: Box<[i16]>,
    /// Low-ply history: as `main`, by ply from the root.
    low_ply: [[ByTarget; ORIGINS]; LOW_PLIES],
}

impl History {
    /// Empty tables.
    pub fn new() -> Box<Self> {
        let mut continuation = vec![0; (PIECE_TOS + 1) * (PIECE_TOS + 1)].into_boxed_slice();
        memory::prefer_large_pages(&mut continuation);
        Box::new(Self {
            main: [[[0; Square::COUNT]; ORIGINS]; 2],
            capture: [[0; PieceType::COUNT]; PIECE_TOS + 1],
            continuation,
            pawn: vec![0; PAWN_ROWS * (PIECE_TOS + 1)].into_boxed_slice(),
            low_ply: [[[0; Square::COUNT]; ORIGINS]; LOW_PLIES],
        })
    }

    /// Clears all tables.
    pub fn clear(&mut self) {
        self.main.as_flattened_mut().as_flattened_mut().fill(0);
        self.capture.as_flattened_mut().fill(0);
        self.continuation.fill(0);
        self.pawn.fill(0);
    }

    /// Before a new search: ages the main history, and clears the low-ply history, which belongs to the old root.
    pub fn age(&mut self) {
        self.low_ply.as_flattened_mut().as_flattened_mut().fill(0);
        for value in self.main.as_flattened_mut().as_flattened_mut() {
            *value = (i32::from(*value) * params::history_age() / 1024) as i16;
        }
    }

    /// Main history of the quiet moves of `color` from one origin.
    #[inline]
    pub fn main_from(&self, color: Color, origin: Origin) -> &ByTarget {
        &self.main[color.index()][origin.index()]
    }

    /// Main history of a quiet move of `color`.
    #[inline]
    pub fn main(&self, color: Color, mv: Move) -> i32 {
        i32::from(self.main_from(color, Origin::of(mv))[mv.to().index()])
    }

    /// Capture history of a capture of a piece of `kind`.
    #[inline]
    pub fn capture(&self, moved: PieceTo, kind: PieceType) -> i32 {
        i32::from(self.capture[moved.index()][kind.index()])
    }

    /// Continuation history of all quiet moves after an earlier move.
    #[inline]
    pub fn continuation_row(&self, earlier: PieceTo) -> &Row {
        &self.continuation.as_chunks().0[earlier.index()]
    }

    /// Continuation history of a quiet move after an earlier move.
    #[inline]
    pub fn continuation(&self, earlier: PieceTo, moved: PieceTo) -> i32 {
        i32::from(self.continuation_row(earlier)[moved.index()])
    }

    /// Pawn history of all quiet moves under a pawn structure.
    #[inline]
    pub fn pawn_row(&self, pawn_index: PawnIndex) -> &Row {
        &self.pawn.as_chunks().0[usize::from(pawn_index.0)]
    }

    /// Low-ply history of the quiet moves from one origin; `None` too far from the root.
    #[inline]
    pub fn low_ply_from(&self, ply: usize, origin: Origin) -> Option<&ByTarget> {
        self.low_ply.get(ply).map(|table| &table[origin.index()])
    }

    /// Adds a bonus (or, if negative, a malus) to the pawn history of a quiet move.
    pub fn update_pawn(&mut self, pawn_index: PawnIndex, moved: PieceTo, bonus: i32) {
        let rows: &mut [Row] = self.pawn.as_chunks_mut().0;
        let entry = &mut rows[usize::from(pawn_index.0)][moved.index()];
        gravity(entry, bonus, PAWN_BOUND);
    }

    /// The same for the low-ply history; nothing happens too far from the root.
    pub fn update_low_ply(&mut self, ply: usize, mv: Move, bonus: i32) {
        if let Some(table) = self.low_ply.get_mut(ply) {
            let entry = &mut table[Origin::of(mv).index()][mv.to().index()];
            gravity(entry, bonus, MAIN_BOUND);
        }
    }

    /// The same for the main history of a quiet move of `color`.
    pub fn update_main(&mut self, color: Color, mv: Move, bonus: i32) {
        let entry = &mut self.main[color.index()][Origin::of(mv).index()][mv.to().index()];
        gravity(entry, bonus, MAIN_BOUND);
    }

    /// The same for the capture history.
    pub fn update_capture(&mut self, moved: PieceTo, kind: PieceType, bonus: i32) {
        let entry = &mut self.capture[moved.index()][kind.index()];
        gravity(entry, bonus, CAPTURE_BOUND);
    }

    /// The same for the continuation history of a quiet move after an earlier move.
    pub fn update_continuation(&mut self, earlier: PieceTo, moved: PieceTo, bonus: i32) {
        if earlier != PieceTo::NONE {
            let rows: &mut [Row] = self.continuation.as_chunks_mut().0;
            let entry = &mut rows[earlier.index()][moved.index()];
            gravity(entry, bonus, CONTINUATION_BOUND);
        }
    }
}

/// Adds a bonus with gravity, see the module.
#[inline]
pub fn gravity(entry: &mut i16, bonus: i32, bound: i32) {
    let bonus = bonus.clamp(-bound, bound);
    let old = i32::from(*entry);
    *entry = (old + bonus - old * bonus.abs() / bound) as i16;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_stay_within_their_bounds() {
        for bound in [MAIN_BOUND, CAPTURE_BOUND, CONTINUATION_BOUND] {
            for bonus in [1, 300, 2000, bound, 10 * bound] {
                let mut entry = 0;
                for _ in 0..200 {
                    gravity(&mut entry, bonus, bound);
                    assert!(i32::from(entry) <= bound && entry > 0);
                }
                for _ in 0..400 {
                    gravity(&mut entry, -bonus, bound);
                    assert!(i32::from(entry) >= -bound);
                }
                assert!(entry < 0);
            }
        }
    }

    #[test]
    fn every_move_has_its_own_place() {
        let mut seen = std::collections::HashSet::new();
        let moves = (0..=u16::MAX).filter_map(Move::from_raw);
        for mv in moves {
            let origin = Origin::of(mv);
            assert!(origin.index() < ORIGINS);
            assert!(seen.insert((origin, mv.to())), "{mv}");
        }
    }

    #[test]
    fn a_move_is_known_by_the_piece_that_arrives() {
        let position = Position::from_sfen("4k4/P8/9/9/9/9/9/9/4K4 b G 1").unwrap();
        let index = |text: &str| PieceTo::of(&position, text.parse().unwrap()).index();
        let expected = |kind: PieceType, to: &str| {
            let to: Square = to.parse().unwrap();
            Piece::new(Color::Black, kind).index() * Square::COUNT + to.index()
        };
        assert_eq!(index("9b9a+"), expected(PieceType::ProPawn, "9a"));
        assert_eq!(index("5i5h"), expected(PieceType::King, "5h"));
        assert_eq!(index("G*5e"), expected(PieceType::Gold, "5e"));
        assert_eq!(PieceTo::NONE.index(), PIECE_TOS);
        assert!(Piece::new(Color::White, PieceType::Dragon).index() < PIECES);
    }

    #[test]
    fn what_was_learnt_is_read_back_fades_and_is_forgotten() {
        let position = Position::startpos();
        let mv: Move = "7g7f".parse().unwrap();
        let moved = PieceTo::of(&position, mv);
        let mut history = History::new();
        history.update_main(Color::Black, mv, 1000);
        history.update_continuation(moved, moved, 500);
        history.update_capture(moved, PieceType::Rook, -700);
        history.update_continuation(PieceTo::NONE, moved, 500);
        assert_eq!(history.main(Color::Black, mv), 1000);
        assert_eq!(history.main(Color::White, mv), 0);
        assert_eq!(history.continuation(moved, moved), 500);
        assert_eq!(history.continuation(PieceTo::NONE, moved), 0);
        assert_eq!(history.capture(moved, PieceType::Rook), -700);
        history.age();
        assert_eq!(history.main(Color::Black, mv), 750);
        history.clear();
        assert_eq!(history.main(Color::Black, mv), 0);
        assert_eq!(history.continuation(moved, moved), 0);
        assert_eq!(history.capture(moved, PieceType::Rook), 0);
    }
}

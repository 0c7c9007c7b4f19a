//! Converts positions between `rsshogi`, which packs them, and [`crate::shogi`].

use rsshogi::board::{BoardArray, Position as Packable, PositionState};
use rsshogi::types as packed;

use crate::shogi::{Color, Hand, HandPiece, Piece, PieceType, Position, SfenError, Square};

/// A position as a record holds it: board, hands and side to move, not necessarily legal.
#[derive(Clone, Copy)]
pub struct RecordPosition<'a>(pub(super) &'a Packable);

impl RecordPosition<'_> {
    /// The player to move.
    pub fn side_to_move(self) -> Color {
        color(self.0.turn())
    }

    /// What stands on a square.
    pub fn piece_on(self, square: Square) -> Option<Piece> {
        let found = self.0.piece_on(packed::Square::new(square.index() as i8));
        // Both crates number pieces alike, `rsshogi` from 1.
        let kind = usize::try_from(found.piece_type().raw() - 1).ok()?;
        Some(Piece::new(color(found.color()), *PieceType::ALL.get(kind)?))
    }

    /// What a player holds.
    pub fn hand(self, player: Color) -> Hand {
        let held = self.0.hand(packed_color(player));
        let mut hand = Hand::EMPTY;
        for kind in HandPiece::ALL {
            hand.set(kind, held.count(packed_hand_piece(kind)));
        }
        hand
    }

    /// Whether the player to move is in check.
    pub fn in_check(self) -> bool {
        self.0.is_in_check()
    }

    /// The number of the next move.
    pub fn ply(self) -> u32 {
        self.0.game_ply().into()
    }

    /// The position as SFEN.
    pub fn sfen(self) -> String {
        self.0.to_sfen(None)
    }

    /// The position as a checked [`Position`].
    ///
    /// # Errors
    ///
    /// The first thing that makes it illegal.
    pub fn to_position(self) -> Result<Position, SfenError> {
        let board = std::array::from_fn(|index| {
            Square::try_new(index as u8).and_then(|square| self.piece_on(square))
        });
        let hands = Color::ALL.map(|player| self.hand(player));
        Position::from_parts(&board, hands, self.side_to_move(), self.ply())
    }
}

#[cfg(test)]
impl RecordPosition<'_> {
    /// Does something with a position as if it came from a record.
    pub(crate) fn with<T>(position: &Position, work: impl FnOnce(RecordPosition) -> T) -> T {
        work(RecordPosition(&packable(position)))
    }
}

/// A position for the crate that packs it.
pub(super) fn packable(position: &Position) -> Packable {
    let mut board = BoardArray::empty();
    for square in position.occupied().squares() {
        if let Some(piece) = position.piece_on(square) {
            let kind = packed::PieceType::new(piece.kind().index() as i8 + 1);
            let piece = packed::Piece::from_parts(packed_color(piece.color()), kind);
            board.set(packed::Square::new(square.index() as i8), piece);
        }
    }
    let hands = Color::ALL.map(|player| {
        let held = position.hand(player).iter();
        held.fold(packed::Hand::ZERO, |mut hand, (kind, count)| {
            hand.add(packed_hand_piece(kind), count);
            hand
        })
    });
    let mut packable = Packable::empty();
    packable.set_position_state(&PositionState {
        board,
        hands,
        side_to_move: packed_color(position.side_to_move()),
        ply: u16::try_from(position.ply()).unwrap_or(u16::MAX),
    });
    packable
}

fn color(color: packed::Color) -> Color {
    if color == packed::Color::BLACK {
        Color::Black
    } else {
        Color::White
    }
}

fn packed_color(color: Color) -> packed::Color {
    match color {
        Color::Black => packed::Color::BLACK,
        Color::White => packed::Color::WHITE,
    }
}

fn packed_hand_piece(kind: HandPiece) -> packed::HandPiece {
    packed::HandPiece::new(kind.index() as i8)
}

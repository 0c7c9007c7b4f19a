//! A start position while it is put together from the lines of a record.

use crate::shogi::{Color, File, HandPiece, Piece, PieceType, Position, Rank, SfenError, Square};

/// Pieces on a board and in hand, and who is to move: not yet a position.
#[derive(Clone, Debug)]
pub(super) struct Setup {
    board: [Option<Piece>; Square::COUNT],
    hands: [[u32; HandPiece::COUNT]; 2],
    /// The player to move.
    pub side: Color,
    /// The number of the first move.
    pub ply: u32,
}

impl Setup {
    /// No piece anywhere, Black to move.
    pub const EMPTY: Self = Self {
        board: [None; Square::COUNT],
        hands: [[0; HandPiece::COUNT]; 2],
        side: Color::Black,
        ply: 1,
    };

    /// The usual start position.
    pub fn even() -> Self {
        Self::of(&Position::startpos())
    }

    /// A position to be changed.
    pub fn of(position: &Position) -> Self {
        let mut setup = Self::EMPTY;
        for square in Square::all() {
            setup.set(square, position.piece_on(square));
        }
        for color in Color::ALL {
            for (kind, count) in position.hand(color).iter() {
                setup.add(color, kind, count);
            }
        }
        setup.side = position.side_to_move();
        setup.ply = position.ply();
        setup
    }

    /// What stands on a square.
    pub const fn piece_on(&self, square: Square) -> Option<Piece> {
        self.board[square.index()]
    }

    /// Puts a piece on a square, or takes away what is there.
    pub const fn set(&mut self, square: Square, piece: Option<Piece>) {
        self.board[square.index()] = piece;
    }

    /// Puts pieces into a hand.
    pub const fn add(&mut self, color: Color, kind: HandPiece, count: u32) {
        let hand = &mut self.hands[color.index()][kind.index()];
        *hand = hand.saturating_add(count);
    }

    /// Takes all pieces away.
    pub const fn clear(&mut self) {
        self.board = [None; Square::COUNT];
        self.hands = [[0; HandPiece::COUNT]; 2];
    }

    /// Puts all pieces that are neither on the board nor in a hand into a hand.
    pub fn add_rest(&mut self, color: Color) {
        for kind in HandPiece::ALL {
            let is_kind =
                |piece: &Option<Piece>| piece.is_some_and(|p| p.kind().unpromoted() == kind.kind());
            let on_board = self.board.iter().filter(|piece| is_kind(piece)).count() as u32;
            let in_hands = self.hands[0][kind.index()].saturating_add(self.hands[1][kind.index()]);
            let used = on_board.saturating_add(in_hands);
            self.add(color, kind, kind.set_size().saturating_sub(used));
        }
    }

    /// The position, and what is odd about it.
    ///
    /// # Errors
    ///
    /// What makes it impossible.
    pub fn position(&self) -> Result<(Position, Vec<SfenError>), SfenError> {
        Position::from_sfen_tolerant(&self.sfen())
    }

    fn sfen(&self) -> String {
        let rows: Vec<_> = Rank::all().map(|rank| self.row(rank)).collect();
        let side = match self.side {
            Color::Black => 'b',
            Color::White => 'w',
        };
        let mut hands = String::new();
        for color in Color::ALL {
            for kind in HandPiece::ALL {
                let count = self.hands[color.index()][kind.index()];
                if count > 0 {
                    hands += &format!("{count}{}", letter(color, kind.kind()));
                }
            }
        }
        let hands = if hands.is_empty() { "-" } else { &hands };
        format!("{} {side} {hands} {}", rows.join("/"), self.ply)
    }

    fn row(&self, rank: Rank) -> String {
        let square = |file| match self.piece_on(Square::new(file, rank)) {
            // SFEN counts empty squares; the reader takes them one by one, too.
            None => "1".to_owned(),
            Some(piece) => {
                let plus = if piece.kind().is_promoted() { "+" } else { "" };
                format!("{plus}{}", letter(piece.color(), piece.kind()))
            }
        };
        File::all().rev().map(square).collect()
    }
}

const fn letter(color: Color, kind: PieceType) -> char {
    match color {
        Color::Black => kind.letter(),
        Color::White => kind.letter().to_ascii_lowercase(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_even_game_is_the_start_position() {
        let (position, oddities) = Setup::even().position().unwrap();
        assert_eq!(position.sfen(), crate::shogi::sfen::STARTPOS);
        assert!(oddities.is_empty());
    }

    #[test]
    fn the_rest_of_the_set_goes_into_a_hand() {
        let square = |text: &str| text.parse().unwrap();
        let mut setup = Setup::EMPTY;
        setup.set(
            square("1a"),
            Some(Piece::new(Color::White, PieceType::King)),
        );
        setup.set(
            square("1c"),
            Some(Piece::new(Color::Black, PieceType::Pawn)),
        );
        setup.set(
            square("5e"),
            Some(Piece::new(Color::Black, PieceType::ProPawn)),
        );
        setup.add(Color::Black, HandPiece::Gold, 1);
        setup.add_rest(Color::White);
        let (position, _) = setup.position().unwrap();
        let sfen = "8k/9/8P/9/4+P4/9/9/9/9 b G2r2b3g4s4n4l16p 1";
        assert_eq!(position.sfen(), sfen);
    }

    #[test]
    fn impossible_positions_are_refused() {
        let mut setup = Setup::even();
        setup.add(Color::White, HandPiece::Rook, u32::MAX);
        setup.add(Color::White, HandPiece::Rook, 1);
        let too_many = SfenError::TooMany {
            letter: 'R',
            max: 2,
        };
        assert_eq!(setup.position().unwrap_err(), too_many);
    }
}

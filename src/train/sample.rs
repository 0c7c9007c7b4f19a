//! A labelled position in memory: its pieces as a list, seen by the side to move.

use crate::data::{Label, Outcome, RecordPosition};
use crate::shogi::{Color, Hand, HandPiece, Piece, PieceType, Square};

/// Pieces of a full set.
pub(super) const MEN: usize = 40;

/// Where a piece is: on a square, or in a hand as the n-th of its kind. A number below [`Man::COUNT`]. The side to move
/// is Black.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Man(u16);

impl Man {
    /// Numbers on the board come first.
    const ON_BOARD: usize = 2 * PieceType::COUNT * Square::COUNT;
    /// The largest number of pieces of one kind.
    const MOST: usize = 18;
    /// How many different men there are.
    pub const COUNT: usize = Self::ON_BOARD + 2 * HandPiece::COUNT * Self::MOST;

    pub fn on_board(piece: Piece, square: Square) -> Self {
        Self((piece.index() * Square::COUNT + square.index()) as u16)
    }

    pub fn in_hand(owner: Color, kind: HandPiece, nth: usize) -> Self {
        let hand = owner.index() * HandPiece::COUNT + kind.index();
        Self((Self::ON_BOARD + hand * Self::MOST + nth) as u16)
    }

    #[inline]
    pub fn index(self) -> usize {
        self.0.into()
    }
}

/// A position with its score and game result.
#[derive(Clone, Copy, Debug)]
pub(super) struct Sample {
    men: [Man; MEN],
    count: u8,
    outcome: Outcome,
    score: i16,
    kings: [u8; 2],
}

impl Sample {
    /// `None` for a position that lacks a king or has more pieces than a set.
    pub fn new(position: RecordPosition, label: &Label) -> Option<Self> {
        let mut sample = Self {
            men: [Man::default(); MEN],
            count: 0,
            outcome: label.outcome.unwrap_or(Outcome::Draw),
            score: label.score,
            kings: [u8::MAX; 2],
        };
        let us = position.side_to_move();
        let seen_by_us = |color: Color| match us {
            Color::Black => color,
            Color::White => !color,
        };
        for square in Square::all() {
            let Some(piece) = position.piece_on(square) else {
                continue;
            };
            let piece = Piece::new(seen_by_us(piece.color()), piece.kind());
            let square = match us {
                Color::Black => square,
                Color::White => square.flip(),
            };
            if piece.kind() == PieceType::King {
                sample.kings[piece.color().index()] = square.index() as u8;
            }
            sample.push(Man::on_board(piece, square))?;
        }
        for color in [us, !us] {
            for (kind, count) in position.hand(color).iter() {
                for nth in 0..count as usize {
                    sample.push(Man::in_hand(seen_by_us(color), kind, nth))?;
                }
            }
        }
        (!sample.kings.contains(&u8::MAX)).then_some(sample)
    }

    fn push(&mut self, man: Man) -> Option<()> {
        *self.men.get_mut(usize::from(self.count))? = man;
        self.count += 1;
        Some(())
    }

    /// All pieces.
    #[inline]
    pub fn men(&self) -> &[Man] {
        &self.men[..usize::from(self.count).min(MEN)]
    }

    /// The square of the king of the side to move, and of the other one.
    #[inline]
    pub fn kings(&self) -> [usize; 2] {
        self.kings.map(usize::from)
    }

    /// The hand of the side to move, and the other one.
    pub fn hands(&self) -> [Hand; 2] {
        let mut hands = [Hand::EMPTY; 2];
        for man in self.men() {
            if let Some(held) = man.index().checked_sub(Man::ON_BOARD) {
                let hand = held / Man::MOST;
                let kind = HandPiece::ALL[hand % HandPiece::COUNT];
                hands[hand / HandPiece::COUNT].add(kind);
            }
        }
        hands
    }

    /// The position as SFEN, the side to move being Black.
    pub fn sfen(&self) -> String {
        let piece = |index: usize| {
            let (owner, kind) = (index / PieceType::COUNT, index % PieceType::COUNT);
            Piece::new(Color::ALL[owner], PieceType::ALL[kind])
        };
        let mut board = [const { None }; Square::COUNT];
        for man in self.men().iter().filter(|man| man.index() < Man::ON_BOARD) {
            let text = piece(man.index() / Square::COUNT).to_string();
            board[man.index() % Square::COUNT] = Some(text);
        }
        let row = |rank: usize| -> String {
            let pieces = (0..9).rev().map(|file| board[file * 9 + rank].as_deref());
            pieces.map(|piece| piece.unwrap_or("1")).collect()
        };
        let rows: Vec<String> = (0..9).map(row).collect();
        let mut held = String::new();
        for (color, hand) in Color::ALL.into_iter().zip(self.hands()) {
            for (kind, count) in hand.iter() {
                held += &format!("{count}{}", Piece::new(color, kind.kind()));
            }
        }
        let held = if held.is_empty() { "-" } else { &held };
        format!("{} b {held} 1", rows.join("/"))
    }

    /// The recorded score.
    #[inline]
    pub fn score(&self) -> i16 {
        self.score
    }

    /// Replaces the recorded score.
    pub fn set_score(&mut self, score: i16) {
        self.score = score;
    }

    /// The result for the side to move: 0, 0.5 or 1.
    #[inline]
    pub fn result(&self) -> f32 {
        match self.outcome {
            Outcome::Loss => 0.0,
            Outcome::Draw => 0.5,
            Outcome::Win => 1.0,
        }
    }
}

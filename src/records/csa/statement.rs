//! The statements of a CSA file.

use std::time::Duration;

use winnow::Parser;
use winnow::combinator::{opt, preceded};
use winnow::token::{one_of, take_while};

use crate::shogi::{Color, File, HandPiece, Move, Piece, PieceType, Position, Rank, Square};

use super::super::error::{Fault, Foul};
use super::super::words::{Parse, fraction, number};
use super::words::{kind, square_or_hand};

/// A square or the hand, and what is there; no kind means all remaining pieces (`AL`).
pub type Placed = (Option<Square>, Option<PieceType>);

/// A move as it is written: with the piece as it is after the move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct WrittenMove {
    pub color: Color,
    from: Option<Square>,
    to: Square,
    kind: PieceType,
}

/// `+` or `-`.
pub fn color(input: &mut &str) -> Parse<Color> {
    one_of(['+', '-'])
        .map(|sign| {
            if sign == '+' {
                Color::Black
            } else {
                Color::White
            }
        })
        .context("+ or -")
        .parse_next(input)
}

/// Squares and pieces, all that `P+`, `P-` and `PI` have.
pub fn placed(input: &mut &str) -> Parse<Vec<Placed>> {
    let mut places = Vec::new();
    let blanks = input.len() - input.trim_end().len();
    while input.len() > blanks {
        let square = square_or_hand.parse_next(input)?;
        let rest = opt("AL").parse_next(input)?.filter(|_| square.is_none());
        let piece = match rest {
            Some(_) => None,
            None => Some(kind.parse_next(input)?),
        };
        places.push((square, piece));
    }
    *input = "";
    Ok(places)
}

/// A row after its number: nine of `+FU`, `-FU` and ` * `. Blanks may be missing.
pub fn row(input: &mut &str) -> Parse<[Option<Piece>; 9]> {
    let mut pieces = [None; 9];
    for piece in &mut pieces {
        take_while(0.., ' ').void().parse_next(input)?;
        *piece = match opt('*').parse_next(input)? {
            Some(_) => None,
            None => {
                let owner = color.context("a square of the board").parse_next(input)?;
                Some(Piece::new(owner, kind.parse_next(input)?))
            }
        };
    }
    Ok(pieces)
}

/// The squares of a row, from the left.
pub fn squares_of(rank: Rank) -> impl Iterator<Item = Square> {
    File::all().rev().map(move |file| Square::new(file, rank))
}

/// A move: `+7776FU`.
pub fn written_move(input: &mut &str) -> Parse<WrittenMove> {
    let color = color.parse_next(input)?;
    let from = square_or_hand.parse_next(input)?;
    let to = square_or_hand
        .verify_map(|square| square)
        .context("a square")
        .parse_next(input)?;
    let kind = kind.parse_next(input)?;
    Ok(WrittenMove {
        color,
        from,
        to,
        kind,
    })
}

/// Whether a text begins with a move.
pub fn is_move(text: &str) -> bool {
    written_move.parse_peek(text).is_ok()
}

impl WrittenMove {
    /// The move in the position in which it is played; `text` is how it was written.
    ///
    /// # Errors
    ///
    /// That it is not the player's turn, or that no such piece is there.
    pub fn find(self, position: &Position, text: &str) -> Result<Move, Fault> {
        let illegal = |foul| Fault::Illegal {
            text: text.to_owned(),
            foul,
        };
        if self.color != position.side_to_move() {
            return Err(illegal(Foul::WrongSide));
        }
        let Some(from) = self.from else {
            let kind = HandPiece::from_captured(self.kind);
            let kind = kind.filter(|hand| hand.kind() == self.kind);
            let kind = kind.ok_or_else(|| illegal(Foul::Impossible))?;
            return Ok(Move::drop(kind, self.to));
        };
        let before = position.piece_on(from).map(|piece| piece.kind());
        let promote = before != Some(self.kind);
        let after = before.and_then(|kind| if promote { kind.promoted() } else { Some(kind) });
        if after != Some(self.kind) || from == self.to {
            return Err(illegal(Foul::Impossible));
        }
        Ok(Move::board(from, self.to, promote))
    }
}

/// Seconds behind `T`, in version 3.0 with a fraction: `12`, `0.345`, `1.`.
pub fn seconds(input: &mut &str) -> Parse<Duration> {
    let seconds = number.context("seconds").parse_next(input)?;
    let millis = opt(preceded('.', fraction)).parse_next(input)?;
    Ok(Duration::from_secs(seconds).saturating_add(Duration::from_millis(millis.unwrap_or(0))))
}

/// A word behind `%`.
pub fn special<'a>(input: &mut &'a str) -> Parse<&'a str> {
    take_while(1.., ('A'..='Z', '_', '+', '-'))
        .context("a word like TORYO")
        .parse_next(input)
}

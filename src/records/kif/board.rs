//! Boards drawn with characters, and the lines about hands beside them.

use winnow::Parser;
use winnow::combinator::opt;

use crate::shogi::{Color, File, HandPiece, Piece, Position, Rank, Square};

use super::super::setup::Setup;
use super::super::words::{self, Parse, board_piece_text, kanji_count, rank_text};

/// The line above and below a board.
const EDGE: &str = "+---------------------------+";

/// A row of a board: `|v香 ・ 歩 ..|一`. The rank at its end may be missing.
pub fn row(input: &mut &str) -> Parse<([Option<Piece>; 9], Option<Rank>)> {
    winnow::token::one_of(['|', '｜'])
        .void()
        .parse_next(input)?;
    let mut pieces = [None; 9];
    for piece in &mut pieces {
        *piece = cell(input)?;
    }
    winnow::token::one_of(['|', '｜'])
        .context("the edge of the board")
        .void()
        .parse_next(input)?;
    let rank = opt(words::rank).parse_next(input)?;
    Ok((pieces, rank))
}

/// A square: a sign for White and a piece, or a dot.
fn cell(input: &mut &str) -> Parse<Option<Piece>> {
    let is_white = winnow::token::one_of([' ', 'v', 'V', 'ｖ', '^', '\u{3000}'])
        .map(|sign| matches!(sign, 'v' | 'V' | 'ｖ'))
        .context("a square of the board")
        .parse_next(input)?;
    let is_empty = opt(winnow::token::one_of(['・', '･', '.', '*', '口'])).parse_next(input)?;
    if is_empty.is_some() {
        return Ok(None);
    }
    let color = if is_white { Color::White } else { Color::Black };
    let kind = words::piece.parse_next(input)?;
    Ok(Some(Piece::new(color, kind)))
}

/// The pieces in a hand: `飛　金二　歩十七`, or なし.
pub fn hand(input: &mut &str) -> Parse<Vec<(HandPiece, u32)>> {
    let mut pieces = Vec::new();
    words::blanks.parse_next(input)?;
    opt("なし").parse_next(input)?;
    loop {
        words::blanks.parse_next(input)?;
        if input.is_empty() {
            return Ok(pieces);
        }
        let kind = words::piece
            .verify_map(|kind| HandPiece::from_captured(kind).filter(|hand| hand.kind() == kind))
            .context("a piece in hand")
            .parse_next(input)?;
        let count = opt(words::count).parse_next(input)?.unwrap_or(1);
        pieces.push((kind, u32::try_from(count).unwrap_or(u32::MAX)));
    }
}

/// Puts a row where it belongs.
pub fn place_row(setup: &mut Setup, rank: Rank, pieces: [Option<Piece>; 9]) {
    for (file, piece) in File::all().rev().zip(pieces) {
        setup.set(Square::new(file, rank), piece);
    }
}

/// The drawing of a position, hands and the player to move included.
pub fn draw(position: &Position) -> String {
    let mut text = format!("後手の持駒：{}\n", hand_text(position, Color::White));
    text += "  ９ ８ ７ ６ ５ ４ ３ ２ １\n";
    text += &format!("{EDGE}\n");
    for rank in Rank::all() {
        text.push('|');
        for file in File::all().rev() {
            text += &match position.piece_on(Square::new(file, rank)) {
                None => " ・".to_owned(),
                Some(piece) => {
                    let sign = if piece.color() == Color::White {
                        'v'
                    } else {
                        ' '
                    };
                    format!("{sign}{}", board_piece_text(piece.kind()))
                }
            };
        }
        text += &format!("|{}\n", rank_text(rank));
    }
    text += &format!("{EDGE}\n");
    text += &format!("先手の持駒：{}\n", hand_text(position, Color::Black));
    if position.ply() > 1 {
        text += &format!("手数＝{}  まで\n", position.ply() - 1);
    }
    text += match position.side_to_move() {
        Color::Black => "先手番\n",
        Color::White => "後手番\n",
    };
    text
}

fn hand_text(position: &Position, color: Color) -> String {
    let hand = position.hand(color);
    if hand.is_empty() {
        return "なし".to_owned();
    }
    let pieces = HandPiece::BY_VALUE.iter().filter(|&&kind| hand.has(kind));
    pieces
        .map(|&kind| {
            let count = kanji_count(hand.count(kind));
            format!("{}{count}\u{3000}", board_piece_text(kind.kind()))
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hands_are_read_in_every_way_they_are_written() {
        use HandPiece::{Bishop, Lance, Pawn};
        for (text, pieces) in [
            ("なし", vec![]),
            ("", vec![]),
            ("角　歩十七　", vec![(Bishop, 1), (Pawn, 17)]),
            ("角 歩17", vec![(Bishop, 1), (Pawn, 17)]),
            ("歩十八香四角", vec![(Pawn, 18), (Lance, 4), (Bishop, 1)]),
        ] {
            assert_eq!(hand.parse_peek(text).unwrap().1, pieces, "{text}");
        }
        assert!(hand.parse_peek("玉").is_err() && hand.parse_peek("歩x").is_err());
    }

    #[test]
    fn rows_need_nine_squares() {
        let (pieces, rank) = row.parse_peek("| ・v飛 ・ ・ ・ ・ ・ 龍 ・|二").unwrap().1;
        assert_eq!(pieces.iter().flatten().count(), 2);
        assert_eq!(rank.unwrap().index(), 1);
        assert!(row.parse_peek("| ・v飛 ・ ・|二").is_err());
    }
}

//! The vocabulary of Japanese records: numbers, squares, pieces. Small parsers, which on failure leave the input where
//! they stopped.

use winnow::Parser;
use winnow::combinator::{alt, opt};
use winnow::error::ContextError;
use winnow::token::{any, one_of, take_while};

use crate::shogi::{File, PieceType, Rank, Square};

use super::error::Fault;

/// The result of a parser; the context of an error says what was expected.
pub(super) type Parse<T> = winnow::Result<T, ContextError<&'static str>>;

/// What a parser expected where `rest` begins.
pub(super) fn fault(error: &ContextError<&'static str>, rest: &str) -> Fault {
    // The innermost context comes first.
    let expected = error.context().next().copied();
    Fault::expected(expected.unwrap_or("something else"), rest)
}

const FILES: [char; 9] = ['１', '２', '３', '４', '５', '６', '７', '８', '９'];
const RANKS: [char; 9] = ['一', '二', '三', '四', '五', '六', '七', '八', '九'];

/// The pieces by their names in moves; the first for a kind is the one that is written.
const PIECES: [(&str, PieceType); 23] = [
    ("成香", PieceType::ProLance),
    ("成桂", PieceType::ProKnight),
    ("成銀", PieceType::ProSilver),
    ("歩", PieceType::Pawn),
    ("香", PieceType::Lance),
    ("桂", PieceType::Knight),
    ("銀", PieceType::Silver),
    ("角", PieceType::Bishop),
    ("飛", PieceType::Rook),
    ("金", PieceType::Gold),
    ("玉", PieceType::King),
    ("王", PieceType::King),
    ("と", PieceType::ProPawn),
    ("馬", PieceType::Horse),
    ("龍", PieceType::Dragon),
    ("竜", PieceType::Dragon),
    ("杏", PieceType::ProLance),
    ("圭", PieceType::ProKnight),
    ("全", PieceType::ProSilver),
    ("成歩", PieceType::ProPawn),
    ("成角", PieceType::Horse),
    ("成飛", PieceType::Dragon),
    ("仝", PieceType::ProSilver),
];

/// Blanks between words, the wide one included.
pub(super) fn is_blank(c: char) -> bool {
    matches!(c, ' ' | '\t' | '\u{3000}')
}

/// Any blanks.
pub(super) fn blanks(input: &mut &str) -> Parse<()> {
    take_while(0.., is_blank).void().parse_next(input)
}

/// A decimal digit, narrow or wide.
pub(super) fn digit(input: &mut &str) -> Parse<u32> {
    any.verify_map(|c: char| match c {
        '0'..='9' => c.to_digit(10),
        '０'..='９' => Some(c as u32 - '０' as u32),
        _ => None,
    })
    .context("a digit")
    .parse_next(input)
}

/// A number in decimal digits, narrow or wide.
pub(super) fn number(input: &mut &str) -> Parse<u64> {
    let mut number = u64::from(digit.context("a number").parse_next(input)?);
    while let Some(next) = opt(digit).parse_next(input)? {
        number = number.saturating_mul(10).saturating_add(next.into());
    }
    Ok(number)
}

/// The digits after the point, in milliseconds.
pub(super) fn fraction(input: &mut &str) -> Parse<u64> {
    let digits = take_while(0.., '0'..='9').parse_next(input)?;
    let millis = digits.chars().chain("000".chars()).take(3);
    Ok(millis.fold(0, |sum, c| {
        sum * 10 + u64::from(c.to_digit(10).unwrap_or(0))
    }))
}

/// A small number in decimal or kanji digits: 17, １７, 十七, 一七.
pub(super) fn count(input: &mut &str) -> Parse<u64> {
    let mut count: u64 = 0;
    let mut digits = 0;
    loop {
        let mut rest = *input;
        let next = match any::<_, ContextError<&str>>.parse_next(&mut rest) {
            Ok('十') => {
                count = count.max(1).saturating_mul(10);
                digits += 1;
                *input = rest;
                // What follows is added, not appended.
                if let Some(unit) = opt(kanji_digit).parse_next(input)? {
                    count = count.saturating_add(unit);
                }
                continue;
            }
            _ => opt(alt((kanji_digit, digit.map(u64::from)))).parse_next(input)?,
        };
        let Some(next) = next else { break };
        count = count.saturating_mul(10).saturating_add(next);
        digits += 1;
    }
    match digits {
        0 => winnow::combinator::fail
            .context("a number")
            .parse_next(input),
        _ => Ok(count),
    }
}

fn kanji_digit(input: &mut &str) -> Parse<u64> {
    any.verify_map(|c: char| RANKS.iter().position(|&rank| rank == c))
        .map(|index| index as u64 + 1)
        .parse_next(input)
}

/// A number up to 99 in kanji, without 一 for one.
pub(super) fn kanji_count(count: u32) -> String {
    let digit = |digit: u32| match digit {
        0 => String::new(),
        digit => RANKS[digit as usize - 1].to_string(),
    };
    match (count / 10, count % 10) {
        (0, 1) => String::new(),
        (0, ones) => digit(ones),
        (1, ones) => format!("十{}", digit(ones)),
        (tens, ones) => format!("{}十{}", digit(tens), digit(ones)),
    }
}

/// A square: the file in digits, the rank in kanji or digits.
pub(super) fn square(input: &mut &str) -> Parse<Square> {
    let file = alt((digit.map(u64::from), kanji_digit))
        .verify_map(|file| File::try_new((file as u8).wrapping_sub(1)))
        .context("a square")
        .parse_next(input)?;
    let rank = alt((kanji_digit, digit.map(u64::from)))
        .verify_map(|rank| Rank::try_new((rank as u8).wrapping_sub(1)))
        .context("a rank")
        .parse_next(input)?;
    Ok(Square::new(file, rank))
}

/// A square as it is written: ７六.
pub(super) fn square_text(square: Square) -> String {
    let file = FILES[square.file().index()];
    format!("{file}{}", RANKS[square.rank().index()])
}

/// The rank's name on the edge of a board.
pub(super) const fn rank_text(rank: Rank) -> char {
    RANKS[rank.index()]
}

/// The rank with a name.
pub(super) fn rank(input: &mut &str) -> Parse<Rank> {
    kanji_digit
        .verify_map(|rank| Rank::try_new(rank as u8 - 1))
        .context("a rank")
        .parse_next(input)
}

/// A piece: 歩, 成銀, 龍.
pub(super) fn piece(input: &mut &str) -> Parse<PieceType> {
    for (name, kind) in PIECES {
        if let Some(rest) = input.strip_prefix(name) {
            *input = rest;
            return Ok(kind);
        }
    }
    winnow::combinator::fail
        .context("a piece")
        .parse_next(input)
}

/// A piece as it is written in moves.
pub(super) fn piece_text(kind: PieceType) -> &'static str {
    let name = PIECES.iter().find(|(_, known)| *known == kind);
    name.map_or("", |(name, _)| name)
}

/// A piece as it is written on a board, by one character.
pub(super) fn board_piece_text(kind: PieceType) -> &'static str {
    match kind {
        PieceType::ProLance => "杏",
        PieceType::ProKnight => "圭",
        PieceType::ProSilver => "全",
        kind => piece_text(kind),
    }
}

/// The sign before a move that tells whose it is.
pub(super) fn mark(input: &mut &str) -> Parse<char> {
    one_of(['▲', '△', '▼', '▽', '☗', '☖'])
        .context("▲ or △")
        .parse_next(input)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_read_in_all_digits() {
        for (text, expected) in [
            ("17", 17),
            ("１７", 17),
            ("十七", 17),
            ("一七", 17),
            ("十", 10),
            ("二十三", 23),
            ("九", 9),
        ] {
            assert_eq!(count.parse_peek(text), Ok(("", expected)), "{text}");
        }
        assert!(count.parse_peek("歩").is_err());
        for number in 2..=99 {
            assert_eq!(
                count.parse_peek(&kanji_count(number)).unwrap().1,
                u64::from(number)
            );
        }
        let many = "9".repeat(40);
        assert_eq!(number.parse_peek(many.as_str()).unwrap().1, u64::MAX);
    }

    #[test]
    fn squares_and_pieces_are_read_as_they_are_written() {
        for expected in Square::all() {
            let text = square_text(expected);
            assert_eq!(square.parse_peek(text.as_str()), Ok(("", expected)));
        }
        for text in ["76", "７６", "7六", "七六"] {
            assert_eq!(square_text(square.parse_peek(text).unwrap().1), "７六");
        }
        assert!(square.parse_peek("7").is_err() && square.parse_peek("07").is_err());
        for kind in PieceType::ALL {
            assert_eq!(piece.parse_peek(piece_text(kind)), Ok(("", kind)));
            assert_eq!(piece.parse_peek(board_piece_text(kind)), Ok(("", kind)));
        }
    }
}

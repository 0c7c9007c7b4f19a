//! The codes for pieces, which JKF has as well, and the names of headers.

use winnow::Parser;
use winnow::token::take;

use crate::shogi::{PieceType, Square};

use super::super::words::{Parse, digit};

/// The kinds of pieces in the order of [`PieceType::ALL`].
const KINDS: [&str; PieceType::COUNT] = [
    "FU", "KY", "KE", "GI", "KA", "HI", "KI", "OU", "TO", "NY", "NK", "NG", "UM", "RY",
];

/// A header of CSA and the key it has in a record.
pub struct Keyword {
    pub csa: &'static str,
    pub key: &'static str,
    /// Whether it came with version 3.0.
    pub is_new: bool,
}

/// The headers that begin with `$`. TIME stands where TIME_LIMIT cannot hold the value.
pub const KEYWORDS: [Keyword; 12] = [
    Keyword::old("EVENT", "棋戦"),
    Keyword::old("SITE", "場所"),
    Keyword::old("START_TIME", "開始日時"),
    Keyword::old("END_TIME", "終了日時"),
    Keyword::old("TIME_LIMIT", "持ち時間"),
    Keyword::old("OPENING", "戦型"),
    Keyword::new("TIME", "持ち時間"),
    Keyword::new("TIME+", "先手持ち時間"),
    Keyword::new("TIME-", "後手持ち時間"),
    Keyword::new("MAX_MOVES", "最大手数"),
    Keyword::new("JISHOGI", "持将棋"),
    Keyword::new("NOTE", "備考"),
];

impl Keyword {
    const fn old(csa: &'static str, key: &'static str) -> Self {
        let is_new = false;
        Self { csa, key, is_new }
    }

    const fn new(csa: &'static str, key: &'static str) -> Self {
        let is_new = true;
        Self { csa, key, is_new }
    }

    /// Whether a value has the form that the keyword wants: TIME_LIMIT `HH:MM+SS`, the times of version 3.0 three
    /// numbers of seconds, MAX_MOVES a number.
    pub fn can_hold(&self, value: &str) -> bool {
        let is_number =
            |text: &str| !text.is_empty() && text.chars().all(|c| c.is_ascii_digit() || c == '.');
        let are_numbers = |text: &str, count: usize| {
            let numbers = || text.split([':', '+']);
            numbers().count() == count && numbers().all(is_number)
        };
        match self.csa {
            "TIME_LIMIT" => value.contains(':') && are_numbers(value, 3),
            "TIME" | "TIME+" | "TIME-" => !value.contains(':') && are_numbers(value, 3),
            "MAX_MOVES" => is_number(value),
            _ => true,
        }
    }
}

/// Whether a header without a keyword can stand behind `$` by its own name.
pub fn is_own_name(key: &str) -> bool {
    let is_letter = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '+' | '-');
    let is_known = KEYWORDS.iter().any(|keyword| keyword.csa == key);
    !key.is_empty() && key.chars().all(is_letter) && !is_known
}

/// The code of a kind of piece.
pub const fn kind_code(kind: PieceType) -> &'static str {
    KINDS[kind.index()]
}

/// The kind of piece with a code.
pub fn kind_of_code(code: &str) -> Option<PieceType> {
    let index = KINDS.iter().position(|known| *known == code)?;
    Some(PieceType::ALL[index])
}

/// A piece by its code.
pub fn kind(input: &mut &str) -> Parse<PieceType> {
    take(2_usize)
        .verify_map(kind_of_code)
        .context("a piece (FU, KY ..)")
        .parse_next(input)
}

/// A square in two digits; `None` for `00`, the hand.
pub fn square_or_hand(input: &mut &str) -> Parse<Option<Square>> {
    let start = *input;
    let digits = (digit, digit).context("a square").parse_next(input)?;
    if digits == (0, 0) {
        return Ok(None);
    }
    *input = start;
    super::super::words::square.map(Some).parse_next(input)
}

/// A square as it is written.
pub fn square_code(square: Square) -> String {
    format!("{}{}", square.file().index() + 1, square.rank().index() + 1)
}

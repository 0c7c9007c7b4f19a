//! The kinds of lines of a KIF or KI2 file.

use winnow::Parser;

use crate::shogi::Color;

use super::super::words::{blanks, is_blank, mark, number, piece, square};

/// A line by its beginning.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Line<'a> {
    /// Nothing, the title of the moves, the edge of a board, or a remark for programs (`#`), which all readers skip.
    Nothing,
    /// `*` and a line of a comment.
    Comment(&'a str),
    /// `&` and a bookmark.
    Bookmark(&'a str),
    /// 手合割.
    Handicap(&'a str),
    /// The pieces in a hand.
    Hand(Color, &'a str),
    /// A row of a board, from its first `|`.
    Row(&'a str),
    /// Who is to move.
    Turn(Color),
    /// The number of moves before the board (手数＝).
    MoveCount(&'a str),
    /// 変化, and at which move.
    Branch(&'a str),
    /// まで, how the line ended.
    Summary(&'a str),
    /// A move with its number, or an end.
    Numbered(&'a str),
    /// Moves as books write them.
    Moves(&'a str),
    /// A header: key and value.
    Header(&'a str, &'a str),
    /// Anything else.
    Text(&'a str),
}

const BLACK: [&str; 2] = ["先手", "下手"];
const WHITE: [&str; 2] = ["後手", "上手"];

impl<'a> Line<'a> {
    /// The kind of a line, by its beginning.
    pub fn of(line: &'a str) -> Self {
        let text = line.trim_start_matches(is_blank);
        let Some(first) = text.chars().next() else {
            return Self::Nothing;
        };
        match first {
            '#' => return Self::Nothing,
            '*' => return Self::Comment(&text[1..]),
            '&' => return Self::Bookmark(&text[1..]),
            '|' | '｜' => return Self::Row(text),
            '+' if text.starts_with("+-") => return Self::Nothing,
            _ => {}
        }
        if text.starts_with("手数-") || is_files(text) {
            return Self::Nothing;
        }
        if let Some(rest) = text.strip_prefix("手数＝").or(text.strip_prefix("手数=")) {
            return Self::MoveCount(rest);
        }
        if let Some(rest) = text.strip_prefix("まで") {
            return Self::Summary(rest);
        }
        for (color, names) in [(Color::Black, BLACK), (Color::White, WHITE)] {
            let rest = names.iter().find_map(|name| text.strip_prefix(name));
            if rest.is_some_and(|rest| rest.trim() == "番") {
                return Self::Turn(color);
            }
        }
        if is_numbered(text) {
            return Self::Numbered(text);
        }
        if is_move(text) {
            return Self::Moves(text);
        }
        match split_header(text) {
            Some(("手合割", value)) => Self::Handicap(value),
            Some(("変化", value)) => Self::Branch(value),
            Some((key, value)) => match hand_of(key) {
                Some(color) => Self::Hand(color, value),
                None => Self::Header(key, value),
            },
            None => Self::Text(text),
        }
    }
}

/// Key and value at the first colon; the key is one word.
fn split_header(text: &str) -> Option<(&str, &str)> {
    let at = text.find(['：', ':'])?;
    let colon = text[at..].chars().next().map_or(1, char::len_utf8);
    let key = text[..at].trim_end_matches(is_blank);
    let is_word = !key.is_empty() && !key.contains(char::is_whitespace);
    is_word.then(|| (key, &text[at + colon..]))
}

/// Whose pieces a header like 先手の持駒 names.
fn hand_of(key: &str) -> Option<Color> {
    let owner = key
        .strip_suffix("の持駒")
        .or(key.strip_suffix("の持ち駒"))?;
    match owner {
        owner if BLACK.contains(&owner) => Some(Color::Black),
        owner if WHITE.contains(&owner) => Some(Color::White),
        _ => None,
    }
}

/// The numbers of the files above a board.
fn is_files(text: &str) -> bool {
    let digit = |c: char| match c {
        '１'..='９' => Some(c as u32 - '０' as u32),
        c => c.to_digit(10),
    };
    let words = || text.split(is_blank).filter(|word| !word.is_empty());
    words().count() == 9
        && words().zip((1..=9).rev()).all(|(word, file)| {
            let mut chars = word.chars();
            chars.next().and_then(digit) == Some(file) && chars.next().is_none()
        })
}

/// Whether a number stands by itself before something.
fn is_numbered(text: &str) -> bool {
    let mut rest = text;
    if number.parse_next(&mut rest).is_err() {
        return false;
    }
    let is_apart = rest.starts_with(is_blank) || mark.parse_peek(rest).is_ok();
    is_apart && !rest.trim_matches(is_blank).is_empty()
}

/// Whether a line has a number and a move.
pub fn is_numbered_move(line: &str) -> bool {
    let mut rest = line.trim_start_matches(is_blank);
    is_numbered(rest) && number.parse_next(&mut rest).is_ok() && {
        let rest = rest.trim_start_matches(is_blank);
        is_move(rest) || mark.parse_peek(rest).is_ok()
    }
}

/// Whether a text begins with the sign of a player, or with a move without it.
fn is_move(text: &str) -> bool {
    let mut rest = text;
    if mark.parse_next(&mut rest).is_ok() {
        return true;
    }
    let is_target = match rest.strip_prefix('同') {
        Some(after) => {
            rest = after;
            blanks.parse_next(&mut rest).is_ok()
        }
        None => square.parse_next(&mut rest).is_ok(),
    };
    is_target && piece.parse_next(&mut rest).is_ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_told_by_their_beginning() {
        for (text, line) in [
            ("", Line::Nothing),
            ("　", Line::Nothing),
            ("# ---- Kifu for Windows ----", Line::Nothing),
            ("手数----指手---------消費時間--", Line::Nothing),
            ("  ９ ８ ７ ６ ５ ４ ３ ２ １", Line::Nothing),
            ("+---------------------------+", Line::Nothing),
            ("**対局", Line::Comment("*対局")),
            ("&しおり", Line::Bookmark("しおり")),
            ("手合割：平手　　", Line::Handicap("平手　　")),
            ("上手の持駒：なし", Line::Hand(Color::White, "なし")),
            ("|v香 ・|一", Line::Row("|v香 ・|一")),
            ("下手番", Line::Turn(Color::Black)),
            (
                "手数＝3  ▲２二角成  まで",
                Line::MoveCount("3  ▲２二角成  まで"),
            ),
            ("手数：21", Line::Header("手数", "21")),
            ("変化：   3手", Line::Branch("   3手")),
            ("まで4手で中断", Line::Summary("4手で中断")),
            ("   1 ７六歩(77)", Line::Numbered("1 ７六歩(77)")),
            ("1 ▲７六歩(77)", Line::Numbered("1 ▲７六歩(77)")),
            ("▲７六歩 △３四歩", Line::Moves("▲７六歩 △３四歩")),
            ("76歩 34歩", Line::Moves("76歩 34歩")),
            ("同　銀", Line::Moves("同　銀")),
            ("先手:甲", Line::Header("先手", "甲")),
            (
                "開始日時：1999/07/15(木) 19:07:12",
                Line::Header("開始日時", "1999/07/15(木) 19:07:12"),
            ),
            ("同時に：終了", Line::Header("同時に", "終了")),
            ("ここから 見る：もの", Line::Text("ここから 見る：もの")),
            ("2024年", Line::Text("2024年")),
        ] {
            assert_eq!(Line::of(text), line, "{text}");
        }
    }
}

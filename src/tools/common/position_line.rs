//! Positions as people write them: SFEN alone, or the line that a GUI sends.

use crate::shogi::sfen::STARTPOS;

/// `position`, `sfen` or `startpos`, and `moves`, of which everything may be missing but a position or moves.
#[derive(Debug, PartialEq, Eq)]
pub struct PositionLine<'a> {
    /// Where the moves begin.
    pub sfen: &'a str,
    /// The words after `moves`.
    pub moves: Vec<&'a str>,
}

impl<'a> PositionLine<'a> {
    /// Splits a line without checking what its words mean.
    pub fn new(line: &'a str) -> Self {
        let text = without(line.trim(), "position");
        let (root, moves) = text.split_once("moves").unwrap_or((text, ""));
        let has_moves = root.len() < text.len();
        let sfen = match root.trim() {
            "startpos" => STARTPOS,
            "" if has_moves => STARTPOS,
            root => without(root, "sfen"),
        };
        Self {
            sfen,
            moves: moves.split_whitespace().collect(),
        }
    }
}

/// A text without the word, if it begins with it.
fn without<'a>(text: &'a str, word: &str) -> &'a str {
    let rest = text.strip_prefix(word);
    let rest = rest.filter(|rest| rest.starts_with(char::is_whitespace));
    rest.map_or(text, str::trim_start)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_taken_apart() {
        const SFEN: &str = "4k4/9/9/9/9/9/9/9/4K4 b R2P 3";
        for (line, sfen, moves) in [
            (SFEN, SFEN, vec![]),
            ("startpos", STARTPOS, vec![]),
            (
                "position startpos moves 7g7f  3c3d",
                STARTPOS,
                vec!["7g7f", "3c3d"],
            ),
            ("moves 7g7f", STARTPOS, vec!["7g7f"]),
            ("startpos moves", STARTPOS, vec![]),
            (&format!("sfen {SFEN} moves R*5b"), SFEN, vec!["R*5b"]),
            (&format!("position  sfen {SFEN} "), SFEN, vec![]),
            ("positions", "positions", vec![]),
            ("", "", vec![]),
        ] {
            assert_eq!(
                PositionLine::new(line),
                PositionLine { sfen, moves },
                "{line}"
            );
        }
    }
}

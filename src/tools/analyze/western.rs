//! Moves in western letters: `P7g-7f`, `B8hx2b+`, `+R5ax5b`, `P*5e`. The square of origin always stands there.

use crate::shogi::{Move, MoveKind, Position};

/// The text of a move that is played in a position.
pub fn text(position: &Position, mv: Move) -> String {
    let to = mv.to();
    match mv.kind() {
        MoveKind::Drop(kind) => format!("{}*{to}", kind.kind().letter()),
        MoveKind::Board { from, promote } => {
            let kind = position.piece_on(from).map(|piece| piece.kind());
            let plus = if kind.is_some_and(|kind| kind.is_promoted()) {
                "+"
            } else {
                ""
            };
            let letter = kind.map_or('?', |kind| kind.letter());
            let sign = if position.piece_on(to).is_some() {
                'x'
            } else {
                '-'
            };
            let end = if promote { "+" } else { "" };
            format!("{plus}{letter}{from}{sign}{to}{end}")
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pieces_captures_and_promotions_are_told() {
        let moves = ["7g7f", "3c3d", "8h2b+", "3a2b", "B*4e"];
        let moves = moves.map(|mv| mv.parse().unwrap());
        assert_eq!(
            crate::records::line_texts(&Position::startpos(), &moves, text),
            ["P7g-7f", "P3c-3d", "B8hx2b+", "S3ax2b", "B*4e"]
        );
        let promoted = Position::from_sfen("k8/9/9/4+R4/9/9/9/9/4K4 b - 1").unwrap();
        assert_eq!(text(&promoted, "5d5c".parse().unwrap()), "+R5d-5c");
    }
}

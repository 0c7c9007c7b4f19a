//! The output of the commands for people and scripts: `moves`, `d`, `eval`.

use crate::eval::Evaluation;
use crate::score::Score;
use crate::shogi::{Color, Declaration, EnteringKingRule, Position, Repetition};

/// `moves <count> <move> ...`: all legal moves, sorted as text.
pub fn moves(position: &Position) -> String {
    let mut moves: Vec<_> = position
        .legal_moves()
        .iter()
        .map(|mv| mv.to_string())
        .collect();
    moves.sort_unstable();
    let words: Vec<_> = ["moves".to_owned(), moves.len().to_string()]
        .into_iter()
        .chain(moves)
        .collect();
    words.join(" ")
}

/// The board, then what else makes up a position.
pub fn display(position: &Position, rule: EnteringKingRule) -> String {
    let checkers: Vec<_> = position
        .checkers()
        .squares()
        .map(|square| square.to_string())
        .collect();
    let checkers = if checkers.is_empty() {
        "-".to_owned()
    } else {
        checkers.join(" ")
    };
    let repetition = match position.repetition() {
        Repetition::None => "none",
        Repetition::Draw => "draw",
        Repetition::Win => "win",
        Repetition::Lose => "lose",
    };
    let (declaration, draw) = match position.declaration(rule) {
        Declaration::Win => ("yes", ""),
        Declaration::Draw => ("no", ", enough for a draw"),
        Declaration::None => ("no", ""),
    };
    let mut passed = position.clone();
    passed.do_null_move();
    let (own, other) = (points(position), points(&passed));
    let (black, white) = match position.side_to_move() {
        Color::Black => (own, other),
        Color::White => (other, own),
    };
    format!(
        "{position}\npoints: black {black}, white {white}{draw}\nsfen: {}\nkey: {:016x}\ncheckers: {checkers}\nrepetition: {repetition}\ndeclaration: {declaration}",
        position.sfen(),
        position.key(),
    )
}

/// What counts for a declaration by the side to move: points of pieces in the camp and in hand, how many pieces are in
/// the camp, and whether the king is there.
fn points(position: &Position) -> String {
    let king = if position.is_king_in_zone() {
        ", king"
    } else {
        ""
    };
    format!(
        "{} ({} in camp{king})",
        position.declaration_points(),
        position.pieces_in_zone()
    )
}

/// `eval raw <int> value <int> cp <int>`, for the side to move.
pub fn evaluation(evaluation: Evaluation) -> String {
    let cp = match Score::from_value(evaluation.value) {
        Score::Cp(cp) => cp,
        Score::Mate(plies) => plies,
    };
    format!(
        "eval raw {} value {} cp {cp}",
        evaluation.raw, evaluation.value
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moves_are_sorted_as_text() {
        let position = Position::from_sfen("4k4/9/4P4/9/9/9/9/9/4K4 b P 1").unwrap();
        let text = moves(&position);
        let words: Vec<_> = text.split(' ').collect();
        assert_eq!(words[..2], ["moves", &(words.len() - 2).to_string()]);
        assert!(words[2..].is_sorted());
        assert!(words.contains(&"5c5b") && words.contains(&"5c5b+") && words.contains(&"P*1b"));
    }

    #[test]
    fn the_display_ends_with_the_facts() {
        let position = Position::startpos();
        let text = display(&position, EnteringKingRule::CSARule27);
        let lines: Vec<_> = text.lines().rev().take(5).collect();
        assert_eq!(lines[0], "declaration: no");
        assert_eq!(lines[1], "repetition: none");
        assert_eq!(lines[2], "checkers: -");
        assert_eq!(lines[3], format!("key: {:016x}", position.key()));
        assert_eq!(lines[4], format!("sfen: {}", position.sfen()));
        assert!(text.contains("\npoints: black 0 (0 in camp), white 0 (0 in camp)\n"));
    }

    #[test]
    fn declarations_and_checkers_are_shown() {
        let entered =
            Position::from_sfen("4K4/+R+RGGGGSSS/2S6/9/9/9/9/9/4k4 b 2B4N4L18P 1").unwrap();
        assert!(display(&entered, EnteringKingRule::CSARule27).ends_with("declaration: yes"));
        assert!(display(&entered, EnteringKingRule::NoEnteringKing).ends_with("declaration: no"));
        // Of the points of the hand, two bishops count five each, the rest one.
        let text = display(&entered, EnteringKingRule::CSARule24);
        let points = "\npoints: black 54 (10 in camp, king), white 0 (0 in camp, king)\n";
        assert!(text.contains(points), "{text}");
        let some = "4K4/+R+RGGGGSSS/2S6/9/9/9/9/9/4k4 b B4NPb4l17p 1";
        let some = Position::from_sfen(some).unwrap();
        let text = display(&some, EnteringKingRule::CSARule24);
        let points = "\npoints: black 28 (10 in camp, king), white 26 (0 in camp, king), enough for a draw\n";
        assert!(text.contains(points), "{text}");
        let checked = Position::from_sfen("4k4/4P4/9/9/9/9/9/9/4K4 w - 1").unwrap();
        assert!(display(&checked, EnteringKingRule::CSARule27).contains("\ncheckers: 5b\n"));
    }
}

//! Futile interpositions (無駄合い, mudaai): pieces that a defender drops between king and checker only for the checker to
//! take them with mate. Composers of mate problems do not count them; a defender who has nothing else is mated.

use crate::shogi::{Move, Position};

/// Whether the side to move is mated as the defender of a mate problem: in check by a player without a king, with
/// nothing left but futile interpositions. Where both sides have a king it is a game, and every move counts.
pub fn is_solved(position: &Position) -> bool {
    let attacker = !position.side_to_move();
    position.king(attacker).is_none() && is_mated(&mut position.clone())
}

fn is_mated(position: &mut Position) -> bool {
    let answers = position.legal_moves();
    position.in_check() && answers.iter().all(|&answer| is_futile(position, answer))
}

fn is_futile(position: &mut Position, answer: Move) -> bool {
    if !answer.is_drop() {
        return false;
    }
    let checkers = position.checkers();
    position.do_move(answer);
    let mates = position.legal_moves().iter().any(|&take| {
        if take.to() != answer.to() || !take.from().is_some_and(|from| checkers.contains(from)) {
            return false;
        }
        position.do_move(take);
        let is_mated = is_mated(position);
        position.undo_move();
        is_mated
    });
    position.undo_move();
    mates
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A rook checks along the first rank; the knight on 3c protects 2a, the gold the other squares round the king.
    const MATED: &str = "5R2k/9/6N1G/9/9/9/9/9/9 w r2b3g4s3n4l18p 1";

    #[test]
    fn interpositions_that_only_delay_the_mate_save_nobody() {
        for (sfen, expected) in [
            (MATED, true),
            // 2a is free to be recaptured by the king.
            ("5R2k/9/8G/9/9/9/9/9/9 w r2b3g4s4n4l18p 1", false),
            // A gold on the board can take part.
            ("5R2k/6g2/6N1G/9/9/9/9/9/9 w r2b2g4s3n4l18p 1", false),
            // A game, not a problem.
            ("5R2k/9/6N1G/9/9/9/9/9/4K4 w r2b3g4s3n4l18p 1", false),
            // No check.
            ("8k/9/6N1G/9/9/9/9/9/9 w 2r2b3g4s3n4l18p 1", false),
        ] {
            let position = Position::from_sfen_tolerant(sfen).unwrap().0;
            assert_eq!(is_solved(&position), expected, "{sfen}");
        }
    }
}

//! From a `position` command to a position, all or nothing. Tolerates what GUIs write.

use crate::shogi::{Move, Position, SfenError};

use super::command::{HistoryMove, PositionCommand, Root};

/// Board, side to move, hands, move number.
const SFEN_FIELDS: usize = 4;

/// Why a position is refused.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Rejection {
    /// The root cannot be read.
    #[error("sfen {0}")]
    Sfen(#[from] SfenError),
    /// A word in the list of moves that is no move.
    #[error("{0} is no move")]
    Unreadable(String),
    /// A move that no piece can make.
    #[error("{mv} is impossible at move {ply}")]
    Impossible {
        /// The move.
        mv: String,
        /// The number of the move in the game.
        ply: u32,
    },
}

/// What is odd about a position that is accepted all the same.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PositionRemark {
    /// The root breaks rules.
    #[error("position accepted although: {}", .0.iter().map(SfenError::to_string).collect::<Vec<_>>().join(", "))]
    Root(Vec<SfenError>),
    /// There is more than an SFEN has.
    #[error("position: what follows the move number is ignored")]
    Rest,
    /// The first foul in the history.
    #[error("position: {mv} at move {ply} is against the rules")]
    Foul {
        /// The move.
        mv: Move,
        /// The number of the move in the game.
        ply: u32,
    },
}

/// Builds the position that a command describes, the whole history played out. Whatever a piece can do is done, also
/// where a rule forbids it: the GUI has already accepted it. Besides the position: remarks for the user.
///
/// # Errors
///
/// [`Rejection`] names the first thing that is impossible.
pub fn set_up(command: &PositionCommand) -> Result<(Position, Vec<PositionRemark>), Rejection> {
    let mut remarks = Vec::new();
    let mut position = match &command.root {
        Root::Startpos => Position::startpos(),
        Root::Sfen(text) => {
            let (position, complaints) = Position::from_sfen_tolerant(text)?;
            if !complaints.is_empty() {
                remarks.push(PositionRemark::Root(complaints));
            }
            if text.split(' ').count() > SFEN_FIELDS {
                remarks.push(PositionRemark::Rest);
            }
            position
        }
    };
    remarks.extend(play(&mut position, &command.moves)?);
    match &command.unreadable {
        Some(word) => Err(Rejection::Unreadable(word.clone())),
        None => Ok((position, remarks)),
    }
}

/// Plays a history; returns a remark on the first foul in it.
fn play(
    position: &mut Position,
    moves: &[HistoryMove],
) -> Result<Option<PositionRemark>, Rejection> {
    let mut foul = None;
    for entry in moves {
        let HistoryMove::Move(mv) = *entry else {
            position.do_null_move();
            continue;
        };
        let ply = position.ply();
        if !position.is_playable(mv) {
            let mv = mv.to_string();
            return Err(Rejection::Impossible { mv, ply });
        }
        if foul.is_none() && !position.is_legal(mv) {
            foul = Some(PositionRemark::Foul { mv, ply });
        }
        position.do_move(mv);
    }
    Ok(foul)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn outcome(text: &str) -> Result<(Position, Vec<String>), Rejection> {
        let (position, remarks) = set_up(&PositionCommand::parse(text))?;
        Ok((
            position,
            remarks.iter().map(PositionRemark::to_string).collect(),
        ))
    }

    #[test]
    fn histories_are_played_out() {
        let (position, notes) = outcome("startpos moves 7g7f 0000 2g2f resign").unwrap();
        assert_eq!(position.ply(), 4);
        assert_eq!(position.side_to_move(), crate::shogi::Color::White);
        assert!(notes.is_empty());
    }

    #[test]
    fn fouls_are_played_and_remarked_once() {
        for text in [
            "startpos moves 2g2f 8c8d 2f2e 8d8e 2e2d 2c2d 2h2d P*2c P*9e",
            "sfen 4k4/9/9/9/9/9/9/9/K3R4 w - 1 moves 5a5b 9i9h 5b5a",
        ] {
            let (_, notes) = outcome(text).unwrap();
            assert_eq!(notes.len(), 1, "{text}: {notes:?}");
        }
        let unpromoted = "startpos moves 5g5f 5c5d 5f5e 5d5e 9g9f 5e5f 9f9e 5f5g 5i4h";
        assert!(outcome(unpromoted).unwrap().1.is_empty());
    }

    #[test]
    fn what_cannot_be_is_refused_with_a_reason() {
        for (text, reason) in [
            ("startpos moves 7g7e", "7g7e is impossible at move 1"),
            ("startpos moves 7g7f 5e5d", "5e5d is impossible at move 2"),
            ("startpos moves P*5e", "P*5e is impossible at move 1"),
            ("startpos moves 3c3d", "3c3d is impossible at move 1"),
            ("startpos moves 7g7f+", "7g7f+ is impossible at move 1"),
            ("startpos moves 7g", "7g is no move"),
        ] {
            assert_eq!(outcome(text).unwrap_err().to_string(), reason);
        }
        for text in ["", "sfen", "sfen garbage", "sfen 9/9 b - 1"] {
            assert!(matches!(outcome(text), Err(Rejection::Sfen(_))), "{text}");
        }
    }

    #[test]
    fn odd_boards_are_accepted_with_a_remark() {
        let (_, notes) = outcome("sfen 9/9/9/9/9/9/9/9/9 b - 1").unwrap();
        assert_eq!(notes, ["position accepted although: no king"]);
        let (_, notes) = outcome("sfen 4k4/9/9/9/9/9/9/9/4K4 B - 1 and more moves").unwrap();
        assert_eq!(notes, ["position: what follows the move number is ignored"]);
    }
}

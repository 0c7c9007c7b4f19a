//! Why a record cannot be read, and what was left out of one that could.

use std::fmt;

use crate::shogi::{Bitboard, HandPiece, Move, MoveKind, PieceType, Position, SfenError};

/// A place in a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Place {
    /// The line, from 1.
    pub line: usize,
    /// The character in the line, from 1.
    pub column: usize,
}

impl Place {
    /// The beginning of a line.
    pub const fn line(line: usize) -> Self {
        Self { line, column: 1 }
    }

    /// The place where `rest`, an end of `text`, begins.
    pub(super) fn of_rest(line: usize, text: &str, rest: &str) -> Self {
        let before = &text[..text.len() - rest.len()];
        Self {
            line,
            column: before.chars().count() + 1,
        }
    }
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}, column {}", self.line, self.column)
    }
}

/// Why a record cannot be read, and where.
///
/// ```
/// use hien::records::{self, Format};
///
/// let error = records::read(b"position startpos moves 7g7f 3c3e", Some(Format::Usi)).unwrap_err();
/// assert_eq!(error.to_string(), "line 1, column 30: 3c3e: no piece can move like that");
/// ```
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{place}: {fault}")]
pub struct ReadError {
    /// Where it shows.
    pub place: Place,
    /// What is wrong.
    pub fault: Fault,
}

/// What is wrong with a record.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Fault {
    /// The text is in none of the formats.
    #[error("no KIF, KI2, CSA, JKF or USI record")]
    Format,
    /// Something else should stand here.
    #[error("{} expected, found {found}", .expected)]
    Expected {
        /// What should stand here.
        expected: &'static str,
        /// What stands here, in quotation marks, or that it is the end of the line.
        found: String,
    },
    /// JSON that is malformed, or not a JKF record.
    #[error("{0}")]
    Json(String),
    /// A 手合割 without a board whose pieces are not known.
    #[error("unknown handicap {0} without a board")]
    Handicap(String),
    /// The start position is impossible.
    #[error("start position: {0}")]
    Start(#[from] SfenError),
    /// A move that the rules forbid, though the line goes on or no piece can make it.
    #[error("{text}: {foul}")]
    Illegal {
        /// The move as it was written.
        text: String,
        /// The rule.
        foul: Foul,
    },
    /// A move without an origin that no piece can make.
    #[error("{0}: no piece can make this move")]
    NoOrigin(String),
    /// A move without an origin that several pieces can make.
    #[error("{0}: several pieces can make this move")]
    Ambiguous(String),
    /// A move with a number that occurred before in the line: an unmarked branch or another game.
    #[error("move number {found} where {expected} should stand")]
    Number {
        /// The number that is written.
        found: usize,
        /// The number that should follow.
        expected: usize,
    },
    /// A move that cannot belong to the line or a branch of it, as the line has ended.
    #[error("the line has ended before")]
    AfterEnd,
    /// A branch that leaves the previous line at a move that this line does not have.
    #[error("a branch at move {number} of a line with {moves} moves")]
    Branch {
        /// The move that the branch replaces.
        number: usize,
        /// The moves of the line before the branch.
        moves: usize,
    },
    /// More branches at one position than are allowed.
    #[error("more than {} branches at one position", super::record::MAX_BRANCHES)]
    TooManyBranches,
    /// Branches of branches of branches.
    #[error("branches nested more than {} deep", super::jkf::MAX_NESTING)]
    TooDeep,
}

impl Fault {
    /// That something else should stand at the beginning of `rest`.
    pub(super) fn expected(expected: &'static str, rest: &str) -> Self {
        let found = match rest.trim_end() {
            "" => "the end of the line".to_owned(),
            text => format!("'{}'", beginning(text, 12).escape_debug()),
        };
        Self::Expected { expected, found }
    }
}

/// The rule that a move breaks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Foul {
    /// No piece can make the move: it is not there, or something is in the way.
    #[error("no piece can move like that")]
    Impossible,
    /// The other player is to move.
    #[error("the other player is to move")]
    WrongSide,
    /// Nifu (二歩).
    #[error("nifu, two pawns on a file")]
    TwoPawns,
    /// A pawn, lance or knight where it can never move (行き所のない駒).
    #[error("the piece can never move from there")]
    DeadPiece,
    /// The own king is left in check (王手放置).
    #[error("the king is left in check")]
    KingInCheck,
    /// Uchifuzume (打ち歩詰め).
    #[error("uchifuzume, mate by a pawn drop")]
    PawnDropMate,
}

impl Foul {
    /// The rule that a move breaks; `None` if it is legal.
    pub fn of(position: &Position, mv: Move) -> Option<Self> {
        if position.is_legal(mv) {
            return None;
        }
        let us = position.side_to_move();
        let moving = match mv.kind() {
            MoveKind::Drop(kind) => Some(kind.kind()),
            MoveKind::Board { from, promote } => match position.piece_on(from) {
                Some(piece) if piece.color() != us => return Some(Self::WrongSide),
                piece => piece.map(|piece| piece.promoted_if(promote).kind()),
            },
        };
        let Some(moving) = moving.filter(|_| position.is_playable(mv)) else {
            return Some(Self::Impossible);
        };
        let pawns = position.pieces_of(us, PieceType::Pawn);
        let is_pawn_drop = mv.kind() == MoveKind::Drop(HandPiece::Pawn);
        if is_pawn_drop && pawns.intersects(Bitboard::file(mv.to().file())) {
            return Some(Self::TwoPawns);
        }
        if mv.to().rank().from_far_edge(us) < moving.dead_ranks() {
            return Some(Self::DeadPiece);
        }
        let mut after = position.clone();
        after.do_move(mv);
        let is_in_check = after
            .king(us)
            .is_some_and(|king| after.is_attacked(king, !us));
        Some(if is_in_check {
            Self::KingInCheck
        } else {
            Self::PawnDropMate
        })
    }

    /// Whether a player can make such a move on the board by mistake.
    pub(super) const fn can_be_made(self) -> bool {
        !matches!(self, Self::Impossible | Self::WrongSide)
    }
}

/// Why a step cannot be added to a record.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum BuildError {
    /// The move breaks a rule.
    #[error("illegal move {0}: {1}")]
    Illegal(Move, Foul),
    /// The line has ended.
    #[error("the line has ended")]
    Ended,
    /// More branches at one position than are allowed.
    #[error("too many branches at one position")]
    TooManyBranches,
}

/// Something that was left out of a record, or that contradicts it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Warning {
    /// The line, from 1.
    pub line: usize,
    /// What it is.
    pub text: String,
}

impl Warning {
    /// That a text was left out.
    pub(super) fn left_out(line: usize, text: &str) -> Self {
        let is_control = |c: char| c.is_control() && c != '\t';
        let text = beginning(text.trim(), 60).replace(is_control, "\u{fffd}");
        let text = format!("left out: {text}");
        Self { line, text }
    }

    /// That a header occurs twice, with its earlier value; `None` if the values are equal.
    pub(super) fn replaced(line: usize, key: &str, old: &str, new: &str) -> Option<Self> {
        let is_other = !old.trim().is_empty() && old != new;
        is_other.then(|| Self::left_out(line, &format!("{key}：{old}, as it stands twice")))
    }
}

/// The first characters of a text.
fn beginning(text: &str, count: usize) -> String {
    let mut shown: String = text.chars().take(count).collect();
    if shown.len() < text.len() {
        shown += "..";
    }
    shown
}

impl fmt::Display for Warning {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}: {}", self.line, self.text)
    }
}

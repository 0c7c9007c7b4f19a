//! Answers to mate problems (tsume shogi).

use crate::shogi::Move;

/// The answer to "is there a mate by consecutive checks?".
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Answer {
    /// The side to move mates.
    Mate(Mate),
    /// Proved: it does not.
    NoMate,
    /// Not decided within the limits.
    Unknown,
}

/// A forced mate.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mate {
    /// Check, answer, check and so on up to the mating move.
    pub line: Vec<Move>,
    /// Whether it is proved that there is no shorter one.
    pub is_shortest: bool,
}

impl Mate {
    /// The length without futile interpositions (無駄合い, mudaai) at the end: a piece dropped between king and
    /// checker that the checker takes at once, which mates. Composers do not count these moves; the rules do.
    pub fn plies_without_mudaai(&self) -> usize {
        let mut plies = self.line.len();
        while plies >= 3 {
            let (answer, check) = (self.line[plies - 2], self.line[plies - 1]);
            let is_futile = answer.is_drop() && !check.is_drop() && check.to() == answer.to();
            if !is_futile {
                break;
            }
            plies -= 2;
        }
        plies
    }
}

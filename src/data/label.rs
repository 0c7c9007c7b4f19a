//! Labels: what a record says about its position. The file formats of records.

use serde::{Deserialize, Serialize};

use crate::shogi::Move;

/// The form of a file of records.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Format {
    /// PackedSfenValue: 40 bytes a record.
    Psv,
    /// Chains of positions, about 5 bytes each.
    Sbinpack,
}

/// The result of a game from the view of one player.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// The player lost.
    Loss,
    /// Nobody won.
    Draw,
    /// The player won.
    Win,
}

/// What a record says about its position, all from the view of the side to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Label {
    /// The score of a search, meant to be in centipawns; files differ.
    pub score: i16,
    /// The move that the search chose.
    pub best: Option<Move>,
    /// The number of the next move, 1 in the start position.
    pub ply: u16,
    /// How the game ended; `None` if the file does not say.
    pub outcome: Option<Outcome>,
}

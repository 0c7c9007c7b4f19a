//! What is known of a recorded position, and the formats it is kept in.

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
    /// The score of a search, in centipawns as far as the file's maker kept to it.
    pub score: i16,
    /// The move that the search chose.
    pub best: Option<Move>,
    /// The number of the move to be made, 1 in the start position.
    pub ply: u16,
    /// How the game ended; `None` if the file does not say.
    pub outcome: Option<Outcome>,
}

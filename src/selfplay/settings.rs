//! All that decides on the games.

use serde::{Deserialize, Serialize};

use crate::data::Format;

/// What is played and how it is written. With the evaluation and the start positions it determines the file. Scores
/// are centipawns, 100 to a pawn.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Settings {
    /// How much thought goes into a move.
    pub effort: Effort,
    /// Size of each thread's hash table in MiB.
    pub hash_mib: usize,
    /// How games are led astray.
    pub openings: Openings,
    /// How games end, besides by the rules.
    pub ends: Ends,
    /// Whether positions that occurred before, in any game, are written again.
    pub keep_duplicates: bool,
    /// The form of the file.
    pub format: Format,
    /// Seed of all that is random.
    pub seed: u64,
}

/// The limit of each search.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub enum Effort {
    /// So many nodes.
    Nodes(u64),
    /// A number of nodes drawn anew for each move, from 0.6 to 1.6 times this one.
    NodesAbout(u64),
    /// So many plies.
    Depth(u32),
}

/// Random moves early in the game.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Openings {
    /// The least number of random moves.
    pub least: usize,
    /// The greatest number of random moves.
    pub most: usize,
    /// They are among the first so many moves of the game.
    pub before: usize,
    /// Among which moves is drawn.
    pub choice: Choice,
    /// A game is dropped if the first position after them is worth more than this to either player.
    pub imbalance: i32,
}

/// The moves from which a random one is drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Choice {
    /// All legal moves, but drops seldom.
    Legal,
    /// The best moves of a search.
    Best {
        /// At most so many.
        lines: u32,
        /// Those worth at most this much less than the best one.
        margin: i32,
    },
}

/// When a game is not played to its end.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Ends {
    /// A player who is behind by at least this score for so long loses.
    pub resign: Streak,
    /// A game in which nobody is ahead by more than this score for so long is drawn.
    pub level: Streak,
    /// A position with a greater move number than this is a draw.
    pub max_ply: u32,
}

/// A score for some positions in a row.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Streak {
    /// The score.
    pub score: i32,
    /// How many positions in a row; 0 = never.
    pub plies: u32,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            effort: Effort::Nodes(1500),
            hash_mib: 4,
            openings: Openings {
                least: 2,
                most: 6,
                before: 20,
                choice: Choice::Legal,
                imbalance: 1500,
            },
            ends: Ends {
                resign: Streak {
                    score: 3000,
                    plies: 6,
                },
                level: Streak {
                    score: 10,
                    plies: 0,
                },
                max_ply: 320,
            },
            keep_duplicates: false,
            format: Format::Sbinpack,
            seed: 1,
        }
    }
}

//! The settings of self-play, which determine the games.

use serde::{Deserialize, Serialize};

use crate::data::Format;

/// How games are played and written. Together with the evaluation and the start positions it determines the file.
/// Scores are centipawns, 100 to a pawn.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Settings {
    /// The limit of each search.
    pub effort: Effort,
    /// Size of each thread's hash table in MiB.
    pub hash_mib: usize,
    /// Random moves early in the game.
    pub openings: Openings,
    /// When games are adjudicated before the rules end them.
    pub adjudication: Adjudication,
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
    /// A number of nodes.
    Nodes(u64),
    /// A number of nodes drawn for each move, uniformly from 0.6 to 1.6 times this one.
    NodesAbout(u64),
    /// A depth in plies.
    Depth(u32),
}

/// Random moves early in the game.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Openings {
    /// The least number of random moves.
    pub least: usize,
    /// The greatest number of random moves.
    pub most: usize,
    /// They are among this many first moves of the game.
    pub before: usize,
    /// Which moves they are drawn from.
    pub choice: Choice,
    /// A game is dropped if its first position after them scores more than this for either player.
    pub imbalance: i32,
}

/// The moves from which a random one is drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Choice {
    /// All legal moves, drops thinned out.
    Legal,
    /// The best moves of a search.
    Best {
        /// The number of lines of the search.
        lines: u32,
        /// Only moves at most this much worse than the best one.
        margin: i32,
    },
}

/// When a game ends early.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Adjudication {
    /// A player who is behind by at least this score for this long loses.
    pub resign: Streak,
    /// A game in which nobody is ahead by more than this score for this long is a draw.
    pub draw: Streak,
    /// Last move number; then the game is a draw.
    pub max_ply: u32,
}

/// A score that holds for some positions in a row.
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
            adjudication: Adjudication {
                resign: Streak {
                    score: 3000,
                    plies: 6,
                },
                draw: Streak {
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

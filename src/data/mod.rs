//! Training records: positions with the score, the move and the game's result that files hold beside them.
//!
//! Two formats, both packed by the crate `rsshogi`: PSV (PackedSfenValue), 40 bytes a position, and sbinpack, chains of
//! consecutive positions of about 5 bytes each. [`RecordFile`] reads both block by block, in any order, so that files
//! may be larger than memory; [`RecordWriter`] writes both. Knows nothing of training or evaluation.

mod error;
mod position;
mod psv;
mod reader;
mod replace;
mod resume;
mod sbinpack;
mod writer;

pub use error::{DataError, PackError, RecordError, UnpackError};
pub use position::RecordPosition;
pub use psv::Psv;
pub use reader::RecordFile;
pub use replace::replace_file;
pub use resume::{ResumeError, open_to_resume, read_state, write_state};
pub use writer::RecordWriter;

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

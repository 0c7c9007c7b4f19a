//! What can be wrong with records and the files that hold them.

use std::io;
use std::path::PathBuf;

use rsshogi::board::PackedSfenError;
use rsshogi::records::formats::sbinpack::SbinpackError;

use super::resume::ResumeError;
use crate::shogi::SfenError;

/// Why a file of records cannot be made from games or other records.
#[derive(Debug, thiserror::Error)]
pub enum DataError {
    /// Records cannot be read or are damaged.
    #[error(transparent)]
    Records(#[from] RecordError),
    /// The file cannot be begun or continued.
    #[error(transparent)]
    Resume(#[from] ResumeError),
    /// A record does not fit the format.
    #[error("a record cannot be written: {0}")]
    Write(io::Error),
}

/// Why records cannot be read.
#[derive(Debug, thiserror::Error)]
#[error("{}: {reason}", .path.display())]
pub struct RecordError {
    pub(super) path: PathBuf,
    pub(super) reason: Reason,
}

#[derive(Debug, thiserror::Error)]
pub(super) enum Reason {
    #[error("{0}")]
    Io(#[from] io::Error),
    #[error("neither sbinpack nor a whole number of 40-byte records")]
    Format,
    #[error("the chunk at byte {0} is cut short or damaged")]
    Chunk(u64),
    #[error("the block at byte {at} is damaged: {what}")]
    Block { at: u64, what: BlockFault },
}

/// What is wrong within a block.
#[derive(Debug, thiserror::Error)]
pub(super) enum BlockFault {
    #[error("record {index}: {error}")]
    Record {
        index: usize,
        error: PackedSfenError,
    },
    // That type has no message of its own.
    #[error("{0:?}")]
    Chain(SbinpackError),
    #[error("an impossible move")]
    Move,
}

/// Why a position has no packed form.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct PackError(pub(super) PackedSfenError);

/// Why a packed position is none.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct UnpackError(pub(super) UnpackFault);

#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub(super) enum UnpackFault {
    #[error("{0}")]
    Damaged(PackedSfenError),
    #[error("{0}")]
    Illegal(SfenError),
}

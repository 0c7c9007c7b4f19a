//! What can be wrong with books and the files they consist of.

use std::io;
use std::path::PathBuf;

/// What is wrong with a book.
#[derive(Debug, thiserror::Error)]
pub enum BookError {
    /// The file cannot be read.
    #[error("{0}")]
    Io(#[from] io::Error),
    /// The file is something else.
    #[error("not a book: no DB2016 text, YBB or SBK")]
    NoBook,
    /// The contents are damaged.
    #[error("{0}")]
    Damaged(String),
    /// The book cannot be written in the format that was asked for.
    #[error("cannot be written: {0}")]
    Unwritable(String),
    /// A large book that is not sorted.
    #[error(
        "not sorted, and with {} MiB too large to be sorted in memory; sort it with 'hien book convert'",
        .0 >> 20
    )]
    Unsorted(u64),
}

impl From<rsshogi::book::BookError> for BookError {
    fn from(error: rsshogi::book::BookError) -> Self {
        match error {
            rsshogi::book::BookError::Io(error) => Self::Io(error),
            other => Self::Damaged(other.to_string()),
        }
    }
}

/// A file of a book that cannot be used.
#[derive(Debug, thiserror::Error)]
#[error("book {}: {reason}", path.display())]
pub struct UnusableFile {
    /// The file.
    pub path: PathBuf,
    /// What is wrong with it.
    pub reason: BookError,
}

/// There is no book of this name.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("BookFile {name}: no such file; tried {}", list(tried))]
pub struct BookNotFound {
    /// The name as set.
    pub name: String,
    /// Where it was looked for.
    pub tried: Vec<PathBuf>,
}

/// Why no book could be opened.
#[derive(Debug, thiserror::Error)]
pub enum OpenBookError {
    /// There is none.
    #[error(transparent)]
    NotFound(#[from] BookNotFound),
    /// None of its files can be used.
    #[error("{}", .0.iter().map(UnusableFile::to_string).collect::<Vec<_>>().join("; "))]
    Unusable(Vec<UnusableFile>),
}

/// Paths in a message.
pub(crate) fn list(paths: &[PathBuf]) -> String {
    let paths: Vec<_> = paths
        .iter()
        .map(|path| path.display().to_string())
        .collect();
    paths.join(", ")
}

//! What could not be done as the settings ask.

use super::evaluation::EvaluationError;
use crate::book::{OpenBookError, UnusableFile};
use crate::search;

/// Something that could not be done as the settings ask. The engine plays in any case.
#[derive(Debug, thiserror::Error)]
pub enum Remark {
    /// The evaluation that was asked for cannot be used.
    #[error("{0}. Playing with the evaluation in use.")]
    Evaluation(#[from] EvaluationError),
    /// The book that was asked for cannot be used.
    #[error("{0}. Playing without a book.")]
    Book(#[from] OpenBookError),
    /// One of several files of the book cannot be used.
    #[error(transparent)]
    BookFile(#[from] UnusableFile),
    /// The machine has less memory or fewer threads than the search asked for.
    #[error("{0}")]
    Search(search::Remark),
}

//! Errors that name the file they are about.

use std::error::Error;
use std::path::{Path, PathBuf};

/// What is wrong with a file that a command was given, or is to write.
#[derive(Debug, thiserror::Error)]
#[error("{}: {source}", path.display())]
pub struct PathError {
    path: PathBuf,
    source: Box<dyn Error + Send + Sync>,
}

impl PathError {
    /// Names the file in errors.
    pub fn at<E>(path: &Path) -> impl Fn(E) -> Self
    where
        E: Into<Box<dyn Error + Send + Sync>>,
    {
        move |source| Self {
            path: path.to_owned(),
            source: source.into(),
        }
    }
}

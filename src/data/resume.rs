//! Resuming a file that is written bit by bit: its state is kept in a small JSON file beside it.

use std::fs::{self, File, OpenOptions};
use std::io;
use std::path::{Path, PathBuf};

use serde::Serialize;
use serde::de::DeserializeOwned;

use super::replace::replace_file;

/// Why a file cannot be begun or continued.
#[derive(Debug, thiserror::Error)]
pub enum ResumeError {
    /// A file cannot be read or written.
    #[error("{}: {source}", .path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
    /// The state cannot be understood.
    #[error("{} is no state of this version: {source}", .path.display())]
    State {
        /// The file.
        path: PathBuf,
        /// Why.
        source: serde_json::Error,
    },
    /// The file was made with other settings or sources, or has no state.
    #[error("{} exists, but {what}", .path.display())]
    Foreign {
        /// The file of records.
        path: PathBuf,
        /// What is not as it should be.
        what: &'static str,
    },
}

impl ResumeError {
    /// What the system says about a file.
    pub fn io(path: &Path) -> impl Fn(io::Error) -> Self {
        move |source| Self::Io {
            path: path.to_owned(),
            source,
        }
    }

    /// A file that is not the one to continue.
    pub fn foreign(path: &Path, what: &'static str) -> Self {
        Self::Foreign {
            path: path.to_owned(),
            what,
        }
    }
}

/// The state beside a file of records; `None` if the file is to be begun.
///
/// # Errors
///
/// [`ResumeError`] if the state cannot be read, or the file has records but no state.
pub fn read_state<T: DeserializeOwned>(records: &Path) -> Result<Option<T>, ResumeError> {
    let path = state_path(records);
    match fs::read(&path) {
        Ok(text) => serde_json::from_slice(&text)
            .map(Some)
            .map_err(|source| ResumeError::State { path, source }),
        Err(error) if error.kind() != io::ErrorKind::NotFound => Err(ResumeError::io(&path)(error)),
        Err(_) if fs::metadata(records).is_ok_and(|file| file.len() > 0) => Err(
            ResumeError::foreign(records, "without the state of a run to go on with"),
        ),
        Err(_) => Ok(None),
    }
}

/// Writes the state beside a file of records; the old one stays until the new one is whole.
///
/// # Errors
///
/// [`ResumeError::Io`] if it cannot be written.
pub fn write_state<T: Serialize>(records: &Path, state: &T) -> Result<(), ResumeError> {
    let path = state_path(records);
    let text = serde_json::to_vec_pretty(state).map_err(io::Error::other);
    text.and_then(|text| replace_file(&path, &text))
        .map_err(ResumeError::io(&path))
}

/// Opens a file of records to go on with it, or a new one. Besides the file: its length.
///
/// # Errors
///
/// [`ResumeError`] if it cannot be opened, or is shorter than the `complete` bytes that its state records.
pub fn open_to_resume(path: &Path, complete: u64) -> Result<(File, u64), ResumeError> {
    let file = OpenOptions::new()
        .create(true)
        .truncate(false)
        .write(true)
        .open(path)
        .map_err(ResumeError::io(path))?;
    let length = file.metadata().map_err(ResumeError::io(path))?.len();
    if length < complete {
        Err(ResumeError::foreign(path, "is shorter than it was"))
    } else {
        Ok((file, length))
    }
}

/// Where the state of a file lies.
fn state_path(records: &Path) -> PathBuf {
    let mut name = records.as_os_str().to_owned();
    name.push(".state.json");
    name.into()
}

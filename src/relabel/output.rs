//! The file of new records. Whole blocks are appended; the state beside the file says how many there are.

use std::fs::File;
use std::io::{Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use super::options::Options;
use crate::data::{RecordFile, ResumeError, open_to_resume, read_state, write_state};
use crate::eval::Evaluator;
use crate::selfplay::fingerprint;

/// What has been done so far.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Tally {
    /// Blocks of the input done.
    pub blocks: usize,
    /// Records read.
    pub read: u64,
    /// Records written.
    pub written: u64,
    /// Positions without a label: in check, decided, illegal, or variants of games that end.
    pub skipped: u64,
}

impl Tally {
    pub(super) fn add(&mut self, other: &Self) {
        self.blocks += other.blocks;
        self.read += other.read;
        self.written += other.written;
        self.skipped += other.skipped;
    }
}

/// Everything that decides what the file holds.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct Origin {
    options: Options,
    /// The name and size of each file that is read.
    files: Vec<(String, u64)>,
    /// What tells the evaluations from others.
    evaluations: Vec<String>,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
struct State {
    origin: Origin,
    bytes: u64,
    tally: Tally,
}

/// A file of new records that grows.
pub struct Output {
    path: PathBuf,
    file: File,
    state: State,
}

impl Output {
    /// Begins a new file, or resumes one that was begun with the same options, files and evaluations.
    ///
    /// # Errors
    ///
    /// [`ResumeError`] if the file cannot be written, or was begun in another way.
    pub fn open(
        path: &Path,
        options: &Options,
        files: &[RecordFile],
        evaluators: &[Evaluator],
    ) -> Result<Self, ResumeError> {
        let origin = Origin {
            options: options.clone(),
            files: files
                .iter()
                .map(|file| (file.name(), file.bytes()))
                .collect(),
            evaluations: evaluators.iter().map(fingerprint).collect(),
        };
        let state = match read_state::<State>(path)? {
            Some(state) if state.origin == origin => state,
            Some(_) => {
                let what = "was begun with other options, files or evaluations";
                return Err(ResumeError::foreign(path, what));
            }
            None => State {
                origin,
                bytes: 0,
                tally: Tally::default(),
            },
        };
        let (file, _) = open_to_resume(path, state.bytes)?;
        // What lies behind the last whole block was being written when the run was interrupted.
        file.set_len(state.bytes).map_err(ResumeError::io(path))?;
        write_state(path, &state)?;
        Ok(Self {
            path: path.to_owned(),
            file,
            state,
        })
    }

    /// What has been done so far.
    pub fn tally(&self) -> &Tally {
        &self.state.tally
    }

    /// Appends the new records of the next block.
    pub(super) fn append(&mut self, bytes: &[u8], tally: &Tally) -> Result<(), ResumeError> {
        let end = self.file.seek(SeekFrom::Start(self.state.bytes));
        end.and_then(|_| self.file.write_all(bytes))
            .and_then(|()| self.file.sync_data())
            .map_err(ResumeError::io(&self.path))?;
        self.state.bytes += bytes.len() as u64;
        self.state.tally.add(tally);
        write_state(&self.path, &self.state)
    }
}

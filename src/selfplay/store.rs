//! The file of records, and beside it what is needed to go on with it.
//!
//! Whole games are appended in batches. After each batch the state says how far the file is good; what lies behind
//! that is cut off when the work is taken up again. The batch that was not full at the end of a run is written, too,
//! but taken back at the beginning of the next one: so files are the same as if nothing had been interrupted.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use super::judge::{End, Reason};
use super::player::Game;
use super::seen::Seen;
use super::settings::Settings;
use crate::data::{Psv, RecordError, RecordFile, RecordWriter};
use crate::eval::Evaluator;
use crate::shogi::{Color, Position};

/// Records of a batch, at least: some seconds of work.
const BATCH: usize = 8192;
/// Room for positions met before, see [`Seen`].
const SEEN: usize = 1 << 23;

/// Why records cannot be stored.
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    /// A file cannot be read or written.
    #[error("{}: {source}", .path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
    /// The state is none.
    #[error("{} is no state of this version: {source}", .path.display())]
    State {
        /// The file.
        path: PathBuf,
        /// Why.
        source: serde_json::Error,
    },
    /// The records were made in another way, or have no state.
    #[error("{} exists, but {what}", .path.display())]
    Foreign {
        /// The file of records.
        path: PathBuf,
        /// What is not as it should be.
        what: &'static str,
    },
    /// The records are damaged.
    #[error(transparent)]
    Records(#[from] RecordError),
}

/// What has been played so far.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Tally {
    /// Games played, with those dropped. Also the number of the next game.
    pub games: u64,
    /// Games dropped because the opening had decided them.
    pub dropped: u64,
    /// Positions in the file.
    pub positions: u64,
    /// Positions left out because they had occurred before.
    pub duplicates: u64,
    /// Games that Black won.
    pub black_wins: u64,
    /// Games that White won.
    pub white_wins: u64,
    /// Games that nobody won.
    pub draws: u64,
    /// Games that did not end by mate or resignation: by repetition, declaration, length or a level score.
    pub unusual: u64,
}

impl Tally {
    fn count(&mut self, end: Option<End>) {
        self.games += 1;
        let Some(End { winner, reason }) = end else {
            self.dropped += 1;
            return;
        };
        match winner {
            Some(Color::Black) => self.black_wins += 1,
            Some(Color::White) => self.white_wins += 1,
            None => self.draws += 1,
        }
        self.unusual += u64::from(!matches!(reason, Reason::Mate | Reason::Resignation));
    }
}

/// How the games come about; they would be others if any of it changed.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct Origin {
    settings: Settings,
    evaluation: String,
    /// The keys of the start positions, folded.
    starts: u64,
}

impl Origin {
    fn new(settings: &Settings, starts: &[Position], evaluator: &Evaluator) -> Self {
        let fold = |folded: u64, start: &Position| folded.rotate_left(7) ^ start.key();
        Self {
            settings: settings.clone(),
            evaluation: describe(evaluator),
            starts: starts.iter().fold(0, fold),
        }
    }
}

/// How far a file is good.
#[derive(Clone, Copy, Debug, Default, Serialize, Deserialize)]
struct Mark {
    bytes: u64,
    tally: Tally,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
struct State {
    origin: Origin,
    /// After the last full batch.
    full: Mark,
    /// After everything.
    end: Mark,
}

/// A file of records that grows.
pub struct Store {
    path: PathBuf,
    file: File,
    state: State,
    /// The games since the last full batch.
    batch: Vec<Psv>,
    tally: Tally,
    seen: Seen,
}

impl Store {
    /// Begins a new file, or goes on with one that was begun in the same way.
    ///
    /// # Errors
    ///
    /// [`StoreError`] if the files cannot be read or written, are damaged, or were made with other settings, another
    /// evaluation or other start positions.
    pub fn open(
        path: &Path,
        settings: &Settings,
        starts: &[Position],
        evaluator: &Evaluator,
    ) -> Result<Self, StoreError> {
        let state = begin(path, Origin::new(settings, starts, evaluator))?;
        let file = OpenOptions::new()
            .create(true)
            .truncate(false)
            .write(true)
            .open(path)
            .map_err(blame(path))?;
        let length = file.metadata().map_err(blame(path))?.len();
        if length < state.full.bytes {
            return Err(foreign(path, "is shorter than it was"));
        }
        let mut store = Self {
            path: path.to_owned(),
            file,
            batch: Vec::new(),
            tally: state.full.tally,
            seen: Seen::new(SEEN),
            state,
        };
        if length == store.state.end.bytes {
            store.tally = store.state.end.tally;
        } else {
            // A batch was being written when the last run ended.
            store.cut()?;
        }
        store.read_back()?;
        store.cut()?;
        store.write_state()?;
        Ok(store)
    }

    /// What has been played so far.
    pub fn tally(&self) -> &Tally {
        &self.tally
    }

    /// Adds the next game.
    ///
    /// # Errors
    ///
    /// [`StoreError`] if the files cannot be written.
    pub fn add(&mut self, game: &Game) -> Result<(), StoreError> {
        self.tally.count(game.end);
        for record in &game.records {
            if self.seen.insert(record) || self.settings().keep_duplicates {
                self.batch.push(*record);
                self.tally.positions += 1;
            } else {
                self.tally.duplicates += 1;
            }
        }
        if self.batch.len() >= BATCH {
            self.append()?;
            self.state.full = self.state.end;
            self.batch.clear();
            self.write_state()?;
        }
        Ok(())
    }

    /// Writes what has not been written yet.
    ///
    /// # Errors
    ///
    /// [`StoreError`] if the files cannot be written.
    pub fn finish(mut self) -> Result<Tally, StoreError> {
        self.append()?;
        self.write_state()?;
        Ok(self.tally)
    }

    fn settings(&self) -> &Settings {
        &self.state.origin.settings
    }

    /// Reads the file as far as it is good: all positions have been seen, and those behind the last full batch make
    /// up the one that is being filled.
    fn read_back(&mut self) -> Result<(), StoreError> {
        let Self {
            state, seen, batch, ..
        } = self;
        let in_batches = state.full.tally.positions;
        let file = RecordFile::open(&self.path)?;
        let (mut index, mut is_sound) = (0, true);
        for block in 0..file.blocks() {
            file.visit(block, &mut |position, label| {
                // What cannot be packed again was never written.
                let Ok(record) = Psv::new(position, *label) else {
                    is_sound = false;
                    return;
                };
                seen.insert(&record);
                if index >= in_batches {
                    batch.push(record);
                }
                index += 1;
            })?;
        }
        match is_sound && index == self.tally.positions {
            true => Ok(()),
            false => Err(foreign(&self.path, "is damaged")),
        }
    }

    /// Cuts the file off behind the last full batch.
    fn cut(&mut self) -> Result<(), StoreError> {
        self.state.end = self.state.full;
        let length = self.state.full.bytes;
        self.file.set_len(length).map_err(blame(&self.path))
    }

    /// Writes the batch behind the full ones.
    fn append(&mut self) -> Result<(), StoreError> {
        let mut bytes = Vec::new();
        let write = |bytes: &mut Vec<u8>| {
            let mut writer = RecordWriter::new(bytes, self.settings().format);
            self.batch
                .iter()
                .try_for_each(|record| writer.write(record))?;
            writer.finish()
        };
        let written = write(&mut bytes).and_then(|()| {
            self.file.seek(SeekFrom::Start(self.state.full.bytes))?;
            self.file.write_all(&bytes)?;
            self.file.sync_data()
        });
        written.map_err(blame(&self.path))?;
        self.state.end = Mark {
            bytes: self.state.full.bytes + bytes.len() as u64,
            tally: self.tally,
        };
        Ok(())
    }

    /// Writes the state; the old one stays until the new one is whole.
    fn write_state(&self) -> Result<(), StoreError> {
        let path = state_path(&self.path);
        let unfinished = path.with_extension("new");
        let text = serde_json::to_vec_pretty(&self.state).map_err(io::Error::other);
        text.and_then(|text| fs::write(&unfinished, text))
            .and_then(|()| fs::rename(&unfinished, &path))
            .map_err(blame(&path))
    }
}

/// The state from which to go on with a file of this origin.
fn begin(path: &Path, origin: Origin) -> Result<State, StoreError> {
    let has_records = || fs::metadata(path).is_ok_and(|file| file.len() > 0);
    match read_state(&state_path(path))? {
        Some(state) if state.origin == origin => Ok(state),
        Some(_) => Err(foreign(
            path,
            "was begun with other settings, another evaluation or other start positions",
        )),
        None if has_records() => Err(foreign(path, "without the state of a run to go on with")),
        None => Ok(State {
            origin,
            full: Mark::default(),
            end: Mark::default(),
        }),
    }
}

/// Where the state of a file lies.
fn state_path(path: &Path) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(".state.json");
    name.into()
}

fn read_state(path: &Path) -> Result<Option<State>, StoreError> {
    let text = match fs::read(path) {
        Ok(text) => text,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(blame(path)(error)),
    };
    let state = serde_json::from_slice(&text).map_err(|source| StoreError::State {
        path: path.to_owned(),
        source,
    })?;
    Ok(Some(state))
}

fn foreign(path: &Path, what: &'static str) -> StoreError {
    StoreError::Foreign {
        path: path.to_owned(),
        what,
    }
}

fn blame(path: &Path) -> impl Fn(io::Error) -> StoreError {
    move |source| StoreError::Io {
        path: path.to_owned(),
        source,
    }
}

/// Tells an evaluation from others: by its kind, its scale, and what it thinks of a position that is not symmetric.
fn describe(evaluator: &Evaluator) -> String {
    const PROBE: &str = "l4S2l/4g1gs1/5p1p1/pr2N1pkp/4Gn3/PP3PPPP/2GPP4/1K7/L3r+s2L w BS2N5Pb 1";
    let kind = match evaluator.as_net() {
        Some((net, _, scale)) => format!("{}, FV_SCALE {scale}", net.architecture()),
        None => "material".to_owned(),
    };
    let value = Position::from_sfen(PROBE).map(|position| evaluator.evaluate(&position).raw);
    format!("{kind}, {} in the probe", value.unwrap_or(0))
}

//! The file of records, and beside it the state from which a later run resumes.
//!
//! Whole games are appended in batches. After each batch the state records how much of the file is complete; anything
//! behind that is cut off on resuming. The last batch of a run, which may not be full, is written too, but taken back
//! when the next run begins: so the file is the same as without interruption.

use std::fs::File;
use std::io::{Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use super::adjudicator::{End, Reason};
use super::player::Game;
use super::seen::Seen;
use super::settings::Settings;
use crate::data::{
    DataError, Psv, RecordFile, RecordWriter, ResumeError, open_to_resume, read_state, write_state,
};
use crate::eval::Evaluator;
use crate::shogi::{Color, Position};

/// Records of a batch, at least: some seconds of work.
const BATCH: usize = 8192;
/// Slots for positions met before, see [`Seen`].
const SEEN: usize = 1 << 23;

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
    /// Games that did not end by mate or resignation: by repetition, declaration, length or an even score.
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

/// Everything the games depend on.
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
            evaluation: fingerprint(evaluator),
            starts: starts.iter().fold(0, fold),
        }
    }
}

/// How much of a file is complete.
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
    /// Begins a new file, or resumes one that was begun with the same settings, evaluation and start positions.
    ///
    /// # Errors
    ///
    /// [`DataError`] if the files cannot be read or written, are damaged, or were made with other settings, another
    /// evaluation or other start positions.
    pub fn open(
        path: &Path,
        settings: &Settings,
        starts: &[Position],
        evaluator: &Evaluator,
    ) -> Result<Self, DataError> {
        let state = begin(path, Origin::new(settings, starts, evaluator))?;
        let (file, length) = open_to_resume(path, state.full.bytes)?;
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
        write_state(&store.path, &store.state)?;
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
    /// [`DataError`] if the files cannot be written.
    pub fn add(&mut self, game: &Game) -> Result<(), DataError> {
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
            write_state(&self.path, &self.state)?;
        }
        Ok(())
    }

    /// Writes what has not been written yet.
    ///
    /// # Errors
    ///
    /// [`DataError`] if the files cannot be written.
    pub fn finish(mut self) -> Result<Tally, DataError> {
        self.append()?;
        write_state(&self.path, &self.state)?;
        Ok(self.tally)
    }

    fn settings(&self) -> &Settings {
        &self.state.origin.settings
    }

    /// Reads the complete part of the file: all its positions have been seen, and those behind the last full batch
    /// begin the next one.
    fn read_back(&mut self) -> Result<(), DataError> {
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
        if is_sound && index == self.tally.positions {
            Ok(())
        } else {
            Err(ResumeError::foreign(&self.path, "is damaged").into())
        }
    }

    /// Cuts the file off behind the last full batch.
    fn cut(&mut self) -> Result<(), DataError> {
        self.state.end = self.state.full;
        let length = self.state.full.bytes;
        self.file
            .set_len(length)
            .map_err(ResumeError::io(&self.path))?;
        Ok(())
    }

    /// Writes the batch behind the full ones.
    fn append(&mut self) -> Result<(), DataError> {
        let mut bytes = Vec::new();
        let write = |bytes: &mut Vec<u8>| {
            let mut writer = RecordWriter::new(bytes, self.settings().format);
            self.batch
                .iter()
                .try_for_each(|record| writer.write(record))?;
            writer.finish().map(drop)
        };
        let written = write(&mut bytes).and_then(|()| {
            self.file.seek(SeekFrom::Start(self.state.full.bytes))?;
            self.file.write_all(&bytes)?;
            self.file.sync_data()
        });
        written.map_err(ResumeError::io(&self.path))?;
        self.state.end = Mark {
            bytes: self.state.full.bytes + bytes.len() as u64,
            tally: self.tally,
        };
        Ok(())
    }
}

/// The state from which to go on with a file of this origin.
fn begin(path: &Path, origin: Origin) -> Result<State, ResumeError> {
    match read_state::<State>(path)? {
        Some(state) if state.origin == origin => Ok(state),
        Some(_) => Err(ResumeError::foreign(
            path,
            "was begun with other settings, another evaluation or other start positions",
        )),
        None => Ok(State {
            origin,
            full: Mark::default(),
            end: Mark::default(),
        }),
    }
}

/// Tells an evaluation from others: by its kind, its scale, and its value of an asymmetric position.
pub(crate) fn fingerprint(evaluator: &Evaluator) -> String {
    const PROBE: &str = "l4S2l/4g1gs1/5p1p1/pr2N1pkp/4Gn3/PP3PPPP/2GPP4/1K7/L3r+s2L w BS2N5Pb 1";
    let kind = match evaluator.as_net() {
        Some((net, _, scale)) => format!("{}, FV_SCALE {scale}", net.architecture()),
        None => "material".to_owned(),
    };
    let value = Position::from_sfen(PROBE).map(|position| evaluator.evaluate(&position).raw);
    format!("{kind}, {} in the probe", value.unwrap_or(0))
}

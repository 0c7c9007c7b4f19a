//! Games from files, for the commands that work on games.
//!
//! ```
//! use hien::tools::games;
//!
//! let found = games::read("tests/data/records/game.kif".as_ref())?;
//! assert_eq!(found.games[0].moves[0].to_string(), "7g7f");
//! # Ok::<(), games::GameError>(())
//! ```

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use crate::records::{self, Fault, Format, ReadError, Reading, Record};
use crate::shogi::{Move, Position};

/// Extensions of the files that are looked for in a folder.
const EXTENSIONS: [&str; 9] = [
    "kif", "kifu", "ki2", "ki2u", "csa", "jkf", "json", "usi", "sfen",
];

/// Before the extension of files that `hien analyze` has written.
const ANALYSIS: &str = "analysis";

/// A game.
pub struct Game {
    /// As it was read.
    pub record: Record,
    /// Where it begins.
    pub start: Position,
    /// The moves of the main line, all legal.
    pub moves: Vec<Move>,
}

/// What a file gives.
pub struct Games {
    /// The games.
    pub games: Vec<Game>,
    /// Why others in the file cannot be read.
    pub errors: Vec<GameError>,
}

/// Why a file, or a part of it, gives no games.
#[derive(Debug, thiserror::Error)]
pub enum GameError {
    /// The file cannot be read.
    #[error("{}: {error}", .path.display())]
    File {
        /// The file.
        path: PathBuf,
        /// The reason.
        error: io::Error,
    },
    /// What stands in it cannot be understood.
    #[error("{}{}{}", .path.display(), place_text(.error), .error.fault)]
    Record {
        /// The file.
        path: PathBuf,
        /// The place and the reason.
        error: ReadError,
    },
    /// There is nothing to play.
    #[error("{}: there are no moves in it", .0.display())]
    NoMoves(PathBuf),
}

/// The place of an error, but not that of a text that is no record at all.
fn place_text(error: &ReadError) -> String {
    match error.fault {
        Fault::Format => ": ".to_owned(),
        _ => format!(", {}: ", error.place),
    }
}

/// The record files among `paths`; folders stand for the record files in them. Results of `hien analyze` in a folder
/// are left out, which is logged, and so is a folder without records.
///
/// # Errors
///
/// Those of reading a folder.
pub fn find(paths: &[PathBuf]) -> io::Result<Vec<PathBuf>> {
    let mut files = Vec::new();
    for path in paths {
        match path.is_dir() {
            true => files.extend(find_in(path)?),
            false => files.push(path.clone()),
        }
    }
    Ok(files)
}

fn find_in(folder: &Path) -> io::Result<Vec<PathBuf>> {
    let mut files = Vec::new();
    let mut results = 0;
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        let extension = path.extension().unwrap_or_default().to_string_lossy();
        if !EXTENSIONS.contains(&extension.to_ascii_lowercase().as_str()) {
            continue;
        }
        match is_analysis(&path) {
            true => results += 1,
            false => files.push(path),
        }
    }
    let folder = folder.display();
    if results > 0 {
        log::warn!("{folder}: left out {results} files *.{ANALYSIS}.*, results of `hien analyze`");
    }
    if files.is_empty() {
        log::warn!("{folder}: there are no records in it");
    }
    files.sort();
    Ok(files)
}

/// Whether a file has the name of a result of `hien analyze`: `game.analysis.kifu`.
fn is_analysis(path: &Path) -> bool {
    let stem = path.file_stem().map(Path::new);
    stem.and_then(Path::extension)
        .is_some_and(|extension| extension == ANALYSIS)
}

/// Reads the records of a file; what is left out of them is logged as a warning. A text in another format than the name
/// says is read as what it is, which is logged, too.
///
/// # Errors
///
/// [`GameError`] with the place of what cannot be read.
pub fn read_records(path: &Path) -> Result<Reading, GameError> {
    let bytes = fs::read(path).map_err(|error| GameError::File {
        path: path.to_owned(),
        error,
    })?;
    let extension = path.extension().and_then(|extension| extension.to_str());
    let format = extension.and_then(Format::of_extension);
    let mut reading = records::read(&bytes, format);
    let has_moves = |reading: &Reading| reading.records.iter().any(|record| !record.is_empty());
    if format.is_some() && !reading.as_ref().is_ok_and(has_moves) {
        let by_text = records::read(&bytes, None).ok();
        let by_text =
            by_text.filter(|reading| Some(reading.format) != format && has_moves(reading));
        if let Some(by_text) = by_text {
            log::warn!("{}: the text is {}", path.display(), by_text.format.name());
            reading = Ok(by_text);
        }
    }
    let reading = reading.map_err(|error| GameError::Record {
        path: path.to_owned(),
        error,
    })?;
    for warning in &reading.warnings {
        log::warn!("{}, {warning}", path.display());
    }
    Ok(reading)
}

/// Why some games of a file cannot be read.
pub fn errors(path: &Path, reading: &Reading) -> Vec<GameError> {
    let error = |error: &ReadError| GameError::Record {
        path: path.to_owned(),
        error: error.clone(),
    };
    reading.faults.iter().map(error).collect()
}

/// Reads the games of a file. Records without moves are passed over, and a move that breaks a rule ends a game.
///
/// # Errors
///
/// [`GameError`], also if there are no moves at all.
pub fn read(path: &Path) -> Result<Games, GameError> {
    let reading = read_records(path)?;
    let errors = errors(path, &reading);
    let records = reading.records.into_iter();
    let games: Vec<_> = records
        .map(Game::new)
        .filter(|game| !game.moves.is_empty())
        .collect();
    if games.is_empty() {
        return Err(GameError::NoMoves(path.to_owned()));
    }
    Ok(Games { games, errors })
}

impl Game {
    fn new(record: Record) -> Self {
        Self {
            start: record.start().clone(),
            moves: record.moves().collect(),
            record,
        }
    }
}

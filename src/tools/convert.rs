//! `convert`: game records from one format into another. What the other cannot hold is named.

use std::collections::BTreeMap;
use std::error::Error;
use std::fs::{self, OpenOptions};
use std::io::Write;
use std::path::{Path, PathBuf};

use crate::records::{Encoding, Format, Loss, Record};

use super::common::path_error::PathError;
use super::games;

/// The arguments of `hien convert`.
#[derive(clap::Args, Clone, Debug)]
pub struct Arguments {
    /// Records in KIF, KI2, CSA, JKF or USI; folders with such files
    #[arg(required = true, value_name = "FILE")]
    games: Vec<PathBuf>,
    /// The format to write
    #[arg(long, value_enum)]
    to: Target,
    /// Write KIF, KI2 or CSA in Shift_JIS, as .kif or .ki2, instead of UTF-8, as .kifu or .ki2u
    #[arg(long)]
    shift_jis: bool,
    /// Folder for the results; beside each record without it
    #[arg(long, value_name = "FOLDER")]
    out: Option<PathBuf>,
}

/// The formats.
#[derive(clap::ValueEnum, Clone, Copy, Debug, PartialEq, Eq)]
enum Target {
    /// A move a line, as most programs read it
    Kif,
    /// Moves as books write them
    Ki2,
    /// The format of computer shogi and its servers; main line only
    Csa,
    /// JSON of the web
    Jkf,
    /// `position ..`, a game a line; main line only
    Usi,
    /// `startpos moves ..`, a game a line; main line only, without ends
    Sfen,
}

impl From<Target> for Format {
    fn from(target: Target) -> Self {
        match target {
            Target::Kif => Self::Kif,
            Target::Ki2 => Self::Ki2,
            Target::Csa => Self::Csa,
            Target::Jkf => Self::Jkf,
            Target::Usi => Self::Usi,
            Target::Sfen => Self::Sfen,
        }
    }
}

impl Arguments {
    /// Converts the files and names the results on `out`; files that cannot be converted, and what gets lost, are
    /// logged. Returns whether all files were converted.
    ///
    /// # Errors
    ///
    /// A target that exists or that two files have, before anything is written; a format that is not written in
    /// Shift_JIS; errors of `out`.
    pub fn run(&self, out: &mut dyn Write) -> Result<bool, Box<dyn Error>> {
        if self.shift_jis && !matches!(self.to, Target::Kif | Target::Ki2 | Target::Csa) {
            return Err("only KIF, KI2 and CSA are written in Shift_JIS".into());
        }
        let files = games::find(&self.games)?;
        self.check_targets(&files)?;
        if let Some(folder) = &self.out {
            fs::create_dir_all(folder).map_err(PathError::at(folder))?;
        }
        let mut are_all_done = true;
        for path in &files {
            match self.convert(path) {
                Ok((targets, is_whole)) => {
                    are_all_done &= is_whole;
                    for target in targets {
                        writeln!(out, "{} -> {}", path.display(), target.display())?;
                    }
                }
                Err(error) => {
                    are_all_done = false;
                    log::error!("{error}");
                }
            }
        }
        Ok(are_all_done)
    }

    fn check_targets(&self, files: &[PathBuf]) -> Result<(), PathError> {
        let mut sources = BTreeMap::new();
        for path in files {
            let target = self.target(path, None);
            if target.exists() {
                return Err(PathError::at(&target)("exists already"));
            }
            if let Some(other) = sources.insert(target.clone(), path) {
                let (other, path) = (other.display(), path.display());
                let what = format!("would hold both {other} and {path}");
                return Err(PathError::at(&target)(what));
            }
        }
        Ok(())
    }

    /// Converts a file; returns what was written, and whether all its games were.
    fn convert(&self, path: &Path) -> Result<(Vec<PathBuf>, bool), Box<dyn Error>> {
        let reading = games::read_records(path)?;
        let errors = games::errors(path, &reading);
        errors.iter().for_each(|error| log::error!("{error}"));
        if reading.records.is_empty() {
            return Err(PathError::at(path)("there are no records in it").into());
        }
        let mut targets = Vec::new();
        let mut write = |number: Option<usize>, bytes: &[u8]| {
            let target = self.target(path, number);
            let mut options = OpenOptions::new();
            let file = options.write(true).create_new(true).open(&target);
            let result = file.and_then(|mut file| file.write_all(bytes));
            result.map_err(PathError::at(&target))?;
            targets.push(target);
            Ok::<(), PathError>(())
        };
        let texts: Vec<_> = reading
            .records
            .iter()
            .zip(1..)
            .map(|(record, number)| self.write(path, record, number))
            .collect();
        match (self.to, texts.as_slice()) {
            (_, [text]) => write(None, text)?,
            (Target::Csa, texts) => write(None, &texts.join(&b"/\n"[..]))?,
            (Target::Usi | Target::Sfen, texts) => write(None, &texts.concat())?,
            (_, texts) => {
                for (text, number) in texts.iter().zip(1..) {
                    write(Some(number), text)?;
                }
            }
        }
        Ok((targets, errors.is_empty()))
    }

    /// The bytes of a record, the `number`th of its file.
    fn write(&self, path: &Path, record: &Record, number: usize) -> Vec<u8> {
        let (bytes, losses) = record.write(self.to.into()).encode(self.encoding());
        if !losses.is_empty() {
            let losses: Vec<_> = losses.iter().map(Loss::to_string).collect();
            let name = Format::from(self.to).name();
            let (path, losses) = (path.display(), losses.join("; "));
            log::warn!("{path}, game {number}: {name} does not hold {losses}");
        }
        bytes
    }

    const fn encoding(&self) -> Encoding {
        if self.shift_jis {
            Encoding::ShiftJis
        } else {
            Encoding::Utf8
        }
    }

    /// Where a result belongs: `game.csa`, or `game-2.kifu` for the second game of a file.
    fn target(&self, path: &Path, number: Option<usize>) -> PathBuf {
        let stem = path.file_stem().unwrap_or_default().to_string_lossy();
        let number = number.map_or(String::new(), |number| format!("-{number}"));
        let extension = Format::from(self.to).extension(self.encoding());
        let name = format!("{stem}{number}.{extension}");
        match &self.out {
            Some(folder) => folder.join(name),
            None => path.with_file_name(name),
        }
    }
}

//! Game records of all kinds, read through the crate `rsshogi`: KIF, KI2, CSA, JKF and USI, in UTF-8 or Shift_JIS.
//!
//! ```
//! use hien::tools::records::{self, JapaneseNotation};
//!
//! let games = records::read("tests/data/records/game.kif".as_ref())?;
//! let mut notation = JapaneseNotation::new(&games[0].start);
//! assert_eq!(notation.play(games[0].moves[0]), "▲７六歩");
//! # Ok::<(), records::RecordError>(())
//! ```

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use encoding_rs::SHIFT_JIS;
use rsshogi::board::{self, Position as Referee};
use rsshogi::records::formats::{csa, jkf, kif, usi};
use rsshogi::records::record::Record;

use crate::shogi::{Move, Position};

/// Bytes that are read again and again to find what is bad. Where it takes more the search is left out.
const MAX_SEARCH: usize = 64 << 20;

/// Extensions of the files that are looked for in a folder.
const EXTENSIONS: [&str; 9] = [
    "kif", "kifu", "ki2", "ki2u", "csa", "jkf", "json", "usi", "sfen",
];

/// A game.
pub struct Game {
    /// As it was read.
    pub record: Record,
    /// Where it begins.
    pub start: Position,
    /// The moves of the main line, all legal.
    pub moves: Vec<Move>,
}

/// Why a file gives no games.
#[derive(Debug, thiserror::Error)]
#[error("{}{}: {reason}", .path.display(), line_text(*.line))]
pub struct RecordError {
    path: PathBuf,
    line: Option<usize>,
    reason: String,
}

fn line_text(line: Option<usize>) -> String {
    line.map_or(String::new(), |line| format!(", line {line}"))
}

/// The kinds of records.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Format {
    Kif,
    Ki2,
    Csa,
    Jkf,
    Usi,
}

/// The record files among `paths`; folders stand for the record files in them.
///
/// # Errors
///
/// Those of reading a folder.
pub fn find(paths: &[PathBuf]) -> io::Result<Vec<PathBuf>> {
    let mut files = Vec::new();
    for path in paths {
        if !path.is_dir() {
            files.push(path.clone());
            continue;
        }
        let mut found = Vec::new();
        for entry in fs::read_dir(path)? {
            let path = entry?.path();
            let extension = path.extension().and_then(|ext| ext.to_str());
            if extension.is_some_and(|ext| EXTENSIONS.contains(&ext.to_ascii_lowercase().as_str()))
            {
                found.push(path);
            }
        }
        found.sort();
        files.extend(found);
    }
    Ok(files)
}

/// Reads the games of a file.
///
/// # Errors
///
/// [`RecordError`] with the number of the line that cannot be read, where it is known.
pub fn read(path: &Path) -> Result<Vec<Game>, RecordError> {
    let fail = |line: Option<usize>, reason: String| RecordError {
        path: path.to_owned(),
        line,
        reason,
    };
    let bytes = fs::read(path).map_err(|error| fail(None, error.to_string()))?;
    let text = decode(&bytes);
    let format = Format::of(path, &text)
        .ok_or_else(|| fail(None, "no KIF, KI2, CSA, JKF or USI record".to_owned()))?;
    let records = format
        .parse(&text)
        .map_err(|reason| fail(format.bad_line(&text), reason))?;
    let games = records
        .into_iter()
        .filter(|record| record.move_count() > 0)
        .map(Game::new)
        .collect::<Result<Vec<_>, _>>()
        .map_err(|reason| fail(None, reason))?;
    if games.is_empty() {
        return Err(fail(None, "there are no moves in it".to_owned()));
    }
    Ok(games)
}

/// UTF-8 if it is, else Shift_JIS.
fn decode(bytes: &[u8]) -> String {
    let text = match std::str::from_utf8(bytes) {
        Ok(text) => text.to_owned(),
        Err(_) => SHIFT_JIS.decode(bytes).0.into_owned(),
    };
    text.trim_start_matches('\u{feff}').replace("\r\n", "\n")
}

impl Format {
    /// The format by the file's name, or by what the text begins with.
    fn of(path: &Path, text: &str) -> Option<Self> {
        let extension = path.extension().and_then(|ext| ext.to_str());
        match extension.unwrap_or_default().to_ascii_lowercase().as_str() {
            "kif" | "kifu" => return Some(Self::Kif),
            "ki2" | "ki2u" => return Some(Self::Ki2),
            "csa" => return Some(Self::Csa),
            "jkf" => return Some(Self::Jkf),
            "usi" | "sfen" => return Some(Self::Usi),
            _ => {}
        }
        let begins = |starts: &[&str]| {
            let is_start = |line: &str| starts.iter().any(|start| line.starts_with(start));
            text.lines().any(|line| is_start(line.trim_start()))
        };
        if text.trim_start().starts_with('{') {
            Some(Self::Jkf)
        } else if begins(&["position ", "startpos", "sfen "]) {
            Some(Self::Usi)
        } else if begins(&["手数--"]) {
            Some(Self::Kif)
        } else if begins(&["▲", "☗", "△", "☖"]) {
            Some(Self::Ki2)
        } else if begins(&["PI", "P1", "V2", "V3", "+7", "+2"]) {
            Some(Self::Csa)
        } else {
            None
        }
    }

    fn parse(self, text: &str) -> Result<Vec<Record>, String> {
        match self {
            Self::Kif => kif::parse_kif_str(text)
                .map(|record| vec![record])
                .map_err(|error| error.to_string()),
            Self::Ki2 => kif::parse_ki2_str(text)
                .map(|record| vec![record])
                .map_err(|error| error.to_string()),
            Self::Csa => match csa::parse_csa_games(text) {
                // A game that goes on has no end.
                Err(csa::CsaError::MissingEndMarker) => {
                    csa::parse_csa_games(&format!("{text}\n%CHUDAN\n"))
                }
                result => result,
            }
            .map_err(|error| error.to_string()),
            Self::Jkf => jkf::parse_jkf_str(text)
                .map(|record| vec![record])
                .map_err(|error| error.to_string()),
            Self::Usi => usi_lines(text).map(parse_usi).collect(),
        }
    }

    /// The line after which nothing can be read any more: the beginning of the file up to it is a record.
    fn bad_line(self, text: &str) -> Option<usize> {
        if self == Self::Usi {
            let is_bad = |line: &str| usi_lines(line).any(|line| parse_usi(line).is_err());
            return text.lines().position(is_bad).map(|good| good + 1);
        }
        let ends: Vec<_> = text.match_indices('\n').map(|(at, _)| at + 1).collect();
        if self == Self::Jkf || ends.len() * text.len() > MAX_SEARCH {
            return None;
        }
        let is_good = |&lines: &usize| match lines {
            0 => true,
            _ => self.parse(&text[..ends[lines - 1]]).is_ok(),
        };
        (0..=ends.len()).rev().find(is_good).map(|good| good + 1)
    }
}

/// The lines of a USI file that hold games.
fn usi_lines(text: &str) -> impl Iterator<Item = &str> {
    let lines = text.lines().map(str::trim);
    lines.filter(|line| !line.is_empty() && !line.starts_with('#'))
}

fn parse_usi(line: &str) -> Result<Record, String> {
    let options = usi::UsiPositionParseOptions::extended();
    let parse = |text: &str| usi::parse_usi_position_with_options(text, options);
    parse(line).map_err(|error| {
        // The error does not always name the move: it is the word that spoils what stands before it.
        let ends: Vec<_> = line.match_indices(' ').map(|(at, _)| at).collect();
        let is_good = |&end: &usize| parse(&line[..end]).is_ok();
        let is_short = ends.len() * line.len() <= MAX_SEARCH;
        let good = ends.into_iter().rev().filter(|_| is_short).find(is_good);
        let word = good.and_then(|end| line[end..].split_ascii_whitespace().next());
        word.map_or(error.to_string(), |word| format!("{error}: {word}"))
    })
}

impl Game {
    fn new(record: Record) -> Result<Self, String> {
        let start = Position::from_sfen_tolerant(record.init_position_sfen());
        let (start, _) = start.map_err(|error| error.to_string())?;
        let mut position = start.clone();
        let mut moves = Vec::new();
        for (entry, number) in record.main_moves().zip(1..) {
            let mv = Move::from_raw(entry.mv().raw());
            let mv = mv.filter(|&mv| position.try_move(mv).is_ok());
            moves.push(mv.ok_or_else(|| format!("move {number} is not legal"))?);
        }
        Ok(Self {
            record,
            start,
            moves,
        })
    }
}

/// Writes moves as Japanese books do: `▲７六歩`, `△同　銀右`.
#[derive(Clone)]
pub struct JapaneseNotation(Referee);

impl JapaneseNotation {
    /// Begins at a position that has both kings.
    pub fn new(position: &Position) -> Self {
        Self(board::position_from_sfen(&position.sfen()).unwrap_or_else(|_| Referee::empty()))
    }

    /// Plays a legal move and returns its text.
    pub fn play(&mut self, mv: Move) -> String {
        let mv = rsshogi::types::Move::from_raw(mv.raw());
        let text = self.0.move32_from_move(mv).to_ki2(&self.0);
        self.0.apply_move(mv);
        text.unwrap_or_default()
    }

    /// The texts of a line, the notation stays where it is.
    pub fn line(&self, moves: &[Move]) -> Vec<String> {
        let mut notation = self.clone();
        moves.iter().map(|&mv| notation.play(mv)).collect()
    }
}

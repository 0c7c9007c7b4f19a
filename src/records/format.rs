//! The formats, and how they are told apart.

use super::error::{Fault, Place, ReadError, Warning};
use super::record::Record;
use super::write::Written;
use super::{Encoding, csa, decode, jkf, kif, lines, usi};

/// A format of records.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Format {
    /// A move a line, with its number, origin and time.
    Kif,
    /// Moves in Japanese notation, as books write them.
    Ki2,
    /// The format of computer shogi and its servers.
    Csa,
    /// JSON.
    Jkf,
    /// `position` with moves, a game a line.
    Usi,
    /// The same without the word `position` and without ends, as YaneuraOu's tools expect it. Read in the same way as
    /// USI.
    Sfen,
}

/// What was read.
#[derive(Clone, Debug)]
pub struct Reading {
    /// The games.
    pub records: Vec<Record>,
    /// The format that was found.
    pub format: Format,
    /// How the text was stored.
    pub encoding: Encoding,
    /// What was left out, or contradicts itself.
    pub warnings: Vec<Warning>,
    /// Games of a file with several (CSA, USI) that cannot be read.
    pub faults: Vec<ReadError>,
}

/// The games of a text.
#[derive(Default)]
pub(super) struct Games {
    pub records: Vec<Record>,
    pub warnings: Vec<Warning>,
    pub faults: Vec<ReadError>,
}

impl Games {
    /// Adds a game.
    pub fn add(
        &mut self,
        game: Result<(impl IntoIterator<Item = Record>, Vec<Warning>), ReadError>,
    ) {
        match game {
            Ok((record, warnings)) => {
                self.records.extend(record);
                self.warnings.extend(warnings);
            }
            Err(fault) => self.faults.push(fault),
        }
    }
}

impl Format {
    /// All formats.
    pub const ALL: [Self; 6] = [
        Self::Kif,
        Self::Ki2,
        Self::Csa,
        Self::Jkf,
        Self::Usi,
        Self::Sfen,
    ];

    /// The format that a file extension stands for; `kifu` and `ki2u` are UTF-8 by convention.
    pub fn of_extension(extension: &str) -> Option<Self> {
        Some(match extension.to_ascii_lowercase().as_str() {
            "kif" | "kifu" => Self::Kif,
            "ki2" | "ki2u" => Self::Ki2,
            "csa" => Self::Csa,
            "jkf" => Self::Jkf,
            "usi" => Self::Usi,
            "sfen" => Self::Sfen,
            _ => return None,
        })
    }

    /// The usual extension of files in an encoding.
    pub const fn extension(self, encoding: Encoding) -> &'static str {
        match (self, encoding) {
            (Self::Kif, Encoding::ShiftJis) => "kif",
            (Self::Kif, _) => "kifu",
            (Self::Ki2, Encoding::ShiftJis) => "ki2",
            (Self::Ki2, _) => "ki2u",
            (Self::Csa, _) => "csa",
            (Self::Jkf, _) => "jkf",
            (Self::Usi, _) => "usi",
            (Self::Sfen, _) => "sfen",
        }
    }

    /// The usual name.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Kif => "KIF",
            Self::Ki2 => "KI2",
            Self::Csa => "CSA",
            Self::Jkf => "JKF",
            Self::Usi => "USI",
            Self::Sfen => "SFEN",
        }
    }

    /// The format of a text, by the first line that only one format has.
    pub fn of_text(text: &str) -> Option<Self> {
        if text.trim_start().starts_with('{') {
            return Some(Self::Jkf);
        }
        let is_frame = |line: &str| {
            ["手合割", "|", "+--"]
                .iter()
                .any(|start| line.starts_with(start))
        };
        lines(text)
            .find_map(|line| Self::of_line(line.trim()))
            // KI2 has these as well, but without moves it makes no difference.
            .or_else(|| lines(text).any(is_frame).then_some(Self::Kif))
    }

    fn of_line(line: &str) -> Option<Self> {
        let begins = |starts: &[&str]| starts.iter().any(|start| line.starts_with(start));
        let is_sfen = |line: &str| line.split('/').count() == 9 && line.contains(' ');
        if begins(&["*", "#", "&"]) {
            None
        } else if begins(&["position ", "startpos", "sfen ", "moves "]) || is_sfen(line) {
            Some(Self::Usi)
        } else if begins(&[
            "V2",
            "V3",
            "'CSA",
            "'encoding",
            "N+",
            "N-",
            "PI",
            "P1",
            "P+",
            "P-",
        ]) {
            Some(Self::Csa)
        } else if begins(&["手数--"]) || kif::is_numbered_move(line) {
            Some(Self::Kif)
        } else if begins(&["▲", "△", "▽", "▼", "☗", "☖"]) {
            Some(Self::Ki2)
        } else if csa::is_move(line) {
            Some(Self::Csa)
        } else {
            None
        }
    }
}

/// Reads the records of a file. Without a format it is detected from the text.
///
/// ```
/// use hien::records::{self, End, Format};
///
/// let reading = records::read("▲７六歩 △３四歩\nまで2手で後手の勝ち\n".as_bytes(), None)?;
/// assert_eq!(reading.format, Format::Ki2);
/// assert_eq!(reading.records[0].moves().count(), 2);
/// assert_eq!(reading.records[0].end(), Some(&End::Resignation));
/// # Ok::<(), records::ReadError>(())
/// ```
///
/// # Errors
///
/// The first thing that cannot be understood, with its place, if no game can be read.
pub fn read(bytes: &[u8], format: Option<Format>) -> Result<Reading, ReadError> {
    let (text, encoding, mut warnings) = decode(bytes);
    let format = format.or_else(|| Format::of_text(&text));
    let format = format.ok_or(ReadError {
        place: Place::line(1),
        fault: Fault::Format,
    })?;
    let mut games = Games::default();
    let one = |(record, warnings)| (Some(record), warnings);
    match format {
        _ if text.trim().is_empty() => {}
        Format::Kif | Format::Ki2 => games.add(kif::read(&text).map(one)),
        Format::Csa => games = csa::read(&text),
        Format::Jkf => games.add(jkf::read(&text).map(one)),
        Format::Usi | Format::Sfen => games = usi::read(&text),
    }
    if games.records.is_empty() && !games.faults.is_empty() {
        return Err(games.faults.swap_remove(0));
    }
    warnings.extend(games.warnings);
    Ok(Reading {
        records: games.records,
        format,
        encoding,
        warnings,
        faults: games.faults,
    })
}

impl Record {
    /// The record in a format, and what that cannot hold.
    ///
    /// ```
    /// use hien::records::{self, Format};
    ///
    /// let reading = records::read(b"startpos moves 7g7f 3c3d resign", None)?;
    /// let written = reading.records[0].write(Format::Csa);
    /// assert_eq!(written.text, "V2.2\nPI\n+\n+7776FU\n-3334FU\n%TORYO\n");
    /// assert!(written.losses.is_empty());
    /// # Ok::<(), records::ReadError>(())
    /// ```
    pub fn write(&self, format: Format) -> Written {
        match format {
            Format::Kif => kif::write_kif(self),
            Format::Ki2 => kif::write_ki2(self),
            Format::Csa => csa::write(self),
            Format::Jkf => jkf::write(self),
            Format::Usi => usi::write_usi(self),
            Format::Sfen => usi::write_sfen(self),
        }
    }
}

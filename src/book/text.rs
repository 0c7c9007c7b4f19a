//! DB2016, the text books of YaneuraOu: reading them entry by entry, looking a position up by binary search, writing.
//!
//! The format: a header line, then for each position a line `sfen <board> <side> <hands> <ply>` and its moves, one a
//! line. Lines that begin with `#` or `//` are comments. The entries are sorted by their `sfen` lines as bytes.
//!
//! `rsshogi`, which reads YBB and SBK here, reads DB2016 as well, but refuses to look positions up in a book that is
//! not sorted, gives no entry that has a bad line, and opens the file anew for each lookup. Books as users have them
//! are sorted here if need be and read as far as they can be, and small ones stay in memory.

use std::fs::File;
use std::io::{self, BufRead, BufReader, Cursor, Read, Seek, SeekFrom, Write};
use std::path::Path;

use super::entry::{BookEntry, Candidate, NotAMove, merge, sort_entries};
use super::error::BookError;
use super::key::Key;
use crate::shogi::SfenError;

/// The first line of a book.
const HEADER: &str = "#YANEURAOU-DB2016 1.00";

/// Longer lines are cut: no entry needs so much, and a file need not be a book at all.
const MAX_LINE: u64 = 4096;

/// Bytes below which the binary search becomes a linear one.
const BLOCK: u64 = 4096;

/// How many places of a large file are looked at to see whether it is sorted.
const SAMPLES: u64 = 2000;

/// Entries compared one by one at the beginning of a large file.
const FIRST_ENTRIES: usize = 500;

/// A DB2016 book whose entries are sorted.
pub struct TextBook {
    source: Source,
    facts: Facts,
}

enum Source {
    Memory(Vec<u8>),
    File(File, u64),
}

/// What is known of a book.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Facts {
    /// The number of positions, if all were counted or the book tells.
    pub positions: Option<u64>,
    /// Whether the entries stood in their order in the file.
    pub is_sorted: bool,
    /// Lines that could not be read.
    pub bad_lines: u64,
    /// The number of the first of them, and what is wrong there.
    pub first_bad: Option<(u64, LineFault)>,
}

/// What is wrong with a line of a book.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum LineFault {
    /// No position.
    #[error(transparent)]
    Position(#[from] SfenError),
    /// No move.
    #[error(transparent)]
    Move(#[from] NotAMove),
    /// Nothing that a move could belong to.
    #[error("a line before the first position")]
    BeforeFirst,
}

impl TextBook {
    /// Keeps the text of a whole book in memory, and sorts it if need be.
    ///
    /// # Errors
    ///
    /// [`BookError::NoBook`] if it is something else.
    pub fn new(bytes: Vec<u8>) -> Result<Self, BookError> {
        if !looks_like_book(&bytes) {
            return Err(BookError::NoBook);
        }
        let mut reader = EntryReader::new(Cursor::new(&bytes[..]));
        let mut facts = Facts {
            is_sorted: true,
            ..Facts::default()
        };
        let mut last: Option<Key> = None;
        let mut count = 0;
        while let Some(read) = reader.next_entry()? {
            count += 1;
            facts.is_sorted &=
                read.is_normal && last.as_ref().is_none_or(|last| *last <= read.entry.key);
            last = Some(read.entry.key);
        }
        facts.positions = Some(count);
        (facts.bad_lines, facts.first_bad) = (reader.bad_lines, reader.first_bad);
        let bytes = if facts.is_sorted {
            bytes
        } else {
            sorted_text(read(&bytes[..])?)?
        };
        Ok(Self {
            source: Source::Memory(bytes),
            facts,
        })
    }

    /// Opens a book to be read on the fly. Only samples show whether it is sorted, as it must be:
    /// [`Facts::is_sorted`].
    ///
    /// # Errors
    ///
    /// Those of the file; [`BookError::NoBook`] if it is something else.
    pub fn open(path: &Path) -> Result<Self, BookError> {
        let mut file = File::open(path)?;
        let size = file.metadata()?.len();
        let mut head = Vec::new();
        (&mut file).take(BLOCK).read_to_end(&mut head)?;
        if !looks_like_book(&head) {
            return Err(BookError::NoBook);
        }
        let mut reader = BufReader::new(&mut file);
        let facts = Facts {
            positions: announced_positions(&head),
            is_sorted: is_sorted_in_samples(&mut reader, size)?,
            ..Facts::default()
        };
        Ok(Self {
            source: Source::File(file, size),
            facts,
        })
    }

    /// A book in memory of these entries.
    ///
    /// # Errors
    ///
    /// Cannot fail in practice: the text is written to memory.
    pub fn from_entries(entries: Vec<BookEntry>) -> Result<Self, BookError> {
        let facts = Facts {
            positions: Some(entries.len() as u64),
            is_sorted: true,
            ..Facts::default()
        };
        Ok(Self {
            source: Source::Memory(sorted_text(entries)?),
            facts,
        })
    }

    /// What is known of the book.
    pub fn facts(&self) -> &Facts {
        &self.facts
    }

    /// Whether lookups read the file.
    pub fn is_on_the_fly(&self) -> bool {
        matches!(self.source, Source::File(..))
    }

    /// All entries for a position, whatever their move number.
    ///
    /// # Errors
    ///
    /// Those of reading the file.
    pub fn lookup(&mut self, key: &Key) -> io::Result<Vec<BookEntry>> {
        match &mut self.source {
            Source::Memory(bytes) => lookup(&mut Cursor::new(&bytes[..]), bytes.len() as u64, key),
            Source::File(file, size) => lookup(&mut BufReader::new(file), *size, key),
        }
    }

    /// Hands every entry to `visit`, in the order of the book.
    ///
    /// # Errors
    ///
    /// Those of reading the file, and of `visit`.
    pub fn for_each(
        &mut self,
        mut visit: impl FnMut(BookEntry) -> Result<(), BookError>,
    ) -> Result<(), BookError> {
        let mut walk = |reader: &mut dyn BufRead| {
            let mut reader = EntryReader::new(reader);
            while let Some(read) = reader.next_entry()? {
                visit(read.entry)?;
            }
            Ok(())
        };
        match &mut self.source {
            Source::Memory(bytes) => walk(&mut &bytes[..]),
            Source::File(file, _) => {
                file.seek(SeekFrom::Start(0))?;
                walk(&mut BufReader::new(file))
            }
        }
    }
}

/// Reads the entries of a book, in its order; what cannot be read is left out.
///
/// # Errors
///
/// Those of the reader.
pub fn read(reader: impl BufRead) -> io::Result<Vec<BookEntry>> {
    let mut reader = EntryReader::new(reader);
    let mut entries = Vec::new();
    while let Some(found) = reader.next_entry()? {
        entries.push(found.entry);
    }
    Ok(entries)
}

/// Writes a sorted book.
///
/// # Errors
///
/// Those of `out`.
pub fn write(out: &mut dyn Write, entries: Vec<BookEntry>) -> io::Result<()> {
    let entries = sort_entries(entries);
    writeln!(out, "{HEADER}\n# NOE:{}", entries.len())?;
    for entry in &entries {
        write_entry(out, entry)?;
    }
    Ok(())
}

/// Writes one entry.
///
/// # Errors
///
/// Those of `out`.
pub fn write_entry(out: &mut dyn Write, entry: &BookEntry) -> io::Result<()> {
    match entry.ply {
        Some(ply) => writeln!(out, "sfen {} {ply}", entry.key)?,
        None => writeln!(out, "sfen {}", entry.key)?,
    }
    for candidate in &entry.moves {
        writeln!(out, "{candidate}")?;
    }
    Ok(())
}

fn sorted_text(entries: Vec<BookEntry>) -> io::Result<Vec<u8>> {
    let mut text = Vec::new();
    write(&mut text, entries)?;
    Ok(text)
}

/// Whether a file that begins with `head` can be a text book: its first line is a comment, a position, or missing.
fn looks_like_book(head: &[u8]) -> bool {
    let text = String::from_utf8_lossy(&head[..head.len().min(BLOCK as usize)]);
    let text = text.trim_start_matches('\u{feff}').trim_ascii_start();
    text.is_empty()
        || ["#", "//", "sfen "]
            .iter()
            .any(|start| text.starts_with(start))
}

/// The number of positions in a line `# NOE:n` near the beginning.
fn announced_positions(head: &[u8]) -> Option<u64> {
    let text = String::from_utf8_lossy(head);
    let line = text
        .lines()
        .take(2)
        .find_map(|line| line.strip_prefix("# NOE:"));
    line.and_then(|number| number.trim().parse().ok())
}

fn is_sorted_in_samples<R: BufRead + Seek>(reader: &mut R, size: u64) -> io::Result<bool> {
    let mut last: Option<Key> = None;
    let mut is_next = |read: &Found| {
        let fits = read.is_normal && last.as_ref().is_none_or(|last| *last <= read.entry.key);
        last = Some(read.entry.key.clone());
        fits
    };
    reader.seek(SeekFrom::Start(0))?;
    let mut beginning = EntryReader::new(&mut *reader);
    for _ in 0..FIRST_ENTRIES {
        match beginning.next_entry()? {
            Some(read) if !is_next(&read) => return Ok(false),
            Some(_) => {}
            None => return Ok(true),
        }
    }
    let mut place = beginning.offset;
    let step = (size / SAMPLES).max(1);
    while place < size {
        match entry_after(reader, place)? {
            Some((_, read)) if !is_next(&read) => return Ok(false),
            Some((at, _)) => place = at.max(place) + step,
            None => break,
        }
    }
    Ok(true)
}

/// The entries of a key in a sorted book of `size` bytes.
fn lookup<R: BufRead + Seek>(reader: &mut R, size: u64, key: &Key) -> io::Result<Vec<BookEntry>> {
    // Entries that begin before `low` are less than the key, those that begin at `high` or later are not.
    let (mut low, mut high) = (0, size);
    while high - low > BLOCK {
        let middle = low + (high - low) / 2;
        match entry_after(reader, middle)? {
            Some((at, read)) if at < high && read.entry.key < *key => low = at + 1,
            _ => high = middle,
        }
    }
    seek_line(reader, low)?;
    let mut reader = EntryReader::new(reader);
    let mut found = Vec::new();
    while let Some(read) = reader.next_entry()? {
        match read.entry.key.cmp(key) {
            std::cmp::Ordering::Less => {}
            std::cmp::Ordering::Equal => found.push(read.entry),
            std::cmp::Ordering::Greater => break,
        }
    }
    Ok(found)
}

/// The first entry that begins at `place` or later, and where it begins.
fn entry_after<R: BufRead + Seek>(reader: &mut R, place: u64) -> io::Result<Option<(u64, Found)>> {
    let start = seek_line(reader, place)?;
    let mut reader = EntryReader::new(reader);
    let read = reader.next_entry()?;
    Ok(read.map(|read| (start + read.at, read)))
}

/// Goes to the first line that begins at `place` or later; returns where that is.
fn seek_line<R: BufRead + Seek>(reader: &mut R, place: u64) -> io::Result<u64> {
    if place == 0 {
        return reader.seek(SeekFrom::Start(0));
    }
    reader.seek(SeekFrom::Start(place - 1))?;
    Ok(place - 1 + reader.skip_until(b'\n')? as u64)
}

/// Reads a text book from any line on, one entry after another. What cannot be read is left out and counted.
pub struct EntryReader<R> {
    reader: R,
    /// Bytes read.
    offset: u64,
    line_number: u64,
    /// The position line that ended the last entry, and where it begins.
    pending: Option<Found>,
    line: Vec<u8>,
    /// Whether moves belong to a position that could not be read.
    is_skipping: bool,
    bad_lines: u64,
    first_bad: Option<(u64, LineFault)>,
}

/// An entry as it stands in a file.
pub struct Found {
    /// The entry.
    pub entry: BookEntry,
    /// Where it begins, counted from where the reader began.
    at: u64,
    /// Whether its position is written in the usual way, so that sorting and comparing texts is right.
    is_normal: bool,
}

impl<R: BufRead> EntryReader<R> {
    /// Reads from the beginning of a line.
    pub fn new(reader: R) -> Self {
        Self {
            reader,
            offset: 0,
            line_number: 0,
            pending: None,
            line: Vec::new(),
            is_skipping: false,
            bad_lines: 0,
            first_bad: None,
        }
    }

    /// The next entry; `None` at the end.
    ///
    /// # Errors
    ///
    /// Those of the reader.
    pub fn next_entry(&mut self) -> io::Result<Option<Found>> {
        let mut current = self.pending.take();
        loop {
            let at = self.offset;
            if !self.read_line()? {
                return Ok(current);
            }
            let text = String::from_utf8_lossy(&self.line);
            let line = text.trim_start_matches('\u{feff}').trim_ascii();
            if line.is_empty() || line.starts_with('#') || line.starts_with("//") {
                continue;
            }
            if let Some(sfen) = line.strip_prefix("sfen ") {
                match read_position(sfen, at) {
                    Ok(read) => {
                        self.is_skipping = false;
                        match current {
                            Some(done) => {
                                self.pending = Some(read);
                                return Ok(Some(done));
                            }
                            None => current = Some(read),
                        }
                    }
                    Err(reason) => {
                        self.complain(reason.into());
                        self.is_skipping = true;
                        if current.is_some() {
                            return Ok(current);
                        }
                    }
                }
                continue;
            }
            let fault = match (&mut current, Candidate::read(line)) {
                (Some(read), Ok(candidate)) => {
                    merge(&mut read.entry.moves, candidate);
                    continue;
                }
                (None, _) if self.is_skipping => continue,
                (None, _) => LineFault::BeforeFirst,
                (_, Err(reason)) => reason.into(),
            };
            self.complain(fault);
        }
    }

    /// Reads a line, cut if it is too long; whether there was one.
    fn read_line(&mut self) -> io::Result<bool> {
        self.line.clear();
        let mut length = (&mut self.reader)
            .take(MAX_LINE)
            .read_until(b'\n', &mut self.line)? as u64;
        if length == MAX_LINE && !self.line.ends_with(b"\n") {
            length += self.reader.skip_until(b'\n')? as u64;
        }
        self.offset += length;
        self.line_number += 1;
        Ok(length > 0)
    }

    fn complain(&mut self, reason: LineFault) {
        self.bad_lines += 1;
        self.first_bad.get_or_insert((self.line_number, reason));
    }
}

fn read_position(sfen: &str, at: u64) -> Result<Found, SfenError> {
    let (key, ply) = Key::read(sfen)?;
    Ok(Found {
        is_normal: sfen.starts_with(key.as_str()),
        entry: BookEntry {
            key,
            ply,
            moves: Vec::new(),
        },
        at,
    })
}

//! One file of a book, of any kind.

use std::ffi::OsStr;
use std::fmt;
use std::path::{Path, PathBuf};

use super::entry::BookEntry;
use super::error::BookError;
use super::foreign::{self, BinaryBook};
use super::key::Key;
use super::options::INTERNAL;
use super::text::{LineFault, TextBook};

/// Files above this size are read on the fly in any case: loading them would keep the GUI waiting.
const MAX_LOADED: u64 = 16 << 20;

/// Files above this size are not sorted in memory.
const MAX_SORTED: u64 = 1 << 30;

/// Positions up to move 12, each searched by the engine; `benches/README.md` says how it was made.
pub(super) const INTERNAL_TEXT: &[u8] = include_bytes!("internal.db");

/// An opened book file.
pub struct BookFile {
    path: PathBuf,
    kind: FileKind,
}

/// The formats of books.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BookFormat {
    /// DB2016, YaneuraOu's text.
    Text,
    /// YBB, YaneuraOu's binary form.
    Ybb,
    /// SBK, of ShogiGUI.
    Sbk,
}

impl fmt::Display for BookFormat {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Text => "DB2016 text",
            Self::Ybb => "YBB",
            Self::Sbk => "SBK",
        })
    }
}

/// What is known of a book file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BookFacts {
    /// The file.
    pub path: PathBuf,
    /// Its format.
    pub format: BookFormat,
    /// The number of positions, if all were counted or the book states it.
    pub positions: Option<u64>,
    /// Whether the entries stood in their order in the file.
    pub is_sorted: bool,
    /// Whether the file is read at each lookup.
    pub is_on_the_fly: bool,
    /// Lines that could not be read.
    pub bad_lines: u64,
    /// The number of the first of them, and what is wrong there.
    pub first_bad: Option<(u64, LineFault)>,
}

impl fmt::Display for BookFacts {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}, {}", self.path.display(), self.format)?;
        match self.positions {
            Some(1) => f.write_str(", 1 position")?,
            Some(number) => write!(f, ", {number} positions")?,
            None => f.write_str(", not counted")?,
        }
        if self.format == BookFormat::Text {
            f.write_str(if self.is_sorted {
                ", sorted"
            } else {
                ", not sorted (done in memory)"
            })?;
        }
        f.write_str(if self.is_on_the_fly {
            ", read on the fly"
        } else {
            ", in memory"
        })?;
        if let Some((line, fault)) = &self.first_bad {
            let lines = self.bad_lines;
            write!(
                f,
                ", {lines} bad lines left out, the first is line {line}: {fault}"
            )?;
        }
        Ok(())
    }
}

enum FileKind {
    Text(TextBook),
    Binary(BinaryBook),
    /// An SBK book, kept in memory as text.
    Sbk(TextBook),
}

impl FileKind {
    fn open(path: &Path, on_the_fly: bool) -> Result<Self, BookError> {
        let size = std::fs::metadata(path)?.len();
        let on_the_fly = on_the_fly || size > MAX_LOADED;
        let has_extension = |wanted: &str| {
            let extension = path.extension().and_then(OsStr::to_str);
            extension.is_some_and(|extension| extension.eq_ignore_ascii_case(wanted))
        };
        Ok(if has_extension("ybb") {
            Self::Binary(BinaryBook::open(path, on_the_fly)?)
        } else if has_extension("sbk") {
            Self::Sbk(TextBook::from_entries(foreign::read_sbk(path)?)?)
        } else {
            Self::Text(open_text(path, size, on_the_fly)?)
        })
    }
}

impl BookFile {
    /// Opens a file, its kind told by its name: [`INTERNAL`], `.ybb`, `.sbk`, anything else is DB2016 text.
    ///
    /// # Errors
    ///
    /// What is wrong with it.
    pub fn open(path: &Path, on_the_fly: bool) -> Result<Self, BookError> {
        let kind = if path == Path::new(INTERNAL) {
            FileKind::Text(TextBook::new(INTERNAL_TEXT.to_vec())?)
        } else {
            FileKind::open(path, on_the_fly)?
        };
        Ok(Self {
            path: path.to_owned(),
            kind,
        })
    }

    /// What is known of the file.
    pub fn facts(&self) -> BookFacts {
        let (format, text) = match &self.kind {
            FileKind::Text(book) => (BookFormat::Text, book),
            FileKind::Sbk(book) => (BookFormat::Sbk, book),
            FileKind::Binary(book) => {
                return BookFacts {
                    path: self.path.clone(),
                    format: BookFormat::Ybb,
                    positions: Some(book.positions()),
                    is_sorted: true,
                    is_on_the_fly: book.is_on_the_fly(),
                    bad_lines: 0,
                    first_bad: None,
                };
            }
        };
        let facts = text.facts();
        BookFacts {
            path: self.path.clone(),
            format,
            positions: facts.positions,
            is_sorted: facts.is_sorted,
            is_on_the_fly: text.is_on_the_fly(),
            bad_lines: facts.bad_lines,
            first_bad: facts.first_bad.clone(),
        }
    }

    /// All entries for a position, whatever their move number.
    ///
    /// # Errors
    ///
    /// What is wrong with the file there.
    pub fn lookup(&mut self, key: &Key) -> Result<Vec<BookEntry>, BookError> {
        match &mut self.kind {
            FileKind::Text(book) | FileKind::Sbk(book) => Ok(book.lookup(key)?),
            FileKind::Binary(book) => book.lookup(key),
        }
    }

    /// Hands every entry to `visit`, in the order of the book.
    ///
    /// # Errors
    ///
    /// What is wrong with the file, and the errors of `visit`.
    pub fn for_each(
        &mut self,
        visit: impl FnMut(BookEntry) -> Result<(), BookError>,
    ) -> Result<(), BookError> {
        match &mut self.kind {
            FileKind::Text(book) | FileKind::Sbk(book) => book.for_each(visit),
            FileKind::Binary(book) => book.for_each(visit),
        }
    }
}

fn open_text(path: &Path, size: u64, on_the_fly: bool) -> Result<TextBook, BookError> {
    if on_the_fly {
        let book = TextBook::open(path)?;
        if book.facts().is_sorted {
            return Ok(book);
        }
        if size > MAX_SORTED {
            return Err(BookError::Unsorted(size));
        }
    }
    TextBook::new(std::fs::read(path)?)
}

//! THE OPENING BOOK: finding it, opening it, looking a position up, choosing a move, and saying why there is none.
//!
//! [`Book::open`] finds the files (`locate`) and opens them by their kind: DB2016 text (`text`), YBB and SBK
//! (`foreign`). [`Book::probe`] looks a position up, also turned round, and lets `choose` filter and pick. Knows
//! no search, no protocol and no option by name, except in messages for the user.
//!
//! ```
//! use hien::book::{Book, BookOptions};
//! use hien::shogi::Position;
//!
//! let options = BookOptions { file: "a.db".into(), dir: "tests/data/book".into(), ..BookOptions::default() };
//! let places = Book::find(&options, &[std::env::current_dir()?])?;
//! let (mut book, _) = Book::open(&places, options.on_the_fly)?;
//! let mut random = fastrand::Rng::with_seed(1);
//! let answer = book.probe(&Position::startpos(), &options, 0, &mut random).unwrap();
//! assert!(["7g7f", "2g2f"].contains(&answer.chosen.candidate.mv.to_string().as_str()));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod choose;
mod entry;
mod foreign;
mod key;
mod locate;
mod text;

use std::ffi::OsStr;
use std::io;
use std::path::{Path, PathBuf};

use crate::shogi::{Move, Position};

pub use choose::{Miss, Selection};
pub use entry::{BookEntry, Candidate, NotAMove};
pub use foreign::write_ybb;
pub use key::Key;
pub use locate::Place;
pub use text::{read as read_text, write as write_text, write_entry};

use foreign::BinaryBook;
use text::TextBook;

/// Files above this size are read on the fly in any case: loading them would keep the GUI waiting.
const MAX_LOADED: u64 = 16 << 20;

/// Files above this size are not sorted in memory.
const MAX_SORTED: u64 = 1 << 30;

/// The name of a book that is none.
pub const NO_BOOK: &str = "no_book";

/// The name of the book inside the program.
pub const INTERNAL: &str = "<internal>";

/// Positions up to move 12, each thought over by the engine; how it was made stands in `benches/README.md`.
const INTERNAL_TEXT: &[u8] = include_bytes!("internal.db");

/// What a user can set about books. Scores in centipawns.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BookOptions {
    /// Whether a book is used at all.
    pub own_book: bool,
    /// The book's file name, or [`INTERNAL`]; empty or [`NO_BOOK`] = none.
    pub file: String,
    /// The folder in which it is looked for.
    pub dir: String,
    /// Read the file at each lookup instead of loading it.
    pub on_the_fly: bool,
    /// Positions are found whatever the move number.
    pub ignore_ply: bool,
    /// Positions are also looked for turned round.
    pub flipped: bool,
    /// Percentage of moves at which the book is skipped.
    pub ignore_rate: u32,
    /// The last move number at which the book is used.
    pub moves: u32,
    /// Leave out what is played in less than a tenth of the games.
    pub narrow: bool,
    /// Depth that the best move must have.
    pub depth_limit: u32,
    /// How much worse than the best a move may be.
    pub eval_diff: i32,
    /// The least score of a move for Black.
    pub eval_black_limit: i32,
    /// The least score of a move for White.
    pub eval_white_limit: i32,
    /// Choose by how often moves were played.
    pub consider_count: bool,
    /// Length of the lines shown.
    pub pv_moves: usize,
}

impl Default for BookOptions {
    /// YaneuraOu's defaults, but for those that switch ordinary books off without a word: move numbers are ignored, no
    /// depth is asked for, and Black may be as much behind as White.
    fn default() -> Self {
        Self {
            own_book: true,
            file: NO_BOOK.to_owned(),
            dir: "book".to_owned(),
            on_the_fly: false,
            ignore_ply: true,
            flipped: true,
            ignore_rate: 0,
            moves: 16,
            narrow: false,
            depth_limit: 0,
            eval_diff: 30,
            eval_black_limit: -140,
            eval_white_limit: -140,
            consider_count: false,
            pv_moves: 8,
        }
    }
}

impl BookOptions {
    /// Whether a book is asked for.
    pub fn wants_book(&self) -> bool {
        self.own_book && !self.file.is_empty() && !self.file.eq_ignore_ascii_case(NO_BOOK)
    }
}

/// What is wrong with a book.
#[derive(Debug, thiserror::Error)]
pub enum BookError {
    /// The file cannot be read.
    #[error("{0}")]
    Io(#[from] io::Error),
    /// The file is something else.
    #[error("not a book: no DB2016 text, YBB or SBK")]
    NoBook,
    /// The contents are damaged.
    #[error("{0}")]
    Damaged(String),
    /// The book cannot be written in the format that was asked for.
    #[error("cannot be written: {0}")]
    Unwritable(String),
    /// A large book that is not sorted.
    #[error(
        "not sorted, and with {} MiB too large to be sorted in memory; sort it with 'hien book convert'",
        .0 >> 20
    )]
    Unsorted(u64),
}

impl From<rsshogi::book::BookError> for BookError {
    fn from(error: rsshogi::book::BookError) -> Self {
        match error {
            rsshogi::book::BookError::Io(error) => Self::Io(error),
            other => Self::Damaged(other.to_string()),
        }
    }
}

/// A file of a book that cannot be used.
#[derive(Debug, thiserror::Error)]
#[error("book {}: {reason}", path.display())]
pub struct UnusableFile {
    /// The file.
    pub path: PathBuf,
    /// What is wrong with it.
    pub reason: BookError,
}

/// There is no book of this name.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("BookFile {name}: no such file; tried {}", list(tried))]
pub struct BookNotFound {
    /// The name as set.
    pub name: String,
    /// Where it was looked for.
    pub tried: Vec<PathBuf>,
}

/// Why no book could be opened.
#[derive(Debug, thiserror::Error)]
pub enum OpenBookError {
    /// There is none.
    #[error(transparent)]
    NotFound(#[from] BookNotFound),
    /// None of its files can be used.
    #[error("{}", .0.iter().map(UnusableFile::to_string).collect::<Vec<_>>().join("; "))]
    Unusable(Vec<UnusableFile>),
}

/// Paths in a message.
pub(crate) fn list(paths: &[PathBuf]) -> String {
    let paths: Vec<_> = paths
        .iter()
        .map(|path| path.display().to_string())
        .collect();
    paths.join(", ")
}

/// An opened book file.
pub struct BookFile {
    path: PathBuf,
    kind: FileKind,
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
        let kind = match path == Path::new(INTERNAL) {
            true => FileKind::Text(TextBook::new(INTERNAL_TEXT.to_vec())?),
            false => FileKind::open(path, on_the_fly)?,
        };
        Ok(Self {
            path: path.to_owned(),
            kind,
        })
    }

    /// The file, its kind, its size, how it is read, and what is odd about it.
    pub fn describe(&self) -> String {
        let (kind, positions, is_on_the_fly) = match &self.kind {
            FileKind::Text(book) => ("DB2016 text", book.facts().positions, book.is_on_the_fly()),
            FileKind::Sbk(book) => ("SBK", book.facts().positions, book.is_on_the_fly()),
            FileKind::Binary(book) => ("YBB", Some(book.positions()), book.is_on_the_fly()),
        };
        let path = self.path.display();
        let mut text = format!("{path}, {kind}");
        text += &match positions {
            Some(1) => ", 1 position".to_owned(),
            Some(number) => format!(", {number} positions"),
            None => ", not counted".to_owned(),
        };
        if let FileKind::Text(book) = &self.kind {
            text += match book.facts().is_sorted {
                true => ", sorted",
                false => ", not sorted (done in memory)",
            };
        }
        text += match is_on_the_fly {
            true => ", read on the fly",
            false => ", in memory",
        };
        if let FileKind::Text(book) = &self.kind
            && let Some((line, reason)) = &book.facts().first_bad
        {
            let lines = book.facts().bad_lines;
            text += &format!(", {lines} bad lines left out, the first is line {line}: {reason}");
        }
        text
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

/// An opened book: one file, or several of which the first that has a position decides.
pub struct Book {
    files: Vec<BookFile>,
}

/// A book's answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BookMove {
    /// The move to be played.
    pub chosen: BookLine,
    /// Other legal moves of the book, the best first, as many as were asked for.
    pub others: Vec<BookLine>,
    /// The moves with their shares of the games, and what the filters did.
    pub remark: String,
}

/// A move of the book with what follows it there.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BookLine {
    /// The move and its facts. The reply is legal, and from the next position's entry if the move's own has none.
    pub candidate: Candidate,
    /// The line that the book shows, beginning with the move; each move is legal.
    pub pv: Vec<Move>,
}

impl Book {
    /// Opens the files of a book. Besides the book: remarks on those that cannot be used.
    ///
    /// # Errors
    ///
    /// [`OpenBookError::Unusable`] if none of them can be used.
    pub fn open(
        places: &[Place],
        on_the_fly: bool,
    ) -> Result<(Self, Vec<UnusableFile>), OpenBookError> {
        let mut files = Vec::new();
        let mut faults = Vec::new();
        for Place { path, .. } in places {
            match BookFile::open(path, on_the_fly) {
                Ok(file) => files.push(file),
                Err(reason) => faults.push(UnusableFile {
                    path: path.clone(),
                    reason,
                }),
            }
        }
        match files.is_empty() {
            true => Err(OpenBookError::Unusable(faults)),
            false => Ok((Self { files }, faults)),
        }
    }

    /// The files of the book that the options ask for; relative names are looked for in `roots`.
    ///
    /// # Errors
    ///
    /// [`BookNotFound`] names the places that were tried.
    pub fn find(options: &BookOptions, roots: &[PathBuf]) -> Result<Vec<Place>, BookNotFound> {
        let found = locate::find(&options.file, &options.dir, roots);
        found.map_err(|tried| BookNotFound {
            name: options.file.clone(),
            tried,
        })
    }

    /// What each file of the book is, in one line.
    pub fn describe(&self) -> Vec<String> {
        self.files.iter().map(BookFile::describe).collect()
    }

    /// The book's move in a position, and up to `others` other ones.
    ///
    /// # Errors
    ///
    /// Why there is none.
    pub fn probe(
        &mut self,
        position: &Position,
        options: &BookOptions,
        others: usize,
        random: &mut fastrand::Rng,
    ) -> Result<BookMove, Miss> {
        if position.ply() > options.moves {
            return Err(Miss::TooLate(options.moves));
        }
        if random.u32(..100) < options.ignore_rate {
            return Err(Miss::Skipped);
        }
        let selection = self.select(position, options)?;
        let chosen = selection.pick(options.consider_count, random);
        // Following lines takes many lookups, which may be slow: only those that are shown.
        let mut line = |candidate: &Candidate| self.line(position, *candidate, options);
        let rest = selection.legal.iter().filter(|known| **known != chosen);
        Ok(BookMove {
            chosen: line(&chosen),
            others: rest.take(others).map(line).collect(),
            remark: remark(&selection),
        })
    }

    /// The book's moves in a position, and what the filters leave of them.
    ///
    /// # Errors
    ///
    /// Why nothing is left.
    pub fn select(
        &mut self,
        position: &Position,
        options: &BookOptions,
    ) -> Result<Selection, Miss> {
        choose::select(self.moves(position, options)?, position, options)
    }

    /// The moves that the first file with this position has for it, not yet known to be legal.
    fn moves(
        &mut self,
        position: &Position,
        options: &BookOptions,
    ) -> Result<Vec<Candidate>, Miss> {
        let key = Key::of(position);
        let mut keys = vec![(key.clone(), false)];
        if options.flipped {
            keys.push((key.flipped(), true));
        }
        let mut other_plies = Vec::new();
        for file in &mut self.files {
            for (key, is_flipped) in &keys {
                let entries = file
                    .lookup(key)
                    .map_err(|error| Miss::Unreadable(error.to_string()))?;
                let mut moves = Vec::new();
                for entry in entries {
                    match entry.ply {
                        Some(ply) if !options.ignore_ply && ply != position.ply() => {
                            other_plies.push(ply);
                        }
                        _ => entry::merge(&mut moves, entry.moves),
                    }
                }
                if !moves.is_empty() {
                    return Ok(match is_flipped {
                        true => moves.into_iter().map(Candidate::flipped).collect(),
                        false => moves,
                    });
                }
            }
        }
        Err(match other_plies.is_empty() {
            true => Miss::Unknown,
            false => Miss::OtherPly(other_plies),
        })
    }

    /// Follows the book from a move on: its stored reply first, then the best move of each entry, and at the end the
    /// reply that the last of these moves expects.
    fn line(
        &mut self,
        position: &Position,
        mut candidate: Candidate,
        options: &BookOptions,
    ) -> BookLine {
        let mut position = position.clone();
        let mut pv = vec![candidate.mv];
        position.do_move(candidate.mv);
        let stored = candidate.ponder.filter(|&mv| position.is_legal(mv));
        let best = self.best(&position, options);
        candidate.ponder = stored.or(best.map(|best| best.mv));
        let mut next = candidate.ponder;
        let mut expected = best
            .filter(|best| Some(best.mv) == next)
            .and_then(|best| best.ponder);
        while let Some(mv) = next
            && pv.len() < options.pv_moves
            && position.occurrences() == 1
        {
            pv.push(mv);
            position.do_move(mv);
            let best = self.best(&position, options);
            next = best.map(|best| best.mv).or(expected);
            next = next.filter(|&mv| position.is_legal(mv));
            expected = best.and_then(|best| best.ponder);
        }
        BookLine { candidate, pv }
    }

    /// The legal move with the best score.
    fn best(&mut self, position: &Position, options: &BookOptions) -> Option<Candidate> {
        let mut moves = self.moves(position, options).ok()?;
        moves.retain(|candidate| position.is_legal(candidate.mv));
        entry::sort(&mut moves);
        moves.first().copied()
    }
}

/// One line on what the book holds and what became of it.
fn remark(selection: &Selection) -> String {
    let games = choose::sum_of_counts(&selection.legal);
    let shares: Vec<_> = selection
        .legal
        .iter()
        .map(|known| {
            format!(
                "{} {:.0}%",
                known.mv,
                100.0 * known.count as f64 / games.max(1) as f64
            )
        })
        .collect();
    let mut text = format!("book: {}", shares.join(" "));
    let total = selection.legal.len();
    for (filter, left) in &selection.filters {
        text += &format!(", {filter} leaves {left} of {total}");
    }
    if selection.illegal > 0 {
        text += &format!(", {} illegal moves left out", selection.illegal);
    }
    text
}

//! Opening books (定跡, joseki): finding and opening them, looking positions up, choosing a move, and saying why there is
//! none.
//!
//! [`Book::open`] finds the files (`locate`) and opens them by their kind: DB2016 text (`text`), YBB and SBK
//! (`foreign`). [`Book::probe`] looks a position up, also with sides exchanged, and lets `choose` filter and pick.
//! Knows neither search nor protocol, and options by name only in messages for the user.
//!
//! ```
//! use hien::book::{Book, BookOptions};
//! use hien::shogi::Position;
//!
//! let options = BookOptions { file: "a.db".into(), dir: "tests/data/book".into(), ..BookOptions::default() };
//! let places = Book::find(&options, &[std::env::current_dir()?])?;
//! let (mut book, _) = Book::open(&places, options.on_the_fly)?;
//! let answer = book.probe(&Position::startpos(), &options, 0).unwrap();
//! assert!(["7g7f", "2g2f"].contains(&answer.chosen.candidate.mv.to_string().as_str()));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod choose;
mod entry;
mod error;
mod file;
mod foreign;
mod key;
mod locate;
mod options;
mod text;

use std::path::PathBuf;

use fastrand::Rng;

use crate::shogi::{Move, Position};

pub use choose::{Amount, Filter, Miss, Selection, Shortfall};
pub use entry::{BookEntry, Candidate, NotAMove};
#[cfg(feature = "engine")]
pub(crate) use error::list;
pub use error::{BookError, BookNotFound, OpenBookError, UnusableFile};
pub use file::{BookFacts, BookFile, BookFormat};
pub use foreign::write_ybb;
pub use key::Key;
pub use locate::Place;
pub use options::{BookOptions, INTERNAL, NO_BOOK};
pub use text::{LineFault, read as read_text, write as write_text, write_entry};

/// An opened book: one file, or several of which the first that has a position decides.
pub struct Book {
    files: Vec<BookFile>,
    random: Rng,
}

/// A book's answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BookMove {
    /// The move to be played.
    pub chosen: BookLine,
    /// Other legal moves of the book, the best first, as many as were asked for.
    pub others: Vec<BookLine>,
    /// What the book has for the position, and what the filters leave of it.
    pub selection: Selection,
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
        if files.is_empty() {
            Err(OpenBookError::Unusable(faults))
        } else {
            Ok((
                Self {
                    files,
                    random: Rng::new(),
                },
                faults,
            ))
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

    /// Makes the same choices from now on as any other book with this seed; without it they are different each time.
    pub fn seed(&mut self, seed: u64) {
        self.random.seed(seed);
    }

    /// What each file of the book is.
    pub fn facts(&self) -> Vec<BookFacts> {
        self.files.iter().map(BookFile::facts).collect()
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
    ) -> Result<BookMove, Miss> {
        if position.ply() > options.moves {
            return Err(Miss::TooLate(options.moves));
        }
        if self.random.u32(..100) < options.ignore_rate {
            return Err(Miss::Skipped);
        }
        let selection = self.select(position, options)?;
        let chosen = selection.pick(options.consider_count, &mut self.random);
        // Following lines takes many lookups, which may be slow: only those that are shown.
        let mut line = |candidate: &Candidate| self.line(position, *candidate, options);
        let rest = selection.legal.iter().filter(|known| **known != chosen);
        Ok(BookMove {
            chosen: line(&chosen),
            others: rest.take(others).map(line).collect(),
            selection,
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
                    return Ok(if *is_flipped {
                        moves.into_iter().map(Candidate::flipped).collect()
                    } else {
                        moves
                    });
                }
            }
        }
        Err(if other_plies.is_empty() {
            Miss::Unknown
        } else {
            Miss::OtherPly(other_plies)
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

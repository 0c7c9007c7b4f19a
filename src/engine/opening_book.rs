//! The opening book that the settings ask for: found, opened when it changes, asked before a search.

use crate::book::{
    Book, BookFacts, BookLine, BookMove, BookNotFound, BookOptions, Miss, OpenBookError, Place,
    Selection,
};
use crate::score::{CP_MAX, MAX_PLY, Score};
use crate::search::{BestMove, Bound, Info, Limits, Listener, SearchOptions};
use crate::settings::roots;
use crate::shogi::Position;

use super::applied::Applied;
use super::remark::Remark;

/// Opens the book that the settings request, and plays from it.
pub(super) struct OpeningBook {
    applied: Applied<Option<Requested>>,
    book: Option<Book>,
    /// Why there was no move when it was last said.
    said: Option<Miss>,
}

/// Everything that decides which book is used.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Requested {
    places: Result<Vec<Place>, BookNotFound>,
    on_the_fly: bool,
}

impl OpeningBook {
    pub fn new() -> Self {
        Self {
            applied: Applied::nothing(),
            book: None,
            said: None,
        }
    }

    /// Opens the book if it is another one than before; returns remarks for the user. Looks at the disk each time,
    /// which takes microseconds, so that a book that has come or changed meanwhile is used.
    pub fn sync(&mut self, options: &BookOptions) -> Vec<Remark> {
        let requested = options.wants_book().then(|| Requested {
            places: Book::find(options, &roots()),
            on_the_fly: options.on_the_fly,
        });
        if !self.applied.update(&requested) {
            return Vec::new();
        }
        (self.book, self.said) = (None, None);
        let Some(Requested { places, on_the_fly }) = requested else {
            return Vec::new();
        };
        let opened = places
            .map_err(OpenBookError::from)
            .and_then(|places| Book::open(&places, on_the_fly));
        match opened {
            Ok((book, unusable)) => {
                self.book = Some(book);
                unusable.into_iter().map(Remark::BookFile).collect()
            }
            Err(reason) => vec![Remark::Book(reason)],
        }
    }

    /// What each file of the book is.
    pub fn facts(&self) -> Vec<BookFacts> {
        self.book.as_ref().map(Book::facts).unwrap_or_default()
    }

    /// The moves that the book has for a position and those that may be played, or why there are none; `None` without a
    /// book.
    pub fn select(
        &mut self,
        position: &Position,
        options: &BookOptions,
    ) -> Option<Result<Selection, Miss>> {
        let book = self.book.as_mut()?;
        Some(book.select(position, options))
    }

    pub fn new_game(&mut self) {
        self.said = None;
    }

    /// Answers from the book if it may be used and has a move. Says why it has none, but not the same reason twice in a
    /// row.
    pub fn play(
        &mut self,
        root: &Position,
        limits: &Limits,
        search: &SearchOptions,
        options: &BookOptions,
        listener: &dyn Listener,
    ) -> bool {
        let Some(book) = self.book.as_mut().filter(|_| is_for_a_game(limits)) else {
            return false;
        };
        let others = search.multi_pv.saturating_sub(1) as usize;
        match book.probe(root, options, others) {
            Ok(answer) => {
                self.said = None;
                report(&answer, limits, search.multi_pv, listener);
                true
            }
            Err(miss) => {
                if self.said.as_ref() != Some(&miss) {
                    listener.note(&format!("book: {miss}"));
                    self.said = Some(miss);
                }
                false
            }
        }
    }
}

/// Analysis wants a search; a book serves moves that are played.
fn is_for_a_game(limits: &Limits) -> bool {
    let has_time = limits.clock.is_given() || limits.movetime.is_some();
    let is_analysis = limits.infinite
        || limits.ponder
        || limits.depth.is_some()
        || limits.nodes.is_some()
        || !limits.searchmoves.is_empty();
    has_time && !is_analysis
}

/// Reports the lines of the book like those of a search, the chosen one first, and answers.
fn report(answer: &BookMove, limits: &Limits, multi_pv: u32, listener: &dyn Listener) {
    listener.note(&format!("book: {}", answer.selection));
    // Lines of one block have one depth.
    let depth = answer.chosen.candidate.depth.clamp(1, MAX_PLY as u32);
    let info = |line: &BookLine, multipv: Option<u32>| Info {
        depth,
        seldepth: depth,
        multipv,
        score: Score::Cp(line.candidate.value.clamp(-CP_MAX, CP_MAX)),
        bound: Bound::Exact,
        nodes: 0,
        nps: 0,
        hashfull: 0,
        time_ms: limits
            .start
            .map_or(0, |start| start.elapsed().as_millis() as u64),
        pv: line.pv.clone(),
    };
    let lines = [&answer.chosen].into_iter().chain(&answer.others);
    for (line, number) in lines.zip(1..) {
        listener.info(&info(line, (multi_pv > 1).then_some(number)));
    }
    listener.done(BestMove::Move {
        best: answer.chosen.candidate.mv,
        ponder: answer.chosen.candidate.ponder,
    });
}

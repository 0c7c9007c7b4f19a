//! The engine as a library: joins settings, a position, an evaluation, an opening book and a search. Knows no protocol
//! and prints nothing.
//!
//! ```
//! use hien::engine::Engine;
//! use hien::search::{BestMove, Limits};
//!
//! let mut engine = Engine::new();
//! engine.settings_mut().hash_mib = 16;
//! engine.position_mut().try_move("7g7f".parse()?)?;
//! let best = engine.search(Limits { depth: Some(3), ..Limits::default() });
//! assert!(matches!(best, BestMove::Move { best, .. } if engine.position().is_legal(best)));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod applied;
mod evaluation;
mod mate_task;
mod opening_book;
mod remark;

pub use evaluation::{EvaluationError, NetInUse, NetNotFound};
pub use mate_task::{MateLimits, MateListener, MateTask};
pub use remark::Remark;

use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use crate::book::{BookFacts, Miss, Selection};
use crate::eval::{Evaluation, Evaluator};
use crate::search::{BestMove, Clock, Limits, Listener, SearchOptions, Searcher};
use crate::settings::Settings;
use crate::shogi::Position;
use crate::threads;

use evaluation::Loader;
use opening_book::OpeningBook;

/// How long to wait for the memory of the hash table when there is time.
const PATIENCE: Duration = Duration::from_secs(20);
/// The same before a search, whose clock may be running.
const IMPATIENCE: Duration = Duration::from_millis(20);

/// An engine that can play. Settings may change at any time; what takes time to apply (hash, threads, evaluation) is
/// applied by [`Engine::prepare`] and before each search.
pub struct Engine {
    settings: Settings,
    position: Position,
    evaluation: Loader,
    book: OpeningBook,
    searcher: Searcher,
    /// Whether anything was searched since the last reset.
    is_used: bool,
}

impl Default for Engine {
    fn default() -> Self {
        Self::new()
    }
}

impl Engine {
    /// An engine with the default settings and the start position. Cheap: memory is allocated by
    /// [`Engine::prepare`].
    pub fn new() -> Self {
        Self {
            settings: Settings::default(),
            position: Position::startpos(),
            evaluation: Loader::new(),
            book: OpeningBook::new(),
            searcher: Searcher::new(),
            is_used: false,
        }
    }

    /// The settings.
    pub fn settings(&self) -> &Settings {
        &self.settings
    }

    /// The settings, to change them. A running search keeps those it began with.
    pub fn settings_mut(&mut self) -> &mut Settings {
        &mut self.settings
    }

    /// The position that the next search begins from.
    pub fn position(&self) -> &Position {
        &self.position
    }

    /// The position, to play moves in it.
    pub fn position_mut(&mut self) -> &mut Position {
        &mut self.position
    }

    /// Sets up another position, with its history.
    pub fn set_position(&mut self, position: Position) {
        self.position = position;
    }

    /// The static evaluation of the position.
    pub fn evaluate(&self) -> Evaluation {
        self.evaluator().evaluate(&self.position)
    }

    /// The evaluation in use.
    pub fn evaluator(&self) -> &Evaluator {
        self.evaluation.evaluator()
    }

    /// The net in use; `None` without one.
    pub fn net_in_use(&self) -> Option<NetInUse> {
        self.evaluation.net_in_use()
    }

    /// The files of the opening book in use.
    pub fn book_in_use(&self) -> Vec<BookFacts> {
        self.book.facts()
    }

    /// What the opening book knows of a position, or why it gives no move there; `None` without a book.
    pub fn look_up(&mut self, position: &Position) -> Option<Result<Selection, Miss>> {
        self.book.select(position, &self.settings.book)
    }

    /// Applies changed settings of the evaluation alone, for work that does without the engine's own searches.
    ///
    /// # Errors
    ///
    /// If the evaluation cannot be found or used. The same failure is returned only once.
    pub fn load_evaluation(&mut self) -> Result<(), Remark> {
        if self.evaluation.sync(&self.settings)? {
            self.searcher.set_evaluator(self.evaluator().clone());
        }
        Ok(())
    }

    /// Applies changed settings that take time: hash table, threads, evaluation, book. Waits for a running search, and
    /// for the hash table's memory up to 20 s. Returns remarks for the user on what could not be done as asked; the
    /// engine can play in any case.
    pub fn prepare(&mut self) -> Vec<Remark> {
        self.apply_settings(PATIENCE)
    }

    fn apply_settings(&mut self, patience: Duration) -> Vec<Remark> {
        let mut remarks = Vec::new();
        match self.evaluation.sync(&self.settings) {
            Ok(true) => self.searcher.set_evaluator(self.evaluator().clone()),
            Ok(false) => {}
            Err(error) => remarks.push(error.into()),
        }
        remarks.extend(self.book.sync(&self.settings.book));
        let (threads, hash_mib) = (self.settings.threads, self.settings.hash_mib);
        let limited = self.searcher.configure(threads, hash_mib, patience);
        remarks.extend(limited.into_iter().map(Remark::Search));
        remarks
    }

    /// Forgets everything searched so far. Cheap if nothing was.
    pub fn new_game(&mut self) {
        self.book.new_game();
        if self.is_used {
            self.searcher.clear();
            self.is_used = false;
        }
    }

    /// Starts to search the current position and returns at once; see [`Engine::start`].
    pub fn go(&mut self, limits: Limits, listener: Arc<dyn Listener>) {
        self.start(self.position.clone(), limits, listener);
    }

    /// Starts to search a position and returns at once. The listener gets exactly one answer, unless the search is
    /// abandoned. A search that is still running is abandoned. With a clock or a time for the move the opening book is
    /// asked first, unless the limits are those of analysis or pondering; its answer comes before this returns.
    pub fn start(&mut self, root: Position, limits: Limits, listener: Arc<dyn Listener>) {
        let options = self.settings.search.clone();
        self.start_with(root, limits, options, listener);
    }

    /// Starts to search `position` as it was before its last move, for the player of that move, without limits and for
    /// one line only: pondering that is useful whatever the move will be (YaneuraOu's stochastic ponder).
    pub fn start_before_last_move(&mut self, mut position: Position, listener: Arc<dyn Listener>) {
        if position.game_len() > 0 {
            match position.last_move() {
                Some(_) => position.undo_move(),
                None => position.undo_null_move(),
            }
        }
        let limits = Limits {
            infinite: true,
            ..Limits::default()
        };
        let options = SearchOptions {
            multi_pv: 1,
            ..self.settings.search.clone()
        };
        self.start_with(position, limits, options, listener);
    }

    fn start_with(
        &mut self,
        mut root: Position,
        limits: Limits,
        options: SearchOptions,
        listener: Arc<dyn Listener>,
    ) {
        self.searcher.abandon();
        for remark in self.apply_settings(IMPATIENCE) {
            listener.note(&remark.to_string());
        }
        if self.settings.ignore_history {
            root.forget_history();
        }
        if self
            .book
            .play(&root, &limits, &options, &self.settings.book, &*listener)
        {
            return;
        }
        self.is_used = true;
        let limits = Limits {
            depth: least(limits.depth, self.settings.depth_limit),
            nodes: least(limits.nodes, self.settings.nodes_limit),
            ..limits
        };
        self.searcher.start(root, limits, options, listener);
    }

    /// Searches the current position and waits for the answer. `limits` must end the search by themselves.
    pub fn search(&mut self, limits: Limits) -> BestMove {
        self.prepare().iter().for_each(|note| log::warn!("{note}"));
        let listener = Arc::new(Answer(Mutex::new(BestMove::Resign)));
        self.go(limits, listener.clone());
        self.searcher.wait();
        *threads::lock(&listener.0)
    }

    /// Ends the search with its answer.
    pub fn stop(&self) {
        self.searcher.stop();
    }

    /// Ends the search without an answer.
    pub fn abandon(&self) {
        self.searcher.abandon();
    }

    /// Tells a pondering search that the expected move was played, at the time `at`. `clock` replaces the clocks it
    /// was given; without any the search makes an estimate.
    pub fn ponderhit(&self, clock: Option<Clock>, at: Instant) {
        self.searcher.ponderhit(clock, at);
    }

    /// Waits until no search runs.
    pub fn wait(&self) {
        self.searcher.wait();
    }
}

/// Keeps the answer of a search.
struct Answer(Mutex<BestMove>);

impl Listener for Answer {
    fn done(&self, best: BestMove) {
        *threads::lock(&self.0) = best;
    }
}

/// The smaller of a limit and a general limit, of which 0 means none.
fn least<T: Copy + Ord + From<u32>>(limit: Option<T>, general: T) -> Option<T> {
    let general = (general > T::from(0)).then_some(general);
    limit.into_iter().chain(general).min()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn small() -> Engine {
        let mut engine = Engine::new();
        engine.settings_mut().hash_mib = 1;
        engine
    }

    #[test]
    fn general_limits_hold_besides_those_of_the_search() {
        assert_eq!(least(None, 0u32), None);
        assert_eq!(least(Some(7), 0u32), Some(7));
        assert_eq!(least(None, 5u32), Some(5));
        assert_eq!(least(Some(7), 5u64), Some(5));
        assert_eq!(least(Some(3), 5u64), Some(3));
    }

    #[test]
    fn a_mated_side_resigns() {
        let mut engine = small();
        engine.set_position(Position::from_sfen("4k4/4G4/4P4/9/9/9/9/9/4K4 w - 1").unwrap());
        assert_eq!(engine.search(Limits::default()), BestMove::Resign);
    }

    #[test]
    fn the_depth_limit_ends_a_search() {
        let mut engine = small();
        engine.settings_mut().depth_limit = 2;
        let best = engine.search(Limits {
            depth: Some(200),
            ..Limits::default()
        });
        assert!(matches!(best, BestMove::Move { .. }));
    }

    #[test]
    fn a_missing_evaluation_file_is_reported_once() {
        let mut engine = small();
        assert!(engine.prepare().is_empty());
        engine.settings_mut().eval_file = "/no/such file".to_owned();
        let notes = engine.prepare();
        assert_eq!(notes.len(), 1);
        assert!(
            notes[0]
                .to_string()
                .starts_with("EvalFile /no/such file: no such file; tried /no/such file."),
            "{notes:?}"
        );
        assert!(engine.prepare().is_empty());
        engine.settings_mut().eval_file = crate::settings::MATERIAL_EVAL.to_owned();
        assert!(engine.prepare().is_empty());
    }
}

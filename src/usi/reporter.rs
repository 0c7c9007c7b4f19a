//! The line between a running search and the dispatcher. The search's end prints as the search goes on; the
//! dispatcher's end can shut it, after which nothing more comes through.

use std::sync::mpsc::Sender;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use crate::search::{BestMove, Bound, Info, Listener};
use crate::shogi::Move;

use super::output::{Output, bestmove_line, info_line};
use super::session::Event;

/// Numbers the searches of a session.
pub type SearchId = u64;

/// Opens a line for the search `id`: first the search's end, then the dispatcher's.
pub fn open(id: SearchId, output: Arc<Output>, events: Sender<Event>) -> (Reporter, Tap) {
    let line = Arc::new(Line {
        output,
        state: Mutex::new(State {
            is_open: true,
            best: None,
        }),
    });
    let tap = Tap { line: line.clone() };
    (Reporter { id, line, events }, tap)
}

struct Line {
    output: Arc<Output>,
    state: Mutex<State>,
}

struct State {
    /// Whether the search still owes its answer.
    is_open: bool,
    /// The last exact report on the best line.
    best: Option<BestLine>,
}

struct BestLine {
    text: String,
    pv: Vec<Move>,
}

impl Line {
    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The dispatcher's end.
pub struct Tap {
    line: Arc<Line>,
}

impl Tap {
    /// Silences the search for good. Returns whether its answer was still due; else it has been printed already.
    pub fn shut(&self) -> bool {
        std::mem::replace(&mut self.line.lock().is_open, false)
    }

    /// Whether the answer is still due. Waits for one that is just being printed.
    pub fn is_open(&self) -> bool {
        self.line.lock().is_open
    }

    /// The moves of the last exact report on the best line; empty if there was none.
    pub fn pv(&self) -> Vec<Move> {
        let state = self.line.lock();
        state
            .best
            .as_ref()
            .map(|best| best.pv.clone())
            .unwrap_or_default()
    }
}

/// The search's end. Dropping it before the answer tells the dispatcher that none will come.
pub struct Reporter {
    id: SearchId,
    line: Arc<Line>,
    events: Sender<Event>,
}

impl Listener for Reporter {
    fn info(&self, info: &Info) {
        let mut state = self.line.lock();
        if !state.is_open {
            return;
        }
        let text = info_line(info);
        self.line.output.line(&text);
        if info.bound == Bound::Exact && info.multipv.unwrap_or(1) == 1 {
            let pv = info.pv.clone();
            state.best = Some(BestLine { text, pv });
        }
    }

    fn note(&self, text: &str) {
        if self.line.lock().is_open {
            self.line.output.note(text);
        }
    }

    fn done(&self, best: BestMove) {
        let mut state = self.line.lock();
        if !std::mem::replace(&mut state.is_open, false) {
            return;
        }
        let fits = |line: &&BestLine| match best {
            BestMove::Move { best, .. } => line.pv.first() == Some(&best),
            BestMove::Resign | BestMove::Win => true,
        };
        let basis = state
            .best
            .as_ref()
            .filter(fits)
            .map(|line| line.text.as_str());
        self.line.output.answer(basis, &bestmove_line(best));
        let _ = self.events.send(Event::Answered);
    }
}

impl Drop for Reporter {
    fn drop(&mut self) {
        if self.line.lock().is_open {
            let _ = self.events.send(Event::Lost(self.id));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::score::Score;
    use std::sync::mpsc::{self, Receiver};

    fn line() -> (Reporter, Tap, Receiver<Event>) {
        let (events, inbox) = mpsc::channel();
        let output = Arc::new(Output::new(std::io::sink(), || {}));
        let (reporter, tap) = open(7, output, events);
        (reporter, tap, inbox)
    }

    fn info(multipv: Option<u32>, bound: Bound, pv: &str) -> Info {
        Info {
            depth: 1,
            seldepth: 1,
            multipv,
            score: Score::Cp(0),
            bound,
            nodes: 1,
            nps: 1,
            hashfull: 0,
            time_ms: 1,
            pv: vec![pv.parse().unwrap()],
        }
    }

    #[test]
    fn an_answer_closes_the_line() {
        let (reporter, tap, inbox) = line();
        assert!(tap.is_open());
        reporter.done(BestMove::Resign);
        assert!(!tap.is_open() && !tap.shut());
        drop(reporter);
        assert!(matches!(inbox.recv(), Ok(Event::Answered)));
        assert!(inbox.recv().is_err(), "nothing else happens");
    }

    #[test]
    fn a_search_that_was_shut_off_says_nothing() {
        let (reporter, tap, inbox) = line();
        assert!(tap.shut());
        reporter.done(BestMove::Resign);
        drop(reporter);
        assert!(inbox.recv().is_err());
    }

    #[test]
    fn a_search_that_breaks_down_is_noticed() {
        let (reporter, _tap, inbox) = line();
        drop(reporter);
        assert!(matches!(inbox.recv(), Ok(Event::Lost(7))));
    }

    #[test]
    fn the_last_exact_best_line_is_kept() {
        let (reporter, tap, _inbox) = line();
        assert!(tap.pv().is_empty());
        reporter.info(&info(None, Bound::Exact, "7g7f"));
        reporter.info(&info(Some(1), Bound::Exact, "2g2f"));
        reporter.info(&info(Some(2), Bound::Exact, "5g5f"));
        reporter.info(&info(None, Bound::Lower, "9g9f"));
        assert_eq!(tap.pv(), ["2g2f".parse().unwrap()]);
    }
}

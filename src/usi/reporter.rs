//! What a running search prints, and how the dispatcher silences it. The search holds the [`Reporter`], which prints as
//! the search goes on; the dispatcher holds the [`SearchHandle`], which shuts the output for good.

use std::sync::mpsc::Sender;
use std::sync::{Arc, Mutex, MutexGuard};

use crate::search::{BestMove, Bound, Info, Listener};
use crate::shogi::Move;
use crate::threads;

use super::event::{Event, SearchId};
use super::output::{Output, bestmove_line, info_line};

/// Opens the output of the search `id`.
pub fn open(id: SearchId, output: Arc<Output>, events: Sender<Event>) -> (Reporter, SearchHandle) {
    let shared = Arc::new(SearchOutput {
        output,
        state: Mutex::new(OutputState {
            is_open: true,
            best: None,
        }),
    });
    let handle = SearchHandle {
        shared: shared.clone(),
    };
    (Reporter { id, shared, events }, handle)
}

/// What both ends share.
struct SearchOutput {
    output: Arc<Output>,
    state: Mutex<OutputState>,
}

struct OutputState {
    /// Whether the search still owes its answer.
    is_open: bool,
    /// The last exact report on the best line.
    best: Option<PvLine>,
}

struct PvLine {
    text: String,
    pv: Vec<Move>,
}

impl SearchOutput {
    fn lock(&self) -> MutexGuard<'_, OutputState> {
        threads::lock(&self.state)
    }
}

/// The dispatcher's end.
pub struct SearchHandle {
    shared: Arc<SearchOutput>,
}

impl SearchHandle {
    /// Silences the search for good. Returns whether its answer was still due; else it has been printed already.
    pub fn shut(&self) -> bool {
        std::mem::replace(&mut self.shared.lock().is_open, false)
    }

    /// Whether the answer is still due. Waits for one that is just being printed.
    pub fn is_open(&self) -> bool {
        self.shared.lock().is_open
    }

    /// The moves of the last exact report on the best line; empty if there was none.
    pub fn pv(&self) -> Vec<Move> {
        let state = self.shared.lock();
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
    shared: Arc<SearchOutput>,
    events: Sender<Event>,
}

impl Listener for Reporter {
    fn info(&self, info: &Info) {
        let mut state = self.shared.lock();
        if !state.is_open {
            return;
        }
        let text = info_line(info);
        self.shared.output.line(&text);
        if info.bound == Bound::Exact && info.multipv.unwrap_or(1) == 1 {
            let pv = info.pv.clone();
            state.best = Some(PvLine { text, pv });
        }
    }

    fn note(&self, text: &str) {
        if self.shared.lock().is_open {
            self.shared.output.note(text);
        }
    }

    fn done(&self, best: BestMove) {
        let mut state = self.shared.lock();
        if !std::mem::replace(&mut state.is_open, false) {
            return;
        }
        let fits = |line: &&PvLine| match best {
            BestMove::Move { best, .. } => line.pv.first() == Some(&best),
            BestMove::Resign | BestMove::Win => true,
        };
        let basis = state
            .best
            .as_ref()
            .filter(fits)
            .map(|line| line.text.as_str());
        self.shared.output.answer(basis, &bestmove_line(best));
        let _ = self.events.send(Event::Answered);
    }
}

impl Drop for Reporter {
    fn drop(&mut self) {
        if self.shared.lock().is_open {
            let _ = self.events.send(Event::Lost(self.id));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::score::Score;
    use std::sync::mpsc::{self, Receiver};

    fn opened() -> (Reporter, SearchHandle, Receiver<Event>) {
        let (events, inbox) = mpsc::channel();
        let output = Arc::new(Output::new(std::io::sink(), || {}));
        let (reporter, handle) = open(7, output, events);
        (reporter, handle, inbox)
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
    fn an_answer_closes_the_output() {
        let (reporter, handle, inbox) = opened();
        assert!(handle.is_open());
        reporter.done(BestMove::Resign);
        assert!(!handle.is_open() && !handle.shut());
        drop(reporter);
        assert!(matches!(inbox.recv(), Ok(Event::Answered)));
        assert!(inbox.recv().is_err(), "nothing else happens");
    }

    #[test]
    fn a_search_that_was_shut_off_says_nothing() {
        let (reporter, handle, inbox) = opened();
        assert!(handle.shut());
        reporter.done(BestMove::Resign);
        drop(reporter);
        assert!(inbox.recv().is_err());
    }

    #[test]
    fn a_search_that_breaks_down_is_noticed() {
        let (reporter, _handle, inbox) = opened();
        drop(reporter);
        assert!(matches!(inbox.recv(), Ok(Event::Lost(7))));
    }

    #[test]
    fn the_last_exact_best_line_is_kept() {
        let (reporter, handle, _inbox) = opened();
        assert!(handle.pv().is_empty());
        reporter.info(&info(None, Bound::Exact, "7g7f"));
        reporter.info(&info(Some(1), Bound::Exact, "2g2f"));
        reporter.info(&info(Some(2), Bound::Exact, "5g5f"));
        reporter.info(&info(None, Bound::Lower, "9g9f"));
        assert_eq!(handle.pv(), ["2g2f".parse().unwrap()]);
    }
}

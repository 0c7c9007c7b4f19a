//! `go mate`: solves a mate problem (tsume) and prints `checkmate`. Like a search it prints its own answer, and can be
//! silenced.

use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::mpsc::Sender;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use super::command::{Go, MateTime};
use super::event::Event;
use super::output::Output;
use crate::engine::{Engine, MateLimits, MateListener, MateTask};
use crate::mate::{Answer, Mate, MateProgress, MateReport};
use crate::threads;

/// The least time for a problem. Some clients give the number of plies where the time is expected.
const LEAST_TIME: Duration = Duration::from_millis(100);
/// Time to print the answer.
const MARGIN: Duration = Duration::from_millis(10);
/// For how long a mate is shortened if there is no limit of time.
const SHORTENING: Duration = Duration::from_secs(10);

/// A mate search under way.
pub struct MateHandle {
    task: MateTask,
    shared: Arc<MateOutput>,
}

/// What is printed, and by whom it can be silenced.
struct MateOutput {
    output: Arc<Output>,
    events: Mutex<Sender<Event>>,
    /// Whether the answer is still due.
    is_open: AtomicBool,
}

impl MateHandle {
    /// Starts to solve the engine's position; `None` if that is not possible.
    pub fn start(
        engine: &Engine,
        go: &Go,
        at: Instant,
        output: Arc<Output>,
        events: Sender<Event>,
    ) -> Option<Self> {
        let shared = Arc::new(MateOutput {
            output,
            events: Mutex::new(events),
            is_open: AtomicBool::new(true),
        });
        let root = engine.position().clone();
        let started = engine.start_mate(root, limits(go, at), shared.clone());
        match started {
            Ok(task) => Some(Self { task, shared }),
            Err(error) => {
                shared.output.note(&format!("no thread to search: {error}"));
                None
            }
        }
    }

    /// Ends the search with its answer.
    pub fn stop(&self) {
        self.task.stop();
    }

    /// Ends the search without an answer. Returns whether it was still due.
    pub fn silence(&self) -> bool {
        self.task.stop();
        self.shared.is_open.swap(false, Relaxed)
    }

    /// Whether the answer is still due.
    pub fn is_open(&self) -> bool {
        self.shared.is_open.load(Relaxed)
    }
}

fn limits(go: &Go, at: Instant) -> MateLimits {
    let time = match go.mate {
        Some(MateTime::Millis(ms)) => Some(Duration::from_millis(ms).max(LEAST_TIME)),
        _ => go.movetime.map(Duration::from_millis),
    };
    MateLimits {
        deadline: time.and_then(|time| at.checked_add(time.saturating_sub(MARGIN))),
        nodes: go.nodes,
        plies: go.depth.map(|depth| depth as usize),
        shortening: time.is_none().then_some(SHORTENING),
    }
}

impl MateListener for MateOutput {
    fn news(&self, progress: &MateProgress) {
        self.print(|| progress_line(progress));
    }

    fn found(&self, mate: &Mate, progress: &MateProgress) {
        self.print(|| mate_lines(mate, progress));
    }

    fn done(&self, report: MateReport) {
        if self.is_open.swap(false, Relaxed) {
            let text = match &report.answer {
                Answer::Mate(mate) => format!(
                    "{}\ncheckmate{}",
                    mate_lines(mate, &report.progress),
                    moves(mate)
                ),
                Answer::NoMate => format!("{}\ncheckmate nomate", progress_line(&report.progress)),
                Answer::Unknown => {
                    format!("{}\ncheckmate timeout", progress_line(&report.progress))
                }
            };
            self.output.line(&text);
        }
        let _ = threads::lock(&self.events).send(Event::Answered);
    }
}

impl MateOutput {
    fn print(&self, text: impl FnOnce() -> String) {
        if self.is_open.load(Relaxed) {
            self.output.line(&text());
        }
    }
}

fn progress_line(progress: &MateProgress) -> String {
    format!("info depth {} {}", progress.depth, counts(progress))
}

fn counts(progress: &MateProgress) -> String {
    let seconds = progress.elapsed.as_secs_f64().max(1e-6);
    format!(
        "nodes {} nps {:.0} hashfull {} time {}",
        progress.nodes,
        progress.nodes as f64 / seconds,
        progress.hash_permille,
        progress.elapsed.as_millis()
    )
}

fn mate_lines(mate: &Mate, progress: &MateProgress) -> String {
    let plies = mate.line.len();
    let unit = if plies == 1 { "ply" } else { "plies" };
    let shortest = if mate.is_shortest {
        ", proved to be the shortest"
    } else {
        ""
    };
    let futile = match mate.plies_without_mudaai() {
        short if short < plies => format!(", {short} without futile interpositions at the end"),
        _ => String::new(),
    };
    format!(
        "info string mate in {plies} {unit}{shortest}{futile}\n\
         info depth {plies} score mate {plies} {} pv{}",
        counts(progress),
        moves(mate)
    )
}

fn moves(mate: &Mate) -> String {
    mate.line.iter().map(|mv| format!(" {mv}")).collect()
}

//! The interface of the search. Its calls become commands to the [`driver`](super::smp::driver) thread.

use std::sync::Arc;
use std::sync::mpsc::{self, Sender};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use super::job::total_nodes;
use super::limits::{Clock, Limits, SearchOptions};
use super::report::{Listener, Remark};
use super::smp::control::{Control, PonderHit};
use super::smp::driver::{Driver, DriverCommand, Request, Shared, SharedState};
use crate::eval::Evaluator;
use crate::shogi::Position;
use crate::threads;

/// Stack of the driver thread, which itself does little.
const DRIVER_STACK: usize = 4 << 20;

/// A search engine: threads, transposition table and histories. Creating one is cheap; threads and table come with
/// [`Searcher::configure`] or the first search.
///
/// All methods take effect in the order of the calls. None waits for a running search, except those that say so.
///
/// ```
/// use std::sync::{Arc, Mutex};
/// use hien::search::{BestMove, Limits, Listener, SearchOptions, Searcher};
/// use hien::shogi::Position;
///
/// #[derive(Default)]
/// struct Answer(Mutex<Option<BestMove>>);
/// impl Listener for Answer {
///     fn done(&self, best: BestMove) {
///         *self.0.lock().unwrap() = Some(best);
///     }
/// }
///
/// let answer = Arc::new(Answer::default());
/// let searcher = Searcher::new();
/// let limits = Limits { depth: Some(4), ..Limits::default() };
/// searcher.start(Position::startpos(), limits, SearchOptions::default(), answer.clone());
/// searcher.wait();
/// assert!(matches!(*answer.0.lock().unwrap(), Some(BestMove::Move { .. })));
/// ```
pub struct Searcher {
    commands: Option<Sender<DriverCommand>>,
    shared: Arc<Shared>,
    driver: Option<JoinHandle<()>>,
}

impl Searcher {
    /// A searcher with material evaluation, one thread and a small table.
    ///
    /// # Panics
    ///
    /// If the system cannot start a single thread.
    pub fn new() -> Self {
        let (commands, received) = mpsc::channel();
        let shared = Arc::new(Shared::default());
        let driver = Driver::new(Arc::clone(&shared));
        let driver = thread::Builder::new()
            .name("hien-driver".into())
            .stack_size(DRIVER_STACK)
            .spawn(move || driver.run(&received))
            .expect("the system starts a thread");
        Self {
            commands: Some(commands),
            shared,
            driver: Some(driver),
        }
    }

    /// Sets the number of threads and the size of the table in MiB, at least 1 each. Costs nothing if neither changes.
    /// Waits up to `patience` for the table's memory; the rest is fetched in the background and used after
    /// [`clear`](Self::clear). Returns remarks if the machine could not give as much, or was slow. Waits for a running
    /// search.
    pub fn configure(&self, threads: usize, hash_mib: usize, patience: Duration) -> Vec<Remark> {
        let (threads, hash_mib) = (threads.max(1), hash_mib.max(1));
        self.ask(|reply| DriverCommand::Configure(threads, hash_mib, patience, reply))
    }

    /// Forgets everything learnt so far: before a new game. Waits for a running search.
    pub fn clear(&self) {
        self.ask(DriverCommand::Clear);
    }

    /// Changes the evaluation, and forgets what was learnt with the old one. Waits for a running search.
    pub fn set_evaluator(&self, evaluator: Evaluator) {
        self.ask(|reply| DriverCommand::SetEvaluator(evaluator, reply));
    }

    /// Starts a search. A search that still runs is abandoned first. The listener hears exactly one
    /// [`done`](Listener::done), unless this search is abandoned.
    pub fn start(
        &self,
        root: Position,
        limits: Limits,
        options: SearchOptions,
        listener: Arc<dyn Listener>,
    ) {
        let control = Arc::new(Control::default());
        let is_idle;
        {
            let mut state = self.shared.lock();
            is_idle = state.pending == 0;
            state.pending += 1;
            if let Some(old) = state.current.replace(Arc::clone(&control)) {
                old.abandon();
            }
        }
        self.send(DriverCommand::Search(Box::new(Request {
            root,
            start: limits.start.unwrap_or_else(Instant::now),
            limits,
            options,
            listener,
            control,
            handed_over: is_idle.then(Instant::now),
        })));
    }

    /// Ends the search; its answer comes at once. Nothing happens without a search.
    pub fn stop(&self) {
        self.with_control(Control::stop);
    }

    /// Ends the search without an answer.
    pub fn abandon(&self) {
        self.with_control(Control::abandon);
    }

    /// The opponent played the expected move at `at`: a pondering search becomes a normal one. With clocks these
    /// replace those given before.
    pub fn ponderhit(&self, clock: Option<Clock>, at: Instant) {
        self.with_control(|control| control.ponderhit(PonderHit { clock, at }));
    }

    /// Whether a search was started and has not given its answer yet.
    pub fn is_running(&self) -> bool {
        self.shared.lock().pending > 0
    }

    /// Waits until no search runs.
    pub fn wait(&self) {
        let running = |state: &mut SharedState| state.pending > 0;
        threads::wait_while(&self.shared.idle, self.shared.lock(), running);
    }

    /// Nodes searched by all threads in the search that runs, or ran last. Exact once it has ended.
    pub fn nodes(&self) -> u64 {
        let counters = self.shared.lock().counters.clone();
        counters.map_or(0, |counters| total_nodes(&counters))
    }

    fn with_control(&self, act: impl FnOnce(&Control)) {
        let control = self.shared.lock().current.clone();
        if let Some(control) = control {
            act(&control);
        }
    }

    /// Sends a command and waits until it has been carried out.
    fn ask<T: Default>(&self, command: impl FnOnce(Sender<T>) -> DriverCommand) -> T {
        let (reply, answer) = mpsc::channel();
        self.send(command(reply));
        answer.recv().unwrap_or_default()
    }

    fn send(&self, command: DriverCommand) {
        if let Some(commands) = &self.commands {
            // The driver outlives the sender, it ends only when the sender is dropped.
            let _ = commands.send(command);
        }
    }
}

impl Default for Searcher {
    fn default() -> Self {
        Self::new()
    }
}

impl Drop for Searcher {
    fn drop(&mut self) {
        self.abandon();
        self.commands = None;
        if let Some(driver) = self.driver.take() {
            let _ = driver.join();
        }
    }
}

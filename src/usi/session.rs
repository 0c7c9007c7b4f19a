//! The dispatcher: takes commands and the ends of searches one by one and keeps the protocol's state. It never waits
//! for a search; while an answer is due, what follows is put aside.

mod console;

use std::collections::VecDeque;
use std::fmt::Display;
use std::io;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, Sender};
use std::thread;
use std::time::{Duration, Instant};

use crate::engine::{self, Engine};
use crate::search::{BestMove, Clock, Limits};
use crate::settings::options::{Button, ConfigRemark, OPTIONS, configured};
use crate::settings::{Config, Settings};
use crate::shogi::{Move, Position};

use super::command::{Command, Go, PositionCommand};
use super::crash_report::CrashReporter;
use super::event::{Event, InputLine, SearchId};
use super::go_mate::MateHandle;
use super::options;
use super::output::{Output, bestmove_line};
use super::reporter::{self, Reporter, SearchHandle};
use super::setup;

/// How often a sign of life is given while loading takes long.
const KEEP_ALIVE: Duration = Duration::from_secs(2);

/// Lines that end in this cause a panic, to test how panics are handled.
#[cfg(test)]
pub(super) const FAULT: &str = " fault";

/// When the answer of a search may be given.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Mode {
    /// As soon as it is known.
    Normal,
    /// After `stop`.
    Infinite,
    /// After `stop` or `ponderhit`.
    Ponder,
}

/// A `go` that is not answered yet.
struct Job {
    mode: Mode,
    /// Where the search began.
    root: Position,
    go: Go,
    work: Work,
    /// Whether the answer is due: `stop` was received.
    is_stopping: bool,
}

/// What a job consists of.
enum Work {
    /// A search of the root.
    Search(SearchId, SearchHandle),
    /// A search of the position before the root's last move.
    BeforeRoot(SearchHandle),
    /// A mate problem.
    Mate(MateHandle),
    /// The answer is known and may not be given yet.
    Held(BestMove),
}

/// One client's session.
pub struct Session {
    engine: Engine,
    /// The defaults of the options, as declared.
    defaults: Settings,
    identity: String,
    /// The configuration file in use.
    config: Option<PathBuf>,
    output: Arc<Output>,
    crash_reporter: Arc<CrashReporter>,
    events: Sender<Event>,
    /// Whether the last `position` was refused.
    is_refused: bool,
    job: Option<Job>,
    last_id: SearchId,
    /// Lines to be handled; while an answer is due they wait.
    backlog: VecDeque<InputLine>,
    /// Whether the hash has to be cleared once the search has ended.
    is_reset_due: bool,
    /// Readers held until no search runs.
    waiting: Vec<Sender<()>>,
    /// Remarks to be made at the next occasion.
    remarks: Vec<Remark>,
}

/// What could not be done as the settings ask.
#[derive(Debug, thiserror::Error)]
enum Remark {
    #[error(transparent)]
    Config(#[from] ConfigRemark),
    #[error(transparent)]
    Engine(#[from] engine::Remark),
    #[error("DebugLogFile {path}: {error}")]
    Log { path: String, error: io::Error },
}

impl Session {
    /// A session that writes to `output`. The ends of searches are sent to `events`, whose other end goes to
    /// [`Session::run`].
    pub fn new(
        config: &Config,
        output: Arc<Output>,
        crash_reporter: Arc<CrashReporter>,
        events: Sender<Event>,
    ) -> Self {
        let (defaults, remarks) = configured(config);
        let mut engine = Engine::new();
        *engine.settings_mut() = defaults.clone();
        let mut session = Self {
            engine,
            defaults,
            identity: super::identity(config),
            config: config.path(),
            output,
            crash_reporter,
            events,
            is_refused: false,
            job: None,
            last_id: 0,
            backlog: VecDeque::new(),
            is_reset_due: false,
            waiting: Vec::new(),
            remarks: remarks.into_iter().map(Remark::from).collect(),
        };
        session.open_log();
        session
    }

    /// Works until [`Event::Quit`].
    pub fn run(&mut self, inbox: &Receiver<Event>) {
        for event in inbox {
            match event {
                Event::Line(line) => self.backlog.push_back(line),
                Event::Answered => {}
                Event::Lost(id) => self.lost(id),
                Event::Quit => return,
            }
            self.work_off();
        }
    }

    /// Handles the lines that have come, in their order, up to one after which an answer is due first.
    fn work_off(&mut self) {
        loop {
            self.notice_answer();
            if self.is_answer_due() {
                return;
            }
            match self.backlog.pop_front() {
                Some(line) => self.guarded(line),
                None => return,
            }
        }
    }

    /// Searches print their answers themselves: from that very moment on there is no job any more.
    fn notice_answer(&mut self) {
        let has_answered = match self.job.as_ref().map(|job| &job.work) {
            Some(Work::Search(_, handle)) => !handle.is_open(),
            Some(Work::Mate(handle)) => !handle.is_open(),
            _ => false,
        };
        if has_answered {
            self.job_ended();
        }
    }

    fn is_answer_due(&self) -> bool {
        self.job.as_ref().is_some_and(|job| job.is_stopping)
    }

    /// Handles a line; a fault in the engine costs at most the answer to this line, never the session.
    fn guarded(&mut self, line: InputLine) {
        if let Some(encoding) = line.encoding {
            self.output.speak(encoding);
        }
        self.output.log_input(&line.text);
        self.crash_reporter.note(&line.text);
        let owes_answer =
            matches!(&line.command, Command::Go(go) if go.perft.is_none() && go.mate.is_none());
        if catch_unwind(AssertUnwindSafe(|| self.handle(line))).is_ok() {
            return;
        }
        self.output
            .note("internal error, please report it; the command had no effect");
        if owes_answer && self.job.is_none() {
            let best = if self.is_refused {
                BestMove::Resign
            } else {
                BestMove::any(self.engine.position(), None)
            };
            self.output.line(&bestmove_line(best));
        }
    }

    fn handle(&mut self, line: InputLine) {
        #[cfg(test)]
        assert!(!line.text.ends_with(FAULT), "as the test asks");
        let InputLine {
            command, at, hold, ..
        } = line;
        match command {
            Command::Usi => self.introduce(),
            Command::IsReady => self.make_ready(),
            Command::SetOption { name, value } => self.set_option(&name, value.as_deref()),
            Command::NewGame => self.new_game(),
            Command::Position(command) => self.set_position(&command),
            Command::Go(go) => self.go(*go, at),
            Command::Stop | Command::GameOver => self.stop(),
            Command::PonderHit(clock) => self.ponderhit(clock, at),
            Command::Wait => self.wait(hold),
            // The reader makes it an event of its own, which overtakes lines that wait.
            Command::Quit => {}
            Command::Moves | Command::Display | Command::Eval | Command::Side => {
                self.inspect(&command)
            }
            Command::GetOption(name) => self.show_options(name.as_deref()),
            #[cfg(feature = "tune")]
            Command::Tunables => self.output.line(&super::tunables::manifest()),
            Command::Bench(arguments) => self.bench(&arguments),
            Command::Doctor => self.examine(),
            Command::Nothing => {}
            Command::Unreadable(reason) => self.output.note(&format!("line ignored: {reason}")),
            Command::UnreadablePosition(reason) => self.refuse_position(reason),
            Command::Unknown(word) => {
                let word: String = word
                    .chars()
                    .filter(char::is_ascii_graphic)
                    .take(40)
                    .collect();
                self.output.note(&format!("unknown command: {word}"));
            }
        }
    }

    fn introduce(&self) {
        let mut lines = vec![self.identity.clone()];
        lines.extend(
            OPTIONS
                .iter()
                .map(|option| options::declaration(option, &self.defaults)),
        );
        #[cfg(feature = "tune")]
        lines.extend(super::tunables::declarations());
        lines.push("usiok".to_owned());
        self.output.line(&lines.join("\n"));
    }

    // Options and loading.

    fn make_ready(&mut self) {
        if self.job.is_none() {
            self.load();
        }
        // Only a net from a file is mentioned; the embedded one is the default.
        if let Some(net) = self.engine.net_in_use().filter(|net| net.file.is_some()) {
            self.output.note(&format!("evaluation: {net}"));
        }
        for file in self.engine.book_in_use() {
            self.output.note(&format!("book: {file}"));
        }
        self.output.line("readyok");
    }

    fn new_game(&mut self) {
        self.reset();
        if self.job.is_none() {
            self.load();
        }
    }

    fn load(&mut self) {
        let output = self.output.clone();
        let remarks = with_signs_of_life(&output, || self.engine.prepare());
        self.remarks.extend(remarks.into_iter().map(Remark::from));
        self.say_remarks();
    }

    fn say_remarks(&mut self) {
        for remark in self.remarks.drain(..) {
            self.output.note(&remark.to_string());
        }
    }

    fn set_option(&mut self, name: &str, value: Option<&str>) {
        #[cfg(feature = "tune")]
        if super::tunables::set(name, value) {
            return;
        }
        let log_file = self.engine.settings().debug_log_file.clone();
        match options::set(self.engine.settings_mut(), name, value) {
            Ok(None) => {}
            Ok(Some(Button::ClearHash)) => self.reset(),
            Err(error) => self.output.note(&error.to_string()),
        }
        if self.engine.settings().debug_log_file != log_file {
            self.open_log();
            self.say_remarks();
        }
    }

    fn open_log(&mut self) {
        let path = &self.engine.settings().debug_log_file;
        if let Err(error) = self.output.log_to(path) {
            let path = path.clone();
            self.remarks.push(Remark::Log { path, error });
        }
    }

    /// Forgets what was searched, now or when the search has ended.
    fn reset(&mut self) {
        self.is_reset_due = true;
        if self.job.is_none() {
            self.reset_if_due();
        }
    }

    fn reset_if_due(&mut self) {
        if std::mem::take(&mut self.is_reset_due) {
            self.engine.new_game();
        }
    }

    // Positions and searches.

    fn set_position(&mut self, command: &PositionCommand) {
        match setup::set_up(command) {
            Ok((position, remarks)) => {
                self.engine.set_position(position);
                self.is_refused = false;
                for remark in remarks {
                    self.output.note(&remark.to_string());
                }
            }
            Err(rejection) => self.refuse_position(rejection),
        }
    }

    fn refuse_position(&mut self, reason: impl Display) {
        self.is_refused = true;
        self.output.note(&format!("position rejected: {reason}"));
    }

    fn go(&mut self, go: Go, at: Instant) {
        if let Some(depth) = go.perft {
            return self.perft(depth);
        }
        if let Some(job) = self.job.take() {
            self.drop_job(&job);
        }
        self.reset_if_due();
        self.say_remarks();
        if go.mate.is_some() {
            return self.go_mate(go, at);
        }
        let mode = match go.limits(at) {
            Limits { infinite: true, .. } => Mode::Infinite,
            Limits { ponder: true, .. } => Mode::Ponder,
            _ => Mode::Normal,
        };
        let root = self.engine.position().clone();
        let work = self.start_work(&go, mode, &root, at);
        self.job = Some(Job {
            mode,
            root,
            go,
            work,
            is_stopping: false,
        });
        self.answer_if_allowed();
    }

    fn start_work(&mut self, go: &Go, mode: Mode, root: &Position, at: Instant) -> Work {
        if self.is_refused {
            return Work::Held(BestMove::Resign);
        }
        let is_stochastic = self.engine.settings().search.stochastic_ponder;
        if mode == Mode::Ponder && is_stochastic && root.game_len() > 0 {
            let (_, reporter, handle) = self.open_output();
            self.engine
                .start_before_last_move(root.clone(), Arc::new(reporter));
            return Work::BeforeRoot(handle);
        }
        self.start_search(root, go.limits(at))
    }

    fn start_search(&mut self, root: &Position, limits: Limits) -> Work {
        let (id, reporter, handle) = self.open_output();
        self.engine.start(root.clone(), limits, Arc::new(reporter));
        Work::Search(id, handle)
    }

    fn open_output(&mut self) -> (SearchId, Reporter, SearchHandle) {
        self.last_id += 1;
        let (reporter, handle) =
            reporter::open(self.last_id, self.output.clone(), self.events.clone());
        (self.last_id, reporter, handle)
    }

    /// Ends a search whose answer nobody wants any more: a new one replaces it.
    fn drop_job(&mut self, job: &Job) {
        let is_unanswered = match &job.work {
            Work::Search(_, handle) | Work::BeforeRoot(handle) => silence(&self.engine, handle),
            Work::Mate(handle) => handle.silence(),
            Work::Held(_) => true,
        };
        if is_unanswered {
            self.output
                .note("the previous search was abandoned for a new one");
        }
    }

    /// Solves a mate problem.
    fn go_mate(&mut self, go: Go, at: Instant) {
        let handle = if self.is_refused {
            None
        } else {
            let (output, events) = (self.output.clone(), self.events.clone());
            MateHandle::start(&self.engine, &go, at, output, events)
        };
        let Some(handle) = handle else {
            self.output.line("checkmate timeout");
            return;
        };
        self.job = Some(Job {
            mode: Mode::Normal,
            root: self.engine.position().clone(),
            go,
            work: Work::Mate(handle),
            is_stopping: false,
        });
    }

    fn stop(&mut self) {
        let Some(job) = &mut self.job else {
            return;
        };
        job.is_stopping = true;
        match &job.work {
            Work::Search(..) => self.engine.stop(),
            Work::Mate(handle) => handle.stop(),
            Work::BeforeRoot(handle) => {
                silence(&self.engine, handle);
                job.work = Work::Held(reply_before_root(&job.root, &handle.pv()));
            }
            Work::Held(_) => {}
        }
        self.answer_if_allowed();
    }

    fn ponderhit(&mut self, clock: Clock, at: Instant) {
        let Some(job) = &mut self.job else {
            return;
        };
        let clock = clock.is_given().then_some(clock);
        let is_hit = job.mode == Mode::Ponder;
        if is_hit {
            job.mode = Mode::Normal;
        }
        match &job.work {
            Work::BeforeRoot(handle) => {
                silence(&self.engine, handle);
                self.start_after_hit(clock, at);
            }
            Work::Search(..) if is_hit => self.engine.ponderhit(clock, at),
            Work::Search(..) | Work::Mate(_) => {}
            Work::Held(_) => self.answer_if_allowed(),
        }
    }

    /// Begins the real search at the ponderhit of a stochastic ponder.
    fn start_after_hit(&mut self, clock: Option<Clock>, at: Instant) {
        let Some(mut job) = self.job.take() else {
            return;
        };
        // The search knows best what to do about clocks that are not given: it is hit as soon as it ponders.
        job.work = self.start_search(&job.root, job.go.limits(at));
        self.engine.ponderhit(clock, at);
        self.job = Some(job);
    }

    /// Gives an answer that is known, if its time has come.
    fn answer_if_allowed(&mut self) {
        if let Some(job) = &self.job
            && let Work::Held(best) = job.work
            && (job.is_stopping || job.mode == Mode::Normal)
        {
            self.output.answer(None, &bestmove_line(best));
            self.job_ended();
        }
    }

    /// A search broke down; its answer is still owed.
    fn lost(&mut self, id: SearchId) {
        if let Some(job) = &mut self.job
            && let Work::Search(running, handle) = &job.work
            && *running == id
        {
            silence(&self.engine, handle);
            self.output
                .note("internal error in the search, please report it");
            let best = handle.pv().first().copied();
            job.work = Work::Held(BestMove::any(&job.root, best));
        }
        self.answer_if_allowed();
    }

    fn job_ended(&mut self) {
        self.job = None;
        self.waiting.clear();
        self.reset_if_due();
    }
}

/// Does something that may take long, and writes an empty line now and then so that the client sees that the engine is
/// alive.
fn with_signs_of_life<T>(output: &Output, work: impl FnOnce() -> T) -> T {
    let (end, is_ended) = mpsc::channel::<()>();
    thread::scope(|scope| {
        let signs = move || {
            while is_ended.recv_timeout(KEEP_ALIVE) == Err(RecvTimeoutError::Timeout) {
                output.keep_alive();
            }
        };
        // Without the thread it is only silent.
        let _ = thread::Builder::new().spawn_scoped(scope, signs);
        let result = work();
        drop(end);
        result
    })
}

/// Ends a search whose answer is not wanted. Returns whether it was still due.
fn silence(engine: &Engine, handle: &SearchHandle) -> bool {
    engine.abandon();
    handle.shut()
}

/// The answer to `stop` while the position before the root is searched: the reply in its line, if the line begins
/// with the move that led to the root.
fn reply_before_root(root: &Position, pv: &[Move]) -> BestMove {
    let reply = match pv {
        [first, reply, ..] if Some(*first) == root.last_move() => Some(*reply),
        _ => None,
    };
    BestMove::any(root, reply)
}

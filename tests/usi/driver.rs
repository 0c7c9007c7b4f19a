//! Starts the binary, speaks USI with it, and checks whatever it prints.

use std::collections::HashMap;
use std::io::{BufRead, BufReader, Read, Write};
use std::path::Path;
use std::process::{Child, ChildStdin, Command, ExitStatus, Stdio};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use crate::answer::Answer;
use crate::boards::Root;
use crate::load::Stopwatch;

/// A wait longer than this means that the engine hangs, however busy the machine is.
pub const HANG: Duration = Duration::from_secs(60);

/// Lines of a conversation that a failure message shows.
const KEPT_LINES: usize = 60;

/// First words of the protocol; anything else on stdout is an answer to an extra command.
const WORDS: [&str; 7] = [
    "id",
    "option",
    "usiok",
    "readyok",
    "info",
    "bestmove",
    "checkmate",
];

/// A line of output and when it arrived.
#[derive(Clone, Debug)]
pub struct Line {
    pub text: String,
    pub at: Instant,
}

/// A running engine.
pub struct Engine {
    child: Child,
    stdin: Option<ChildStdin>,
    lines: Receiver<Line>,
    errors: Option<JoinHandle<String>>,
    started: Instant,
    sent: Instant,
    /// What was said so far, for failure messages.
    log: Vec<String>,
    /// The lines of output since the last `go`.
    since_go: Vec<String>,
    /// Lines of output by their first word.
    counts: HashMap<String, usize>,
    /// Between `isready` and `readyok`, where empty lines may keep the client patient.
    loading: usize,
    /// While an extra command answers in its own form.
    free_form: bool,
}

/// The binary under test.
pub fn binary() -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_hien"));
    command.env_remove("RUST_LOG");
    command
}

/// Whether a line is the remark that memory took long, which it may whenever the machine is busy.
fn tells_of_slow_memory(line: &str) -> bool {
    line.starts_with("info string fetched ")
        || line.starts_with("info string ") && line.contains(" MiB of memory came within ")
}

impl Engine {
    /// Starts the process and says nothing to it.
    pub fn raw() -> Self {
        Self::spawn(binary())
    }

    /// Starts the process with arguments, in a folder of the test's choice.
    pub fn raw_in(folder: &Path, arguments: &[&str]) -> Self {
        let mut command = binary();
        command.current_dir(folder).args(arguments);
        Self::spawn(command)
    }

    /// Starts the process and brings it to `readyok`.
    pub fn start() -> Self {
        let mut engine = Self::raw();
        engine.shake_hands();
        engine
    }

    /// Starts the process, sets options, and brings it to `readyok`.
    pub fn with_options(options: &[(&str, &str)]) -> Self {
        let mut engine = Self::raw();
        engine.send("usi");
        engine.expect("usiok");
        for (name, value) in options {
            engine.send(&format!("setoption name {name} value {value}"));
        }
        engine.get_ready();
        engine
    }

    pub fn spawn(mut command: Command) -> Self {
        let started = Instant::now();
        let mut child = command
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("the binary starts");
        let stdin = child.stdin.take();
        let mut stdout = BufReader::new(child.stdout.take().expect("a pipe"));
        let mut stderr = child.stderr.take().expect("a pipe");
        let (sender, lines) = mpsc::channel();
        thread::spawn(move || {
            let mut bytes = Vec::new();
            while stdout.read_until(b'\n', &mut bytes).is_ok_and(|n| n > 0) {
                let text = String::from_utf8_lossy(&bytes);
                // A line without its end is told apart by the mark that no check lets pass.
                let text = text
                    .strip_suffix('\n')
                    .map_or_else(|| format!("{text} <cut off>"), str::to_owned);
                bytes.clear();
                if tells_of_slow_memory(&text) {
                    continue;
                }
                if sender
                    .send(Line {
                        text,
                        at: Instant::now(),
                    })
                    .is_err()
                {
                    break;
                }
            }
        });
        let errors = thread::spawn(move || {
            let mut text = Vec::new();
            // An unreadable pipe is an empty one: the process is gone then.
            let _ = stderr.read_to_end(&mut text);
            String::from_utf8_lossy(&text).into_owned()
        });
        Self {
            child,
            stdin,
            lines,
            errors: Some(errors),
            started,
            sent: started,
            log: Vec::new(),
            since_go: Vec::new(),
            counts: HashMap::new(),
            loading: 0,
            free_form: false,
        }
    }

    pub fn shake_hands(&mut self) {
        self.send("usi");
        self.expect("usiok");
        self.get_ready();
    }

    pub fn get_ready(&mut self) {
        self.send("isready");
        self.expect("readyok");
    }

    pub fn new_game(&mut self) {
        self.send("usinewgame");
        self.get_ready();
    }

    /// Sends one line, or several with line ends in between, in one write.
    pub fn send(&mut self, line: &str) {
        self.send_bytes(format!("{line}\n").as_bytes());
    }

    pub fn send_bytes(&mut self, bytes: &[u8]) {
        let text = String::from_utf8_lossy(bytes);
        for line in text.lines() {
            self.loading += usize::from(line.trim() == "isready");
            if starts_with_phrase(line.trim(), "go") {
                self.since_go.clear();
            }
            self.note(&format!("> {}", line.chars().take(300).collect::<String>()));
        }
        self.sent = Instant::now();
        let stdin = self.stdin.as_mut().expect("stdin is open");
        if let Err(e) = stdin.write_all(bytes).and_then(|()| stdin.flush()) {
            self.fail(&format!("cannot write: {e}"));
        }
    }

    /// Ends the input, as a client does that goes away.
    pub fn close_input(&mut self) {
        self.note("> (end of input)");
        self.sent = Instant::now();
        self.stdin = None;
    }

    fn note(&mut self, text: &str) {
        if self.log.len() >= 2 * KEPT_LINES {
            self.log.drain(..KEPT_LINES);
        }
        self.log
            .push(format!("{:>7} {text}", self.started.elapsed().as_millis()));
    }

    /// Fails the test with what was said so far.
    pub fn fail(&self, what: &str) -> ! {
        let skip = self.log.len().saturating_sub(KEPT_LINES);
        panic!("{what}\n{}", self.log[skip..].join("\n"));
    }

    /// How long ago something was sent, seen from the arrival of a line.
    pub fn since_sent(&self, line: &Line) -> Duration {
        line.at.duration_since(self.sent)
    }

    /// The next line, if one arrives in time.
    pub fn next_line(&mut self, within: Duration) -> Option<Line> {
        match self.lines.recv_timeout(within) {
            Ok(line) => {
                self.note(&format!("< {}", line.text));
                self.since_go.push(line.text.clone());
                self.check_line(&line.text);
                Some(line)
            }
            Err(RecvTimeoutError::Timeout) => None,
            Err(RecvTimeoutError::Disconnected) => {
                thread::sleep(within.min(Duration::from_millis(10)));
                None
            }
        }
    }

    /// The rules for every line: ASCII but for names in remarks, single blanks, short, and a known first word.
    fn check_line(&mut self, text: &str) {
        let word = text.split(' ').next().expect("split gives at least one");
        *self.counts.entry(word.to_owned()).or_default() += 1;
        if text == "readyok" {
            self.loading = self.loading.saturating_sub(1);
        }
        let is_plain = text.is_ascii() || text.starts_with("info string ");
        if !is_plain || text.bytes().any(|b| b.is_ascii_control()) {
            self.fail(&format!("not plain ASCII: {text:?}"));
        }
        if text.ends_with("<cut off>") {
            self.fail("the last line has no end");
        }
        if self.free_form {
            return;
        }
        if text.len() >= 1000 {
            self.fail(&format!("{} bytes: {text}", text.len()));
        }
        if text != text.trim_ascii() || text.contains("  ") {
            self.fail(&format!("stray blanks: {text:?}"));
        }
        if text.is_empty() {
            if self.loading == 0 {
                self.fail("an empty line outside of isready");
            }
        } else if !WORDS.contains(&word) {
            self.fail(&format!("unknown first word: {text}"));
        }
    }

    /// Waits for a line that starts with this word or phrase; lines before it are passed over.
    pub fn expect(&mut self, phrase: &str) -> Line {
        self.expect_within(phrase, HANG)
    }

    pub fn expect_within(&mut self, phrase: &str, within: Duration) -> Line {
        self.lines_to(phrase, within)
            .pop()
            .expect("the line that was waited for")
    }

    /// All lines up to and including the one that starts with this phrase.
    pub fn lines_to(&mut self, phrase: &str, within: Duration) -> Vec<Line> {
        let deadline = Instant::now() + within;
        let mut lines = Vec::new();
        while let Some(line) = self.next_line(deadline.saturating_duration_since(Instant::now())) {
            let found = starts_with_phrase(&line.text, phrase);
            lines.push(line);
            if found {
                return lines;
            }
            if Instant::now() > deadline {
                break;
            }
        }
        self.fail(&format!("no '{phrase}' within {} ms", within.as_millis()));
    }

    /// Everything printed during this time; it must not contain a line that starts with the phrase.
    pub fn forbid(&mut self, phrase: &str, during: Duration) -> Vec<Line> {
        let deadline = Instant::now() + during;
        let mut lines = Vec::new();
        loop {
            let left = deadline.saturating_duration_since(Instant::now());
            if let Some(line) = self.next_line(left) {
                if starts_with_phrase(&line.text, phrase) {
                    self.fail(&format!("'{}' came too early or too often", line.text));
                }
                lines.push(line);
            } else if left.is_zero() {
                return lines;
            }
        }
    }

    /// Nothing at all is printed in answer to what was just sent. The proof is an `isready`: lines come in order.
    pub fn expect_silence(&mut self) {
        self.send("isready");
        let lines = self.lines_to("readyok", HANG);
        if lines
            .iter()
            .any(|line| !matches!(line.text.as_str(), "" | "readyok"))
        {
            self.fail("something was printed that should not have been");
        }
    }

    /// Only `info string` lines are printed in answer to what was just sent; returns them.
    pub fn expect_only_notes(&mut self) -> Vec<String> {
        self.send("isready");
        let mut notes: Vec<_> = self
            .lines_to("readyok", HANG)
            .into_iter()
            .map(|line| line.text)
            .collect();
        notes.pop();
        notes.retain(|text| !text.is_empty());
        if notes.iter().any(|text| !text.starts_with("info string ")) {
            self.fail("something other than info string was printed");
        }
        notes
    }

    /// While this is on, lines may have any form.
    pub fn set_free_form(&mut self, is_free: bool) {
        self.free_form = is_free;
    }

    /// Sends an extra command that answers in its own form and ends with a line that starts so.
    pub fn ask(&mut self, command: &str, last: &str) -> Vec<String> {
        self.free_form = true;
        self.send(command);
        let lines = self.lines_to(last, HANG);
        self.free_form = false;
        lines.into_iter().map(|line| line.text).collect()
    }

    /// Begins the search that the next answer is checked with here, not at the last `go`.
    pub fn forget_lines(&mut self) {
        self.since_go.clear();
    }

    /// Waits for the `bestmove` of the last `go` and checks all lines of that search against the root.
    pub fn answer(&mut self, root: &Root) -> Answer {
        let best = self.expect("bestmove");
        let elapsed = self.since_sent(&best);
        let lines: Vec<_> = self
            .since_go
            .iter()
            .map(String::as_str)
            .filter(|line| starts_with_phrase(line, "info") || starts_with_phrase(line, "bestmove"))
            .collect();
        match Answer::check(&lines, elapsed, root) {
            Ok(answer) => answer,
            Err(complaint) => self.fail(&complaint),
        }
    }

    /// Sets up a position, searches it, and checks everything about the answer.
    pub fn search(&mut self, position: &str, go: &str) -> Answer {
        self.send(&format!("position {position}\n{go}"));
        self.answer(&crate::boards::root(position))
    }

    /// The number of the process.
    pub fn id(&self) -> u32 {
        self.child.id()
    }

    /// The resident memory of the process in KiB, where the system tells.
    pub fn memory(&self) -> Option<u64> {
        let status = std::fs::read_to_string(format!("/proc/{}/status", self.id())).ok()?;
        let line = status.lines().find(|line| line.starts_with("VmRSS:"))?;
        line.split_whitespace().nth(1)?.parse().ok()
    }

    /// How long all threads of the process, and of the one that watches it, have been ready to run without a processor
    /// so far, where the system tells.
    pub fn starved(&self) -> Duration {
        starved(self.id()) + starved(std::process::id())
    }

    /// How many lines so far began with this word.
    pub fn count(&self, word: &str) -> usize {
        self.counts.get(word).copied().unwrap_or(0)
    }

    /// Whether the process still runs.
    pub fn is_alive(&mut self) -> bool {
        self.child.try_wait().expect("a process to ask").is_none()
    }

    /// Waits for the end of the process.
    pub fn exit(&mut self, within: Duration) -> (ExitStatus, Duration) {
        let deadline = Instant::now() + within;
        loop {
            if let Some(status) = self.child.try_wait().expect("a process to wait for") {
                return (status, self.sent.elapsed());
            }
            if Instant::now() > deadline {
                self.fail(&format!(
                    "still running {} ms after the end was asked for",
                    within.as_millis()
                ));
            }
            thread::sleep(Duration::from_millis(2));
        }
    }

    /// Checks a process that was told to end: code 0, nothing on stderr; returns how long it took.
    pub fn finish(&mut self) -> Duration {
        let (status, elapsed) = self.exit(HANG);
        // What was still under way has to have the right form, too.
        while self.next_line(Duration::ZERO).is_some() {}
        let errors = self
            .errors
            .take()
            .expect("finish is called once")
            .join()
            .expect("the pipe was read");
        if !errors.is_empty() {
            self.fail(&format!("stderr: {errors}"));
        }
        if !status.success() {
            self.fail(&format!("exit status: {status}"));
        }
        elapsed
    }

    /// `quit`, and the end within a time that only a hanging engine misses.
    pub fn quit(mut self) {
        self.send("quit");
        let elapsed = self.finish();
        if elapsed > Duration::from_secs(3) {
            self.fail(&format!("took {} ms to quit", elapsed.as_millis()));
        }
    }

    /// `quit`, and the end within the time of the protocol reference.
    pub fn quit_timed(mut self, watch: &mut Stopwatch) {
        self.send("quit");
        watch.at_most("quit", self.finish(), 500);
    }
}

impl Drop for Engine {
    fn drop(&mut self) {
        // For tests that failed; a process that has ended already is no trouble.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn starved(process: u32) -> Duration {
    let Ok(tasks) = std::fs::read_dir(format!("/proc/{process}/task")) else {
        return Duration::ZERO;
    };
    let delay = |task: std::fs::DirEntry| -> Option<u64> {
        let text = std::fs::read_to_string(task.path().join("schedstat")).ok()?;
        text.split_whitespace().nth(1)?.parse().ok()
    };
    Duration::from_nanos(tasks.flatten().filter_map(delay).sum())
}

/// Whether the text starts with the phrase, which must end at the end of a word.
pub fn starts_with_phrase(text: &str, phrase: &str) -> bool {
    text.strip_prefix(phrase).is_some_and(|rest| {
        rest.is_empty() || phrase.ends_with(' ') || !rest.starts_with(|c: char| c.is_alphanumeric())
    })
}

//! Standard output: the only place that writes it, one whole line at a time, and the text of `info` and `bestmove`.

use std::fs::File;
use std::io::{self, Write};
use std::path::Path;
use std::sync::{Mutex, MutexGuard};
use std::time::Instant;

use crate::score::Score;
use crate::search::{BestMove, Bound, Info};
use crate::threads;

use super::encoding::Encoding;

/// Some clients read lines into buffers of this size.
const MAX_LINE_BYTES: usize = 999;

/// Some clients keep no more moves of a line.
const MAX_PV_MOVES: usize = 64;

/// The stream to the client, shared by all threads. A line is written as a whole and at once.
pub struct Output {
    inner: Mutex<Inner>,
    /// Called when the stream turns out to be closed.
    on_closed: Box<dyn Fn() + Send + Sync>,
}

struct Inner {
    sink: Box<dyn Write + Send>,
    log: Option<Log>,
    /// The last line written.
    last: String,
    /// How text beyond ASCII is written.
    encoding: Encoding,
}

/// The protocol log: both directions with times.
struct Log {
    file: File,
    start: Instant,
}

impl Output {
    /// Writes to `sink`; `on_closed` is called when a write fails, perhaps more than once.
    pub fn new(
        sink: impl Write + Send + 'static,
        on_closed: impl Fn() + Send + Sync + 'static,
    ) -> Self {
        Self {
            inner: Mutex::new(Inner {
                sink: Box::new(sink),
                log: None,
                last: String::new(),
                encoding: Encoding::default(),
            }),
            on_closed: Box::new(on_closed),
        }
    }

    /// Standard output for commands of the shell; a reader that goes away ends the process.
    pub fn standard() -> Self {
        Self::new(io::stdout(), || std::process::exit(0))
    }

    /// Writes text beyond ASCII in this encoding from now on.
    pub(super) fn speak(&self, encoding: Encoding) {
        self.lock().encoding = encoding;
    }

    /// Writes one line, or several as one piece if the text has line breaks.
    pub fn line(&self, text: &str) {
        self.write(&mut self.lock(), text);
    }

    /// Writes an `info string` line; the text is made one line.
    pub fn note(&self, text: &str) {
        self.line(&note_line(text));
    }

    /// Writes an empty line, the one sign of life that every client accepts.
    pub fn keep_alive(&self) {
        self.line("");
    }

    /// Writes the answer to a `go`. Clients take the score from the line right before it: if the last line is not
    /// `basis`, that one is repeated first.
    pub fn answer(&self, basis: Option<&str>, answer: &str) {
        let mut inner = self.lock();
        match basis {
            Some(basis) if basis != inner.last => {
                self.write(&mut inner, &format!("{basis}\n{answer}"))
            }
            _ => self.write(&mut inner, answer),
        }
    }

    /// Starts to log into a file, at its end, or stops logging if the path is empty.
    ///
    /// # Errors
    ///
    /// Those of opening the file; there is no log then.
    pub fn log_to(&self, path: &str) -> io::Result<()> {
        let mut inner = self.lock();
        inner.log = None;
        if !path.is_empty() {
            let file = File::options()
                .create(true)
                .append(true)
                .open(Path::new(path))?;
            inner.log = Some(Log {
                file,
                start: Instant::now(),
            });
        }
        Ok(())
    }

    /// A writer for text that comes in pieces; it passes on whole lines.
    pub fn writer(&self) -> Writer<'_> {
        Writer {
            output: self,
            part: Vec::new(),
        }
    }

    /// Notes a line of input in the log.
    pub fn log_input(&self, text: &str) {
        self.lock().log('>', text);
    }

    fn write(&self, inner: &mut Inner, text: &str) {
        inner.log('<', text);
        let line = format!("{text}\n");
        let written = inner
            .sink
            .write_all(&inner.encoding.encode(&line))
            .and_then(|()| inner.sink.flush());
        inner.last.clear();
        inner
            .last
            .push_str(text.rsplit('\n').next().unwrap_or_default());
        if written.is_err() {
            (self.on_closed)();
        }
    }

    fn lock(&self) -> MutexGuard<'_, Inner> {
        threads::lock(&self.inner)
    }
}

/// See [`Output::writer`].
pub struct Writer<'a> {
    output: &'a Output,
    /// The beginning of a line.
    part: Vec<u8>,
}

impl Write for Writer<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.part.extend_from_slice(bytes);
        if let Some(end) = self.part.iter().rposition(|&byte| byte == b'\n') {
            let rest = self.part.split_off(end + 1);
            self.part.truncate(end);
            self.output.line(&String::from_utf8_lossy(&self.part));
            self.part = rest;
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl Inner {
    fn log(&mut self, direction: char, text: &str) {
        let Some(log) = &mut self.log else {
            return;
        };
        let seconds = log.start.elapsed().as_secs_f64();
        let entry: String = text
            .split('\n')
            .map(|line| format!("{seconds:.3} {direction} {line}\n"))
            .collect();
        if let Err(error) = log.file.write_all(entry.as_bytes()) {
            self.log = None;
            let note = note_line(&format!("the protocol log ends here: {error}"));
            // A stream that is closed is noticed with the next line.
            let _ = writeln!(self.sink, "{note}");
        }
    }
}

/// An `info string` line: printable, single blanks, short enough for every client.
fn note_line(text: &str) -> String {
    let mut line = "info string".to_owned();
    for word in text.split_ascii_whitespace() {
        line.push(' ');
        for c in word.chars() {
            if c.is_control() {
                line.extend(c.escape_default())
            } else {
                line.push(c)
            }
        }
    }
    line.truncate(line.floor_char_boundary(MAX_LINE_BYTES));
    line.truncate(line.trim_ascii_end().len());
    line
}

/// The `info` line of a search report, fields in the one order that every client reads.
pub fn info_line(info: &Info) -> String {
    let mut line = format!("info depth {}", info.depth);
    if info.seldepth > 0 {
        line += &format!(" seldepth {}", info.seldepth);
    }
    if let Some(number) = info.multipv {
        line += &format!(" multipv {number}");
    }
    let score = match info.score {
        Score::Cp(cp) => format!("cp {cp}"),
        // Clients disagree on which side a bare 0 means.
        Score::Mate(0) => "mate -0".to_owned(),
        Score::Mate(plies) => format!("mate {plies}"),
    };
    let bound = match info.bound {
        Bound::Exact => "",
        Bound::Lower => " lowerbound",
        Bound::Upper => " upperbound",
    };
    line += &format!(
        " score {score}{bound} nodes {} nps {} hashfull {} time {}",
        info.nodes, info.nps, info.hashfull, info.time_ms
    );
    if !info.pv.is_empty() {
        line += " pv";
    }
    for mv in info.pv.iter().take(MAX_PV_MOVES) {
        line += &format!(" {mv}");
    }
    line
}

/// The `bestmove` line of an answer.
pub fn bestmove_line(best: BestMove) -> String {
    format!("bestmove {best}")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn info() -> Info {
        Info {
            depth: 9,
            seldepth: 14,
            multipv: None,
            score: Score::Cp(-57),
            bound: Bound::Exact,
            nodes: 12345,
            nps: 1000,
            hashfull: 5,
            time_ms: 77,
            pv: ["7g7f", "8h2b+", "P*5e"]
                .map(|text| text.parse().unwrap())
                .to_vec(),
        }
    }

    #[test]
    fn fields_stand_in_their_order() {
        assert_eq!(
            info_line(&info()),
            "info depth 9 seldepth 14 score cp -57 nodes 12345 nps 1000 hashfull 5 time 77 pv 7g7f 8h2b+ P*5e"
        );
        let line = info_line(&Info {
            multipv: Some(2),
            bound: Bound::Lower,
            score: Score::Mate(3),
            ..info()
        });
        assert!(line.starts_with(
            "info depth 9 seldepth 14 multipv 2 score mate 3 lowerbound nodes 12345 nps"
        ));
    }

    #[test]
    fn the_end_of_the_game_has_a_line_without_moves() {
        let over = Info {
            depth: 0,
            seldepth: 0,
            score: Score::Mate(0),
            nodes: 0,
            nps: 0,
            hashfull: 0,
            time_ms: 0,
            pv: Vec::new(),
            ..info()
        };
        assert_eq!(
            info_line(&over),
            "info depth 0 score mate -0 nodes 0 nps 0 hashfull 0 time 0"
        );
    }

    #[test]
    fn long_lines_are_cut() {
        let mut long = info();
        long.nodes = u64::MAX;
        long.nps = u64::MAX;
        long.pv = vec!["8h2b+".parse().unwrap(); 300];
        let line = info_line(&long);
        assert!(line.len() <= MAX_LINE_BYTES);
        assert_eq!(line.matches("8h2b+").count(), 64);
        for word in ["x ", "将", "a将"] {
            assert!(note_line(&word.repeat(2000)).len() <= MAX_LINE_BYTES);
        }
    }

    #[test]
    fn notes_are_plain_text() {
        assert_eq!(note_line("a\tb\r\n  将 c\0 "), "info string a b 将 c\\u{0}");
        assert_eq!(note_line(""), "info string");
    }

    #[test]
    fn the_basis_of_an_answer_stands_right_before_it() {
        let (sink, lines) = shared_sink();
        let output = Output::new(sink, || {});
        output.line("info 1");
        output.answer(Some("info 1"), "bestmove a");
        output.line("info 2");
        output.line("readyok");
        output.answer(Some("info 2"), "bestmove b");
        output.answer(None, "bestmove c");
        assert_eq!(
            lines(),
            [
                "info 1",
                "bestmove a",
                "info 2",
                "readyok",
                "info 2",
                "bestmove b",
                "bestmove c"
            ]
        );
    }

    #[test]
    fn text_is_written_as_the_client_writes_it() {
        let (sink, bytes) = shared_bytes();
        let output = Output::new(sink, || {});
        output.note("将棋");
        output.speak(Encoding::ShiftJis);
        output.note("将棋");
        assert_eq!(
            bytes(),
            [
                "info string 将棋\n".as_bytes(),
                b"info string \x8f\xab\x8a\xfb\n"
            ]
            .concat()
        );
    }

    fn shared_sink() -> (impl Write + Send, impl Fn() -> Vec<String>) {
        let (sink, bytes) = shared_bytes();
        let lines = move || {
            let text = String::from_utf8(bytes()).unwrap();
            text.lines().map(str::to_owned).collect()
        };
        (sink, lines)
    }

    fn shared_bytes() -> (impl Write + Send, impl Fn() -> Vec<u8>) {
        #[derive(Clone, Default)]
        struct Sink(std::sync::Arc<Mutex<Vec<u8>>>);
        impl Write for Sink {
            fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
                self.0.lock().unwrap().extend(bytes);
                Ok(bytes.len())
            }
            fn flush(&mut self) -> io::Result<()> {
                Ok(())
            }
        }
        let sink = Sink::default();
        let bytes = sink.clone();
        (sink, move || bytes.0.lock().unwrap().clone())
    }

    #[test]
    fn pieces_become_lines() {
        let (sink, lines) = shared_sink();
        let output = Output::new(sink, || {});
        let mut writer = output.writer();
        write!(writer, "a").unwrap();
        output.line("other");
        writeln!(writer, "b {}\nc", "x".repeat(5000)).unwrap();
        write!(writer, "unfinished").unwrap();
        let lines = lines();
        assert_eq!(lines.len(), 3);
        assert!(lines[0] == "other" && lines[1].starts_with("ab xx") && lines[2] == "c");
    }

    #[test]
    fn a_closed_stream_is_reported() {
        struct Broken;
        impl Write for Broken {
            fn write(&mut self, _: &[u8]) -> io::Result<usize> {
                Err(io::ErrorKind::BrokenPipe.into())
            }
            fn flush(&mut self) -> io::Result<()> {
                Ok(())
            }
        }
        let closed = std::sync::Arc::new(std::sync::atomic::AtomicBool::new(false));
        let seen = closed.clone();
        let output = Output::new(Broken, move || {
            seen.store(true, std::sync::atomic::Ordering::SeqCst)
        });
        output.line("x");
        assert!(closed.load(std::sync::atomic::Ordering::SeqCst));
    }
}

//! The command stream as a whole: a session in this process.

use std::io::{self, Cursor, Write};
use std::sync::{Arc, Mutex};

use hien::settings::Config;
use hien::usi::{self, output::Output};

/// Keeps every search short.
const CONFIG: &str = "[options]\nUSI_Hash = 1\nNodesLimit = 300\n";

/// Lines with these words would take memory, files or time beyond what they show.
const LEFT_OUT: [&str; 11] = [
    "hash",
    "threads",
    "limit",
    "file",
    "dir",
    "perft",
    "bench",
    "doctor",
    "mate",
    "skilllevel",
    "book",
];

/// How a line of output may begin.
const WORDS: [&str; 11] = [
    "id",
    "option",
    "usiok",
    "readyok",
    "info",
    "bestmove",
    "checkmate",
    "moves",
    "eval",
    "black",
    "white",
];

/// Any input is answered by well-formed lines: at most one move for each `go`, and no fault inside.
pub fn usi(data: &[u8]) {
    let input: Vec<&[u8]> = data
        .split(|&byte| byte == b'\n')
        .filter(|line| {
            let line = String::from_utf8_lossy(line).to_ascii_lowercase();
            !LEFT_OUT.iter().any(|word| line.contains(word))
        })
        .collect();
    let goes = input
        .iter()
        .filter(|line| line.windows(2).any(|pair| pair == b"go"))
        .count();
    let shows_board = input.iter().any(|line| line.contains(&b'd'));
    let text = input.join(&b'\n');

    let lines = Lines::default();
    let output = Arc::new(Output::new(lines.clone(), || {}));
    usi::serve(Cursor::new(text), output, &Config::parse(CONFIG), || {});
    let written = std::mem::take(&mut *lines.0.lock().expect("nobody panicked"));
    // Remarks carry names in the encoding of the input.
    let written = String::from_utf8_lossy(&written);
    assert!(!written.contains("internal error"), "{written}");
    let mut answers = 0;
    for line in written.lines().filter(|line| !line.is_empty()) {
        let word = line.split(' ').next().unwrap_or_default();
        answers += usize::from(word == "bestmove");
        assert!(
            shows_board || WORDS.contains(&word) || line.starts_with("Options["),
            "{line}"
        );
        let is_plain = line.is_ascii() || line.starts_with("info string ");
        assert!(is_plain && line.len() < 10_000, "{line}");
    }
    assert!(answers <= goes, "{written}");
}

/// Keeps what is written.
#[derive(Clone, Default)]
struct Lines(Arc<Mutex<Vec<u8>>>);

impl Write for Lines {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0
            .lock()
            .expect("nobody panicked")
            .extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

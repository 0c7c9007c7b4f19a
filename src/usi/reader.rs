//! The reading thread: bytes to lines to commands, each stamped with its time of arrival. It never waits for the
//! engine, except where a script asks for it.

use std::io::{self, BufRead, BufReader, Read};
use std::sync::mpsc::{self, Sender};
use std::time::Instant;

use super::command::Command;
use super::encoding::Encoding;
use super::event::{Event, InputLine};

/// Longer lines are ignored; a game of 1000 moves has 5 kB.
const MAX_LINE_BYTES: usize = 512 << 10;

/// Reads `input` to its end, or to `quit`, and sends everything to `events`. A read error is an end too.
pub fn read_all(input: impl Read, events: &Sender<Event>) {
    let mut input = BufReader::new(input);
    while let Ok(Some(bytes)) = read_line(&mut input) {
        let at = Instant::now();
        let (command, text, encoding) = match decode(&bytes) {
            Ok((text, encoding)) => (Command::parse(&text), text, encoding),
            Err(reason) => (unreadable(&bytes, reason), String::new(), None),
        };
        let is_quit = command == Command::Quit;
        let (hold, released) = if command.holds_reader() {
            let (hold, released) = mpsc::channel();
            (Some(hold), Some(released))
        } else {
            (None, None)
        };
        let line = InputLine {
            command,
            text,
            encoding,
            at,
            hold,
        };
        if is_quit || events.send(Event::Line(line)).is_err() {
            break;
        }
        if let Some(released) = released {
            // Nothing is ever sent: this ends when the holder is dropped.
            let _ = released.recv();
        }
    }
    let _ = events.send(Event::Quit);
}

/// The next line without its terminator; `None` at the end of input. Of a line that is too long, one byte more than
/// allowed is kept.
fn read_line(input: &mut impl BufRead) -> io::Result<Option<Vec<u8>>> {
    let mut line = Vec::new();
    let mut is_at_end = true;
    loop {
        let chunk = match input.fill_buf() {
            Ok(chunk) => chunk,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
            Err(error) => return Err(error),
        };
        if chunk.is_empty() {
            return Ok((!is_at_end).then_some(line));
        }
        is_at_end = false;
        let part = chunk.split(|&byte| byte == b'\n').next().unwrap_or(chunk);
        let room = (MAX_LINE_BYTES + 1) - line.len();
        line.extend(part.iter().take(room));
        let is_complete = part.len() < chunk.len();
        let used = part.len() + usize::from(is_complete);
        input.consume(used);
        if is_complete {
            return Ok(Some(line));
        }
    }
}

/// What is left of a line without text. A position that was not understood must not be mistaken for the one before.
fn unreadable(bytes: &[u8], reason: &'static str) -> Command {
    if bytes.trim_ascii_start().starts_with(b"position") {
        Command::UnreadablePosition(reason)
    } else {
        Command::Unreadable(reason)
    }
}

/// The text of a line and, where it tells, its encoding. Windows programs end lines in CR LF.
fn decode(bytes: &[u8]) -> Result<(String, Option<Encoding>), &'static str> {
    if bytes.len() > MAX_LINE_BYTES {
        return Err("too long");
    }
    if bytes.contains(&0) {
        return Err("it holds NUL bytes");
    }
    Encoding::decode(bytes.strip_suffix(b"\r").unwrap_or(bytes))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lines(bytes: &[u8]) -> Vec<Vec<u8>> {
        let mut input = BufReader::with_capacity(7, bytes);
        std::iter::from_fn(|| read_line(&mut input).unwrap()).collect()
    }

    #[test]
    fn lines_end_anywhere() {
        assert_eq!(
            lines(b"usi\n\nisready\r\nquit"),
            [&b"usi"[..], b"", b"isready\r", b"quit"]
        );
        assert_eq!(lines(b""), Vec::<Vec<u8>>::new());
        assert_eq!(lines(b"\n"), [b""]);
    }

    #[test]
    fn long_lines_are_cut_and_the_next_one_is_whole() {
        let mut bytes = vec![b'x'; 3 * MAX_LINE_BYTES];
        bytes.extend(b"\nstop\n");
        let lines = lines(&bytes);
        assert_eq!(lines.len(), 2);
        assert_eq!(lines[0].len(), MAX_LINE_BYTES + 1);
        assert!(decode(&lines[0]).is_err());
        assert_eq!(lines[1], b"stop");
    }

    #[test]
    fn lines_are_text_without_their_end() {
        let text = |bytes| decode(bytes).map(|(text, _)| text);
        assert_eq!(text(b"usi\r"), Ok("usi".to_owned()));
        assert_eq!(text(b"C:\\\x8f\xab\x8a\xfb"), Ok("C:\\将棋".to_owned()));
        assert!(decode(b"a\0b").is_err());
        assert!(decode(b"\xff\xfe").is_err());
    }

    #[test]
    fn a_position_without_text_is_told_from_other_noise() {
        let position = b"  position startpos \0 moves 7g7f";
        assert_eq!(unreadable(position, "x"), Command::UnreadablePosition("x"));
        assert_eq!(unreadable(b"\0position", "x"), Command::Unreadable("x"));
    }

    #[test]
    fn the_end_of_input_is_a_quit() {
        for input in [&b"usi\nstop"[..], b"usi\nstop\nquit\nusi\n"] {
            let (events, inbox) = mpsc::channel();
            read_all(input, &events);
            drop(events);
            let commands: Vec<_> = inbox
                .iter()
                .map(|event| match event {
                    Event::Line(line) => line.command,
                    _ => Command::Quit,
                })
                .collect();
            assert_eq!(commands, [Command::Usi, Command::Stop, Command::Quit]);
        }
    }
}

//! Sessions in this process: the states of the protocol and what happens between them.

use std::io::{self, PipeWriter, Write};
use std::sync::mpsc::{self, Receiver, Sender};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use super::command::Command;
use super::event::{Event, InputLine};
use super::*;
use crate::shogi::{Move, Position, SplitMix64};

/// Nothing takes longer than this, however busy the machine.
const LONG: Duration = Duration::from_secs(20);

/// Long enough for something forbidden to show up.
const SHORT: Duration = Duration::from_millis(150);

struct Client {
    input: Option<PipeWriter>,
    lines: Receiver<String>,
    session: Option<JoinHandle<()>>,
}

struct Lines {
    part: Vec<u8>,
    lines: Sender<String>,
}

impl Write for Lines {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        for &byte in bytes {
            if byte == b'\n' {
                let line = String::from_utf8(std::mem::take(&mut self.part)).unwrap();
                let _ = self.lines.send(line);
            } else {
                self.part.push(byte);
            }
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// An output and the lines that are written to it.
fn output() -> (Arc<Output>, Receiver<String>) {
    let (sender, lines) = mpsc::channel();
    let sink = Lines {
        part: Vec::new(),
        lines: sender,
    };
    (Arc::new(Output::new(sink, || {})), lines)
}

impl Client {
    fn new() -> Self {
        Self::with(&Config::parse("[options]\nUSI_Hash = 1"))
    }

    fn with(config: &Config) -> Self {
        let (reader, writer) = io::pipe().unwrap();
        let (output, lines) = output();
        let config = config.clone();
        let session = thread::spawn(move || serve(reader, output, &config, || {}));
        Self {
            input: Some(writer),
            lines,
            session: Some(session),
        }
    }

    /// A client without a reader: the session gets what the test sends as events.
    fn with_events() -> (Self, Sender<Event>) {
        let (output, lines) = output();
        let (events, inbox) = mpsc::channel();
        let ends = events.clone();
        let config = Config::parse("[options]\nUSI_Hash = 1");
        let session =
            thread::spawn(move || Session::new(&config, output, Arc::default(), ends).run(&inbox));
        let client = Self {
            input: None,
            lines,
            session: Some(session),
        };
        (client, events)
    }

    fn send(&mut self, text: &str) {
        let input = self.input.as_mut().unwrap();
        input.write_all(format!("{text}\n").as_bytes()).unwrap();
    }

    /// The next line that is no report of a search.
    fn next(&self) -> String {
        loop {
            let line = self.lines.recv_timeout(LONG).expect("a line in time");
            if !line.starts_with("info depth") {
                return line;
            }
        }
    }

    fn expect(&self, line: &str) {
        assert_eq!(self.next(), line);
    }

    /// Waits for the answer to `go mate`.
    fn expect_checkmate(&self, answer: &str) {
        let line = loop {
            let line = self.next();
            if !line.starts_with("info ") {
                break line;
            }
        };
        assert_eq!(line, format!("checkmate {answer}"));
    }

    fn expect_note(&self, beginning: &str) {
        let line = self.next();
        assert!(
            line.starts_with(&format!("info string {beginning}")),
            "{line}"
        );
    }

    /// Waits for a `bestmove` and returns it if it is legal after `moves` from the start position.
    fn expect_legal(&self, moves: &[&str]) -> Move {
        let mut position = Position::startpos();
        for mv in moves {
            position.try_move(mv.parse().unwrap()).unwrap();
        }
        let line = self.next();
        let best = line
            .strip_prefix("bestmove ")
            .unwrap_or_else(|| panic!("{line}"));
        let best = best.split(' ').next().unwrap().parse().unwrap();
        assert!(position.is_legal(best), "{line}");
        best
    }

    /// Nothing but reports of a search comes for a while.
    fn expect_silence(&self) {
        let end = Instant::now() + SHORT;
        while let Ok(line) = self
            .lines
            .recv_timeout(end.saturating_duration_since(Instant::now()))
        {
            assert!(line.starts_with("info depth"), "{line}");
        }
    }

    fn sync(&mut self) {
        self.send("isready");
        self.expect("readyok");
    }
}

impl Drop for Client {
    fn drop(&mut self) {
        drop(self.input.take());
        if let Some(session) = self.session.take()
            && session.join().is_err()
            && !thread::panicking()
        {
            panic!("the session panicked");
        }
    }
}

#[test]
fn the_list_of_options_can_be_asked_for_twice() {
    let mut client = Client::new();
    let mut list = || {
        client.send("usi");
        let lines: Vec<_> =
            std::iter::from_fn(|| Some(client.next()).filter(|line| line != "usiok")).collect();
        client.send("setoption name Threads value 2");
        lines
    };
    let first = list();
    assert!(first[0].starts_with("id name Hien ") && first[1].starts_with("id author "));
    assert!(
        first.contains(&"option name USI_Hash type spin default 1 min 1 max 1048576".to_owned())
    );
    assert_eq!(list(), first);
}

#[test]
fn a_configuration_names_the_engine_and_is_complained_about_when_ready() {
    let text = "name = 'Swallow 2'\nfoo = 1\n[options]\nUSI_Hash = 1\nNope = 2";
    let config = Config {
        source: "here.toml".into(),
        ..Config::parse(text)
    };
    let mut client = Client::with(&config);
    client.expect_silence();
    client.send("usi");
    client.expect("id name Swallow 2");
    while client.next() != "usiok" {}
    client.send("isready");
    client.expect_note("here.toml: 'foo' is unknown");
    client.expect_note("here.toml: unknown option: Nope");
    client.expect("readyok");
    client.sync();
}

#[test]
fn what_follows_a_stop_waits_for_the_answer() {
    let mut client = Client::new();
    client.send("go infinite\nstop\nisready\nposition startpos moves 7g7f\ngo depth 1");
    client.expect_legal(&[]);
    client.expect("readyok");
    client.expect_legal(&["7g7f"]);
    client.expect_silence();
}

#[test]
fn stop_and_gameover_together_are_one_answer() {
    let mut client = Client::new();
    client.send(
        "go infinite\nstop\ngameover draw\nisready\nusinewgame\nposition startpos\ngo depth 1",
    );
    client.expect_legal(&[]);
    client.expect("readyok");
    client.expect_legal(&[]);
    client.send("stop\nponderhit\ngameover win\nstop");
    client.expect_silence();
}

#[test]
fn a_second_go_replaces_the_first_silently() {
    let mut client = Client::new();
    client.send("go infinite");
    client.sync();
    client.send("position startpos moves 7g7f\ngo depth 1");
    client.expect_note("the previous search was abandoned");
    client.expect_legal(&["7g7f"]);
    client.send("stop");
    client.expect_silence();
}

#[test]
fn isready_and_options_do_not_disturb_a_search() {
    let mut client = Client::new();
    client.send("go infinite\nsetoption name Threads value 2\nsetoption name USI_Hash value 2\nusinewgame\nusi");
    while client.next() != "usiok" {}
    client.sync();
    client.expect_silence();
    client.send("stop");
    client.expect_legal(&[]);
    client.send("go depth 2");
    client.expect_legal(&[]);
}

#[test]
fn a_refused_position_is_never_searched() {
    let mut client = Client::new();
    client.send("position startpos moves 7g7e\ngo btime 60000 wtime 60000");
    client.expect_note("position rejected: 7g7e is impossible");
    client.expect("bestmove resign");
    for mode in ["infinite", "ponder"] {
        client.send(&format!("go {mode}"));
        client.expect_silence();
        client.send("stop");
        client.expect("bestmove resign");
    }
    client.send("go ponder\nponderhit");
    client.expect("bestmove resign");
    client.send("go mate infinite");
    client.expect("checkmate timeout");
    client.send("d");
    client.expect_note("there is no position");
    client.send("position startpos\ngo depth 1");
    client.expect_legal(&[]);
}

const MATE_IN_ONE: &str = "8l/6S1k/9/9/8g/9/9/9/9 b GS2r2b2g2s4n3l18p 1";
/// Nobody solves it while a test waits.
const HARD_PROBLEM: &str =
    "g1+P1k1+P+L1/1p3P3/+R+p2pp1pl/1NNsg+p2+R/+b+nL+P1+p3/1P3ssP1/2P1+Ps2N/4+P1P1L/+B5G1g b - 1";

#[test]
fn mate_problems_are_answered() {
    let mut client = Client::new();
    client.send("setoption name USI_Hash value 16");
    client.send(&format!("position sfen {MATE_IN_ONE}\ngo mate infinite"));
    client.expect_checkmate("G*2c");
    client.send("position startpos\ngo mate 1000");
    client.expect_checkmate("nomate");
    client.send(&format!("position sfen {HARD_PROBLEM}\ngo mate 1"));
    client.expect_checkmate("timeout");
    client.send("go mate infinite\nstop");
    client.expect_checkmate("timeout");
    client.send("go mate nodes 10");
    client.expect_checkmate("timeout");
    client.send("go mate infinite");
    client.send("position startpos\ngo depth 1");
    client.expect_note("the previous search was abandoned");
    client.expect_legal(&[]);
}

#[test]
fn pondering_ends_with_a_hit_or_a_stop() {
    let mut client = Client::new();
    client.send("position startpos moves 7g7f 3c3d\ngo ponder depth 1");
    client.expect_silence();
    client.send("ponderhit");
    client.expect_legal(&["7g7f", "3c3d"]);
    client.send("go ponder\nponderhit btime 0 wtime 0 byoyomi 200");
    client.expect_legal(&["7g7f", "3c3d"]);
    for end in ["stop", "gameover lose"] {
        client.send("go ponder btime 1000 wtime 1000");
        client.expect_silence();
        client.send(end);
        client.expect_legal(&["7g7f", "3c3d"]);
    }
}

#[test]
fn stochastic_pondering_searches_the_opponents_move_first() {
    let mut client = Client::new();
    client.send("setoption name Stochastic_Ponder value true\nposition startpos moves 7g7f 3c3d");
    client.send("go ponder btime 300 wtime 300 byoyomi 100");
    let report = client.lines.recv_timeout(LONG).unwrap();
    let reply = report
        .split(" pv ")
        .nth(1)
        .and_then(|pv| pv.split(' ').next())
        .unwrap();
    let mut position = Position::startpos();
    position.try_move("7g7f".parse().unwrap()).unwrap();
    position.try_move(reply.parse().unwrap()).unwrap();
    client.expect_silence();
    client.send("ponderhit");
    client.expect_legal(&["7g7f", "3c3d"]);
    client.expect_silence();
    client.send("go ponder\nstop");
    client.expect_legal(&["7g7f", "3c3d"]);
    // Nothing to take back: plain pondering.
    client.send("position startpos\ngo ponder\nstop");
    client.expect_legal(&[]);
}

#[test]
fn scripts_can_wait() {
    let mut client = Client::new();
    client.send("go movetime 100\nwait\nside\ngo perft 1\nside");
    client.expect_legal(&[]);
    client.expect("black");
    for _ in 0..30 {
        assert!(client.next().ends_with(": 1"));
    }
    client.expect("Nodes searched: 30");
    client.expect("black");
    client.send("go infinite\nwait\nstop");
    client.expect_note("wait: this search ends only after stop");
    client.expect_legal(&[]);
}

#[test]
fn odd_lines_are_remarked_once() {
    let mut client = Client::new();
    client.send(
        "foo\nsetoption\nsetoption name Threads value abc\nsetoption name Nope value x\na\0b",
    );
    client.expect("info string unknown command: foo");
    client.expect("info string setoption without a name");
    client.expect("info string option Threads: 'abc' is not a number from 1 to 1024");
    client.expect("info string unknown option: Nope");
    client.expect("info string line ignored: it holds NUL bytes");
    client.send("\n \nregister\ndebug on\nsetoption name USI_Variant value shogi");
    client.expect_silence();
}

#[test]
fn options_can_be_looked_at() {
    let mut client = Client::new();
    client.send(
        "setoption name usi_multipv value 3\ngetoption MultiPV\ngetoption EvalFile\ngetoption Nope",
    );
    client.expect("Options[MultiPV] = 3");
    client.expect("Options[EvalFile] = <internal>");
    client.expect_note("getoption: unknown option");
}

#[test]
fn the_protocol_can_be_logged() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("log.txt");
    let mut client = Client::new();
    client.send(&format!(
        "setoption name DebugLogFile value {}\nisready",
        path.display()
    ));
    client.expect("readyok");
    client.send("setoption name DebugLogFile value\nisready");
    client.expect("readyok");
    let log = std::fs::read_to_string(&path).unwrap();
    let words: Vec<_> = log
        .lines()
        .map(|line| line.split_once(' ').unwrap().1)
        .collect();
    assert_eq!(
        words,
        [
            "> isready",
            "< readyok",
            "> setoption name DebugLogFile value"
        ]
    );
    client.send("setoption name DebugLogFile value /no/such/folder/log");
    client.expect_note("DebugLogFile /no/such/folder/log: ");
}

#[test]
fn a_search_that_breaks_down_is_answered_for() {
    let (client, events) = Client::with_events();
    let send = |text: &str| {
        let line = InputLine {
            command: Command::parse(text),
            text: text.to_owned(),
            encoding: None,
            at: Instant::now(),
            hold: None,
        };
        events.send(Event::Line(line)).unwrap();
    };
    for (id, go, end) in [(1, "go infinite", "stop"), (2, "go ponder", "ponderhit")] {
        send(go);
        events.send(Event::Lost(id)).unwrap();
        client.expect_note("internal error in the search");
        client.expect_silence();
        send(end);
        client.expect_legal(&[]);
    }
    events.send(Event::Quit).unwrap();
}

#[test]
fn a_command_that_breaks_down_is_answered_for() {
    let mut client = Client::new();
    for (setup, moves) in [
        ("position startpos moves 7g7f", &["7g7f"][..]),
        ("usinewgame", &["7g7f"]),
    ] {
        client.send(setup);
        client.send("go depth 1 fault");
        client.expect_note("internal error");
        client.expect_legal(moves);
    }
    client.send("position nonsense");
    client.expect_note("position rejected");
    client.send("go fault");
    client.expect_note("internal error");
    client.expect("bestmove resign");
    client.send("position startpos fault");
    client.expect_note("internal error");
    client.sync();
}

/// Any burst of commands gets as many answers as are owed, whatever the timing.
#[test]
fn bursts_of_commands_are_answered_in_order() {
    let mut client = Client::new();
    let commands = [
        "go infinite",
        "go ponder",
        "stop",
        "gameover win",
        "position startpos moves 7g7f",
        "position startpos moves 7g7e",
        "setoption name MultiPV value 2",
        "setoption name Stochastic_Ponder value true",
        "setoption name Stochastic_Ponder value false",
        "usinewgame",
    ];
    let mut random = SplitMix64::new(1);
    for burst in 0..300 {
        let mut owed = 0;
        let mut is_searching = false;
        let mut lines = Vec::new();
        for _ in 0..12 {
            let command = commands[random.next_u64() as usize % commands.len()];
            let is_end = matches!(command, "stop" | "gameover win");
            owed += usize::from(is_searching && is_end);
            is_searching = command.starts_with("go") || (is_searching && !is_end);
            lines.push(command);
        }
        owed += usize::from(is_searching);
        lines.extend(["stop", "isready"]);
        client.send(&lines.join("\n"));
        let answers = std::iter::from_fn(|| Some(client.next()).filter(|line| line != "readyok"));
        let answers = answers.filter(|line| line.starts_with("bestmove")).count();
        assert_eq!(answers, owed, "burst {burst}: {lines:?}");
    }
}

#[test]
fn the_session_ends_from_any_state() {
    for state in [
        "isready",
        "go infinite",
        "go ponder",
        "position bad\ngo infinite",
        "go infinite\nstop",
    ] {
        let mut client = Client::new();
        client.send(state);
        client.send("quit");
        let start = Instant::now();
        drop(client);
        assert!(start.elapsed() < LONG, "{state}");
    }
}

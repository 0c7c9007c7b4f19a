//! From a line of text to a typed [`Command`]: pure functions that know neither the engine nor the state it is in.
//!
//! Whatever the line holds, reading it yields a command and never fails: what cannot be read becomes
//! [`Command::Unknown`] or [`Command::Unreadable`], and malformed arguments are left out.

mod go;
mod position;

use crate::search::Clock;

pub use go::{Go, MateTime};
pub use position::{HistoryMove, PositionCommand, Root};

/// One line of input, understood.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Command {
    /// Introduce the engine and list its options.
    Usi,
    /// Load what is pending and say so.
    IsReady,
    /// Store an option.
    SetOption {
        /// The name as written, words separated by single blanks; may be empty.
        name: String,
        /// What follows `value`, verbatim; `None` without that word.
        value: Option<String>,
    },
    /// Forget the last game.
    NewGame,
    /// Set up a position.
    Position(PositionCommand),
    /// Search, solve or count.
    Go(Box<Go>),
    /// End the search with an answer.
    Stop,
    /// The predicted move was played; with the clocks that came along, if any.
    PonderHit(Clock),
    /// The game is over: acts as `stop`.
    GameOver,
    /// End the process.
    Quit,
    /// List the legal moves.
    Moves,
    /// Show the board.
    Display,
    /// Show the static evaluation.
    Eval,
    /// Run the benchmark with these arguments.
    Bench(Vec<String>),
    /// Check the installation.
    Doctor,
    /// Say who is to move.
    Side,
    /// Show the value of one option or of all.
    GetOption(Option<String>),
    /// List the numbers of the search that can be tuned.
    #[cfg(feature = "tune")]
    Tunables,
    /// Let the reader wait for the end of the search.
    Wait,
    /// An empty line, or a command that asks nothing of this engine.
    Nothing,
    /// A line that is no text; the words say why.
    Unreadable(&'static str),
    /// The same for a line that was meant to set up a position.
    UnreadablePosition(&'static str),
    /// Not a command; the first word.
    Unknown(String),
}

impl Command {
    /// Reads one line (without its terminator).
    pub fn parse(line: &str) -> Self {
        let line = line.trim_start_matches('\u{feff}').trim_ascii();
        let Some((word, rest)) = split_word(line) else {
            return Self::Nothing;
        };
        match word {
            "usi" => Self::Usi,
            "isready" => Self::IsReady,
            "setoption" => set_option(rest),
            "usinewgame" => Self::NewGame,
            "position" => Self::Position(PositionCommand::parse(rest)),
            "go" => Self::Go(Box::new(Go::parse(rest))),
            "stop" => Self::Stop,
            "ponderhit" => Self::PonderHit(Go::parse(rest).clock),
            "gameover" => Self::GameOver,
            "quit" => Self::Quit,
            "moves" if rest.trim_ascii().is_empty() => Self::Moves,
            // An extension of the Ayane library: moves from the start position.
            "moves" => Self::Position(PositionCommand::parse(line)),
            "d" => Self::Display,
            "eval" => Self::Eval,
            "bench" => Self::Bench(rest.split_ascii_whitespace().map(str::to_owned).collect()),
            "doctor" => Self::Doctor,
            "side" => Self::Side,
            "getoption" => Self::GetOption(joined(rest)),
            #[cfg(feature = "tune")]
            "usi_tunables" => Self::Tunables,
            "wait" => Self::Wait,
            "debug" | "register" => Self::Nothing,
            _ => Self::Unknown(word.to_owned()),
        }
    }

    /// Whether the reader has to hold back further lines until this command is done: these are for scripts, which
    /// send everything at once and expect each command to run to its end.
    pub fn holds_reader(&self) -> bool {
        match self {
            Self::Wait | Self::Bench(_) | Self::Doctor => true,
            Self::Go(go) => go.perft.is_some(),
            _ => false,
        }
    }
}

/// `[name] <name> [value <text>]`.
fn set_option(rest: &str) -> Command {
    let mut rest = match split_word(rest) {
        Some(("name", after)) => after,
        _ => rest,
    };
    let mut name = String::new();
    while let Some((word, after)) = split_word(rest) {
        if word == "value" {
            let value = after.strip_prefix([' ', '\t']).unwrap_or(after);
            return Command::SetOption {
                name,
                value: Some(value.to_owned()),
            };
        }
        if !name.is_empty() {
            name.push(' ');
        }
        name.push_str(word);
        rest = after;
    }
    Command::SetOption { name, value: None }
}

/// The first word and everything behind it, the separating blank included.
fn split_word(text: &str) -> Option<(&str, &str)> {
    let text = text.trim_ascii_start();
    let end = text
        .find(|c: char| c.is_ascii_whitespace())
        .unwrap_or(text.len());
    (end > 0).then(|| text.split_at(end))
}

/// The words separated by single blanks; `None` if there are none.
fn joined(text: &str) -> Option<String> {
    let words: Vec<_> = text.split_ascii_whitespace().collect();
    (!words.is_empty()).then(|| words.join(" "))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::shogi::SplitMix64;

    fn option(name: &str, value: Option<&str>) -> Command {
        Command::SetOption {
            name: name.to_owned(),
            value: value.map(str::to_owned),
        }
    }

    #[test]
    fn simple_commands_in_any_dress() {
        for (line, command) in [
            ("usi", Command::Usi),
            ("\u{feff}usi\r", Command::Usi),
            ("  isready \t", Command::IsReady),
            ("usinewgame now", Command::NewGame),
            ("stop", Command::Stop),
            ("gameover", Command::GameOver),
            ("gameover unknown", Command::GameOver),
            ("quit", Command::Quit),
            ("d", Command::Display),
            ("moves ", Command::Moves),
            ("eval", Command::Eval),
            ("side", Command::Side),
            ("wait", Command::Wait),
            ("getoption", Command::GetOption(None)),
            (
                "getoption Clear  Hash",
                Command::GetOption(Some("Clear Hash".into())),
            ),
            (
                "bench --depth 5",
                Command::Bench(vec!["--depth".into(), "5".into()]),
            ),
            ("", Command::Nothing),
            (" \t\r", Command::Nothing),
            ("debug on", Command::Nothing),
            ("register later", Command::Nothing),
            ("USI", Command::Unknown("USI".into())),
            ("foo bar", Command::Unknown("foo".into())),
            ("ponderhit", Command::PonderHit(Clock::default())),
        ] {
            assert_eq!(Command::parse(line), command, "{line:?}");
        }
    }

    #[test]
    fn ponderhit_may_carry_clocks() {
        let Command::PonderHit(clock) = Command::parse("ponderhit byoyomi 2000 btime 5.9") else {
            panic!("not a ponderhit");
        };
        assert_eq!(clock.byoyomi_ms, Some(2000));
        assert_eq!(clock.black_ms, Some(5));
    }

    #[test]
    fn options_with_every_kind_of_blank() {
        for (line, command) in [
            (
                "setoption name USI_Hash value 64",
                option("USI_Hash", Some("64")),
            ),
            (
                "setoption  USI_Hash   value 64",
                option("USI_Hash", Some("64")),
            ),
            ("setoption name Clear  Hash", option("Clear Hash", None)),
            ("setoption name X value ", option("X", Some(""))),
            ("setoption name X value", option("X", Some(""))),
            (
                r"setoption name EvalFile value  C:\my nets\value 1.bin ",
                option("EvalFile", Some(r" C:\my nets\value 1.bin")),
            ),
            ("setoption", option("", None)),
            ("setoption name", option("", None)),
            ("setoption name value 5", option("", Some("5"))),
        ] {
            assert_eq!(Command::parse(line), command, "{line:?}");
        }
    }

    #[test]
    fn any_text_is_read_without_harm() {
        let words = [
            "go",
            "position",
            "setoption",
            "sfen",
            "startpos",
            "moves",
            "value",
            "name",
            "btime",
            "-1",
            "7g7f",
            "=",
            "P*5e",
            "é",
            "\u{feff}",
            "\0",
            "飛",
            "",
            "mate",
            "searchmoves",
            "perft",
            "ponderhit",
            "9/9",
            "1.",
        ];
        let mut random = SplitMix64::new(1);
        for _ in 0..20_000 {
            let mut line = String::new();
            for _ in 0..6 {
                line.push_str(words[random.next_u64() as usize % words.len()]);
                line.push_str(["", " ", "  ", "\t"][random.next_u64() as usize % 4]);
            }
            let _ = Command::parse(&line);
        }
    }
}

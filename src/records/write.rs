//! The result of writing: the text, and what the format could not hold.

use std::fmt;
use std::time::Duration;

use super::encoding::{Encoding, to_shift_jis};
use super::end::End;
use super::record::{Node, Record};

/// A record in some format.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Written {
    /// The text, its lines ending with line feeds.
    pub text: String,
    /// What the format could not hold.
    pub losses: Vec<Loss>,
}

impl Written {
    /// The bytes of the text. Characters that Shift_JIS lacks become 〓 and are reported as a loss. Encodings that are
    /// only read (EUC-JP, UTF-16) are written as UTF-8.
    ///
    /// ```
    /// use hien::records::{Encoding, Format, Record};
    /// use hien::shogi::Position;
    ///
    /// let mut record = Record::new(Position::startpos());
    /// record.headers.set("先手", "René");
    /// let (bytes, losses) = record.write(Format::Kif).encode(Encoding::ShiftJis);
    /// assert!(bytes.starts_with(b"\x90\xe6\x8e\xe8")); // 先手
    /// assert_eq!(losses[0].to_string(), "characters that Shift_JIS has not: é");
    /// ```
    pub fn encode(self, encoding: Encoding) -> (Vec<u8>, Vec<Loss>) {
        let Self { text, mut losses } = self;
        if encoding != Encoding::ShiftJis {
            return (text.into_bytes(), losses);
        }
        // CSA 3.0 names its encoding.
        let text = text.replacen("'CSA encoding=UTF-8\n", "'CSA encoding=SHIFT_JIS\n", 1);
        let (bytes, missing) = to_shift_jis(&text);
        if !missing.is_empty() {
            losses.push(Loss::Characters(missing));
        }
        (bytes, losses)
    }
}

/// Something in a record that a format could not hold.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Loss {
    /// A number of branches, with all that belongs to them.
    Branches(usize),
    /// A number of branches that are nested too deep.
    DeepBranches(usize),
    /// Comments at a number of moves.
    Comments(usize),
    /// A number of bookmarks.
    Bookmarks(usize),
    /// The times of a number of moves.
    Times(usize),
    /// Fractions of seconds in a number of times.
    Fractions(usize),
    /// Headers by their keys.
    Headers(Vec<String>),
    /// Line breaks in headers, by their keys.
    HeaderLines(Vec<String>),
    /// An end that has no word, and what is written for it.
    End(End, Option<&'static str>),
    /// The number of the first move.
    MoveNumber(u32),
    /// A number of moves that break a rule and that the format cannot express.
    Fouls(usize),
    /// Characters that the encoding lacks.
    Characters(Vec<char>),
}

impl Loss {
    /// Whether it counts or lists nothing, so that nothing was lost.
    fn is_empty(&self) -> bool {
        match self {
            Self::Branches(count)
            | Self::DeepBranches(count)
            | Self::Comments(count)
            | Self::Bookmarks(count)
            | Self::Times(count)
            | Self::Fractions(count)
            | Self::Fouls(count) => *count == 0,
            Self::Headers(keys) | Self::HeaderLines(keys) => keys.is_empty(),
            Self::Characters(characters) => characters.is_empty(),
            Self::End(..) | Self::MoveNumber(_) => false,
        }
    }
}

impl fmt::Display for Loss {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let many = |count: &usize, one: &str, more: &str| match count {
            1 => format!("1 {one}"),
            count => format!("{count} {more}"),
        };
        let text = match self {
            Self::Branches(count) => many(count, "branch", "branches"),
            Self::DeepBranches(count) => {
                format!("{}, nested too deep", many(count, "branch", "branches"))
            }
            Self::Comments(count) => many(count, "comment", "comments"),
            Self::Bookmarks(count) => many(count, "bookmark", "bookmarks"),
            Self::Times(count) => many(count, "time", "times"),
            Self::Fractions(count) => {
                format!("fractions of seconds in {}", many(count, "time", "times"))
            }
            Self::Headers(keys) => format!("headers: {}", keys.join(", ")),
            Self::HeaderLines(keys) => format!("line breaks in headers: {}", keys.join(", ")),
            Self::End(end, None) => format!("the end: {end}"),
            Self::End(end, Some(word)) => format!("the end: {end}, written as {word}"),
            Self::MoveNumber(number) => format!("the first move's number: {number}"),
            Self::Fouls(count) => many(count, "foul move", "foul moves"),
            Self::Characters(missing) => {
                let missing: Vec<_> = missing.iter().map(char::to_string).collect();
                format!("characters that Shift_JIS has not: {}", missing.join(" "))
            }
        };
        f.write_str(&text)
    }
}

/// Counts what a format cannot hold.
#[derive(Default)]
pub(super) struct Losses {
    pub branches: usize,
    pub deep_branches: usize,
    pub comments: usize,
    pub bookmarks: usize,
    pub times: usize,
    pub fractions: usize,
    pub headers: Vec<String>,
    pub header_lines: Vec<String>,
    pub ends: Vec<(End, Option<&'static str>)>,
    pub move_number: Option<u32>,
    pub fouls: usize,
}

impl Losses {
    /// Counts comments, bookmarks and time of a node as lost, as the flags say.
    pub fn count(&mut self, node: &Node, comments: bool, bookmarks: bool, time: bool) {
        self.comments += usize::from(comments && !node.comments.is_empty());
        self.bookmarks += if bookmarks { node.bookmarks.len() } else { 0 };
        self.times += usize::from(time && node.time.is_some());
    }

    /// The whole seconds of a time; the rest is lost.
    pub fn seconds(&mut self, time: Duration) -> u64 {
        self.fractions += usize::from(time.subsec_nanos() > 0);
        time.as_secs()
    }

    /// Counts all branches as lost.
    pub fn all_branches(&mut self, record: &Record) {
        self.branches = record.lines().count() - 1;
    }

    /// Text and losses together.
    pub fn written(self, text: String) -> Written {
        let counts = [
            Loss::Branches(self.branches),
            Loss::DeepBranches(self.deep_branches),
            Loss::Comments(self.comments),
            Loss::Bookmarks(self.bookmarks),
            Loss::Times(self.times),
            Loss::Fractions(self.fractions),
            Loss::Fouls(self.fouls),
        ];
        let lists = [
            Loss::Headers(self.headers),
            Loss::HeaderLines(self.header_lines),
        ];
        let mut losses: Vec<_> = counts.into_iter().chain(lists).collect();
        losses.retain(|loss| !loss.is_empty());
        losses.extend(
            self.ends
                .into_iter()
                .map(|(end, word)| Loss::End(end, word)),
        );
        losses.extend(self.move_number.map(Loss::MoveNumber));
        Written { text, losses }
    }
}

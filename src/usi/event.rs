//! What happens to a session: lines of input, and searches that end.

use std::sync::mpsc::Sender;
use std::time::Instant;

use super::command::Command;
use super::encoding::Encoding;

/// Numbers the searches of a session.
pub type SearchId = u64;

/// What the dispatcher waits for.
pub enum Event {
    /// A line of input arrived.
    Line(InputLine),
    /// A search has printed its answer.
    Answered,
    /// A search ended without an answer, which is a fault.
    Lost(SearchId),
    /// `quit`, or nobody is there any more.
    Quit,
}

/// One line of input.
pub struct InputLine {
    /// What it says.
    pub command: Command,
    /// Its text, for the log.
    pub text: String,
    /// The encoding, where the text tells.
    pub encoding: Option<Encoding>,
    /// When it arrived.
    pub at: Instant,
    /// Held as long as the reader has to wait; see [`Command::holds_reader`].
    pub hold: Option<Sender<()>>,
}

//! Game records (棋譜, kifu): reading and writing KIF, KI2, CSA, JKF and USI. Nothing is lost without a word.
//!
//! [`read`] takes the bytes of a file in any of the formats and gives [`Record`]s: headers, a start position, and a
//! tree of moves with comments, bookmarks, times and ends. [`Record::write`] gives the text in any format and names
//! what that format cannot hold. Nothing is guessed silently: what cannot be understood is a [`ReadError`] with line
//! and column, what is left out or contradicts itself is a [`Warning`] with its line.
//!
//! ```
//! use hien::records::{self, Format};
//!
//! let kif = "手合割：香落ち\n下手：甲\n   1 ３四歩(33) ( 0:01/00:00:01)+\n*よくある手\n   2 投了\n\n変化：1手\n   1 ４四歩(43)\n";
//! let reading = records::read(kif.as_bytes(), None)?;
//! let record = &reading.records[0];
//! assert_eq!(record.lines().count(), 2);
//!
//! let csa = record.write(Format::Csa);
//! assert_eq!(csa.text, "V2.2\nN+甲\nPI11KY\n-\n-3334FU\nT1\n'*よくある手\n%TORYO\n");
//! let losses: Vec<_> = csa.losses.iter().map(ToString::to_string).collect();
//! assert_eq!(losses, ["1 branch"]);
//! # Ok::<(), records::ReadError>(())
//! ```
//!
//! Read `record` first: the tree, and the builder that all readers use. `format` lists the formats, `kif`, `csa`, `jkf`
//! and `usi` are one each. What several formats share stands beside them: `notation` (how Japanese books name moves),
//! `handicap`, `setup` (start positions piece by piece), `words` (numbers, squares, pieces), `encoding`, `walk` (the
//! tree in the order of files), `draft` and `source` (reading with line and column), `write` (what is lost in writing).
//!
//! Uses the rules ([`crate::shogi`]) only. Lines are told apart by their beginnings; what stands in them is read by
//! parsers made with `winnow`, JSON by `serde_json`.

mod csa;
mod draft;
mod encoding;
mod end;
mod error;
mod format;
mod handicap;
mod headers;
mod jkf;
mod kif;
mod notation;
mod record;
mod setup;
mod source;
mod usi;
mod walk;
mod words;
mod write;

pub use encoding::{Encoding, decode};
pub use end::End;
pub use error::{BuildError, Fault, Foul, Place, ReadError, Warning};
pub use format::{Format, Reading, read};
pub use headers::Headers;
pub use notation::{japanese, japanese_line, line_texts};
pub use record::{Builder, Lines, Node, NodeId, Record, Step};
pub use write::{Loss, Written};

/// The lines of a text, whatever its line endings.
fn lines(text: &str) -> impl Iterator<Item = &str> {
    let has_line_feeds = text.contains('\n');
    let ends = move |c: char| c == '\n' || (!has_line_feeds && c == '\r');
    text.split(ends)
        .map(|line| line.strip_suffix('\r').unwrap_or(line))
}

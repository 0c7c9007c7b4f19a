//! CSA, the format of computer shogi and its servers: one game without branches, pieces named as they stand after the
//! move. Version 2.2, and 3.0 where times have fractions or a header needs it.
//!
//! Sources: <http://www2.computer-shogi.org/protocol/record_v22.html>,
//! <http://www2.computer-shogi.org/protocol/record_v3.html>.

mod reader;
mod statement;
mod words;
mod writer;

pub(super) use reader::read;
pub(super) use statement::is_move;
pub(super) use words::{kind_code, kind_of_code};
pub(super) use writer::write;

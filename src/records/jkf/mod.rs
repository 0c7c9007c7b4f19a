//! JKF, the JSON Kifu Format of the web: a tree of moves with comments and times, headers with Japanese keys.
//!
//! Source: <https://github.com/na2hiro/json-kifu-format>, version 1.0.

mod model;
mod reader;
mod writer;

pub(super) use reader::read;
pub(super) use writer::write;

/// How deep branches may be nested in branches. JSON of any depth would need as much stack.
pub(super) const MAX_NESTING: usize = 32;

//! KIF and KI2, the formats of Kifu for Windows, which most programs write. Both have the same frame: headers, a
//! handicap or a board, comments, bookmarks, branches, a last line. KIF gives each move a line with its number, its
//! origin and its time; KI2 writes moves one after the other as books do, see [`super::notation`].
//!
//! Sources: <http://kakinoki.o.oo7.jp/kif_format.html>, and files of the programs themselves.

mod board;
mod body;
mod line;
mod moves;
mod preface;
mod reader;
mod summary;
mod writer;

pub(super) use line::is_numbered_move;
pub(super) use reader::read;
pub(super) use writer::{write_ki2, write_kif};

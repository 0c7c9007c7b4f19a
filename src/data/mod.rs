//! Training records: positions with a score, a move and the game's result.
//!
//! Two formats, both packed by the crate `rsshogi`: PSV (PackedSfenValue), 40 bytes a position, and sbinpack, chains of
//! consecutive positions of about 5 bytes each. [`RecordFile`] reads both block by block, in any order, so that files
//! may be larger than memory; [`RecordWriter`] writes both. Knows nothing of training or evaluation.

mod error;
mod label;
mod position;
mod psv;
mod reader;
mod replace;
mod resume;
mod sbinpack;
mod writer;

pub use error::{DataError, PackError, RecordError, UnpackError};
pub use label::{Format, Label, Outcome};
pub use position::RecordPosition;
pub use psv::Psv;
pub use reader::RecordFile;
pub use replace::replace_file;
pub use resume::{ResumeError, open_to_resume, read_state, write_state};
pub use writer::RecordWriter;

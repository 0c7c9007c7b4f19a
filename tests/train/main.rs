//! Training and its records, through the library as its users see it.

mod data;
#[path = "../common/folder.rs"]
mod folder;
mod training;

use std::path::{Path, PathBuf};

use folder::Folder;

/// 4385 positions of engine games, in eight chunks of sbinpack.
fn sample() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/train/sample.sbinpack")
}

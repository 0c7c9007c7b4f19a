//! Training and its records, through the library as its users see it.

mod records;
mod training;

use std::path::{Path, PathBuf};

/// 4385 positions of engine games, in eight chunks of sbinpack.
fn sample() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/train/sample.sbinpack")
}

/// A folder of its own for a test, empty.
fn folder(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&folder).expect("a folder for the test");
    folder
}

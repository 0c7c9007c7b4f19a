//! Where the files that settings name are looked for.

use std::env;
use std::path::{Path, PathBuf};

/// The folder of the running executable.
pub fn executable_dir() -> Option<PathBuf> {
    let path = env::current_exe().ok()?;
    path.parent().map(Path::to_owned)
}

/// Where relative names of books and of the configuration begin: beside the executable, then in the working directory, which GUIs
/// choose as they like.
pub fn roots() -> Vec<PathBuf> {
    executable_dir()
        .into_iter()
        .chain(env::current_dir())
        .collect()
}

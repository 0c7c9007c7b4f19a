//! Where the files that settings name are looked for: beside the executable, then in the working directory, which GUIs
//! choose as they like. This holds for `engine.toml`, evaluation files and books.

use std::env;
use std::path::{Path, PathBuf};

/// The folders in which relative names are looked for, the first one first.
pub fn roots() -> Vec<PathBuf> {
    let executable = env::current_exe().ok();
    let beside = executable.as_deref().and_then(Path::parent);
    let mut roots: Vec<_> = beside.map(Path::to_owned).into_iter().collect();
    roots.extend(env::current_dir());
    roots.dedup();
    roots
}

/// The places in which a file of this name is looked for, the first one first; an absolute name is the only place.
pub fn places(name: impl AsRef<Path>) -> Vec<PathBuf> {
    // Joining with an absolute path is that path.
    let mut places: Vec<_> = roots().iter().map(|root| root.join(&name)).collect();
    places.dedup();
    places
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn beside_the_executable_comes_before_the_working_directory() {
        let beside = env::current_exe().unwrap().parent().unwrap().join("x");
        let here = env::current_dir().unwrap().join("x");
        assert_ne!(beside, here);
        assert_eq!(places("x"), [beside, here.clone()]);
        assert_eq!(places(&here), [here]);
    }
}

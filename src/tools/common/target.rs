//! Where the results of long work belong: checked before the work begins.

use std::fs::{self, File};
use std::io;
use std::path::Path;
use std::process;

/// Creates a folder if it is missing, and makes sure that files can be written into it. No name is the working
/// directory.
///
/// # Errors
///
/// If they cannot; the message names the folder.
pub fn prepare_folder(folder: &Path) -> io::Result<()> {
    let folder = if folder.as_os_str().is_empty() {
        Path::new(".")
    } else {
        folder
    };
    let probe = folder.join(format!(".hien-{}", process::id()));
    fs::create_dir_all(folder)
        .and_then(|()| File::create(&probe))
        .and_then(|_| fs::remove_file(&probe))
        .map_err(|error| io::Error::new(error.kind(), format!("{}: {error}", folder.display())))
}

/// Makes sure that a new file can be written.
///
/// # Errors
///
/// If it exists already, or its folder is not there or cannot be written into; the message names the file or the
/// folder.
pub fn prepare_new_file(file: &Path) -> io::Result<()> {
    let refuse = |kind, reason| {
        Err(io::Error::new(
            kind,
            format!("{}: {reason}", file.display()),
        ))
    };
    if file.exists() {
        return refuse(io::ErrorKind::AlreadyExists, "the file exists already");
    }
    match file.parent() {
        Some(folder) if folder.as_os_str().is_empty() || folder.is_dir() => prepare_folder(folder),
        _ => refuse(io::ErrorKind::NotFound, "there is no such folder"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_cannot_be_written_is_refused_and_the_check_leaves_nothing() {
        let root = tempfile::tempdir().unwrap();
        let root = root.path();
        let folder = root.join("a").join("将棋");
        prepare_folder(&folder).unwrap();
        assert_eq!(fs::read_dir(&folder).unwrap().count(), 0);
        let file = folder.join("book.db");
        prepare_new_file(&file).unwrap();
        assert_eq!(fs::read_dir(&folder).unwrap().count(), 0);
        fs::write(&file, "").unwrap();
        for (path, what) in [
            (&file, "exists already"),
            (&root.join("b/book.db"), "no such folder"),
        ] {
            let error = prepare_new_file(path).unwrap_err().to_string();
            assert!(error.contains(what) && error.contains("book.db"), "{error}");
        }
        let error = prepare_folder(&file).unwrap_err().to_string();
        assert!(error.contains("book.db"), "{error}");
    }
}

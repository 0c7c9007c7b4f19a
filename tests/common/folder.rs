//! Folders for tests that work on files.
#![allow(dead_code, reason = "each binary uses its own part")]

use std::fs;
use std::path::PathBuf;

use tempfile::TempDir;

/// A folder of its own for a test, empty at first and removed at the end.
pub struct Folder(pub PathBuf, TempDir);

impl Folder {
    /// A folder whose name begins so.
    pub fn new(name: &str) -> Self {
        // On the disk of the program under test, to which it may get a link.
        let root = env!("CARGO_TARGET_TMPDIR");
        let folder = TempDir::with_prefix_in(format!("{name}-"), root);
        let folder = folder.unwrap_or_else(|e| panic!("{root}: {e}"));
        Self(folder.path().to_owned(), folder)
    }

    /// A path in the folder, as text.
    pub fn path(&self, name: &str) -> String {
        self.0.join(name).display().to_string()
    }

    /// Writes a file, in a folder of the folder if the name says so; returns its path.
    pub fn write(&self, name: &str, bytes: impl AsRef<[u8]>) -> String {
        let path = self.0.join(name);
        let parent = path.parent().expect("it lies in the folder");
        fs::create_dir_all(parent)
            .and_then(|()| fs::write(&path, bytes))
            .unwrap_or_else(|e| panic!("{}: {e}", path.display()));
        self.path(name)
    }

    /// The program under test, as if it were installed in the folder.
    pub fn program(&self) -> PathBuf {
        let name = if cfg!(windows) { "hien.exe" } else { "hien" };
        let program = self.0.join(name);
        // A link, since a copy cannot be started while another test's new process still has it open for writing.
        fs::hard_link(env!("CARGO_BIN_EXE_hien"), &program).expect("a link to the program");
        program
    }

    /// The text of a file.
    pub fn read(&self, name: &str) -> String {
        fs::read_to_string(self.0.join(name)).unwrap_or_else(|e| panic!("{name}: {e}"))
    }
}

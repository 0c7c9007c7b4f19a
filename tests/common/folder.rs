//! Folders for tests that work on files.
#![allow(dead_code, reason = "each binary uses its own part")]

use std::fs;
use std::path::{Path, PathBuf};

/// A folder of its own for a test, empty at first and removed at the end.
pub struct Folder(pub PathBuf);

impl Folder {
    /// The folder of this name; no two tests of a binary use the same one.
    pub fn new(name: &str) -> Self {
        let name = format!("{name}-{}", std::process::id());
        let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
        fs::create_dir_all(&path).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
        Self(path)
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

impl Drop for Folder {
    fn drop(&mut self) {
        // A folder that stays behind does no harm.
        let _ = fs::remove_dir_all(&self.0);
    }
}

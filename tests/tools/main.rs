//! The commands of the shell that work on files: records, analysis, books, positions.

mod analyze;
mod book;
mod gensfen;
mod records;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

/// A file of the samples.
fn sample(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("tests/data")
        .join(name)
}

/// A folder of its own for a test, removed at the end.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Self {
        let path =
            Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("{name}-{}", std::process::id()));
        fs::create_dir_all(&path).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
        Self(path)
    }

    fn path(&self, name: &str) -> String {
        self.0.join(name).display().to_string()
    }

    fn write(&self, name: &str, bytes: impl AsRef<[u8]>) -> String {
        fs::write(self.0.join(name), bytes).unwrap();
        self.path(name)
    }

    fn read(&self, name: &str) -> String {
        fs::read_to_string(self.0.join(name)).unwrap_or_else(|e| panic!("{name}: {e}"))
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        // A folder that stays behind does no harm.
        let _ = fs::remove_dir_all(&self.0);
    }
}

/// Runs the program; returns whether it succeeded and what it wrote to standard output.
fn hien(arguments: &[&str]) -> (bool, String) {
    let output = run(arguments);
    let errors = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(errors, "", "{arguments:?}");
    let text = String::from_utf8(output.stdout).unwrap();
    (output.status.success(), text)
}

fn run(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_hien"))
        .args(arguments)
        .output()
        .unwrap()
}

#[test]
fn completions_name_the_commands() {
    for shell in ["bash", "zsh", "fish", "powershell", "elvish"] {
        let (success, text) = hien(&["completions", shell]);
        assert!(success && text.contains("hien"), "{shell}");
        for command in ["analyze", "perft", "book"] {
            assert!(text.contains(command), "{shell}: {command}");
        }
    }
}

#[test]
fn positions_are_validated_from_arguments_and_files() {
    let folder = Folder::new("validate");
    let start = "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1";
    assert_eq!(hien(&["validate", start]), (true, format!("ok {start}\n")));
    let list = folder.write("list.txt", format!("sfen {start}\n\n9/9 b - 1\n"));
    let (success, text) = hien(&["validate", &list]);
    assert!(!success);
    assert_eq!(
        text,
        format!("ok {start}\nbad 9/9 b - 1: 2 ranks instead of 9\n")
    );
}

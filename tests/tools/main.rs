//! The commands of the shell that work on files: records, analysis, books, positions.

mod analyze;
mod book;
mod data;
#[path = "../common/folder.rs"]
mod folder;
mod gensfen;
mod records;

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use folder::Folder;

/// A file of the samples.
fn sample(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("tests/data")
        .join(name)
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

//! The commands of the shell that work on files: records, analysis, books, positions.

mod analyze;
mod book;
mod convert;
mod data;
#[path = "../common/folder.rs"]
mod folder;
mod games;
mod gensfen;
mod train;

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
    assert_eq!(complaints(&output), "", "{arguments:?}");
    let text = String::from_utf8(output.stdout).unwrap();
    (output.status.success(), text)
}

fn run(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_hien"))
        .args(arguments)
        .output()
        .unwrap()
}

/// What a command wrote to standard error. A busy machine may give memory slowly at any time, so remarks on that do not
/// count.
fn complaints(output: &Output) -> String {
    let errors = String::from_utf8_lossy(&output.stderr);
    let lines = errors.lines().filter(|line| !line.contains("of memory in"));
    lines.collect::<Vec<_>>().join("\n")
}

/// The only complaint of a command that succeeded.
fn warning(output: &Output) -> String {
    let errors = complaints(output);
    assert!(output.status.success(), "{errors}");
    assert_eq!(errors.lines().count(), 1, "{errors}");
    errors
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
    let list = folder.write(
        "list.txt",
        format!("\u{feff}# positions\nsfen {start}\n\n  # none\nposition startpos\n9/9 b - 1\n"),
    );
    let (success, text) = hien(&["validate", &list]);
    assert!(!success);
    assert_eq!(
        text,
        format!("ok {start}\nok {start}\nbad 9/9 b - 1: 2 ranks instead of 9\n")
    );
}

#[test]
fn commands_warn_of_a_broken_configuration() {
    let folder = Folder::new("warnings");
    let config = folder.write("engine.toml", "[options]\nUSI_Hush = 64\n");
    let game = folder.write("game.usi", "startpos moves 7g7f\n");
    let book = folder.path("new.db");
    let games = folder.path("games.psv");
    for arguments in [
        vec![
            "analyze", &game, "--depth", "1", "--hash", "1", "--format", "json",
        ],
        vec!["book", "make", &book, &game, "--min-games", "1"],
        vec![
            "gensfen",
            "--output",
            &games,
            "--eval",
            "material",
            "--nodes",
            "40",
            "--positions",
            "1",
        ],
    ] {
        let arguments = [vec!["--config", &config], arguments].concat();
        let warning = warning(&run(&arguments));
        assert!(warning.contains("WARN"), "{warning}");
        assert!(
            warning.contains("unknown option: USI_Hush; did you mean USI_Hash?"),
            "{warning}"
        );
        assert!(warning.contains("engine.toml"), "{warning}");
    }
    // A client of the protocol gets an `info string` instead.
    let output = run(&["--config", &config]);
    assert_eq!(complaints(&output), "");
}

/// A hash table that is made smaller, since there is not enough memory.
#[cfg(target_os = "linux")]
#[test]
fn commands_warn_of_a_smaller_hash_table() {
    let folder = Folder::new("small-hash");
    let game = folder.write("game.usi", "startpos moves 7g7f\n");
    let output = Command::new("sh")
        .args(["-c", "ulimit -v 1200000; exec \"$0\" \"$@\""])
        .arg(env!("CARGO_BIN_EXE_hien"))
        .args([
            "analyze", &game, "--depth", "1", "--hash", "2048", "--format", "json",
        ])
        .output()
        .unwrap();
    let warning = warning(&output);
    assert!(
        warning.contains("a hash of 2048 MiB does not fit into memory, using "),
        "{warning}"
    );
}

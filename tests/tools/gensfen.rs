//! Self-play from the shell.

use std::path::Path;

use super::{Folder, hien};

#[test]
fn self_play_writes_records_and_goes_on_with_them() {
    let folder = Folder::new("gensfen");
    let output = folder.path("games.psv");
    let run = |positions: &str| {
        let (success, text) = hien(&[
            "gensfen",
            "--output",
            &output,
            "--format",
            "psv",
            "--eval",
            "material",
            "--nodes",
            "40",
            "--vary-nodes",
            "--threads",
            "1",
            "--positions",
            positions,
        ]);
        assert!(success);
        text
    };
    let text = run("100");
    for line in ["games ", "results ", "endings ", "positions "] {
        assert!(text.contains(line), "{text}");
    }
    let length = || Path::new(&output).metadata().unwrap().len();
    let first = length();
    assert!(first >= 4000 && first % 40 == 0);
    run("500");
    assert!(length() >= 20_000);
    let (success, text) = hien(&["data", &output]);
    assert!(success && text.contains("unknown 0.0 %"), "{text}");
}

#[test]
fn bad_start_positions_are_named() {
    let folder = Folder::new("gensfen-starts");
    let starts = folder.write("starts.txt", "startpos\n4k4/9/9/9/9/9/9/9/9 b - 1\n");
    let output = super::run(&[
        "gensfen",
        "--output",
        &folder.path("x"),
        "--starts",
        &starts,
    ]);
    let complaint = String::from_utf8(output.stderr).unwrap();
    assert!(!output.status.success());
    assert!(complaint.contains("starts.txt: line 1"), "{complaint}");
}

/// Ctrl-C ends the command in good order.
#[cfg(unix)]
#[test]
fn interruptions_leave_whole_files() {
    use std::process::{Command, Stdio};
    use std::time::Duration;

    let folder = Folder::new("gensfen-interrupt");
    let output = folder.path("games.sbinpack");
    let program = Command::new(env!("CARGO_BIN_EXE_hien"))
        .args([
            "gensfen", "--output", &output, "--nodes", "20", "--eval", "material",
        ])
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    // The state is written before the first game, and after signals are heeded.
    while !Path::new(&folder.path("games.sbinpack.state.json")).exists() {
        std::thread::sleep(Duration::from_millis(5));
    }
    let id = program.id().to_string();
    assert!(
        Command::new("kill")
            .args(["-INT", &id])
            .status()
            .unwrap()
            .success()
    );
    let ended = program.wait_with_output().unwrap();
    assert!(ended.status.success());
    assert!(String::from_utf8_lossy(&ended.stdout).contains("games "));
    assert!(hien(&["data", &output]).0);
}

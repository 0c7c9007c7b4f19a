//! Training from the shell.

use std::path::Path;

use super::{Folder, hien, run, sample};

fn arguments(output: &str) -> Vec<String> {
    let from = sample("train/sample.sbinpack").display().to_string();
    let mut arguments = vec!["train".to_owned(), "--output".to_owned(), output.to_owned()];
    let options = "--layers 64,8,8 --epochs 1 --batch 512 --validation 0.2 --in-check --tactical";
    arguments.extend(options.split(' ').map(str::to_owned));
    arguments.push(from);
    arguments
}

fn complaint(arguments: &[String]) -> String {
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let output = run(&arguments);
    assert!(!output.status.success());
    String::from_utf8(output.stderr).unwrap()
}

#[test]
fn a_run_leaves_a_net_and_is_not_overwritten() {
    let folder = Folder::new("train");
    let output = folder.path("run");
    let train = arguments(&output);
    let words: Vec<&str> = train.iter().map(String::as_str).collect();
    let (success, text) = hien(&words);
    assert!(success && text.contains("rounding"), "{text}");
    for name in ["nn.bin", "checkpoint.bin", "curve.csv", "curve.svg"] {
        assert!(Path::new(&output).join(name).exists(), "{name}");
    }
    let net = Path::new(&output).join("nn.bin").display().to_string();
    let (success, text) = hien(&["net", &net]);
    assert!(success && text.contains("FV_SCALE      16"), "{text}");
    let complaint = complaint(&train);
    assert!(complaint.contains("--resume continues it"), "{complaint}");
}

/// The names of flags before the field's terms were used.
#[test]
fn old_flags_are_understood() {
    let folder = Folder::new("train-flags");
    let mut train = arguments(&folder.path("run"));
    let old = "--rate 0.001 --final-rate 0.1 --decay 0.01 --foresight 0.5 --score-most 2000 --ply-least 2 --no-rounding \
               --pool 1500 --lanes 1";
    train.extend(old.split_whitespace().map(str::to_owned));
    let words: Vec<&str> = train.iter().map(String::as_str).collect();
    assert!(hien(&words).0);
}

/// Before anything is learnt.
#[test]
fn a_folder_that_cannot_be_written_is_named() {
    let folder = Folder::new("train-folder");
    let file = folder.write("file", "in the way");
    let complaint = complaint(&arguments(&format!("{file}/run")));
    assert!(complaint.contains("file/run"), "{complaint}");
}

#[test]
fn a_run_that_is_refused_leaves_nothing_behind() {
    let folder = Folder::new("train-refused");
    for (more, what) in [
        (&["--layers", "64,8"][..], "three numbers"),
        (&["--features", "nothing"], "nothing"),
        (&["--learning-rate", "nan"], "rate"),
        (&["--start", "no-net.bin"], "no-net.bin"),
        (&["no-data.psv"], "no-data.psv"),
        (&["--min-ply", "9999"], "no record"),
        (&["--resume"], "checkpoint.bin"),
    ] {
        let mut train = arguments(&folder.path("run"));
        train.retain(|word| {
            !matches!(word.as_str(), "--layers" | "64,8,8") || more[0] != "--layers"
        });
        train.extend(more.iter().map(|&word| word.to_owned()));
        let complaint = complaint(&train);
        assert!(complaint.contains(what), "{more:?}: {complaint}");
        assert!(!Path::new(&folder.path("run")).exists(), "{more:?}");
    }
}

//! The corpus of the fuzz targets in `tests/fuzz`, run once: real inputs, those that reached something new, and those that
//! once showed a fault.

#[path = "../fuzz/checks/mod.rs"]
mod checks;

use std::fs;
use std::path::Path;

/// Runs a check on every file of some folders.
fn run(folders: &[&str], check: fn(&[u8])) {
    for folder in folders {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR"))
            .join("tests/data")
            .join(folder);
        let entries = fs::read_dir(&folder).unwrap_or_else(|e| panic!("{}: {e}", folder.display()));
        let mut count = 0;
        for entry in entries {
            let path = entry.expect("an entry").path();
            let data = fs::read(&path).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
            println!("{}", path.display());
            check(&data);
            count += 1;
        }
        assert!(count > 0, "{} is empty", folder.display());
    }
}

#[test]
fn book() {
    run(&["book"], checks::book);
}

#[test]
fn config() {
    run(&["corpus/config"], checks::config);
}

#[test]
fn moves() {
    run(&["corpus/moves"], checks::moves);
}

#[test]
fn net() {
    run(&["corpus/net"], checks::net);
}

#[test]
fn position() {
    run(&["corpus/position"], checks::position);
}

#[test]
fn record() {
    run(&["records"], checks::record);
}

#[test]
fn sfen() {
    run(&["corpus/sfen"], checks::sfen);
}

#[test]
fn training() {
    run(&["corpus/training", "train"], checks::training);
}

#[test]
fn usi() {
    run(&["corpus/usi"], checks::usi);
}

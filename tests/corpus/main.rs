//! The corpus of the fuzz targets in `tests/fuzz`, run once: inputs that reached something new, and those that once
//! showed a fault.

#[path = "../fuzz/checks/mod.rs"]
mod checks;

use std::fs;
use std::path::Path;

/// Runs a check on every input of its corpus.
fn run(name: &str, check: fn(&[u8])) {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("tests/data/corpus")
        .join(name);
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

#[test]
fn config() {
    run("config", checks::config);
}

#[test]
fn moves() {
    run("moves", checks::moves);
}

#[test]
fn net() {
    run("net", checks::net);
}

#[test]
fn sfen() {
    run("sfen", checks::sfen);
}

#[test]
fn usi() {
    run("usi", checks::usi);
}

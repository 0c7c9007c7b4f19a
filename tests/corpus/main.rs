//! The corpus of the fuzz targets in `tests/fuzz`: real inputs, those that reached something new, and those that once
//! showed a fault. Each is run as it is, then damaged at random: a short fuzz run that needs no tools.

#[path = "../fuzz/checks/mod.rs"]
mod checks;
#[path = "../common/mod.rs"]
mod common;

use std::fs;
use std::path::Path;

use common::random::Random;

/// The environment variable with the seed of the damage, for other inputs than those of every run.
const SEED: &str = "HIEN_FUZZ_SEED";

/// Runs a check on every file of some folders, and on `mutants` damaged ones.
fn run(folders: &[&str], mutants: usize, check: fn(&[u8])) {
    let mut seeds = Vec::new();
    for folder in folders {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR"))
            .join("tests/data")
            .join(folder);
        let entries = fs::read_dir(&folder).unwrap_or_else(|e| panic!("{}: {e}", folder.display()));
        let mut paths: Vec<_> = entries
            .map(|entry| entry.expect("an entry").path())
            .filter(|path| path.is_file())
            .collect();
        paths.sort();
        assert!(!paths.is_empty(), "{} is empty", folder.display());
        for path in paths {
            let data = fs::read(&path).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
            println!("{}", path.display());
            check(&data);
            seeds.push(data);
        }
    }
    let seed =
        std::env::var(SEED).map_or(1, |seed| seed.parse().expect("HIEN_FUZZ_SEED is a number"));
    println!("{SEED}={seed}");
    let mut random = Random::new(seed);
    for number in 0..mutants {
        let mutant = damaged(&seeds, &mut random);
        println!("mutant {number}: {}", mutant.escape_ascii());
        check(&mutant);
    }
}

/// A seed with one to four changes: bytes changed, put in, taken out, repeated, or those of another seed.
fn damaged(seeds: &[Vec<u8>], random: &mut Random) -> Vec<u8> {
    let mut data = seeds[random.below(seeds.len())].clone();
    for _ in 0..1 + random.below(4) {
        let at = random.below(data.len() + 1);
        let end = (at + 1 + random.below(16)).min(data.len());
        let byte = random.next() as u8;
        match random.below(6) {
            0 if at < data.len() => data[at] = byte,
            1 if at < data.len() => data[at] ^= 1 << (byte % 8),
            2 => data.insert(at, byte),
            3 => drop(data.drain(at..end)),
            4 => {
                let part = data[at..end].to_vec();
                data.splice(at..at, part);
            }
            _ => {
                let other = &seeds[random.below(seeds.len())];
                let start = random.below(other.len() + 1);
                let part = other[start..(start + random.below(64)).min(other.len())].to_vec();
                data.splice(at..end, part);
            }
        }
    }
    data
}

#[test]
fn book() {
    run(&["book"], 1000, checks::book);
}

#[test]
fn config() {
    run(&["corpus/config"], 2000, checks::config);
}

#[test]
fn moves() {
    run(&["corpus/moves"], 2000, checks::moves);
}

#[test]
fn net() {
    run(&["corpus/net"], 100, checks::net);
}

#[test]
fn position() {
    run(&["corpus/position"], 2000, checks::position);
}

#[test]
fn record() {
    run(
        &["records", "records/cases", "records/programs"],
        2000,
        checks::record,
    );
}

#[test]
fn sfen() {
    run(&["corpus/sfen"], 2000, checks::sfen);
}

#[test]
fn training() {
    run(&["corpus/training", "train"], 300, checks::training);
}

#[test]
fn usi() {
    run(&["corpus/usi"], 100, checks::usi);
}

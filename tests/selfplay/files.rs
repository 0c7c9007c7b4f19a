//! Files: the same whatever the threads and interruptions.

use std::fs::{self, OpenOptions};
use std::io::Write;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

use hien::data::{Format, RecordFile};
use hien::eval::Evaluator;
use hien::selfplay::{Openings, Run, Settings, generate};

use super::{Folder, open, play, settings};

fn settings_of(format: Format) -> Settings {
    Settings {
        format,
        ..settings()
    }
}

fn count(path: &Path) -> u64 {
    let file = RecordFile::open(path).expect("a file of records");
    let mut records = 0;
    for block in 0..file.blocks() {
        let visited = file.visit(block, &mut |_, _| records += 1);
        visited.expect("a sound block");
    }
    records
}

#[test]
fn threads_make_no_difference_but_seeds_do() {
    let folder = Folder::new("threads");
    let write = |name: &str, threads, seed| {
        let path = folder.0.join(name);
        let settings = Settings { seed, ..settings() };
        let tally = play(&path, &settings, threads, 1000);
        assert_eq!(count(&path), tally.positions);
        assert!((1000..1400).contains(&tally.positions), "{tally:?}");
        (fs::read(&path).expect("written"), tally)
    };
    let one = write("one", 1, 1);
    assert_eq!(write("again", 1, 1), one);
    assert_eq!(write("three", 3, 1), one);
    assert_ne!(write("other", 1, 2).0, one.0);
}

/// Interrupted before and after the first full batch, and torn.
#[test]
fn resumed_files_are_those_of_uninterrupted_runs() {
    for format in [Format::Psv, Format::Sbinpack] {
        let folder = Folder::new(&format!("resume-{format:?}"));
        let settings = settings_of(format);
        let (whole, parts) = (folder.0.join("whole"), folder.0.join("parts"));
        let expected = play(&whole, &settings, 1, 10_000);
        play(&parts, &settings, 1, 3000);
        // Nothing is left to do.
        let before = fs::read(&parts).expect("written");
        play(&parts, &settings, 1, 3000);
        assert_eq!(fs::read(&parts).expect("written"), before);
        // The last batch was cut short, or followed by a part of another one.
        OpenOptions::new()
            .write(true)
            .open(&parts)
            .and_then(|file| file.set_len(before.len() as u64 - 7))
            .expect("cut");
        play(&parts, &settings, 1, 9000);
        OpenOptions::new()
            .append(true)
            .open(&parts)
            .and_then(|mut file| file.write_all(&[7; 99]))
            .expect("written");
        assert_eq!(play(&parts, &settings, 1, 10_000), expected);
        assert!(fs::read(&parts).expect("written") == fs::read(&whole).expect("written"));
        assert_eq!(count(&parts), expected.positions);
    }
}

#[test]
fn both_formats_hold_the_same_number_of_records() {
    let folder = Folder::new("formats");
    let tallies = [Format::Psv, Format::Sbinpack].map(|format| {
        let path = folder.0.join(format!("{format:?}"));
        let tally = play(&path, &settings_of(format), 1, 500);
        assert_eq!(count(&path), tally.positions);
        tally
    });
    assert_eq!(tallies[0], tallies[1]);
}

/// Without random moves all games are the same: their positions are written once.
#[test]
fn positions_are_written_once() {
    let folder = Folder::new("duplicates");
    let evaluator = Evaluator::material();
    let tally = |keep_duplicates: bool| {
        let settings = Settings {
            openings: Openings {
                least: 0,
                most: 0,
                before: 0,
                imbalance: i32::MAX,
                ..Settings::default().openings
            },
            effort: hien::selfplay::Effort::Nodes(40),
            keep_duplicates,
            ..settings()
        };
        let path = folder.0.join(format!("{keep_duplicates}"));
        let run = Run {
            settings: &settings,
            starts: &[],
            evaluator: &evaluator,
            threads: 1,
            positions: None,
        };
        let stop = AtomicBool::new(false);
        let store = open(&path, &settings).expect("a new file");
        let progress = &mut |tally: &hien::selfplay::Tally| stop.store(tally.games >= 3, Relaxed);
        let tally = generate(&run, store, &stop, progress).expect("written");
        assert_eq!(count(&path), tally.positions);
        tally
    };
    let (once, always) = (tally(false), tally(true));
    assert!(once.games >= 3 && always.games >= 3);
    assert_eq!(
        once.duplicates + once.positions,
        once.games * (always.positions / always.games)
    );
    assert!(once.positions <= always.positions / always.games);
    assert_eq!(always.duplicates, 0);
}

#[test]
fn files_of_other_runs_are_left_alone() {
    let folder = Folder::new("foreign");
    let path = folder.0.join("records");
    play(&path, &settings(), 1, 100);
    let before = fs::read(&path).expect("written");
    let complaint = |settings: &Settings| match open(&path, settings) {
        Ok(_) => String::new(),
        Err(complaint) => complaint,
    };
    let other = Settings {
        seed: 2,
        ..settings()
    };
    assert!(complaint(&other).contains("other settings"));
    let state = folder.0.join("records.state.json");
    let text = fs::read(&state).expect("a state");
    fs::write(&state, "{}").expect("written");
    assert!(complaint(&settings()).contains("no state"));
    fs::remove_file(&state).expect("removed");
    assert!(complaint(&settings()).contains("without the state"));
    fs::write(&state, text).expect("written");
    assert_eq!(complaint(&settings()), "");
    // Opening took back the batch that was not full; playing writes it again.
    play(&path, &settings(), 1, 100);
    assert_eq!(fs::read(&path).expect("written"), before);
}

/// A damaged file is gone on with or refused, but never a reason to panic.
#[test]
fn damaged_files_are_no_trap() {
    for format in [Format::Psv, Format::Sbinpack] {
        let folder = Folder::new(&format!("damage-{format:?}"));
        let path = folder.0.join("records");
        play(&path, &settings_of(format), 1, 200);
        let state = folder.0.join("records.state.json");
        let (records, text) = (fs::read(&path), fs::read(&state));
        let (records, text) = (records.expect("written"), text.expect("a state"));
        let mut refused = 0;
        for at in (0..records.len()).step_by((records.len() / 60) | 1) {
            let mut damaged = records.clone();
            damaged[at] ^= 0x55;
            fs::write(&path, &damaged).expect("written");
            fs::write(&state, &text).expect("written");
            refused += u32::from(open(&path, &settings_of(format)).is_err());
        }
        assert!(refused > 5, "{format:?}: {refused}");
    }
}

//! Relabelling: what is written is what the evaluations think, whatever the threads and interruptions.

use std::fs::{self, OpenOptions};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

use hien::data::{Format, Psv, RecordFile};
use hien::eval::Evaluator;
use hien::relabel::{Options, Output, Scoring, Tally, relabel};
use hien::score::Score;
use hien::search::{Limits, SearchOptions, Solo};
use hien::shogi::{Color, Position};

use super::Folder;

/// 4385 positions of engine games, in eight chunks of sbinpack.
fn sample() -> RecordFile {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/train/sample.sbinpack");
    RecordFile::open(&path).expect("the sample")
}

fn options() -> Options {
    Options {
        scoring: Scoring::Static,
        variants: 0,
        hash_mib: 1,
        format: Format::Psv,
        seed: 1,
    }
}

/// Relabels the sample, stopping after so many blocks.
fn run(
    path: &Path,
    options: &Options,
    evaluators: &[Evaluator],
    threads: usize,
    most: usize,
) -> Tally {
    let files = [sample()];
    let output = Output::open(path, options, &files, evaluators).expect("a file to write");
    let stop = AtomicBool::new(false);
    let mut watch = |tally: &Tally| stop.store(tally.blocks >= most, Relaxed);
    relabel(
        &files, evaluators, options, threads, output, &stop, &mut watch,
    )
    .expect("written")
}

fn read(path: &Path) -> Vec<(Psv, Position)> {
    let file = RecordFile::open(path).expect("a file of records");
    let mut records = Vec::new();
    for block in 0..file.blocks() {
        let visited = file.visit(block, &mut |position, label| {
            let record = Psv::new(position, *label).expect("a whole set");
            records.push((record, position.to_position().expect("a legal position")));
        });
        visited.expect("a sound block");
    }
    records
}

/// The score of the mean winning probability, computed anew from evaluations from scratch.
fn expected(evaluators: &[Evaluator], position: &Position) -> f64 {
    let probability = |evaluator: &Evaluator| {
        let cp = f64::from(evaluator.evaluate(position).value) / 0.9;
        (1.0 + (cp.clamp(-12_000.0, 12_000.0) / 1200.0).tanh()) / 2.0
    };
    let sum: f64 = evaluators.iter().map(probability).sum();
    let mean = sum / evaluators.len() as f64;
    (600.0 * (mean / (1.0 - mean)).ln()).clamp(-12_000.0, 12_000.0)
}

#[test]
fn static_labels_are_the_mean_opinion_of_quiet_positions() {
    let folder = Folder::new("relabel-static");
    let old: Vec<_> = read(sample().path());
    let quiet: Vec<_> = old
        .iter()
        .filter(|(_, position)| !position.in_check())
        .collect();
    for evaluators in [
        vec![Evaluator::internal()],
        vec![Evaluator::internal(), Evaluator::material()],
    ] {
        let path = folder.0.join(format!("{}.psv", evaluators.len()));
        let tally = run(&path, &options(), &evaluators, 2, usize::MAX);
        let new = read(&path);
        assert_eq!((tally.read, tally.blocks), (4385, 8));
        assert_eq!(tally.written, quiet.len() as u64);
        assert_eq!(tally.skipped, 4385 - tally.written);
        assert_eq!(new.len(), quiet.len());
        for ((record, position), (before, same)) in new.iter().zip(&quiet) {
            assert_eq!(position.sfen(), same.sfen());
            let error = f64::from(record.label.score) - expected(&evaluators, position);
            assert!(error.abs() < 0.51, "{} off by {error}", position.sfen());
            assert_eq!(record.label.best, None);
            assert_eq!(record.label.outcome, before.label.outcome);
        }
    }
}

/// Each position comes with its variants, whose ply says how far they are and whose labels are their own.
#[test]
fn variants_are_labelled_as_well() {
    let folder = Folder::new("relabel-variants");
    let path = folder.0.join("new.psv");
    let evaluators = [Evaluator::material()];
    let options = Options {
        variants: 3,
        ..options()
    };
    let tally = run(&path, &options, &evaluators, 1, 1);
    let new = read(&path);
    assert_eq!(tally.blocks, 1);
    assert_eq!(tally.written + tally.skipped, 4 * tally.read);
    assert_eq!(new.len() as u64, tally.written);
    let recorded: Vec<String> = read(sample().path())
        .iter()
        .map(|(_, position)| position.sfen())
        .collect();
    let unknown = new
        .iter()
        .filter(|(_, position)| !recorded.contains(&position.sfen()));
    let share = unknown.count() as f64 / new.len() as f64;
    assert!((0.65..0.8).contains(&share), "{share}");
    for (record, position) in &new {
        assert!(!position.in_check());
        let side = usize::from(position.side_to_move() == Color::White);
        assert_eq!((position.ply() as usize + 1) % 2, side);
        let error = f64::from(record.label.score) - expected(&evaluators, position);
        assert!(error.abs() < 0.51, "{}", position.sfen());
    }
}

#[test]
fn searched_labels_have_the_searchs_move() {
    let folder = Folder::new("relabel-search");
    let path = folder.0.join("new.sbinpack");
    let evaluator = Evaluator::material();
    let options = Options {
        scoring: Scoring::Nodes(60),
        format: Format::Sbinpack,
        ..options()
    };
    run(&path, &options, std::slice::from_ref(&evaluator), 2, 1);
    let new = read(&path);
    assert!(new.len() > 400);
    for (record, position) in &new {
        assert!(position.is_legal(record.label.best.expect("a move")));
    }
    let (first, position) = &new[0];
    let limits = Limits {
        nodes: Some(60),
        ..Limits::default()
    };
    let found = Solo::new(evaluator, 1, SearchOptions::default()).search(position, limits);
    let found = found.expect("moves");
    assert_eq!(first.label.best, Some(found.best));
    assert_eq!(
        Score::from_value(found.value),
        Score::Cp(first.label.score.into())
    );
}

#[test]
fn threads_and_interruptions_make_no_difference() {
    let folder = Folder::new("relabel-resume");
    let evaluators = [Evaluator::material()];
    let options = Options {
        variants: 2,
        ..options()
    };
    let [whole, parts]: [PathBuf; 2] = ["whole", "parts"].map(|name| folder.0.join(name));
    let expected = run(&whole, &options, &evaluators, 1, usize::MAX);
    let part = run(&parts, &options, &evaluators, 3, 2);
    assert!((2..8).contains(&part.blocks), "{part:?}");
    // Torn in the middle of a block.
    let file = OpenOptions::new().append(true).open(&parts);
    file.and_then(|mut file| file.write_all(&[1; 777]))
        .expect("written");
    assert_eq!(run(&parts, &options, &evaluators, 2, usize::MAX), expected);
    assert_eq!(
        fs::read(&parts).expect("written"),
        fs::read(&whole).expect("written")
    );
    // Nothing is left to do.
    assert_eq!(run(&parts, &options, &evaluators, 2, usize::MAX), expected);

    let refused = |options: &Options, evaluator: Evaluator| {
        let output = Output::open(&parts, options, &[sample()], &[evaluator]);
        output.err().expect("another run").to_string()
    };
    let other = Options {
        seed: 2,
        ..options.clone()
    };
    assert!(refused(&other, Evaluator::material()).contains("other options"));
    assert!(refused(&options, Evaluator::internal()).contains("other options"));
    fs::remove_file(folder.0.join("parts.state.json")).expect("removed");
    assert!(refused(&options, Evaluator::material()).contains("without the state"));
}

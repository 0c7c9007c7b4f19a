//! Files of records: both formats say the same, and damage is reported.

use std::fs;
use std::path::Path;

use hien::data::{Label, Outcome, Psv, RecordFile, RecordPosition, RecordWriter};
use hien::shogi::{Move, Position};

use super::{Folder, sample};

/// All records of a file as text: SFEN with the ply, then score, move and outcome.
fn read(path: &Path) -> Vec<String> {
    let file = RecordFile::open(path).expect("a file of records");
    let mut texts = Vec::new();
    for block in 0..file.blocks() {
        let visit = &mut |position: RecordPosition, label: &Label| {
            let Label {
                score,
                best,
                ply,
                outcome,
            } = label;
            let best = best.map(|best| best.to_string());
            texts.push(format!(
                "{} {ply} {score} {best:?} {outcome:?}",
                position.sfen()
            ));
        };
        file.visit(block, visit).expect("a sound block");
    }
    texts
}

fn rewrite(from: &Path, to: &Path, psv: bool) {
    let target = fs::File::create(to).expect("a file");
    let mut writer = if psv {
        RecordWriter::psv(target)
    } else {
        RecordWriter::sbinpack(target)
    };
    let file = RecordFile::open(from).expect("a file of records");
    for block in 0..file.blocks() {
        let visit = &mut |position: RecordPosition, label: &Label| {
            let record = Psv::new(position, *label).expect("a whole set");
            writer.write(&record).expect("written");
        };
        file.visit(block, visit).expect("a sound block");
    }
    writer.finish().expect("written");
}

#[test]
fn both_formats_hold_the_same() {
    let folder = Folder::new("formats");
    let (psv, sbinpack) = (folder.0.join("a.psv"), folder.0.join("a.sbinpack"));
    rewrite(&sample(), &psv, true);
    rewrite(&psv, &sbinpack, false);
    let records = read(&sample());
    assert_eq!(records.len(), 4385);
    assert_eq!(fs::metadata(&psv).expect("written").len(), 40 * 4385);
    assert_eq!(read(&psv), records);
    assert_eq!(read(&sbinpack), records);
    let size = |path: &Path| fs::metadata(path).expect("a file").len();
    assert!(
        size(&sbinpack) < size(&sample()) * 11 / 10,
        "chains are found again"
    );
}

/// The recorded moves are legal, and lead to the next position of the chain.
#[test]
fn records_are_positions_of_games() {
    let file = RecordFile::open(&sample()).expect("a file of records");
    let mut expected: Option<(Position, Option<Outcome>)> = None;
    let (mut consecutive, mut all) = (0, 0);
    for block in 0..file.blocks() {
        let visit = &mut |position: RecordPosition, label: &Label| {
            let mut ours = position.to_position().expect("a legal position");
            let text = Position::from_sfen(&position.sfen()).expect("a legal position");
            assert_eq!(ours.key(), text.key());
            if let Some((next, outcome)) = expected.take()
                && next.key() == ours.key()
            {
                consecutive += 1;
                assert_eq!(outcome, label.outcome);
            }
            let opposite = |outcome| match outcome {
                Outcome::Loss => Outcome::Win,
                Outcome::Draw => Outcome::Draw,
                Outcome::Win => Outcome::Loss,
            };
            let best: Move = label.best.expect("a move");
            ours.try_move(best).expect("a legal move");
            expected = Some((ours, label.outcome.map(opposite)));
            all += 1;
        };
        file.visit(block, visit).expect("a sound block");
    }
    assert!(consecutive > all * 9 / 10, "{consecutive} of {all}");
}

/// The packed start position, as YaneuraOu writes it: made with cshogi 1.1, an independent implementation.
#[test]
fn psv_has_the_layout_of_the_field() {
    let best: Move = "7g7f".parse().expect("a move");
    let label = Label {
        score: -129,
        best: Some(best),
        ply: 300,
        outcome: Some(Outcome::Loss),
    };
    let record = Psv::of(&Position::startpos(), label);
    let bytes = record.expect("a whole set").to_bytes();
    assert_eq!(bytes[..32], START);
    assert_eq!(bytes[32..], [0x7F, 0xFF, 0x3B, 0x1E, 0x2C, 0x01, 0xFF, 0]);
    let back = Psv::from_bytes(&bytes);
    assert_eq!(back.label, label);
}

#[rustfmt::skip]
const START: [u8; 32] = [
    88, 164, 81, 34, 12, 235, 103, 34, 126, 150, 83, 34, 28, 175, 68, 120,
    36, 194, 43, 17, 158, 83, 34, 28, 235, 111, 34, 62, 150, 81, 34, 12,
];

#[test]
fn damage_is_reported() {
    let folder = Folder::new("damage");
    let whole = fs::read(sample()).expect("the sample");
    let path = folder.0.join("damaged");
    let complaint = |bytes: &[u8]| {
        fs::write(&path, bytes).expect("a file");
        let file = match RecordFile::open(&path) {
            Ok(file) => file,
            Err(error) => return error.to_string(),
        };
        let visits = (0..file.blocks()).map(|block| file.visit(block, &mut |_, _| ()));
        visits
            .filter_map(Result::err)
            .map(|error| error.to_string())
            .collect()
    };
    assert!(complaint(&whole[..whole.len() - 1]).contains("cut short"));
    assert!(complaint(&[7; 41]).contains("neither"));
    assert!(complaint(&[7; 80]).contains("record 0"));
    assert_eq!(complaint(&[]), "");
    // Any single damaged byte: an error or other records, but no panic.
    for at in (0..whole.len()).step_by(37) {
        let mut bytes = whole.clone();
        bytes[at] ^= 0x55;
        complaint(&bytes);
    }
}

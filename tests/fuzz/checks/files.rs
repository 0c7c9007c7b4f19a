//! Inputs that are whole files: opening books, game records, training records.

use std::fs;
use std::path::Path;

use hien::book::{Book, BookFile, BookOptions, Key};
use hien::data::{Psv, RecordFile, RecordWriter};
use hien::records::{self, Format, Record};
use hien::shogi::Position;

/// Writes the bytes into a file of this name for as long as `work` takes. No two threads use the same name.
fn with_file<T>(name: &str, bytes: &[u8], work: impl FnOnce(&Path) -> T) -> T {
    let path = std::env::temp_dir().join(format!("hien-{}-{name}", std::process::id()));
    fs::write(&path, bytes).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
    let result = work(&path);
    // A file that stays behind does no harm.
    let _ = fs::remove_file(&path);
    result
}

/// A book of any kind is refused, or what it holds is found again and played only where it is legal.
pub fn book(data: &[u8]) {
    for name in ["book.db", "book.ybb", "book.sbk"] {
        for on_the_fly in [false, true] {
            with_file(name, data, |path| read_book(path, on_the_fly));
        }
    }
}

fn read_book(path: &Path, on_the_fly: bool) {
    let Ok(mut file) = BookFile::open(path, on_the_fly) else {
        return;
    };
    assert!(!file.facts().to_string().is_empty());
    let mut keys = vec![Key::of(&Position::startpos())];
    // Damage that shows only while reading ends it with an error.
    let _ = file.for_each(|entry| {
        keys.extend((keys.len() < 5).then_some(entry.key));
        Ok(())
    });
    for key in &keys {
        let _ = file.lookup(key);
    }
    let options = BookOptions {
        file: path.display().to_string(),
        on_the_fly,
        ..BookOptions::default()
    };
    let places = Book::find(&options, &[std::env::temp_dir()]).expect("the file just opened");
    let (mut book, _) = Book::open(&places, on_the_fly).expect("the file just opened");
    book.seed(1);
    for key in &keys {
        let Ok((position, _)) = Position::from_sfen_tolerant(&format!("{key} 1")) else {
            continue;
        };
        if let Ok(found) = book.probe(&position, &options, 3) {
            for line in found.others.iter().chain([&found.chosen]) {
                let mut position = position.clone();
                for &mv in &line.pv {
                    position.try_move(mv).expect("a legal line");
                }
            }
        }
    }
}

/// A game record is refused with a place, or its games can be played, and what is written of them in any format has the
/// same moves.
pub fn record(data: &[u8]) {
    let formats = Format::ALL.map(Some);
    for format in formats.into_iter().chain([None]) {
        match records::read(data, format) {
            Ok(reading) => reading.records.iter().for_each(writable),
            Err(error) => assert!(error.place.line > 0 && error.place.column > 0),
        }
    }
}

fn writable(record: &Record) {
    let mut position = record.start().clone();
    for mv in record.moves() {
        position.try_move(mv).expect("a legal game");
    }
    let moves: Vec<_> = record.moves().collect();
    for format in Format::ALL {
        let text = record.write(format).text;
        let reading = records::read(text.as_bytes(), Some(format));
        let reading = reading.unwrap_or_else(|error| panic!("{error}\n{text}"));
        let again: Vec<_> = reading.records[0].moves().collect();
        assert_eq!(again, moves, "{text}");
    }
}

/// Training records are refused, or written as PSV they are the same records.
pub fn training(data: &[u8]) {
    let read = |path: &Path| -> Option<Vec<Psv>> {
        let file = RecordFile::open(path).ok()?;
        let mut records = Vec::new();
        for block in 0..file.blocks() {
            // What stands before the damage is good.
            let _ = file.visit(block, &mut |position, label| {
                records.extend(Psv::new(position, *label));
            });
        }
        Some(records)
    };
    let Some(records) = with_file("training", data, read) else {
        return;
    };
    let mut bytes = Vec::new();
    let mut writer = RecordWriter::psv(&mut bytes);
    for record in &records {
        writer.write(record).expect("memory");
    }
    writer.finish().expect("memory");
    let again = with_file("training.psv", &bytes, read).expect("a file of our own");
    let bytes = |records: &[Psv]| -> Vec<_> { records.iter().map(Psv::to_bytes).collect() };
    assert_eq!(bytes(&again), bytes(&records));
}

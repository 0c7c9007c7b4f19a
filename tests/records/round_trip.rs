//! What is written is read as the same record, as far as the format can hold it.

use hien::records::{self, Encoding, Format, Record};
use proptest::prelude::*;

use crate::random::Random;
use crate::trees::{Ends, Headers, Shape, tree};

/// What a format holds.
fn shape(format: Format) -> Shape {
    let main_line = Shape {
        branches: false,
        bookmarks: false,
        ..Shape::ALL
    };
    match format {
        Format::Kif => Shape::ALL,
        Format::Ki2 => Shape {
            times: false,
            ends: Ends::Ki2,
            ..Shape::ALL
        },
        Format::Csa => Shape {
            millis: true,
            headers: Headers::Csa,
            ends: Ends::Csa,
            move_numbers: false,
            ..main_line
        },
        Format::Jkf => Shape {
            bookmarks: false,
            ends: Ends::Jkf,
            move_numbers: false,
            ..Shape::ALL
        },
        Format::Usi => Shape {
            comments: false,
            times: false,
            headers: Headers::None,
            ends: Ends::Usi,
            ..main_line
        },
        Format::Sfen => Shape {
            comments: false,
            times: false,
            headers: Headers::None,
            ends: Ends::None,
            fouls: false,
            ..main_line
        },
    }
}

/// Writes a record and reads it.
fn again(record: &Record, format: Format, encoding: Encoding, is_told: bool) -> Record {
    let written = record.write(format);
    assert_eq!(written.losses, [], "{}", written.text);
    let text = written.text.clone();
    let (bytes, losses) = written.encode(encoding);
    assert_eq!(losses, [], "{text}");
    let reading = records::read(&bytes, is_told.then_some(format));
    let reading = reading.unwrap_or_else(|error| panic!("{error}\n{text}"));
    let warnings: Vec<_> = reading.warnings.iter().map(ToString::to_string).collect();
    let is_expected =
        |text: &String| text.contains("is taken for an end") || text.contains("kept as it is");
    assert!(warnings.iter().all(is_expected), "{warnings:?}\n{text}");
    assert_eq!(reading.records.len(), 1, "{text}");
    reading.records.into_iter().next().expect("a record")
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(400) })]

    #[test]
    fn records_survive_every_format_that_can_hold_them(seed: u64, format in 0..6_usize) {
        let format = Format::ALL[format];
        let mut random = Random::new(seed);
        let record = tree(&mut random, shape(format));
        for encoding in [Encoding::Utf8, Encoding::ShiftJis] {
            let is_told = random.percent(90) || record.is_empty();
            let read = again(&record, format, encoding, is_told);
            prop_assert_eq!(read.write(Format::Kif).text, record.write(Format::Kif).text);
            prop_assert!(read == record, "{}", record.write(format).text);
        }
    }

    /// Whatever cannot be held, what is written can be read.
    #[test]
    fn every_record_can_be_written_in_every_format(seed: u64, format in 0..6_usize) {
        let format = Format::ALL[format];
        let mut random = Random::new(seed);
        let shape = Shape { millis: true, ends: Ends::Csa, ..Shape::ALL };
        let record = tree(&mut random, shape);
        let written = record.write(format);
        let reading = records::read(written.text.as_bytes(), Some(format));
        let reading = reading.unwrap_or_else(|error| panic!("{error}\n{}", written.text));
        let moves: Vec<_> = reading.records[0].moves().collect();
        prop_assert_eq!(moves, record.moves().collect::<Vec<_>>());
        prop_assert_eq!(
            written.losses.iter().any(|loss| matches!(loss, records::Loss::Branches(_))),
            matches!(format, Format::Csa | Format::Usi | Format::Sfen) && record.lines().count() > 1
        );
    }
}

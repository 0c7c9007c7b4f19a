//! The comparison with tsshogi, in two halves that are run by hand: see tests/README.md. `HIEN_ORACLE` is the folder for
//! the texts that go to and fro.

use std::fs::File;
use std::io::{BufRead, BufReader, BufWriter, Write};
use std::path::PathBuf;

use hien::records::{self, Format, NodeId, Record, Step};
use serde_json::{Value, json};

use crate::random::Random;
use crate::trees::{Ends, Headers, Shape, tree};

/// Trees for each format.
const TREES: u64 = 1000;

const FORMATS: [(Format, &str); 5] = [
    (Format::Kif, "kif"),
    (Format::Ki2, "ki2"),
    (Format::Csa, "csa"),
    (Format::Jkf, "jkf"),
    (Format::Usi, "usi"),
];

fn file(name: &str) -> PathBuf {
    let folder = std::env::var_os("HIEN_ORACLE").expect("HIEN_ORACLE names a folder");
    PathBuf::from(folder).join(name)
}

/// What both programs hold of a format.
fn shape(format: Format) -> Shape {
    let all = Shape {
        // tsshogi knows neither those nor numbers.
        rare_handicaps: false,
        move_numbers: false,
        ..Shape::ALL
    };
    match format {
        Format::Kif => all,
        Format::Ki2 => Shape {
            times: false,
            ends: Ends::Ki2,
            ..all
        },
        Format::Csa => Shape {
            branches: false,
            bookmarks: false,
            millis: true,
            headers: Headers::Csa,
            ends: Ends::Csa,
            ..all
        },
        Format::Jkf => Shape {
            bookmarks: false,
            ends: Ends::Jkf,
            ..all
        },
        Format::Usi | Format::Sfen => Shape {
            branches: false,
            comments: false,
            bookmarks: false,
            times: false,
            headers: Headers::None,
            // tsshogi knows `resign` only.
            ends: Ends::None,
            fouls: false,
            ..all
        },
    }
}

/// A record as plain data, as tsshogi's side dumps it. Not compared are blank lines of comments and blank headers, which
/// tsshogi drops, and all bookmarks but the last of a node, as it has one.
fn dump(record: &Record, format: Format) -> Value {
    let key = |key: &str| match (format, key) {
        // tsshogi reads $EVENT as the title.
        (Format::Csa, "棋戦") => "表題".to_owned(),
        _ => key.to_owned(),
    };
    let headers = record.headers.iter().filter(|(_, value)| !value.is_empty());
    let headers = headers.map(|(name, value)| (key(name), Value::from(value)));
    let mut numbers = vec![0; record.len()];
    let mut nodes = Vec::new();
    let mut order: Vec<NodeId> = Vec::new();
    for first in record.lines() {
        order.extend(record.line(first));
    }
    let ids: std::collections::HashMap<_, _> = order.iter().copied().zip(0..).collect();
    for &id in &order {
        let node = &record[id];
        let number = node.parent().map_or(0, |parent| numbers[ids[&parent]] + 1);
        numbers[ids[&id]] = number;
        let step = match node.step() {
            None => String::new(),
            Some(Step::Move(mv) | Step::Foul(mv)) => mv.to_string(),
            Some(Step::End(end)) => end.japanese().to_owned(),
        };
        let comments: Vec<_> = node
            .comments
            .iter()
            .filter(|line| !line.is_empty())
            .collect();
        nodes.push(json!({
            "number": number,
            "step": step,
            "time": node.time.map_or(0, |time| time.as_millis() as u64),
            "comments": comments,
            "bookmark": node.bookmarks.last().cloned().unwrap_or_default(),
        }));
    }
    json!({
        "headers": Value::Object(headers.collect()),
        "sfen": record.start().sfen(),
        "nodes": nodes,
    })
}

#[test]
#[ignore = "the first half of the comparison with tsshogi"]
fn oracle_write() {
    let path = file("from-hien.jsonl");
    let mut out = BufWriter::new(File::create(&path).expect("a file"));
    for (format, name) in FORMATS {
        for seed in 0..TREES {
            let record = tree(&mut Random::new(seed), shape(format));
            let written = record.write(format);
            assert_eq!(written.losses, []);
            let line = json!({
                "format": name,
                "text": written.text,
                "tree": dump(&record, format),
            });
            writeln!(out, "{line}").expect("room on the disk");
        }
    }
    println!(
        "{} trees in {}",
        TREES * FORMATS.len() as u64,
        path.display()
    );
}

#[test]
#[ignore = "the second half of the comparison with tsshogi"]
fn oracle_read() {
    let file = BufReader::new(File::open(file("for-hien.jsonl")).expect("a file of compare.mjs"));
    let (mut same, mut different) = (0, 0);
    for line in file.lines() {
        let line: Value = serde_json::from_str(&line.expect("a line")).expect("JSON");
        let name = line["format"].as_str().expect("a format");
        let text = line["text"].as_str().expect("a text");
        let format = FORMATS.iter().find(|(_, known)| *known == name);
        let (format, _) = *format.expect("a format of ours");
        let found = match records::read(text.as_bytes(), Some(format)) {
            Ok(reading) => dump(&reading.records[0], format),
            Err(error) => Value::from(error.to_string()),
        };
        if found == line["tree"] {
            same += 1;
            continue;
        }
        different += 1;
        if different <= 5 {
            println!(
                "{name}\n{text}\nHien:    {found}\ntsshogi: {}\n",
                line["tree"]
            );
        }
    }
    println!("{same} texts read alike, {different} not");
    assert_eq!(different, 0);
}

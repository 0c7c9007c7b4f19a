//! Files that are no books, or damaged ones: an error or a remark, never a crash, and the good parts are used.

use std::path::Path;

use hien::book::{BookFile, BookOptions, Key, Miss};
use hien::shogi::Position;

use super::{Folder, answers, sample};

const START: &str = "sfen lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1\n";

fn options(path: &str, on_the_fly: bool) -> BookOptions {
    BookOptions {
        file: path.to_owned(),
        on_the_fly,
        ..BookOptions::default()
    }
}

#[test]
fn bad_lines_are_left_out_and_counted() {
    let folder = Folder::new("book-lines");
    let long = "x".repeat(1_000_000);
    for (number, (before, after, line)) in [
        ("7g7f none\n", "", 2),
        ("sfen lnsgkgsnl/1r5b1 b - 1\n7g7f\n3c3d\n", "", 2),
        (
            "sfen xnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1\n9g9f\n",
            "",
            2,
        ),
        (
            "sfen lnsgkgsnlp/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1\n9g9f\n",
            "",
            2,
        ),
        ("sfen 4k4/9/9/9/4K4/9/9/9/4K4 b - 1\n5e5d\n", "", 2),
        ("sfen\nsfen \n", "", 2),
        ("", "7g\n7j7f none 0 0 1\n", 4),
        ("", &long, 4),
        ("", "sfen 9/9 b\n2g2f\n", 4),
    ]
    .into_iter()
    .enumerate()
    {
        let text = format!("#YANEURAOU-DB2016 1.00\n{before}{START}7g7f none 10 1 1\n{after}");
        let path = folder.write(&format!("{number}.db"), text);
        for on_the_fly in [false, true] {
            assert_eq!(
                answers("", &options(&path, on_the_fly)).unwrap(),
                ["7g7f"],
                "{number}"
            );
        }
        let text = BookFile::open(Path::new(&path), false)
            .unwrap()
            .facts()
            .to_string();
        assert!(
            text.contains(&format!("the first is line {line}: ")),
            "{number}: {text}"
        );
    }
}

#[test]
fn odd_but_good_lines_are_no_faults() {
    let folder = Folder::new("book-odd");
    for (number, (text, expected)) in [
        (
            format!("\u{feff}#YANEURAOU-DB2016 1.00\r\n{START}\r\n7g7f none 0 0 1\r\n"),
            "7g7f",
        ),
        (format!("{START}resign none 0 0 1\nnone\n2g2f\n"), "2g2f"),
        (
            format!("{START}2g2f none 99999999999999999999999 x 1\n"),
            "2g2f",
        ),
        (START.replace(" 1\n", "\n") + "2g2f\n", "2g2f"),
        (format!("{START}3c3d\n7g7f\n"), "7g7f"),
    ]
    .iter()
    .enumerate()
    {
        let path = folder.write(&format!("{number}.db"), text);
        let exact = BookOptions {
            ignore_ply: false,
            ..options(&path, false)
        };
        assert_eq!(answers("", &exact).unwrap(), [*expected], "{text}");
        let description = BookFile::open(Path::new(&path), false)
            .unwrap()
            .facts()
            .to_string();
        assert!(!description.contains("bad"), "{description}");
    }
    let mut bytes = b"#YANEURAOU-DB2016 1.00\n#\x92\xe8\x90\xd5\n".to_vec();
    bytes.extend(START.as_bytes());
    bytes.extend(b"7g7f none 0 0 1 //\x83e\x83X\x83g\n");
    let path = folder.write("shift-jis.db", bytes);
    assert_eq!(answers("", &options(&path, false)).unwrap(), ["7g7f"]);
}

#[test]
fn books_without_moves_have_none() {
    let folder = Folder::new("book-empty");
    let miss = |text: &str| {
        let path = folder.write("empty.db", text);
        answers("", &options(&path, false)).unwrap_err()
    };
    assert_eq!(miss(""), Miss::Unknown);
    assert_eq!(miss("#YANEURAOU-DB2016 1.00\n"), Miss::Unknown);
    assert_eq!(miss(START), Miss::Unknown);
    assert_eq!(miss(&format!("{START}3c3d\nP*5e\n")), Miss::NothingLegal);
}

#[test]
fn other_files_are_refused_with_a_reason() {
    let folder = Folder::new("book-other");
    let reason = |name: &str, bytes: &[u8], on_the_fly: bool| {
        let path = folder.write(name, bytes);
        match BookFile::open(Path::new(&path), on_the_fly) {
            Ok(file) => panic!("{name} is taken for {}", file.facts()),
            Err(error) => error.to_string(),
        }
    };
    for on_the_fly in [false, true] {
        let zeros = reason("zeros.db", &[0; 100_000], on_the_fly);
        assert_eq!(zeros, "not a book: no DB2016 text, YBB or SBK");
        reason("picture.db", b"\x89PNG\r\n\x1a\n", on_the_fly);
        for name in ["zeros.ybb", "zeros.sbk"] {
            reason(name, &[0; 1000], on_the_fly);
        }
    }
    assert!(BookFile::open(&folder.0, false).is_err());
    assert!(BookFile::open(&folder.0.join("none.db"), false).is_err());
}

#[test]
fn damaged_binary_books_end_in_errors() {
    let folder = Folder::new("book-binary");
    let good = std::fs::read(sample("s.ybb")).unwrap();
    let key = Key::of(&Position::startpos());
    let mut damaged = Vec::new();
    for length in 0..good.len() {
        damaged.push((format!("cut at {length}"), good[..length].to_vec()));
    }
    for (what, place, bytes) in [
        ("2^63 entries", 16, (1u64 << 63).to_le_bytes()),
        ("unknown flag", 24, 3u64.to_le_bytes()),
        ("offset behind the end", 64, 1000u64.to_le_bytes()),
        ("offset from the start", 64, 76u64.to_le_bytes()),
        ("huge offset", 64, u64::MAX.to_le_bytes()),
    ] {
        let mut bad = good.clone();
        bad[place..place + 8].copy_from_slice(&bytes);
        damaged.push((what.to_owned(), bad));
    }
    for (what, bytes) in damaged {
        let path = folder.write("bad.ybb", bytes);
        assert!(BookFile::open(Path::new(&path), false).is_err(), "{what}");
        let found = BookFile::open(Path::new(&path), true).and_then(|mut file| file.lookup(&key));
        assert!(found.is_err(), "{what}: {found:?}");
    }
}

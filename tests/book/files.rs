//! Finding books, sorting, writing, and that looking up by division finds what is there.

use std::fs;
use std::io::Cursor;
use std::path::{Path, PathBuf};

use hien::book::{
    Book, BookEntry, BookFile, BookOptions, Candidate, INTERNAL, Key, write_text, write_ybb,
};
use hien::shogi::Position;

use super::{Folder, answers, sample, yaneuraou};

fn named(name: &str, dir: &str) -> BookOptions {
    BookOptions {
        file: name.to_owned(),
        dir: dir.to_owned(),
        ..BookOptions::default()
    }
}

#[test]
fn books_are_found_in_their_folder_or_beside_it() {
    let folder = Folder::new("book-places");
    fs::create_dir_all(folder.0.join("book")).unwrap();
    fs::copy(sample("a.db"), folder.0.join("book/in.db")).unwrap();
    fs::copy(sample("s.ybb"), folder.0.join("stand-in.ybb")).unwrap();
    let roots = [folder.0.join("nowhere"), folder.0.clone()];
    let find = |name: &str| Book::find(&named(name, "book"), &roots);
    assert_eq!(find("in.db").unwrap()[0].path, folder.0.join("book/in.db"));
    assert_eq!(
        find("stand-in.db").unwrap()[0].path,
        folder.0.join("stand-in.ybb")
    );
    let reason = find("none.db").unwrap_err().to_string();
    assert!(
        reason.starts_with("BookFile none.db: no such file; tried "),
        "{reason}"
    );
    assert_eq!(reason.matches("none.db").count(), 5, "{reason}");
}

#[test]
fn the_internal_book_is_sound() {
    let options = named(INTERNAL, "book");
    let places = Book::find(&options, &[]).unwrap();
    let mut file = BookFile::open(&places[0].path, false).unwrap();
    assert!(places[0].size < 1 << 20, "{}", places[0].size);
    let description = file.facts().to_string();
    assert!(
        description.starts_with("<internal>, DB2016 text, "),
        "{description}"
    );
    assert!(
        description.ends_with(", sorted, in memory"),
        "{description}"
    );
    let mut count = 0;
    let walk = file.for_each(|entry| {
        count += 1;
        let position = Position::from_sfen(&format!("{} 1", entry.key)).unwrap();
        assert!(!entry.moves.is_empty(), "{}", entry.key);
        for candidate in &entry.moves {
            assert!(
                position.is_legal(candidate.mv),
                "{}: {}",
                entry.key,
                candidate.mv
            );
        }
        Ok(())
    });
    walk.unwrap();
    assert!(count > 3000, "{count}");
    assert!(answers("", &options).unwrap().len() > 1);
}

#[test]
fn numbered_books_go_first() {
    let folder = Folder::new("book-numbers");
    let start = "sfen lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1\n";
    folder.write("x-000.db", format!("{start}9g9f\n"));
    folder.write("x-001.db", format!("{start}1g1f\n"));
    folder.write("x-003.db", format!("{start}5g5f\n"));
    fs::copy(sample("a.db"), folder.0.join("x.db")).unwrap();
    let options = named(&folder.path("x.db"), "");
    assert_eq!(Book::find(&options, &[PathBuf::new()]).unwrap().len(), 3);
    assert_eq!(answers("", &options).unwrap(), ["9g9f"]);
    assert_eq!(
        answers("7g7f", &options).unwrap(),
        ["3c3d/2g2f", "8c8d/2g2f"]
    );
}

/// The positions of a broad tree, each with some move, the same one more often than not at two plies.
fn tree() -> Vec<BookEntry> {
    let mut positions = vec![Position::startpos()];
    for _ in 0..2 {
        let mut next = Vec::new();
        for position in &positions {
            for mv in position.legal_moves() {
                let mut child = position.clone();
                child.do_move(mv);
                next.push(child);
            }
        }
        positions = next;
    }
    let entry = |position: &Position| BookEntry {
        key: Key::of(position),
        ply: Some(position.ply() + position.legal_moves().len() as u32 % 2 * 10),
        moves: vec![Candidate::new(position.legal_moves()[0])],
    };
    positions.iter().map(entry).collect()
}

#[test]
fn every_entry_of_a_large_book_is_found_by_division() {
    let folder = Folder::new("book-large");
    let entries = tree();
    let mut text = Vec::new();
    write_text(&mut text, entries.clone()).unwrap();
    assert!(text.len() > 50_000);
    let sorted = folder.write("sorted.db", &text);
    // Turned round, the same entries are in disorder; with other line ends and a mark at the start.
    let text = String::from_utf8(text).unwrap();
    let mut pieces: Vec<_> = text.split_inclusive("sfen ").collect();
    pieces.reverse();
    let reversed: String = text
        .split("sfen ")
        .skip(1)
        .collect::<Vec<_>>()
        .into_iter()
        .rev()
        .map(|entry| format!("sfen {}", entry.replace('\n', "\r\n")))
        .collect();
    let unsorted = folder.write("unsorted.db", format!("\u{feff}{reversed}"));
    let mut binary = Cursor::new(Vec::new());
    write_ybb(&mut binary, entries.clone()).unwrap();
    let binary = folder.write("binary.ybb", binary.into_inner());
    for (path, on_the_fly) in [
        (&sorted, false),
        (&sorted, true),
        (&unsorted, false),
        (&unsorted, true),
        (&binary, false),
        (&binary, true),
    ] {
        let mut file = BookFile::open(Path::new(path), on_the_fly).unwrap();
        let mut total = 0;
        for entry in &entries {
            let found = file.lookup(&entry.key).unwrap();
            let is_there = found
                .iter()
                .any(|found| found.ply == entry.ply && found.moves[0].mv == entry.moves[0].mv);
            assert!(is_there, "{path}: {} in {}", entry.key, file.facts());
            total += 1;
        }
        assert_eq!(total, 900);
        for absent in [
            "4k4/9/9/9/9/9/9/9/4K4 b -",
            "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w -",
        ] {
            let (key, _) = Key::read(absent).unwrap();
            assert_eq!(file.lookup(&key).unwrap(), []);
        }
        let mut all = 0;
        file.for_each(|_| {
            all += 1;
            Ok(())
        })
        .unwrap();
        // Two orders of the same two moves lead to the same position.
        let mut distinct: Vec<_> = entries
            .iter()
            .map(|entry| (&entry.key, entry.ply))
            .collect();
        distinct.sort();
        distinct.dedup();
        assert_eq!(all, distinct.len(), "{}", file.facts());
    }
}

#[test]
fn descriptions_tell_kind_size_and_order() {
    let describe = |name: &str, on_the_fly: bool| {
        let path = sample(name);
        let text = BookFile::open(&path, on_the_fly)
            .unwrap()
            .facts()
            .to_string();
        text.replace(&path.display().to_string(), name)
    };
    assert_eq!(
        describe("a.db", false),
        "a.db, DB2016 text, 3 positions, sorted, in memory"
    );
    assert_eq!(
        describe("a.db", true),
        "a.db, DB2016 text, 3 positions, sorted, read on the fly"
    );
    assert_eq!(
        describe("two-plies.db", true),
        "two-plies.db, DB2016 text, not counted, sorted, read on the fly"
    );
    assert_eq!(
        describe("s.ybb", false),
        "s.ybb, YBB, 1 position, in memory"
    );
}

#[test]
fn hands_in_unusual_order_are_found() {
    let folder = Folder::new("book-hands");
    let path = folder.write(
        "hands.db",
        "sfen 4k4/9/9/9/9/9/9/9/4K4 b 2PR2b 1\nR*5b\nsfen 4k4/9/9/9/9/9/9/9/4K4 b R2P2b 9\nP*5h\n",
    );
    for on_the_fly in [false, true] {
        let options = BookOptions {
            file: path.clone(),
            on_the_fly,
            ..yaneuraou("")
        };
        let any = BookOptions {
            ignore_ply: true,
            depth_limit: 0,
            ..options
        };
        let sfen = "4k4/9/9/9/9/9/9/9/4K4 b R2P2b 3";
        assert_eq!(answers(sfen, &any).unwrap(), ["P*5h", "R*5b"]);
    }
}

//! Opening books: the answers that YaneuraOu 9.70 gives on the same files, and damaged files.

mod damage;
mod files;
#[path = "../common/folder.rs"]
mod folder;
mod samples;

use std::path::{Path, PathBuf};

use hien::book::{Book, BookMove, BookOptions, Miss, NO_BOOK};
use hien::shogi::Position;

use folder::Folder;

/// A file of the samples.
fn sample(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("tests/data/book")
        .join(name)
}

/// YaneuraOu's defaults.
fn yaneuraou(name: &str) -> BookOptions {
    BookOptions {
        file: sample(name).display().to_string(),
        ignore_ply: false,
        depth_limit: 16,
        eval_black_limit: 0,
        ..BookOptions::default()
    }
}

fn open(options: &BookOptions) -> Book {
    let places = Book::find(options, &[PathBuf::new()]).unwrap();
    Book::open(&places, options.on_the_fly).unwrap().0
}

/// The position after `moves` from the start, or an SFEN.
fn position(text: &str) -> Position {
    if text.contains('/') {
        return Position::from_sfen(text).unwrap();
    }
    let mut position = Position::startpos();
    for mv in text.split_ascii_whitespace() {
        position.try_move(mv.parse().unwrap()).unwrap();
    }
    position
}

/// The book's answers in many tries, each once, as `move` or `move/reply`, sorted; or why there is none.
fn answers(text: &str, options: &BookOptions) -> Result<Vec<String>, Miss> {
    let mut book = open(options);
    let position = position(text);
    book.seed(7);
    let mut answers = (0..100)
        .map(|_| {
            book.probe(&position, options, 0)
                .map(|answer| text_of(&answer))
        })
        .collect::<Result<Vec<_>, _>>()?;
    answers.sort_unstable();
    answers.dedup();
    Ok(answers)
}

fn text_of(answer: &BookMove) -> String {
    let chosen = answer.chosen.candidate;
    match chosen.ponder {
        Some(ponder) => format!("{}/{ponder}", chosen.mv),
        None => chosen.mv.to_string(),
    }
}

#[test]
fn a_book_is_wanted_only_if_named_and_switched_on() {
    let named = yaneuraou("a.db");
    assert!(named.wants_book());
    for file in ["", NO_BOOK, "NO_BOOK"] {
        let file = file.to_owned();
        assert!(
            !BookOptions {
                file,
                ..named.clone()
            }
            .wants_book()
        );
    }
    assert!(
        !BookOptions {
            own_book: false,
            ..named
        }
        .wants_book()
    );
    assert!(!BookOptions::default().wants_book());
}

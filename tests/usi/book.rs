//! The opening book in play: when it is asked, what is printed, and what is said when there is no move.

use std::path::{Path, PathBuf};

use crate::answer::Score;
use crate::boards::root;
use crate::common::folder::Folder;
use crate::driver::Engine;
use crate::load::together;

fn sample(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("tests/data/book")
        .join(name)
}

fn with_book(path: &Path, options: &[(&str, &str)]) -> Engine {
    let path = path.display().to_string();
    let mut all = vec![("BookFile", path.as_str())];
    all.extend(options);
    Engine::with_options(&all)
}

/// Lets the engine move and returns the notes and the best move; everything else is checked by the driver.
fn play(engine: &mut Engine, position: &str, go: &str) -> (Vec<String>, String) {
    engine.send(&format!("position {position}\n{go}"));
    let answer = engine.answer(&root(position));
    let best = answer.best_move().to_owned();
    engine.forget_lines();
    (answer.notes.clone(), best)
}

const CLOCK: &str = "go btime 1000 wtime 1000 byoyomi 50";

#[test]
fn the_book_is_described_and_played() {
    let _guard = together();
    let mut engine = with_book(&sample("a.db"), &[("BookEvalDiff", "0")]);
    let notes = engine.expect_only_notes();
    let description = "a.db, DB2016 text, 3 positions, sorted, in memory";
    assert!(
        notes.iter().any(|note| note.ends_with(description)),
        "{notes:?}"
    );
    let (notes, best) = play(&mut engine, "startpos", CLOCK);
    assert_eq!(
        notes,
        ["book: 7g7f 70% 2g2f 25% 5g5f 5%, BookEvalDiff 0 leaves 1 of 3"]
    );
    assert_eq!(best, "7g7f");
    let (_, best) = play(&mut engine, "startpos moves 7g7f", "go movetime 50");
    assert_eq!(best, "3c3d");
    engine.quit();
}

#[test]
fn several_lines_are_shown_if_asked_for() {
    let _guard = together();
    let mut engine = with_book(&sample("a.db"), &[("MultiPV", "2"), ("BookEvalDiff", "0")]);
    engine.send(&format!("position startpos\n{CLOCK}"));
    let lines: Vec<_> = engine
        .lines_to("bestmove", crate::driver::HANG)
        .into_iter()
        .map(|line| line.text)
        .filter(|text| !text.starts_with("info string"))
        .collect();
    let expected = [
        (
            "info depth 24 seldepth 24 multipv 1 score cp 40 nodes 0",
            "pv 7g7f 3c3d 2g2f 4c4d",
        ),
        (
            "info depth 24 seldepth 24 multipv 2 score cp 38 nodes 0",
            "pv 2g2f 8c8d",
        ),
        (
            "info depth 24 seldepth 24 multipv 1 score cp 40 nodes 0",
            "pv 7g7f 3c3d 2g2f 4c4d",
        ),
        ("bestmove 7g7f ponder 3c3d", ""),
    ];
    assert_eq!(lines.len(), expected.len(), "{lines:?}");
    for (line, (start, end)) in lines.iter().zip(expected) {
        assert!(line.starts_with(start) && line.ends_with(end), "{line}");
    }
    engine.quit();
}

#[test]
fn analysis_does_not_ask_the_book() {
    let _guard = together();
    let mut engine = with_book(&sample("a.db"), &[]);
    for go in ["go depth 2", "go nodes 500", "go movetime 50 depth 3", "go"] {
        let (notes, _) = play(&mut engine, "startpos", go);
        assert_eq!(notes, Vec::<String>::new(), "{go}");
    }
    engine.send("position startpos\ngo infinite\nstop");
    let lines = engine.lines_to("bestmove", crate::driver::HANG);
    assert!(!lines.iter().any(|line| line.text.contains("book")));
    engine.send("setoption name USI_OwnBook value false");
    assert_eq!(engine.expect_only_notes(), Vec::<String>::new());
    assert_eq!(play(&mut engine, "startpos", CLOCK).0, Vec::<String>::new());
    engine.quit();
}

#[test]
fn a_miss_is_explained_once() {
    let _guard = together();
    let mut engine = with_book(&sample("a.db"), &[("IgnoreBookPly", "false")]);
    let off = "startpos moves 7g7f 8c8d";
    let unknown = ["book: the position is not in the book"];
    assert_eq!(play(&mut engine, off, CLOCK).0, unknown);
    assert_eq!(play(&mut engine, off, CLOCK).0, Vec::<String>::new());
    let late = "sfen lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 7";
    assert_eq!(
        play(&mut engine, late, CLOCK).0,
        ["book: the position is in the book at move 1 only (IgnoreBookPly is false)"]
    );
    engine.send("setoption name BookDepthLimit value 30");
    assert_eq!(
        play(&mut engine, "startpos", CLOCK).0,
        ["book: no move passed BookDepthLimit: 7g7f has depth 24, the limit is 30"]
    );
    engine.send("setoption name BookMoves value 0");
    assert_eq!(
        play(&mut engine, "startpos", CLOCK).0,
        ["book: not used after move 0 (BookMoves)"]
    );
    engine.send("usinewgame\nsetoption name BookMoves value 16");
    assert_eq!(play(&mut engine, off, CLOCK).0, unknown);
    engine.quit();
}

#[test]
fn books_that_cannot_be_used_are_reported_and_play_goes_on() {
    let _guard = together();
    let folder = Folder::new("unusable-books");
    let zeros = folder.write("zeros.db", [0; 5000]);
    for (path, reason) in [
        (
            Path::new("/no/such/book.db"),
            "no such file; tried /no/such/book.db. Playing without",
        ),
        (
            Path::new(&zeros),
            "not a book: no DB2016 text, YBB or SBK. Playing without a book.",
        ),
        (&sample(""), "no such file"),
    ] {
        let mut engine = Engine::start();
        engine.send(&format!("setoption name BookFile value {}", path.display()));
        let notes = engine.expect_only_notes();
        assert_eq!(notes.len(), 1, "{notes:?}");
        assert!(notes[0].contains(reason), "{notes:?}");
        assert_eq!(engine.expect_only_notes(), Vec::<String>::new());
        assert_eq!(play(&mut engine, "startpos", CLOCK).0, Vec::<String>::new());
        engine.quit();
    }
}

#[test]
fn the_game_before_the_root_can_be_ignored() {
    let _guard = together();
    let mut engine = Engine::start();
    // The fourth occurrence of this position is a draw for a search that knows of the first three.
    let once = "5a4a 5i4i 4a5a 4i5i";
    let position = format!("sfen 4k4/9/9/9/9/9/9/9/R3K4 w - 1 moves {once} {once} 5a4a 5i4i 4a5a");
    let drawn = "go depth 6 searchmoves 4i5i";
    engine.send("setoption name DrawValueBlack value 0");
    let score = |engine: &mut Engine, known: &str| {
        engine.forget_lines();
        engine.send(&format!("position {position}\n{drawn}"));
        match engine.answer(&root(known)).score() {
            Score::Cp(cp) => cp,
            Score::Mate(plies) => panic!("mate in {plies}"),
        }
    };
    // The value of a draw varies a little.
    assert!(score(&mut engine, &position).abs() <= 5);
    engine.send("setoption name IgnoreGameHistory value true");
    engine.send("usinewgame");
    assert!(score(&mut engine, "sfen 4k4/9/9/9/9/9/9/9/R4K3 b - 12") > 500);
    engine.quit();
}

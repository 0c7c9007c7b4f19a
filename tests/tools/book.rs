//! `hien book`: descriptions, lookups, conversions, and books made of games.

use std::fs;
use std::process::Command;

use super::{Folder, hien, run, sample, warning};

#[test]
fn books_are_described() {
    let (success, text) = hien(&["book", "info", &sample("book/a.db").display().to_string()]);
    assert!(success);
    for line in [
        "positions  3, White to move in 1",
        "moves      7, at most 3 in a position, 0 not legal",
        "counts     206 in all",
        "scores     -60 to 60",
        "depths     18 to 24",
        "move no.   1 to 3",
    ] {
        assert!(text.lines().any(|other| other == line), "{line}\n{text}");
    }
}

#[test]
fn moves_are_looked_up_and_filters_explained() {
    let book = sample("book/a.db").display().to_string();
    let lookup = |position: &[&str]| {
        let mut arguments = vec!["book", "lookup", "--book", &book];
        arguments.extend(position);
        hien(&arguments)
    };
    let (success, text) = lookup(&["startpos"]);
    assert!(success);
    let rows: Vec<_> = text.lines().skip(2).collect();
    assert_eq!(
        rows,
        [
            "move   reply    score  depth     count",
            "7g7f   3c3d        40     24        70",
            "2g2f   8c8d        38     24        25",
            "5g5f   -          -60     18         5  filtered out",
        ]
    );
    assert!(
        lookup(&["startpos", "moves", "7g7f"])
            .1
            .contains("3c3d   2g2f")
    );
    let white = "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1";
    assert!(lookup(&[white]).1.contains("3c3d   7g7f        40"));
    let (success, text) = lookup(&["startpos moves 1g1f"]);
    assert!(
        !success && text.ends_with("the position is not in the book\n"),
        "{text}"
    );
    assert_eq!(run(&["book", "lookup", "startpos"]).status.code(), Some(2));
    assert_eq!(
        run(&["book", "lookup", "--book", &book, "x"]).status.code(),
        Some(2)
    );
}

#[test]
fn a_book_beside_the_program_comes_before_the_working_directory() {
    let (installed, working) = (Folder::new("book-beside"), Folder::new("book-cwd"));
    let book = |mv| {
        format!(
            "sfen lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1\n{mv} none 0 1\n"
        )
    };
    working.write("mine.db", book("2g2f"));
    working.write("book/mine.db", book("9g9f"));
    let program = installed.program();
    let first_move = || {
        let mut command = Command::new(&program);
        command.args(["book", "lookup", "--book", "mine.db", "startpos"]);
        let output = command.current_dir(&working.0).output().unwrap();
        let text = String::from_utf8(output.stdout).unwrap();
        text.lines().last().unwrap_or_default()[..4].to_owned()
    };
    assert_eq!(first_move(), "9g9f");
    installed.write("mine.db", book("5g5f"));
    assert_eq!(first_move(), "9g9f", "BookDir comes first");
    installed.write("book/mine.db", book("7g7f"));
    assert_eq!(first_move(), "7g7f");
}

#[test]
fn books_are_converted_there_and_back() {
    let folder = Folder::new("convert");
    let (binary, text) = (folder.path("a.ybb"), folder.path("b.db"));
    let source = sample("book/a.db").display().to_string();
    // YBB keeps neither replies nor counts.
    let converted = run(&["book", "convert", &source, &binary]);
    assert!(warning(&converted).contains("replies and counts"));
    assert!(hien(&["book", "convert", &binary, &text]).0);
    assert_eq!(
        folder.read("b.db"),
        "#YANEURAOU-DB2016 1.00\n# NOE:3\n\
         sfen lnsgkgsnl/1r5b1/pppppp1pp/6p2/9/2P6/PP1PPPPPP/1B5R1/LNSGKGSNL b - 3\n\
         2g2f none 60 20 1\n8h2b+ none -30 20 1\n\
         sfen lnsgkgsnl/1r5b1/ppppppppp/9/9/2P6/PP1PPPPPP/1B5R1/LNSGKGSNL w - 2\n\
         3c3d none -35 22 1\n8c8d none -50 22 1\n\
         sfen lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1\n\
         7g7f none 40 24 1\n2g2f none 38 24 1\n5g5f none -60 18 1\n"
    );
    let again = run(&["book", "convert", &source, &text]);
    assert_eq!(again.status.code(), Some(2), "an existing file is kept");
    assert_eq!(
        run(&["book", "convert", &source, &folder.path("c.sbk")])
            .status
            .code(),
        Some(2)
    );
    assert!(!folder.0.join("c.sbk").exists());
}

#[test]
fn books_are_made_of_games() {
    let folder = Folder::new("make");
    let games = folder.write(
        "games.usi",
        "startpos moves 7g7f 3c3d\nstartpos moves 7g7f 8c8d\nstartpos moves 2g2f 8c8d\n",
    );
    let book = folder.path("counts.db");
    let (success, text) = hien(&["book", "make", &book, &games]);
    assert!(
        success && text.contains("2 positions in at least 2 games"),
        "{text}"
    );
    assert_eq!(
        folder.read("counts.db"),
        "#YANEURAOU-DB2016 1.00\n# NOE:2\n\
         sfen lnsgkgsnl/1r5b1/ppppppppp/9/9/2P6/PP1PPPPPP/1B5R1/LNSGKGSNL w - 2\n\
         3c3d none 0 0 1\n8c8d none 0 0 1\n\
         sfen lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1\n\
         7g7f none 0 0 2\n2g2f none 0 0 1\n"
    );
    let all = folder.path("all.db");
    assert!(
        hien(&[
            "book",
            "make",
            "--min-games",
            "1",
            "--moves",
            "1",
            &all,
            &games
        ])
        .0
    );
    assert!(folder.read("all.db").contains("# NOE:1\n"));
}

#[test]
fn thinking_is_taken_up_where_it_was_left() {
    let folder = Folder::new("think");
    let games = folder.write(
        "games.usi",
        "startpos moves 9g9f 3c3d\nstartpos moves 9g9f\n",
    );
    let book = folder.path("book.db");
    // What was thought over before, and a line that was cut off.
    let known =
        "sfen lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1|9g9f 3c3d 777 99 2\n";
    fs::write(
        folder.path("book.db.partial"),
        format!("{known}sfen lnsgkgsnl/1r5b1/pppp"),
    )
    .unwrap();
    let make = [
        "book",
        "make",
        "--min-games",
        "1",
        "--nodes",
        "2000",
        "--multipv",
        "2",
        &book,
        &games,
    ];
    assert!(run(&make).status.success());
    let text = folder.read("book.db");
    assert!(text.contains("\n9g9f 3c3d 777 99 2\n"), "{text}");
    let (_, second) = text.split_once(" w - 2\n").unwrap();
    let lines: Vec<_> = second
        .lines()
        .take_while(|line| !line.starts_with("sfen"))
        .collect();
    // The two best moves, and the move of the game if it is none of them.
    assert!((2..=3).contains(&lines.len()), "{text}");
    let played = lines.iter().find(|line| line.starts_with("3c3d ")).unwrap();
    assert!(played.ends_with(" 1"), "{text}");
    assert!(
        lines
            .iter()
            .all(|line| line.split(' ').nth(3).unwrap() != "0"),
        "{text}"
    );
    assert!(!folder.0.join("book.db.partial").exists());
}

#[test]
fn targets_are_checked_before_the_work() {
    let folder = Folder::new("book-target");
    let game = sample("records/game.csa").display().to_string();
    folder.write("old.db", "");
    for (name, what) in [
        ("new.txt", "only .db and .ybb are written"),
        ("old.db", "exists already"),
        ("none/new.db", "there is no such folder"),
    ] {
        let target = folder.0.join(name).display().to_string();
        // Games that are not there are noticed later.
        for games in [&game, "/no/such/game"] {
            let output = run(&["book", "make", &target, games]);
            assert_eq!(output.status.code(), Some(2));
            let error = String::from_utf8(output.stderr).unwrap();
            assert!(error.contains(what) && error.contains(name), "{error}");
        }
        let output = run(&["book", "convert", "/no/such/book.db", &target]);
        let error = String::from_utf8(output.stderr).unwrap();
        assert!(error.contains(what), "{error}");
    }
}

#[test]
fn no_book_advises_to_decline_a_promotion() {
    let folder = Folder::new("book-declined");
    let exchange = "startpos moves 7g7f 3c3d 8h2b";
    let game = folder.write("a.usi", format!("{exchange} 3a2b\n{exchange}+ 3a2b\n"));
    let book = folder.0.join("new.db").display().to_string();
    let (success, text) = hien(&["book", "make", &book, &game, "--min-games", "1"]);
    assert!(success, "{text}");
    let book = folder.read("new.db");
    assert!(
        book.contains("\n8h2b+ ") && !book.contains("\n8h2b "),
        "{book}"
    );
    // What follows it is no less worth knowing.
    assert_eq!(book.matches("\n3a2b ").count(), 2, "{book}");
}

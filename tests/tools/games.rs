//! Reading game records of every kind, and what is said about bad ones.

use std::fs;
use std::path::Path;

use encoding_rs::SHIFT_JIS;
use hien::records::{japanese, japanese_line};
use hien::shogi::Color;
use hien::shogi::{Move, Position};
use hien::tools::games::{self, Game, Games};

use super::{Folder, run, sample};

const MOVES: &str = "7g7f 3c3d 8h2b+ 3a2b B*4e";

fn text(game: &Game) -> String {
    let moves: Vec<_> = game.moves.iter().map(Move::to_string).collect();
    moves.join(" ")
}

#[test]
fn every_format_gives_the_same_game() {
    for name in ["game.kif", "game.kifu", "game.ki2", "game.csa", "game.jkf"] {
        let games = games::read(&sample("records").join(name)).unwrap().games;
        assert_eq!(games.len(), 1, "{name}");
        assert_eq!(text(&games[0]), MOVES, "{name}");
        let black = games[0].record.headers.player(Color::Black);
        let expected = if name == "game.csa" {
            "Hisha"
        } else {
            "飛車 一"
        };
        assert_eq!(black, Some(expected), "{name}");
    }
    let games = games::read(&sample("records/games.usi")).unwrap().games;
    let texts: Vec<_> = games.iter().map(text).collect();
    assert_eq!(texts, [MOVES, "2g2f 8c8d 2f2e", "3c3d 7g7f"]);
    assert_eq!(games[2].start.legal_moves().len(), 30);
    let games = games::read(&sample("records/two-games.csa")).unwrap().games;
    assert_eq!(
        games.iter().map(text).nth(1).unwrap(),
        "7g7f 3c3d 8h2b+ 3a2b 2g2f"
    );
}

#[test]
fn every_format_is_read_in_both_encodings() {
    let folder = Folder::new("encodings");
    for name in ["game.kif", "game.ki2", "game.csa", "game.jkf"] {
        let bytes = fs::read(sample("records").join(name)).unwrap();
        let text = String::from_utf8(bytes)
            .unwrap_or_else(|error| SHIFT_JIS.decode(error.as_bytes()).0.into_owned());
        let text = text.replace("Hisha", "飛車 一");
        for bytes in [text.as_bytes(), &SHIFT_JIS.encode(&text).0] {
            let path = folder.write(name, bytes);
            let games = games::read(Path::new(&path)).unwrap().games;
            assert_eq!(self::text(&games[0]), MOVES, "{name}");
            let black = games[0].record.headers.player(Color::Black);
            assert_eq!(black, Some("飛車 一"), "{name}");
        }
    }
}

#[test]
fn formats_are_told_by_their_text_too() {
    let folder = Folder::new("formats");
    for name in ["game.kif", "game.ki2", "game.csa", "game.jkf", "games.usi"] {
        let path = folder.write(
            "record.txt",
            fs::read(sample("records").join(name)).unwrap(),
        );
        let games = games::read(Path::new(&path)).unwrap().games;
        assert_eq!(text(&games[0]), MOVES, "{name}");
    }
    // A game that is not over has no last line.
    let path = folder.write("open.csa", "PI\n+\n+7776FU\n-3334FU\n");
    assert_eq!(
        text(&games::read(Path::new(&path)).unwrap().games[0]),
        "7g7f 3c3d"
    );
}

/// Why a file, or a game in it, cannot be read.
fn error(path: &str) -> String {
    let error = match games::read(Path::new(path)) {
        Ok(found) => found.errors.into_iter().next(),
        Err(error) => Some(error),
    };
    error
        .unwrap_or_else(|| panic!("{path} is read"))
        .to_string()
}

#[test]
fn bad_files_name_the_line_and_the_reason() {
    let folder = Folder::new("bad-records");
    for (name, content, line) in [
        (
            "a.kif",
            "手合割：平手\n手数----指手---------消費時間--\n   1 ７六歩(77)\n   2 ７六歩(77)\n   3 ２六歩(27)\n",
            ", line 4, ",
        ),
        (
            "b.csa",
            "V2.2\nPI\n+\n+7776FU\n-7776FU\n%TORYO\n",
            ", line 5, ",
        ),
        (
            "c.ki2",
            "手合割：平手\n\n▲７六歩 △３四歩\n▲９九飛 △８四歩\n",
            ", line 4, ",
        ),
        (
            "d.usi",
            "startpos moves 7g7f\nstartpos moves 7g7f 7g7f\n",
            ", line 2, ",
        ),
        (
            "e.jkf",
            "{\"header\": {},\n \"moves\": [{}, }\n",
            ", line 2, column",
        ),
        ("f.kif", "手合割：平手\n", ": there are no moves in it"),
        ("g.txt", "hello\n", ": no KIF, KI2, CSA, JKF or USI record"),
    ] {
        let path = folder.write(name, content);
        let error = error(&path);
        assert!(
            error.starts_with(&path) && error.contains(line),
            "{name}: {error}"
        );
    }
    assert!(games::read(Path::new("/no/such/file.kif")).is_err());
}

/// Nothing is read again and again where that would take minutes.
#[test]
fn what_is_bad_in_large_files_is_found_too() {
    let folder = Folder::new("large-records");
    let rounds = |count: usize| format!("startpos moves{}", " 2h3h 8b7b 3h2h 7b8b".repeat(count));
    let mut lines = vec![rounds(35); 2000];
    lines[1200] += " 9a9b";
    let many = folder.write("many.usi", lines.join("\n"));
    let long = folder.write(
        "long.usi",
        format!("{} 9a9b{}", rounds(5000), &rounds(5000)[14..]),
    );
    for (path, line) in [(many, 1201), (long, 1)] {
        let error = error(&path);
        assert!(error.contains(&format!(", line {line}, ")), "{error}");
    }
}

#[test]
fn japanese_notation_follows_the_line() {
    let mut position = Position::startpos();
    let moves: Vec<Move> = MOVES.split(' ').map(|mv| mv.parse().unwrap()).collect();
    let expected = ["▲７六歩", "△３四歩", "▲２二角成", "△同　銀", "▲４五角"];
    assert_eq!(japanese_line(&position, &moves), expected);
    assert_eq!(japanese(&position, moves[0]), "▲７六歩");
    position.do_move(moves[0]);
    assert_eq!(japanese_line(&position, &moves[1..]), expected[1..]);
}

/// A copy of a file with some bytes changed, cut out, doubled or moved.
fn spoil(bytes: &[u8], random: &mut fastrand::Rng) -> Vec<u8> {
    let mut bytes = bytes.to_vec();
    for _ in 0..random.usize(1..6) {
        if bytes.is_empty() {
            break;
        }
        let at = random.usize(..bytes.len());
        let end = (at + random.usize(1..12)).min(bytes.len());
        match random.u8(..5) {
            0 => bytes[at] = random.u8(..),
            1 => drop(bytes.drain(at..end)),
            2 => bytes.extend_from_within(at..end),
            3 => bytes.truncate(at),
            _ => bytes[at..end].reverse(),
        }
    }
    bytes
}

#[test]
fn spoilt_records_are_read_or_refused() {
    let folder = Folder::new("spoilt-records");
    let mut random = fastrand::Rng::with_seed(11);
    let mut read = 0;
    for name in [
        "game.kif",
        "game.kifu",
        "game.ki2",
        "game.csa",
        "game.jkf",
        "games.usi",
    ] {
        let good = fs::read(sample("records").join(name)).unwrap();
        for _ in 0..400 {
            let path = folder.write(name, spoil(&good, &mut random));
            if let Ok(Games { games, .. }) = games::read(Path::new(&path)) {
                read += 1;
                let mut position = games[0].start.clone();
                games[0]
                    .moves
                    .iter()
                    .for_each(|&mv| position.try_move(mv).unwrap());
            }
        }
    }
    assert!((200..2200).contains(&read), "{read} of 2400");
}

#[test]
fn spoilt_books_are_read_or_refused() {
    use hien::book::{BookFile, Key};

    let folder = Folder::new("spoilt-books");
    let mut random = fastrand::Rng::with_seed(12);
    let key = Key::of(&Position::startpos());
    let mut opened = 0;
    for name in ["a.db", "s.ybb", "s.sbk"] {
        let good = fs::read(sample("book").join(name)).unwrap();
        for round in 0..600 {
            let path = folder.write(name, spoil(&good, &mut random));
            if let Ok(mut file) = BookFile::open(Path::new(&path), round % 2 == 0) {
                opened += 1;
                // Errors are fine, faults are not.
                let _ = file.lookup(&key);
                let _ = file.for_each(|_| Ok(()));
                file.facts();
            }
        }
    }
    assert!((300..1700).contains(&opened), "{opened} of 1800");
}

#[test]
fn a_text_counts_more_than_the_name_of_its_file() {
    let folder = Folder::new("names");
    let csa = "V2.2\nPI\n+\n+7776FU\n-3334FU\n%TORYO\n";
    let kif = "手合割：平手\n   1 ７六歩(77)\n   2 ３四歩(33)\n   3 投了\n";
    for (name, content) in [
        ("a.kif", csa),
        ("b.csa", kif),
        ("c.jkf", kif),
        ("d.usi", csa),
    ] {
        let games = games::read(folder.write(name, content).as_ref())
            .unwrap()
            .games;
        assert_eq!(text(&games[0]), "7g7f 3c3d", "{name}");
    }
    // Where the text is no record either, the name counts.
    let error = games::read(folder.write("e.csa", "+7775FU\n").as_ref())
        .err()
        .unwrap();
    assert!(error.to_string().contains("7775FU"), "{error}");
}

#[test]
fn a_game_that_cannot_be_read_is_named_and_the_others_are_taken() {
    let folder = Folder::new("one-bad-game");
    let file = folder.write(
        "games.usi",
        "startpos moves 7g7f\nstartpos moves 7g7e\nstartpos moves 2g2f\n",
    );
    let expected = format!("{file}, line 2, column 16: 7g7e: no piece can move like that");
    let out = folder.0.display().to_string();
    let book = folder.path("book.db");
    for arguments in [
        vec!["convert", &file, "--to", "csa"],
        vec![
            "analyze", &file, "--nodes", "50", "--format", "json", "--out", &out,
        ],
        vec!["book", "make", &book, &file, "--min-games", "1"],
    ] {
        let output = run(&arguments);
        assert_eq!(output.status.code(), Some(1), "{arguments:?}");
        let text = [output.stdout, output.stderr].concat();
        let text = String::from_utf8(text).unwrap();
        assert!(text.contains(&expected), "{text}");
    }
    assert_eq!(folder.read("games.csa").matches("+\n").count(), 2);
    assert!(folder.0.join("games-2.analysis.json").is_file());
    assert_eq!(folder.read("book.db").matches("none").count(), 2);
}

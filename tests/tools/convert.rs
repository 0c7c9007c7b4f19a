//! `hien convert`: what is written, what is named as lost, and what is refused.

use std::fs;

use hien::tools::games;

use super::folder::Folder;
use super::{run, sample};

const KIF: &str = "手合割：平手\n先手：甲\n持ち時間：各4時間\n手数----指手---------消費時間--\n   1 ７六歩(77)   ( 0:05/00:00:05)+\n*定跡\n&しおり\n   2 ３四歩(33)\n   3 投了\n\n変化：1手\n   1 ２六歩(27)\n";

/// Runs `hien convert`; whether all was done, standard output, and what was logged.
fn convert(arguments: &[&str]) -> (bool, String, String) {
    let arguments: Vec<_> = ["convert"].iter().chain(arguments).copied().collect();
    let output = run(&arguments);
    let text = |bytes| String::from_utf8(bytes).expect("UTF-8");
    (
        output.status.success(),
        text(output.stdout),
        text(output.stderr),
    )
}

#[test]
fn what_a_format_cannot_hold_is_named() {
    let folder = Folder::new("convert-losses");
    let game = folder.write("game.kif", KIF);
    let (success, text, log) = convert(&["--to", "csa", &game]);
    assert!(success && text.contains("game.csa"), "{text}{log}");
    let csa = "V2.2\nN+甲\nPI\n+\n+7776FU\nT5\n'*定跡\n-3334FU\n%TORYO\n";
    assert_eq!(folder.read("game.csa"), csa);
    let expected = "game 1: CSA does not hold 1 branch; 1 bookmark; headers: 持ち時間";
    assert!(log.contains(expected), "{log}");
    for (format, file, content) in [
        (
            "usi",
            "game.usi",
            "position startpos moves 7g7f 3c3d resign\n",
        ),
        ("sfen", "game.sfen", "startpos moves 7g7f 3c3d\n"),
        (
            "ki2",
            "game.ki2u",
            "先手：甲\n持ち時間：各4時間\n手合割：平手\n\n▲７六歩\n*定跡\n&しおり\n△３四歩\nまで2手で後手の勝ち\n\n変化：1手\n▲２六歩\n",
        ),
    ] {
        assert!(convert(&["--to", format, &game]).0);
        assert_eq!(folder.read(file), content);
    }
    let (success, _, log) = convert(&["--to", "kif", &game]);
    assert!(success && log.is_empty(), "{log}");
    assert_eq!(
        games::read(&folder.0.join("game.kifu")).unwrap().games[0]
            .moves
            .len(),
        2
    );
    let (success, _, log) = convert(&["--to", "jkf", &game]);
    assert!(
        success && log.contains("JKF does not hold 1 bookmark"),
        "{log}"
    );
}

#[test]
fn encodings_and_folders_are_as_asked_for() {
    let folder = Folder::new("convert-encodings");
    let game = folder.write("game.kifu", KIF.replace('甲', "René"));
    let out = folder.0.join("new").display().to_string();
    let (success, _, log) = convert(&["--to", "kif", "--shift-jis", "--out", &out, &game]);
    assert!(
        success && log.contains("characters that Shift_JIS has not: é"),
        "{log}"
    );
    let games = games::read(&folder.0.join("new/game.kif")).unwrap().games;
    assert_eq!(games[0].record.headers.get("先手"), Some("Ren〓"));
    let (success, _, log) = convert(&["--to", "jkf", "--shift-jis", &game]);
    assert!(!success && log.contains("Shift_JIS"), "{log}");
}

#[test]
fn several_games_and_bad_files_go_their_ways() {
    let folder = Folder::new("convert-many");
    let bad = folder.write("bad.kif", "   1 ７六歩(77\n");
    let many = sample("records/games.usi").display().to_string();
    let out = folder.0.join("out").display().to_string();
    let (success, text, log) = convert(&["--to", "kif", "--out", &out, &bad, &many]);
    assert!(
        !success && log.contains("bad.kif, line 1, column "),
        "{log}"
    );
    assert!(text.contains("games-3.kifu"), "{text}");
    let (success, ..) = convert(&["--to", "csa", "--out", &out, &many]);
    assert!(success);
    assert_eq!(
        games::read(&folder.0.join("out/games.csa"))
            .unwrap()
            .games
            .len(),
        3
    );
    // Nothing is written over, and nothing is begun if something would be.
    let (success, text, log) = convert(&["--to", "csa", "--out", &out, &bad, &many]);
    assert!(
        !success && text.is_empty() && log.contains("exists already"),
        "{log}"
    );
    let same = folder.write("games.kif", KIF);
    let (success, _, log) = convert(&["--to", "ki2", "--out", &out, &same, &many]);
    assert!(!success && log.contains("would hold both"), "{log}");
    assert!(!fs::exists(folder.0.join("out/games.ki2u")).unwrap());
}

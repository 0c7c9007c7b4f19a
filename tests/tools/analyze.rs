//! `hien analyze`: what it writes, and that the numbers in it fit together.

use std::process::Output;

use serde_json::Value;

use hien::tools::games;

use super::{Folder, complaints, hien, run, sample, warning};

/// White gives a bishop away at move 4.
const GAME: &str = "startpos moves 7g7f 3c3d 2g2f 2b5e 8h5e 8c8d 2f2e";

fn analyze(folder: &Folder, game: &str, more: &[&str]) -> String {
    let mut arguments = vec!["analyze", game, "--nodes", "3000", "--hash", "16"];
    let out = folder.0.display().to_string();
    arguments.extend(["--out", &out]);
    arguments.extend(more);
    let output = run(&arguments);
    assert!(output.status.success(), "{output:?}");
    String::from_utf8(output.stdout).unwrap()
}

/// What a command that succeeded without a complaint has written.
fn warning_free(output: &Output) -> String {
    assert!(output.status.success(), "{output:?}");
    assert_eq!(complaints(output), "");
    String::from_utf8_lossy(&output.stdout).into_owned()
}

#[test]
fn a_game_is_judged() {
    let folder = Folder::new("analyze");
    let game = folder.write("game.usi", GAME);
    let text = analyze(&folder, &game, &["--multipv", "2"]);
    assert!(
        text.contains("Black: 4 moves, ") && text.contains("White: 3 moves, "),
        "{text}"
    );
    let json: Value = serde_json::from_str(&folder.read("game.analysis.json")).unwrap();
    let positions = json["positions"].as_array().unwrap();
    let moves = json["moves"].as_array().unwrap();
    assert_eq!((positions.len(), moves.len()), (8, 7));
    assert_eq!(json["limits"], "3000 nodes");
    for (position, number) in positions.iter().zip(0..) {
        let lines = position["lines"].as_array().unwrap();
        assert_eq!(lines.len(), 2, "{position}");
        // Scores are Black's, and so are the chances.
        let cp = lines[0]["cp"].as_f64().unwrap();
        let chances = 1.0 / (1.0 + (-cp / 600.0).exp());
        let shown = position["black_chances"].as_f64().unwrap();
        assert!((chances - shown).abs() < 1e-9, "{cp} {shown}");
        let better = lines[1]["cp"].as_f64().unwrap() <= cp;
        assert!(better == (number % 2 == 0) || lines[1]["cp"] == lines[0]["cp"]);
        for key in ["usi", "japanese", "western"] {
            let count = lines[0][key].as_array().unwrap().len();
            assert_eq!(count, lines[0]["usi"].as_array().unwrap().len());
        }
    }
    for (mv, number) in moves.iter().zip(1..) {
        assert_eq!(mv["number"], number);
        let is_choice = positions[number - 1]["lines"][0]["usi"][0] == mv["usi"];
        assert_eq!(mv["judgement"] == "best", is_choice, "{mv}");
    }
    assert_eq!(moves[3]["judgement"], "blunder", "{}", moves[3]);
    assert_eq!(json["players"][1]["judgements"][4], 1);
}

#[test]
fn the_record_is_annotated_as_guis_read_it() {
    let folder = Folder::new("annotate");
    analyze(
        &folder,
        &sample("records/game.kif").display().to_string(),
        &[],
    );
    let text = folder.read("game.analysis.kifu");
    for line in [
        "手合割：平手",
        "先手：飛車 一",
        "*ここまで定跡",
        "*#エンジン=Hien",
    ] {
        assert!(
            text.lines().any(|other| other.starts_with(line)),
            "{line}\n{text}"
        );
    }
    // One block for the start position and each of five moves.
    for mark in [
        "\n*#評価値=",
        "\n*#読み筋=",
        "\n*#深さ=",
        "\n*#ノード数=",
        "\n**解析 候補1 時間 00:",
    ] {
        assert_eq!(text.matches(mark).count(), 6, "{mark}\n{text}");
    }
    let games = games::read(&folder.0.join("game.analysis.kifu"))
        .unwrap()
        .games;
    assert_eq!(games[0].moves.len(), 5);
    let record = &games[0].record;
    let second = record.main_line().nth(1).unwrap();
    assert_eq!(record[second].comments[0], "ここまで定跡");

    analyze(
        &folder,
        &sample("records/two-games.csa").display().to_string(),
        &["--shift-jis", "--format", "kif"],
    );
    for name in ["two-games-1.analysis.kif", "two-games-2.analysis.kif"] {
        assert_eq!(
            games::read(&folder.0.join(name)).unwrap().games[0]
                .moves
                .len(),
            5
        );
        assert!(std::str::from_utf8(&std::fs::read(folder.0.join(name)).unwrap()).is_err());
    }
}

#[test]
fn the_page_holds_everything() {
    let folder = Folder::new("page");
    let kif = std::fs::read_to_string(sample("records/game.kifu")).unwrap();
    let odd = kif.replace("角田 二", "</script><b>/*data*/ & 二");
    let game = folder.write("odd.kifu", odd);
    analyze(&folder, &game, &["--format", "html"]);
    let page = folder.read("odd.analysis.html");
    assert!(page.starts_with("<!doctype html>"));
    assert_eq!(page.matches("</script>").count(), 2);
    assert!(page.contains("<title>飛車 一 - &lt;/script&gt;&lt;b&gt;/*data*/ &amp; 二</title>"));
    for outside in ["http://", "https://", "src=", "@import"] {
        let known = page.replace("http://www.w3.org/2000/svg", "");
        assert!(!known.contains(outside), "{outside}");
    }
    let (_, rest) = page.split_once("type=\"application/json\">").unwrap();
    let (data, _) = rest.split_once("</script>").unwrap();
    let data: Value = serde_json::from_str(data).unwrap();
    assert_eq!(data["game"]["white"], "</script><b>/*data*/ & 二");
    assert_eq!(data["game"]["end"], "resignation");
    assert_eq!(data["moves"][1]["comment"], "ここまで定跡");
    assert_eq!(data["moves"][0]["used_ms"], 5000);
}

#[test]
fn ends_of_games_are_named() {
    let folder = Folder::new("ends");
    let there_and_back = "2h3h 8b7b 3h2h 7b8b ".repeat(3);
    for (game, end) in [
        (format!("startpos moves {there_and_back}"), "repetition"),
        (
            "sfen 4k4/9/4P4/9/9/9/9/9/4K4 b G2r2b3g4s4n4l17p 1 moves G*5b".to_owned(),
            "mate",
        ),
        (
            "sfen 4K4/+R+RGGGGSSS/2S6/9/9/9/9/9/4k4 w 2B4N4L18P 1 moves 5i5h".to_owned(),
            "declaration",
        ),
    ] {
        let game = folder.write("game.usi", game);
        let out = folder.0.display().to_string();
        let (success, text) = hien(&[
            "analyze", "--depth", "1", "--format", "json", "--out", &out, &game,
        ]);
        assert!(success, "{text}");
        let json: Value = serde_json::from_str(&folder.read("game.analysis.json")).unwrap();
        let positions = json["positions"].as_array().unwrap();
        assert_eq!(positions[positions.len() - 1]["end"], end);
        assert!(positions[0].get("end").is_none());
    }
}

#[test]
fn bad_games_are_named_and_the_others_analysed() {
    let folder = Folder::new("bad-games");
    let bad = folder.write("bad.usi", "startpos moves 7g7f 7g7f\n");
    let good = folder.write("good.usi", "startpos moves 7g7f\n");
    let (success, text) = hien(&["analyze", "--depth", "1", "--format", "json", &bad, &good]);
    assert!(!success);
    assert!(
        text.contains(&format!("{bad}, line 1, column 21: ")),
        "{text}"
    );
    assert!(text.contains("good.analysis.json"), "{text}");
    assert_eq!(
        run(&["analyze", "--depth", "1", "--nodes", "5", &good])
            .status
            .code(),
        Some(2)
    );
}

#[test]
fn the_folder_for_results_is_made_or_refused_before_anything_is_searched() {
    let folder = Folder::new("analyze-target");
    let game = folder.write("game.usi", GAME);
    let target = folder.0.join("new/将棋");
    let analyze = |target: &str| run(&["analyze", &game, "--nodes", "50", "--out", target]);
    let output = analyze(&target.display().to_string());
    assert!(output.status.success(), "{output:?}");
    assert!(target.join("game.analysis.json").is_file());
    let output = analyze(&game);
    assert_eq!(output.status.code(), Some(2));
    assert_eq!(output.stdout, b"");
    let error = String::from_utf8(output.stderr).unwrap();
    assert!(
        error.starts_with("error: ") && error.contains("game.usi: "),
        "{error}"
    );
    assert_eq!(error.lines().count(), 1, "{error}");
}

#[test]
fn results_that_cannot_be_written_do_not_stop_the_other_games() {
    let folder = Folder::new("analyze-obstacle");
    let games = ["a.usi", "b.usi"].map(|name| folder.write(name, GAME));
    std::fs::create_dir(folder.0.join("a.analysis.html")).unwrap();
    let output = run(&["analyze", &games[0], &games[1], "--nodes", "50"]);
    assert_eq!(output.status.code(), Some(1));
    let text = String::from_utf8(output.stdout).unwrap();
    assert!(text.contains("a.analysis.html: "), "{text}");
    // The first game was not even searched.
    assert_eq!(text.matches("Black: ").count(), 1, "{text}");
    assert_eq!(text.matches("\nwrote ").count(), 3, "{text}");
    folder.read("b.analysis.html");
}

#[test]
fn results_of_an_earlier_run_are_no_games() {
    let folder = Folder::new("analyze-again");
    folder.write("game.usi", GAME);
    let path = folder.0.display().to_string();
    let again = |out: &str| run(&["analyze", &path, "--nodes", "50", "--out", out]);
    assert!(warning_free(&again(&path)).contains("game.analysis.kifu"));
    let new = folder.0.join("new").display().to_string();
    let left_out = "left out 2 files *.analysis.*, results of `hien analyze`";
    assert!(warning(&again(&new)).contains(left_out));
    // The file itself can still be named.
    let result = folder.0.join("game.analysis.kifu").display().to_string();
    warning_free(&run(&["analyze", &result, "--nodes", "50", "--out", &new]));
    assert!(folder.0.join("new/game.analysis.analysis.kifu").is_file());
    // A folder of results has no games.
    let output = run(&["convert", &new, "--to", "csa"]);
    let errors = String::from_utf8(output.stderr).unwrap();
    assert!(
        errors.contains("left out 4 files") && errors.contains("there are no records in it"),
        "{errors}"
    );
}

#[test]
fn two_games_with_the_same_results_are_refused() {
    let folder = Folder::new("analyze-twins");
    let games = ["a.usi", "a.sfen"].map(|name| folder.write(name, GAME));
    let output = run(&["analyze", &games[0], &games[1], "--nodes", "50"]);
    assert_eq!(output.status.code(), Some(2));
    let error = String::from_utf8(output.stderr).unwrap();
    assert!(
        error.contains(&games[0]) && error.contains(&games[1]),
        "{error}"
    );
    assert_eq!(output.stdout, b"");
}

/// Archives made on Windows unpack to names that are not UTF-8.
#[cfg(target_os = "linux")]
#[test]
fn names_that_are_no_text_are_kept() {
    use std::ffi::OsStr;
    use std::os::unix::ffi::OsStrExt;

    let folder = Folder::new("analyze-names");
    for name in [&b"\x8f\xab"[..], b"\x8a\xfb"] {
        let path = folder.0.join(OsStr::from_bytes(name));
        std::fs::write(path.with_extension("usi"), GAME).unwrap();
        let output = std::process::Command::new(env!("CARGO_BIN_EXE_hien"))
            .args(["analyze", "--nodes", "50", "--format", "json"])
            .arg(path.with_extension("usi"))
            .output()
            .unwrap();
        assert!(output.status.success(), "{output:?}");
        assert!(path.with_extension("analysis.json").is_file());
    }
}

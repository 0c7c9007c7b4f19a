//! Files that once went wrong somewhere, each a small one of our own, and what is right.

use std::fs;
use std::path::Path;

use encoding_rs::{EUC_JP, SHIFT_JIS};
use hien::records::{self, End, Fault, Format, Foul, ReadError, Reading, Record, Step};

fn bytes(name: &str) -> Vec<u8> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/records/cases");
    fs::read(folder.join(name)).unwrap_or_else(|error| panic!("{name}: {error}"))
}

fn try_file(name: &str) -> Result<Reading, ReadError> {
    let extension = name.rsplit('.').next().expect("an extension");
    records::read(&bytes(name), Format::of_extension(extension))
}

/// The record in a file, which gives no warnings.
fn file(name: &str) -> Record {
    let reading = try_file(name).unwrap_or_else(|error| panic!("{name}: {error}"));
    assert_eq!(reading.warnings, [], "{name}");
    assert_eq!(reading.records.len(), 1, "{name}");
    reading.records.into_iter().next().expect("a record")
}

/// The record in a text and its warnings.
fn text(text: &str, format: Format) -> (Record, Vec<String>) {
    let reading = records::read(text.as_bytes(), Some(format));
    let reading = reading.unwrap_or_else(|error| panic!("{error}\n{text}"));
    let warnings = reading.warnings.iter().map(ToString::to_string).collect();
    let record = reading.records.into_iter().next().expect("a record");
    (record, warnings)
}

fn fault(text: &str, format: Format) -> String {
    let error = records::read(text.as_bytes(), Some(format)).expect_err(text);
    error.to_string()
}

fn moves(record: &Record) -> String {
    let moves: Vec<_> = record.moves().map(|mv| mv.to_string()).collect();
    moves.join(" ")
}

/// The lines of the tree: the step with which each begins and its number, and all its moves and ends.
fn lines(record: &Record) -> Vec<String> {
    let step = |step: &Step| match step {
        Step::Move(mv) => mv.to_string(),
        Step::Foul(mv) => format!("{mv}!"),
        Step::End(end) => end.japanese().to_owned(),
    };
    let line = |first| {
        let mut number = 0;
        let mut node: Option<records::NodeId> = Some(first);
        while let Some(id) = node {
            node = record[id].parent();
            number += usize::from(node.is_some());
        }
        let steps = record.line(first).filter_map(|id| record[id].step());
        let steps: Vec<_> = steps.map(step).collect();
        format!("{} {}", number.max(1), steps.join(" "))
    };
    record.lines().map(line).collect()
}

/// Written and read again, the record is the same, or its lines are where something is named as lost.
fn assert_survives(record: &Record, format: Format) {
    let written = record.write(format);
    let reading = records::read(written.text.as_bytes(), Some(format)).expect("our own text");
    let read = &reading.records[0];
    assert_eq!(lines(read), lines(record), "{}", written.text);
    // CSA does not tell 下手 from 先手.
    let is_whole = written.losses.is_empty() && format != Format::Csa;
    assert!(!is_whole || read == record, "{}", written.text);
}

#[test]
fn hands_are_counted_in_kanji() {
    let problem = file("hand-count.kif");
    let sfen = "8k/9/8P/9/9/9/9/9/9 b G2r2b3g4s4n4l17p 1";
    assert_eq!(problem.start().sfen(), sfen);
    assert!(problem.write(Format::Kif).text.contains("歩十七"));
    assert_survives(&problem, Format::Kif);
    let many = file("hand-count.usi");
    assert!(
        many.write(Format::Kif)
            .text
            .contains("後手の持駒：歩十八\u{3000}\n")
    );
    assert_survives(&many, Format::Ki2);
}

#[test]
fn branches_of_branches_are_kept() {
    let record = file("nested-branch.kif");
    let expected = [
        "1 7g7f 3c3d 8h2b+ 3a2b 7i6h",
        "3 8h4d 2b4d 7i6h",
        "4 4c4d 6i7h",
    ];
    assert_eq!(lines(&record), expected);
    for format in [Format::Kif, Format::Ki2, Format::Jkf] {
        assert_survives(&record, format);
    }
}

#[test]
fn branches_stand_after_an_end_too() {
    let kif = file("branch-after-end.kif");
    let expected = ["1 7g7f 3c3d 8h2b+ 3a2b 投了", "4 8b2b 9g9f"];
    // The branch's rook move is in the way of a bishop that has just been taken there.
    assert_eq!(lines(&kif), expected);
    let ki2 = file("branch-after-end.ki2");
    let expected = [
        "1 7g7f 3c3d 8h2b+ 3a2b 中断",
        "3 8h4d 2b4d 7i6h",
        "4 4c4d 6i7h",
    ];
    assert_eq!(lines(&ki2), expected);
    for record in [kif, ki2] {
        assert_survives(&record, Format::Kif);
        assert_survives(&record, Format::Ki2);
    }
}

#[test]
fn ends_belong_to_their_lines() {
    let record = file("end-in-branch.jkf");
    assert_eq!(lines(&record), ["1 7g7f 3c3d 投了", "2 8c8d"]);
    let kif = record.write(Format::Kif).text;
    let main = kif.split("変化").next().expect("a main line");
    assert!(main.contains("3 投了"), "{kif}");
    assert_survives(&record, Format::Kif);
    assert_survives(&record, Format::Jkf);
}

#[test]
fn all_that_is_left_goes_into_the_hand() {
    let record = file("all-remaining.csa");
    let sfen = "8k/9/8P/9/5+P3/9/9/9/9 b G2r2b3g4s4n4l16p 1";
    assert_eq!(record.start().sfen(), sfen);
    assert_eq!(record.end(), Some(&End::Mate));
    assert_survives(&record, Format::Csa);
}

#[test]
fn bookmarks_and_remarks_stand_anywhere() {
    for name in ["bookmark.kif", "bookmark.ki2"] {
        let record = file(name);
        let bookmarks: usize = record
            .main_line()
            .map(|id| record[id].bookmarks.len())
            .sum();
        assert_eq!(bookmarks, 1, "{name}");
        assert_survives(&record, Format::Kif);
        assert_survives(&record, Format::Ki2);
    }
    for name in ["hash-line.kif", "hash-line.ki2"] {
        assert!(moves(&file(name)).starts_with("7g7f 3c3d"), "{name}");
    }
}

#[test]
fn fouls_are_named_and_the_rest_is_read() {
    let nifu = file("foul-nifu.kif");
    assert_eq!(nifu.moves().count(), 8);
    assert_eq!(
        nifu.foul().map(|mv| mv.to_string()),
        Some("P*3f".to_owned())
    );
    assert_eq!(nifu.end(), Some(&End::FoulWin));
    let check = file("foul.csa");
    assert_eq!(moves(&check), "7g7f 3c3d 8h2b+ 3a2b B*3c");
    assert_eq!(
        check.foul().map(|mv| mv.to_string()),
        Some("9c9d".to_owned())
    );
    assert_eq!(check.end(), Some(&End::FoulWin));
    for record in [&nifu, &check] {
        for format in [
            Format::Kif,
            Format::Ki2,
            Format::Csa,
            Format::Jkf,
            Format::Usi,
        ] {
            assert_survives(record, format);
        }
    }
    let mut last = check.start().clone();
    check.moves().for_each(|mv| last.do_move(mv));
    assert_eq!(
        Foul::of(&last, check.foul().expect("a foul")),
        Some(Foul::KingInCheck)
    );
}

#[test]
fn a_drop_of_a_piece_that_is_not_in_hand_is_a_foul_like_others() {
    let kif = "   1 ７六歩(77)\n   2 ３四歩(33)\n   3 ５五角打\n   4 反則勝ち\n";
    let (record, warnings) = text(kif, Format::Kif);
    assert!(warnings.is_empty());
    assert_eq!(lines(&record), ["1 7g7f 3c3d B*5e! 反則勝ち"]);
    for format in [
        Format::Kif,
        Format::Ki2,
        Format::Csa,
        Format::Jkf,
        Format::Usi,
    ] {
        assert_survives(&record, format);
    }
}

#[test]
fn fouls_that_nothing_names_are_kept_with_a_warning() {
    let csa = String::from_utf8(bytes("foul.csa")).expect("ASCII");
    let without = |end: &str| csa.replace("%ILLEGAL_MOVE\n", end);
    let expected = "line 9: -9394FU: the king is left in check; kept as a foul";
    for end in ["%TORYO\n", ""] {
        let (record, warnings) = text(&without(end), Format::Csa);
        assert_eq!(warnings, [expected], "{end}");
        assert!(record.foul().is_some() && record.moves().count() == 5);
    }
    let (record, warnings) = text(
        "position startpos moves 7g7f 3c3d 8h2b+ 3a2b B*3c 9c9d",
        Format::Usi,
    );
    let expected = "line 1: 9c9d: the king is left in check; kept as a foul";
    assert_eq!(warnings, [expected]);
    assert_eq!(record.moves().count(), 5);
    // A branch goes on elsewhere, but a line does not go on behind it.
    let branch = "▲７六歩 △３四歩 ▲２二角成 △同銀 ▲３三角打 △９四歩\n\n変化：6手\n△５二玉\n";
    let (record, warnings) = text(branch, Format::Ki2);
    assert_eq!(
        warnings,
        ["line 1: △９四歩: the king is left in check; kept as a foul"]
    );
    assert_eq!(lines(&record).len(), 2);
    let expected = "line 9, column 1: -9394FU: the king is left in check";
    assert_eq!(fault(&without("+3322UM\n"), Format::Csa), expected);
    // What no piece can do is no foul, but an error in the text.
    let expected = "line 1, column 25: 7g7e: no piece can move like that";
    assert_eq!(fault("position startpos moves 7g7e", Format::Usi), expected);
}

#[test]
fn the_upper_hand_moves_first_where_it_says_so() {
    let record = file("uwateban.kif");
    assert!(record.start().sfen().contains(" w "));
    assert_eq!(moves(&record), "3c3d 7g7f");
    let text = SHIFT_JIS.decode(&bytes("uwateban.kif")).0.into_owned();
    let text = text.replace("上手番", "下手番");
    let found = fault(&text, Format::Kif);
    assert!(
        found.contains("３四歩(33): the other player is to move"),
        "{found}"
    );
}

#[test]
fn every_handicap_is_known() {
    let sfen = "2sgkg3/9/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1";
    for name in ["left-seven.kif", "left-seven.jkf"] {
        let record = file(name);
        assert_eq!(record.start().sfen(), sfen, "{name}");
        for format in [Format::Kif, Format::Ki2, Format::Csa, Format::Jkf] {
            assert_survives(&record, format);
        }
    }
    let unknown = "手合割：トンボ\n   1 ３四歩(33)\n";
    let error = records::read(unknown.as_bytes(), Some(Format::Kif)).unwrap_err();
    assert_eq!(error.fault, Fault::Handicap("トンボ".into()));
    assert_eq!(error.place.line, 1);
    let unknown = r#"{"header":{},"initial":{"preset":"17"},"moves":[{}]}"#;
    assert!(fault(unknown, Format::Jkf).contains("unknown handicap 17"));
}

#[test]
fn words_of_programs_end_usi_games() {
    assert_eq!(file("rep_draw.usi").end(), Some(&End::Repetition));
    for (word, end) in [
        ("draw", End::Draw),
        ("timeout", End::Timeout),
        ("break", End::Interrupted),
        ("win", End::Declaration),
        ("resign", End::Resignation),
        ("rep_sup", End::Other("rep_sup".into())),
    ] {
        let line = format!("position startpos moves 7g7f {word}");
        assert_eq!(text(&line, Format::Usi).0.end(), Some(&end), "{word}");
    }
    let expected = "line 1, column 30: a move expected, found 'draws'";
    assert_eq!(
        fault("position startpos moves 7g7f draws", Format::Usi),
        expected
    );
}

#[test]
fn broken_lines_are_named() {
    let error = try_file("broken-move-line.kif").unwrap_err();
    let expected = "line 7, column 12: ')' expected, found '   ( 0:01/00..'";
    assert_eq!(error.to_string(), expected);
    assert_eq!(file("control-good.kif").moves().count(), 8);
    let text = SHIFT_JIS.decode(&bytes("control-good.kif")).0.into_owned();
    for (old, new, expected) in [
        (
            "   4 ８四歩(83)",
            "   4 中断",
            "line 9, column 4: the line has ended before",
        ),
        (
            "８四歩(83)",
            "８四飛(83)",
            "line 8, column 6: ８四飛(83): no piece can move like that",
        ),
        ("８四歩(83)", "８四", "line 8, column 11: a piece expected"),
        (
            "２六歩(27)",
            "△２六歩(27)",
            "line 7, column 6: △２六歩(27): the other player is to move",
        ),
    ] {
        let found = fault(&text.replacen(old, new, 1), Format::Kif);
        assert!(found.starts_with(expected), "{new}: {found}");
    }
}

#[test]
fn what_stands_behind_an_end_is_named_and_kept_where_it_can_be() {
    let branch = |line| format!("line {line}: the line has ended with 中断: a branch begins");
    let second = |line| format!("line {line}: left out: 投了, as the line has ended with 中断");
    let kif = "   1 ７六歩(77)\n   2 ３四歩(33)\n   3 中断\n";
    let numbered = "   3 ２六歩(27)\n   4 ８四歩(83)\n";
    let jkf_move = |from: (u8, u8), to: (u8, u8)| {
        let ((x, y), (to_x, to_y)) = (from, to);
        format!(
            r#"{{"move":{{"from":{{"x":{x},"y":{y}}},"to":{{"x":{to_x},"y":{to_y}}},"piece":"FU"}}}}"#
        )
    };
    let jkf = |more: &[String]| {
        let moves = [jkf_move((7, 7), (7, 6)), jkf_move((3, 3), (3, 4))];
        let end = r#"{"special":"CHUDAN"}"#.to_owned();
        let entries: Vec<_> = ["{}".to_owned()]
            .into_iter()
            .chain(moves)
            .chain([end])
            .collect();
        format!("{{\"moves\":[{},\n{}]}}", entries.join(","), more.join(","))
    };
    let more = [jkf_move((2, 7), (2, 6)), jkf_move((8, 3), (8, 4))];
    for (format, with_moves, with_end, line) in [
        (
            Format::Kif,
            kif.to_owned() + numbered,
            kif.to_owned() + "   4 投了\n",
            4,
        ),
        (
            Format::Ki2,
            "▲７六歩 △３四歩\nまで2手で中断\n▲２六歩 △８四歩\n".to_owned(),
            kif.to_owned() + "   3 投了\n",
            3,
        ),
        (
            Format::Csa,
            "PI\n+\n+7776FU\n-3334FU\n%CHUDAN\n+2726FU\n-8384FU\n".to_owned(),
            "PI\n+\n+7776FU\n-3334FU\n%CHUDAN\n%TORYO\n".to_owned(),
            6,
        ),
        (
            Format::Jkf,
            jkf(&more),
            jkf(&[r#"{"special":"TORYO"}"#.to_owned()]),
            2,
        ),
        (
            Format::Usi,
            "startpos moves 7g7f 3c3d break 2g2f 8c8d".to_owned(),
            "startpos moves 7g7f 3c3d break resign".to_owned(),
            1,
        ),
    ] {
        let (record, warnings) = text(&with_moves, format);
        assert_eq!(
            lines(&record),
            ["1 7g7f 3c3d 中断", "3 2g2f 8c8d"],
            "{with_moves}"
        );
        assert_eq!(warnings, [branch(line)], "{with_moves}");
        assert_survives(&record, Format::Kif);
        let (record, warnings) = text(&with_end, format);
        assert_eq!(lines(&record), ["1 7g7f 3c3d 中断"], "{with_end}");
        let line = if format == Format::Ki2 { 4 } else { line };
        assert_eq!(warnings, [second(line)], "{with_end}");
    }
    // Floodgate says some ends twice.
    let twice = "PI\n+\n+7776FU\n%TORYO\n%TORYO\n";
    assert!(text(twice, Format::Csa).1.is_empty());
    // Nothing can follow a move that breaks a rule.
    let foul = "startpos moves 7g7f 3c3d 8h2b+ 3a2b B*3c 9c9d foul_win 7g7f";
    let expected = "line 1, column 56: the line has ended before";
    assert_eq!(fault(foul, Format::Usi), expected);
}

#[test]
fn numbers_that_do_not_follow_are_named() {
    // The file fork-test.kif of json-kifu-format has such a number in a branch.
    let kif = "   1 ７六歩(77)\n   2 ３四歩(33)   +\n   3 ２六歩(27)\n\n変化：2手\n   2 ８四歩(83)\n   3 ６八銀(79)\n\
        \u{20}  4 ３四歩(33)   +\n   5 ６六歩(67)\n   5 ４二銀(31)\n\n変化：4手\n   4 ８五歩(84)\n";
    let (record, warnings) = text(kif, Format::Kif);
    let expected = ["1 7g7f 3c3d 2g2f", "2 8c8d 7i6h 3c3d 6g6f 3a4b", "4 8d8e"];
    assert_eq!(lines(&record), expected);
    assert_eq!(warnings, ["line 10: move number 5 where 6 should stand"]);
    // Where numbers were left out, those of branches and of the last line count in the same way.
    let kif = "   1 ７六歩(77)\n   2 ３四歩(33)\n   5 ２六歩(27)\n   6 ８四歩(83)\nまで4手で中断\n\n変化：6手\n   6 ４四歩(43)\n\
        変化：3手\n   3 ６六歩(67)\n";
    let (record, warnings) = text(kif.split("変化：3手").next().expect("a line"), Format::Kif);
    assert_eq!(lines(&record), ["1 7g7f 3c3d 2g2f 8c8d 中断", "4 4c4d"]);
    assert_eq!(warnings, ["line 3: move number 5 where 3 should stand"]);
    let expected = "line 9, column 4: a branch at move 3 of a line with 4 moves";
    assert_eq!(fault(kif, Format::Kif), expected);
    // A number that stood before may begin a branch or another game.
    let kif = "   1 ７六歩(77)\n   2 ３四歩(33)\n手合割：平手\n   1 ２六歩(27)\n";
    let expected = "line 4, column 4: move number 1 where 3 should stand";
    assert_eq!(fault(kif, Format::Kif), expected);
    // A file that begins in the middle of a game.
    let kif = "  41 ７六歩(77)\n  42 ３四歩(33)\nまで42手で中断\n変化：42手\n  42 ８四歩(83)\n";
    let (record, warnings) = text(kif, Format::Kif);
    assert_eq!(lines(&record), ["1 7g7f 3c3d 中断", "2 8c8d"]);
    assert!(warnings.is_empty());
}

#[test]
fn numbered_moves_without_an_origin_are_found_and_named() {
    let kif = "   1 ７六歩\n   2 ３四歩(33)\n   3 ２二角成\n   4 同　銀\n   5 ４五角打\n   6 ３三角(00)\n";
    let (record, warnings) = text(kif, Format::Kif);
    assert_eq!(moves(&record), "7g7f 3c3d 8h2b+ 3a2b B*4e B*3c");
    let expected = "line 1: a numbered move without its origin, like 2 more: found by the rules";
    assert_eq!(warnings, [expected]);
    let expected = "line 1, column 6: ５八金: several pieces can make this move";
    assert_eq!(fault("   1 ５八金\n", Format::Kif), expected);
}

#[test]
fn a_game_that_cannot_be_read_leaves_the_others() {
    let good = "PI\n+\n+7776FU\n%TORYO\n";
    let csa = [
        good,
        "PI\n+\n+7775FU\n-3334FU\n",
        good,
        "PI\n+\n+7776FU\n-3335FU\n",
    ]
    .join("/\n");
    let usi =
        "startpos moves 7g7f\nstartpos moves 7g7e\nstartpos moves 7g7f\nstartpos moves 7g7f 3c3e\n";
    for (text, format, places) in [
        (csa.as_str(), Format::Csa, [(8, 1), (19, 1)]),
        (usi, Format::Usi, [(2, 16), (4, 21)]),
    ] {
        let reading = records::read(text.as_bytes(), Some(format)).expect("two games");
        let found: Vec<_> = reading.records.iter().map(moves).collect();
        assert_eq!(found, ["7g7f", "7g7f"], "{text}");
        let found = reading
            .faults
            .iter()
            .map(|error| (error.place.line, error.place.column));
        assert_eq!(found.collect::<Vec<_>>(), places, "{text}");
    }
}

#[test]
fn numbered_moves_may_share_a_line() {
    for line in [
        "1 ▲７六歩 2 △３四歩 3 ▲２六歩",
        "1 ７六歩(77) ( 0:01/) 2 ３四歩(33)   3 ２六歩(27)   +",
    ] {
        let (record, warnings) = text(line, Format::Kif);
        assert_eq!(moves(&record), "7g7f 3c3d 2g2f", "{line}");
        assert!(
            warnings
                .iter()
                .all(|warning| warning.contains("without its origin")),
            "{line}"
        );
    }
    let (_, warnings) = text("1 ７六歩(77) 2024年\n", Format::Kif);
    assert_eq!(warnings, ["line 1: left out: 2024年"]);
}

#[test]
fn a_second_start_of_a_csa_game_is_named_and_drops_nothing() {
    let (record, warnings) = text("PI\n+\n+7776FU\n+\nPI\n-3334FU\n", Format::Csa);
    assert_eq!(moves(&record), "7g7f 3c3d");
    assert_eq!(warnings, ["line 4: left out: +", "line 5: left out: PI"]);
}

#[test]
fn headers_that_stand_twice_are_named() {
    let (record, warnings) = text(
        "先手：甲\n先手：乙\n手合割：平手\n手合割：香落ち\n後手：\n後手：丙\n",
        Format::Kif,
    );
    assert_eq!(record.headers.get("先手"), Some("乙"));
    let expected = [
        "line 2: left out: 先手：甲, as it stands twice",
        "line 4: left out: 手合割：平手, as it stands twice",
    ];
    assert_eq!(warnings, expected);
    let (_, warnings) = text("N+a\nN+b\nPI\n+\n", Format::Csa);
    assert_eq!(warnings, ["line 2: left out: 先手：a, as it stands twice"]);
    let (_, warnings) = text(
        r#"{"header":{"先手":"a","先手":"b"},"moves":[{}]}"#,
        Format::Jkf,
    );
    assert_eq!(warnings, ["line 1: left out: 先手：a, as it stands twice"]);
}

#[test]
fn what_is_left_out_is_shown_without_harm() {
    let long = "あ ".repeat(100);
    let (_, warnings) = text(
        &format!("   1 ７六歩(77)\n\u{1b}[31m 赤\n{long}\n"),
        Format::Kif,
    );
    assert_eq!(warnings[0], "line 2: left out: \u{fffd}[31m 赤");
    assert_eq!(
        warnings[1],
        format!("line 3: left out: {}..", "あ ".repeat(30))
    );
}

#[test]
fn comments_are_kept_as_they_are() {
    let record = file("double-star.kif");
    let first = record.main_line().next().expect("a move");
    assert!(record[first].comments[0].starts_with("*対局 評価値 -18"));
    assert_survives(&record, Format::Kif);
    let (record, warnings) = text(
        "*\n*  字下げ \n手数----\n   1 ７六歩(77)\n*\n**\n",
        Format::Kif,
    );
    assert_eq!(record[record.root()].comments, ["", "  字下げ "]);
    assert!(warnings.is_empty());
    assert_survives(&record, Format::Kif);
}

#[test]
fn lines_below_a_board_are_understood() {
    let board = SHIFT_JIS.decode(&bytes("uwateban.kif")).0.into_owned();
    let board = board.replace("上手番\n", "手数＝40  △３二金  まで\n\n後手番\n");
    let (record, warnings) = text(&board, Format::Kif);
    assert_eq!(record.start().ply(), 41);
    assert!(warnings.is_empty(), "{warnings:?}");
    assert_survives(&record, Format::Kif);
    // The sign of the first move tells the player where nothing else does.
    let board = board
        .replace("後手番\n", "")
        .replace("   1 ３四歩(33)", "   1 △３四歩(33)");
    assert_eq!(moves(&text(&board, Format::Kif).0), "3c3d 7g7f");
}

#[test]
fn squares_are_written_in_all_digits() {
    for line in [
        "▲76歩 △34歩",
        "▲７６歩 △３４歩",
        "▲7六歩△3四歩",
        "☗７六歩☖３四歩",
        "76歩 34歩",
    ] {
        assert_eq!(moves(&text(line, Format::Ki2).0), "7g7f 3c3d", "{line}");
    }
    for numbered in [
        "1 ▲７六歩(77)\n2 △３四歩(33)\n",
        "1 七六歩(77)\n2 34歩（３三）\n",
    ] {
        assert_eq!(moves(&text(numbered, Format::Kif).0), "7g7f 3c3d");
    }
}

#[test]
fn times_are_read_in_every_form() {
    let csa = "PI\n+\n+7776FU,T1.\n-3334FU,T0.25\n+2726FU\nT99999999999999999999\n";
    let (record, _) = text(csa, Format::Csa);
    let times: Vec<_> = record
        .main_line()
        .filter_map(|id| record[id].time)
        .collect();
    let millis: Vec<_> = times.iter().map(std::time::Duration::as_millis).collect();
    assert_eq!(millis[..2], [1000, 250]);
    assert_eq!(times[2].as_secs(), u64::MAX);
    let (_, warnings) = text("PI\n+\nT9\n+7776FU,T\n-3334FU\nTx\n", Format::Csa);
    let expected = [
        "line 3: left out: T9",
        "line 4: left out: T",
        "line 6: left out: Tx",
    ];
    assert_eq!(warnings, expected);
    let kif = "   1 ７六歩(77) (99999999999999999999:00/00:00:00)\n   2 ３四歩(33) ( x )\n";
    let (record, warnings) = text(kif, Format::Kif);
    assert_eq!(record.moves().count(), 2);
    assert_eq!(warnings, ["line 2: left out: ( x )"]);
}

#[test]
fn jkf_may_say_less() {
    let (record, _) = text(
        r#"{"header":{},"initial":null,"moves":[{},{"move":{"to":{"x":7,"y":6},"piece":"FU"}},
            {"move":{"to":{"x":3,"y":4},"piece":"FU"}},{"move":{"from":{"x":8,"y":8},"to":{"x":2,"y":2},"piece":"KA","promote":true}},
            {"move":{"same":true,"piece":"GI"}}]}"#,
        Format::Jkf,
    );
    assert_eq!(moves(&record), "7g7f 3c3d 8h2b+ 3a2b");
    let old = r#"{"moves":[{},{"move":{"color":true,"to":{"x":7,"y":6},"piece":"FU"}},{"move":{"color":false,"to":{"x":3,"y":4},"piece":"FU"}}]}"#;
    assert_eq!(moves(&text(old, Format::Jkf).0), "7g7f 3c3d");
    assert!(fault("[]", Format::Jkf).ends_with("expected a JKF record"));
    let more = "{\"moves\":[{},\n{\"move\":{\"to\":{\"x\":7,\"y\":6},\"piece\":\"FU\"},\"rating\":1}],\"tags\":[2]}";
    let expected = ["line 1: left out: tags", "line 2: left out: rating"];
    assert_eq!(text(more, Format::Jkf).1, expected);
    let wrong = "{\"moves\":[{},\n  {\"move\":{\"from\":{\"x\":7,\"y\":7},\"to\":{\"x\":7,\"y\":5},\"piece\":\"FU\"}}]}";
    let expected = "line 2, column 3: 7775FU: no piece can move like that";
    assert_eq!(fault(wrong, Format::Jkf), expected);
    let malformed = "{\"header\": {},\n \"moves\": [{}, }\n";
    assert!(fault(malformed, Format::Jkf).starts_with("line 2, column 16: "));
}

#[test]
fn what_is_left_out_is_named() {
    let (record, warnings) = text(
        "変化：1手\n▲７六歩 △３四歩\nまで5手で先手の勝ち\n棋戦：試合\nおしまい です\n|v香\n",
        Format::Ki2,
    );
    assert_eq!(record.headers.get("棋戦"), Some("試合"));
    let expected = [
        "line 1: left out: 変化：1手",
        "line 3: 2 moves stand here, not 5",
        "line 3: '先手の勝ち' is kept as it is",
        "line 5: left out: おしまい です",
        "line 6: left out: |v香",
    ];
    assert_eq!(warnings, expected);
    // The text names the player who is to move as the winner.
    let (_, warnings) = text(
        "   1 ７六歩(77)\n   2 投了\nまで1手で後手の勝ち\n",
        Format::Kif,
    );
    assert_eq!(
        warnings,
        ["line 3: 後手の勝ち, but the line ends with 投了"]
    );
    let branch = "▲７六歩\n変化：9手\n▲２六歩\n";
    let expected = "line 2, column 4: a branch at move 9 of a line with 1 moves";
    assert_eq!(fault(branch, Format::Ki2), expected);
}

#[test]
fn old_and_odd_files_are_read() {
    let kif = "手合割：平手\r\n先手：飛車\r\n   1 ７六歩(77)\r\n   2 投了\r\n";
    for text in [
        kif.to_owned(),
        kif.replace("\r\n", "\n"),
        kif.replace("\r\n", "\r"),
    ] {
        let reading = records::read(text.as_bytes(), None).expect("a record");
        assert_eq!(moves(&reading.records[0]), "7g7f");
        assert_eq!(reading.records[0].headers.get("先手"), Some("飛車"));
    }
    let reading = records::read(&EUC_JP.encode(kif).0, None).expect("a record");
    assert_eq!(reading.encoding, records::Encoding::EucJp);
    assert_eq!(
        reading.warnings[0].to_string(),
        "line 1: the file is EUC-JP"
    );
    let hint = ReadError {
        place: records::Place::line(1),
        fault: Fault::Format,
    };
    assert_eq!(records::read(b"hello", None).unwrap_err(), hint);
    for format in Format::ALL {
        let reading = records::read("\u{feff} \n".as_bytes(), Some(format)).expect("nothing");
        assert_eq!(reading.records, []);
    }
}

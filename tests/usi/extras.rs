//! Commands for people and scripts: `moves`, `d`, `eval`, `go perft`, `bench`, and the subcommands.

use std::process::{Command, Output};

use crate::boards::{DECL, MATED, MID, START, root, sfen};
use crate::common::cases::Case;
use crate::common::folder::Folder;
use crate::driver::{Engine, binary};
use crate::load::together;

#[test]
fn moves_on_one_line() {
    let _guard = together();
    let mut engine = Engine::start();
    let unpromoted = "sfen 4k4/9/4P4/9/9/9/9/9/4K4 b P 1";
    for position in [
        "startpos",
        &sfen(MID),
        &sfen(MATED),
        unpromoted,
        "startpos moves 7g7f 3c3d",
    ] {
        engine.send(&format!("position {position}"));
        let lines = engine.ask("moves", "moves");
        let mut expected = root(position).board.legal_moves();
        expected.insert(0, expected.len().to_string());
        assert_eq!(
            lines,
            [format!("moves {}", expected.join(" "))],
            "{position}"
        );
    }
    engine.quit();
}

/// What `d` says below the board, by name.
fn facts(engine: &mut Engine, position: &str) -> Vec<(String, String)> {
    engine.send(&format!("position {position}"));
    let lines = engine.ask("d", "declaration:");
    assert!(lines.len() >= 9 + 5, "no board: {lines:?}");
    assert!(
        lines
            .iter()
            .all(|line| line.is_ascii() && line == line.trim_end()),
        "{lines:?}"
    );
    let facts: Vec<_> = lines[lines.len() - 5..]
        .iter()
        .map(|line| {
            let (name, value) = line
                .split_once(": ")
                .unwrap_or_else(|| panic!("no fact: {line}"));
            (name.to_owned(), value.to_owned())
        })
        .collect();
    let names: Vec<_> = facts.iter().map(|(name, _)| name.as_str()).collect();
    assert_eq!(
        names,
        ["sfen", "key", "checkers", "repetition", "declaration"]
    );
    facts
}

#[test]
fn the_display() {
    let _guard = together();
    let mut engine = Engine::start();
    let values = |facts: Vec<(String, String)>| {
        facts
            .into_iter()
            .map(|(_, value)| value)
            .collect::<Vec<_>>()
    };
    let start = values(facts(&mut engine, "startpos"));
    assert_eq!(start[0], START);
    assert_eq!(start[2..], ["-", "none", "no"]);
    let key = &start[1];
    assert!(
        key.len() == 16 && key.bytes().all(|b| matches!(b, b'0'..=b'9' | b'a'..=b'f')),
        "{key}"
    );
    // The key is that of the position, however it came about.
    let again = values(facts(&mut engine, "startpos moves 2h3h 8b7b 3h2h 7b8b"));
    assert_eq!((&again[1], again[0].ends_with(" b - 5")), (key, true));

    assert_eq!(values(facts(&mut engine, &sfen(MATED)))[2], "5b");
    let double = "sfen 4k4/9/4N4/9/9/9/9/4R4/4K4 b - 1 moves 5c4a+";
    let mut checkers: Vec<_> = values(facts(&mut engine, double))[2]
        .split(' ')
        .map(str::to_owned)
        .collect();
    checkers.sort();
    assert_eq!(checkers, ["4a", "5h"]);

    let decl = values(facts(&mut engine, &sfen(DECL)));
    assert_eq!(decl[4], "yes");
    engine.send("setoption name EnteringKingRule value NoEnteringKing");
    assert_eq!(values(facts(&mut engine, &sfen(DECL)))[4], "no");
    engine.quit();
}

#[test]
fn repetition_verdicts_are_shown() {
    let _guard = together();
    let mut engine = Engine::start();
    for case in Case::of_kinds(&["repetition"]) {
        let moves = crate::common::cases::texts(case.field("moves").unwrap()).join(" ");
        let facts = facts(&mut engine, &format!("{} moves {moves}", sfen(case.sfen())));
        assert_eq!(
            facts[0].1,
            case.text("sfen_after").unwrap(),
            "{}",
            case.id()
        );
        let verdict = case.field("repetition").unwrap()["verdict"]
            .as_str()
            .unwrap();
        assert_eq!(facts[3].1, verdict, "{}", case.id());
    }
    engine.quit();
}

#[test]
fn declarations_are_shown() {
    let _guard = together();
    let mut engine = Engine::start();
    for case in Case::of_kinds(&["declaration"]) {
        for (rule, verdict) in case.field("declaration").unwrap().as_object().unwrap() {
            engine.send(&format!("setoption name EnteringKingRule value {rule}"));
            let shown = facts(&mut engine, &sfen(case.sfen()))[4].1.clone();
            assert_eq!(shown == "yes", verdict == "win", "{}: {rule}", case.id());
        }
    }
    engine.quit();
}

/// The numbers of `eval`: raw, value, cp.
fn eval(engine: &mut Engine, position: &str) -> [i64; 3] {
    engine.send(&format!("position {position}"));
    let lines = engine.ask("eval", "eval");
    let [line] = &lines[..] else {
        panic!("{lines:?}")
    };
    let words: Vec<_> = line.split(' ').collect();
    let ["eval", "raw", raw, "value", value, "cp", cp] = words[..] else {
        panic!("{line}")
    };
    [raw, value, cp].map(|word| word.parse().unwrap_or_else(|_| panic!("{line}")))
}

#[test]
fn the_evaluation() {
    let _guard = together();
    let mut engine = Engine::start();
    // The same board for the other side: what is good for one is bad for the other in a mirror.
    let black = "sfen lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b P 1";
    let white = "sfen lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w p 1";
    let two_pawns_less = |text: &str| {
        text.replace("9/9/9/PPPPPPPPP", "9/9/9/1PPPPPPPP")
            .replace("ppppppppp", "pppppppp1")
    };
    let (black, white) = (two_pawns_less(black), two_pawns_less(white));
    assert_eq!(
        eval(&mut engine, &black),
        eval(&mut engine, &white),
        "colours"
    );
    let rook_down = eval(
        &mut engine,
        "sfen lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B7/LNSGKGSNL b - 1",
    );
    assert!(rook_down[2] < -300 && rook_down[1] < 0, "{rook_down:?}");
    let rook_up = eval(
        &mut engine,
        &sfen(&crate::boards::handicap("lnsgkgsnl/7b1").replace(" w ", " b ")),
    );
    assert!(rook_up[2] > 300 && rook_up[1] > 0, "{rook_up:?}");
    for position in [MID, MATED, crate::boards::TSUME] {
        eval(&mut engine, &sfen(position));
    }
    engine.quit();
}

/// The counts per move and the total of a perft answer.
fn perft_counts(lines: &[String]) -> (Vec<(String, u64)>, u64) {
    let mut counts = Vec::new();
    for line in lines {
        let (name, number) = line
            .split_once(": ")
            .unwrap_or_else(|| panic!("neither count nor total: {line}"));
        let number: u64 = number
            .parse()
            .unwrap_or_else(|_| panic!("no number: {line}"));
        if name == "Nodes searched" {
            return (counts, number);
        }
        counts.push((name.to_owned(), number));
    }
    panic!("no total: {lines:?}");
}

#[test]
fn perft_by_command() {
    let _guard = together();
    let mut engine = Engine::start();
    for (position, depth, total) in [
        ("startpos", 1, 30),
        ("startpos", 4, 719_731),
        (&sfen(MID), 2, 0),
        (&sfen(MATED), 1, 0),
        (&sfen(MATED), 3, 0),
    ] {
        engine.send(&format!("position {position}"));
        let lines = engine.ask(&format!("go perft {depth}"), "Nodes searched:");
        let (counts, sum) = perft_counts(&lines);
        let mut moves: Vec<_> = counts.iter().map(|(text, _)| text.clone()).collect();
        moves.sort();
        assert_eq!(moves, root(position).board.legal_moves(), "{position}");
        assert_eq!(
            counts.iter().map(|(_, n)| n).sum::<u64>(),
            sum,
            "{position}"
        );
        if position == "startpos" {
            assert_eq!(sum, total);
        }
        engine.expect_silence();
    }
    engine.quit();
}

fn run(arguments: &[&str]) -> Output {
    let output = Command::new(binary().get_program())
        .env_remove("RUST_LOG")
        .args(arguments)
        .output();
    output.expect("the binary runs")
}

/// The lines that a successful subcommand prints.
fn printed(arguments: &[&str]) -> Vec<String> {
    let output = run(arguments);
    let text = |bytes: &[u8]| String::from_utf8(bytes.to_vec()).expect("text");
    assert!(
        output.status.success(),
        "{arguments:?}: {} {}",
        output.status,
        text(&output.stderr)
    );
    assert_eq!(text(&output.stderr), "", "{arguments:?}");
    text(&output.stdout).lines().map(str::to_owned).collect()
}

#[test]
fn perft_from_the_shell() {
    let _guard = together();
    for (arguments, total) in [
        (&["perft", "3"][..], 25_470),
        (
            &[
                "perft",
                "2",
                "l6nl/5+P1gk/2np1S3/p1p4Pp/3P2Sp1/1PPb2P1P/P5GS1/R8/LN4bKL w GR5pnsg 1",
            ],
            28_684,
        ),
        (&["perft", "4", "--threads", "2"], 719_731),
        (&["perft", "4", "--threads", "1"], 719_731),
    ] {
        let lines = printed(arguments);
        let (counts, sum) = perft_counts(&lines);
        assert_eq!(sum, total, "{arguments:?}");
        assert_eq!(
            counts.iter().map(|(_, n)| n).sum::<u64>(),
            total,
            "{arguments:?}"
        );
    }
    for wrong in [
        &["perft", "x"][..],
        &["perft"],
        &["perft", "1", "nonsense"],
        &["nonsense"],
    ] {
        let output = run(wrong);
        assert!(!output.status.success(), "{wrong:?}");
        assert!(!output.stderr.is_empty(), "{wrong:?} says what is wrong");
    }
}

/// The last two lines of a bench: nodes, nodes per second.
fn bench_result(lines: &[String]) -> u64 {
    let [.., nodes, speed] = lines else {
        panic!("{lines:?}")
    };
    let number = |line: &str, name: &str| -> u64 {
        let text = line.strip_prefix(name).unwrap_or_else(|| panic!("{line}"));
        text.parse().unwrap_or_else(|_| panic!("{line}"))
    };
    assert!(number(speed, "Nodes/second: ") > 0);
    number(nodes, "Nodes searched: ")
}

#[test]
fn bench_counts_the_same_every_time() {
    let _guard = together();
    let first = printed(&["bench", "--depth", "3"]);
    let nodes = bench_result(&first);
    assert!(nodes > 1000, "{nodes}");
    // At least twenty positions, one line each.
    assert!(
        first
            .iter()
            .filter(|line| line.matches('/').count() >= 8)
            .count()
            >= 20,
        "{first:?}"
    );
    assert_eq!(
        bench_result(&printed(&["bench", "--depth", "3", "--threads", "1"])),
        nodes
    );
    let limited = bench_result(&printed(&["bench", "--nodes", "1000", "--hash", "1"]));
    assert_eq!(
        bench_result(&printed(&["bench", "--nodes", "1000", "--hash", "1"])),
        limited
    );
    bench_result(&printed(&["bench", "--depth", "2", "--threads", "2"]));

    // The command does the same as the subcommand, also after a game.
    let mut engine = Engine::start();
    engine.search("startpos", "go depth 3");
    let lines = engine.ask("bench --depth 3", "Nodes/second:");
    assert_eq!(bench_result(&lines), nodes);
    engine.search("startpos", "go depth 3");
    engine.quit();
}

#[test]
fn help_and_version() {
    let _guard = together();
    let help = printed(&["--help"]).join("\n");
    for word in ["perft", "bench", "--config"] {
        assert!(help.contains(word), "{help}");
    }
    assert!(printed(&["--version"])[0].contains(env!("CARGO_PKG_VERSION")));
}

/// What the doctor says of a machine on which all is well, by label.
fn healthy(lines: &[String]) {
    let labels: Vec<_> = lines
        .iter()
        .filter_map(|line| line.split_ascii_whitespace().next())
        .collect();
    for label in [
        "program",
        "processor",
        "CPU",
        "memory",
        "evaluation",
        "book",
        "rules",
        "search",
    ] {
        assert!(labels.contains(&label), "{label}: {lines:?}");
    }
    let last = lines.last().expect("a conclusion");
    assert_eq!(
        last.split_ascii_whitespace().collect::<Vec<_>>(),
        ["conclusion", "no", "problems", "found"]
    );
}

#[test]
fn the_doctor_finds_an_installation_healthy_or_says_what_is_wrong() {
    let _guard = together();
    healthy(&printed(&["doctor"]));

    let mut engine = Engine::with_options(&[("USI_Hash", "8"), ("BookFile", "<internal>")]);
    engine.expect_only_notes();
    let lines = engine.ask("doctor", "conclusion");
    healthy(&lines);
    assert!(
        lines
            .iter()
            .any(|line| line.starts_with("book          in the start position: ")),
        "{lines:?}"
    );
    let changed = "option        USI_Hash = 8";
    assert!(lines.iter().any(|line| line == changed), "{lines:?}");
    engine.search("startpos", "go depth 2");
    engine.quit();

    let folder = Folder::new("doctor");
    let config = folder.write("doctor.toml", "[options]\nNoSuchOption = 1\n");
    let output = run(&["--config", &config, "doctor"]);
    let text = String::from_utf8_lossy(&output.stdout);
    assert_eq!(output.status.code(), Some(1), "{text}");
    assert!(text.contains("unknown option: NoSuchOption"), "{text}");
    assert!(text.ends_with("1 problem found\n"), "{text}");
}

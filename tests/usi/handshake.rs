//! Starting, options, and the end of the process.

use std::io::Write;
use std::process::Stdio;
use std::time::{Duration, Instant};

use crate::boards::{START, root};
use crate::driver::{Engine, HANG, binary};
use crate::load::{timed, together};

/// A second is generous by far; a slow disk and a virus scanner have been seen to take that long.
const START_LIMIT: Duration = Duration::from_secs(2);

/// The answer to `usi` without the line that ends it, checked for its form.
fn introduction(engine: &mut Engine) -> Vec<String> {
    let lines: Vec<_> = engine
        .lines_to("usiok", HANG)
        .into_iter()
        .map(|line| line.text)
        .collect();
    assert!(
        lines[0].starts_with("id name ") && lines[0].len() < 60,
        "{}",
        lines[0]
    );
    assert!(
        lines[1].starts_with("id author ") && lines[1].len() < 60,
        "{}",
        lines[1]
    );
    assert!(lines.len() > 3, "no options");
    assert!(
        lines[2..lines.len() - 1]
            .iter()
            .all(|line| line.starts_with("option ")),
        "{lines:?}"
    );
    assert_eq!(lines.last().unwrap(), "usiok");
    lines
}

#[test]
fn usi_is_answered_and_nothing_before_it() {
    timed(|watch| {
        let mut engine = Engine::raw();
        let early = engine.forbid("", Duration::from_millis(300));
        assert!(early.is_empty(), "{early:?}");
        engine.send("usi");
        let last = engine.expect("usiok");
        watch.at_most("usi", engine.since_sent(&last), 200);
        engine.quit_timed(watch);
    });
}

#[test]
fn the_process_starts_fast() {
    timed(|_| {
        let mut best = HANG;
        for _ in 0..5 {
            let start = Instant::now();
            let mut engine = Engine::raw();
            engine.send("usi");
            let line = engine.expect("usiok");
            best = best.min(line.at.duration_since(start));
            engine.quit();
        }
        println!(
            "process start to usiok: {:.1} ms at best",
            best.as_secs_f64() * 1000.0
        );
        assert!(best < START_LIMIT, "{} ms", best.as_millis());
    });
}

#[test]
fn forms_of_usi() {
    let _guard = together();
    for bytes in [
        &b"usi\n"[..],
        b"\nusi\n",
        b"\xEF\xBB\xBFusi\r\n",
        b"\r\n \t usi \t\r\n",
    ] {
        let mut engine = Engine::raw();
        engine.send_bytes(bytes);
        introduction(&mut engine);
        engine.quit();
    }
}

#[test]
fn the_last_line_counts_without_its_end() {
    let _guard = together();
    let mut engine = Engine::raw();
    engine.send_bytes(b"usi\nquit");
    engine.close_input();
    introduction(&mut engine);
    engine.finish();
}

#[test]
fn usi_is_not_needed() {
    let _guard = together();
    let mut engine = Engine::raw();
    engine.get_ready();
    engine.search("startpos", "go movetime 100");
    engine.quit();
}

#[test]
fn isready_is_not_needed() {
    let _guard = together();
    let mut engine = Engine::raw();
    engine.search("startpos", "go depth 1");
    engine.quit();
    let mut engine = Engine::raw();
    engine.send("go depth 1");
    engine.answer(&root("startpos"));
    engine.quit();
}

#[test]
fn a_button_before_isready() {
    let _guard = together();
    let mut engine = Engine::raw();
    engine.send("usi\nsetoption name ClearHash");
    introduction(&mut engine);
    engine.quit();
}

#[test]
fn usi_twice() {
    let _guard = together();
    let mut engine = Engine::raw();
    engine.send("usi\nusi");
    let first = introduction(&mut engine);
    assert_eq!(introduction(&mut engine), first);
    // Set values do not show: these are the defaults.
    engine.send("setoption name MultiPV value 3\nusi");
    assert_eq!(introduction(&mut engine), first);
    engine.quit();
}

#[test]
fn hash_and_ponder_as_guis_send_them() {
    let _guard = together();
    let mut engine = Engine::start();
    engine.send("setoption name USI_Hash value 32\nsetoption name USI_Ponder value 0\nsetoption name usi_hash value 64");
    engine.expect_silence();
    engine.send("setoption name USI_Ponder value 1\nsetoption name USI_Ponder value On\nsetoption name USI_Ponder");
    engine.expect_silence();
    engine.quit();
}

#[test]
fn bad_options_are_only_remarked_on() {
    let _guard = together();
    let mut engine = Engine::start();
    for (line, is_remarked) in [
        ("setoption name Threads value abc", true),
        ("setoption name Threads value -5", false),
        ("setoption name Threads value 99999999999", false),
        ("setoption name Threads value 2.9", false),
        ("setoption", true),
        ("setoption name", true),
        ("setoption name X", true),
        ("setoption name X value", true),
        ("setoption name Nope value a b c", true),
        ("setoption name EnteringKingRule value Nonsense", true),
        ("setoption name USI_Ponder value perhaps", true),
        ("setoption value name Threads", true),
        ("setoption name Threads value 1", false),
    ] {
        engine.send(line);
        // `isready` may have something to say about the threads, `setoption` itself about the value.
        let notes = engine.expect_only_notes();
        assert!(notes.len() <= 2, "{line}: {notes:?}");
        if is_remarked {
            assert_eq!(notes.len(), 1, "{line}: {notes:?}");
        }
        engine.send("setoption name Threads value 1");
    }
    engine.search("startpos", "go depth 1");
    engine.quit();
}

#[test]
fn names_and_values_may_hold_blanks() {
    let _guard = together();
    let mut engine = Engine::start();
    for line in [
        "setoption name Clear Hash",
        "setoption name Clear Hash value none",
        "setoption   name   MULTIPV   value   1  ",
        "setoption name entERINGkingRule value csarule24",
        "setoption MultiPV value 1",
    ] {
        engine.send(line);
        engine.expect_silence();
    }
    engine.quit();
}

#[test]
fn names_that_clients_send_unasked() {
    let _guard = together();
    let mut engine = Engine::start();
    for name in [
        "USI_Variant value shogi",
        "UCI_Variant value shogi",
        "UCI_AnalyseMode value false",
        "USI_AnalyseMode value false",
        "USI_LimitStrength value false",
        "UCI_LimitStrength value false",
        "USI_Elo value 1500",
        "UCI_Elo value 1500",
        "USI_Strength value 1",
        "USI_ShowCurrLine value false",
        "USI_ShowRefutations value false",
        "Hash value 16",
        "Ponder value false",
        "NumberOfThreads value 1",
        "USI_Threads value 1",
        "Clear_Hash",
        "Eval_Dir value eval",
        "Book_File value book",
        "Slow_Mover value 100",
        "Byoyomi_Margin value 0",
        "Time_Margin value 0",
        "PV_Interval value 300",
        "Draw_Ply value 0",
        "USI_MultiPV value 2",
    ] {
        engine.send(&format!("setoption name {name}"));
        engine.expect_silence();
    }
    let answer = engine.search("startpos", "go depth 4");
    let blocks = answer
        .blocks(2)
        .unwrap_or_else(|complaint| engine.fail(&complaint));
    assert!(blocks > 0);
    engine.quit();
}

#[test]
fn an_evaluation_file_that_is_missing() {
    timed(|watch| {
        let mut engine = Engine::start();
        engine.send("setoption name EvalFile value /no/such file with blanks");
        engine.send("isready");
        let lines = engine.lines_to("readyok", HANG);
        watch.at_most("isready", engine.since_sent(lines.last().unwrap()), 3000);
        for line in &lines[..lines.len() - 1] {
            assert!(
                line.text.is_empty() || line.text.starts_with("info string "),
                "{}",
                line.text
            );
        }
        engine.send("position startpos\ngo depth 1");
        engine.expect("bestmove");
        engine.quit();
    });
}

#[test]
fn ready_again_and_again() {
    let _guard = together();
    let mut engine = Engine::start();
    engine.send("usinewgame\nisready\nusinewgame\nisready");
    engine.expect("readyok");
    engine.expect("readyok");
    engine.send("isready\nisready\nisready");
    for _ in 0..3 {
        engine.expect("readyok");
    }
    engine.expect_silence();
    engine.quit();
}

#[test]
fn an_unchanged_engine_is_ready_at_once() {
    timed(|watch| {
        let mut engine = Engine::start();
        engine.send("isready");
        let line = engine.expect("readyok");
        watch.at_most("isready again", engine.since_sent(&line), 100);
        engine.quit_timed(watch);
    });
}

#[test]
#[cfg(target_os = "linux")]
fn a_large_hash_takes_no_more_memory_than_its_size() {
    // How much of its memory the table has by then depends on the machine: tests of the table see to that.
    const HASH: u64 = 2048 << 10;
    let _guard = together();
    let mut engine = Engine::with_options(&[("USI_Hash", "2048")]);
    let ready = engine.memory().expect("the process runs");
    assert!(ready < HASH + (512 << 10), "{ready} KiB when ready");
    engine.search("startpos", "go depth 5").best_move();
    engine.quit();
}

#[test]
fn unknown_words_get_one_remark() {
    let _guard = together();
    let mut engine = Engine::start();
    for (line, remark) in [
        ("foo", "info string unknown command: foo"),
        ("USI", "info string unknown command: USI"),
        ("Quit now", "info string unknown command: Quit"),
    ] {
        engine.send(line);
        assert_eq!(engine.expect_only_notes(), [remark], "{line}");
    }
    engine.send("\n\n   \n\r\n\t\ndebug\ndebug on\ndebug off\nregister later");
    engine.expect_silence();
    let long = "x".repeat(300);
    engine.send(&long);
    assert_eq!(
        engine.expect_only_notes(),
        [format!("info string unknown command: {}", &long[..40])]
    );
    engine.quit();
}

/// What the engine is busy with, and for how long in ms. Commands for scripts, as `bench`, are done before the next
/// line is read.
const STATES: [(&str, u64); 13] = [
    ("usi", 100),
    ("isready", 100),
    ("position startpos", 100),
    ("go infinite", 100),
    ("go ponder", 100),
    ("go depth 50", 100),
    ("go mate infinite", 100),
    ("go infinite\nstop", 100),
    ("position sfen bad\ngo infinite", 100),
    ("setoption name Threads value 8\nisready\ngo infinite", 300),
    (
        "setoption name MultiPV value 9\nsetoption name ConsiderationMode value true\ngo infinite",
        100,
    ),
    (
        "setoption name USI_Hash value 1024\nisready\ngo infinite",
        2000,
    ),
    ("setoption name USI_Hash value 1024\nisready", 0),
];

#[test]
fn quit_in_any_state() {
    timed(|watch| {
        for (lines, ms) in STATES {
            for is_quit in [true, false] {
                let mut engine = Engine::start();
                engine.send(lines);
                std::thread::sleep(Duration::from_millis(ms));
                if is_quit {
                    engine.send("quit");
                } else {
                    engine.close_input();
                }
                let elapsed = engine.finish();
                println!("{lines:?}: {} ms", elapsed.as_millis());
                watch.at_most(lines, elapsed, 500);
            }
        }
    });
}

/// A client that is gone: nobody reads stdout any more.
#[test]
fn a_closed_stdout_is_a_quit() {
    timed(|watch| {
        let mut child = binary()
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("the binary starts");
        drop(child.stdout.take());
        let mut stdin = child.stdin.take().expect("a pipe");
        stdin
            .write_all(b"usi\nisready\nposition startpos\ngo infinite\n")
            .expect("a running process reads");
        let start = Instant::now();
        let status = loop {
            if let Some(status) = child.try_wait().expect("a process to wait for") {
                break status;
            }
            if start.elapsed() > Duration::from_secs(20) {
                child.kill().expect("a process to end");
                panic!("still running without anybody to talk to");
            }
            std::thread::sleep(Duration::from_millis(2));
        };
        watch.at_most("end after stdout was closed", start.elapsed(), 500);
        let mut errors = String::new();
        std::io::Read::read_to_string(&mut child.stderr.take().expect("a pipe"), &mut errors)
            .expect("text");
        assert_eq!(errors, "");
        assert!(status.success(), "{status}");
        drop(stdin);
    });
}

#[test]
fn the_start_position_of_the_tests_is_the_usual_one() {
    assert_eq!(root("startpos").board.sfen(1), START);
}

//! Searches that run: stopping, replacing, asking meanwhile, and the lines they print.

use std::time::Duration;

use crate::answer::{Best, Bound, Info};
use crate::boards::{DECL, MATE1, MATED, MID, ONE, root, sfen};
use crate::driver::{Engine, HANG};
use crate::load::{timed, together};

#[test]
fn infinite_means_until_stop() {
    timed(|watch| {
        let mut engine = Engine::start();
        for position in [
            "startpos",
            &sfen(MATE1),
            &sfen(MATED),
            &sfen(ONE),
            &sfen(DECL),
        ] {
            for go in ["go infinite", "go infinite depth 1", "go infinite "] {
                engine.send(&format!("position {position}\n{go}"));
                engine.forbid(
                    "bestmove",
                    Duration::from_millis(if go == "go infinite" { 500 } else { 150 }),
                );
                engine.send("stop");
                let line = engine.expect("bestmove");
                watch.at_most(&format!("stop in {position}"), engine.since_sent(&line), 50);
            }
        }
        engine.quit_timed(watch);
    });
}

#[test]
fn answers_after_stop_are_whole() {
    let _guard = together();
    let mut engine = Engine::start();
    for position in [
        "startpos",
        &sfen(MATE1),
        &sfen(MATED),
        &sfen(ONE),
        &sfen(MID),
    ] {
        for pause in [0, 1, 5, 30, 200] {
            engine.send(&format!("position {position}\ngo infinite"));
            std::thread::sleep(Duration::from_millis(pause));
            engine.send("stop");
            let answer = engine.answer(&root(position));
            assert_eq!(
                answer.best == Best::Resign,
                position.contains(MATED),
                "{position}"
            );
        }
    }
    engine.quit();
}

#[test]
fn ready_during_a_search() {
    timed(|watch| {
        let mut engine = Engine::start();
        engine.send("position startpos\ngo infinite");
        std::thread::sleep(Duration::from_millis(200));
        engine.send("isready");
        let line = engine.expect("readyok");
        watch.at_most("isready", engine.since_sent(&line), 50);
        engine.send("usi");
        let line = engine.expect("usiok");
        watch.at_most("usi", engine.since_sent(&line), 200);
        engine.forbid("bestmove", Duration::from_millis(300));
        engine.send("stop");
        engine.expect("bestmove");
        engine.quit_timed(watch);
    });
}

#[test]
fn the_answer_comes_before_readyok() {
    let _guard = together();
    let mut engine = Engine::start();
    for _ in 0..20 {
        engine.send("position startpos\ngo infinite\nstop\nisready");
        let words: Vec<_> = engine
            .lines_to("readyok", HANG)
            .iter()
            .map(|line| line.text.split(' ').next().unwrap().to_owned())
            .filter(|word| word != "info")
            .collect();
        assert_eq!(words, ["bestmove", "readyok"]);
    }
    engine.quit();
}

#[test]
fn a_new_search_replaces_the_old_one() {
    let _guard = together();
    let mut engine = Engine::start();
    for pause in [0, 100] {
        engine.send("position startpos\ngo infinite");
        std::thread::sleep(Duration::from_millis(pause));
        engine.send("position startpos moves 7g7f\ngo depth 1");
        let lines = engine.lines_to("bestmove", HANG);
        let best = lines
            .last()
            .unwrap()
            .text
            .split(' ')
            .nth(1)
            .unwrap()
            .to_owned();
        assert!(root("startpos moves 7g7f").board.is_legal(&best), "{best}");
        engine.send("stop");
        engine.expect_silence();
    }
    engine.quit();
}

#[test]
fn many_searches_and_as_many_answers() {
    let _guard = together();
    let mut engine = Engine::start();
    for _ in 0..30 {
        engine.send("position startpos\ngo depth 1\nwait\nposition startpos moves 7g7f\ngo depth 2\nwait\nisready");
        let lines = engine.lines_to("readyok", HANG);
        assert_eq!(
            lines
                .iter()
                .filter(|line| line.text.starts_with("bestmove "))
                .count(),
            2
        );
    }
    engine.quit();
}

#[test]
fn options_during_a_search() {
    let _guard = together();
    let mut engine = Engine::start();
    engine.send("position startpos\ngo infinite");
    std::thread::sleep(Duration::from_millis(100));
    engine.send("setoption name MultiPV value 3\nsetoption name USI_Hash value 16\nsetoption name Threads value 2\nstop");
    engine.answer(&root("startpos")).best_move();
    let answer = engine.search("startpos", "go depth 5");
    answer
        .blocks(3)
        .unwrap_or_else(|complaint| engine.fail(&complaint));
    engine.quit();
}

#[test]
fn nothing_to_stop() {
    let _guard = together();
    let mut engine = Engine::start();
    for lines in [
        "stop",
        "ponderhit",
        "gameover win",
        "stop\nstop\nponderhit btime 1 wtime 1\ngameover",
    ] {
        engine.send(lines);
        engine.expect_silence();
    }
    engine.quit();
}

#[test]
fn blocks_of_several_lines() {
    let _guard = together();
    let mut engine = Engine::with_options(&[("MultiPV", "5")]);
    for (position, go) in [
        ("startpos", "go depth 8"),
        (&sfen(MID), "go depth 5"),
        ("startpos", "go nodes 30000"),
    ] {
        let answer = engine.search(position, go);
        let blocks = answer
            .blocks(5)
            .unwrap_or_else(|complaint| engine.fail(&complaint));
        assert!(blocks > 0);
        engine.new_game();
    }
    let answer = engine.search(&sfen(ONE), "go depth 4");
    assert!(
        answer
            .infos
            .iter()
            .all(|info| info.multipv.is_none_or(|k| k == 1))
    );
    engine.quit();
}

/// Everything the driver checks of every search, on positions of all kinds.
#[test]
fn lines_and_answers_fit() {
    let _guard = together();
    let mut engine = Engine::start();
    let shuffled = format!("startpos moves{}", " 2h3h 8b7b 3h2h 7b8b".repeat(2));
    let cases = crate::common::cases::Case::of_kinds(&[
        "perft",
        "mate",
        "evasion",
        "extreme",
        "declaration",
    ]);
    let positions: Vec<_> = cases
        .iter()
        .map(|case| sfen(case.sfen()))
        .chain([shuffled])
        .collect();
    for position in &positions {
        let answer = engine.search(position, "go nodes 20000");
        let exact = answer
            .infos
            .iter()
            .filter(|info| info.bound == Bound::Exact);
        assert!(
            matches!(answer.best, Best::Resign | Best::Win) || exact.count() > 0,
            "{position}"
        );
    }
    engine.quit();
}

#[test]
fn the_same_search_twice() {
    let _guard = together();
    let mut engine = Engine::with_options(&[("Threads", "1")]);
    for (position, go) in [
        ("startpos", "go depth 10"),
        (&sfen(MID), "go depth 6"),
        ("startpos", "go nodes 50000"),
    ] {
        let mut results = Vec::new();
        for _ in 0..2 {
            engine.new_game();
            let answer = engine.search(position, go);
            results.push((
                answer.nodes(),
                answer.score(),
                answer.best_move().to_owned(),
            ));
        }
        assert_eq!(results[0], results[1], "{position} {go}");
    }
    engine.quit();
}

#[test]
fn two_processes_agree() {
    let _guard = together();
    let search = || {
        let mut engine = Engine::with_options(&[("Threads", "1")]);
        let answer = engine.search(&sfen(MID), "go depth 6");
        engine.quit();
        (
            answer.nodes(),
            answer.score(),
            answer.best_move().to_owned(),
        )
    };
    assert_eq!(search(), search());
}

/// Analysis is not a flood: no more than about twenty lines a second, and a sign of life now and then.
#[test]
fn lines_come_at_a_sensible_rate() {
    let _guard = together();
    let mut engine = Engine::start();
    engine.send("position startpos\ngo infinite");
    engine.forbid("bestmove", Duration::from_millis(1000));
    let lines = engine.forbid("bestmove", Duration::from_millis(4000));
    engine.send("stop");
    engine.expect("bestmove");
    assert!(
        (1..=100).contains(&lines.len()),
        "{} lines in four seconds",
        lines.len()
    );
    engine.quit();
}

/// Reports of one search but the last, which comes when it comes: those on the same move keep the interval, others a
/// shorter one. The engine's own times are compared, so that it does not matter how busy the machine is.
fn keep_their_distance(infos: &[Info], interval: u64) {
    for pair in infos[..infos.len() - 1].windows(2) {
        let is_news = pair[0].pv.first() != pair[1].pv.first();
        let least = if is_news { interval.min(50) } else { interval };
        let distance = pair[1].time - pair[0].time;
        assert!(distance + 1 >= least, "{pair:?}");
    }
}

#[test]
fn reports_keep_their_distance() {
    let _guard = together();
    let mut engine = Engine::with_options(&[("PvInterval", "200")]);
    let pause = || std::thread::sleep(Duration::from_millis(700));
    for position in ["startpos", &sfen(MATE1), &sfen(ONE), &sfen(MID)] {
        for (go, then) in [
            ("go infinite", "stop"),
            ("go ponder", "stop"),
            ("go ponder", "ponderhit btime 0 wtime 0 byoyomi 700"),
        ] {
            engine.send(&format!("position {position}\n{go}"));
            pause();
            engine.send(then);
            let answer = engine.answer(&root(position));
            keep_their_distance(&answer.infos, 200);
        }
        let answer = engine.search(position, "go movetime 700");
        keep_their_distance(&answer.infos, 200);
    }
    // Who considers a position wants to see everything.
    engine.send("setoption name ConsiderationMode value true");
    let answer = engine.search("startpos", "go depth 5");
    assert!(answer.infos.len() >= 5, "{:?}", answer.infos);
    engine.quit();
}

//! `go mate`.

use std::time::Duration;

use crate::boards::{MATE1, MATE1D, MATE1K, MATE3, MATED, NOMATE, root, sfen};
use crate::driver::Engine;
use crate::load::{timed, together};

/// A problem that takes seconds.
const HARD: &str =
    "g1+P1k1+P+L1/1p3P3/+R+p2pp1pl/1NNsg+p2+R/+b+nL+P1+p3/1P3ssP1/2P1+Ps2N/4+P1P1L/+B5G1g b - 1";

/// Asks for a mate; returns what stands after `checkmate`, and when it came.
fn ask(engine: &mut Engine, position: &str, go: &str) -> (String, Duration) {
    engine.send(&format!("position sfen {position}\n{go}"));
    answer(engine)
}

fn answer(engine: &mut Engine) -> (String, Duration) {
    let lines = engine.lines_to("checkmate", Duration::from_secs(20));
    assert!(
        lines.iter().all(|line| !line.text.starts_with("bestmove")),
        "a bestmove in answer to go mate"
    );
    let last = lines.last().expect("checkmate");
    let words = last
        .text
        .strip_prefix("checkmate ")
        .unwrap_or_else(|| engine.fail("a bare checkmate"));
    (words.to_owned(), engine.since_sent(last))
}

/// A mate of this length: legal moves, checks by the attacker, the last position mate.
fn check_mate(engine: &Engine, position: &str, words: &str, plies: usize) {
    let mut line = root(&sfen(position));
    let moves: Vec<_> = words.split(' ').collect();
    assert_eq!(moves.len(), plies, "{words}");
    for (ply, text) in moves.iter().enumerate() {
        if !line.board.is_legal(text) || ply % 2 == 0 && !line.board.gives_check(text) {
            engine.fail(&format!("{text} is no move of a mate"));
        }
        line.play(text);
    }
    assert!(line.board.is_mate(), "{words} does not mate");
}

#[test]
fn mates() {
    let _guard = together();
    let mut engine = Engine::start();
    for (position, go, plies) in [
        (MATE1, "go mate infinite", 1),
        (MATE1K, "go mate infinite", 1),
        (MATE1D, "go mate infinite", 1),
        (MATE1, "go mate", 1),
        (MATE3, "go mate 5000", 3),
    ] {
        let (words, _) = ask(&mut engine, position, go);
        check_mate(&engine, position, &words, plies);
        engine.send("stop");
        engine.expect_silence();
    }
    engine.quit();
}

#[test]
fn no_mate() {
    timed(|watch| {
        let mut engine = Engine::start();
        // An attacker without a move, and a defender without a king, are no mates either.
        for position in [NOMATE, MATED, "9/9/9/9/9/9/9/9/4K4 b G 1"] {
            let (words, _) = ask(&mut engine, position, "go mate infinite");
            assert_eq!(words, "nomate", "{position}");
        }
        let (words, elapsed) = ask(&mut engine, HARD, "go mate 1");
        assert_eq!(words, "timeout");
        watch.at_most("go mate 1", elapsed, 300);
        engine.quit_timed(watch);
    });
}

#[test]
fn one_answer_each() {
    timed(|watch| {
        let mut engine = Engine::start();
        for go in [
            "go mate infinite",
            "go mate foo",
            "go mate",
            "go mate nodes 100",
            "go nodes 100 mate infinite",
        ] {
            engine.send(&format!("position sfen {HARD}\n{go}"));
            std::thread::sleep(Duration::from_millis(100));
            engine.send("stop");
            let (words, _) = answer(&mut engine);
            assert_eq!(words, "timeout", "{go}");
            engine.expect_silence();
        }
        engine.send(&format!("position sfen {HARD}\ngo mate infinite"));
        engine.forbid("checkmate", Duration::from_millis(200));
        engine.send("stop");
        let (words, elapsed) = answer(&mut engine);
        assert_eq!(words, "timeout");
        watch.at_most("stop", elapsed, 50);
        engine.quit_timed(watch);
    });
}

#[test]
fn a_refused_position() {
    let _guard = together();
    let mut engine = Engine::start();
    engine.send("position sfen bad");
    assert_eq!(engine.expect_only_notes().len(), 1);
    engine.send("go mate infinite");
    assert_eq!(answer(&mut engine).0, "timeout");
    engine.quit();
}

#[test]
fn a_search_goes_on_after_a_mate_problem() {
    let _guard = together();
    let mut engine = Engine::start();
    ask(&mut engine, MATE1, "go mate 1000");
    engine.search("startpos", "go depth 2").best_move();
    // And a mate problem replaces a search.
    engine.send("position startpos\ngo infinite");
    std::thread::sleep(Duration::from_millis(50));
    ask(&mut engine, MATE1, "go mate 1000");
    engine.expect_silence();
    engine.quit();
}

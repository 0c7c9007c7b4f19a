//! The `position` command: what is accepted, what is refused, and what a refusal means.

use std::time::Duration;

use crate::answer::Best;
use crate::boards::{
    self, EMPTY, HANDICAPS, MATE1D, MATE1K, MID, START, TSUME, TSUME_TWO_KINGS, root, sfen,
};
use crate::common::random::Random;
use crate::driver::{Engine, HANG};
use crate::load::{timed, together};

/// Sends a `position` line as written, searches, and checks the answer against a well-formed twin.
fn reads(engine: &mut Engine, line: &str, twin: &str) {
    engine.send(&format!("{line}\ngo depth 1"));
    let answer = engine.answer(&root(twin));
    assert!(
        matches!(answer.best, Best::Move(_)),
        "{line}: {:?}",
        answer.best
    );
}

#[test]
fn forms_of_startpos() {
    let _guard = together();
    let mut engine = Engine::start();
    for line in [
        "position startpos",
        "position startpos moves",
        "position startpos moves ",
        "position\tstartpos\tmoves\t",
        "position   startpos   moves   ",
        "  position startpos",
        "position sfen startpos",
    ] {
        reads(&mut engine, line, "startpos");
    }
    reads(
        &mut engine,
        "position\t startpos \t moves   7g7f\t3c3d ",
        "startpos moves 7g7f 3c3d",
    );
    reads(&mut engine, "moves 7g7f 3c3d", "startpos moves 7g7f 3c3d");
    engine.quit();
}

#[test]
fn forms_of_an_sfen() {
    let _guard = together();
    let mut engine = Engine::start();
    let board = START.split(' ').next().unwrap();
    for line in [
        format!("position sfen {board} b -"),
        format!("position sfen {board} b"),
        format!("position sfen {board} b moves"),
        format!("position sfen {board} b - moves"),
        format!("position {board} b - 1"),
        format!("position {board} b"),
        format!("position sfen {board} B - 1"),
        format!("position sfen {board} b - 0"),
        format!("position sfen {board} b - -7"),
        format!("position sfen {board} b - one"),
        format!("position sfen {board} b - 99999999999999999999"),
        format!("position sfen  {board}   b  -   1 "),
        format!("position sfen {board} b - 1 and some more"),
        format!("position sfen {} b - 1", board.replace('9', "45")),
    ] {
        reads(&mut engine, &line, "startpos");
    }
    reads(
        &mut engine,
        &format!("position sfen {board} b moves 7g7f 3c3d"),
        "startpos moves 7g7f 3c3d",
    );
    reads(
        &mut engine,
        &format!(
            "position sfen {} W - 1",
            boards::handicap("4k4/9").split(' ').next().unwrap()
        ),
        &sfen(&boards::handicap("4k4/9")),
    );
    // Hands in any order, split, with counts of one, and mixed.
    let two_kings = "4k4/9/9/9/9/9/9/9/4K4 b";
    let twin = sfen(&format!("{two_kings} RB2G3Prb2p 1"));
    for hands in [
        "RB2G3Prb2p",
        "PPPbrpp1G1G1BR",
        "p2PrGbG1R1BpP",
        "2pr3Pb2GBR",
    ] {
        reads(
            &mut engine,
            &format!("position sfen {two_kings} {hands} 1"),
            &twin,
        );
    }
    engine.quit();
}

#[test]
fn handicaps() {
    let _guard = together();
    let mut engine = Engine::start();
    for (ranks, count) in HANDICAPS {
        let position = sfen(&boards::handicap(ranks));
        engine.search(&position, "go depth 3").best_move();
        let lines = engine.ask("go perft 1", "Nodes searched:");
        assert_eq!(
            lines.last().unwrap(),
            &format!("Nodes searched: {count}"),
            "{position}"
        );
        assert_eq!(
            root(&position).board.legal_moves().len() as u32,
            count,
            "{position}"
        );
    }
    engine.quit();
}

#[test]
fn histories() {
    let _guard = together();
    let mut engine = Engine::start();
    for position in [
        "sfen 4k4/9/4P4/9/9/9/9/9/4K4 b - 1 moves 5c5b",
        "startpos moves 5g5f 5c5d 5f5e 5d5e 9g9f 5e5f 9f9e 5f5g 5i4h",
        "startpos moves 7g7f 3c3d 8h2b 3a2b",
        "startpos moves 2g2f 8c8d 2f2e 8d8e 2e2d 2c2d 2h2d P*2c P*9e",
        "startpos moves 7g7f 0000 2g2f",
    ] {
        engine.search(position, "go depth 1").best_move();
    }
    for (line, twin) in [
        (
            "startpos moves 7g7f 3c3d 8h2b+ resign",
            "startpos moves 7g7f 3c3d 8h2b+",
        ),
        ("startpos moves 7g7f %TORYO 3c3d", "startpos moves 7g7f"),
        ("startpos moves 7g7f rep_draw", "startpos moves 7g7f"),
        ("startpos moves win", "startpos"),
        (
            "startpos moves 7g7f null 2g2f pass",
            "startpos moves 7g7f 0000 2g2f 0000",
        ),
        (
            "startpos moves 7g7f 3c3d 8h2b+ 3a2b b*5e",
            "startpos moves 7g7f 3c3d 8h2b+ 3a2b B*5e",
        ),
        (
            "startpos moves 7g7f 3c3d 8h2b+ 3a2b B@5e",
            "startpos moves 7g7f 3c3d 8h2b+ 3a2b B*5e",
        ),
    ] {
        engine.send(&format!("position {line}\ngo depth 2"));
        engine.answer(&root(twin)).best_move();
    }
    engine.send("position startpos moves 7g7f= 3c3d=\ngo depth 2");
    engine.answer(&root("startpos moves 7g7f 3c3d")).best_move();
    // A king left in check: any answer will do.
    engine.send("position sfen 4k4/9/9/9/9/9/9/9/K3R4 w - 1 moves 5a5b\ngo depth 1");
    engine.expect("bestmove");
    engine.expect_silence();
    engine.quit();
}

/// A refused position is answered by `resign` at once, not by the move of another position.
fn is_refused(engine: &mut Engine, line: &str, go: &str) -> Duration {
    engine.send(line);
    let notes = engine.expect_only_notes();
    assert_eq!(notes.len(), 1, "{line}: {notes:?}");
    assert!(
        notes[0].starts_with("info string position rejected: "),
        "{line}: {notes:?}"
    );
    engine.send(go);
    let answer = engine.expect("bestmove");
    assert_eq!(answer.text, "bestmove resign", "{line}");
    let elapsed = engine.since_sent(&answer);
    assert!(engine.is_alive());
    elapsed
}

#[test]
fn impossible_moves() {
    timed(|watch| {
        let mut engine = Engine::start();
        engine.search("startpos", "go depth 1");
        for moves in [
            "7g7e",
            "5e5d",
            "P*5e",
            "3c3d",
            "7g7f+",
            "7g",
            "7g7f 7g7f",
            "2h2b",
            "K*5e",
            "7g7f 3c3d xyz",
            "5i6i",
        ] {
            let line = format!("position startpos moves {moves}");
            let elapsed = is_refused(&mut engine, &line, "go btime 60000 wtime 60000");
            watch.at_most(&line, elapsed, 50);
            engine.search("startpos", "go depth 1").best_move();
        }
        engine.quit_timed(watch);
    });
}

#[test]
fn impossible_boards() {
    let _guard = together();
    let mut engine = Engine::start();
    let nineteen_pawns = "4k4/9/ppppppppp/9/9/9/PPPPPPPPP/9/4K4 b P 1";
    for line in [
        "position sfen garbage",
        "position sfen 9/9 b - 1",
        "position",
        "position sfen",
        &format!("position sfen {nineteen_pawns}"),
        "position sfen 4k4/9/9/9/9/9/9/9/4+K4 b - 1",
        "position sfen 4k5/9/9/9/9/9/9/9/4K4 b - 1",
        "position sfen 4k4/9/9/9/9/9/9/9/K7K b - 1",
        "position sfen 4k4/9/9/9/9/9/9/4R4/K8 b - 1",
        "position sfen 4k4/9/9/9/9/9/9/9/4K4 x - 1",
        "position sfen 4k4/9/9/9/9/9/9/9/4K4 b 0P 1",
        "position sfen 4k4/9/9/9/9/9/9/9/4K4 b K 1",
        "position nonsense moves 7g7f",
    ] {
        is_refused(&mut engine, line, "go depth 1");
    }
    // Waiting modes wait for `stop` even then.
    engine.send("position sfen garbage");
    engine.expect_only_notes();
    for go in ["go infinite", "go ponder"] {
        engine.send(go);
        engine.forbid("bestmove", Duration::from_millis(200));
        engine.send("stop");
        assert_eq!(engine.expect("bestmove").text, "bestmove resign");
    }
    engine.search("startpos", "go depth 1").best_move();
    engine.quit();
}

/// A position that could not even be read as text is refused like any other; the one before is not searched.
#[test]
fn positions_that_are_no_text() {
    let _guard = together();
    let mut engine = Engine::start();
    for line in [
        b"position startpos \xff\xfe moves 7g7f\n".to_vec(),
        b"position startpos \0 moves 7g7f\n".to_vec(),
        [
            b"position startpos moves".to_vec(),
            b" 7g7f".repeat(200_000),
            b"\n".to_vec(),
        ]
        .concat(),
    ] {
        engine.send("position startpos");
        engine.send_bytes(&line);
        engine.expect_only_notes();
        engine.send("go depth 1");
        assert_eq!(engine.expect("bestmove").text, "bestmove resign");
    }
    engine.search("startpos", "go depth 1").best_move();
    engine.quit();
}

#[test]
fn noise_is_survived() {
    let _guard = together();
    let mut engine = Engine::start();
    let mut random = Random::new(23);
    let mut noise = Vec::new();
    for _ in 0..10_000 {
        // Long enough that no line is a command by chance.
        let length = 8 + random.below(60);
        noise.extend(
            (0..length)
                .map(|_| random.next() as u8)
                .filter(|&byte| byte != b'\n'),
        );
        noise.push(b'\n');
    }
    engine.send_bytes(&noise);
    engine.expect_only_notes();

    for line in [
        vec![0; 100],
        b"position startpos \0 moves 7g7f".to_vec(),
        b"setoption name EvalFile value \xff\xfe\x80".to_vec(),
        [
            b"position startpos moves \xe9\xa3\x9b".to_vec(),
            vec![b'x'; 50],
        ]
        .concat(),
        vec![b'a'; 1 << 20],
        [b"go ".to_vec(), vec![b' '; 1 << 20]].concat(),
        [
            b"position startpos moves".to_vec(),
            b" 7g7f".repeat(200_000),
        ]
        .concat(),
    ] {
        engine.send_bytes(&line);
        engine.send("");
        engine.send("stop\nisready");
        let lines = engine.lines_to("readyok", HANG);
        for line in lines.iter().filter(|line| !line.text.is_empty()) {
            let word = line.text.split(' ').next().unwrap();
            assert!(
                ["info", "bestmove", "readyok"].contains(&word),
                "{}",
                line.text
            );
        }
    }
    engine.send("setoption name EvalFile value <internal>");
    engine.get_ready();
    engine.search("startpos", "go depth 1").best_move();
    engine.quit();
}

/// Real words in senseless order, searches among them.
#[test]
fn shuffled_commands_are_survived() {
    const WORDS: [&str; 43] = [
        "position",
        "startpos",
        "sfen",
        "moves",
        "go",
        "stop",
        "ponderhit",
        "infinite",
        "ponder",
        "mate",
        "depth",
        "nodes",
        "btime",
        "wtime",
        "byoyomi",
        "binc",
        "winc",
        "movetime",
        "searchmoves",
        "7g7f",
        "3c3d",
        "8h2b+",
        "P*5e",
        "0000",
        "setoption",
        "name",
        "value",
        "MultiPV",
        "EnteringKingRule",
        "usinewgame",
        "gameover",
        "win",
        "isready",
        "usi",
        "-1",
        "1",
        "3",
        "100",
        "99999999999999999999",
        "d",
        "moves",
        "eval",
        "resign",
    ];
    let _guard = together();
    let mut engine = Engine::start();
    engine.set_free_form(true);
    let mut random = Random::new(24);
    for round in 0..40 {
        for _ in 0..25 {
            let words: Vec<_> = (0..1 + random.below(7))
                .map(|_| random.pick(&WORDS))
                .collect();
            engine.send(&words.join(" "));
        }
        // An unknown word is answered in its turn, so it tells when all this is done.
        let mark = format!("mark{round}");
        engine.send(&format!(
            "stop\nusinewgame\nposition startpos\ngo depth 1\nwait\n{mark}"
        ));
        engine.lines_to(&format!("info string unknown command: {mark}"), HANG);
        assert!(engine.is_alive());
    }
    engine.set_free_form(false);
    engine.send("setoption name MultiPV value 1\nsetoption name EnteringKingRule value CSARule27");
    engine.get_ready();
    engine.search("startpos", "go depth 1").best_move();
    engine.quit();
}

#[test]
fn a_long_history() {
    timed(|watch| {
        let mut engine = Engine::start();
        let moves = " 2h3h 8b7b 3h2h 7b8b".repeat(500);
        let answer = engine.search(&format!("startpos moves{moves}"), "go depth 2");
        answer.best_move();
        watch.at_most("2000 moves", answer.elapsed, 1000);
        engine.quit_timed(watch);
    });
}

#[test]
fn a_history_of_100_kilobytes() {
    let _guard = together();
    let mut engine = Engine::start();
    let moves = " 2h3h 8b7b 3h2h 7b8b".repeat(5000);
    engine.send(&format!("position startpos moves{moves}\ngo depth 2"));
    let last = " 2h3h 8b7b 3h2h 7b8b".repeat(4);
    engine
        .answer(&root(&format!("startpos moves{last}")))
        .best_move();
    engine.quit();
}

#[test]
fn the_order_of_hands_does_not_matter() {
    let _guard = together();
    let search = |hands: &str| {
        let mut engine = Engine::with_options(&[("Threads", "1")]);
        let position = MID.replace("Sbgn3p", hands);
        engine.send(&format!("position sfen {position}\ngo depth 5"));
        let answer = engine.answer(&root(&sfen(MID)));
        let eval = engine.ask("eval", "eval");
        engine.quit();
        (
            answer.best_move().to_owned(),
            answer.score(),
            answer.nodes(),
            eval,
        )
    };
    assert_eq!(search("Sbgn3p"), search("Sn3pgb"));
}

#[test]
fn boards_without_kings() {
    let _guard = together();
    let mut engine = Engine::start();
    for position in [
        EMPTY,
        TSUME,
        TSUME_TWO_KINGS,
        MATE1K,
        MATE1D,
        "9/9/9/9/9/9/9/9/9 w 2r2b4g4s4n4l18p 1",
    ] {
        engine.send(&format!("position sfen {position}\ngo movetime 100"));
        let answer = engine.answer(&root(&sfen(position)));
        let has_move = root(&sfen(position)).board.has_move();
        assert!(
            has_move || answer.best == Best::Resign,
            "{position}: {:?}",
            answer.best
        );
        if root(&sfen(position)).board.kings() > 0 {
            assert_eq!(matches!(answer.best, Best::Move(_)), has_move, "{position}");
        }
    }
    engine.quit();
}

#[test]
fn boards_from_problem_editors() {
    let _guard = together();
    let mut engine = Engine::start();
    for position in [
        "P8/9/9/9/9/9/9/9/K7k b - 1",
        "k8/2N6/9/9/9/9/9/9/K8 b - 1",
        "lnsgkgsnl/1r5b1/ppppppppp/9/9/8P/PPPPPPP1P/1B5R1/LNSGKGSNL b - 1",
    ] {
        engine.send(&format!("position sfen {position}"));
        let notes = engine.expect_only_notes();
        assert_eq!(notes.len(), 1, "{position}: {notes:?}");
        assert!(!notes[0].contains("rejected"), "{position}: {notes:?}");
        engine.send("go depth 2");
        engine.answer(&root(&sfen(position))).best_move();
    }
    engine.quit();
}

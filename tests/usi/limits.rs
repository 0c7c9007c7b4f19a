//! What ends a search, and when.

use std::time::Duration;

use crate::boards::root;
use crate::driver::{Engine, HANG};
use crate::load::{at_least, timed, together};

#[test]
fn single_limits() {
    timed(|watch| {
        let mut engine = Engine::start();
        let answer = engine.search("startpos", "go");
        watch.at_most("go", answer.elapsed, 1500);
        let answer = engine.search("startpos", "go byoyomi 300");
        watch.at_most("go byoyomi 300", answer.elapsed, 300);
        engine.search("startpos", "go depth 1").best_move();
        let answer = engine.search("startpos", "go nodes 1000");
        assert!(answer.nodes() <= 2020, "{} nodes", answer.nodes());
        let answer = engine.search("startpos", "go movetime 500.0");
        at_least("go movetime 500.0", answer.elapsed, 400);
        watch.at_most("go movetime 500.0", answer.elapsed, 560);
        for rtime in ["go rtime 300", "go movetime 300"] {
            let answer = engine.search("startpos", rtime);
            at_least(rtime, answer.elapsed, 100);
            watch.at_most(rtime, answer.elapsed, 600);
        }
        engine.quit_timed(watch);
    });
}

#[test]
fn depth_and_nodes_are_kept_to() {
    let _guard = together();
    let mut engine = Engine::start();
    for depth in 1..=6 {
        let answer = engine.search("startpos", &format!("go depth {depth}"));
        let last = answer.final_best_line();
        assert_eq!(last.depth, depth);
        engine.new_game();
    }
    for nodes in [1, 100, 5000, 40_000] {
        let answer = engine.search("startpos", &format!("go nodes {nodes}"));
        let most = nodes + nodes / 50 + 1000;
        assert!(
            answer.nodes() <= most,
            "{} nodes, {nodes} were allowed",
            answer.nodes()
        );
    }
    for go in [
        "go depth 0",
        "go nodes 0",
        "go movetime 0",
        "go depth -3",
        "go nodes -1",
    ] {
        engine.search("startpos", go).best_move();
    }
    engine.quit();
}

#[test]
fn limits_set_by_option_hold_too() {
    let _guard = together();
    let mut engine = Engine::with_options(&[("DepthLimit", "2")]);
    assert_eq!(
        engine
            .search("startpos", "go depth 9")
            .final_best_line()
            .depth,
        2
    );
    engine.send("setoption name DepthLimit value 0\nsetoption name NodesLimit value 3000");
    let answer = engine.search("startpos", "go depth 60");
    assert!(
        answer.nodes() <= 3000 + 60 + 1000,
        "{} nodes",
        answer.nodes()
    );
    engine.quit();
}

#[test]
fn clocks_with_the_default_delays() {
    timed(|watch| {
        let mut engine = Engine::start();
        let answer = engine.search("startpos", "go btime 0 wtime 0 byoyomi 1000");
        at_least("byoyomi 1000", answer.elapsed, 300);
        watch.at_most("byoyomi 1000", answer.elapsed, 999);
        let answer = engine.search("startpos", "go btime 0 wtime 0 binc 5000 winc 5000");
        at_least("increment 5000", answer.elapsed, 500);
        watch.at_most("increment 5000", answer.elapsed, 4999);
        engine.quit_timed(watch);
    });
}

#[test]
fn no_time_left() {
    timed(|watch| {
        let mut engine = Engine::start();
        for go in [
            "go btime -200 wtime -1 byoyomi 0",
            "go btime 0 wtime 0",
            "go btime 0 wtime 0 byoyomi 0",
            "go btime 0 wtime 0 binc 0 winc 0",
            "go btime 1 wtime 1",
            "go byoyomi 1",
        ] {
            let answer = engine.search("startpos", go);
            answer.best_move();
            watch.at_most(go, answer.elapsed, 100);
        }
        engine.quit_timed(watch);
    });
}

#[test]
fn unreadable_numbers() {
    let _guard = together();
    let mut engine = Engine::start();
    for go in [
        "go btime 99999999999999999999 wtime x byoyomi foo bar",
        "go btime 999999999999 wtime 999999999999",
        "go nodes 99999999999999999999999 depth 99999999999999",
        "go movetime 99999999999999999999",
    ] {
        engine.send(&format!("position startpos\n{go}"));
        std::thread::sleep(Duration::from_millis(200));
        engine.send("stop");
        engine.answer(&root("startpos")).best_move();
    }
    for go in [
        "go depth",
        "go btime",
        "go byoyomi",
        "go searchmoves",
        "go nodes x",
        "go foo bar",
    ] {
        engine.search("startpos", go).best_move();
    }
    engine.quit();
}

#[test]
fn the_first_limit_reached_ends_the_search() {
    timed(|watch| {
        let mut engine = Engine::start();
        let everything = "go movetime 1000.0 nodes 2000 depth 50 btime 60000 wtime 60000 binc 0 winc 0 byoyomi 1000";
        let answer = engine.search("startpos", everything);
        watch.at_most("2000 nodes", answer.elapsed, 500);
        assert!(
            answer.nodes() <= 2000 + 40 + 1000,
            "{} nodes",
            answer.nodes()
        );
        let answer = engine.search("startpos", "go depth 2 nodes 100000 movetime 20000");
        assert_eq!(answer.final_best_line().depth, 2);
        // The last occurrence of a word wins.
        let answer = engine.search("startpos", "go depth 7 depth 1");
        assert_eq!(answer.final_best_line().depth, 1);
        engine.quit_timed(watch);
    });
}

#[test]
fn chosen_root_moves() {
    let _guard = together();
    let mut engine = Engine::start();
    for go in [
        "go searchmoves 7g7f 2g2f infinite",
        "go infinite searchmoves 7g7f 2g2f",
    ] {
        engine.send(&format!("position startpos\n{go}"));
        let early = engine.forbid("bestmove", Duration::from_millis(300));
        engine.send("stop");
        let answer = engine.answer(&root("startpos"));
        assert!(
            ["7g7f", "2g2f"].contains(&answer.best_move()),
            "{go}: {}",
            answer.best_move()
        );
        assert!(!early.is_empty() || !answer.infos.is_empty());
    }
    let answer = engine.search("startpos", "go depth 3 searchmoves 9g9f");
    assert_eq!(answer.best_move(), "9g9f");
    let answer = engine.search("startpos", "go searchmoves 9g9f depth 3");
    assert_eq!(answer.best_move(), "9g9f");
    // No legal move among them: no restriction.
    engine
        .search("startpos", "go depth 2 searchmoves 5e5d P*5e")
        .best_move();
    // A move that the search would not consider by itself.
    let promotion = "startpos moves 7g7f 3c3d";
    assert_eq!(
        engine
            .search(promotion, "go depth 2 searchmoves 8h2b")
            .best_move(),
        "8h2b"
    );
    engine.quit();
}

/// Clocks for one side only, or in odd combinations: an answer in sensible time.
#[test]
fn odd_clocks() {
    timed(|watch| {
        let mut engine = Engine::start();
        for (position, go, limit) in [
            ("startpos", "go wtime 2000", 2000),
            ("startpos moves 7g7f", "go btime 2000", 2000),
            ("startpos", "go wtime 1000 byoyomi 400", 400),
            ("startpos", "go btime 500 wtime 500 movestogo 1", 500),
            ("startpos", "go btime 3000 wtime 3000 movestogo 10", 2000),
            ("startpos", "go btime 500 wtime 500 binc 100 winc 100", 600),
            ("startpos", "go btime 0 wtime 0 byoyomi 100", 100),
            ("startpos", "go btime 0 wtime 60000 byoyomi 200", 200),
        ] {
            let answer = engine.search(position, go);
            answer.best_move();
            watch.at_most(go, answer.elapsed, limit);
        }
        // Sudden death: never a third of the clock on one move.
        let answer = engine.search("startpos", "go btime 6000 wtime 6000");
        watch.at_most("sudden death", answer.elapsed, 2000);
        engine.quit_timed(watch);
    });
}

/// With one legal move there is nothing to think about.
#[test]
fn a_sole_legal_move_is_played_at_once() {
    timed(|watch| {
        let mut engine = Engine::start();
        let position = crate::boards::sfen(crate::boards::ONE);
        let answer = engine.search(&position, "go btime 600000 wtime 600000 byoyomi 30000");
        assert_eq!(answer.best_move(), "1a2a");
        watch.at_most("one legal move", answer.elapsed, 200);
        engine.quit_timed(watch);
    });
}

/// Several threads count together and stop together.
#[test]
fn limits_with_several_threads() {
    timed(|watch| {
        let mut engine = Engine::with_options(&[("Threads", "3")]);
        let answer = engine.search("startpos", "go nodes 50000");
        assert!(
            answer.nodes() <= 50_000 + 1000 + 1000,
            "{} nodes",
            answer.nodes()
        );
        let answer = engine.search("startpos", "go movetime 400");
        watch.at_most("movetime 400", answer.elapsed, 460);
        engine.send("position startpos\ngo infinite");
        std::thread::sleep(Duration::from_millis(300));
        engine.send("stop");
        let answer = engine.answer(&root("startpos"));
        watch.at_most("stop", answer.elapsed, 50);
        engine.send("setoption name Threads value 1\ngo depth 3");
        engine.lines_to("bestmove", HANG);
        engine.quit_timed(watch);
    });
}

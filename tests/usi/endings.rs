//! How games end: mate, declaration, try, repetition, the last move.

use hien::shogi::Position;

use crate::answer::{Best, Score};
use crate::boards::{
    DECL, DECL9, DECL27, DECL28, DECLW, DECLX, MATE1, MATE3, MATED, STUCK, TRY, sfen,
};
use crate::driver::Engine;
use crate::load::{timed, together};

#[test]
fn no_legal_move() {
    timed(|watch| {
        let mut engine = Engine::start();
        for position in [MATED, STUCK] {
            for go in [
                "go btime 1000 wtime 1000",
                "go depth 3",
                "go nodes 1000",
                "go movetime 300",
                "go",
            ] {
                let answer = engine.search(&sfen(position), go);
                assert_eq!(answer.best, Best::Resign, "{position}");
                watch.at_most(position, answer.elapsed, 50);
            }
        }
        engine.quit_timed(watch);
    });
}

#[test]
fn mate_in_one() {
    let _guard = together();
    let mut engine = Engine::start();
    let answer = engine.search(&sfen(MATE1), "go depth 5");
    assert_eq!(answer.score(), Score::Mate(1));
    assert_eq!(answer.final_best_line().pv, ["G*5b"]);
    assert_eq!((answer.best_move(), &answer.ponder), ("G*5b", &None));
    engine.quit();
}

#[test]
fn mate_in_three() {
    let _guard = together();
    let mut engine = Engine::start();
    let answer = engine.search(&sfen(MATE3), "go depth 9");
    assert_eq!(answer.score(), Score::Mate(3));
    assert_eq!(answer.final_best_line().pv.len(), 3);
    engine.quit();
}

/// Whether the side to move can mate in this many plies, quiet moves included.
fn can_mate(pos: &mut Position, plies: i64) -> bool {
    pos.legal_moves().into_iter().any(|mv| {
        (plies > 1 || pos.gives_check(mv)) && {
            pos.do_move(mv);
            let mates = cannot_escape(pos, plies - 1);
            pos.undo_move();
            mates
        }
    })
}

/// Whether every answer leaves a mate in this many plies; no answer at all loses too.
fn cannot_escape(pos: &mut Position, plies: i64) -> bool {
    let replies = pos.legal_moves();
    replies.is_empty()
        || plies > 0
            && replies.into_iter().all(|mv| {
                pos.do_move(mv);
                let mates = can_mate(pos, plies - 1);
                pos.undo_move();
                mates
            })
}

/// Short mates of the collection. A plain search finds those in three. Whatever mate it announces has a complete
/// line, and is a mate where that can be tried out.
#[test]
fn short_mates_are_found() {
    let _guard = together();
    let mut engine = Engine::with_options(&[("GenerateAllLegalMoves", "true")]);
    let mut missed = Vec::new();
    for case in crate::common::cases::Case::of_kinds(&["mate"]) {
        let Some(plies) = case.field("mate_in").and_then(|n| n.as_i64()) else {
            continue;
        };
        let answer = engine.search(&sfen(case.sfen()), "go depth 12 nodes 1000000");
        match answer.score() {
            Score::Mate(found) => {
                let line = answer.final_best_line();
                assert!(found > 0, "{}: mate {found}", case.id());
                assert_eq!(line.pv.len() as i64, found, "{}: {:?}", case.id(), line.pv);
                if found <= 3 {
                    let mut pos = Position::from_sfen(case.sfen()).expect("a good position");
                    pos.try_move(answer.best_move().parse().expect("a move"))
                        .expect("legal");
                    assert!(
                        cannot_escape(&mut pos, found - 1),
                        "{}: {:?}",
                        case.id(),
                        line.pv
                    );
                }
            }
            other => {
                assert!(
                    plies > 3,
                    "{}: mate in {plies} not found, but {other:?}",
                    case.id()
                );
                missed.push(format!("{} ({plies})", case.id()));
            }
        }
        engine.new_game();
    }
    println!("not found: {}", missed.join(", "));
    engine.quit();
}

/// Without the unpromoted moves a search sees no mate; it must not take that for a mate of the other side.
#[test]
fn pruned_moves_prove_nothing() {
    let _guard = together();
    let mut engine = Engine::start();
    for case in crate::common::cases::Case::of_kinds(&["mate"]) {
        let answer = engine.search(&sfen(case.sfen()), "go depth 6 nodes 300000");
        let has_mate = case.field("mate_in").is_some();
        match answer.score() {
            Score::Mate(found) if has_mate => assert!(found > 0, "{}: mate {found}", case.id()),
            _ => {}
        }
        engine.new_game();
    }
    engine.quit();
}

#[test]
fn declarations() {
    let _guard = together();
    let mut engine = Engine::with_options(&[("EnteringKingRule", "CSARule27")]);
    for position in [DECL, DECL28, DECLW] {
        let answer = engine.search(&sfen(position), "go btime 10000 wtime 10000");
        assert_eq!(answer.best, Best::Win, "{position}");
    }
    for position in [DECLX, DECL27, DECL9] {
        let answer = engine.search(&sfen(position), "go depth 3");
        assert!(
            matches!(answer.best, Best::Move(_)),
            "{position}: {:?}",
            answer.best
        );
    }
    engine.send("setoption name EnteringKingRule value NoEnteringKing");
    engine.search(&sfen(DECL), "go depth 3").best_move();
    // 31 points are needed here; 28 would be a draw, which an engine must not claim.
    engine.send("setoption name EnteringKingRule value CSARule24");
    engine.search(&sfen(DECL28), "go depth 3").best_move();
    engine.quit();
}

#[test]
fn a_try_is_a_move() {
    let _guard = together();
    let mut engine = Engine::with_options(&[("EnteringKingRule", "TryRule")]);
    let answer = engine.search(&sfen(TRY), "go btime 10000 wtime 10000");
    assert_eq!(answer.best_move(), "5b5a");
    engine.quit();
}

#[test]
fn no_fourth_time_with_check_throughout() {
    let _guard = together();
    let mut engine = Engine::start();
    let round = " 5a4a 5i4i 4a5a 4i5i";
    let position = format!("sfen 4k4/9/9/9/9/9/9/9/K3R4 w - 1 moves{round}{round} 5a4a 5i4i 4a5a");
    for depth in [1, 2, 6] {
        let answer = engine.search(&position, &format!("go depth {depth}"));
        assert_ne!(
            answer.best_move(),
            "4i5i",
            "this completes a perpetual check and loses"
        );
    }
    engine.quit();
}

/// The side that was checked all the time goes back a fourth time: the other side loses then. It knows that, and
/// says so in cp, since the game is not over by mate.
#[test]
fn the_fourth_time_is_a_win_for_the_checked_side() {
    let _guard = together();
    let mut engine = Engine::start();
    let round = " 5i4i 4a5a 4i5i 5a4a";
    let position = format!("sfen 5k3/9/9/9/9/9/9/9/K3R4 b - 1 moves{round}{round} 5i4i 4a5a 4i5i");
    let answer = engine.search(&position, "go depth 4");
    assert_eq!(answer.best_move(), "5a4a");
    assert!(
        matches!(answer.score(), Score::Cp(1000..)),
        "{:?}",
        answer.score()
    );
    engine.send(&format!("position {position} 5a4a"));
    let shown = engine.ask("d", "declaration:");
    assert!(shown.contains(&"repetition: lose".to_owned()), "{shown:?}");
    engine.quit();
}

#[test]
fn the_last_move() {
    let _guard = together();
    let mut engine = Engine::with_options(&[("MaxMovesToDraw", "10")]);
    let position = "startpos moves 1g1f 9c9d 9g9f 1c1d 4i4h 6a6b 4h4i 6b6a 4i4h";
    let answer = engine.search(position, "go depth 4");
    answer.best_move();
    // The draw value is -2 by default.
    assert!(
        matches!(answer.score(), Score::Cp(-12..=8)),
        "{:?}",
        answer.score()
    );
    engine
        .send("setoption name DrawValueWhite value -300\nsetoption name DrawValueBlack value -300");
    engine.new_game();
    let answer = engine.search(position, "go depth 4");
    assert!(
        matches!(answer.score(), Score::Cp(-310..=-290)),
        "{:?}",
        answer.score()
    );
    engine.quit();
}

/// Resigning by value takes two bad moves in a row, and only cp scores count.
#[test]
fn resigning_by_value() {
    let _guard = together();
    let mut engine = Engine::with_options(&[("ResignValue", "1000")]);
    let lost = "sfen 4k4/9/9/9/9/9/4p4/9/4K4 b 2r2b4g4s4n4l17p 1";
    let bare = "sfen lnsgkgsnl/1r5b1/ppppppppp/9/9/9/9/9/4K4 b - 1";
    let first = engine.search(bare, "go depth 3");
    assert!(matches!(first.best, Best::Move(_)), "{:?}", first.best);
    let second = engine.search(
        &format!("{bare} moves {} 9c9d", first.best_move()),
        "go depth 3",
    );
    let behind = |score| matches!(score, Score::Cp(..=-1000));
    if behind(first.score()) && behind(second.score()) {
        assert_eq!(second.best, Best::Resign);
    }
    // A mate against us that is not on the board is played on.
    engine.new_game();
    engine.search(lost, "go depth 3").best_move();
    engine.quit();
}

//! What the search finds.

use super::*;

/// All moves that mate in three in `MATE_IN_3`, checks and others, as cshogi finds them by trying all.
const MATING_IN_3: [&str; 28] = [
    "R*4a", "R*5a", "R*6a", "R*7a", "R*8a", "R*9a", "G*3b", "R*3b", "R*4b", "R*5b", "R*6b", "R*7b",
    "R*8b", "R*9b", "G*1c", "R*1c", "R*1d", "R*1e", "R*1f", "R*1g", "R*1h", "R*1i", "G*2c", "R*2c",
    "4c2c", "4c3c", "4c4b", "4c5b",
];

#[test]
fn mates_in_one_and_three_are_found_with_their_lines() {
    for (sfen, search, plies, moves) in [
        (MATE_IN_1, 3, 1, &["G*5b"][..]),
        (MATE_IN_3, 6, 3, &MATING_IN_3[..]),
        (
            "9/8k/9/8P/9/9/9/9/9 b 2G2r2b2g4s4n4l17p 1",
            6,
            3,
            &["G*1c"][..],
        ),
        (
            "8k/9/7+RP/9/9/9/9/9/K8 b - 1",
            3,
            1,
            &["2c1b", "1c1b", "1c1b+"][..],
        ),
        (
            "7pk/7n1/6r1g/7NL/9/9/9/9/9 b Pr2b3g4s2n3l16p 1",
            6,
            3,
            &["P*1b"][..],
        ),
        (
            "7+P1/5R1s1/6ks1/9/5L1p1/9/9/9/9 b R2b4g2s3n3l16p 1",
            12,
            3,
            &["R*3d"][..],
        ),
    ] {
        let root = position(sfen, "");
        let (answer, infos) = run(&root, depth(search), SearchOptions::default());
        assert!(
            moves.contains(&best_move(answer).as_str()),
            "{sfen}: {answer:?}"
        );
        let last = infos.last().unwrap();
        assert_eq!(last.score, Score::Mate(plies), "{sfen}");
        assert_eq!(last.pv.len(), plies as usize, "{sfen}");
        let mut end = root.clone();
        last.pv.iter().for_each(|&mv| end.do_move(mv));
        assert_eq!(end.count_legal(), 0, "{sfen}");
        if plies == 1 {
            assert!(matches!(answer, BestMove::Move { ponder: None, .. }));
        }
    }
}

/// A mate search at the root sees what the search itself is far from seeing.
#[test]
fn long_mates_by_checks_are_found_in_time() {
    let sfen = "ln5+LK/1rk1+B2S1/p1sp5/4p1pp1/1PPP1P3/2S1P3+l/P1B2S3/1R2G2+p1/LN3G3 b 2GN5Pnp 1";
    let root = position(sfen, "");
    let (answer, infos) = run(&root, nodes(300_000), SearchOptions::default());
    let last = infos.last().unwrap();
    let Score::Mate(plies) = last.score else {
        panic!("{last:?}");
    };
    assert!((15..=25).contains(&plies), "{last:?}");
    assert_eq!(last.pv.len(), plies as usize);
    let mut end = root.clone();
    last.pv.iter().for_each(|&mv| end.do_move(mv));
    assert_eq!(end.count_legal(), 0);
    assert!(matches!(
        answer,
        BestMove::Move {
            ponder: Some(_),
            ..
        }
    ));
}

#[test]
fn mates_that_need_a_declined_promotion_are_found() {
    let (answer, infos) = run(
        &position("5B1n1/8k/6Rpp/9/9/9/1+p7/9/K8 b rb4g4s3n4l15p 1", ""),
        depth(12),
        SearchOptions {
            all_promotions: true,
            ..SearchOptions::default()
        },
    );
    assert_eq!(
        (best_move(answer).as_str(), last_score(&infos)),
        ("4a2c", Score::Mate(5))
    );
}

#[test]
fn no_mate_is_claimed_where_there_is_none() {
    // Promoting here mates by a pawn drop, the defender's declined promotion refutes the rest, or the
    // attacker can only repeat its checks.
    for sfen in [
        "6R+P1/8k/7sp/9/9/9/9/9/9 b r2b4g3s4n4l16p 1",
        "kn7/1s7/9/1N7/9/9/9/9/9 b P2r2b4g3s2n4l17p 1",
        "4k4/9/9/9/9/9/9/9/4K4 b P2r2b4g4s4n4l17p 1",
        STARTPOS,
        MIDDLEGAME,
    ] {
        let (_, infos) = run(&position(sfen, ""), nodes(60_000), SearchOptions::default());
        assert!(
            infos.iter().all(|info| matches!(info.score, Score::Cp(_))),
            "{sfen}: {:?}",
            infos.last()
        );
    }
}

#[test]
fn games_that_are_over_are_answered_at_once() {
    for sfen in [MATED, STUCK] {
        let (answer, infos) = run(&position(sfen, ""), nodes(1000), SearchOptions::default());
        assert_eq!(answer, BestMove::Resign);
        assert_eq!(infos.len(), 1);
        let info = &infos[0];
        assert_eq!(
            (info.depth, info.score, info.pv.len()),
            (0, Score::Mate(0), 0)
        );
    }
    let (answer, infos) = run(
        &position(DECLARABLE, ""),
        nodes(1000),
        SearchOptions::default(),
    );
    assert_eq!(answer, BestMove::Win);
    assert_eq!((infos[0].depth, infos[0].score), (0, Score::Mate(1)));
    let no_rule = SearchOptions {
        entering_king_rule: EnteringKingRule::NoEnteringKing,
        ..SearchOptions::default()
    };
    let (answer, _) = run(&position(DECLARABLE, ""), nodes(1000), no_rule);
    assert!(matches!(answer, BestMove::Move { .. }));
}

#[test]
fn a_try_is_played_and_seen_ahead() {
    let options = SearchOptions {
        entering_king_rule: EnteringKingRule::TryRule,
        ..SearchOptions::default()
    };
    let (answer, infos) = run(
        &position("9/4K4/9/9/9/9/9/9/4k4 b - 1", ""),
        depth(4),
        options.clone(),
    );
    assert_eq!(
        answer,
        BestMove::Move {
            best: "5b5a".parse().unwrap(),
            ponder: None
        }
    );
    assert_eq!(infos[0].score, Score::Mate(1));
    let (_, infos) = run(
        &position("9/9/4K4/9/9/9/9/9/k8 b - 1", ""),
        depth(6),
        options,
    );
    assert_eq!(last_score(&infos), Score::Mate(3));
}

#[test]
fn a_declaration_is_seen_ahead() {
    // White cannot prevent that Black declares next.
    let root = position("4K4/+R+RGGGGSSS/2S6/9/9/9/9/9/4k4 w 2B4N4L18P 1", "");
    let (_, infos) = run(&root, depth(4), SearchOptions::default());
    assert_eq!(last_score(&infos), Score::Mate(-2));
}

#[test]
fn a_perpetual_check_is_not_completed() {
    let cycle = "5a4a 5i4i 4a5a 4i5i";
    let line = format!("{cycle} {cycle} 5a4a 5i4i 4a5a");
    let root = position("4k4/9/9/9/9/9/9/9/K3R4 w - 1", &line);
    let (answer, _) = run(&root, depth(6), SearchOptions::default());
    assert_ne!(best_move(answer), "4i5i");
}

#[test]
fn the_loser_takes_the_repetition() {
    // White, a rook behind, can complete the fourfold repetition; other moves lose.
    let cycle = "4i5i 4a5a 5i4i 5a4a";
    let sfen = "5k3/9/9/9/9/9/4PPP2/9/R4K3 b RG 1";
    let line = format!("{cycle} {cycle} {cycle}");
    let before: Vec<&str> = line.split(' ').collect();
    let root = position(sfen, &before[..before.len() - 1].join(" "));
    let options = SearchOptions {
        draw_value_black: -100,
        draw_value_white: 50,
        ..SearchOptions::default()
    };
    let (answer, infos) = run(&root, depth(8), options);
    assert_eq!(best_move(answer), "5a4a");
    let Score::Cp(cp) = last_score(&infos) else {
        panic!("a draw is no mate: {:?}", infos.last());
    };
    assert!((cp - 50).abs() <= 3, "{cp}");
    assert_eq!(infos.last().unwrap().pv.len(), 1, "the game ends here");
    assert!(matches!(answer, BestMove::Move { ponder: None, .. }));
}

#[test]
fn the_last_move_of_the_game_draws() {
    let line = "1g1f 9c9d 9g9f 1c1d 4i4h 6a6b 4h4i 6b6a 4i4h";
    let options = SearchOptions {
        max_moves_to_draw: 10,
        draw_value_white: 30,
        ..SearchOptions::default()
    };
    let (_, infos) = run(&position(STARTPOS, line), depth(4), options);
    let Score::Cp(cp) = last_score(&infos) else {
        panic!("{:?}", infos.last());
    };
    assert!((cp - 30).abs() <= 3, "{cp}");
    // A mate with the last move counts, one move later it would not.
    for (limit, mates) in [(3, true), (2, false)] {
        let options = SearchOptions {
            max_moves_to_draw: limit,
            ..SearchOptions::default()
        };
        let (_, infos) = run(&position(MATE_IN_3, ""), depth(7), options);
        assert_eq!(
            last_score(&infos) == Score::Mate(3),
            mates,
            "{:?}",
            infos.last()
        );
    }
}

//! Promotions that are declined: never without need, always where it saves or wins.

use std::io::{self, Write};

use fastrand::Rng;

use super::*;

/// Plies of a game.
const LONGEST: usize = 160;

/// Whether a line may decline promotions: it is a proof. What loses is searched for whatever lasts longer, and mates
/// are proved by all moves, the promotion before its refusal.
fn is_proof(info: &Info) -> bool {
    matches!(info.score, Score::Mate(_))
}

/// No line declines a promotion, unless it is a proof.
fn check_lines(root: &Position, infos: &[Info]) {
    for info in infos.iter().filter(|info| !is_proof(info)) {
        let mut position = root.clone();
        for &mv in &info.pv {
            assert!(
                !position.declines_promotion(mv),
                "{mv} in {} of {}",
                info.pv
                    .iter()
                    .map(|mv| format!("{mv} "))
                    .collect::<String>(),
                root.sfen()
            );
            position.do_move(mv);
        }
    }
}

/// What a run of games holds.
#[derive(Default)]
struct Tally {
    moves: usize,
    lines: usize,
    /// Moves played, and moves in the last lines of searches, that decline a promotion on the way to a mate or to being
    /// mated.
    played: [usize; 2],
    shown: [usize; 2],
}

impl std::fmt::Display for Tally {
    fn fmt(&self, f: &mut std::fmt::Formatter) -> std::fmt::Result {
        let Self {
            moves,
            lines,
            played: [winning, losing],
            shown: [in_wins, in_losses],
        } = self;
        write!(
            f,
            "{moves} moves played, promotions declined in won positions {winning}, in lost ones {losing}; \
             {lines} lines shown, promotions declined in mates {in_wins}, in those against the player {in_losses}"
        )
    }
}

/// Plays a game whose moves decline a promotion only in proofs. Searches have up to 20 * 6^`efforts` nodes.
fn play(searcher: &Searcher, seed: u64, efforts: u32, tally: &mut Tally) {
    let mut random = Rng::with_seed(seed);
    let mut position = Position::startpos();
    searcher.clear();
    for ply in 0..LONGEST {
        if ply < 6 {
            let moves = position.legal_moves();
            position.do_move(moves[random.usize(..moves.len())]);
            continue;
        }
        let limits = match random.u32(..=efforts) {
            0 => depth(random.u32(1..=4)),
            effort => nodes(random.u64(30..20 * 6u64.pow(effort))),
        };
        let options = SearchOptions {
            multi_pv: if random.u32(..4) == 0 { 3 } else { 1 },
            ..SearchOptions::default()
        };
        let (answer, infos) = run_with(searcher, &position, limits, options);
        let BestMove::Move { best, ponder } = answer else {
            break;
        };
        check_lines(&position, &infos);
        let last = infos.last().expect("a report");
        let is_lost = usize::from(matches!(last.score, Score::Mate(plies) if plies < 0));
        let mut later = position.clone();
        for &mv in &last.pv {
            tally.shown[is_lost] += usize::from(later.declines_promotion(mv));
            later.do_move(mv);
        }
        tally.lines += infos.len();
        tally.moves += 1;
        tally.played[is_lost] += usize::from(position.declines_promotion(best));
        let is_proved = is_proof(last);
        assert!(
            is_proved || !position.declines_promotion(best),
            "{best} in {}",
            position.sfen()
        );
        position.do_move(best);
        let is_declined = ponder.is_some_and(|mv| position.declines_promotion(mv));
        assert!(
            is_proved || !is_declined,
            "{ponder:?} in {}",
            position.sfen()
        );
    }
}

/// Games of a searcher against itself; most moves that decline a promotion are then of no use at all.
fn play_games(count: u64, efforts: u32) -> Tally {
    let searcher = Searcher::new();
    searcher.configure(1, 4, Duration::MAX);
    let mut tally = Tally::default();
    (0..count).for_each(|seed| play(&searcher, seed, efforts, &mut tally));
    tally
}

#[test]
fn no_game_declines_a_promotion_without_proof() {
    let _ = play_games(60, 3);
}

/// Ten minutes of a processor.
#[test]
#[ignore = "takes minutes"]
fn no_game_of_many_declines_a_promotion_without_proof() {
    for efforts in [3, 5] {
        let tally = play_games(300, efforts);
        writeln!(io::stderr(), "300 games: {tally}").unwrap();
    }
}

#[test]
fn bishops_are_exchanged_with_promotion() {
    let root = position(STARTPOS, "7g7f 3c3d");
    for limits in [nodes(1), nodes(100), nodes(5000), depth(1), depth(5)] {
        let options = SearchOptions {
            multi_pv: 600,
            ..SearchOptions::default()
        };
        let (_, infos) = run(&root, limits, options);
        check_lines(&root, &infos);
        let lines = infos.last().and_then(|info| info.multipv);
        assert_eq!(lines, Some(root.count_legal() - 2), "all but 8h2b and 8h3c");
    }
}

/// Promoting would forbid the mate by a dropped pawn.
#[test]
fn a_refusal_that_mates_is_found() {
    let root = position("5B1n1/8k/6Rpp/9/9/9/1+p7/9/K8 b rb4g4s3n4l15p 1", "");
    let (answer, infos) = run(&root, nodes(200_000), SearchOptions::default());
    assert_eq!(best_move(answer), "4a2c");
    assert_eq!(infos.last().map(|info| info.score), Some(Score::Mate(5)));
}

/// There is no mate here, only because the defender may decline a promotion: none of the checks mates.
#[test]
fn a_mate_that_a_refusal_prevents_is_not_announced() {
    let root = position("kn7/1s7/9/1N7/9/9/9/9/9 b P2r2b4g3s2n4l17p 1", "");
    for mv in root.legal_moves() {
        let mut defended = root.clone();
        defended.do_move(mv);
        if !defended.in_check() {
            continue;
        }
        let (_, infos) = run(&defended, nodes(20_000), SearchOptions::default());
        assert!(
            matches!(last_score(&infos), Score::Cp(_)),
            "{mv}: {:?}",
            infos.last()
        );
    }
}

#[test]
fn a_refusal_that_was_asked_for_is_searched() {
    let root = position(STARTPOS, "7g7f 3c3d");
    let limits = Limits {
        searchmoves: vec!["8h2b".parse().unwrap()],
        ..depth(3)
    };
    let (answer, _) = run(&root, limits, SearchOptions::default());
    assert_eq!(best_move(answer), "8h2b");
    let options = SearchOptions {
        all_promotions: true,
        multi_pv: 600,
        ..SearchOptions::default()
    };
    let (_, infos) = run(&root, depth(3), options);
    assert!(infos.iter().any(|info| info.pv[0].to_string() == "8h2b"));
}

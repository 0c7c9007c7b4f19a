//! The engine as the defender of mate problems (詰将棋): it holds out as long as can be, and gives up where composers end.

use hien::engine::Engine;
use hien::mate::Answer;
use hien::search::{BestMove, Limits};

use crate::collection::{Problem, problems, solve};

/// How many plies the defence lasts against the solver, and whether the defender gave up. Moves that are left then
/// count.
fn plies_of_defence(engine: &mut Engine, problem: &Problem) -> (usize, bool) {
    let mut position = problem.position();
    for plies in (0..).step_by(2) {
        let Answer::Mate(mate) = solve(&position, 1_000_000, true, 16).answer else {
            panic!("{}: no mate any more after {plies} plies", problem.id);
        };
        position.do_move(mate.line[0]);
        if mate.line.len() == 1 {
            return (plies + 1, false);
        }
        engine.set_position(position.clone());
        let limits = Limits {
            nodes: Some(50_000),
            ..Limits::default()
        };
        match engine.search(limits) {
            BestMove::Move { best, .. } => position.do_move(best),
            other => {
                assert_eq!(other, BestMove::Resign, "{}", problem.id);
                let answers = position.legal_moves();
                assert!(answers.iter().all(|mv| mv.is_drop()), "{}", problem.id);
                return (plies + mate.line.len(), true);
            }
        }
    }
    unreachable!("the loop has no end of its own")
}

#[test]
fn the_defender_holds_out_as_long_as_can_be() {
    let mut engine = Engine::new();
    engine.settings_mut().hash_mib = 16;
    let mut problems = problems(&["short"]);
    problems.retain(|problem| !(problem.sfen.contains('K') && problem.sfen.contains('k')));
    let mut given_up = 0;
    for problem in &problems {
        let (plies, has_resigned) = plies_of_defence(&mut engine, problem);
        assert_eq!(Some(plies), problem.mate_len, "{}", problem.id);
        given_up += usize::from(has_resigned);
    }
    assert!(given_up > 0, "of {} problems", problems.len());
}

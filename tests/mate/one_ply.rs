//! Mate in one against trying all moves.

use hien::mate::mate_in_one;
use hien::shogi::{Move, Position};

use crate::common::random::Random;
use crate::positions::random_position;

/// Compares [`mate_in_one`] with trying all moves; returns the mating move.
fn compare_one_ply(position: &mut Position) -> Option<Move> {
    let before = position.sfen();
    let found = mate_in_one(position);
    assert_eq!(position.sfen(), before);
    let mut mating = Vec::new();
    for mv in position.legal_moves() {
        position.do_move(mv);
        if position.in_check() && position.count_legal() == 0 {
            mating.push(mv);
        }
        position.undo_move();
    }
    match found {
        Some(mv) => assert!(mating.contains(&mv), "{before}: {mv} does not mate"),
        None => assert!(mating.is_empty(), "{before}: {mating:?} mates"),
    }
    found
}

#[test]
fn mates_in_one_agree_with_all_moves() {
    let mut random = Random::new(3);
    let (mut positions, mut mates) = (0, 0);
    for _ in 0..100 {
        let mut position = Position::startpos();
        for _ in 0..300 {
            positions += 1;
            let mating = compare_one_ply(&mut position);
            mates += usize::from(mating.is_some());
            let moves = position.legal_moves();
            if moves.is_empty() {
                break;
            }
            position.do_move(moves[random.below(moves.len())]);
        }
    }
    for _ in 0..30_000 {
        if let Some(mut position) = random_position(&mut random) {
            positions += 1;
            mates += usize::from(compare_one_ply(&mut position).is_some());
        }
    }
    assert!(
        positions > 30_000 && mates > 1_000,
        "{mates} of {positions}"
    );
}

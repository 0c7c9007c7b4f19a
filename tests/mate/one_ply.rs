//! Mate in one and in three against trying all moves.

use hien::mate::{mate_in_one, mate_in_three};
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

/// Whether the side to move can mate by checks within this many plies, by trying all moves.
fn mates_by_checks(position: &mut Position, plies: u32) -> bool {
    position.legal_moves().into_iter().any(|mv| {
        position.do_move(mv);
        let mates = position.in_check() && is_lost(position, plies - 1);
        position.undo_move();
        mates
    })
}

fn is_lost(position: &mut Position, plies: u32) -> bool {
    position.legal_moves().into_iter().all(|mv| {
        if plies == 0 {
            return false;
        }
        position.do_move(mv);
        let lost = mates_by_checks(position, plies - 1);
        position.undo_move();
        lost
    })
}

#[test]
fn mates_in_three_agree_with_all_moves() {
    let mut random = Random::new(4);
    let (mut positions, mut mates) = (0, 0);
    while positions < 1500 {
        let Some(mut position) = random_position(&mut random) else {
            continue;
        };
        let before = position.sfen();
        let found = mate_in_three(&mut position, 16);
        assert_eq!(position.sfen(), before);
        assert_eq!(
            found.is_some(),
            mates_by_checks(&mut position, 3),
            "{before}"
        );
        if let Some(mv) = found {
            position.do_move(mv);
            assert!(
                position.in_check() && is_lost(&mut position, 2),
                "{before}: {mv}"
            );
        }
        positions += 1;
        mates += usize::from(found.is_some());
    }
    assert!(mates > 100, "{mates} mates in three");
}

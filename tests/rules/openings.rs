//! The openings for matches (`benches/arena/openings.txt`): legal games to different positions.

use std::collections::HashSet;

use hien::shogi::{Move, Position};

const OPENINGS: &str = include_str!("../../benches/arena/openings.txt");

#[test]
fn openings_are_legal_different_and_many() {
    let mut keys = HashSet::new();
    for line in OPENINGS.lines() {
        let moves = line
            .strip_prefix("startpos moves ")
            .expect("moves from the start position");
        let mut position = Position::startpos();
        for text in moves.split(' ') {
            let mv: Move = text.parse().expect("a move");
            position.try_move(mv).expect("a legal move");
        }
        assert!((8..=24).contains(&position.game_len()), "{line}");
        assert!(keys.insert(position.key()), "twice: {line}");
    }
    assert!(keys.len() >= 500, "{}", keys.len());
}

//! Positions near a recorded one, as searches meet them: after a few random moves.

use crate::selfplay::random_move;
use crate::shogi::{Position, SplitMix64};

/// Most random moves between a recorded position and its variant.
const MAX_MOVES: usize = 3;

/// A position after 1 to 3 random legal moves, captures and checks included; `None` if the game ended before.
pub(super) fn variant(position: &Position, random: &mut SplitMix64) -> Option<Position> {
    let mut variant = position.clone();
    for _ in 0..=random.below(MAX_MOVES) {
        variant.do_move(random_move(&variant, random)?);
    }
    Some(variant)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn variants_are_one_to_three_moves_away() {
        let start = Position::startpos();
        let mut random = SplitMix64::new(1);
        let mut plies = [0; 5];
        for _ in 0..300 {
            let variant = variant(&start, &mut random).expect("moves");
            assert!(variant.is_consistent());
            plies[variant.game_len()] += 1;
        }
        assert_eq!([plies[0], plies[4]], [0, 0]);
        assert!(
            plies[1..=3].iter().all(|count| (60..140).contains(count)),
            "{plies:?}"
        );
    }

    #[test]
    fn a_lost_game_has_none() {
        let mated = Position::from_sfen("4k4/4G4/4P4/9/9/9/9/9/4K4 w - 1").unwrap();
        assert!(variant(&mated, &mut SplitMix64::new(1)).is_none());
    }
}

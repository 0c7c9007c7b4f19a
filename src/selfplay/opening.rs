//! Random opening moves, at random plies, so that games differ.

use super::settings::Openings;
use crate::shogi::{Move, MoveKind, Position, SplitMix64};

/// Keep one random drop in four. Most legal moves are drops when there is something in hand, and most random drops
/// lead to games unlike those that are played.
const DROP_SHARE: usize = 4;

/// The plies of a game, counted from 0, at which a random move is played.
#[derive(Clone, Debug)]
pub struct Opening(Vec<usize>);

impl Opening {
    /// Draws the plies.
    pub fn draw(openings: &Openings, random: &mut SplitMix64) -> Self {
        let most = openings.most.min(openings.before);
        let least = openings.least.min(most);
        let count = least + random.below(most - least + 1);
        let mut plies = Vec::with_capacity(count);
        // Floyd's algorithm for a random sample: `last` is new in each step, and replaces a ply drawn before.
        for last in openings.before - count..openings.before {
            let ply = random.below(last + 1);
            plies.push(if plies.contains(&ply) { last } else { ply });
        }
        Self(plies)
    }

    /// Whether a random move is due after `played` moves.
    pub fn is_random(&self, played: usize) -> bool {
        self.0.contains(&played)
    }

    /// The ply after the last random move.
    pub fn end(&self) -> usize {
        self.0.iter().max().map_or(0, |last| last + 1)
    }
}

/// A random legal move, drops thinned out; `None` if there is none.
pub fn random_move(position: &Position, random: &mut SplitMix64) -> Option<Move> {
    let moves = position.legal_moves();
    loop {
        let mv = *random.choose(&moves)?;
        if matches!(mv.kind(), MoveKind::Board { .. }) || random.below(DROP_SHARE) == 0 {
            return Some(mv);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::selfplay::Choice;

    #[test]
    fn as_many_plies_as_wanted_are_drawn_from_the_first_ones() {
        let openings = Openings {
            least: 2,
            most: 6,
            before: 20,
            choice: Choice::Legal,
            imbalance: 0,
        };
        let mut random = SplitMix64::new(1);
        let mut counts = [0; 8];
        for _ in 0..1000 {
            let opening = Opening::draw(&openings, &mut random);
            let plies = (0..100).filter(|&ply| opening.is_random(ply)).count();
            counts[plies] += 1;
            assert!(opening.end() <= 20 && !opening.is_random(opening.end()));
        }
        // Five counts, 200 times each, give or take six standard deviations.
        assert_eq!(counts[..2], [0, 0]);
        assert!(
            counts[2..=6].iter().all(|count| (124..276).contains(count)),
            "{counts:?}"
        );
        assert_eq!(counts[7], 0);
    }

    #[test]
    fn more_plies_than_there_are_mean_all() {
        let openings = Openings {
            least: 9,
            most: 9,
            before: 3,
            choice: Choice::Legal,
            imbalance: 0,
        };
        let opening = Opening::draw(&openings, &mut SplitMix64::new(1));
        assert_eq!(opening.end(), 3);
        assert!((0..3).all(|ply| opening.is_random(ply)));
    }

    #[test]
    fn drops_are_rare_but_possible() {
        // 17 moves of the king and pawn, 60 and more drops.
        let position = Position::from_sfen("4k4/9/9/9/9/9/4P4/9/4K4 b G 1").unwrap();
        let mut random = SplitMix64::new(1);
        let drawn = (0..1000).map(|_| random_move(&position, &mut random).unwrap());
        let drops = drawn
            .filter(|mv| matches!(mv.kind(), MoveKind::Drop(_)))
            .count();
        let moves = position.legal_moves();
        let all = moves
            .iter()
            .filter(|mv| matches!(mv.kind(), MoveKind::Drop(_)))
            .count();
        let expected = 1000.0 * all as f64 / 4.0 / (all as f64 / 4.0 + (moves.len() - all) as f64);
        assert!(
            (drops as f64 - expected).abs() < 95.0,
            "{drops} of {expected}"
        );
        let mated = Position::from_sfen("4k4/4G4/4P4/9/9/9/9/9/4K4 w - 1").unwrap();
        assert_eq!(random_move(&mated, &mut random), None);
    }
}

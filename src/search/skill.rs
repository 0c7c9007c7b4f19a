//! Skill levels: weaker play with errors like those of human players. A level searches few nodes, overlooks long mates
//! more easily than short ones, and picks by a softmax among the moves that look about as good as the best one. It
//! never plays at random: a move that looks bad at the level's own depth is hardly ever chosen. Choosing among the
//! lines of a MultiPV search is the idea of Stockfish's skill levels; the rest is Hien's own.

use fastrand::Rng;

use super::root::RootMove;
use crate::score::{INFINITE, Score};

/// The level of full strength.
const FULL: u32 = 20;

/// The weakest level and the strongest one below [`FULL`]; those between are spaced evenly, by ratio.
const WEAKEST: SkillLevel = SkillLevel {
    nodes: 40.0,
    lines: 12.0,
    tolerance: 800.0,
    sight: 2.0,
};
const STRONGEST: SkillLevel = SkillLevel {
    nodes: 3000.0,
    lines: 3.0,
    tolerance: 8.0,
    sight: 300.0,
};

/// Centipawns beyond which all winning moves look alike, and all losing ones.
const DECIDED: f64 = 3000.0;
/// The worth of a mate that is seen, in centipawns.
const MATE: f64 = 2.0 * DECIDED;

/// How well a level plays.
#[derive(Clone, Copy, Debug)]
pub(super) struct SkillLevel {
    /// Nodes for each legal move, so that in every position each move is seen at least once.
    nodes: f64,
    /// Moves it chooses among (MultiPV lines).
    lines: f64,
    /// Softmax temperature in centipawns.
    tolerance: f64,
    /// Length of a mate, in plies, that is seen with probability 1/e.
    sight: f64,
}

impl SkillLevel {
    /// The level with this number, from 0; `None` at full strength.
    pub fn of(number: u32) -> Option<Self> {
        let share = f64::from(number) / f64::from(FULL - 1);
        let between = |weakest: f64, strongest: f64| weakest * (strongest / weakest).powf(share);
        (number < FULL).then(|| Self {
            nodes: between(WEAKEST.nodes, STRONGEST.nodes),
            lines: between(WEAKEST.lines, STRONGEST.lines),
            tolerance: between(WEAKEST.tolerance, STRONGEST.tolerance),
            sight: between(WEAKEST.sight, STRONGEST.sight),
        })
    }

    /// How many nodes to search in a position with this many legal moves.
    pub fn nodes(&self, moves: usize) -> u64 {
        (self.nodes * moves as f64) as u64
    }

    /// How many moves at the root need a value of their own.
    pub fn lines(&self) -> usize {
        self.lines.round() as usize
    }

    /// Chooses among the moves that were searched as lines of their own, best first. Returns the index.
    pub fn choose(&self, root_moves: &[RootMove], rng: &mut Rng) -> usize {
        let is_known = |root_move: &&RootMove| root_move.shown_value() > -INFINITE;
        let scores: Vec<_> = root_moves
            .iter()
            .take(self.lines())
            .take_while(is_known)
            .map(|root_move| Score::from_value(root_move.shown_value()))
            .collect();
        let looks = self.impressions(&scores, rng);
        let best = looks.iter().copied().fold(f64::MIN, f64::max);
        let weights: Vec<_> = looks
            .iter()
            .map(|look| ((look - best) / self.tolerance).exp())
            .collect();
        let mut left = rng.f64() * weights.iter().sum::<f64>();
        let chosen = weights.iter().position(|weight| {
            left -= weight;
            left < 0.0
        });
        chosen.unwrap_or(0)
    }

    /// The centipawns that the level sees for moves of these scores. A mate that is overlooked looks like the best of
    /// the others.
    fn impressions(&self, scores: &[Score], rng: &mut Rng) -> Vec<f64> {
        let plain = |score: &Score| match score {
            Score::Cp(cp) => Some(f64::from(*cp).clamp(-DECIDED, DECIDED)),
            Score::Mate(_) => None,
        };
        let usual = scores.iter().find_map(plain).unwrap_or(0.0);
        let mut impression = |score: &Score| match score {
            Score::Mate(plies) if rng.f64() < self.sees(*plies) => {
                f64::from(plies.signum()) * MATE - f64::from(*plies)
            }
            _ => plain(score).unwrap_or(usual),
        };
        scores.iter().map(&mut impression).collect()
    }

    /// The chance that a mate in this many plies is seen.
    fn sees(&self, plies: i32) -> f64 {
        (-f64::from(plies.abs()) / self.sight).exp()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::score::{mate_in, mated_in};
    use crate::search::Limits;
    use crate::search::report::Bound;
    use crate::search::root;
    use crate::shogi::Position;

    /// Root moves of these values.
    fn valued(values: &[i32]) -> Vec<RootMove> {
        let mut moves = root::root_moves(&Position::startpos(), &Limits::default());
        for (root_move, &value) in moves.iter_mut().zip(values) {
            root_move.set(value, Bound::Exact, 1, 1, &[]);
        }
        moves
    }

    /// How often each of the moves is chosen in a thousand.
    fn choices(level: u32, values: &[i32]) -> Vec<usize> {
        let (level, moves) = (SkillLevel::of(level).unwrap(), valued(values));
        let mut counts = vec![0; moves.len()];
        let mut rng = Rng::with_seed(1);
        for _ in 0..1000 {
            counts[level.choose(&moves, &mut rng)] += 1;
        }
        counts
    }

    #[test]
    fn levels_grow_from_a_few_nodes_to_many_and_end() {
        let levels: Vec<_> = (0..FULL)
            .map(|number| SkillLevel::of(number).unwrap())
            .collect();
        assert_eq!((levels[0].nodes(30), levels[0].lines()), (1200, 12));
        for pair in levels.windows(2) {
            assert!(pair[0].nodes(1) < pair[1].nodes(1) && pair[0].lines() >= pair[1].lines());
            assert!(pair[0].tolerance > pair[1].tolerance && pair[0].sight < pair[1].sight);
        }
        assert!(SkillLevel::of(FULL).is_none());
    }

    #[test]
    fn good_moves_are_chosen_most_and_unknown_ones_never() {
        let beginner = choices(0, &[100, 90, 0, -2000]);
        assert!(beginner[1] > 200 && beginner[2] > 150, "{beginner:?}");
        assert!(beginner[3] < 50, "{beginner:?}");
        assert_eq!(beginner[..4].iter().sum::<usize>(), 1000);
        let expert = choices(19, &[100, 90, 0, -2000]);
        assert!(expert[0] > 650 && expert[2] == 0, "{expert:?}");
    }

    #[test]
    fn long_mates_are_overlooked_and_short_ones_less() {
        let short = choices(0, &[mate_in(1), 0, 0])[0];
        let long = choices(0, &[mate_in(9), 0, 0])[0];
        assert!(short > 650 && long < 500 && long > 300, "{short} {long}");
        assert!(choices(19, &[mate_in(9), 0, 0])[0] > 960);
        // Nor does a beginner see every mate against him, but all moves are not alike.
        let into_mate = choices(0, &[0, mated_in(2)])[1];
        assert!(into_mate > 150 && into_mate < 400, "{into_mate}");
    }
}

//! The label of a position: the mean score of some teachers, static or after a search.

use serde::{Deserialize, Serialize};

use crate::eval::{Evaluator, IncrementalEval};
use crate::score::{PAWN_VALUE, Score, Value, WIN_PROBABILITY_SCALE, win_probability};
use crate::search::{Limits, SearchOptions, Solo};
use crate::shogi::{Move, Position};

/// Largest score that is written; beyond it the winning probability hardly changes.
const MAX_SCORE: f64 = 12_000.0;

/// Where a score comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Scoring {
    /// Static evaluation.
    Static,
    /// A search of this many nodes.
    Nodes(u64),
    /// A search of this depth in plies.
    Depth(u32),
}

/// The teachers' score and move for a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Opinion {
    /// Centipawns for the side to move.
    pub score: i16,
    /// The best move of the first teacher's search; `None` without a search.
    pub best: Option<Move>,
}

/// One or several evaluations that label together, in one thread.
pub struct Teacher {
    minds: Vec<Mind>,
    scoring: Scoring,
}

/// One teacher: a static evaluation or a search.
enum Mind {
    Static(Box<IncrementalEval>),
    Search(Box<Solo>),
}

impl Teacher {
    /// A teacher whose scores are the mean of those of all `evaluators`, as winning probabilities. Each search has a
    /// table of `hash_mib` MiB.
    pub fn new(evaluators: &[Evaluator], scoring: Scoring, hash_mib: usize) -> Self {
        let mind = |evaluator: &Evaluator| match scoring {
            Scoring::Static => Mind::Static(Box::new(IncrementalEval::new(evaluator))),
            Scoring::Nodes(_) | Scoring::Depth(_) => {
                let options = SearchOptions::default();
                Mind::Search(Box::new(Solo::new(evaluator.clone(), hash_mib, options)))
            }
        };
        Self {
            minds: evaluators.iter().map(mind).collect(),
            scoring,
        }
    }

    /// Forgets what was searched before.
    pub fn clear(&mut self) {
        for mind in &mut self.minds {
            if let Mind::Search(solo) = mind {
                solo.clear();
            }
        }
    }

    /// The label of a position. `None` where a score would mean nothing: in check without a search, without a legal
    /// move with one, and if a search found that the game is decided.
    pub fn label(&mut self, position: &Position) -> Option<Opinion> {
        let limits = limits(self.scoring);
        if limits.is_none() && position.in_check() {
            return None;
        }
        let mut best = None;
        let mut sum = 0.0;
        for mind in &mut self.minds {
            let cp = match (mind, &limits) {
                (Mind::Static(eval), _) => centipawns(eval.value(position)),
                (Mind::Search(solo), limits) => {
                    let found = solo.search(position, limits.clone().unwrap_or_default())?;
                    best = best.or(Some(found.best));
                    let Score::Cp(cp) = Score::from_value(found.value) else {
                        return None;
                    };
                    f64::from(cp)
                }
            };
            sum += probability(cp);
        }
        let score = score(sum / self.minds.len() as f64);
        Some(Opinion { score, best })
    }
}

fn limits(scoring: Scoring) -> Option<Limits> {
    let (nodes, depth) = match scoring {
        Scoring::Static => return None,
        Scoring::Nodes(nodes) => (Some(nodes), None),
        Scoring::Depth(depth) => (None, Some(depth)),
    };
    Some(Limits {
        nodes,
        depth,
        ..Limits::default()
    })
}

fn centipawns(value: Value) -> f64 {
    f64::from(value) * 100.0 / f64::from(PAWN_VALUE)
}

/// The winning probability that a score stands for.
fn probability(cp: f64) -> f64 {
    win_probability(cp.clamp(-MAX_SCORE, MAX_SCORE))
}

/// The score that stands for a winning probability, in whole centipawns.
fn score(probability: f64) -> i16 {
    let score = WIN_PROBABILITY_SCALE * (probability / (1.0 - probability)).ln();
    score.round().clamp(-MAX_SCORE, MAX_SCORE) as i16
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn probabilities_and_scores_are_inverse() {
        for cp in [-12_000, -5_000, -659, -1, 0, 1, 300, 11_999] {
            assert_eq!(score(probability(f64::from(cp))), cp);
        }
        // Beyond the limit all is the same.
        assert_eq!(score(probability(30_000.0)), 12_000);
    }

    /// 659 is 600 ln 3, three wins of four. The mean of 3/4 and 1/2 is 5/8: 600 ln (5/3) is 306.5.
    #[test]
    fn means_are_taken_of_probabilities() {
        assert_eq!(score((probability(659.0) + probability(0.0)) / 2.0), 306);
    }
}

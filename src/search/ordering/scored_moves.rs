//! Move ordering: a list of moves with scores, from which the best is picked repeatedly (partial selection sort).

use arrayvec::ArrayVec;

use crate::shogi::Move;
use crate::shogi::moves::MAX_MOVES;

/// Lowest bit of a rank: the score assumes that the exchange does not lose material.
const UNVERIFIED: i32 = 1;
/// The bits above tell moves with the same score apart. They are all set for the first move.
const PLACES: i32 = 0x3ff << 1;
const _: () = assert!(MAX_MOVES <= PLACES as usize >> 1);
/// The score is in the bits above these.
const SCORE_SHIFT: u32 = 11;
/// Scores are cut to what the bits hold.
const HIGHEST_SCORE: i32 = i32::MAX >> SCORE_SHIFT;
/// The rank of a move that was handed out.
const TAKEN: i32 = i32::MIN;

/// Moves from which the best is picked repeatedly.
///
/// A rank contains score and place, so that the best rank names its move, and is found by comparing adjacent numbers,
/// several at a time. Few nodes try many moves, so nothing is sorted.
pub struct ScoredMoves {
    moves: ArrayVec<Move, MAX_MOVES>,
    ranks: ArrayVec<i32, MAX_MOVES>,
}

/// A move of a [`ScoredMoves`].
#[derive(Clone, Copy)]
pub struct ScoredMove {
    pub mv: Move,
    rank: i32,
}

impl ScoredMove {
    /// The score given when the move was added.
    pub fn score(self) -> i32 {
        self.rank >> SCORE_SHIFT
    }

    /// Whether the score is still to be verified.
    pub fn is_unverified(self) -> bool {
        self.rank & UNVERIFIED != 0
    }
}

/// Where in a ranking the move of a rank is.
fn place(rank: i32) -> usize {
    (!rank & PLACES) as usize >> 1
}

impl ScoredMoves {
    /// No moves.
    #[inline]
    pub fn new() -> Self {
        Self {
            moves: ArrayVec::new(),
            ranks: ArrayVec::new(),
        }
    }

    /// Adds a move.
    #[inline]
    pub fn push(&mut self, mv: Move, score: i32) {
        // The lowest score of all is left to those taken.
        let score = score.clamp(1 - HIGHEST_SCORE, HIGHEST_SCORE);
        let place = PLACES - ((self.moves.len() as i32) << 1);
        self.ranks.push(score << SCORE_SHIFT | place);
        self.moves.push(mv);
    }

    /// As `push`, with a score to be verified once the move is about to be tried.
    #[inline]
    pub fn push_unverified(&mut self, mv: Move, score: i32) {
        self.push(mv, score);
        if let Some(rank) = self.ranks.last_mut() {
            *rank |= UNVERIFIED;
        }
    }

    /// Removes all moves.
    pub fn clear(&mut self) {
        self.moves.clear();
        self.ranks.clear();
    }

    /// The best of the moves that are left; of those with the same score, the first.
    #[inline]
    pub fn best(&self) -> Option<ScoredMove> {
        let rank = self.ranks.iter().copied().max()?;
        (rank != TAKEN).then(|| ScoredMove {
            mv: self.moves[place(rank)],
            rank,
        })
    }

    /// Removes a move, which was the best.
    #[inline]
    pub fn remove(&mut self, ranked: ScoredMove) {
        self.ranks[place(ranked.rank)] = TAKEN;
    }

    /// Takes back the bonus of a move whose verification failed.
    #[inline]
    pub fn demote(&mut self, ranked: ScoredMove, bonus: i32) {
        self.ranks[place(ranked.rank)] -= bonus << SCORE_SHIFT | UNVERIFIED;
    }

    /// Removes and returns the best move.
    pub fn pop_best(&mut self) -> Option<ScoredMove> {
        let best = self.best()?;
        self.remove(best);
        Some(best)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn drops(count: u8) -> impl Iterator<Item = Move> {
        (0..count).map(|i| {
            let (file, rank) = (char::from(b'1' + i / 9), char::from(b'a' + i % 9));
            format!("P*{file}{rank}").parse().unwrap()
        })
    }

    fn taken(mut ranking: ScoredMoves) -> Vec<(String, i32)> {
        let ranked = std::iter::from_fn(|| ranking.pop_best());
        ranked.map(|r| (r.mv.to_string(), r.score())).collect()
    }

    #[test]
    fn the_best_comes_first_and_of_equals_the_first() {
        let scored: Vec<_> = drops(81)
            .enumerate()
            .map(|(i, mv)| (mv, (i as i32 * 29 % 23 - 11) * 9001))
            .collect();
        let mut ranking = ScoredMoves::new();
        for &(mv, score) in &scored {
            ranking.push(mv, score);
        }
        let mut expected: Vec<_> = scored.iter().map(|(mv, s)| (mv.to_string(), *s)).collect();
        expected.sort_by_key(|&(_, score)| -score); // leaves equals in place
        assert_eq!(taken(ranking), expected);
    }

    #[test]
    fn a_bonus_can_be_withdrawn() {
        let mut ranking = ScoredMoves::new();
        let moves: Vec<_> = drops(3).collect();
        ranking.push_unverified(moves[0], 500);
        ranking.push(moves[1], 300);
        ranking.push(moves[2], -400);
        let best = ranking.best().unwrap();
        assert!(best.is_unverified() && best.mv == moves[0] && best.score() == 500);
        ranking.demote(best, 600);
        let best = ranking.best().unwrap();
        assert!(!best.is_unverified() && best.mv == moves[1]);
        let order = [("P*1b", 300), ("P*1a", -100), ("P*1c", -400)];
        assert_eq!(
            taken(ranking),
            order.map(|(mv, score)| (mv.to_owned(), score))
        );
    }

    #[test]
    fn extreme_scores_are_cut_but_not_lost() {
        let mut ranking = ScoredMoves::new();
        let scores = [i32::MIN, i32::MAX, 0];
        for (mv, score) in drops(3).zip(scores) {
            ranking.push(mv, score);
        }
        let order: Vec<_> = taken(ranking).into_iter().map(|(mv, _)| mv).collect();
        assert_eq!(order, ["P*1b", "P*1c", "P*1a"]);
        assert!(ScoredMoves::new().best().is_none());
    }
}

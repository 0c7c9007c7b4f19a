//! Values of positions inside the search, and scores as users see them. Plain arithmetic.
//!
//! A [`Value`] is an integer in *eval units*, 90 to a pawn, always from the view of the side to move.
//! The number line, from the middle outwards:
//!
//! ```text
//!   0 .. EVAL_MAX            evaluations
//!   REPETITION_WIN - n       the opponent loses by perpetual check n plies from the root
//!   MATE - n                 mate n plies from the root
//! ```

use std::fmt;

/// An evaluation or search result in eval units, from the view of the side to move.
pub type Value = i32;

/// The value of a pawn, the scale of all values.
pub const PAWN_VALUE: Value = 90;

/// The deepest ply that a search reaches, counted from the root.
pub const MAX_PLY: usize = 246;

/// Mate on the board, won by the side to move. Mate in `n` plies is `MATE - n`.
pub const MATE: Value = 32_000;

/// Larger than every value.
pub const INFINITE: Value = MATE + 1;

/// Values at or beyond this bound, on either side, are mates.
pub const MATE_IN_MAX_PLY: Value = MATE - MAX_PLY as Value;

/// The opponent loses by perpetual check. Less than any mate, since it is never shown as one.
pub const REPETITION_WIN: Value = 28_000;

/// Values at or beyond this bound, on either side, are no evaluations but decided games.
pub const DECISIVE: Value = REPETITION_WIN - MAX_PLY as Value;

/// Evaluations stay within this bound.
pub const EVAL_MAX: Value = 26_000;

/// A superior repetition: the same board with more pieces in hand than before, hence given away by
/// the opponent. Clearly won, but deliberately no proof, and no match for a mate or a perpetual check.
pub const SUPERIOR: Value = 12_000;

/// The largest centipawn number ever shown.
pub const CP_MAX: i32 = 29_999;

/// The side to move mates `ply` plies from the root.
#[inline]
pub const fn mate_in(ply: usize) -> Value {
    MATE - ply as Value
}

/// The side to move is mated `ply` plies from the root.
#[inline]
pub const fn mated_in(ply: usize) -> Value {
    ply as Value - MATE
}

/// Whether the side to move mates.
#[inline]
pub const fn is_mate(value: Value) -> bool {
    value >= MATE_IN_MAX_PLY
}

/// Whether the side to move is mated.
#[inline]
pub const fn is_mated(value: Value) -> bool {
    value <= -MATE_IN_MAX_PLY
}

/// Whether the side to move wins by mate or perpetual check.
#[inline]
pub const fn is_win(value: Value) -> bool {
    value >= DECISIVE
}

/// Whether the side to move loses by mate or perpetual check.
#[inline]
pub const fn is_loss(value: Value) -> bool {
    value <= -DECISIVE
}

/// Whether the game is decided, either way.
#[inline]
pub const fn is_decisive(value: Value) -> bool {
    is_win(value) || is_loss(value)
}

/// Converts a value counted from the root into one counted from a node `ply` plies below it, as stored in the hash
/// table: there the distance to the end must not depend on the path.
#[inline]
pub const fn from_root_to_node(value: Value, ply: usize) -> Value {
    if is_win(value) {
        value + ply as Value
    } else if is_loss(value) {
        value - ply as Value
    } else {
        value
    }
}

/// The inverse of [`from_root_to_node`].
#[inline]
pub const fn from_node_to_root(value: Value, ply: usize) -> Value {
    if is_win(value) {
        value - ply as Value
    } else if is_loss(value) {
        value + ply as Value
    } else {
        value
    }
}

/// Centipawns as eval units.
#[inline]
pub const fn from_cp(cp: i32) -> Value {
    cp * PAWN_VALUE / 100
}

/// Sigmoid scale: the winning probability of a score is `sigmoid(cp / 600)`. 600 is "Ponanza's constant", customary
/// among shogi engines.
pub const WIN_PROBABILITY_SCALE: f64 = 600.0;

/// The probability of winning, from 0 to 1, at a score of `cp` centipawns.
pub fn win_probability(cp: f64) -> f64 {
    1.0 / (1.0 + (-cp / WIN_PROBABILITY_SCALE).exp())
}

/// A score as users see it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Score {
    /// Hundredths of a pawn, within ±[`CP_MAX`].
    Cp(i32),
    /// Plies to mate: positive if the side to move mates, negative if it is mated, 0 if it is mated on the board.
    Mate(i32),
}

impl Score {
    /// A search result at the root as a score.
    pub const fn from_value(value: Value) -> Self {
        if is_mate(value) {
            Self::Mate(MATE - value)
        } else if is_mated(value) {
            Self::Mate(-MATE - value)
        } else {
            let cp = value * 100 / PAWN_VALUE;
            if cp > CP_MAX {
                Self::Cp(CP_MAX)
            } else if cp < -CP_MAX {
                Self::Cp(-CP_MAX)
            } else {
                Self::Cp(cp)
            }
        }
    }
}

/// In words: centipawns with their sign, or the length of a mate.
///
/// ```
/// use hien::score::Score;
///
/// let scores = [Score::Cp(35), Score::Cp(0), Score::Mate(5), Score::Mate(-4), Score::Mate(0)];
/// let texts = scores.map(|score| score.to_string());
/// assert_eq!(texts, ["+35", "0", "mate in 5", "mated in 4", "mated"]);
/// ```
impl fmt::Display for Score {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Self::Cp(0) => f.write_str("0"),
            Self::Cp(cp) => write!(f, "{cp:+}"),
            Self::Mate(0) => f.write_str("mated"),
            Self::Mate(plies) if plies > 0 => write!(f, "mate in {plies}"),
            Self::Mate(plies) => write!(f, "mated in {}", plies.unsigned_abs()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scores_are_centipawns_or_signed_plies() {
        for (value, score) in [
            (0, Score::Cp(0)),
            (PAWN_VALUE, Score::Cp(100)),
            (-45, Score::Cp(-50)),
            (EVAL_MAX, Score::Cp(28_888)),
            (REPETITION_WIN - 3, Score::Cp(CP_MAX)),
            (3 - REPETITION_WIN, Score::Cp(-CP_MAX)),
            (mate_in(1), Score::Mate(1)),
            (mate_in(MAX_PLY), Score::Mate(MAX_PLY as i32)),
            (mated_in(0), Score::Mate(0)),
            (mated_in(2), Score::Mate(-2)),
        ] {
            assert_eq!(Score::from_value(value), score, "{value}");
        }
    }

    #[test]
    fn distances_survive_the_way_through_the_table() {
        for ply in [0, 1, 17, 100] {
            for value in [
                0,
                -EVAL_MAX,
                SUPERIOR,
                mate_in(ply + 5),
                mated_in(ply + 4),
                REPETITION_WIN - 120,
                120 - REPETITION_WIN,
            ] {
                let stored = from_root_to_node(value, ply);
                assert_eq!(from_node_to_root(stored, ply), value);
            }
            assert_eq!(from_root_to_node(mate_in(ply + 5), ply), mate_in(5));
        }
    }

    #[test]
    fn the_ranges_do_not_overlap() {
        const { assert!(SUPERIOR < EVAL_MAX && EVAL_MAX < DECISIVE) }
        const { assert!(DECISIVE < REPETITION_WIN && REPETITION_WIN < MATE_IN_MAX_PLY) }
        assert!(is_win(REPETITION_WIN - 200) && !is_mate(REPETITION_WIN));
        assert!(!is_decisive(EVAL_MAX) && is_loss(mated_in(200)));
        // Whatever is stored fits the 16 bits of a hash entry.
        assert!(i16::try_from(INFINITE + MAX_PLY as Value).is_ok());
    }
}

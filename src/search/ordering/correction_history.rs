//! Correction history: a running average of search result minus static evaluation, added to later static evaluations.
//!
//! The averages are kept per side to move and per feature of the position: its pawns, its kings, golds and silvers, the
//! pieces of each player, the hands, and the last moves. One set of tables per worker.
//!
//! The idea, the bound 1024 and the limit of a quarter of it per update are those of Stockfish and YaneuraOu 9.70; the
//! features for shogi are our own.

use super::history::{PawnIndex, PieceTo, gravity};
use super::movepick::CONTINUATIONS;
use crate::score::{EVAL_MAX, Value};
use crate::search::params;
use crate::shogi::{Color, Position};

/// Bound of the entries, see [`gravity`].
const BOUND: i32 = 1024;
/// Entries per table; a power of two.
const SIZE: usize = 1 << 14;
/// Number of features.
const FEATURES: usize = 7;

/// The entries of a position in the tables, one per feature.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CorrectionIndices([u16; FEATURES]);

impl CorrectionIndices {
    /// The entries of a position reached by the `previous` moves, the last one first.
    pub fn of(position: &Position, previous: &[PieceTo; CONTINUATIONS]) -> Self {
        let [last, second, _, fourth, ..] = previous;
        let parts = position.part_keys();
        let keys = [
            parts.pawns,
            parts.generals,
            parts.pieces[0],
            parts.pieces[1],
            position.hands_key(),
            last.pair_key(*second),
            last.pair_key(*fourth),
        ];
        Self(keys.map(|key| (key >> (64 - SIZE.ilog2())) as u16))
    }

    /// The row of the pawn history for the position.
    #[inline]
    pub fn pawn_index(&self) -> PawnIndex {
        PawnIndex::new(self.0[0])
    }
}

/// The tables, about 0.5 MB.
pub struct CorrectionHistory {
    tables: Box<[[[i16; SIZE]; FEATURES]; 2]>,
}

impl CorrectionHistory {
    /// Empty tables.
    pub fn new() -> Self {
        let tables = vec![[[0; SIZE]; FEATURES]; 2].into_boxed_slice();
        let tables = tables.try_into().expect("two sides");
        Self { tables }
    }

    /// Clears all entries.
    pub fn clear(&mut self) {
        self.tables.as_flattened_mut().as_flattened_mut().fill(0);
    }

    /// What to add to the static evaluation, in eval units.
    #[inline]
    pub fn correction(&self, side: Color, correction_indices: &CorrectionIndices) -> Value {
        let tables = &self.tables[side.index()];
        let entry = |i: usize| i32::from(tables[i][usize::from(correction_indices.0[i])]);
        let sum: i32 = weights()
            .iter()
            .enumerate()
            .map(|(i, weight)| weight * entry(i))
            .sum();
        sum / BOUND
    }

    /// Updates the entries after a search to `depth` whose result was `surplus` above the corrected static evaluation.
    /// Each moves towards it by `surplus * depth / divisor`, limited.
    pub fn update(
        &mut self,
        side: Color,
        correction_indices: &CorrectionIndices,
        surplus: Value,
        depth: i32,
        divisor: i32,
    ) {
        let most = BOUND * params::correction_update_max() / 1024;
        let bonus = (surplus.clamp(-EVAL_MAX, EVAL_MAX) * depth / divisor).clamp(-most, most);
        for (table, &place) in self.tables[side.index()]
            .iter_mut()
            .zip(&correction_indices.0)
        {
            gravity(&mut table[usize::from(place)], bonus, BOUND);
        }
    }
}

/// The correction, in eval units, by an entry at its bound, for each feature.
#[inline]
fn weights() -> [i32; FEATURES] {
    [
        params::correction_pawns(),
        params::correction_generals(),
        params::correction_pieces(),
        params::correction_pieces(),
        params::correction_hands(),
        params::correction_last_move(),
        params::correction_earlier_move(),
    ]
}

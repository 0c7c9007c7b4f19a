//! How wrong static evaluation has been lately in positions of a kind, and its correction by that.
//!
//! A position is known by several features; for each of them, and for each side to move, a table keeps a running
//! average of what search found above static evaluation. One set per worker.

use super::history::{PieceTo, Structure, apply};
use super::movepick::CONTINUATIONS;
use super::params;
use crate::score::{EVAL_MAX, Value};
use crate::shogi::{Bitboard, Color, PieceType, Position};

/// Bound of the entries, see [`apply`].
const BOUND: i32 = 1024;
/// Entries per table; a power of two.
const SIZE: usize = 1 << 14;
/// How many features there are.
const FEATURES: usize = 7;

/// The places of a position in the tables, for the side to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Places([u16; FEATURES]);

impl Places {
    /// Of a position reached by the `previous` moves, the last one first.
    pub fn of(position: &Position, previous: &[PieceTo; CONTINUATIONS]) -> Self {
        let [last, second, _, fourth, ..] = previous;
        let [black_key, white_key] = pieces_keys(position);
        let keys = [
            pawns_key(position),
            generals_key(position),
            black_key,
            white_key,
            // What is left of the key is the hands.
            (position.key() ^ position.board_key()).wrapping_mul(MULTIPLIERS[0]),
            last.pair_key(*second),
            last.pair_key(*fourth),
        ];
        Self(keys.map(|key| (key >> (64 - SIZE.ilog2())) as u16))
    }

    /// The pawn structure of the position.
    #[inline]
    pub fn structure(&self) -> Structure {
        Structure::new(self.0[0])
    }
}

/// The tables, about 0.5 MB.
pub(super) struct Corrections {
    tables: Box<[[[i16; SIZE]; FEATURES]; 2]>,
}

impl Corrections {
    /// Tables without any experience.
    pub fn new() -> Self {
        let tables = vec![[[0; SIZE]; FEATURES]; 2].into_boxed_slice();
        let tables = tables.try_into().expect("two sides");
        Self { tables }
    }

    /// Forgets everything.
    pub fn clear(&mut self) {
        self.tables.as_flattened_mut().as_flattened_mut().fill(0);
    }

    /// What to add to static evaluation.
    #[inline]
    pub fn correction(&self, side: Color, places: &Places) -> Value {
        let tables = &self.tables[side.index()];
        let entry = |i: usize| i32::from(tables[i][usize::from(places.0[i])]);
        let sum: i32 = weights()
            .iter()
            .enumerate()
            .map(|(i, weight)| weight * entry(i))
            .sum();
        sum / BOUND
    }

    /// Learns that a search to `depth` found `surplus` more than the corrected static evaluation.
    pub fn learn(
        &mut self,
        side: Color,
        places: &Places,
        surplus: Value,
        depth: i32,
        divisor: i32,
    ) {
        let bonus =
            (surplus.clamp(-EVAL_MAX, EVAL_MAX) * depth / divisor).clamp(-BOUND / 4, BOUND / 4);
        for (table, &place) in self.tables[side.index()].iter_mut().zip(&places.0) {
            apply(&mut table[usize::from(place)], bonus, BOUND);
        }
    }
}

/// By how much an entry at its bound corrects, for each feature.
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

/// Random odd numbers to hash with: those of splitmix64 (Steele, Lea, Flood 2014).
const MULTIPLIERS: [u64; 16] = {
    let mut numbers = [0; 16];
    let mut state = 1u64;
    let mut i = 0;
    while i < numbers.len() {
        state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = state;
        z = (z ^ z >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ z >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        numbers[i] = (z ^ z >> 31) | 1;
        i += 1;
    }
    numbers
};

/// A number in whose high bits different lists of sets hardly ever agree.
#[inline]
fn hash<const N: usize>(sets: [Bitboard; N]) -> u64 {
    let mut hash = 0u64;
    for (set, pair) in sets.iter().zip(MULTIPLIERS.as_chunks::<2>().0) {
        let bits = set.bits();
        hash = hash
            .wrapping_add((bits as u64).wrapping_mul(pair[0]))
            .wrapping_add(((bits >> 64) as u64).wrapping_mul(pair[1]));
    }
    (hash ^ hash >> 32).wrapping_mul(MULTIPLIERS[15])
}

/// Identifies the pawns on the board.
#[inline]
fn pawns_key(position: &Position) -> u64 {
    hash(Color::ALL.map(|color| position.pieces_of(color, PieceType::Pawn)))
}

/// Identifies the kings, golds and silvers of both sides, and what moves like them.
#[inline]
fn generals_key(position: &Position) -> u64 {
    let kings = position.by_kind(PieceType::King);
    let silvers = position.by_kind(PieceType::Silver);
    let golds = position.gold_movers();
    let black = (kings | silvers | golds) & position.pieces(Color::Black);
    hash([golds | kings, silvers | kings, black])
}

/// Identifies all pieces but the pawns, for each player.
#[inline]
fn pieces_keys(position: &Position) -> [u64; 2] {
    let of = |kind| position.by_kind(kind);
    let (king, silver, lance, rook) = (
        of(PieceType::King),
        of(PieceType::Silver),
        of(PieceType::Lance),
        of(PieceType::Rook),
    );
    let (bishop, dragon) = (of(PieceType::Bishop), of(PieceType::Dragon));
    // The digits of a number for each kind, in binary: fewer sets to hash.
    let digits = [
        king | silver | lance | rook | dragon,
        position.gold_movers() | silver | bishop | rook,
        of(PieceType::Knight) | lance | bishop | rook,
        of(PieceType::Horse) | dragon,
    ];
    Color::ALL.map(|color| {
        let own = position.pieces(color);
        hash(digits.map(|digit| digit & own))
    })
}

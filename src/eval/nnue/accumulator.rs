//! The accumulator stack: the first layer's sums for each position of a line of play and each perspective, computed
//! when they are needed (lazy updates).
//!
//! Slots are indexed by the number of moves played. A slot belongs to a position exactly if it holds its key, so nobody
//! has to announce moves. A missing accumulator is updated from the nearest earlier one of the line, move by move.
//! Where that is impossible (the own king moved, the line is too long or was never evaluated) it comes from the refresh
//! cache: the last accumulator with the own king on the same square, brought up to date by the difference of the two
//! positions. Chess engines call such a cache Finny tables; they began in Koivisto.

use crate::eval::simd::{Aligned, Kernels};
use crate::shogi::{Color, Diff, PieceType, Position, Square};

use super::features::{EffectMap, FeatureSet, MoveChanges, Snapshot, View};
use super::transformer::Transformer;

/// Slots of the stack: more than a search is deep. Lines longer than that overwrite their beginning.
const SLOTS: usize = 256;
/// How many moves an accumulator is updated at most; beyond that a refresh from the cache is cheaper.
const MAX_STEPS: usize = 6;

/// The accumulators of one thread. All memory is allocated at the start.
#[derive(Clone, Debug)]
pub struct Accumulators {
    features: FeatureSet,
    width: usize,
    slots: Vec<Slot>,
    /// `[slot][perspective][width]`.
    values: Aligned<i16>,
    /// The refresh cache (Finny tables), per perspective and square of its king: the position that `bases` holds.
    snapshots: Vec<Snapshot>,
    /// The refresh cache's accumulators, `[perspective][king square][width]`.
    bases: Aligned<i16>,
    /// The last attack counts that were needed, and the key of their position.
    effects: (u64, EffectMap),
}

/// What is to be computed, and with what.
#[derive(Clone, Copy)]
struct Target<'a> {
    transformer: &'a Transformer,
    kernels: &'a Kernels,
    position: &'a Position,
}

/// To which position the accumulators in a slot belong.
#[derive(Clone, Copy, Debug, Default)]
struct Slot {
    key: u64,
    ready: [bool; 2],
}

impl Accumulators {
    /// The accumulators of one thread; nothing is computed yet.
    pub(super) fn new(features: FeatureSet, transformer: &Transformer) -> Self {
        let width = transformer.width();
        let kings = if features.is_king_relative() {
            Square::COUNT
        } else {
            1
        };
        let mut bases = Aligned::zeroed(2 * kings * width);
        for base in bases.chunks_exact_mut(width) {
            base.copy_from_slice(transformer.bias());
        }
        Self {
            features,
            width,
            slots: vec![Slot::default(); SLOTS],
            values: Aligned::zeroed(2 * SLOTS * width),
            snapshots: vec![Snapshot::EMPTY; 2 * kings],
            bases,
            effects: (0, EffectMap::NONE),
        }
    }

    /// The accumulators of a position with both kings: the side to move's first.
    #[inline]
    pub(super) fn of(
        &mut self,
        transformer: &Transformer,
        kernels: &Kernels,
        position: &Position,
        kings: [Square; 2],
    ) -> [&[i16]; 2] {
        let target = Target {
            transformer,
            kernels,
            position,
        };
        for color in Color::ALL {
            self.make_ready(target, color, kings[color.index()]);
        }
        let us = position.side_to_move();
        let now = position.game_len();
        [us, !us].map(|color| &self.values[self.range(now, color)])
    }

    fn make_ready(&mut self, target: Target<'_>, color: Color, king: Square) {
        let view = self.features.view(color, king);
        match self.steps_since_ready(target.position, color) {
            Some(steps) => {
                for back in (0..steps).rev() {
                    self.step(target, back, &view);
                }
            }
            None => self.start_from_base(target, &view, king),
        }
        debug_assert!(
            self.is_right(target, &view),
            "{:?} {color:?}",
            self.features
        );
    }

    /// How many moves ago the nearest usable accumulator is; `None` if there is none worth using.
    #[inline]
    fn steps_since_ready(&self, position: &Position, color: Color) -> Option<usize> {
        for steps in 0..=MAX_STEPS {
            let moves = position.game_len().checked_sub(steps)?;
            let slot = &self.slots[moves % SLOTS];
            if slot.ready[color.index()] && position.key_at(steps) == Some(slot.key) {
                return Some(steps);
            }
            if self.features.uses_effects() || self.loses_base(position, steps, color) {
                return None;
            }
        }
        None
    }

    /// Whether the move that led to the position `back` moves ago changed all features of a perspective, so that only a
    /// refresh helps.
    #[inline]
    fn loses_base(&self, position: &Position, back: usize, color: Color) -> bool {
        let king =
            |diff: Diff| diff.before.kind() == PieceType::King && diff.before.color() == color;
        self.features.is_king_relative() && position.diff(back).is_some_and(king)
    }

    /// Makes the accumulator of the position `back` moves ago from the one before it.
    #[inline]
    fn step(&mut self, target: Target<'_>, back: usize, view: &View) {
        let moves = target.position.game_len() - back;
        // After a null move nothing differs.
        let changes = match (
            target.position.diff(back),
            target.position.hands_at(back + 1),
        ) {
            (Some(diff), Some(hands)) => MoveChanges::of_move(view, &diff, hands),
            _ => MoveChanges::default(),
        };
        let ranges = [moves - 1, moves].map(|moves| self.range(moves, view.perspective()));
        let [from, to] = self
            .values
            .get_disjoint_mut(ranges)
            .expect("neighbouring slots differ");
        target
            .transformer
            .update(target.kernels, to, from, &changes);
        self.mark_ready(target.position, back, view.perspective());
    }

    /// Refreshes the accumulator of the position from the cached one with the own king on the same square.
    fn start_from_base(&mut self, target: Target<'_>, view: &View, king: Square) {
        let color = view.perspective();
        let kings = self.snapshots.len() / 2;
        let base = color.index() * kings + if kings > 1 { king.index() } else { 0 };
        if self.features.uses_effects() && self.effects.0 != target.position.key() {
            self.effects = (target.position.key(), EffectMap::of(target.position));
        }
        let changes = self.snapshots[base].move_to(view, target.position, &self.effects.1);
        let values = &mut self.bases[base * self.width..][..self.width];
        target.transformer.apply(target.kernels, values, &changes);
        let to = self.range(target.position.game_len(), color);
        self.values[to].copy_from_slice(&self.bases[base * self.width..][..self.width]);
        self.mark_ready(target.position, 0, color);
    }

    /// Notes that a perspective of the position `back` moves ago is computed.
    #[inline]
    fn mark_ready(&mut self, position: &Position, back: usize, color: Color) {
        let key = position.key_at(back).expect("the line is this long");
        let slot = &mut self.slots[(position.game_len() - back) % SLOTS];
        if slot.key != key {
            *slot = Slot {
                key,
                ready: [false; 2],
            };
        }
        slot.ready[color.index()] = true;
    }

    /// Where a perspective's accumulator lies after a number of moves.
    #[inline]
    fn range(&self, moves: usize, color: Color) -> std::ops::Range<usize> {
        let start = (moves % SLOTS * 2 + color.index()) * self.width;
        start..start + self.width
    }

    /// Whether the accumulator equals the one computed from all active features.
    fn is_right(&self, target: Target<'_>, view: &View) -> bool {
        let mut fresh = Aligned::zeroed(self.width);
        target
            .transformer
            .refresh(target.kernels, &mut fresh, view, target.position);
        self.values[self.range(target.position.game_len(), view.perspective())] == fresh[..]
    }
}

//! The position behind a cached accumulator, compared with a later one to find the features that changed.

use super::effects::EffectMap;
use super::{BoardChanges, View, absent_pieces};
use crate::shogi::{Bitboard, Color, Hand, HandPiece, Piece, PieceType, Position};

/// Everything that features are made of: pieces, hands, absent pieces and attack counts of a position. Comparing two
/// tells which features differ, whatever moves lie between.
#[derive(Clone, Debug)]
pub struct Snapshot {
    board: [Option<Piece>; 81],
    by_kind: [Bitboard; PieceType::COUNT],
    by_color: [Bitboard; 2],
    hands: [Hand; 2],
    absent: u32,
    effects: EffectMap,
}

impl Default for Snapshot {
    fn default() -> Self {
        Self::EMPTY
    }
}

impl Snapshot {
    /// No piece anywhere and none absent: no active feature.
    pub const EMPTY: Self = Self {
        board: [None; 81],
        by_kind: [Bitboard::EMPTY; PieceType::COUNT],
        by_color: [Bitboard::EMPTY; 2],
        hands: [Hand::EMPTY; 2],
        absent: 0,
        effects: EffectMap::NONE,
    };

    /// Becomes the snapshot of `position` and tells which features changed in between.
    /// `effects` are those of the position, or [`EffectMap::NONE`] for sets without attack counts.
    pub fn move_to(
        &mut self,
        view: &View,
        position: &Position,
        effects: &EffectMap,
    ) -> BoardChanges {
        let mut changes = BoardChanges::default();
        self.change_board(view, position, effects, &mut changes);
        self.change_hands(view, position, &mut changes);
        self.change_absent(view, position, &mut changes);
        changes
    }

    fn change_board(
        &mut self,
        view: &View,
        position: &Position,
        effects: &EffectMap,
        changes: &mut BoardChanges,
    ) {
        let occupied = position.occupied() | self.by_color[0] | self.by_color[1];
        let mut changed = effects.changed_since(&self.effects) & occupied;
        for kind in PieceType::ALL {
            let now = position.by_kind(kind);
            changed |= std::mem::replace(&mut self.by_kind[kind.index()], now) ^ now;
        }
        for color in Color::ALL {
            let now = position.pieces(color);
            changed |= std::mem::replace(&mut self.by_color[color.index()], now) ^ now;
        }
        for square in changed.squares() {
            let now = position.piece_on(square);
            if let Some(piece) = std::mem::replace(&mut self.board[square.index()], now) {
                view.board(piece, square, self.effects.at(square), |index| {
                    changes.sub.push(index)
                });
            }
            if let Some(piece) = now {
                view.board(piece, square, effects.at(square), |index| {
                    changes.add.push(index)
                });
            }
        }
        self.effects = *effects;
    }

    fn change_hands(&mut self, view: &View, position: &Position, changes: &mut BoardChanges) {
        for color in Color::ALL {
            let now = position.hand(color);
            let old = std::mem::replace(&mut self.hands[color.index()], now);
            if old == now {
                continue;
            }
            for kind in HandPiece::ALL {
                let (old, now) = (old.count(kind), now.count(kind));
                changes
                    .add
                    .extend((old..now).map(|nth| view.hand(color, kind, nth)));
                changes
                    .sub
                    .extend((now..old).map(|nth| view.hand(color, kind, nth)));
            }
        }
    }

    fn change_absent(&mut self, view: &View, position: &Position, changes: &mut BoardChanges) {
        let now = absent_pieces(position);
        let old = std::mem::replace(&mut self.absent, now);
        changes.add.extend((old..now).map(|_| view.absent()));
        changes.sub.extend((now..old).map(|_| view.absent()));
    }
}

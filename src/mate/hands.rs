//! Proof and disproof hands: for which hands a result holds.
//!
//! A proof found with one hand often needs only a part of it, and a disproof would stand against more: these are the
//! proof and disproof pieces (証明駒, 反証駒) of Nagai's thesis (2002). The board and the set of pieces are fixed, so what
//! the attacker does not hold the defender does: more for one is less for the other.

use crate::shogi::{Bitboard, Hand, HandPiece, Move, MoveKind, PieceType, Position, attacks};

/// What the attacker, to move, holds after the move.
#[inline]
pub(super) fn after_attack(position: &Position, mv: Move) -> Hand {
    let mut hand = position.hand(position.side_to_move());
    match mv.kind() {
        MoveKind::Drop(kind) => hand.remove(kind),
        MoveKind::Board { .. } => {
            if let Some(kind) = taken(position, mv) {
                hand.add(kind);
            }
        }
    }
    hand
}

fn taken(position: &Position, mv: Move) -> Option<HandPiece> {
    position
        .piece_on(mv.to())
        .and_then(|piece| HandPiece::from_captured(piece.kind()))
}

/// All that both players hold.
pub(super) fn total(position: &Position) -> Hand {
    let us = position.side_to_move();
    position.hand(us).plus(position.hand(!us))
}

/// The hand with which the attacker's move leads to `after` or more.
pub(super) fn before_attack(position: &Position, mv: Move, mut after: Hand) -> Hand {
    match mv.kind() {
        MoveKind::Drop(kind) => after.add(kind),
        MoveKind::Board { .. } => {
            if let Some(kind) = taken(position, mv).filter(|&kind| after.has(kind)) {
                after.remove(kind);
            }
        }
    }
    after
}

/// What the attacker must hold so that the defender, in check and to move, has nothing to interpose that it does
/// not have now: all pieces of the kinds the defender lacks and could drop.
pub(super) fn monopoly(position: &Position) -> Hand {
    let us = position.side_to_move();
    let mut needed = Hand::EMPTY;
    let (Some(king), Some(checker)) = (position.king(us), position.checkers().first()) else {
        return needed;
    };
    let between = attacks::between(king, checker);
    if position.checkers().has_several() || between.is_empty() {
        return needed;
    }
    let attacker = position.hand(!us);
    for (kind, count) in attacker.iter() {
        if !position.hand(us).has(kind) && could_drop(position, kind, between) {
            needed.set(kind, count);
        }
    }
    needed
}

/// Whether the side to move could drop a piece of `kind` on one of the squares if it had one.
fn could_drop(position: &Position, kind: HandPiece, squares: Bitboard) -> bool {
    let us = position.side_to_move();
    let mut allowed = !position.occupied() & !Bitboard::far_ranks(us, kind.kind().dead_ranks());
    if kind == HandPiece::Pawn {
        allowed &= !position.pieces_of(us, PieceType::Pawn).files_touched();
    }
    squares.intersects(allowed)
}

/// The greatest hand with which the attacker to move has no other checks than with its own. Kinds it holds already
/// may be held in any number.
pub(super) fn same_checks(position: &Position) -> Hand {
    let us = position.side_to_move();
    let own = position.hand(us);
    let mut most = total(position);
    let checks = position.check_info();
    for (kind, _) in most.iter() {
        if !own.has(kind) && could_drop(position, kind, checks.direct(kind.kind())) {
            most.set(kind, 0);
        }
    }
    most
}

/// The greatest hand, at most `most`, with which the attacker's move leads to no more than `after`.
pub(super) fn limit_by_attack(position: &Position, mv: Move, after: Hand, most: Hand) -> Hand {
    let mut before = after;
    match mv.kind() {
        MoveKind::Drop(kind) => before.add(kind),
        MoveKind::Board { .. } => {
            if let Some(kind) = taken(position, mv) {
                before.remove(kind);
            }
        }
    }
    before.intersection(most)
}

/// The greatest hand of the attacker with which the defender can still play a move that disproves up to `after`.
pub(super) fn limit_by_defence(position: &Position, mv: Move, after: Hand) -> Hand {
    let mut most = total(position);
    if let MoveKind::Drop(kind) = mv.kind() {
        most.remove(kind);
    }
    after.intersection(most)
}

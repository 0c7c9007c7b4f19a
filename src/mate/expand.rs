//! Delayed expansion: moves that differ little form a group, of which only the first is searched until it is settled.
//!
//! A defender who can interpose has many squares and pieces to choose from, and nearly all drops are futile. Of the
//! drops on one square the cheapest comes first; if it fails the others mostly fail by the same proof, since that needs
//! no captured piece. Drops on different squares that nothing protects wait for each other, too. Likewise for promoting
//! and not promoting. The idea is that of KomoringHeights (`delayed_move_list.hpp`).

use arrayvec::ArrayVec;

use super::hands;
use super::proof_number::PnValue;
use crate::shogi::moves::MAX_MOVES;
use crate::shogi::{
    Color, Hand, Move, MoveKind, MoveList, PieceType, Position, Promotions, Square,
};

/// Marks the end of a group.
pub(super) const NONE: u16 = u16::MAX;

/// A move of a node, and the position it leads to.
#[derive(Clone, Copy)]
pub(super) struct Child {
    pub mv: Move,
    /// The move to be looked at once this one is settled.
    pub next: u16,
    /// Whether it is being looked at.
    pub is_active: bool,
    /// Whether it was visited at a depth not greater than that of the node: searching it may lead back here.
    pub is_old: bool,
    /// Board key and attacker's hand after the move.
    pub board: u64,
    pub hand: Hand,
    pub value: PnValue,
}

impl Child {
    fn new(mv: Move) -> Self {
        Self {
            mv,
            next: NONE,
            is_active: true,
            is_old: false,
            board: 0,
            hand: Hand::EMPTY,
            value: PnValue::open(1, 1),
        }
    }

    /// Finds the key and the attacker's hand of the position after the move.
    #[inline]
    pub fn locate(&mut self, position: &Position, attacker: Color) {
        self.board = position.board_key_after(self.mv);
        self.hand = if position.side_to_move() == attacker {
            hands::after_attack(position, self.mv)
        } else {
            position.hand(attacker)
        };
    }
}

/// Lists the checks of the attacker to move.
pub(super) fn attacks(position: &Position, children: &mut Vec<Child>) {
    let mut moves = MoveList::new();
    position.checks(&mut moves, Promotions::All);
    children.clear();
    children.extend(moves.iter().map(|&mv| Child::new(mv)));
    // Silvers, knights and lances often do better without promotion.
    chain_promotions(position, children, |kind| {
        matches!(kind, PieceType::Pawn | PieceType::Bishop | PieceType::Rook)
    });
}

/// Lists the answers of the defender to move.
pub(super) fn defences(position: &Position, children: &mut Vec<Child>) {
    let moves = position.legal_moves();
    children.clear();
    children.extend(moves.iter().map(|&mv| Child::new(mv)));
    chain_promotions(position, children, |_| true);
    chain_drops(position, children);
}

/// Puts each move without promotion behind the same move with promotion.
fn chain_promotions(
    position: &Position,
    children: &mut [Child],
    is_minor: impl Fn(PieceType) -> bool,
) {
    for i in 0..children.len() {
        let mv = children[i].mv;
        let MoveKind::Board {
            from,
            promote: true,
        } = mv.kind()
        else {
            continue;
        };
        if position
            .piece_on(from)
            .is_some_and(|piece| is_minor(piece.kind()))
        {
            let plain = Move::board(from, mv.to(), false);
            if let Some(j) = children.iter().position(|child| child.mv == plain) {
                link(children, i, j);
            }
        }
    }
}

/// Puts drops on the same square one behind the other, the cheapest first, and all drops that nothing protects into
/// one row, those near the king first.
fn chain_drops(position: &Position, children: &mut [Child]) {
    let us = position.side_to_move();
    let Some(king) = position.king(us) else {
        return;
    };
    let occupied = position.occupied();
    let is_futile = |to| position.attackers_of(to, us, occupied).is_empty();
    let place = |&i: &usize| {
        let to = children[i].mv.to();
        (is_futile(to), distance(king, to), i)
    };
    let drops = (0..children.len()).filter(|&i| children[i].mv.is_drop());
    let mut drops: ArrayVec<usize, MAX_MOVES> = drops.collect();
    drops.sort_by_cached_key(place);
    for pair in drops.windows(2) {
        let [a, b] = [pair[0], pair[1]].map(|i| children[i].mv.to());
        if a == b || (is_futile(a) && is_futile(b)) {
            link(children, pair[0], pair[1]);
        }
    }
}

/// King's steps from one square to another.
fn distance(a: Square, b: Square) -> usize {
    let files = a.file().index().abs_diff(b.file().index());
    let ranks = a.rank().index().abs_diff(b.rank().index());
    files.max(ranks)
}

fn link(children: &mut [Child], before: usize, after: usize) {
    children[before].next = after as u16;
    children[after].is_active = false;
}

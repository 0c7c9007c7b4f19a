//! Legality of single moves, checks, and attacked squares; mates by a pawn drop (uchifuzume).

use super::attacks;
use super::bitboard::Bitboard;
use super::color::Color;
use super::hand::HandPiece;
use super::moves::{Move, MoveKind};
use super::piece::PieceType;
use super::position::Position;
use super::square::Square;

/// Check info: from where the side to move gives check, computed once for all moves of a position.
pub struct CheckInfo {
    /// For each kind the squares from which it attacks the enemy king.
    direct: [Bitboard; PieceType::COUNT],
    /// Own pieces that stand between an own slider and the enemy king.
    discoverers: Bitboard,
    king: Option<Square>,
}

impl CheckInfo {
    /// The squares from which a piece of `kind` gives check.
    #[inline]
    pub fn direct(&self, kind: PieceType) -> Bitboard {
        self.direct[kind.index()]
    }

    /// The squares to which a piece on `from` can go to uncover a check by another piece.
    #[inline]
    pub fn uncovering(&self, from: Square) -> Bitboard {
        match self.king {
            Some(king) if self.discoverers.contains(from) => !attacks::ray(king, from),
            _ => Bitboard::EMPTY,
        }
    }

    /// Whether a legal move of the position gives check.
    #[inline]
    pub fn gives_check(&self, position: &Position, mv: Move) -> bool {
        match mv.kind() {
            MoveKind::Drop(kind) => self.direct(kind.kind()).contains(mv.to()),
            MoveKind::Board { from, promote } => {
                let Some(piece) = position.piece_on(from) else {
                    return false;
                };
                let kind = match piece.kind().promoted() {
                    Some(promoted) if promote => promoted,
                    _ => piece.kind(),
                };
                self.direct(kind).contains(mv.to()) || self.uncovering(from).contains(mv.to())
            }
        }
    }
}

impl Position {
    /// Prepares the answer to "does this move give check?" for all moves of this position.
    #[inline]
    pub fn check_info(&self) -> CheckInfo {
        let us = self.side;
        let mut info = CheckInfo {
            direct: [Bitboard::EMPTY; PieceType::COUNT],
            discoverers: Bitboard::EMPTY,
            king: self.king(!us),
        };
        if let Some(king) = info.king {
            let occupied = self.occupied();
            let gold = attacks::gold(!us, king);
            let bishop = attacks::bishop(king, occupied);
            let rook = attacks::rook(king, occupied);
            let around = attacks::king(king);
            for kind in PieceType::ALL {
                info.direct[kind.index()] = match kind {
                    PieceType::Pawn => attacks::pawn(!us, king),
                    PieceType::Lance => rook & attacks::lance_reach(!us, king),
                    PieceType::Knight => attacks::knight(!us, king),
                    PieceType::Silver => attacks::silver(!us, king),
                    PieceType::Bishop => bishop,
                    PieceType::Rook => rook,
                    PieceType::Horse => bishop | around,
                    PieceType::Dragon => rook | around,
                    PieceType::King => Bitboard::EMPTY,
                    _ => gold,
                };
            }
            info.discoverers = self.blockers_for(!us) & self.pieces(us);
        }
        info
    }

    /// Whether a legal move gives check. For many moves of one position use [`Position::check_info`].
    ///
    /// ```
    /// use hien::shogi::Position;
    ///
    /// let position = Position::from_sfen("4k4/9/9/9/9/9/9/9/4K4 b RG 1")?;
    /// assert!(position.gives_check("R*5e".parse().unwrap()));
    /// assert!(!position.gives_check("G*5e".parse().unwrap()));
    /// # Ok::<(), hien::shogi::SfenError>(())
    /// ```
    pub fn gives_check(&self, mv: Move) -> bool {
        self.check_info().gives_check(self, mv)
    }

    /// Whether a move, from whatever source, is legal in this position.
    ///
    /// ```
    /// use hien::shogi::Position;
    ///
    /// let position = Position::from_sfen("4k4/9/9/9/9/9/4P4/9/4K4 b P 1")?;
    /// let nifu = "P*5e".parse().unwrap();
    /// assert!(position.is_playable(nifu) && !position.is_legal(nifu));
    /// assert!(position.is_legal("P*4e".parse().unwrap()));
    /// # Ok::<(), hien::shogi::SfenError>(())
    /// ```
    pub fn is_legal(&self, mv: Move) -> bool {
        self.is_playable(mv)
            && match mv.kind() {
                MoveKind::Drop(kind) => self.is_legal_drop(kind, mv.to()),
                MoveKind::Board { from, promote } => self.is_legal_on_board(from, mv.to(), promote),
            }
    }

    /// Whether a move can be carried out at all: the piece is there, moves that way over empty squares and can
    /// promote if it says so; the target holds neither an own piece nor a king. Rules that make such a move a
    /// foul (king left in check, nifu, uchifuzume, dead squares) are not looked at.
    pub fn is_playable(&self, mv: Move) -> bool {
        let us = self.side;
        let to = mv.to();
        match mv.kind() {
            MoveKind::Drop(kind) => self.hand(us).has(kind) && self.piece_on(to).is_none(),
            MoveKind::Board { from, promote } => {
                let Some(piece) = self.piece_on(from) else {
                    return false;
                };
                let target_free = match self.piece_on(to) {
                    Some(target) => target.color() != us && target.kind() != PieceType::King,
                    None => true,
                };
                let can_promote =
                    piece.kind().promoted().is_some() && (from.is_in_zone(us) || to.is_in_zone(us));
                piece.color() == us
                    && target_free
                    && (can_promote || !promote)
                    && attacks::attacks(piece.kind(), us, from, self.occupied()).contains(to)
            }
        }
    }

    /// The rules for a drop that is playable.
    fn is_legal_drop(&self, kind: HandPiece, to: Square) -> bool {
        if self.is_dead_square(kind.kind(), to) || !self.resolves_check(to) {
            return false;
        }
        kind != HandPiece::Pawn || self.is_legal_pawn_drop(to)
    }

    fn is_legal_pawn_drop(&self, to: Square) -> bool {
        let own_pawns = self.pieces_of(self.side, PieceType::Pawn);
        let is_nifu = own_pawns.intersects(Bitboard::file(to.file()));
        let mates = self.pawn_drop_check_square() == Some(to) && self.is_pawn_drop_mate(to);
        !is_nifu && !mates
    }

    /// The rules for a playable move of a piece on the board.
    fn is_legal_on_board(&self, from: Square, to: Square, promote: bool) -> bool {
        let us = self.side;
        let Some(king) = self.king(us) else {
            return self.may_stand(from, to, promote);
        };
        if from == king {
            let occupied = self.occupied().without(king);
            return self.attackers_of(to, !us, occupied).is_empty();
        }
        let leaves_pin = self.pinned().contains(from) && !attacks::ray(king, from).contains(to);
        self.may_stand(from, to, promote) && !leaves_pin && self.resolves_check(to)
    }

    /// Whether the piece on `from` could move on from `to`.
    fn may_stand(&self, from: Square, to: Square, promote: bool) -> bool {
        promote
            || self
                .piece_on(from)
                .is_some_and(|piece| !self.is_dead_square(piece.kind(), to))
    }

    /// Whether a piece other than the king that arrives on `to` ends the check on the side to move, if there is one.
    fn resolves_check(&self, to: Square) -> bool {
        let checkers = self.checkers();
        match (self.king(self.side), checkers.first()) {
            (Some(king), Some(checker)) => {
                !checkers.has_several()
                    && attacks::between(king, checker).with(checker).contains(to)
            }
            _ => true,
        }
    }

    /// The square from which a pawn of the side to move checks the enemy king.
    pub(super) fn pawn_drop_check_square(&self) -> Option<Square> {
        let king = self.king(!self.side)?;
        attacks::pawn(!self.side, king).first()
    }

    /// Whether a pawn dropped on the empty square `head`, from where it checks the enemy king, mates.
    ///
    /// The pawn is adjacent, so nothing can be interposed: the king must not be able to take it or step away,
    /// and no other piece must be able to take it. Only a piece pinned along the king's file can still take.
    pub(super) fn is_pawn_drop_mate(&self, head: Square) -> bool {
        let us = self.side;
        let them = !us;
        let Some(king) = self.king(them) else {
            return false;
        };
        let occupied = self.occupied().with(head);
        let seen_through_king = occupied.without(king);
        let is_guarded = |square| !self.attackers_of(square, us, seen_through_king).is_empty();
        if !is_guarded(head) {
            return false;
        }
        let stuck = self.blockers_for(them) & !Bitboard::file(king.file());
        let takers = self.attackers_of(head, them, occupied).without(king);
        if takers.intersects(!stuck) {
            return false;
        }
        let flights = (attacks::king(king) & !self.pieces(them)).without(head);
        flights.squares().all(is_guarded)
    }

    /// The squares that the player `them` attacks, complete for `flights`: neighbours of the other king on `king`. That
    /// king is taken off the board, so that it does not shield squares behind it from sliders.
    #[inline(always)]
    pub fn attacked_near(&self, king: Square, flights: Bitboard, them: Color) -> Bitboard {
        let theirs = self.pieces(them);
        let occupied = self.occupied().without(king);
        let near = attacks::vicinity(king);

        let mut attacked = Bitboard::EMPTY;
        for from in (theirs & near.steppers).squares() {
            if let Some(piece) = self.piece_on(from) {
                attacked |= attacks::steps(piece, from);
            }
        }
        let lances = theirs & self.by_kind(PieceType::Lance) & near.lances;
        for from in lances.squares() {
            if attacks::lance_reach(them, from).intersects(flights) {
                attacked |= attacks::lance(them, from, occupied);
            }
        }
        let bishops = theirs & self.diagonal_sliders() & near.bishops;
        for from in bishops.squares() {
            if attacks::bishop_reach(from).intersects(flights) {
                attacked |= attacks::bishop(from, occupied);
            }
        }
        let rooks = theirs & self.straight_sliders() & near.rooks;
        for from in rooks.squares() {
            if attacks::rook_reach(from).intersects(flights) {
                attacked |= attacks::rook(from, occupied);
            }
        }
        attacked
    }

    /// Whether any piece of `color` attacks `square`.
    pub fn is_attacked(&self, square: Square, color: Color) -> bool {
        !self.attackers_of(square, color, self.occupied()).is_empty()
    }
}

//! Making and unmaking moves, with incremental keys, checks and material.

use super::bitboard::Bitboard;
use super::hand::HandPiece;
use super::moves::{Move, MoveKind};
use super::piece::Piece;
use super::piece_value;
use super::position::{Position, signed};
use super::square::Square;
use super::zobrist;

/// A move that the rules do not allow in the position.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("illegal move {0}")]
pub struct IllegalMove(pub Move);

impl Position {
    /// Plays a move after checking it against all rules.
    ///
    /// # Errors
    ///
    /// [`IllegalMove`] if the move is not legal here; the position is unchanged then.
    ///
    /// ```
    /// use hien::shogi::Position;
    ///
    /// let mut position = Position::startpos();
    /// position.try_move("7g7f".parse().unwrap()).unwrap();
    /// let error = position.try_move("7g7f".parse().unwrap()).unwrap_err();
    /// assert_eq!(error.to_string(), "illegal move 7g7f");
    /// ```
    pub fn try_move(&mut self, mv: Move) -> Result<(), IllegalMove> {
        if !self.is_legal(mv) {
            return Err(IllegalMove(mv));
        }
        self.do_move(mv);
        Ok(())
    }

    /// Plays a move that is legal, or at least playable ([`Position::is_playable`]).
    ///
    /// # Panics
    ///
    /// May panic or leave a nonsensical position if the move is not playable.
    pub fn do_move(&mut self, mv: Move) {
        let us = self.side;
        self.history.push(self.state);
        match mv.kind() {
            MoveKind::Board { from, promote } => self.move_piece(from, mv.to(), promote),
            MoveKind::Drop(kind) => self.drop_piece(kind, mv.to()),
        }
        self.state.last_move = Some(mv);
        self.state.since_null += 1;
        self.pass_turn();
        self.state.checks_in_row[us.index()] = if self.in_check() {
            self.state.checks_in_row[us.index()] + 1
        } else {
            0
        };
    }

    /// Takes the last move back.
    ///
    /// ```
    /// use hien::shogi::Position;
    ///
    /// let mut position = Position::startpos();
    /// let key = position.key();
    /// position.do_move("2g2f".parse().unwrap());
    /// assert_ne!(position.key(), key);
    /// position.undo_move();
    /// assert_eq!(position.key(), key);
    /// ```
    ///
    /// # Panics
    ///
    /// If no move was played.
    #[inline]
    pub fn undo_move(&mut self) {
        let mv = self.state.last_move.expect("a move was played");
        let to = mv.to();
        if let Some(moved) = self.state.moved {
            self.lift(moved.promoted_if(mv.is_promotion()), to);
            if let Some(from) = mv.from() {
                self.put(moved, from);
            }
        }
        if let Some(captured) = self.state.captured {
            self.put(captured, to);
        }
        self.restore_state();
    }

    /// Makes the position a root: what was played before it is forgotten, the move number stays.
    pub fn forget_history(&mut self) {
        self.root_ply = self.ply();
        self.history.clear();
        self.state.checks_in_row = [0; 2];
        self.state.since_null = 0;
        self.state.last_move = None;
        self.state.moved = None;
        self.state.captured = None;
    }

    /// Passes the turn without a move (null move). Allowed even in check; the search decides when it makes sense.
    pub fn do_null_move(&mut self) {
        self.history.push(self.state);
        self.state.last_move = None;
        self.state.moved = None;
        self.state.captured = None;
        self.state.since_null = 0;
        self.state.checks_in_row[self.side.index()] = 0;
        self.pass_turn();
    }

    /// Takes a null move back.
    ///
    /// # Panics
    ///
    /// If nothing was played.
    pub fn undo_null_move(&mut self) {
        self.restore_state();
    }

    /// The key of the position after a legal move, without playing it (for prefetching).
    #[inline]
    pub fn key_after(&self, mv: Move) -> u64 {
        let us = self.side;
        let hands = match mv.kind() {
            MoveKind::Drop(kind) => zobrist::hand(us, kind, self.hand(us).count(kind) - 1),
            MoveKind::Board { .. } => self.piece_on(mv.to()).map_or(0, |c| self.gain_key(c)),
        };
        self.board_key_after(mv) ^ self.hands_key() ^ hands
    }

    /// The board key of the position after a legal move, without playing it.
    #[inline]
    pub fn board_key_after(&self, mv: Move) -> u64 {
        let to = mv.to();
        let key = self.board_key() ^ zobrist::side();
        match mv.kind() {
            MoveKind::Drop(kind) => key ^ zobrist::piece(Piece::new(self.side, kind.kind()), to),
            MoveKind::Board { from, promote } => {
                let Some(before) = self.piece_on(from) else {
                    return key;
                };
                let after = before.promoted_if(promote);
                let captured = self.piece_on(to).map_or(0, |c| zobrist::piece(c, to));
                key ^ zobrist::piece(before, from) ^ zobrist::piece(after, to) ^ captured
            }
        }
    }

    /// How the key changes when a captured piece goes to our hand.
    #[inline]
    fn gain_key(&self, captured: Piece) -> u64 {
        HandPiece::from_captured(captured.kind()).map_or(0, |kind| {
            zobrist::hand(self.side, kind, self.hand(self.side).count(kind))
        })
    }

    #[inline]
    fn move_piece(&mut self, from: Square, to: Square, promote: bool) {
        let us = self.side;
        let before = self.board[from.index()].expect("a piece stands on the origin");
        let after = before.promoted_if(promote);
        let captured = self.board[to.index()];
        if let Some(captured) = captured {
            self.capture(captured, to);
        }
        self.lift(before, from);
        self.put(after, to);
        self.state.toggle(before, from);
        self.state.toggle(after, to);
        if promote {
            self.state.material += signed(us, piece_value::promotion_gain(before.kind()));
        }
        self.state.moved = Some(before);
        self.state.captured = captured;
    }

    #[inline]
    fn capture(&mut self, captured: Piece, square: Square) {
        self.state.toggle(captured, square);
        self.state.key ^= self.gain_key(captured);
        self.lift(captured, square);
        if let Some(kind) = HandPiece::from_captured(captured.kind()) {
            self.state.hands[self.side.index()].add(kind);
        }
        self.state.material += signed(self.side, piece_value::capture_gain(captured.kind()));
    }

    #[inline]
    fn drop_piece(&mut self, kind: HandPiece, to: Square) {
        let us = self.side;
        let piece = Piece::new(us, kind.kind());
        let hand = &mut self.state.hands[us.index()];
        hand.remove(kind);
        self.state.key ^= zobrist::hand(us, kind, hand.count(kind));
        self.state.toggle(piece, to);
        self.put(piece, to);
        self.state.moved = Some(piece);
        self.state.captured = None;
    }

    /// Hands the turn over and finds the checks on the player who now moves.
    #[inline]
    fn pass_turn(&mut self) {
        self.side = !self.side;
        self.state.key ^= zobrist::side();
        self.state.board_key ^= zobrist::side();
        self.refresh_checks();
    }

    #[inline]
    fn restore_state(&mut self) {
        self.side = !self.side;
        self.state = self.history.pop().expect("a move was played");
    }

    /// Whether all incremental values equal those computed from scratch. For tests and debug assertions.
    pub fn is_consistent(&self) -> bool {
        let mut fresh = Self::empty(self.side, self.ply());
        for square in Square::all() {
            if let Some(piece) = self.piece_on(square) {
                fresh.set_up_piece(piece, square);
            }
        }
        for color in super::color::Color::ALL {
            for (kind, count) in self.hand(color).iter() {
                for _ in 0..count {
                    fresh.set_up_hand_piece(color, kind);
                }
            }
        }
        fresh.refresh_checks();
        let seen: Bitboard = Square::all()
            .filter(|&s| self.piece_on(s).is_some())
            .collect();
        fresh.by_kind == self.by_kind
            && fresh.by_color == self.by_color
            && fresh.kings == self.kings
            && seen == self.occupied()
            && fresh.state.hands == self.state.hands
            && fresh.key() == self.key()
            && fresh.board_key() == self.board_key()
            && fresh.part_keys() == self.part_keys()
            && fresh.checkers() == self.checkers()
            && fresh.state.blockers == self.state.blockers
            && fresh.material() == self.material()
    }
}

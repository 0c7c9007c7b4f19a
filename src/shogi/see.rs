//! Static exchange evaluation: is a move good if both sides then trade pieces on its target square?
//!
//! Values are those of [`super::piece_value`], on purpose independent of the evaluation. A capture counts the value of
//! the captured piece once, although the captor also gains it in hand; promotions are not counted; pinned pieces take
//! part only along their pin. The threshold form of the algorithm is that of Stockfish's `see_ge`.

use super::attacks;
use super::bitboard::Bitboard;
use super::color::Color;
use super::moves::{Move, MoveKind};
use super::piece::PieceType;
use super::piece_value;
use super::position::Position;
use super::square::Square;

/// When a side brings a kind into an exchange: the lower, the earlier.
#[inline]
const fn turn(kind: PieceType) -> u8 {
    match kind {
        PieceType::Pawn => 0,
        PieceType::Lance => 1,
        PieceType::Knight => 2,
        PieceType::Silver => 3,
        PieceType::Gold => 4,
        PieceType::ProPawn => 5,
        PieceType::ProLance => 6,
        PieceType::ProKnight => 7,
        PieceType::ProSilver => 8,
        PieceType::Bishop => 9,
        PieceType::Horse => 10,
        PieceType::Rook => 11,
        PieceType::Dragon => 12,
        PieceType::King => 13,
    }
}

impl Position {
    /// Whether the exchange that a legal move starts on its target gains at least `threshold`
    /// (units of [`piece_value::value`]).
    ///
    /// ```
    /// use hien::shogi::Position;
    ///
    /// // The rook takes a pawn, worth 90, and is taken by the gold, which loses 990.
    /// let position = Position::from_sfen("4k4/9/4g4/4p4/4R4/9/9/9/4K4 b - 1")?;
    /// let takes = "5e5d".parse().unwrap();
    /// assert!(position.see_ge(takes, 90 - 990));
    /// assert!(!position.see_ge(takes, 90 - 990 + 1));
    /// # Ok::<(), hien::shogi::SfenError>(())
    /// ```
    pub fn see_ge(&self, mv: Move, threshold: i32) -> bool {
        let to = mv.to();
        let gained = match self.piece_on(to) {
            Some(captured) => piece_value::value(captured.kind()),
            None => 0,
        };
        // What is left to lose before the threshold is missed.
        let mut balance = gained - threshold;
        if balance < 0 {
            return false;
        }
        let (mover, mut occupied) = match mv.kind() {
            MoveKind::Drop(kind) => (kind.kind(), self.occupied().with(to)),
            MoveKind::Board { from, .. } => match self.piece_on(from) {
                Some(piece) => (piece.kind(), self.occupied().without(from).with(to)),
                None => return false,
            },
        };
        balance -= piece_value::value(mover);
        if balance >= 0 {
            return true;
        }
        let mut side = self.side;
        // `balance` is seen from the player who moved last; the other one must capture or stop.
        loop {
            side = !side;
            let attackers = self.attackers_of(to, side, occupied) & occupied;
            let able = self.able_to_take(attackers, side, to);
            let Some((taker, kind)) = self.cheapest(able) else {
                break;
            };
            if kind == PieceType::King {
                // The king takes last, and only what is not guarded any more.
                let guards = self.attackers_of(to, !side, occupied) & occupied;
                if guards.is_empty() {
                    side = !side;
                }
                break;
            }
            occupied = occupied.without(taker);
            balance = -balance - 1 - piece_value::value(kind);
            if balance >= 0 {
                side = !side;
                break;
            }
        }
        // `side` is the player who cannot, or could not with profit, continue the exchange: the other one wins it.
        side != self.side
    }

    /// The attackers that are not pinned, or pinned on a line through the target.
    #[inline]
    fn able_to_take(&self, attackers: Bitboard, side: Color, to: Square) -> Bitboard {
        if attackers.is_empty() {
            return attackers; // most often: there is no need to look for pins
        }
        let held = attackers & self.blockers_for(side);
        match self.king(side) {
            Some(king) if !held.is_empty() => held
                .squares()
                .filter(|&from| !attacks::ray(king, from).contains(to))
                .fold(attackers, Bitboard::without),
            _ => attackers,
        }
    }

    /// The least valuable piece of a set and its kind; a king only if it is alone.
    #[inline]
    fn cheapest(&self, pieces: Bitboard) -> Option<(Square, PieceType)> {
        pieces
            .squares()
            .filter_map(|square| Some((square, self.piece_on(square)?.kind())))
            .min_by_key(|&(_, kind)| turn(kind))
    }
}

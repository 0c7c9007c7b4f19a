//! Legal move generation.
//!
//! One generator walks the pieces and passes *sets* of legal destinations to a [`MoveSink`], which decides what to do
//! with them: list them, count them (without listing), or keep only checks. Pins and checks are masks on the sets, so
//! no move has to be tried out. Knows nothing of ordering.
//!
//! ```
//! use hien::shogi::{MoveList, Position, Promotions};
//!
//! let mut position = Position::startpos();
//! assert_eq!(position.legal_moves().len(), 30);
//! for mv in ["7g7f", "3c3d"] {
//!     position.try_move(mv.parse().unwrap()).unwrap();
//! }
//! // The bishop takes the bishop, and may promote.
//! let mut captures = MoveList::new();
//! position.captures(&mut captures, Promotions::All);
//! let captures: Vec<_> = captures.iter().map(ToString::to_string).collect();
//! assert_eq!(captures, ["8h2b+", "8h2b"]);
//! ```

use super::attacks;
use super::bitboard::Bitboard;
use super::color::Color;
use super::hand::HandPiece;
use super::legality::CheckInfo;
use super::moves::{Move, MoveKind, MoveList};
use super::piece::{Piece, PieceType};
use super::position::Position;
use super::square::Square;

/// Which unpromoted moves are generated where promotion is possible.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Promotions {
    /// Leave out the moves that are hardly ever better than promoting: unpromoted pawns, bishops and rooks, and
    /// lances on the last two ranks.
    Sensible,
    /// Every legal move.
    All,
}

/// Which destinations are generated.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Scope {
    All,
    Captures,
    Quiets,
}

/// Receives legal moves as sets of destinations. A list of moves is one.
pub trait MoveSink {
    /// A piece that moves like `kind` on `from` can move to the squares of `plain` as it is and to those of `promoting`
    /// with promotion.
    fn piece(&mut self, kind: PieceType, from: Square, plain: Bitboard, promoting: Bitboard);

    /// Pawns of `color` can enter these squares, each from the square behind.
    fn pawns(&mut self, color: Color, plain: Bitboard, promoting: Bitboard);

    /// A piece in hand can be dropped on these squares.
    fn drops(&mut self, kind: HandPiece, to: Bitboard);
}

impl MoveSink for MoveList {
    #[inline]
    fn piece(&mut self, _: PieceType, from: Square, plain: Bitboard, promoting: Bitboard) {
        self.extend(promoting.squares().map(|to| Move::board(from, to, true)));
        self.extend(plain.squares().map(|to| Move::board(from, to, false)));
    }

    #[inline]
    fn pawns(&mut self, color: Color, plain: Bitboard, promoting: Bitboard) {
        let moves = |to: Square, promote| {
            let from = attacks::pawn(!color, to).first();
            from.map(|from| Move::board(from, to, promote))
        };
        self.extend(promoting.squares().filter_map(|to| moves(to, true)));
        self.extend(plain.squares().filter_map(|to| moves(to, false)));
    }

    #[inline]
    fn drops(&mut self, kind: HandPiece, to: Bitboard) {
        self.extend(to.squares().map(|to| Move::drop(kind, to)));
    }
}

/// Counts moves without listing them.
struct Counter(u32);

impl MoveSink for Counter {
    #[inline]
    fn piece(&mut self, _: PieceType, _: Square, plain: Bitboard, promoting: Bitboard) {
        self.0 += plain.count() + promoting.count();
    }

    #[inline]
    fn pawns(&mut self, _: Color, plain: Bitboard, promoting: Bitboard) {
        self.0 += plain.count() + promoting.count();
    }

    #[inline]
    fn drops(&mut self, _: HandPiece, to: Bitboard) {
        self.0 += to.count();
    }
}

/// Passes on only the moves that give check.
struct ChecksOnly<'a, S> {
    info: &'a CheckInfo,
    inner: &'a mut S,
}

impl<S: MoveSink> ChecksOnly<'_, S> {
    /// Keeps the destinations from which a piece gives check directly or whose origin it uncovers.
    #[inline]
    fn filter(
        &self,
        kind: PieceType,
        uncovering: Bitboard,
        plain: Bitboard,
        promoting: Bitboard,
    ) -> (Bitboard, Bitboard) {
        let promoted = kind.promoted().unwrap_or(kind);
        (
            plain & (self.info.direct(kind) | uncovering),
            promoting & (self.info.direct(promoted) | uncovering),
        )
    }
}

impl<S: MoveSink> MoveSink for ChecksOnly<'_, S> {
    #[inline]
    fn piece(&mut self, kind: PieceType, from: Square, plain: Bitboard, promoting: Bitboard) {
        let uncovering = self.info.uncovering(from);
        let (plain, promoting) = self.filter(kind, uncovering, plain, promoting);
        self.inner.piece(kind, from, plain, promoting);
    }

    #[inline]
    fn pawns(&mut self, color: Color, plain: Bitboard, promoting: Bitboard) {
        let uncovering = (plain | promoting)
            .squares()
            .filter(|&to| {
                let from = attacks::pawn(!color, to).first();
                from.is_some_and(|from| self.info.uncovering(from).contains(to))
            })
            .collect();
        let (plain, promoting) = self.filter(PieceType::Pawn, uncovering, plain, promoting);
        self.inner.pawns(color, plain, promoting);
    }

    #[inline]
    fn drops(&mut self, kind: HandPiece, to: Bitboard) {
        self.inner.drops(kind, to & self.info.direct(kind.kind()));
    }
}

impl Position {
    /// All legal moves, those without promotion included.
    ///
    /// ```
    /// use hien::shogi::Position;
    ///
    /// // A knight on the third rank must promote: on the first it could never move again.
    /// let position = Position::from_sfen("8k/9/4N4/9/9/9/9/9/8K b - 1")?;
    /// let moves = position.legal_moves();
    /// assert!(moves.contains(&"5c4a+".parse().unwrap()));
    /// assert!(!moves.contains(&"5c4a".parse().unwrap()));
    /// # Ok::<(), hien::shogi::SfenError>(())
    /// ```
    pub fn legal_moves(&self) -> MoveList {
        let mut moves = MoveList::new();
        self.generate::<true>(Scope::All, &mut moves);
        moves
    }

    /// The number of legal moves, without listing them.
    pub fn count_legal(&self) -> u32 {
        let mut counter = Counter(0);
        self.generate::<true>(Scope::All, &mut counter);
        counter.0
    }

    /// Generates the legal captures. Example: see the [module](self).
    pub fn captures(&self, sink: &mut impl MoveSink, promotions: Promotions) {
        self.generate_with(Scope::Captures, promotions, sink);
    }

    /// Generates the legal quiet moves: all that capture nothing, drops and promotions included.
    ///
    /// ```
    /// use hien::shogi::{MoveList, Position, Promotions};
    ///
    /// let mut quiets = MoveList::new();
    /// Position::startpos().quiets(&mut quiets, Promotions::Sensible);
    /// assert_eq!(quiets.len(), 30);
    /// ```
    pub fn quiets(&self, sink: &mut impl MoveSink, promotions: Promotions) {
        self.generate_with(Scope::Quiets, promotions, sink);
    }

    /// Generates all legal moves. In check these are the evasions.
    ///
    /// ```
    /// use hien::shogi::{MoveList, Position, Promotions};
    ///
    /// // The rook on 5b checks: the king has four squares, a pawn can be dropped on six.
    /// let position = Position::from_sfen("4k4/4r4/9/9/9/9/9/9/4K4 b P 1")?;
    /// let mut evasions = MoveList::new();
    /// position.evasions(&mut evasions, Promotions::All);
    /// assert_eq!(evasions.len(), 10);
    /// assert_eq!(evasions.iter().filter(|mv| mv.is_drop()).count(), 6);
    /// # Ok::<(), hien::shogi::SfenError>(())
    /// ```
    pub fn evasions(&self, sink: &mut impl MoveSink, promotions: Promotions) {
        self.generate_with(Scope::All, promotions, sink);
    }

    /// Generates the legal quiet moves that give check, drops included.
    pub fn quiet_checks(&self, sink: &mut impl MoveSink, promotions: Promotions) {
        let info = &self.check_info();
        self.generate_with(
            Scope::Quiets,
            promotions,
            &mut ChecksOnly { info, inner: sink },
        );
    }

    /// Generates all legal moves that give check.
    ///
    /// ```
    /// use hien::shogi::{MoveList, Position, Promotions};
    ///
    /// // A gold checks from five squares; the pawn checks by promotion, and without it.
    /// let position = Position::from_sfen("4k4/9/4P4/9/9/9/9/9/4K4 b G 1")?;
    /// let count = |promotions| {
    ///     let mut checks = MoveList::new();
    ///     position.checks(&mut checks, promotions);
    ///     checks.len()
    /// };
    /// assert_eq!((count(Promotions::All), count(Promotions::Sensible)), (7, 6));
    /// # Ok::<(), hien::shogi::SfenError>(())
    /// ```
    pub fn checks(&self, sink: &mut impl MoveSink, promotions: Promotions) {
        self.checks_with(&self.check_info(), sink, promotions);
    }

    /// As [`checks`](Self::checks), with the position's [`check_info`](Self::check_info) at hand.
    pub fn checks_with(&self, info: &CheckInfo, sink: &mut impl MoveSink, promotions: Promotions) {
        self.generate_with(
            Scope::All,
            promotions,
            &mut ChecksOnly { info, inner: sink },
        );
    }

    fn generate_with<S: MoveSink>(&self, scope: Scope, promotions: Promotions, sink: &mut S) {
        match promotions {
            Promotions::All => self.generate::<true>(scope, sink),
            Promotions::Sensible => self.generate::<false>(scope, sink),
        }
    }

    /// Generates all legal moves of a scope. `ALL` is [`Promotions::All`].
    #[inline]
    fn generate<const ALL: bool>(&self, scope: Scope, sink: &mut impl MoveSink) {
        let us = self.side;
        let empty = !self.occupied();
        // A king is never captured; this matters only where a foul let it stand in check.
        let theirs = match self.king(!us) {
            Some(king) => self.pieces(!us).without(king),
            None => self.pieces(!us),
        };
        let mut targets = match scope {
            Scope::All => theirs | empty,
            Scope::Captures => theirs,
            Scope::Quiets => empty,
        };
        if let Some(king) = self.king(us) {
            self.generate_king(king, targets, sink);
            targets &= match self.checkers().first() {
                None => Bitboard::ALL,
                Some(_) if self.checkers().has_several() => return,
                Some(checker) => attacks::between(king, checker).with(checker),
            };
        }
        self.generate_board::<ALL>(targets, sink);
        if scope != Scope::Captures && !self.hand(us).is_empty() {
            self.generate_drops(targets & empty, sink);
        }
    }

    #[inline]
    fn generate_king(&self, king: Square, targets: Bitboard, sink: &mut impl MoveSink) {
        let to = attacks::king(king) & targets;
        if !to.is_empty() {
            let safe = to & !self.attacked_near(king, to, !self.side);
            sink.piece(PieceType::King, king, safe, Bitboard::EMPTY);
        }
    }

    /// The moves of all pieces but the king to `targets`.
    #[inline]
    fn generate_board<const ALL: bool>(&self, targets: Bitboard, sink: &mut impl MoveSink) {
        let us = self.side;
        let ours = self.pieces(us);
        let occupied = self.occupied();
        let zone = Bitboard::zone(us);
        let pinned = self.pinned();
        let king = self.king(us);
        // Pieces that are not pinned move freely.
        let free = ours & !pinned;

        let king_file = king.map_or(Bitboard::EMPTY, |king| Bitboard::file(king.file()));
        let pawns = ours & self.by_kind(PieceType::Pawn) & (!pinned | king_file);
        let to = pawns.forward(us) & targets;
        let plain = to & plain_mask::<ALL>(us, PieceType::Pawn);
        sink.pawns(us, plain, to & zone);

        for from in (free & self.by_kind(PieceType::Lance)).squares() {
            let to = attacks::lance(us, from, occupied) & targets;
            let plain = to & plain_mask::<ALL>(us, PieceType::Lance);
            sink.piece(PieceType::Lance, from, plain, to & zone);
        }
        for from in (free & self.by_kind(PieceType::Knight)).squares() {
            let to = attacks::knight(us, from) & targets;
            let plain = to & plain_mask::<ALL>(us, PieceType::Knight);
            sink.piece(PieceType::Knight, from, plain, to & zone);
        }
        for from in (free & self.by_kind(PieceType::Silver)).squares() {
            let to = attacks::silver(us, from) & targets;
            sink.piece(PieceType::Silver, from, to, promoting(zone, from, to));
        }
        for from in (free & self.gold_movers()).squares() {
            let to = attacks::gold(us, from) & targets;
            sink.piece(PieceType::Gold, from, to, Bitboard::EMPTY);
        }
        for from in (free & self.by_kind(PieceType::Bishop)).squares() {
            let to = attacks::bishop(from, occupied) & targets;
            let promoting = promoting(zone, from, to);
            let plain = if ALL { to } else { to & !promoting };
            sink.piece(PieceType::Bishop, from, plain, promoting);
        }
        for from in (free & self.by_kind(PieceType::Rook)).squares() {
            let to = attacks::rook(from, occupied) & targets;
            let promoting = promoting(zone, from, to);
            let plain = if ALL { to } else { to & !promoting };
            sink.piece(PieceType::Rook, from, plain, promoting);
        }
        for from in (free & self.by_kind(PieceType::Horse)).squares() {
            let to = attacks::horse(from, occupied) & targets;
            sink.piece(PieceType::Horse, from, to, Bitboard::EMPTY);
        }
        for from in (free & self.by_kind(PieceType::Dragon)).squares() {
            let to = attacks::dragon(from, occupied) & targets;
            sink.piece(PieceType::Dragon, from, to, Bitboard::EMPTY);
        }
        if let Some(king) = king {
            self.generate_pinned::<ALL>(king, targets, sink);
        }
    }

    /// The moves of pinned pieces along their pin. Pawns are left to the caller.
    fn generate_pinned<const ALL: bool>(
        &self,
        king: Square,
        targets: Bitboard,
        sink: &mut impl MoveSink,
    ) {
        let us = self.side;
        let zone = Bitboard::zone(us);
        let pinned = self.pinned() & !self.by_kind(PieceType::Pawn);
        for from in pinned.squares() {
            let Some(piece) = self.piece_on(from) else {
                continue;
            };
            let kind = piece.kind();
            let reached = attacks::attacks(kind, us, from, self.occupied());
            let to = reached & attacks::ray(king, from) & targets;
            let promoting = match kind.promoted() {
                Some(_) => promoting(zone, from, to),
                None => Bitboard::EMPTY,
            };
            let plain = match kind {
                PieceType::Bishop | PieceType::Rook if !ALL => to & !promoting,
                _ => to & plain_mask::<ALL>(us, kind),
            };
            sink.piece(kind, from, plain, promoting);
        }
    }

    /// The drops on `targets`, which are empty squares.
    #[inline]
    fn generate_drops(&self, targets: Bitboard, sink: &mut impl MoveSink) {
        let hand = self.hand(self.side);
        if hand.has(HandPiece::Pawn) {
            sink.drops(HandPiece::Pawn, targets & self.pawn_drop_squares());
        }
        for kind in &HandPiece::ALL[1..] {
            if hand.has(*kind) {
                let alive = !Bitboard::far_ranks(self.side, kind.kind().dead_ranks());
                sink.drops(*kind, targets & alive);
            }
        }
    }

    /// The squares where nifu (二歩), dead squares and uchifuzume (打ち歩詰め) let the side to move drop a pawn. Occupied
    /// squares are included.
    fn pawn_drop_squares(&self) -> Bitboard {
        let us = self.side;
        let own_pawns = self.pieces_of(us, PieceType::Pawn);
        let squares = !own_pawns.files_touched() & !Bitboard::far_ranks(us, 1);
        match self.pawn_drop_check_square() {
            Some(head)
                if squares.contains(head)
                    && self.piece_on(head).is_none()
                    && self.is_pawn_drop_mate(head) =>
            {
                squares.without(head)
            }
            _ => squares,
        }
    }

    /// Some legal move, for lack of a better one; not one that needlessly declines a promotion.
    pub fn any_move(&self) -> Option<Move> {
        let mut moves = MoveList::new();
        self.evasions(&mut moves, Promotions::Sensible);
        moves.first().copied()
    }

    /// Whether a legal move is one that [`Promotions::Sensible`] leaves out: it declines a promotion that is hardly
    /// ever worse.
    pub fn declines_promotion(&self, mv: Move) -> bool {
        let MoveKind::Board {
            from,
            promote: false,
        } = mv.kind()
        else {
            return false;
        };
        let rank = mv.to().rank().from_far_edge(self.side);
        let zone = Bitboard::zone(self.side);
        match self.piece_on(from).map(Piece::kind) {
            Some(PieceType::Pawn) => rank < 3,
            Some(PieceType::Lance) => rank < 2,
            Some(PieceType::Bishop | PieceType::Rook) => {
                zone.contains(from) || zone.contains(mv.to())
            }
            _ => false,
        }
    }

    /// Whether a pawn, lance or knight of the side to move would be stuck on `square`.
    pub(super) fn is_dead_square(&self, kind: PieceType, square: Square) -> bool {
        square.rank().from_far_edge(self.side) < kind.dead_ranks()
    }
}

/// The destinations at which a piece from `from` may promote.
#[inline]
fn promoting(zone: Bitboard, from: Square, to: Bitboard) -> Bitboard {
    if zone.contains(from) { to } else { to & zone }
}

/// The squares which a pawn, lance or knight may enter unpromoted.
#[inline]
const fn plain_mask<const ALL: bool>(color: Color, kind: PieceType) -> Bitboard {
    let forbidden = match kind {
        _ if ALL => kind.dead_ranks(),
        PieceType::Pawn => 3,
        PieceType::Lance => 2,
        _ => kind.dead_ranks(),
    };
    let far = Bitboard::far_ranks(color, forbidden);
    Bitboard::from_bits(!far.bits())
}

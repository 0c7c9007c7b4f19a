//! A position: board, hands, side to move, and the line of moves that led to it.

use std::fmt;

use super::attacks;
use super::bitboard::Bitboard;
use super::color::Color;
use super::hand::{Hand, HandPiece};
use super::moves::Move;
use super::piece::{Piece, PieceType};
use super::piece_value;
use super::square::{File, Rank, Square};
use super::zobrist::{self, PartKeys};

/// What one move changed on the board. Hand counts before and after: see [`Position::hands_at`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Diff {
    /// The square that was left; `None` for a drop.
    pub from: Option<Square>,
    /// The square that was entered.
    pub to: Square,
    /// The piece that moved, as it was.
    pub before: Piece,
    /// The same piece after the move, promoted if the move promotes.
    pub after: Piece,
    /// The piece that was taken, as it stood on the board.
    pub captured: Option<Piece>,
}

/// What a move changes besides the board, kept for every position of the line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct State {
    /// Board, hands and side to move.
    pub key: u64,
    /// Board and side to move.
    pub board_key: u64,
    pub part_keys: PartKeys,
    pub hands: [Hand; 2],
    /// The opponent's pieces that give check to the side to move.
    pub checkers: Bitboard,
    /// Pieces of both colours that alone stand between the king to move and an enemy slider.
    pub blockers: Bitboard,
    /// Black's material less White's, hands included.
    pub material: i32,
    /// For each player how many of its last moves without a break gave check.
    pub checks_in_row: [u32; 2],
    /// Moves since the root or the last null move.
    pub since_null: u32,
    /// The move that led here; `None` at the root and after a null move.
    pub last_move: Option<Move>,
    /// The piece that move moved, as it was before.
    pub moved: Option<Piece>,
    /// The piece it took.
    pub captured: Option<Piece>,
}

impl State {
    /// Changes the keys as a piece comes to a square or leaves it.
    #[inline]
    pub fn toggle(&mut self, piece: Piece, square: Square) {
        let number = zobrist::piece(piece, square);
        self.key ^= number;
        self.board_key ^= number;
        self.part_keys.toggle(piece, number);
    }
}

/// A shogi position with its history, on which moves are played and taken back.
///
/// ```
/// use hien::shogi::{Color, HandPiece, Position};
///
/// let mut position = Position::startpos();
/// for mv in ["7g7f", "3c3d", "8h2b+", "3a2b"] {
///     position.try_move(mv.parse().unwrap()).unwrap();
/// }
/// assert_eq!(position.to_string(), "\
/// White hand: B1
///   9  8  7  6  5  4  3  2  1
///   l  n  s  g  k  g  .  n  l a
///   .  r  .  .  .  .  .  s  . b
///   p  p  p  p  p  p  .  p  p c
///   .  .  .  .  .  .  p  .  . d
///   .  .  .  .  .  .  .  .  . e
///   .  .  P  .  .  .  .  .  . f
///   P  P  .  P  P  P  P  P  P g
///   .  .  .  .  .  .  .  R  . h
///   L  N  S  G  K  G  S  N  L i
/// Black hand: B1");
/// assert_eq!(position.side_to_move(), Color::Black);
/// assert_eq!(position.hand(Color::Black).count(HandPiece::Bishop), 1);
/// ```
#[derive(Clone)]
pub struct Position {
    pub(super) board: [Option<Piece>; Square::COUNT],
    pub(super) by_kind: [Bitboard; PieceType::COUNT],
    pub(super) by_color: [Bitboard; 2],
    pub(super) kings: [Option<Square>; 2],
    pub(super) side: Color,
    /// The number of the first move after the root.
    pub(super) root_ply: u32,
    pub(super) state: State,
    /// The states before the current one, the root's first.
    pub(super) history: Vec<State>,
}

impl Position {
    /// An empty board with empty hands, for the SFEN reader to fill.
    pub(super) fn empty(side: Color, ply: u32) -> Self {
        let key = match side {
            Color::Black => 0,
            Color::White => zobrist::side(),
        };
        Self {
            board: [None; Square::COUNT],
            by_kind: [Bitboard::EMPTY; PieceType::COUNT],
            by_color: [Bitboard::EMPTY; 2],
            kings: [None; 2],
            side,
            root_ply: ply,
            state: State {
                key,
                board_key: key,
                part_keys: PartKeys::default(),
                hands: [Hand::EMPTY; 2],
                checkers: Bitboard::EMPTY,
                blockers: Bitboard::EMPTY,
                material: 0,
                checks_in_row: [0; 2],
                since_null: 0,
                last_move: None,
                moved: None,
                captured: None,
            },
            history: Vec::new(),
        }
    }

    /// The player to move.
    #[inline]
    pub fn side_to_move(&self) -> Color {
        self.side
    }

    /// The number of the next move: 1 at the start of a game, or as the SFEN said.
    #[inline]
    pub fn ply(&self) -> u32 {
        self.root_ply + self.history.len() as u32
    }

    /// The piece on a square.
    ///
    /// ```
    /// use hien::shogi::{Color, Piece, PieceType, Position};
    ///
    /// let position = Position::startpos();
    /// let bishop = Piece::new(Color::Black, PieceType::Bishop);
    /// assert_eq!(position.piece_on("8h".parse().unwrap()), Some(bishop));
    /// assert_eq!(position.piece_on("5e".parse().unwrap()), None);
    /// ```
    #[inline]
    pub fn piece_on(&self, square: Square) -> Option<Piece> {
        self.board[square.index()]
    }

    /// The kind of piece that a move of the side to move takes, `None` for a quiet move or a drop.
    #[inline]
    pub fn captured_by(&self, mv: Move) -> Option<PieceType> {
        self.piece_on(mv.to()).map(Piece::kind)
    }

    /// A player's pieces in hand.
    #[inline]
    pub fn hand(&self, color: Color) -> Hand {
        self.state.hands[color.index()]
    }

    /// Where a player's king stands; `None` in positions without it (mate problems).
    #[inline]
    pub fn king(&self, color: Color) -> Option<Square> {
        self.kings[color.index()]
    }

    /// All occupied squares.
    #[inline]
    pub fn occupied(&self) -> Bitboard {
        self.by_color[0] | self.by_color[1]
    }

    /// The squares of a player's pieces.
    #[inline]
    pub fn pieces(&self, color: Color) -> Bitboard {
        self.by_color[color.index()]
    }

    /// The squares of both players' pieces of a kind.
    #[inline]
    pub fn by_kind(&self, kind: PieceType) -> Bitboard {
        self.by_kind[kind.index()]
    }

    /// The squares of a player's pieces of a kind.
    ///
    /// ```
    /// use hien::shogi::{Color, PieceType, Position};
    ///
    /// let golds = Position::startpos().pieces_of(Color::Black, PieceType::Gold);
    /// let golds: Vec<_> = golds.squares().map(|square| square.to_string()).collect();
    /// assert_eq!(golds, ["4i", "6i"]);
    /// ```
    #[inline]
    pub fn pieces_of(&self, color: Color, kind: PieceType) -> Bitboard {
        self.by_kind(kind) & self.pieces(color)
    }

    /// The squares of both players' golds and of the small promoted pieces, which move alike.
    #[inline]
    pub fn gold_movers(&self) -> Bitboard {
        self.by_kind(PieceType::Gold)
            | self.by_kind(PieceType::ProPawn)
            | self.by_kind(PieceType::ProLance)
            | self.by_kind(PieceType::ProKnight)
            | self.by_kind(PieceType::ProSilver)
    }

    /// The squares of both players' bishops and horses.
    #[inline]
    pub(super) fn diagonal_sliders(&self) -> Bitboard {
        self.by_kind(PieceType::Bishop) | self.by_kind(PieceType::Horse)
    }

    /// The squares of both players' rooks and dragons.
    #[inline]
    pub(super) fn straight_sliders(&self) -> Bitboard {
        self.by_kind(PieceType::Rook) | self.by_kind(PieceType::Dragon)
    }

    /// The Zobrist key of board, hands and side to move. Equal positions have equal keys in every run and on every
    /// machine.
    ///
    /// ```
    /// use hien::shogi::Position;
    ///
    /// let after = |moves: [&str; 3]| {
    ///     let mut position = Position::startpos();
    ///     for mv in moves {
    ///         position.try_move(mv.parse().unwrap()).unwrap();
    ///     }
    ///     position.key()
    /// };
    /// assert_eq!(after(["7g7f", "3c3d", "2g2f"]), after(["2g2f", "3c3d", "7g7f"]));
    /// ```
    #[inline]
    pub fn key(&self) -> u64 {
        self.state.key
    }

    /// The key without the hands.
    #[inline]
    pub fn board_key(&self) -> u64 {
        self.state.board_key
    }

    /// The key of the hands alone.
    #[inline]
    pub fn hands_key(&self) -> u64 {
        self.state.key ^ self.state.board_key
    }

    /// The keys of parts of the board.
    #[inline]
    pub fn part_keys(&self) -> &PartKeys {
        &self.state.part_keys
    }

    /// The pieces that give check to the side to move.
    ///
    /// ```
    /// use hien::shogi::Position;
    ///
    /// let position = Position::from_sfen("4k4/4r4/9/9/9/9/9/9/4K4 b P 1")?;
    /// assert!(position.in_check());
    /// assert_eq!(position.checkers().first(), "5b".parse().ok());
    /// # Ok::<(), hien::shogi::SfenError>(())
    /// ```
    #[inline]
    pub fn checkers(&self) -> Bitboard {
        self.state.checkers
    }

    /// Whether the side to move is in check.
    #[inline]
    pub fn in_check(&self) -> bool {
        !self.state.checkers.is_empty()
    }

    /// The pinned pieces of the side to move: they shield its king from a slider and may move on that line only.
    ///
    /// ```
    /// use hien::shogi::Position;
    ///
    /// let position = Position::from_sfen("4k4/4r4/9/9/9/9/4G4/9/4K4 b - 1")?;
    /// assert_eq!(position.pinned().first(), "5g".parse().ok());
    /// assert!(position.is_legal("5g5f".parse().unwrap()));
    /// assert!(!position.is_legal("5g4g".parse().unwrap()));
    /// # Ok::<(), hien::shogi::SfenError>(())
    /// ```
    #[inline]
    pub fn pinned(&self) -> Bitboard {
        self.state.blockers & self.pieces(self.side)
    }

    /// Black's material less White's, hands included, in the units of [`piece_value::value`].
    #[inline]
    pub fn material(&self) -> i32 {
        self.state.material
    }

    /// The number of moves played since the position was set up.
    #[inline]
    pub fn game_len(&self) -> usize {
        self.history.len()
    }

    /// The state `back` moves ago: 0 is now.
    #[inline]
    fn state_at(&self, back: usize) -> Option<&State> {
        match back {
            0 => Some(&self.state),
            _ => self
                .history
                .len()
                .checked_sub(back)
                .map(|i| &self.history[i]),
        }
    }

    /// The key of the position `back` moves ago.
    #[inline]
    pub fn key_at(&self, back: usize) -> Option<u64> {
        self.state_at(back).map(|state| state.key)
    }

    /// Both hands as they were `back` moves ago, Black's first.
    #[inline]
    pub fn hands_at(&self, back: usize) -> Option<[Hand; 2]> {
        self.state_at(back).map(|state| state.hands)
    }

    /// What the move that led to the position `back` moves ago changed; `None` at the root and after a null move.
    #[inline]
    pub fn diff(&self, back: usize) -> Option<Diff> {
        let state = self.state_at(back)?;
        let (mv, before) = (state.last_move?, state.moved?);
        Some(Diff {
            from: mv.from(),
            to: mv.to(),
            before,
            after: before.promoted_if(mv.is_promotion()),
            captured: state.captured,
        })
    }

    /// The move that led to this position; `None` at the root and after a null move.
    #[inline]
    pub fn last_move(&self) -> Option<Move> {
        self.state.last_move
    }

    /// The pieces of `color` that attack `square`, sliders looking through what is not in `occupied`.
    ///
    /// ```
    /// use hien::shogi::{Color, Position};
    ///
    /// let position = Position::startpos();
    /// let attackers = position.attackers_of("2f".parse().unwrap(), Color::Black, position.occupied());
    /// assert_eq!(attackers.first(), "2g".parse().ok());
    /// let behind = position.attackers_of("2f".parse().unwrap(), Color::Black, Default::default());
    /// assert_eq!(behind.count(), 2, "the rook on 2h as well");
    /// ```
    #[inline]
    pub fn attackers_of(&self, square: Square, color: Color, occupied: Bitboard) -> Bitboard {
        let king = self.pieces_of(color, PieceType::King) & attacks::king(square);
        // Few sliders look this way at all.
        self.sliders_aimed_at(square, color)
            .squares()
            .filter(|&slider| !attacks::between(square, slider).intersects(occupied))
            .fold(king | self.steppers_at(square, color), Bitboard::with)
    }

    /// The pieces of `color` but the king that attack `square` by a single step or jump.
    #[inline(always)]
    fn steppers_at(&self, square: Square, color: Color) -> Bitboard {
        // A piece attacks the square exactly if an enemy piece of its kind on the square would attack it.
        let seen_by = !color;
        let promoted_sliders = self.by_kind(PieceType::Horse) | self.by_kind(PieceType::Dragon);
        let steppers = (attacks::pawn(seen_by, square) & self.by_kind(PieceType::Pawn))
            | (attacks::knight(seen_by, square) & self.by_kind(PieceType::Knight))
            | (attacks::silver(seen_by, square) & self.by_kind(PieceType::Silver))
            | (attacks::gold(seen_by, square) & self.gold_movers())
            | (attacks::king(square) & promoted_sliders);
        steppers & self.pieces(color)
    }

    /// The sliders of `color` that attack the king of the other side on `king`, and the pieces of both colours that
    /// alone stand between it and one of them.
    #[inline(always)]
    fn slider_checks(&self, king: Square, color: Color) -> (Bitboard, Bitboard) {
        let mut checkers = Bitboard::EMPTY;
        let mut blockers = Bitboard::EMPTY;
        for slider in self.sliders_aimed_at(king, color).squares() {
            let shield = attacks::between(king, slider) & self.occupied();
            if shield.is_empty() {
                checkers = checkers.with(slider);
            } else if !shield.has_several() {
                blockers |= shield;
            }
        }
        (checkers, blockers)
    }

    /// The sliders of `color` that would attack `square` on an empty board.
    #[inline(always)]
    fn sliders_aimed_at(&self, square: Square, color: Color) -> Bitboard {
        let sliders = (attacks::lance_reach(!color, square) & self.by_kind(PieceType::Lance))
            | (attacks::bishop_reach(square) & self.diagonal_sliders())
            | (attacks::rook_reach(square) & self.straight_sliders());
        sliders & self.pieces(color)
    }

    /// Pieces of both colours that alone stand between the king of `color` and an enemy slider.
    #[inline]
    pub fn blockers_for(&self, color: Color) -> Bitboard {
        match self.king(color) {
            _ if color == self.side => self.state.blockers,
            Some(king) => self.slider_checks(king, !color).1,
            None => Bitboard::EMPTY,
        }
    }

    /// Computes anew what the state knows about checks on the side to move.
    #[inline]
    pub(super) fn refresh_checks(&mut self) {
        (self.state.checkers, self.state.blockers) = match self.king(self.side) {
            Some(king) => {
                let (sliders, blockers) = self.slider_checks(king, !self.side);
                (sliders | self.steppers_at(king, !self.side), blockers)
            }
            None => (Bitboard::EMPTY, Bitboard::EMPTY),
        };
    }

    /// Places a piece on an empty square, board tables only.
    #[inline]
    pub(super) fn put(&mut self, piece: Piece, square: Square) {
        let bit = Bitboard::from_square(square);
        self.board[square.index()] = Some(piece);
        self.by_kind[piece.kind().index()] ^= bit;
        self.by_color[piece.color().index()] ^= bit;
        if piece.kind() == PieceType::King {
            self.kings[piece.color().index()] = Some(square);
        }
    }

    /// Takes the given piece off its square, board tables only. A king must be put back somewhere.
    #[inline]
    pub(super) fn lift(&mut self, piece: Piece, square: Square) {
        let bit = Bitboard::from_square(square);
        self.board[square.index()] = None;
        self.by_kind[piece.kind().index()] ^= bit;
        self.by_color[piece.color().index()] ^= bit;
    }

    /// [`Position::put`] with key and material.
    pub(super) fn set_up_piece(&mut self, piece: Piece, square: Square) {
        self.put(piece, square);
        self.state.toggle(piece, square);
        self.state.material += signed(piece.color(), piece_value::value(piece.kind()));
    }

    /// Adds a piece to a hand, with key and material.
    pub(super) fn set_up_hand_piece(&mut self, color: Color, kind: HandPiece) {
        let hand = &mut self.state.hands[color.index()];
        self.state.key ^= zobrist::hand(color, kind, hand.count(kind));
        hand.add(kind);
        self.state.material += signed(color, piece_value::hand_value(kind));
    }
}

/// A value of `color` seen from Black.
#[inline]
pub(super) const fn signed(color: Color, value: i32) -> i32 {
    match color {
        Color::Black => value,
        Color::White => -value,
    }
}

impl fmt::Display for Position {
    /// The board as Black sees it, ASCII only; hands above and below, capital letters for Black.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let hand = |color: Color| {
            let text: Vec<String> = self
                .hand(color)
                .iter()
                .map(|(kind, count)| format!("{}{count}", kind.kind().letter()))
                .collect();
            if text.is_empty() {
                "-".to_owned()
            } else {
                text.join(" ")
            }
        };
        writeln!(f, "White hand: {}", hand(Color::White))?;
        writeln!(f, "  9  8  7  6  5  4  3  2  1")?;
        for rank in Rank::all() {
            for file in File::all().rev() {
                match self.piece_on(Square::new(file, rank)) {
                    Some(piece) => write!(f, "{piece:>3}")?,
                    None => write!(f, "  .")?,
                }
            }
            writeln!(f, " {}", char::from(b'a' + rank.index() as u8))?;
        }
        write!(f, "Black hand: {}", hand(Color::Black))
    }
}

impl fmt::Debug for Position {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Position({})", self.sfen())
    }
}

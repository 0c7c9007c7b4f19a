//! SFEN: reading positions with the reason for a refusal, and writing them.

use once_cell::sync::Lazy;

use super::bitboard::Bitboard;
use super::color::Color;
use super::hand::{Hand, HandPiece};
use super::piece::{Piece, PieceType};
use super::position::Position;
use super::square::{File, Rank, Square};

/// The usual start position.
pub const STARTPOS: &str = "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1";

/// The greatest move number that is kept; larger ones are capped.
const MAX_PLY: u32 = 1_000_000;

/// What is wrong with an SFEN.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SfenError {
    /// Not nine ranks.
    #[error("{0} ranks instead of 9")]
    RankCount(usize),
    /// A rank that is too short or too long.
    #[error("rank {0} does not have 9 squares")]
    SquareCount(usize),
    /// A letter that is no piece.
    #[error("unknown piece '{}'", .0.escape_default())]
    UnknownPiece(char),
    /// A plus sign that does not stand before a piece that promotes.
    #[error("'+' before no promotable piece")]
    StrayPlus,
    /// The field of the side to move is missing.
    #[error("no side to move")]
    MissingSide,
    /// The side to move is neither `b` nor `w`.
    #[error("unknown side to move")]
    UnknownSide,
    /// The field of the hands is missing.
    #[error("no field for the hands")]
    MissingHands,
    /// The field of the hands cannot be read.
    #[error("malformed hands")]
    MalformedHands,
    /// A king in hand.
    #[error("a king in hand")]
    KingInHand,
    /// The move number is no number.
    #[error("the move number is no number")]
    MoveNumber,
    /// More pieces of a kind than a set has.
    #[error("more than {max} of piece {letter}")]
    TooMany {
        /// The SFEN letter of the unpromoted kind.
        letter: char,
        /// How many a set has.
        max: u32,
    },
    /// Two kings of one colour.
    #[error("two kings of one side")]
    TwoKings,
    /// No king at all.
    #[error("no king")]
    NoKing,
    /// A pawn, lance or knight where it could never move.
    #[error("a piece on {0} that can never move")]
    DeadPiece(Square),
    /// Two unpromoted pawns of one side on a file (nifu).
    #[error("two pawns of one side on file {}", .0.index() + 1)]
    TwoPawns(File),
    /// The player who is not to move stands in check.
    #[error("the side not to move is in check")]
    OpponentInCheck,
}

impl SfenError {
    /// Whether the USI command `position` accepts the position in spite of this fault, since users set up such boards
    /// for analysis.
    pub const fn is_tolerable(&self) -> bool {
        matches!(
            self,
            Self::MissingHands
                | Self::MoveNumber
                | Self::NoKing
                | Self::DeadPiece(_)
                | Self::TwoPawns(_)
        )
    }
}

impl Position {
    /// The usual start position, Black to move.
    pub fn startpos() -> Self {
        // Read once: the compiler cannot set up the board.
        static START: Lazy<Position> =
            Lazy::new(|| Position::from_sfen(STARTPOS).expect("the start position is well formed"));
        START.clone()
    }

    /// Reads a position strictly: board, side to move, hands, and a move number, which may be missing.
    ///
    /// # Errors
    ///
    /// The first fault, see [`SfenError`].
    ///
    /// ```
    /// use hien::shogi::{Color, Position};
    ///
    /// let position = Position::from_sfen("4k4/9/4P4/9/9/9/9/9/4K4 w G2p 7")?;
    /// assert_eq!(position.side_to_move(), Color::White);
    /// assert_eq!(position.ply(), 7);
    /// assert!(Position::from_sfen("4k4/9/9 b - 1").is_err());
    /// # Ok::<(), hien::shogi::SfenError>(())
    /// ```
    pub fn from_sfen(text: &str) -> Result<Self, SfenError> {
        let (position, complaints) = read(text)?;
        match complaints.into_iter().next() {
            Some(complaint) => Err(complaint),
            None => Ok(position),
        }
    }

    /// Reads a position strictly and lists everything that is wrong with it.
    ///
    /// # Errors
    ///
    /// All faults; only the first one if the text is no position at all.
    ///
    /// ```
    /// use hien::shogi::Position;
    /// let faults = Position::validate("4k4/9/9/9/4P4/4P4/9/9/9 b 17P 1").unwrap_err();
    /// let faults: Vec<_> = faults.iter().map(ToString::to_string).collect();
    /// assert_eq!(faults, ["more than 18 of piece P", "two pawns of one side on file 5"]);
    /// ```
    pub fn validate(text: &str) -> Result<Self, Vec<SfenError>> {
        match read(text) {
            Ok((position, faults)) if faults.is_empty() => Ok(position),
            Ok((_, faults)) => Err(faults),
            Err(fault) => Err(vec![fault]),
        }
    }

    /// Reads a position as the USI command `position` does: what is tolerable
    /// ([`SfenError::is_tolerable`]) is reported and accepted.
    ///
    /// # Errors
    ///
    /// The first thing that cannot be tolerated.
    pub fn from_sfen_tolerant(text: &str) -> Result<(Self, Vec<SfenError>), SfenError> {
        let (position, complaints) = read(text)?;
        match complaints.iter().find(|c| !c.is_tolerable()) {
            Some(complaint) => Err(complaint.clone()),
            None => Ok((position, complaints)),
        }
    }

    /// A position from its parts, as strictly as [`Position::from_sfen`].
    ///
    /// # Errors
    ///
    /// The first thing that is wrong, see [`SfenError`].
    pub fn from_parts(
        board: &[Option<Piece>; Square::COUNT],
        hands: [Hand; 2],
        side: Color,
        ply: u32,
    ) -> Result<Self, SfenError> {
        let mut position = Self::empty(side, ply.clamp(1, MAX_PLY));
        let mut stock = Stock::default();
        for (square, piece) in Square::all().zip(board) {
            if let Some(piece) = piece {
                place(*piece, square, &mut position, &mut stock);
            }
        }
        for (color, hand) in Color::ALL.into_iter().zip(hands) {
            for (kind, count) in hand.iter() {
                hold(color, kind, count, &mut position, &mut stock);
            }
        }
        position.refresh_checks();
        let mut faults = stock.faults.into_iter().chain(find_faults(&position));
        faults.next().map_or(Ok(position), Err)
    }

    /// The position as SFEN in its normal form, the move number included.
    ///
    /// ```
    /// use hien::shogi::Position;
    ///
    /// let position = Position::startpos();
    /// assert_eq!(position.sfen(), "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1");
    /// ```
    pub fn sfen(&self) -> String {
        let rows: Vec<String> = Rank::all().map(|rank| self.row_text(rank)).collect();
        let side = match self.side {
            Color::Black => 'b',
            Color::White => 'w',
        };
        format!(
            "{} {side} {} {}",
            rows.join("/"),
            self.hands_text(),
            self.ply()
        )
    }

    fn row_text(&self, rank: Rank) -> String {
        let mut text = String::new();
        let mut empty = 0;
        for file in File::all().rev() {
            match self.piece_on(Square::new(file, rank)) {
                None => empty += 1,
                Some(piece) => {
                    push_number(&mut text, empty, 1);
                    empty = 0;
                    text += &piece.to_string();
                }
            }
        }
        push_number(&mut text, empty, 1);
        text
    }

    fn hands_text(&self) -> String {
        let mut text = String::new();
        for color in Color::ALL {
            for kind in HandPiece::BY_VALUE {
                let count = self.hand(color).count(kind);
                push_number(&mut text, count, 2);
                if count > 0 {
                    text += &Piece::new(color, kind.kind()).to_string();
                }
            }
        }
        if text.is_empty() {
            "-".to_owned()
        } else {
            text
        }
    }
}

/// Appends a number that is at least `min`.
fn push_number(text: &mut String, number: u32, min: u32) {
    if number >= min {
        *text += &number.to_string();
    }
}

/// The owner and unpromoted kind of an SFEN letter.
fn read_letter(letter: char) -> Result<(Color, PieceType), SfenError> {
    let color = if letter.is_ascii_uppercase() {
        Color::Black
    } else {
        Color::White
    };
    PieceType::from_letter(letter.to_ascii_uppercase())
        .map(|kind| (color, kind))
        .ok_or(SfenError::UnknownPiece(letter))
}

/// Reads a position and lists what is wrong with it; an error if the text is not readable as a position at all.
fn read(text: &str) -> Result<(Position, Vec<SfenError>), SfenError> {
    let mut complaints = Vec::new();
    let mut fields = text.split_ascii_whitespace();
    let board = fields.next().unwrap_or_default();
    let side = match fields.next() {
        Some("b") => Color::Black,
        Some("w") => Color::White,
        Some(_) => return Err(SfenError::UnknownSide),
        None => return Err(SfenError::MissingSide),
    };
    let hands = fields.next();
    let ply = match fields.next().map(read_ply) {
        None => 1,
        Some(Some(ply)) => ply,
        Some(None) => {
            complaints.push(SfenError::MoveNumber);
            1
        }
    };
    let mut position = Position::empty(side, ply);
    let mut stock = Stock::default();
    read_board(board, &mut position, &mut stock)?;
    match hands {
        Some(hands) => read_hands(hands, &mut position, &mut stock)?,
        None => complaints.push(SfenError::MissingHands),
    }
    complaints.append(&mut stock.faults);
    position.refresh_checks();
    complaints.extend(find_faults(&position));
    Ok((position, complaints))
}

/// A move number; 0 counts as 1 and huge numbers are capped.
fn read_ply(text: &str) -> Option<u32> {
    let is_number = !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit());
    is_number.then(|| text.parse::<u32>().unwrap_or(MAX_PLY).clamp(1, MAX_PLY))
}

/// How many pieces of each unpromoted kind have been placed, and what is wrong with that.
#[derive(Default)]
struct Stock {
    used: [u32; PieceType::COUNT],
    faults: Vec<SfenError>,
}

impl Stock {
    /// Takes up to `count` pieces out of the box; returns how many there were.
    fn take(&mut self, kind: PieceType, count: u32) -> u32 {
        let kind = kind.unpromoted();
        let max = HandPiece::from_captured(kind).map_or(2, HandPiece::set_size);
        let used = &mut self.used[kind.index()];
        let taken = count.min(max - *used);
        *used += taken;
        let fault = SfenError::TooMany {
            letter: kind.letter(),
            max,
        };
        if taken < count && !self.faults.contains(&fault) {
            self.faults.push(fault);
        }
        taken
    }
}

fn read_board(text: &str, position: &mut Position, stock: &mut Stock) -> Result<(), SfenError> {
    let rows: Vec<&str> = text.split('/').collect();
    if rows.len() != 9 {
        return Err(SfenError::RankCount(rows.len()));
    }
    for (row, rank) in rows.into_iter().zip(Rank::all()) {
        read_row(row, rank, position, stock)?;
    }
    Ok(())
}

fn read_row(
    row: &str,
    rank: Rank,
    position: &mut Position,
    stock: &mut Stock,
) -> Result<(), SfenError> {
    let wrong_length = SfenError::SquareCount(rank.index() + 1);
    let mut files = File::all().rev();
    let mut plus = false;
    for letter in row.chars() {
        match letter.to_digit(10) {
            Some(_) | None if plus && letter == '+' => return Err(SfenError::StrayPlus),
            Some(_) if plus => return Err(SfenError::StrayPlus),
            Some(0) => return Err(wrong_length),
            Some(count) => {
                if files.nth(count as usize - 1).is_none() {
                    return Err(wrong_length);
                }
            }
            None if letter == '+' => plus = true,
            None => {
                let (color, kind) = read_letter(letter)?;
                let kind = match kind.promoted() {
                    Some(promoted) if plus => promoted,
                    None if plus => return Err(SfenError::StrayPlus),
                    _ => kind,
                };
                plus = false;
                let Some(file) = files.next() else {
                    return Err(wrong_length);
                };
                let piece = Piece::new(color, kind);
                place(piece, Square::new(file, rank), position, stock);
            }
        }
    }
    match (plus, files.next()) {
        (true, _) => Err(SfenError::StrayPlus),
        (false, Some(_)) => Err(wrong_length),
        (false, None) => Ok(()),
    }
}

fn read_hands(text: &str, position: &mut Position, stock: &mut Stock) -> Result<(), SfenError> {
    if text == "-" {
        return Ok(());
    }
    let mut digits = String::new();
    for letter in text.chars() {
        if letter.is_ascii_digit() {
            digits.push(letter);
            continue;
        }
        let (color, kind) = read_letter(letter)?;
        let kind = HandPiece::from_captured(kind).ok_or(SfenError::KingInHand)?;
        let count = match digits.as_str() {
            "" => 1,
            number => number.parse().unwrap_or(u32::MAX),
        };
        digits.clear();
        if count == 0 {
            return Err(SfenError::MalformedHands);
        }
        hold(color, kind, count, position, stock);
    }
    if digits.is_empty() {
        Ok(())
    } else {
        Err(SfenError::MalformedHands)
    }
}

/// Places a piece unless the set has no more of its kind.
fn place(piece: Piece, square: Square, position: &mut Position, stock: &mut Stock) {
    let is_second_king = piece.kind() == PieceType::King && position.king(piece.color()).is_some();
    if is_second_king && !stock.faults.contains(&SfenError::TwoKings) {
        stock.faults.push(SfenError::TwoKings);
    }
    if !is_second_king && stock.take(piece.kind(), 1) == 1 {
        position.set_up_piece(piece, square);
    }
}

/// Puts as many pieces into a hand as the set still has.
fn hold(color: Color, kind: HandPiece, count: u32, position: &mut Position, stock: &mut Stock) {
    for _ in 0..stock.take(kind.kind(), count) {
        position.set_up_hand_piece(color, kind);
    }
}

/// What the rules forbid in a position that could be read.
fn find_faults(position: &Position) -> Vec<SfenError> {
    let mut faults = Vec::new();
    if Color::ALL.iter().all(|&c| position.king(c).is_none()) {
        faults.push(SfenError::NoKing);
    }
    for square in position.occupied().squares() {
        let is_dead = position.piece_on(square).is_some_and(|piece| {
            square.rank().from_far_edge(piece.color()) < piece.kind().dead_ranks()
        });
        if is_dead {
            faults.push(SfenError::DeadPiece(square));
        }
    }
    for color in Color::ALL {
        let pawns = position.pieces_of(color, PieceType::Pawn);
        let crowded = |&file: &File| (pawns & Bitboard::file(file)).has_several();
        faults.extend(File::all().filter(crowded).map(SfenError::TwoPawns));
    }
    let waiting = !position.side_to_move();
    if let Some(king) = position.king(waiting)
        && position.is_attacked(king, position.side_to_move())
    {
        faults.push(SfenError::OpponentInCheck);
    }
    faults
}

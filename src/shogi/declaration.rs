//! Entering king (入玉, nyugyoku): declarations by points (宣言勝ち) and the try rule. Names and handicap variants of the
//! rules are those of YaneuraOu's option `EnteringKingRule`.

use std::fmt;
use std::str::FromStr;

use super::attacks;
use super::bitboard::Bitboard;
use super::color::Color;
use super::hand::HandPiece;
use super::moves::Move;
use super::piece::PieceType;
use super::position::Position;
use super::square::Square;

/// The entering-king rule in force.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum EnteringKingRule {
    /// No declaration.
    NoEnteringKing,
    /// 24-point rule: 31 points win, 24 to 30 are a draw.
    CSARule24,
    /// 24-point rule in handicap games: White is credited with the missing pieces.
    CSARule24H,
    /// 27-point rule: 28 points win for Black, 27 for White.
    #[default]
    CSARule27,
    /// 27-point rule in handicap games: White is credited with the missing pieces.
    CSARule27H,
    /// The king that reaches the enemy king's start square wins.
    TryRule,
}

impl EnteringKingRule {
    /// All rules.
    pub const ALL: [Self; 6] = [
        Self::NoEnteringKing,
        Self::CSARule24,
        Self::CSARule24H,
        Self::CSARule27,
        Self::CSARule27H,
        Self::TryRule,
    ];

    /// The name of the rule in USI.
    pub const fn name(self) -> &'static str {
        match self {
            Self::NoEnteringKing => "NoEnteringKing",
            Self::CSARule24 => "CSARule24",
            Self::CSARule24H => "CSARule24H",
            Self::CSARule27 => "CSARule27",
            Self::CSARule27H => "CSARule27H",
            Self::TryRule => "TryRule",
        }
    }
}

impl fmt::Display for EnteringKingRule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// A text that names no entering-king rule.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("unknown entering-king rule")]
pub struct ParseEnteringKingRuleError;

impl FromStr for EnteringKingRule {
    type Err = ParseEnteringKingRuleError;

    /// The name in any case.
    fn from_str(text: &str) -> Result<Self, ParseEnteringKingRuleError> {
        Self::ALL
            .into_iter()
            .find(|rule| rule.name().eq_ignore_ascii_case(text))
            .ok_or(ParseEnteringKingRuleError)
    }
}

/// What the side to move can claim.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Declaration {
    /// Nothing.
    None,
    /// A draw, under the 24-point rule. Information for a host; an engine must not claim then.
    Draw,
    /// The win.
    Win,
}

/// The points of a full set without the kings.
const ALL_POINTS: u32 = 54;

/// Rook and bishop, also promoted, count five, all other pieces one.
const fn points_of(pieces: u32, large: u32) -> u32 {
    pieces + 4 * large
}

impl Position {
    /// What the side to move can claim under `rule`. Under the try rule a win is a move,
    /// see [`Position::try_rule_move`].
    ///
    /// ```
    /// use hien::shogi::{Declaration, EnteringKingRule, Position};
    ///
    /// // The king and ten pieces in the zone; 28 points: five for a rook or bishop, one for any other piece.
    /// let position = Position::from_sfen("K8/GGGGSSSS1/RB7/9/9/9/9/9/4k4 b RB 1")?;
    /// assert_eq!(position.declaration(EnteringKingRule::CSARule27), Declaration::Win);
    /// assert_eq!(position.declaration(EnteringKingRule::CSARule24), Declaration::Draw);
    /// # Ok::<(), hien::shogi::SfenError>(())
    /// ```
    pub fn declaration(&self, rule: EnteringKingRule) -> Declaration {
        let needed = match rule {
            EnteringKingRule::NoEnteringKing => return Declaration::None,
            EnteringKingRule::TryRule => {
                return match self.try_rule_move() {
                    Some(_) => Declaration::Win,
                    None => Declaration::None,
                };
            }
            EnteringKingRule::CSARule24 => 31,
            EnteringKingRule::CSARule24H => 31 - self.handicap_credit(),
            EnteringKingRule::CSARule27 => self.needed_of_27(),
            EnteringKingRule::CSARule27H => self.needed_of_27() - self.handicap_credit(),
        };
        if self.in_check() || !self.is_king_in_zone() || self.pieces_in_zone() < 10 {
            return Declaration::None;
        }
        match self.declaration_points() as i32 {
            points if points >= needed => Declaration::Win,
            24.. if rule == EnteringKingRule::CSARule24 => Declaration::Draw,
            _ => Declaration::None,
        }
    }

    /// The king's move that wins under the try rule, if it is legal now.
    pub fn try_rule_move(&self) -> Option<Move> {
        let goal = match self.side {
            Color::Black => "5a",
            Color::White => "5i",
        };
        let goal: Square = goal.parse().ok()?;
        let king = self.king(self.side)?;
        let mv = attacks::king(king)
            .contains(goal)
            .then(|| Move::board(king, goal, false))?;
        self.is_legal(mv).then_some(mv)
    }

    /// Whether the king of the side to move stands in the enemy camp.
    pub fn is_king_in_zone(&self) -> bool {
        self.king(self.side)
            .is_some_and(|king| king.is_in_zone(self.side))
    }

    /// The number of pieces that the side to move has in the enemy camp, without its king.
    pub fn pieces_in_zone(&self) -> u32 {
        self.own_in_zone().count()
    }

    /// The points of the side to move: its pieces in the enemy camp and in hand.
    pub fn declaration_points(&self) -> u32 {
        let own = self.own_in_zone();
        self.points_on(own) + self.hand_points(self.side)
    }

    fn own_in_zone(&self) -> Bitboard {
        let own = self.pieces(self.side) & Bitboard::zone(self.side);
        own & !self.by_kind(PieceType::King)
    }

    fn points_on(&self, squares: Bitboard) -> u32 {
        let large = (self.diagonal_sliders() | self.straight_sliders()) & squares;
        points_of(squares.count(), large.count())
    }

    fn hand_points(&self, color: Color) -> u32 {
        let hand = self.hand(color);
        let pieces = hand.iter().map(|(_, count)| count).sum();
        points_of(
            pieces,
            hand.count(HandPiece::Bishop) + hand.count(HandPiece::Rook),
        )
    }

    fn needed_of_27(&self) -> i32 {
        match self.side {
            Color::Black => 28,
            Color::White => 27,
        }
    }

    /// The points of the pieces that are missing from the set, credited to White, who gives the handicap.
    fn handicap_credit(&self) -> i32 {
        if self.side == Color::Black {
            return 0;
        }
        let on_board = self.occupied() & !self.by_kind(PieceType::King);
        let present = self.points_on(on_board)
            + self.hand_points(Color::Black)
            + self.hand_points(Color::White);
        ALL_POINTS as i32 - present as i32
    }
}

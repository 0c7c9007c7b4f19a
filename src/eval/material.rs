//! Material evaluation, which needs no file: piece values, bonuses for pieces in hand, advancement, and attackers and
//! defenders around both kings. Everything is counted on bitboards, and is symmetric under exchange of the players.
//!
//! Piece values: see [`piece_value`](crate::shogi::piece_value). The other weights are Hien's own, tuned by hand.

use crate::score::{EVAL_MAX, Value};
use crate::shogi::{Bitboard, Color, HandPiece, PieceType, Position, Rank, Square};

/// Bonus for the side to move.
const TEMPO: Value = 15;

/// By how much a piece in hand is worth more than on the board, by kind: it can be dropped anywhere.
const HAND_BONUS: [Value; HandPiece::COUNT] = [8, 12, 18, 30, 50, 70, 45];

/// How near a king: the eight squares around it, and the ring around those.
const NEAR: usize = 0;
const MIDDLE: usize = 1;

/// Value of an attacker by its distance from the enemy king.
const ATTACK: [Value; 2] = [32, 18];
/// Value of a defender by its distance from its king.
const DEFENCE: [Value; 2] = [26, 9];
/// Value of a rook, a bishop or their promoted forms as attackers, in percent of other pieces. As defenders they count
/// nothing.
const LARGE_ATTACKER: Value = 150;
/// Each piece in hand raises the value of the attackers on the board by this many percent; pawns do not, rook and
/// bishop count twice.
const HAND_ATTACK: Value = 12;

/// Bonus for a small piece by its rank, counted from the far edge.
const ADVANCE: [Value; 9] = [10, 14, 18, 16, 10, 4, 0, 0, 0];
/// Bonus for a king by its rank, counted from the far edge: it is safest at home, or deep in the enemy camp.
const KING_ADVANCE: [Value; 9] = [120, 100, 40, -60, -110, -110, -80, -30, 0];

/// The value of a position for the side to move.
pub fn evaluate(position: &Position) -> Value {
    let us = position.side_to_move();
    let balance = of_player(position, Color::Black) - of_player(position, Color::White);
    let balance = position.material() + balance;
    let own = match us {
        Color::Black => balance,
        Color::White => -balance,
    };
    (own + TEMPO).clamp(-EVAL_MAX, EVAL_MAX)
}

/// One player's positional terms: everything but material.
fn of_player(position: &Position, color: Color) -> Value {
    let hand = in_hand(position, color);
    hand + advance(position, color) + attack(position, color) + defence(position, color)
}

fn in_hand(position: &Position, color: Color) -> Value {
    let hand = position.hand(color);
    if hand.is_empty() {
        return 0;
    }
    HandPiece::ALL
        .iter()
        .map(|&kind| HAND_BONUS[kind.index()] * hand.count(kind) as Value)
        .sum()
}

/// Silvers, knights and pieces that move like golds want to go forward; a king does not.
fn advance(position: &Position, color: Color) -> Value {
    let small = position.by_kind(PieceType::Silver)
        | position.by_kind(PieceType::Knight)
        | position.gold_movers();
    let small = small & position.pieces(color);
    let pieces: Value = Rank::all()
        .map(|rank| {
            let count = (small & Bitboard::rank(rank)).count() as Value;
            count * ADVANCE[rank.from_far_edge(color)]
        })
        .sum();
    let king = position
        .king(color)
        .map_or(0, |square| KING_ADVANCE[square.rank().from_far_edge(color)]);
    pieces + king
}

/// The pieces of `color` around the enemy king, without pawns, and those in hand that may join them.
fn attack(position: &Position, color: Color) -> Value {
    let Some(king) = position.king(!color) else {
        return 0;
    };
    let rings = rings(king);
    let own = position.pieces(color);
    let large = own & large_pieces(position);
    let small = own & !large & !pawns_and_kings(position);
    let on = |pieces: Bitboard| -> Value {
        let count = |ring: usize| (pieces & rings[ring]).count() as Value;
        ATTACK[NEAR] * count(NEAR) + ATTACK[MIDDLE] * count(MIDDLE)
    };
    let attackers = on(small) + on(large) * LARGE_ATTACKER / 100;
    let hand = position.hand(color);
    let reserves: u32 = hand
        .iter()
        .map(|(kind, count)| match kind {
            HandPiece::Pawn => 0,
            HandPiece::Rook | HandPiece::Bishop => 2 * count,
            _ => count,
        })
        .sum();
    attackers * (100 + HAND_ATTACK * reserves as Value) / 100
}

/// The pieces of `color` around its own king, pawns included, rooks and bishops not.
fn defence(position: &Position, color: Color) -> Value {
    let Some(king) = position.king(color) else {
        return 0;
    };
    let rings = rings(king);
    let away = position.by_kind(PieceType::King) | large_pieces(position);
    let defenders = position.pieces(color) & !away;
    let count = |ring: usize| (defenders & rings[ring]).count() as Value;
    DEFENCE[NEAR] * count(NEAR) + DEFENCE[MIDDLE] * count(MIDDLE)
}

fn large_pieces(position: &Position) -> Bitboard {
    position.by_kind(PieceType::Rook)
        | position.by_kind(PieceType::Bishop)
        | position.by_kind(PieceType::Dragon)
        | position.by_kind(PieceType::Horse)
}

fn pawns_and_kings(position: &Position) -> Bitboard {
    position.by_kind(PieceType::Pawn) | position.by_kind(PieceType::King)
}

/// The squares next to a king and those two steps away.
fn rings(king: Square) -> &'static [Bitboard; 2] {
    static RINGS: [[Bitboard; 2]; Square::COUNT] = all_rings();
    &RINGS[king.index()]
}

const fn all_rings() -> [[Bitboard; 2]; Square::COUNT] {
    let mut rings = [[Bitboard::EMPTY; 2]; Square::COUNT];
    let mut king = 0;
    while king < Square::COUNT {
        let mut to = 0;
        while to < Square::COUNT {
            let files = (king / 9).abs_diff(to / 9);
            let ranks = (king % 9).abs_diff(to % 9);
            let distance = if files > ranks { files } else { ranks };
            if (distance == 1 || distance == 2)
                && let Some(square) = Square::try_new(to as u8)
            {
                let ring = &mut rings[king][distance - 1];
                *ring = ring.with(square);
            }
            to += 1;
        }
        king += 1;
    }
    rings
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::shogi::attacks;

    /// The same position with the players exchanged.
    fn exchanged(position: &Position) -> Position {
        let sfen = position.sfen();
        let fields: Vec<_> = sfen.split(' ').collect();
        let swap_case = |text: &str| -> String {
            text.chars()
                .map(|c| {
                    if c.is_ascii_uppercase() {
                        c.to_ascii_lowercase()
                    } else {
                        c.to_ascii_uppercase()
                    }
                })
                .collect()
        };
        let board: Vec<String> = fields[0]
            .split('/')
            .rev()
            .map(|row| {
                // Reverse the squares, keeping each plus sign before its piece.
                let mut squares: Vec<String> = Vec::new();
                let mut promoted = false;
                for c in row.chars() {
                    if c == '+' {
                        promoted = true;
                    } else {
                        squares.push(format!("{}{c}", if promoted { "+" } else { "" }));
                        promoted = false;
                    }
                }
                squares.reverse();
                swap_case(&squares.concat())
            })
            .collect();
        let side = if fields[1] == "b" { "w" } else { "b" };
        let text = format!("{} {side} {} 1", board.join("/"), swap_case(fields[2]));
        Position::from_sfen(&text).unwrap()
    }

    const POSITIONS: [&str; 6] = [
        "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1",
        "l6nl/5+P1gk/2np1S3/p1p4Pp/3P2Sp1/1PPb2P1P/P5GS1/R8/LN4bKL w RGgsn5p 1",
        "8l/1l+R2P3/p2pBG1pp/kps1p4/Nn1P2G2/P1P1P2PP/1PS6/1KSG3+r1/LN2+p3L w Sbgn3p 124",
        "4K4/+R+RGGGGSSS/2S6/9/9/9/9/9/4k4 b 2B4N4L18P 1",
        "8k/9/7+RP/9/9/9/9/9/9 b - 1",
        "lnsgkgsnl/7b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1",
    ];

    #[test]
    fn both_players_are_measured_alike() {
        for sfen in POSITIONS {
            let position = Position::from_sfen(sfen).unwrap();
            assert_eq!(
                evaluate(&position),
                evaluate(&exchanged(&position)),
                "{sfen}"
            );
        }
    }

    #[test]
    fn rings_surround_a_king() {
        let counts = |king: &str| rings(king.parse().unwrap()).map(Bitboard::count);
        assert_eq!(counts("5e"), [8, 16]);
        assert_eq!(counts("1a"), [3, 5]);
        assert_eq!(counts("5h"), [8, 11]);
        for king in Square::all() {
            assert_eq!(rings(king)[NEAR], attacks::king(king));
        }
    }

    #[test]
    fn a_balanced_position_is_worth_the_move() {
        assert_eq!(evaluate(&Position::startpos()), TEMPO);
    }

    #[test]
    fn a_rook_ahead_is_much() {
        let handicap = Position::from_sfen(POSITIONS[5]).unwrap();
        assert!(evaluate(&handicap) < -900);
    }

    #[test]
    fn a_piece_in_hand_is_worth_more_than_at_home() {
        let on_board = Position::from_sfen("4k4/9/9/9/9/9/9/9/4K3S b - 1").unwrap();
        let in_hand = Position::from_sfen("4k4/9/9/9/9/9/9/9/4K4 b S 1").unwrap();
        assert!(evaluate(&in_hand) > evaluate(&on_board));
    }
}

//! How books name positions, and the board turned round.

use std::fmt;

use crate::shogi::{Color, Move, MoveKind, Position, SfenError};

/// A position without its move number: board, side to move and hands as in SFEN, the hands in the usual order. Sorted
/// books are sorted by this text.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Key(String);

impl Key {
    /// The key of a position.
    pub fn of(position: &Position) -> Self {
        let mut text = position.sfen();
        if let Some(end) = text.rfind(' ') {
            text.truncate(end);
        }
        Self(text)
    }

    /// Reads an SFEN with or without a move number, the hands in any order.
    ///
    /// # Errors
    ///
    /// What is wrong with the position.
    pub fn read(sfen: &str) -> Result<(Self, Option<u32>), SfenError> {
        let (position, _) = Position::from_sfen_tolerant(sfen)?;
        let ply = sfen.split_ascii_whitespace().nth(3);
        Ok((Self::of(&position), ply.and_then(|ply| ply.parse().ok())))
    }

    /// The text.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// The same position turned by 180 degrees with the colours exchanged, so that the other side is to move.
    pub fn flipped(&self) -> Self {
        let mut fields = self.0.splitn(3, ' ');
        let mut next = || fields.next().unwrap_or_default();
        let (board, side, hands) = (next(), next(), next());
        let board: String = pieces(board, |c| c == '+')
            .into_iter()
            .rev()
            .map(other_case)
            .collect();
        let side = if side == "b" { "w" } else { "b" };
        let (white, black): (Vec<_>, Vec<_>) = pieces(hands, |c| c.is_ascii_digit())
            .into_iter()
            .partition(|piece| piece.ends_with(|c: char| c.is_ascii_lowercase()));
        let hands: String = white.into_iter().chain(black).map(other_case).collect();
        Self(format!("{board} {side} {hands}"))
    }

    /// The side to move.
    pub fn side_to_move(&self) -> Color {
        match self.0.split(' ').nth(1) {
            Some("w") => Color::White,
            _ => Color::Black,
        }
    }
}

impl fmt::Display for Key {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// Cuts a text into its characters, each with the prefixes before it: `+P` on a board, `12p` in hands.
fn pieces(text: &str, is_prefix: fn(char) -> bool) -> Vec<&str> {
    text.split_inclusive(|c| !is_prefix(c)).collect()
}

/// The text with the colours of its pieces exchanged.
fn other_case(text: &str) -> String {
    let exchange = |c: char| {
        if c.is_ascii_lowercase() {
            c.to_ascii_uppercase()
        } else {
            c.to_ascii_lowercase()
        }
    };
    text.chars().map(exchange).collect()
}

/// The same move on the board turned by 180 degrees.
pub fn flip_move(mv: Move) -> Move {
    let to = mv.to().flip();
    match mv.kind() {
        MoveKind::Board { from, promote } => Move::board(from.flip(), to, promote),
        MoveKind::Drop(kind) => Move::drop(kind, to),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn key(sfen: &str) -> Key {
        Key::read(sfen).unwrap().0
    }

    #[test]
    fn hands_are_put_in_order_and_plies_left_out() {
        let sfen = "4k4/9/9/9/9/9/9/9/4K4 b 2pPPR2b 17";
        let (key, ply) = Key::read(sfen).unwrap();
        assert_eq!(key.as_str(), "4k4/9/9/9/9/9/9/9/4K4 b R2P2b2p");
        assert_eq!(ply, Some(17));
        assert_eq!(Key::of(&Position::from_sfen(sfen).unwrap()), key);
        assert_eq!(Key::read("4k4/9/9/9/9/9/9/9/4K4 b -").unwrap().1, None);
    }

    #[test]
    fn boards_are_turned_round() {
        let start = Key::of(&Position::startpos());
        assert_eq!(
            start.flipped().as_str(),
            "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w -"
        );
        let odd =
            key("8l/1l+R2P3/p2pBG1pp/kps1p4/Nn1P2G2/P1P1P2PP/1PS6/1KSG3+r1/LN2+p3L w Sbgn3p 124");
        assert_eq!(
            odd.flipped().as_str(),
            "l3+P2nl/1+R3gsk1/6sp1/pp2p1p1p/2g2p1Nn/4P1SPK/PP1gbP2P/3p2+rL1/L8 b BGN3Ps"
        );
        assert_eq!(odd.flipped().flipped(), odd);
    }

    #[test]
    fn moves_are_turned_round() {
        for (mv, turned) in [("7g7f", "3c3d"), ("2b8h+", "8h2b+"), ("P*5d", "P*5f")] {
            let mv: Move = mv.parse().unwrap();
            assert_eq!(flip_move(mv).to_string(), turned);
        }
    }
}

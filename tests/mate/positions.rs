//! Random positions like mate problems.

use std::collections::HashMap;
use std::fmt::Write;
use std::ops::Range;

use hien::shogi::{Color, File, HandPiece, Piece, PieceType, Position, Rank, Square};

use crate::common::random::Random;

/// A position with few pieces near the king of the side that is not to move.
pub fn random_position(random: &mut Random) -> Option<Position> {
    let attacker = Color::ALL[random.below(2)];
    let mut board: HashMap<Square, Piece> = HashMap::new();
    let king = square(random);
    board.insert(king, Piece::new(!attacker, PieceType::King));
    if random.below(3) == 0 {
        board.insert(near(random, king), Piece::new(attacker, PieceType::King));
    }
    for (color, pieces) in [(attacker, 1..5), (!attacker, 0..5)] {
        for _ in 0..within(random, pieces) {
            let kind = PieceType::ALL[random.below(PieceType::COUNT)];
            if kind != PieceType::King {
                let square = near(random, king);
                board.entry(square).or_insert(Piece::new(color, kind));
            }
        }
    }
    let mut hands = String::new();
    for (color, pieces) in [(attacker, 0..4), (!attacker, 0..2)] {
        for _ in 0..within(random, pieces) {
            let kind = HandPiece::ALL[random.below(7)].kind();
            let letter = kind.letter();
            match color {
                Color::Black => hands.push(letter),
                Color::White => hands.extend(letter.to_lowercase()),
            }
        }
    }
    Position::from_sfen(&sfen(&board, attacker, &hands)).ok()
}

fn sfen(board: &HashMap<Square, Piece>, side: Color, hands: &str) -> String {
    let mut text = String::new();
    for rank in Rank::all() {
        for file in File::all().rev() {
            match board.get(&Square::new(file, rank)) {
                None => text.push('1'),
                Some(piece) => {
                    let plain = piece.kind().unpromoted();
                    if plain != piece.kind() {
                        text.push('+');
                    }
                    let letter = plain.letter();
                    match piece.color() {
                        Color::Black => text.push(letter),
                        Color::White => text.extend(letter.to_lowercase()),
                    }
                }
            }
        }
        text.push('/');
    }
    text.pop();
    for n in (2..=9).rev() {
        text = text.replace(&"1".repeat(n), &n.to_string());
    }
    let mut letters: Vec<char> = hands.chars().collect();
    letters.sort_unstable();
    let mut hands = String::new();
    for run in letters.chunk_by(|a, b| a == b) {
        if run.len() > 1 {
            write!(hands, "{}", run.len()).unwrap();
        }
        hands.push(run[0]);
    }
    if hands.is_empty() {
        hands.push('-');
    }
    let side = if side == Color::Black { 'b' } else { 'w' };
    format!("{text} {side} {hands} 1")
}

fn within(random: &mut Random, range: Range<usize>) -> usize {
    range.start + random.below(range.len())
}

fn square(random: &mut Random) -> Square {
    Square::try_new(random.below(81) as u8).expect("below 81")
}

/// A square at most two steps from another.
fn near(random: &mut Random, center: Square) -> Square {
    loop {
        let square = square(random);
        let files = square.file().index().abs_diff(center.file().index());
        let ranks = square.rank().index().abs_diff(center.rank().index());
        if files <= 2 && ranks <= 2 {
            return square;
        }
    }
}

//! Whether a line is a mate, by another rules library.

use hien::shogi::Move;
use rsshogi::board::Position as Referee;

/// Whether the line is a mate by consecutive checks without repetition.
pub fn is_mate(sfen: &str, line: &[Move]) -> bool {
    let mut referee = rsshogi::board::position_from_sfen(sfen).expect("readable");
    let mut seen = vec![state(&referee)];
    for (i, mv) in line.iter().enumerate() {
        let mv = rsshogi::types::Move::from_raw(mv.raw());
        if !legal_moves(&referee).contains(&mv.raw()) {
            return false;
        }
        referee.apply_move(mv);
        let now = state(&referee);
        if (i % 2 == 0 && !referee.is_in_check()) || seen.contains(&now) {
            return false;
        }
        seen.push(now);
    }
    referee.is_in_check() && legal_moves(&referee).is_empty()
}

/// Whether the line is legal and ends in mate.
pub fn mates(sfen: &str, line: &[Move]) -> bool {
    let mut referee = rsshogi::board::position_from_sfen(sfen).expect("readable");
    for mv in line {
        if !legal_moves(&referee).contains(&mv.raw()) {
            return false;
        }
        referee.apply_move(rsshogi::types::Move::from_raw(mv.raw()));
    }
    referee.is_in_check() && legal_moves(&referee).is_empty()
}

fn legal_moves(referee: &Referee) -> Vec<u16> {
    let mut list = rsshogi::board::MoveList::new();
    rsshogi::board::movegen::generate_legal_all(referee, &mut list);
    list.iter().map(|mv| mv.raw()).collect()
}

/// Board, side and hands.
fn state(referee: &Referee) -> String {
    let sfen = referee.to_sfen(None);
    sfen.split(' ').take(3).collect::<Vec<_>>().join(" ")
}

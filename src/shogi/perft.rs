//! Perft: counts the leaves of the full legal tree, to test and to measure the move generator.

use super::moves::Move;
use super::position::Position;

/// The number of move sequences of length `depth`. The last ply is counted, not listed (bulk counting).
///
/// ```
/// use hien::shogi::{Position, perft::perft};
///
/// assert_eq!(perft(&mut Position::startpos(), 3), 25_470);
/// ```
pub fn perft(position: &mut Position, depth: u32) -> u64 {
    match depth {
        0 => 1,
        1 => u64::from(position.count_legal()),
        _ => {
            let mut nodes = 0;
            for &mv in &position.legal_moves() {
                position.do_move(mv);
                nodes += perft(position, depth - 1);
                position.undo_move();
            }
            nodes
        }
    }
}

/// [`perft`] split by the first move, in the order of generation. `depth` is at least 1.
pub fn divide(position: &mut Position, depth: u32) -> Vec<(Move, u64)> {
    let mut counts = Vec::new();
    for mv in position.legal_moves() {
        position.do_move(mv);
        counts.push((mv, perft(position, depth.saturating_sub(1))));
        position.undo_move();
    }
    counts
}

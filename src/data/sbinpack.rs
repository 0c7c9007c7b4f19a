//! sbinpack, the shogi form of Stockfish's binpack: chunks of chains; a chain is a position and the moves and scores
//! that follow it.

use std::panic::{AssertUnwindSafe, catch_unwind};

use rsshogi::records::formats::sbinpack::{SBINPACK_MAGIC, SbinpackDecodeEvent, SbinpackDecoder};
use rsshogi::types::{Color, GameResult};

use super::error::BlockFault;
use super::label::{Label, Outcome};
use super::position::RecordPosition;
use crate::shogi::Move;

/// What a chunk begins with.
pub(super) const MAGIC: [u8; 4] = SBINPACK_MAGIC;
/// Bytes of a chunk's header: the magic and the length of what follows.
pub(super) const HEADER: usize = 8;
/// Fewest bytes that a position takes in practice, for estimates of how many a chunk has.
pub(super) const BYTES_PER_RECORD: usize = 4;

/// Visits every position of a chunk.
pub(super) fn visit_chunk(
    chunk: &[u8],
    visit: &mut dyn FnMut(RecordPosition, &Label),
) -> Result<(), BlockFault> {
    // The decoder panics at a move that it has found by its number and cannot make.
    catch_unwind(AssertUnwindSafe(|| decode(chunk, visit))).unwrap_or(Err(BlockFault::Move))
}

fn decode(chunk: &[u8], visit: &mut dyn FnMut(RecordPosition, &Label)) -> Result<(), BlockFault> {
    let mut decoder = SbinpackDecoder::new(chunk);
    while let Some(step) = decoder.decode_next_with(|event| {
        if let SbinpackDecodeEvent::PositionBeforeMove {
            position,
            mv,
            eval,
            result,
            ..
        } = event
        {
            let label = Label {
                score: eval.clamp(i16::MIN.into(), i16::MAX.into()) as i16,
                best: Move::from_raw(mv.to_move().raw()),
                ply: position.game_ply(),
                outcome: result.and_then(|result| outcome(result, position.turn())),
            };
            visit(RecordPosition(position), &label);
        }
    }) {
        step.map_err(BlockFault::Chain)?;
    }
    Ok(())
}

/// A game's result from the view of `player`; `None` if the game had none.
fn outcome(result: GameResult, player: Color) -> Option<Outcome> {
    match result.winner_color() {
        Some(winner) if winner == player => Some(Outcome::Win),
        Some(_) => Some(Outcome::Loss),
        None if result.is_draw() => Some(Outcome::Draw),
        None => None,
    }
}

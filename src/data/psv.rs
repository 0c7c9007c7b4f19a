//! PSV (PackedSfenValue), YaneuraOu's training record and the common format of shogi trainers: 40 bytes, no header.

use rsshogi::board::{PackedSfen, Position as Packable};

use super::error::{PackError, UnpackError, UnpackFault};
use super::label::{Label, Outcome};
use super::position::{RecordPosition, packable};
use crate::shogi::{Move, Position};

/// One record, packed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Psv {
    /// Board, hands and side to move.
    pub(super) position: PackedSfen,
    /// Score, move, ply and result.
    pub label: Label,
}

impl Psv {
    /// Bytes of a record.
    pub const BYTES: usize = 40;

    /// The record of a position.
    ///
    /// # Errors
    ///
    /// If the position has no packed form, which needs both kings and no more than a full set.
    pub fn new(position: RecordPosition, label: Label) -> Result<Self, PackError> {
        Self::pack(position.0, label)
    }

    /// The record of a [`Position`].
    ///
    /// # Errors
    ///
    /// As [`Psv::new`].
    pub fn of(position: &Position, label: Label) -> Result<Self, PackError> {
        Self::pack(&packable(position), label)
    }

    fn pack(position: &Packable, label: Label) -> Result<Self, PackError> {
        let position = position.try_to_packed_sfen().map_err(PackError)?;
        Ok(Self { position, label })
    }

    /// The packed board, hands and side to move.
    pub fn packed(&self) -> &[u8; 32] {
        &self.position.data
    }

    /// The record's position.
    ///
    /// # Errors
    ///
    /// If the bits are damaged, or the position is illegal.
    pub fn position(&self) -> Result<Position, UnpackError> {
        let mut unpacked = Packable::empty();
        unpacked
            .set_packed_sfen(&self.position, false, self.label.ply)
            .map_err(|error| UnpackError(UnpackFault::Damaged(error)))?;
        let position = RecordPosition(&unpacked).to_position();
        position.map_err(|error| UnpackError(UnpackFault::Illegal(error)))
    }

    /// Reads a record: packed position, score, move, ply, result, and one byte of padding. Nothing is checked but the
    /// move, which is `None` if the bits encode none.
    pub fn from_bytes(bytes: &[u8; Self::BYTES]) -> Self {
        let word = |at: usize| u16::from_le_bytes([bytes[at], bytes[at + 1]]);
        let mut position = PackedSfen::default();
        position.data.copy_from_slice(&bytes[..32]);
        let label = Label {
            score: word(32) as i16,
            best: Move::from_raw(word(34)),
            ply: word(36),
            outcome: Some(match bytes[38] as i8 {
                ..0 => Outcome::Loss,
                0 => Outcome::Draw,
                1.. => Outcome::Win,
            }),
        };
        Self { position, label }
    }

    /// The inverse of [`Psv::from_bytes`]. A game without result counts as a draw.
    pub fn to_bytes(&self) -> [u8; Self::BYTES] {
        let mut bytes = [0; Self::BYTES];
        let label = &self.label;
        bytes[..32].copy_from_slice(&self.position.data);
        bytes[32..34].copy_from_slice(&label.score.to_le_bytes());
        let best = label.best.map_or(0, Move::raw);
        bytes[34..36].copy_from_slice(&best.to_le_bytes());
        bytes[36..38].copy_from_slice(&label.ply.to_le_bytes());
        bytes[38] = match label.outcome {
            Some(Outcome::Win) => 1,
            Some(Outcome::Loss) => -1,
            Some(Outcome::Draw) | None => 0,
        } as u8;
        bytes
    }
}

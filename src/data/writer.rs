//! Writing records in either format.

use std::io::{self, Write};

use rsshogi::board::{PackedSfen, Position as Packable};
use rsshogi::records::formats::sbinpack::{
    SbinpackChain, SbinpackMetadata, SbinpackMove, SbinpackStem, encoded_move_index,
    pack_ply_result, serialize_file,
};
use rsshogi::types::{Color, GameResult, Move as PackedMove};

use super::label::{Format, Outcome};
use super::psv::Psv;

/// Positions after which a chunk of sbinpack ends with its chain.
const CHUNK: usize = 40_000;
/// Most positions of a chain.
const CHAIN: usize = u16::MAX as usize;

/// Writes records one after the other.
pub struct RecordWriter<W: Write> {
    to: W,
    form: Form,
}

enum Form {
    Psv,
    Sbinpack(Box<Chains>),
}

impl<W: Write> RecordWriter<W> {
    /// Writes records in a form.
    pub fn new(to: W, format: Format) -> Self {
        match format {
            Format::Psv => Self::psv(to),
            Format::Sbinpack => Self::sbinpack(to),
        }
    }

    /// Writes PSV, 40 bytes a record.
    pub fn psv(to: W) -> Self {
        Self {
            to,
            form: Form::Psv,
        }
    }

    /// Writes sbinpack. Records of a game that follow one another should do so here, too: it makes them short.
    pub fn sbinpack(to: W) -> Self {
        Self {
            to,
            form: Form::Sbinpack(Box::default()),
        }
    }

    /// Writes a record.
    ///
    /// # Errors
    ///
    /// If the target cannot be written, or in sbinpack if the record has no legal move.
    pub fn write(&mut self, record: &Psv) -> io::Result<()> {
        match &mut self.form {
            Form::Psv => self.to.write_all(&record.to_bytes()),
            Form::Sbinpack(chains) => {
                if chains.moves >= CHUNK && !chains.is_continued_by(record) {
                    self.to.write_all(&chains.take()?)?;
                }
                chains.push(record)
            }
        }
    }

    /// Writes what was held back, and returns the target.
    ///
    /// # Errors
    ///
    /// If the target cannot be written.
    pub fn finish(mut self) -> io::Result<W> {
        if let Form::Sbinpack(chains) = &mut self.form {
            self.to.write_all(&chains.take()?)?;
        }
        self.to.flush()?;
        Ok(self.to)
    }
}

/// The chains of an unfinished chunk.
struct Chains {
    done: Vec<SbinpackChain>,
    moves: usize,
    /// The position after the last move.
    position: Packable,
    /// What the next record must be to belong to the last chain.
    expected: Option<Expected>,
}

#[derive(PartialEq, Eq)]
struct Expected {
    position: PackedSfen,
    ply: u16,
    result: GameResult,
}

impl Default for Chains {
    fn default() -> Self {
        Self {
            done: Vec::new(),
            moves: 0,
            position: Packable::empty(),
            expected: None,
        }
    }
}

impl Chains {
    fn is_continued_by(&self, record: &Psv) -> bool {
        let is_next = self.expected.as_ref().is_some_and(|expected| {
            expected.position == record.position
                && expected.ply == record.label.ply
                && expected.result == result(record, self.position.turn())
        });
        is_next
            && self
                .done
                .last()
                .is_some_and(|chain| chain.moves.len() < CHAIN)
    }

    fn push(&mut self, record: &Psv) -> io::Result<()> {
        let invalid = |what: String| io::Error::new(io::ErrorKind::InvalidData, what);
        let best = record.label.best.map_or(PackedMove::MOVE_NONE, |best| {
            PackedMove::from_raw(best.raw())
        });
        if !self.is_continued_by(record) {
            self.position
                .set_packed_sfen(&record.position, false, record.label.ply)
                .map_err(|error| invalid(error.to_string()))?;
            let stem = SbinpackStem {
                packed_sfen: record.position,
                score: record.label.score,
                best_move: best,
                ply_result: pack_ply_result(result(record, self.position.turn()), record.label.ply),
            };
            self.done.push(SbinpackChain {
                stem,
                metadata: SbinpackMetadata::default(),
                moves: Vec::new(),
            });
        }
        let result = result(record, self.position.turn());
        let mv = self.position.move32_from_move(best);
        if !best.is_normal() || encoded_move_index(&self.position, mv).is_none() {
            return Err(invalid(format!(
                "sbinpack needs a legal move in {}",
                self.position.to_sfen(None)
            )));
        }
        if let Some(chain) = self.done.last_mut() {
            chain.moves.push(SbinpackMove {
                mv,
                eval: record.label.score.into(),
            });
        }
        self.moves += 1;
        self.position.apply_move32(mv);
        self.expected = self
            .position
            .try_to_packed_sfen()
            .ok()
            .map(|position| Expected {
                position,
                ply: record.label.ply.saturating_add(1),
                result,
            });
        Ok(())
    }

    /// The finished chunk.
    fn take(&mut self) -> io::Result<Vec<u8>> {
        let chains = std::mem::take(self).done;
        if chains.is_empty() {
            return Ok(Vec::new());
        }
        serialize_file(&chains).map_err(|error| io::Error::other(format!("{error:?}")))
    }
}

/// The game's result; `player` is to move in the record.
fn result(record: &Psv, player: Color) -> GameResult {
    match record.label.outcome {
        Some(Outcome::Win) => GameResult::win_from_color(player),
        Some(Outcome::Loss) => GameResult::win_from_color(player.flip()),
        Some(Outcome::Draw) => GameResult::DrawByAdjudication,
        None => GameResult::Invalid,
    }
}

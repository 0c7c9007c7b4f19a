//! Books in the formats that the crate `rsshogi` reads: YBB, the binary book of YaneuraOu, and SBK, ShogiGUI's.

use std::io::{Seek, Write};
use std::path::Path;

use rsshogi::board::{self, position::PackedSfen};
use rsshogi::book::{
    SbkBook, YbbBook, YbbBookOpenOptions, YbbEntry, YbbMove, YbbStorageMode, YbbValidationMode,
    YbbWriteOptions, YbbWriter,
};

use super::entry::{BookEntry, Candidate, sort_entries};
use super::error::BookError;
use super::key::Key;
use crate::shogi::Move;

/// A YBB book.
pub struct BinaryBook(YbbBook);

impl BinaryBook {
    /// Opens a book: read as a whole and checked, or on the fly.
    ///
    /// # Errors
    ///
    /// What is wrong with the file.
    pub fn open(path: &Path, on_the_fly: bool) -> Result<Self, BookError> {
        let (storage, validation) = if on_the_fly {
            (YbbStorageMode::File, YbbValidationMode::OnAccess)
        } else {
            (YbbStorageMode::Memory, YbbValidationMode::Full)
        };
        let options = YbbBookOpenOptions::new()
            .with_storage_mode(storage)
            .with_validation_mode(validation);
        Ok(Self(YbbBook::open_with_options(path, options)?))
    }

    /// The number of positions.
    pub fn positions(&self) -> u64 {
        self.0.len()
    }

    /// Whether lookups read the file.
    pub fn is_on_the_fly(&self) -> bool {
        self.0.options().storage_mode() == YbbStorageMode::File
    }

    /// All entries for a position, whatever their move number.
    ///
    /// # Errors
    ///
    /// What is wrong with the file there.
    pub fn lookup(&self, key: &Key) -> Result<Vec<BookEntry>, BookError> {
        // A position that the format cannot hold is in no book.
        let Some(packed) = pack(key) else {
            return Ok(Vec::new());
        };
        let rows = self.0.iter_entries_by_packed_sfen(packed)?;
        rows.map(|row| Ok(entry_of(key.clone(), &row?))).collect()
    }

    /// Hands every entry to `visit`, in the order of the book.
    ///
    /// # Errors
    ///
    /// What is wrong with the file, and the errors of `visit`.
    pub fn for_each(
        &self,
        mut visit: impl FnMut(BookEntry) -> Result<(), BookError>,
    ) -> Result<(), BookError> {
        let mut position = board::Position::empty();
        for row in self.0.iter_entries() {
            let row = row?;
            position
                .set_packed_sfen(&row.packed_sfen(), false, row.ply())
                .map_err(|error| BookError::Damaged(error.to_string()))?;
            let (key, _) = Key::read(&position.to_sfen(None))
                .map_err(|error| BookError::Damaged(error.to_string()))?;
            visit(entry_of(key, &row))?;
        }
        Ok(())
    }
}

fn pack(key: &Key) -> Option<PackedSfen> {
    let position = board::position_from_sfen(&format!("{key} 1")).ok()?;
    position.try_to_packed_sfen().ok()
}

fn entry_of(key: Key, row: &YbbEntry) -> BookEntry {
    let candidate = |stored: &YbbMove| {
        Some(Candidate {
            value: stored.eval().into(),
            depth: stored.depth().unwrap_or(0).into(),
            ..Candidate::new(Move::from_raw(stored.raw_move())?)
        })
    };
    BookEntry {
        key,
        ply: Some(row.ply().into()),
        moves: row.moves().iter().filter_map(candidate).collect(),
    }
}

/// Writes a YBB book. Counts and replies are lost, the format has no place for them.
///
/// # Errors
///
/// Those of `out`; a position or number that the format cannot hold.
pub fn write_ybb(out: impl Write + Seek, entries: Vec<BookEntry>) -> Result<(), BookError> {
    let mut rows = sort_entries(entries)
        .into_iter()
        .map(|entry| {
            let packed = pack(&entry.key)
                .ok_or_else(|| BookError::Unwritable(format!("{} has no place", entry.key)))?;
            Ok((packed, entry))
        })
        .collect::<Result<Vec<_>, BookError>>()?;
    rows.sort_by(|(a, first), (b, second)| a.cmp_bytes(b).then(first.ply.cmp(&second.ply)));
    let options = YbbWriteOptions::new().with_depth(true);
    let mut writer = YbbWriter::new(out, rows.len() as u64, options)?;
    for (packed, entry) in rows {
        let moves = entry.moves.iter().map(|candidate| {
            let value = candidate.value.clamp(i16::MIN.into(), i16::MAX.into()) as i16;
            let depth = candidate.depth.min(u16::MAX.into()) as u16;
            let mv = rsshogi::types::Move::from_raw(candidate.mv.raw());
            YbbMove::new(mv, value, Some(depth))
        });
        let moves = moves.collect::<Result<_, _>>()?;
        let ply = entry.ply.unwrap_or(1).min(u16::MAX.into()) as u16;
        writer.write_entry(&YbbEntry::new(packed, ply, moves)?)?;
    }
    writer.finish()?;
    Ok(())
}

/// Reads an SBK book as a whole. The weight of a move becomes its count.
///
/// # Errors
///
/// What is wrong with the file.
pub fn read_sbk(path: &Path) -> Result<Vec<BookEntry>, BookError> {
    let book = SbkBook::open(path)?;
    let mut entries = Vec::with_capacity(book.len());
    for state in book.iter_entries() {
        let state = state?;
        let (key, _) =
            Key::read(state.sfen()).map_err(|error| BookError::Damaged(error.to_string()))?;
        let candidate = |stored: &rsshogi::book::SbkMove| {
            let mv = Move::from_raw(stored.mv().raw())?;
            Some(Candidate {
                count: stored.weight().unwrap_or(1).max(0) as u64,
                ..Candidate::new(mv)
            })
        };
        let moves: Vec<_> = state.moves().iter().filter_map(candidate).collect();
        if !moves.is_empty() {
            entries.push(BookEntry {
                key,
                ply: None,
                moves,
            });
        }
    }
    Ok(entries)
}

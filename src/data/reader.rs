//! Files of records as sequences of blocks that can be read in any order.

use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};

use rsshogi::board::Position as Packable;

use super::error::{BlockFault, Reason, RecordError};
use super::label::{Format, Label};
use super::position::RecordPosition;
use super::psv::Psv;
use super::sbinpack::{self, BYTES_PER_RECORD, HEADER, MAGIC};

/// Records in a block of PSV.
const PSV_BLOCK: usize = 4096;

/// A file of records. Holds no open file: it may be one of thousands.
#[derive(Clone, Debug)]
pub struct RecordFile {
    path: PathBuf,
    format: Format,
    blocks: Vec<Block>,
}

#[derive(Clone, Copy, Debug)]
struct Block {
    at: u64,
    bytes: usize,
}

impl RecordFile {
    /// Looks where the blocks of a file lie.
    ///
    /// # Errors
    ///
    /// [`RecordError`] if the file cannot be read or is of no known format.
    pub fn open(path: &Path) -> Result<Self, RecordError> {
        let blame = |reason| RecordError {
            path: path.to_owned(),
            reason,
        };
        let (format, blocks) = find_blocks(path).map_err(blame)?;
        Ok(Self {
            path: path.to_owned(),
            format,
            blocks,
        })
    }

    /// Where the file is.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The file's name without its folder.
    pub fn name(&self) -> String {
        let name = self.path.file_name().unwrap_or_default();
        name.to_string_lossy().into_owned()
    }

    /// Bytes of the file.
    pub fn bytes(&self) -> u64 {
        self.blocks
            .last()
            .map_or(0, |block| block.at + block.bytes as u64)
    }

    /// The number of blocks.
    pub fn blocks(&self) -> usize {
        self.blocks.len()
    }

    /// How many records a block has, at most; an estimate for sbinpack.
    pub fn records_at_most(&self, block: usize) -> usize {
        let bytes = self.blocks[block].bytes;
        match self.format {
            Format::Psv => bytes / Psv::BYTES,
            Format::Sbinpack => bytes / BYTES_PER_RECORD,
        }
    }

    /// Visits the records of a block in their order.
    ///
    /// # Errors
    ///
    /// [`RecordError`] if the file cannot be read, or at the first record that makes no sense.
    pub fn visit(
        &self,
        block: usize,
        visit: &mut dyn FnMut(RecordPosition, &Label),
    ) -> Result<(), RecordError> {
        let block = self.blocks[block];
        let damaged = |what| Reason::Block { at: block.at, what };
        let visited = self.read(block).map_err(Reason::from).and_then(|bytes| {
            match self.format {
                Format::Psv => visit_psv(&bytes, visit),
                Format::Sbinpack => sbinpack::visit_chunk(&bytes, visit),
            }
            .map_err(damaged)
        });
        visited.map_err(|reason| RecordError {
            path: self.path.clone(),
            reason,
        })
    }

    fn read(&self, block: Block) -> io::Result<Vec<u8>> {
        let mut file = File::open(&self.path)?;
        file.seek(SeekFrom::Start(block.at))?;
        let mut bytes = vec![0; block.bytes];
        file.read_exact(&mut bytes)?;
        Ok(bytes)
    }
}

fn visit_psv(
    bytes: &[u8],
    visit: &mut dyn FnMut(RecordPosition, &Label),
) -> Result<(), BlockFault> {
    let mut position = Packable::empty();
    for (index, record) in bytes.as_chunks().0.iter().enumerate() {
        let record = Psv::from_bytes(record);
        position
            .set_packed_sfen(&record.position, false, record.label.ply)
            .map_err(|error| BlockFault::Record { index, error })?;
        visit(RecordPosition(&position), &record.label);
    }
    Ok(())
}

fn find_blocks(path: &Path) -> Result<(Format, Vec<Block>), Reason> {
    let mut file = File::open(path)?;
    let length = file.metadata()?.len();
    let mut header = [0; HEADER];
    let mut at = 0;
    let mut blocks = Vec::new();
    while at < length {
        file.seek(SeekFrom::Start(at))?;
        if length - at < HEADER as u64 {
            return Err(Reason::Chunk(at));
        }
        file.read_exact(&mut header)?;
        let [m0, m1, m2, m3, l0, l1, l2, l3] = header;
        if [m0, m1, m2, m3] != MAGIC {
            return match at {
                0 => Ok((Format::Psv, psv_blocks(length)?)),
                _ => Err(Reason::Chunk(at)),
            };
        }
        let bytes = HEADER + u32::from_le_bytes([l0, l1, l2, l3]) as usize;
        if length - at < bytes as u64 {
            return Err(Reason::Chunk(at));
        }
        blocks.push(Block { at, bytes });
        at += bytes as u64;
    }
    Ok((Format::Sbinpack, blocks))
}

fn psv_blocks(length: u64) -> Result<Vec<Block>, Reason> {
    if !length.is_multiple_of(Psv::BYTES as u64) {
        return Err(Reason::Format);
    }
    let step = PSV_BLOCK * Psv::BYTES;
    let block = |at: u64| Block {
        at,
        bytes: step.min((length - at) as usize),
    };
    Ok((0..length).step_by(step).map(block).collect())
}

//! A run on disk, so that it can go on as if nothing had happened.
//!
//! A file is a mark, the length of a header, the header as JSON, and all numbers of model and optimiser.

use std::fs::{self, File};
use std::io::{self, BufReader, BufWriter, Read, Write};
use std::path::Path;

use serde::{Deserialize, Serialize};

use super::curve::Point;
use super::progress::{Cursor, Progress};
use super::settings::Settings;

/// What a checkpoint begins with; the last character is the version.
const MARK: [u8; 8] = *b"HIENTRN2";
/// The longest header that is read.
const MAX_HEADER: u32 = 64 << 20;

/// Everything but the numbers.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct Header {
    pub settings: Settings,
    /// Name and size of each file of records.
    pub files: Vec<(String, u64)>,
    pub cursor: Cursor,
    pub progress: Progress,
    /// Sum of the losses since the last point of the curve, and their number.
    pub recent: (f64, u64),
    pub curve: Vec<Point>,
}

/// Writes a checkpoint; the old one stays until the new one is whole.
pub(super) fn write(path: &Path, header: &Header, numbers: &[&[f32]]) -> io::Result<()> {
    let unfinished = path.with_extension("new");
    let mut file = BufWriter::new(File::create(&unfinished)?);
    let text = serde_json::to_vec(header).map_err(io::Error::other)?;
    file.write_all(&MARK)?;
    file.write_all(&(text.len() as u32).to_le_bytes())?;
    file.write_all(&text)?;
    for number in numbers.iter().copied().flatten() {
        file.write_all(&number.to_le_bytes())?;
    }
    file.into_inner()?.sync_all()?;
    fs::rename(unfinished, path)
}

/// A checkpoint that is being read: the header first, then the numbers.
pub(super) struct Reader(BufReader<File>);

impl Reader {
    pub fn open(path: &Path) -> io::Result<(Header, Self)> {
        let mut file = BufReader::new(File::open(path)?);
        let (mut mark, mut length) = ([0; 8], [0; 4]);
        file.read_exact(&mut mark)?;
        file.read_exact(&mut length)?;
        let length = u32::from_le_bytes(length);
        if mark != MARK || length > MAX_HEADER {
            return Err(damaged("it is no checkpoint of this version"));
        }
        let mut text = Vec::new();
        file.by_ref().take(length.into()).read_to_end(&mut text)?;
        let header = serde_json::from_slice(&text).map_err(|_| damaged("its header is damaged"))?;
        Ok((header, Self(file)))
    }

    /// Reads the numbers of all arrays, which must be all there are.
    pub fn read(mut self, arrays: &mut [&mut [f32]]) -> io::Result<()> {
        let mut bytes = [0; 4];
        for number in arrays.iter_mut().flat_map(|array| array.iter_mut()) {
            self.0.read_exact(&mut bytes)?;
            *number = f32::from_le_bytes(bytes);
        }
        match self.0.read(&mut bytes)? {
            0 => Ok(()),
            _ => Err(damaged("it is longer than its net")),
        }
    }
}

fn damaged(what: &'static str) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, what)
}

//! Checkpoints: a run on disk, so that it can be resumed. The format is safetensors, which other programs read as well:
//! the tensors are the weights and the optimizer's moments; all else is JSON in the file's metadata.

use std::borrow::Cow;
use std::collections::HashMap;
use std::fs;
use std::io;
use std::path::Path;

use safetensors::tensor::{Dtype, SafeTensors, View, serialize};
use serde::{Deserialize, Serialize};

use super::curve::Point;
use super::progress::{Cursor, Progress};
use super::settings::Settings;
use crate::data::replace_file;

/// The metadata's key for the header; the number is the version.
const HEADER: &str = "hien-checkpoint-3";

/// Everything but the tensors.
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

/// An array as a tensor of one dimension.
struct Array<'a> {
    numbers: &'a [f32],
    shape: [usize; 1],
}

impl View for Array<'_> {
    fn dtype(&self) -> Dtype {
        Dtype::F32
    }

    fn shape(&self) -> &[usize] {
        &self.shape
    }

    fn data(&self) -> Cow<'_, [u8]> {
        let numbers = self.numbers.iter();
        numbers.flat_map(|number| number.to_le_bytes()).collect()
    }

    fn data_len(&self) -> usize {
        size_of_val(self.numbers)
    }
}

/// Writes a checkpoint of named arrays; the old one stays until the new one is complete.
pub(super) fn write(path: &Path, header: &Header, arrays: &[(&str, &[f32])]) -> io::Result<()> {
    let text = serde_json::to_string(header).map_err(io::Error::other)?;
    let tensors = arrays.iter().map(|&(name, numbers)| {
        let shape = [numbers.len()];
        (name, Array { numbers, shape })
    });
    let metadata = HashMap::from([(HEADER.to_owned(), text)]);
    let bytes = serialize(tensors, Some(metadata)).map_err(io::Error::other)?;
    replace_file(path, &bytes)
}

/// A checkpoint in memory.
pub(super) struct Checkpoint {
    bytes: Vec<u8>,
    pub header: Header,
}

impl Checkpoint {
    pub fn read(path: &Path) -> io::Result<Self> {
        let bytes = fs::read(path)?;
        let (_, metadata) = SafeTensors::read_metadata(&bytes).map_err(damaged)?;
        let header = metadata.metadata().as_ref().and_then(|all| all.get(HEADER));
        let header = header.ok_or_else(|| damaged("not a checkpoint of this version"))?;
        let header = serde_json::from_str(header).map_err(damaged)?;
        Ok(Self { bytes, header })
    }

    /// Copies the named arrays.
    pub fn copy_to(&self, arrays: &mut [(&str, &mut [f32])]) -> io::Result<()> {
        let tensors = SafeTensors::deserialize(&self.bytes).map_err(damaged)?;
        for (name, array) in arrays {
            let tensor = tensors.tensor(name).map_err(damaged)?;
            let (numbers, _) = tensor.data().as_chunks();
            if tensor.dtype() != Dtype::F32 || numbers.len() != array.len() {
                return Err(damaged(format!("{name} does not fit the net")));
            }
            for (to, from) in array.iter_mut().zip(numbers) {
                *to = f32::from_le_bytes(*from);
            }
        }
        Ok(())
    }
}

fn damaged(what: impl ToString) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, what.to_string())
}

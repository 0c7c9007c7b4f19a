//! Reading a file section by section: sections are slices of the bytes that are there, never copied, and no length in
//! the file is trusted.

use super::NetError;
use super::arch::{Architecture, pad32};
use super::leb128;

/// What begins a compressed section; some trainers put an underscore before it.
pub(super) const COMPRESSED: &[u8] = b"COMPRESSED_LEB128";
/// Some trainers repeat this word to fill a file up to a multiple of 64 bytes.
const FILLER: &[u8] = b"bullet";

/// A section of 16-bit numbers.
#[derive(Clone, Copy, Debug)]
pub(super) enum Numbers<'a> {
    /// Two bytes each.
    Plain(&'a [u8]),
    /// Signed LEB128.
    Compressed(&'a [u8]),
}

impl Numbers<'_> {
    /// How many numbers there are.
    pub fn count(&self) -> usize {
        match self {
            Self::Plain(bytes) => bytes.len() / 2,
            Self::Compressed(bytes) => leb128::count(bytes),
        }
    }
}

/// One network of a file: its hash, then bias and weights of each layer.
#[derive(Clone, Copy, Debug)]
pub(super) struct NetworkBytes<'a> {
    pub hash: u32,
    pub layers: [LayerBytes<'a>; 3],
}

/// An affine layer as in the file: 32-bit biases, and rows of 8-bit weights, one row per output, padded to 32.
#[derive(Clone, Copy, Debug)]
pub(super) struct LayerBytes<'a> {
    pub inputs: usize,
    pub bias: &'a [u8],
    pub weights: &'a [u8],
}

impl LayerBytes<'_> {
    /// The biases.
    pub fn biases(&self) -> Vec<i32> {
        numbers32(self.bias).collect()
    }

    /// The weight of an input for an output.
    pub fn weight(&self, output: usize, input: usize) -> i8 {
        self.weights[output * pad32(self.inputs) + input] as i8
    }
}

/// Little-endian 32-bit numbers.
pub(super) fn numbers32(bytes: &[u8]) -> impl Iterator<Item = i32> {
    bytes
        .as_chunks()
        .0
        .iter()
        .map(|&chunk| i32::from_le_bytes(chunk))
}

/// A place in the file, and what it was looking for when the file ended.
#[derive(Clone, Copy, Debug)]
pub(super) struct Reader<'a> {
    pub bytes: &'a [u8],
    pub at: usize,
}

impl<'a> Reader<'a> {
    pub fn take(&mut self, need: usize, section: &'static str) -> Result<&'a [u8], NetError> {
        let left = &self.bytes[self.at..];
        let Some(taken) = left.get(..need) else {
            return Err(NetError::Truncated {
                section,
                at: self.at,
                need,
                left: left.len(),
            });
        };
        self.at += need;
        Ok(taken)
    }

    pub fn u32(&mut self, section: &'static str) -> Result<u32, NetError> {
        let bytes = self.take(4, section)?;
        Ok(u32::from_le_bytes(
            bytes.try_into().expect("four bytes were taken"),
        ))
    }

    pub fn rest(&self) -> &'a [u8] {
        &self.bytes[self.at..]
    }

    /// The next word, not consumed.
    pub fn peek(&self) -> Option<u32> {
        let bytes = self.rest().first_chunk()?;
        Some(u32::from_le_bytes(*bytes))
    }

    /// Skips the mark of a compressed section, if one begins here.
    pub fn compressed_mark(&mut self) -> bool {
        let rest = self.rest();
        let rest = rest.strip_prefix(b"_").unwrap_or(rest);
        match rest.strip_prefix(COMPRESSED) {
            Some(rest) => {
                self.at = self.bytes.len() - rest.len();
                true
            }
            None => false,
        }
    }

    /// A compressed section behind its mark: length and bytes.
    pub fn compressed(&mut self, section: &'static str) -> Result<Numbers<'a>, NetError> {
        let length = self.u32(section)?;
        Ok(Numbers::Compressed(self.take(length as usize, section)?))
    }
}

/// The possible lengths of filler at the end of a file: 0, and every length whose bytes read so.
pub(super) fn fillers(bytes: &[u8]) -> impl Iterator<Item = usize> {
    let is_filler = |tail: &[u8]| tail.iter().zip(FILLER.iter().cycle()).all(|(a, b)| a == b);
    (0..64)
        .filter(move |&length| length <= bytes.len() && is_filler(&bytes[bytes.len() - length..]))
}

/// Reads one network of the given architecture.
pub(super) fn network<'a>(
    reader: &mut Reader<'a>,
    arch: &Architecture,
) -> Result<NetworkBytes<'a>, NetError> {
    let hash = reader.u32("network hash")?;
    let mut layer = |(inputs, outputs): (usize, usize)| {
        Ok::<_, NetError>(LayerBytes {
            inputs,
            bias: reader.take(4 * outputs, "layer bias")?,
            weights: reader.take(outputs * pad32(inputs), "layer weights")?,
        })
    };
    let [first, second, output] = arch.layers();
    Ok(NetworkBytes {
        hash,
        layers: [layer(first)?, layer(second)?, layer(output)?],
    })
}

//! LEB128: the compressed sections of files, as Stockfish introduced them. Signed numbers, seven bits a byte, lowest
//! first, the top bit of a byte meaning that more follow. Each number fits in 16 bits and so takes at most three bytes.

use rayon::prelude::*;

/// A compressed section that does not hold what it should.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Leb128Error {
    /// Too few or too many numbers.
    #[error("it holds {found} numbers, expected {expected}")]
    Count {
        /// Numbers in the section.
        found: usize,
        /// Numbers the net's sizes demand.
        expected: usize,
    },
    /// A number that 16 bits cannot hold, or one cut off by the end.
    #[error("byte {at} is part of no 16-bit number")]
    Number {
        /// Position within the section.
        at: usize,
    },
}

/// Bytes decoded by one task.
const CHUNK: usize = 1 << 20;

/// How many numbers `bytes` hold.
pub(super) fn count(bytes: &[u8]) -> usize {
    let ends = |chunk: &[u8]| {
        chunk
            .iter()
            .map(|&byte| usize::from(byte < 0x80))
            .sum::<usize>()
    };
    bytes.par_chunks(CHUNK).map(ends).sum()
}

/// Decodes exactly `to.len()` numbers.
pub(super) fn decode(bytes: &[u8], to: &mut [i16]) -> Result<(), Leb128Error> {
    let chunks = split(bytes);
    let counts: Vec<usize> = chunks.par_iter().map(|chunk| count(chunk)).collect();
    let (found, expected) = (counts.iter().sum(), to.len());
    if found != expected {
        return Err(Leb128Error::Count { found, expected });
    }
    let (mut tasks, mut at, mut rest) = (Vec::with_capacity(chunks.len()), 0, to);
    for (chunk, count) in chunks.into_iter().zip(counts) {
        let (mine, others) = rest.split_at_mut(count);
        tasks.push((at, chunk, mine));
        (at, rest) = (at + chunk.len(), others);
    }
    tasks.into_par_iter().try_for_each(|(start, chunk, to)| {
        decode_chunk(chunk, to).map_err(|at| Leb128Error::Number { at: start + at })
    })
}

/// Cuts `bytes` where numbers end, into pieces of about [`CHUNK`].
fn split(mut bytes: &[u8]) -> Vec<&[u8]> {
    let mut chunks = Vec::with_capacity(bytes.len() / CHUNK + 1);
    while bytes.len() > CHUNK {
        // A number has at most three bytes; where it seems longer the cut is anywhere and decoding finds the error.
        let end = (CHUNK - 3..CHUNK)
            .rev()
            .find(|&last| bytes[last] < 0x80)
            .map_or(CHUNK, |last| last + 1);
        let (chunk, rest) = bytes.split_at(end);
        chunks.push(chunk);
        bytes = rest;
    }
    chunks.push(bytes);
    chunks
}

/// Decodes one chunk, which holds as many last bytes as `to` is long. The error is the position of a bad byte.
fn decode_chunk(bytes: &[u8], to: &mut [i16]) -> Result<(), usize> {
    let mut at = 0;
    for value in to {
        let first = bytes[at];
        if first < 0x80 {
            *value = i16::from((first << 1) as i8 >> 1);
            at += 1;
            continue;
        }
        let (number, length) = long_number(&bytes[at..]).ok_or(at)?;
        *value = number;
        at += length;
    }
    if at == bytes.len() { Ok(()) } else { Err(at) }
}

/// A number of two or three bytes and its length.
fn long_number(bytes: &[u8]) -> Option<(i16, usize)> {
    let (mut value, mut length) = (0i32, 0);
    loop {
        let byte = *bytes.get(length)?;
        value |= i32::from(byte & 0x7F) << (7 * length);
        length += 1;
        if byte < 0x80 {
            break;
        }
        if length == 3 {
            return None;
        }
    }
    let unused = 32 - 7 * length;
    let signed = value << unused >> unused;
    Some((signed.try_into().ok()?, length))
}

/// Appends the shortest form of each value.
pub(super) fn encode(values: impl IntoIterator<Item = i16>, to: &mut Vec<u8>) {
    for mut value in values {
        while !(-64..64).contains(&value) {
            to.push(value as u8 | 0x80);
            value >>= 7;
        }
        to.push(value as u8 & 0x7F);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_number_survives() {
        let values: Vec<i16> = (i16::MIN..=i16::MAX).collect();
        let mut bytes = Vec::new();
        encode(values.iter().copied(), &mut bytes);
        assert_eq!(count(&bytes), values.len());
        let mut back = vec![0; values.len()];
        decode(&bytes, &mut back).unwrap();
        assert_eq!(back, values);
        let mut small = Vec::new();
        encode([-64, 63, 64, -8192, 8192], &mut small);
        assert_eq!(
            small,
            [0x40, 0x3F, 0xC0, 0x00, 0x80, 0x40, 0x80, 0xC0, 0x00]
        );
    }

    #[test]
    fn chunks_join_without_a_seam() {
        let values: Vec<i16> = (0..3_000_000)
            .map(|i: i64| (i * 7919 % 20_000 - 10_000) as i16)
            .collect();
        let mut bytes = Vec::new();
        encode(values.iter().copied(), &mut bytes);
        let mut back = vec![0; values.len()];
        decode(&bytes, &mut back).unwrap();
        assert!(back == values);
    }

    #[test]
    fn bad_sections_are_errors() {
        let bad = |bytes: &[u8], count| decode(bytes, &mut vec![0; count]).unwrap_err();
        assert_eq!(
            bad(&[1, 2, 3], 2),
            Leb128Error::Count {
                found: 3,
                expected: 2
            }
        );
        assert_eq!(
            bad(&[], 1),
            Leb128Error::Count {
                found: 0,
                expected: 1
            }
        );
        assert_eq!(bad(&[1, 0x80], 1), Leb128Error::Number { at: 1 });
        assert_eq!(
            bad(&[1, 0xFF, 0xFF, 0x7F, 2, 0x80, 0x80, 0x80, 0], 4),
            Leb128Error::Number { at: 5 }
        );
        assert_eq!(bad(&[0x80, 0x80, 0x02], 1), Leb128Error::Number { at: 0 });
        decode(&vec![0x80; 3 * CHUNK], &mut []).unwrap_err();
        let mut long = vec![0x80; 2 * CHUNK];
        long.push(0);
        decode(&long, &mut [0]).unwrap_err();
    }
}

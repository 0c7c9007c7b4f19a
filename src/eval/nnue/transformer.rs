//! The feature transformer, a net's first layer: a bias and one row of weights per feature. Accumulators are sums of
//! its rows.

use crate::eval::simd::{Aligned, Kernels, Rows, WeightTable};

use crate::shogi::Position;

use super::NetError;
use super::arch::Architecture;
use super::features::{BoardChanges, Changes, View};
use super::format::Parsed;
use super::leb128;
use super::reader::Numbers;

/// Bias and weights, 16 bits each, 127 meaning 1.0 in most nets. Those of layer-stack nets are doubled when loaded, as
/// in YaneuraOu, so that their sums wrap at 16 bits in the same places.
///
/// Rows are cut into parts (one; two where halves are multiplied) and each part padded with zeros to a multiple of 64.
#[derive(Clone, Debug)]
pub struct Transformer {
    /// The bias is the base, and feature i has row i.
    table: WeightTable,
}

/// What the numbers of a file's row become in memory.
#[derive(Clone, Copy, Debug)]
struct Layout {
    /// Numbers of a row in the file.
    width: usize,
    parts: usize,
}

impl Layout {
    fn of(arch: &Architecture) -> Self {
        let width = arch.width;
        Self {
            width,
            parts: width / arch.transform().outputs(width),
        }
    }

    /// Numbers of a part in the file, and padded.
    const fn part(&self) -> (usize, usize) {
        let part = self.width / self.parts;
        (part, part.next_multiple_of(64))
    }

    const fn padded_width(&self) -> usize {
        self.parts * self.part().1
    }
}

impl Transformer {
    /// Decodes the transformer of a file.
    pub(super) fn read(parsed: &Parsed<'_>) -> Result<Self, NetError> {
        let layout = Layout::of(&parsed.arch);
        let mut rows = decode(parsed)?;
        if parsed.arch.is_stacked() {
            rows.iter_mut()
                .for_each(|value| *value = value.wrapping_mul(2));
        }
        let table = WeightTable::new(layout.padded_width(), pad(rows, layout));
        Ok(Self { table })
    }

    /// Moves the outputs of each part: `order` names for each place the output that gets there.
    pub(super) fn reorder(&mut self, order: &[usize]) {
        let parts = self.width() / order.len();
        let whole: Vec<usize> = (0..parts)
            .flat_map(|part| order.iter().map(move |from| part * order.len() + from))
            .collect();
        self.table.permute(&whole);
    }

    /// Numbers of an accumulator, padding included.
    pub fn width(&self) -> usize {
        self.table.width()
    }

    /// The accumulator of no features.
    pub fn bias(&self) -> &[i16] {
        self.table.base()
    }

    /// Computes the accumulator from all active features.
    pub fn refresh(&self, kernels: &Kernels, acc: &mut [i16], view: &View, position: &Position) {
        let mut changes = BoardChanges::default();
        view.active(position, |index| changes.add.push(index));
        self.update(kernels, acc, self.bias(), &changes);
    }

    /// Computes an accumulator from another one and the features that differ.
    #[inline]
    pub fn update<const N: usize>(
        &self,
        kernels: &Kernels,
        acc: &mut [i16],
        source: &[i16],
        changes: &Changes<N>,
    ) {
        kernels.update(acc, source, self.rows(changes));
    }

    /// Updates an accumulator in place.
    #[inline]
    pub fn apply<const N: usize>(&self, kernels: &Kernels, acc: &mut [i16], changes: &Changes<N>) {
        kernels.apply(acc, self.rows(changes));
    }

    #[inline]
    fn rows<'a, const N: usize>(&'a self, changes: &'a Changes<N>) -> Rows<'a> {
        Rows {
            table: &self.table,
            add: &changes.add,
            sub: &changes.sub,
        }
    }
}

/// Bias and weights as they are in the file.
pub(super) fn decode(parsed: &Parsed<'_>) -> Result<Aligned<i16>, NetError> {
    let mut values = Aligned::zeroed(parsed.arch.width * (1 + parsed.arch.features.inputs()));
    let mut rest = &mut values[..];
    for (index, section) in parsed.numbers.iter().enumerate() {
        let last = index + 1 == parsed.numbers.len();
        let (mine, others) = rest.split_at_mut(if last {
            rest.len()
        } else {
            section.count().min(rest.len())
        });
        match *section {
            Numbers::Plain(bytes) => {
                for (value, &bytes) in mine.iter_mut().zip(bytes.as_chunks().0) {
                    *value = i16::from_le_bytes(bytes);
                }
            }
            Numbers::Compressed(bytes) => leb128::decode(bytes, mine)?,
        }
        rest = others;
    }
    Ok(values)
}

/// Gives every row its padded length.
fn pad(values: Aligned<i16>, layout: Layout) -> Aligned<i16> {
    let (part, padded) = layout.part();
    if part == padded {
        return values;
    }
    let mut rows = Aligned::zeroed(values.len() / part * padded);
    for (to, from) in rows.chunks_exact_mut(padded).zip(values.chunks_exact(part)) {
        to[..part].copy_from_slice(from);
    }
    rows
}

/// For each input byte of the first affine layer the file's column that belongs to it, if any: the columns of both
/// perspectives follow one another, each padded to a multiple of 64 and in the given order.
pub(super) fn columns(arch: &Architecture, order: &[usize]) -> Vec<Option<usize>> {
    let (part, _) = Layout::of(arch).part();
    let side = |side: usize| {
        let real = move |&output: &usize| (output < part).then_some(side * part + output);
        order.iter().map(real)
    };
    side(0).chain(side(1)).collect()
}

/// The number of input bytes of the first affine layer, padding included.
pub(super) fn padded_inputs(arch: &Architecture) -> usize {
    2 * Layout::of(arch).part().1
}

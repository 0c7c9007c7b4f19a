//! The vector kernels, written once for all instruction sets.
//!
//! Each function is forced inline into a wrapper that is compiled for one set (see `x86` and `arm`). The methods of
//! [`super::Kernels`] have checked all lengths and row numbers before; the safety notes here rest on that.
//!
//! Two ideas are Stockfish's (16, `affine_transform_sparse_input.h`): the first affine layer visits only the blocks of
//! four input bytes that are not all zero, and accumulators are updated in tiles that stay in registers.

use super::layout::{Activation, Affine, Network, Product, Scratch, Transform};
use super::vector::Simd;
use super::{Rows, scalar};

/// `acc = source + added rows - removed rows`, wrapping. `acc` and `source` may be the same memory.
///
/// # Safety
/// As many numbers as a row has are writable at `acc` and readable at `source`, and every row number is inside the
/// table. (The width of a table is a multiple of 64.)
#[inline(always)]
pub(super) unsafe fn update<S: Simd>(s: S, acc: *mut i16, source: *const i16, rows: Rows<'_>) {
    // SAFETY: passed on from the caller.
    unsafe {
        match (rows.add, rows.sub) {
            (&[a], &[b]) => few(s, acc, source, rows, [a], [b]),
            (&[a, c], &[b, d]) => few(s, acc, source, rows, [a, c], [b, d]),
            _ => many(s, acc, source, rows),
        }
    }
}

/// One pass over the accumulator with a fixed number of rows: a move's changes.
///
/// # Safety
/// As for [`update`].
#[inline(always)]
unsafe fn few<S: Simd, const A: usize, const B: usize>(
    s: S,
    acc: *mut i16,
    source: *const i16,
    rows: Rows<'_>,
    add: [u32; A],
    sub: [u32; B],
) {
    let lanes = S::BYTES / 2;
    let (add, sub) = (
        add.map(|index| rows.table.start(index)),
        sub.map(|index| rows.table.start(index)),
    );
    for at in (0..rows.table.width()).step_by(lanes) {
        // SAFETY: the width is a multiple of the lanes, so each access ends within its row.
        unsafe {
            let mut value = s.load(source.add(at));
            for row in add {
                value = s.add16(value, s.load(row.add(at)));
            }
            for row in sub {
                value = s.sub16(value, s.load(row.add(at)));
            }
            s.store(acc.add(at), value);
        }
    }
}

/// Any number of rows: the accumulator is cut into tiles that stay in registers while the rows go by.
///
/// # Safety
/// As for [`update`].
#[inline(always)]
unsafe fn many<S: Simd>(s: S, acc: *mut i16, source: *const i16, rows: Rows<'_>) {
    let lanes = S::BYTES / 2;
    let mut at = 0;
    // SAFETY: each tile ends within the width, which is a multiple of two registers.
    unsafe {
        while at + 8 * lanes <= rows.table.width() {
            tile::<S, 8>(s, acc.add(at), source.add(at), rows, at);
            at += 8 * lanes;
        }
        while at < rows.table.width() {
            tile::<S, 2>(s, acc.add(at), source.add(at), rows, at);
            at += 2 * lanes;
        }
    }
}

/// `T` registers of the accumulator, `at` numbers from its start.
///
/// # Safety
/// As for [`update`], and the tile ends within the width.
#[inline(always)]
unsafe fn tile<S: Simd, const T: usize>(
    s: S,
    acc: *mut i16,
    source: *const i16,
    rows: Rows<'_>,
    at: usize,
) {
    let lanes = S::BYTES / 2;
    let mut values = [s.zero(); T];
    // SAFETY: the caller's promise.
    unsafe {
        for (i, value) in values.iter_mut().enumerate() {
            *value = s.load(source.add(i * lanes));
        }
        for &index in rows.add {
            let row = rows.table.start(index).add(at);
            for (i, value) in values.iter_mut().enumerate() {
                *value = s.add16(*value, s.load(row.add(i * lanes)));
            }
        }
        for &index in rows.sub {
            let row = rows.table.start(index).add(at);
            for (i, value) in values.iter_mut().enumerate() {
                *value = s.sub16(*value, s.load(row.add(i * lanes)));
            }
        }
        for (i, &value) in values.iter().enumerate() {
            s.store(acc.add(i * lanes), value);
        }
    }
}

/// One side's accumulator as input bytes. `acc` holds a multiple of 64 numbers for each byte-producing part.
#[inline(always)]
pub(super) fn transform<S: Simd>(s: S, kind: Transform, acc: &[i16], to: &mut [u8]) {
    let half = acc.len() / 2;
    match kind {
        Transform::Clip => clip_all(s, acc, to),
        Transform::Square(product) => multiply_all(s, product, acc, acc, to),
        Transform::Pair(product) => multiply_all(s, product, &acc[..half], &acc[half..], to),
    }
}

#[inline(always)]
fn clip_all<S: Simd>(s: S, acc: &[i16], to: &mut [u8]) {
    let lanes = S::BYTES / 2;
    assert!(acc.len() == to.len() && acc.len().is_multiple_of(64));
    let (from, to) = (acc.as_ptr(), to.as_mut_ptr());
    for at in (0..acc.len()).step_by(2 * lanes) {
        // SAFETY: the length is a multiple of two registers of 16-bit numbers.
        unsafe {
            let packed = s.pack16(s.load(from.add(at)), s.load(from.add(at + lanes)));
            s.store(to.add(at), s.max8(packed, s.zero()));
        }
    }
}

#[inline(always)]
fn multiply_all<S: Simd>(s: S, product: Product, a: &[i16], b: &[i16], to: &mut [u8]) {
    let lanes = S::BYTES / 2;
    assert!(a.len() == to.len() && b.len() == to.len() && to.len().is_multiple_of(64));
    let limit = s.splat16(product.limit());
    let (a, b, bytes) = (a.as_ptr(), b.as_ptr(), to.as_mut_ptr());
    for at in (0..to.len()).step_by(2 * lanes) {
        // SAFETY: the lengths are equal and a multiple of two registers of 16-bit numbers.
        unsafe {
            let first = multiply(s, product, limit, s.load(a.add(at)), s.load(b.add(at)));
            let second = multiply(
                s,
                product,
                limit,
                s.load(a.add(at + lanes)),
                s.load(b.add(at + lanes)),
            );
            s.store(bytes.add(at), s.max8(s.pack16(first, second), s.zero()));
        }
    }
}

/// The shifted product of two clamped values, or something negative where `b` is negative. The shift is done by taking
/// the upper half of a product of values that were shifted left before, as far as 16 bits allow.
#[inline(always)]
fn multiply<S: Simd>(s: S, product: Product, limit: S::Reg, a: S::Reg, b: S::Reg) -> S::Reg {
    let a = s.max16(s.min16(a, limit), s.zero());
    let b = s.min16(b, limit);
    match product {
        Product::Limit127 => s.mulhi16(s.shl16::<8>(a), s.shl16::<1>(s.max16(b, s.zero()))),
        Product::Limit254 | Product::Limit255 => s.mulhi16(s.shl16::<7>(a), b),
    }
}

/// All layers behind the accumulators.
#[inline(always)]
pub(super) fn run<S: Simd>(s: S, network: &Network, input: &[u8], scratch: &mut Scratch) -> i32 {
    assert!(scratch.fits(network) && input.len() == network.inputs());
    let [first, second] = &network.layers;
    let count = list_blocks(s, input, &mut scratch.blocks);
    let blocks = &scratch.blocks[..count];
    // SAFETY: the list names blocks of the input, which is as long as the layer expects; the sums have room.
    unsafe {
        let sums = scratch.sums.as_mut_ptr();
        layer(
            s,
            first,
            input.as_ptr(),
            count,
            |i| usize::from(*blocks.get_unchecked(i)),
            sums,
        );
    }
    let shortcut = network.shortcut.map_or(0, |sum| scratch.sums[sum]);
    activate(s, network.activations[0], first.outputs(), scratch);
    // SAFETY: the bytes hold what the activation made, which is the second layer's input; the sums have room.
    unsafe {
        let sums = scratch.sums.as_mut_ptr();
        layer(
            s,
            second,
            scratch.bytes.as_ptr(),
            second.inputs() / 4,
            |i| i,
            sums,
        );
    }
    activate(s, network.activations[1], second.outputs(), scratch);
    let output = dot(s, &scratch.bytes, &network.output_weights);
    network
        .output_bias
        .wrapping_add(output)
        .wrapping_add(shortcut)
}

/// Lists the blocks of four input bytes that are not all zero; returns their number.
#[inline(always)]
fn list_blocks<S: Simd>(s: S, input: &[u8], list: &mut [u16]) -> usize {
    assert!(input.len().is_multiple_of(64) && list.len() >= input.len() / 4 + 16);
    let mut count = 0;
    for at in (0..input.len()).step_by(64) {
        // SAFETY: 64 bytes are left, and the list, at most full up to here, has room for 16 more.
        unsafe {
            let to = list.as_mut_ptr().add(count);
            count += s.nonzero_blocks(input.as_ptr().add(at), (at / 4) as u16, to);
        }
    }
    count
}

/// An affine layer over `count` blocks of its input, `block(i)` being the number of the i-th.
///
/// # Safety
/// `block` gives numbers below `affine.inputs() / 4` for all `i < count`, `input` has that many blocks, and `sums` has
/// room for the outputs.
#[inline(always)]
unsafe fn layer<S: Simd>(
    s: S,
    affine: &Affine,
    input: *const u8,
    count: usize,
    block: impl Fn(usize) -> usize + Copy,
    sums: *mut i32,
) {
    // SAFETY: passed on from the caller; the outputs are a multiple of the lanes in both branches.
    unsafe {
        if affine.outputs().is_multiple_of(S::BYTES / 4) {
            groups(s, affine, input, count, block, sums);
        } else {
            groups(s.narrow(), affine, input, count, block, sums);
        }
    }
}

/// The outputs in groups of as many registers as there are, at most four.
///
/// # Safety
/// As for [`layer`], and the outputs are a multiple of the lanes.
#[inline(always)]
unsafe fn groups<S: Simd>(
    s: S,
    affine: &Affine,
    input: *const u8,
    count: usize,
    block: impl Fn(usize) -> usize + Copy,
    sums: *mut i32,
) {
    let mut from = 0;
    // SAFETY: passed on; each group ends within the outputs.
    unsafe {
        loop {
            let left = (affine.outputs() - from) / (S::BYTES / 4);
            from += match left {
                0 => return,
                1 => group::<S, 1, 4>(s, affine, input, count, block, sums, from),
                2 => group::<S, 2, 2>(s, affine, input, count, block, sums, from),
                3 => group::<S, 3, 1>(s, affine, input, count, block, sums, from),
                _ => group::<S, 4, 1>(s, affine, input, count, block, sums, from),
            };
        }
    }
}

/// Adds the products of the block `number` of inputs and its weights. No closure: a closure that is not inlined is
/// compiled without the CPU's features, and slow for it.
///
/// # Safety
/// As for [`group`]; `weights` are those of the first block for the outputs in question.
#[inline(always)]
unsafe fn add_block<S: Simd, const N: usize>(
    s: S,
    chain: &mut [S::Reg; N],
    input: *const u8,
    number: usize,
    weights: *const i8,
    stride: usize,
) {
    // SAFETY: the caller's promise.
    unsafe {
        let bytes = s.splat32(input.add(4 * number).cast::<i32>().read_unaligned());
        let row = weights.add(number * stride);
        for (n, sum) in chain.iter_mut().enumerate() {
            *sum = s.dot(*sum, bytes, s.load(row.add(n * S::BYTES)));
        }
    }
}

/// `N` registers of outputs starting with output `from`. `C` blocks at a time have sums of their own, so that one
/// addition need not wait for the other. Returns the number of outputs done.
///
/// # Safety
/// As for [`groups`], and the outputs `from..` fill `N` registers.
#[inline(always)]
unsafe fn group<S: Simd, const N: usize, const C: usize>(
    s: S,
    affine: &Affine,
    input: *const u8,
    count: usize,
    block: impl Fn(usize) -> usize + Copy,
    sums: *mut i32,
    from: usize,
) -> usize {
    let lanes = S::BYTES / 4;
    let (stride, weights) = (4 * affine.outputs(), affine.weights().as_ptr());
    let mut chains = [[s.zero(); N]; C];
    // SAFETY: the caller's promise; a block of weights has `stride` bytes.
    unsafe {
        let mut i = 0;
        while i + C <= count {
            for (c, chain) in chains.iter_mut().enumerate() {
                add_block(s, chain, input, block(i + c), weights.add(4 * from), stride);
            }
            i += C;
        }
        while i < count {
            add_block(
                s,
                &mut chains[0],
                input,
                block(i),
                weights.add(4 * from),
                stride,
            );
            i += 1;
        }
        for n in 0..N {
            let mut sum = s.load(affine.bias().as_ptr().add(from + n * lanes));
            for chain in &chains {
                sum = s.add32(sum, chain[n]);
            }
            s.store(sums.add(from + n * lanes), sum);
        }
    }
    N * lanes
}

/// Turns `outputs` sums into the bytes of the next layer.
#[inline(always)]
fn activate<S: Simd>(s: S, kind: Activation, outputs: usize, scratch: &mut Scratch) {
    let (sums, bytes) = (&scratch.sums[..], &mut scratch.bytes[..]);
    assert!(sums.len() >= outputs.next_multiple_of(64));
    assert!(bytes.len() >= outputs + outputs.next_multiple_of(64));
    let (from, to) = (sums.as_ptr(), bytes.as_mut_ptr());
    match kind {
        Activation::Square => scalar::activate(kind, &sums[..outputs], bytes),
        Activation::Clip => {
            for at in (0..outputs).step_by(S::BYTES) {
                // SAFETY: at most 64 sums and bytes from a position below `outputs`, which is a multiple of 8: there
                // is room for the next multiple of 64.
                unsafe { s.store(to.add(at), clip(s, from.add(at))) }
            }
        }
        Activation::SquareAndClip => {
            for at in (0..outputs).step_by(S::BYTES) {
                // SAFETY: as above. The squares may overrun their part; the clipped values come later.
                unsafe { s.store(to.add(at), square(s, from.add(at))) }
            }
            for at in (0..outputs).step_by(S::BYTES) {
                // SAFETY: as above, behind the squares.
                unsafe { s.store(to.add(outputs + at), clip(s, from.add(at))) }
            }
        }
    }
}

/// Two registers with the 16-bit saturated values of as many sums as a register has bytes. Saturation changes nothing:
/// both activations are at their limits there.
///
/// # Safety
/// `BYTES` numbers are readable at `from`.
#[inline(always)]
unsafe fn narrow_sums<S: Simd>(s: S, from: *const i32) -> [S::Reg; 2] {
    let lanes = S::BYTES / 4;
    // SAFETY: the caller's promise.
    unsafe {
        [
            s.pack32(s.load(from), s.load(from.add(lanes))),
            s.pack32(s.load(from.add(2 * lanes)), s.load(from.add(3 * lanes))),
        ]
    }
}

/// `clamp(y >> 6, 0, 127)` of as many sums as a register has bytes.
///
/// # Safety
/// As for [`narrow_sums`].
#[inline(always)]
unsafe fn clip<S: Simd>(s: S, from: *const i32) -> S::Reg {
    // SAFETY: passed on from the caller.
    let [a, b] = unsafe { narrow_sums(s, from) };
    s.max8(s.pack16(s.shr16::<6>(a), s.shr16::<6>(b)), s.zero())
}

/// `min(127, y * y >> 19)` of as many sums as a register has bytes.
///
/// # Safety
/// As for [`narrow_sums`].
#[inline(always)]
unsafe fn square<S: Simd>(s: S, from: *const i32) -> S::Reg {
    // SAFETY: passed on from the caller.
    let [a, b] = unsafe { narrow_sums(s, from) };
    s.pack16(s.shr16::<3>(s.mulhi16(a, a)), s.shr16::<3>(s.mulhi16(b, b)))
}

/// The output: sum of products over the length of the weights, a multiple of 64.
#[inline(always)]
fn dot<S: Simd>(s: S, bytes: &[u8], weights: &[i8]) -> i32 {
    assert!(bytes.len() >= weights.len() && weights.len().is_multiple_of(64));
    let mut sum = s.zero();
    for at in (0..weights.len()).step_by(S::BYTES) {
        // SAFETY: the length is a multiple of the register's.
        sum = unsafe {
            s.dot(
                sum,
                s.load(bytes.as_ptr().add(at)),
                s.load(weights.as_ptr().add(at)),
            )
        };
    }
    s.sum32(sum)
}

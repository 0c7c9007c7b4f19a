//! The plain kernels: the definition every other path is tested against, and the path of unknown CPUs.

use super::layout::{Activation, Affine, Network, Product, Scratch, Transform};
use super::{CpuPath, Kernels, Rows};

/// The portable kernels.
pub(super) static KERNELS: Kernels = Kernels {
    path: CpuPath::Scalar,
    update,
    apply,
    transform,
    network: run,
};

fn update(acc: &mut [i16], source: &[i16], rows: Rows<'_>) {
    acc.copy_from_slice(source);
    apply(acc, rows);
}

fn apply(acc: &mut [i16], rows: Rows<'_>) {
    for &index in rows.add {
        for (a, r) in acc.iter_mut().zip(rows.table.row(index)) {
            *a = a.wrapping_add(*r);
        }
    }
    for &index in rows.sub {
        for (a, r) in acc.iter_mut().zip(rows.table.row(index)) {
            *a = a.wrapping_sub(*r);
        }
    }
}

fn transform(kind: Transform, acc: &[i16], to: &mut [u8]) {
    match kind {
        Transform::Clip => {
            for (byte, &a) in to.iter_mut().zip(acc) {
                *byte = a.clamp(0, 127) as u8;
            }
        }
        Transform::Square(product) => {
            for (byte, &a) in to.iter_mut().zip(acc) {
                *byte = multiply(product, a, a);
            }
        }
        Transform::Pair(product) => {
            let (low, high) = acc.split_at(acc.len() / 2);
            for ((byte, &a), &b) in to.iter_mut().zip(low).zip(high) {
                *byte = multiply(product, a, b);
            }
        }
    }
}

fn multiply(product: Product, a: i16, b: i16) -> u8 {
    let clamp = |value: i16| u32::from(value.clamp(0, product.limit()) as u16);
    ((clamp(a) * clamp(b)) >> product.shift()) as u8
}

fn run(network: &Network, input: &[u8], scratch: &mut Scratch) -> i32 {
    let [first, second] = &network.layers;
    affine(first, input, &mut scratch.sums);
    let shortcut = network.shortcut.map_or(0, |sum| scratch.sums[sum]);
    activate(
        network.activations[0],
        &scratch.sums[..first.outputs()],
        &mut scratch.bytes,
    );
    affine(second, &scratch.bytes, &mut scratch.sums);
    activate(
        network.activations[1],
        &scratch.sums[..second.outputs()],
        &mut scratch.bytes,
    );
    let products = scratch.bytes.iter().zip(network.output_weights.iter());
    let output = products
        .map(|(&byte, &weight)| i32::from(byte) * i32::from(weight))
        .sum::<i32>();
    network
        .output_bias
        .wrapping_add(output)
        .wrapping_add(shortcut)
}

fn affine(layer: &Affine, input: &[u8], sums: &mut [i32]) {
    let outputs = layer.outputs();
    let sums = &mut sums[..outputs];
    sums.copy_from_slice(layer.bias());
    for (block, weights) in input
        .chunks_exact(4)
        .zip(layer.weights().chunks_exact(4 * outputs))
    {
        if block == [0; 4] {
            continue;
        }
        for (sum, weights) in sums.iter_mut().zip(weights.chunks_exact(4)) {
            let products = block
                .iter()
                .zip(weights)
                .map(|(&x, &w)| i32::from(x) * i32::from(w));
            *sum = sum.wrapping_add(products.sum());
        }
    }
}

/// Turns sums into the bytes of the next layer, at the start of `to`.
pub(super) fn activate(kind: Activation, sums: &[i32], to: &mut [u8]) {
    let clip = |sum: i32| (sum >> 6).clamp(0, 127) as u8;
    match kind {
        Activation::Clip => {
            for (byte, &sum) in to.iter_mut().zip(sums) {
                *byte = clip(sum);
            }
        }
        Activation::Square => {
            for (byte, &sum) in to.iter_mut().zip(sums) {
                let c = u16::from(clip(sum));
                *byte = (c * c / 127) as u8;
            }
        }
        Activation::SquareAndClip => {
            let (squares, clipped) = to.split_at_mut(sums.len());
            for ((square, byte), &sum) in squares.iter_mut().zip(clipped).zip(sums) {
                let y = i64::from(sum);
                *square = ((y * y) >> 19).min(127) as u8;
                *byte = clip(sum);
            }
        }
    }
}

//! The affine layers behind the transformer: from the order of weights in files to that of the kernels.

use crate::eval::simd::{Activation, Affine, Network};

use super::arch::{Architecture, Family};
use super::reader::{LayerBytes, NetworkBytes, numbers32};
use super::transformer::columns;

/// Builds one network; `order` is that of the transformer's outputs. Columns and rows beyond a layer's real sizes are
/// zero, whatever the file has there.
pub(super) fn build(arch: &Architecture, bytes: &NetworkBytes<'_>, order: &[usize]) -> Network {
    let [first, second, output] = &bytes.layers;
    let layers = [first_layer(arch, first, order), second_layer(arch, second)];
    let output_bias = numbers32(output.bias).next().unwrap_or(0);
    let output_weights: Vec<i8> = (0..output.inputs)
        .map(|input| output.weight(0, input))
        .collect();
    let shortcut = arch.has_shortcut().then_some(arch.hidden[0]);
    Network::new(
        layers,
        arch.activations(),
        (output_bias, &output_weights),
        shortcut,
    )
}

fn first_layer(arch: &Architecture, layer: &LayerBytes<'_>, order: &[usize]) -> Affine {
    let columns = columns(arch, order);
    let biases = layer.biases();
    let shards = match arch.family {
        Family::Stacks(stacks) => stacks.shards,
        Family::Classic(_) => None,
    };
    let uses = |output: usize, column: usize| {
        shards.is_none_or(|shards| shards.uses(output, biases.len(), column))
    };
    Affine::new(columns.len(), &biases, |output, input| {
        match columns[input] {
            Some(column) if uses(output, column) => layer.weight(output, column),
            _ => 0,
        }
    })
}

/// The second layer reads the activations of all padded sums of the first; where these come twice (squares, then
/// clipped values) the file has the real ones of both halves side by side.
fn second_layer(arch: &Architecture, layer: &LayerBytes<'_>) -> Affine {
    let real = arch.hidden[0];
    let sums = arch.layers()[0].1.next_multiple_of(8);
    let halves = match arch.activations()[0] {
        Activation::SquareAndClip => 2,
        Activation::Clip | Activation::Square => 1,
    };
    Affine::new(halves * sums, &layer.biases(), |output, input| {
        let (half, sum) = (input / sums, input % sums);
        if sum < real {
            layer.weight(output, half * real + sum)
        } else {
            0
        }
    })
}

//! Weights and biases of nets, read from files and written to files as YaneuraOu reads them.

use super::NetError;
use super::arch::{Architecture, Family, FirstActivation, Stacks, VERSION, pad32};
use super::buckets::StackRule;
use super::format::Parsed;
use super::transformer;

/// All numbers of a net, rows without the padding of files.
#[derive(Clone, Debug)]
pub struct NetNumbers {
    /// The transformer's biases, 127 meaning 1.0.
    pub bias: Vec<i16>,
    /// A row of weights per feature.
    pub weights: Vec<i16>,
    /// The layers behind the transformer: one network, or one for each layer stack.
    pub networks: Vec<[LayerNumbers; 3]>,
}

/// The numbers of an affine layer.
#[derive(Clone, Debug)]
pub struct LayerNumbers {
    /// One per output.
    pub bias: Vec<i32>,
    /// A row of weights per output.
    pub weights: Vec<i8>,
}

/// Reads all numbers of a net's file.
///
/// # Errors
///
/// If the bytes are no net, or do not say how its layer stacks are chosen.
pub fn read_numbers(bytes: &[u8]) -> Result<(Architecture, NetNumbers), NetError> {
    let parsed = Parsed::read(bytes, None)?;
    let values = transformer::decode(&parsed)?;
    let (bias, weights) = values.split_at(parsed.arch.width);
    let layers = parsed.networks.iter().map(|network| {
        network.layers.map(|layer| {
            let bias = layer.biases();
            let places = (0..bias.len())
                .flat_map(|output| (0..layer.inputs).map(move |input| (output, input)));
            LayerNumbers {
                weights: places
                    .map(|(output, input)| layer.weight(output, input))
                    .collect(),
                bias,
            }
        })
    });
    let numbers = NetNumbers {
        bias: bias.to_vec(),
        weights: weights.to_vec(),
        networks: layers.collect(),
    };
    Ok((parsed.arch, numbers))
}

/// The file of a net. Its description says `fv_scale` and, if there are several, how a layer stack is chosen.
///
/// # Panics
///
/// If the architecture needs other numbers, or has what cannot be written: activations other than the usual ones,
/// shards, a choice by progress.
pub fn write_numbers(arch: &Architecture, numbers: &NetNumbers, fv_scale: u32) -> Vec<u8> {
    let is_usual = match arch.family {
        Family::Classic(activation) => activation == FirstActivation::Clip,
        Family::Stacks(stacks) => stacks.shards.is_none() && stacks.rule.progress.is_none(),
    };
    assert!(is_usual, "the architecture can be written");
    assert_eq!(
        numbers.networks.len(),
        arch.networks(),
        "one network per stack"
    );
    assert_eq!(numbers.bias.len(), arch.width, "one bias per output");
    assert_eq!(
        numbers.weights.len(),
        arch.width * arch.features.inputs(),
        "a row per feature"
    );
    let description = describe(arch, fv_scale);
    let networks = numbers.networks.len() * arch.network_bytes();
    let mut bytes = Vec::with_capacity(1024 + arch.transformer_bytes() + networks);
    let word = |bytes: &mut Vec<u8>, word: u32| bytes.extend(word.to_le_bytes());
    word(&mut bytes, VERSION);
    word(&mut bytes, arch.file_hash());
    word(&mut bytes, description.len() as u32);
    bytes.extend(description.as_bytes());
    word(&mut bytes, arch.transformer_hash());
    let transformer = numbers.bias.iter().chain(&numbers.weights);
    bytes.extend(transformer.flat_map(|number| number.to_le_bytes()));
    for layers in &numbers.networks {
        word(&mut bytes, arch.network_hash());
        for (layer, (inputs, outputs)) in layers.iter().zip(arch.layers()) {
            assert_eq!(layer.bias.len(), outputs, "one bias per output");
            assert_eq!(layer.weights.len(), inputs * outputs, "a row per output");
            bytes.extend(layer.bias.iter().flat_map(|number| number.to_le_bytes()));
            for row in layer.weights.chunks(inputs) {
                bytes.extend(row.iter().map(|&weight| weight as u8));
                bytes.resize(bytes.len() + pad32(inputs) - inputs, 0);
            }
        }
    }
    bytes
}

/// The description of a net, in the words of the trainers of such nets.
fn describe(arch: &Architecture, fv_scale: u32) -> String {
    let features = describe_features(arch);
    match arch.family {
        Family::Classic(_) => {
            let (width, [first, second]) = (arch.width, arch.hidden);
            format!(
                "{features},Network=AffineTransform[1<-{second}](ClippedReLU[{second}](\
                 AffineTransform[{second}<-{first}](ClippedReLU[{first}](AffineTransform[{first}<-{inputs}](\
                 InputSlice[{inputs}(0:{inputs})]))))),fv_scale={fv_scale}",
                inputs = 2 * width,
            )
        }
        Family::Stacks(stacks) => format!(
            "{features},Network={}{{LayerStack={}}},fv_scale={fv_scale}",
            stacked_name(arch, stacks),
            stacks.rule.stacks()
        ),
    }
}

fn describe_features(arch: &Architecture) -> String {
    let friend = if arch.features.is_king_relative() {
        "(Friend)"
    } else {
        ""
    };
    format!(
        "Features={}{friend}[{}->{}x2]",
        arch.features.name(),
        arch.features.inputs(),
        arch.width
    )
}

/// A name such as `SFNN_HALFKA_HM2_1536_15_32_K3K3`.
fn stacked_name(arch: &Architecture, stacks: Stacks) -> String {
    let (name, [first, second]) = (arch.features.name(), arch.hidden);
    let mut text = format!("SFNN_{name}_{}_{first}_{second}", arch.width);
    if stacks.rule != StackRule::default() {
        text += &format!("_{}", stacks.rule);
    }
    text.to_uppercase()
}

//! The numbers of classic nets, out of files and into files as YaneuraOu reads them.

use super::NetError;
use super::arch::{Architecture, VERSION, pad32};
use super::format::Parsed;
use super::transformer;

/// The numbers of a classic net, in the units of files: 127 is 1.0 of the transformer, 64 is 1.0 of hidden weights.
#[derive(Clone, Debug)]
pub struct ClassicNumbers {
    /// One per output of the transformer.
    pub bias: Vec<i16>,
    /// One row per feature.
    pub weights: Vec<i16>,
    /// The three affine layers.
    pub layers: [LayerNumbers; 3],
}

/// The numbers of an affine layer.
#[derive(Clone, Debug)]
pub struct LayerNumbers {
    /// One per output.
    pub bias: Vec<i32>,
    /// One row per output, without padding.
    pub weights: Vec<i8>,
}

/// Takes a file apart; `None` for nets with layer stacks.
///
/// # Errors
///
/// If it is no net.
pub fn read_classic(bytes: &[u8]) -> Result<Option<(Architecture, ClassicNumbers)>, NetError> {
    let parsed = Parsed::read(bytes, None)?;
    if parsed.arch.is_stacked() {
        return Ok(None);
    }
    let values = transformer::decode(&parsed)?;
    let (bias, weights) = values.split_at(parsed.arch.width);
    let layers = parsed.networks[0].layers.map(|layer| {
        let bias = layer.biases();
        let places =
            (0..bias.len()).flat_map(|output| (0..layer.inputs).map(move |input| (output, input)));
        LayerNumbers {
            weights: places
                .map(|(output, input)| layer.weight(output, input))
                .collect(),
            bias,
        }
    });
    let numbers = ClassicNumbers {
        bias: bias.to_vec(),
        weights: weights.to_vec(),
        layers,
    };
    Ok(Some((parsed.arch, numbers)))
}

/// The bytes of a net's file. `fv_scale` units of the output make one eval unit; the description says so.
///
/// # Panics
///
/// If the architecture has layer stacks, or the numbers do not fit it.
pub fn write_classic(arch: &Architecture, numbers: &ClassicNumbers, fv_scale: u32) -> Vec<u8> {
    assert!(!arch.is_stacked(), "the net is classic");
    assert_eq!(numbers.bias.len(), arch.width, "one bias per output");
    assert_eq!(
        numbers.weights.len(),
        arch.width * arch.features.inputs(),
        "a row per feature"
    );
    let description = describe(arch, fv_scale);
    let mut bytes = Vec::with_capacity(1024 + arch.transformer_bytes() + arch.network_bytes());
    let word = |bytes: &mut Vec<u8>, word: u32| bytes.extend(word.to_le_bytes());
    word(&mut bytes, VERSION);
    word(&mut bytes, arch.file_hash());
    word(&mut bytes, description.len() as u32);
    bytes.extend(description.as_bytes());
    word(&mut bytes, arch.transformer_hash());
    let transformer = numbers.bias.iter().chain(&numbers.weights);
    bytes.extend(transformer.flat_map(|number| number.to_le_bytes()));
    word(&mut bytes, arch.network_hash());
    for (layer, (inputs, outputs)) in numbers.layers.iter().zip(arch.layers()) {
        assert_eq!(layer.bias.len(), outputs, "one bias per output");
        assert_eq!(layer.weights.len(), inputs * outputs, "a row per output");
        bytes.extend(layer.bias.iter().flat_map(|number| number.to_le_bytes()));
        for row in layer.weights.chunks(inputs) {
            bytes.extend(row.iter().map(|&weight| weight as u8));
            bytes.resize(bytes.len() + pad32(inputs) - inputs, 0);
        }
    }
    bytes
}

/// The description in the words of YaneuraOu, with the scale behind it.
fn describe(arch: &Architecture, fv_scale: u32) -> String {
    let (width, [first, second]) = (arch.width, arch.hidden);
    let friend = if arch.features.is_king_relative() {
        "(Friend)"
    } else {
        ""
    };
    format!(
        "Features={}{friend}[{}->{width}x2],Network=AffineTransform[1<-{second}](ClippedReLU[{second}](\
         AffineTransform[{second}<-{first}](ClippedReLU[{first}](AffineTransform[{first}<-{inputs}](\
         InputSlice[{inputs}(0:{inputs})]))))),fv_scale={fv_scale}",
        arch.features.name(),
        arch.features.inputs(),
        inputs = 2 * width,
    )
}

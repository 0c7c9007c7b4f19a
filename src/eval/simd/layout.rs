//! Weights in the order in which the kernels read them. Blocks of four inputs (see [`Affine`]) are the layout of
//! Stockfish's sparse first layer.

use rayon::prelude::*;

use super::aligned::Aligned;

/// Rows of 16-bit weights, numbered from 0, and one more row, the base, to which sums of them are added.
#[derive(Clone, Debug)]
pub struct WeightTable {
    width: usize,
    rows: usize,
    /// The base, then the rows.
    values: Aligned<i16>,
}

impl WeightTable {
    /// From the base and the rows one after another, `width` numbers each.
    ///
    /// # Panics
    /// Unless the width is a multiple of 64 and `values` has whole rows, two at least.
    pub fn new(width: usize, values: Aligned<i16>) -> Self {
        assert!(width.is_multiple_of(64) && width > 0, "rows fill registers");
        assert!(
            values.len().is_multiple_of(width) && values.len() > width,
            "rows are whole"
        );
        Self {
            width,
            rows: values.len() / width - 1,
            values,
        }
    }

    /// Numbers in a row.
    #[inline]
    pub const fn width(&self) -> usize {
        self.width
    }

    /// The number of rows without the base.
    #[inline]
    pub const fn rows(&self) -> usize {
        self.rows
    }

    /// The base row.
    #[inline]
    pub fn base(&self) -> &[i16] {
        &self.values[..self.width]
    }

    /// Moves the numbers within every row, the base included: place `i` gets the number that was at `order[i]`.
    ///
    /// # Panics
    /// Unless `order` has a place of the row for each of its places.
    pub fn permute(&mut self, order: &[usize]) {
        assert_eq!(order.len(), self.width);
        assert!(
            order.iter().all(|&from| from < self.width),
            "order stays within rows"
        );
        self.values.par_chunks_exact_mut(self.width).for_each_init(
            || vec![0; order.len()],
            |old, row| {
                old.copy_from_slice(row);
                for (to, &from) in row.iter_mut().zip(order) {
                    *to = old[from];
                }
            },
        );
    }

    /// A row.
    pub(super) fn row(&self, row: u32) -> &[i16] {
        &self.values[(row as usize + 1) * self.width..][..self.width]
    }

    /// Where a row begins; the caller made sure that it exists.
    #[inline(always)]
    pub(super) fn start(&self, row: u32) -> *const i16 {
        self.values
            .as_ptr()
            .wrapping_add((row as usize + 1) * self.width)
    }
}

/// The activation of the feature transformer: how one side's accumulator becomes input bytes of the first affine layer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Transform {
    /// Clipped ReLU, `clamp(a, 0, 127)`: one byte per value.
    Clip,
    /// Squared clipped ReLU, `c * c >> shift` with `c = clamp(a, 0, limit)`: one byte per value.
    Square(Product),
    /// Pairwise multiplication, `c[j] * c[j + half] >> shift` with `c = clamp(a, 0, limit)`: one byte per pair.
    Pair(Product),
}

/// Range and scale of a product of two clamped accumulator values; the result is at most 127.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Product {
    /// Values up to 127, product shifted by 7.
    Limit127,
    /// Values up to 254, product shifted by 9. The values are doubled ones of the scale 127.
    Limit254,
    /// Values up to 255, product shifted by 9.
    Limit255,
}

impl Product {
    /// The upper bound of the clamp.
    pub const fn limit(self) -> i16 {
        match self {
            Self::Limit127 => 127,
            Self::Limit254 => 254,
            Self::Limit255 => 255,
        }
    }

    /// How far the product is shifted right.
    pub const fn shift(self) -> u32 {
        match self {
            Self::Limit127 => 7,
            Self::Limit254 | Self::Limit255 => 9,
        }
    }
}

impl Transform {
    /// Bytes made of an accumulator of `width` values.
    pub const fn outputs(self, width: usize) -> usize {
        match self {
            Self::Clip | Self::Square(_) => width,
            Self::Pair(_) => width / 2,
        }
    }
}

/// The activation of a hidden layer, whose sums have the scale 127 * 64.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Activation {
    /// Clipped ReLU: `c = clamp(y >> 6, 0, 127)`.
    Clip,
    /// Squared clipped ReLU: `c * c / 127`.
    Square,
    /// `min(127, y * y >> 19)` of all sums, then the clipped values of all sums: twice as many bytes as sums.
    SquareAndClip,
}

impl Activation {
    /// Bytes made of `sums` sums.
    pub const fn outputs(self, sums: usize) -> usize {
        match self {
            Self::Clip | Self::Square => sums,
            Self::SquareAndClip => 2 * sums,
        }
    }
}

/// An affine layer: 8-bit weights in blocks of four inputs, `weights[(input / 4 * outputs + output) * 4 + input % 4]`,
/// so that four input bytes repeated over a register meet the weights of consecutive outputs.
///
/// Both sizes are padded with zeros: inputs to a multiple of 4, outputs to a multiple of 8.
#[derive(Clone, Debug)]
pub struct Affine {
    inputs: usize,
    outputs: usize,
    bias: Aligned<i32>,
    weights: Aligned<i8>,
}

impl Affine {
    /// Builds the layer from its sizes and a function `(output, input) -> weight`; `bias` gives the outputs.
    pub fn new(inputs: usize, bias: &[i32], weight: impl Fn(usize, usize) -> i8) -> Self {
        let (real_outputs, padded) = (bias.len(), inputs.next_multiple_of(4));
        let outputs = real_outputs.next_multiple_of(8);
        let mut layer = Self {
            inputs: padded,
            outputs,
            bias: Aligned::zeroed(outputs),
            weights: Aligned::zeroed(padded * outputs),
        };
        layer.bias[..real_outputs].copy_from_slice(bias);
        for output in 0..real_outputs {
            for input in 0..inputs {
                let at = layer.slot(output, input);
                layer.weights[at] = weight(output, input);
            }
        }
        layer
    }

    /// Padded number of inputs, a multiple of 4.
    #[inline]
    pub const fn inputs(&self) -> usize {
        self.inputs
    }

    /// Padded number of outputs, a multiple of 8.
    #[inline]
    pub const fn outputs(&self) -> usize {
        self.outputs
    }

    /// `outputs` numbers.
    #[inline]
    pub fn bias(&self) -> &[i32] {
        &self.bias
    }

    /// `inputs * outputs` numbers in blocks of four inputs.
    #[inline]
    pub fn weights(&self) -> &[i8] {
        &self.weights
    }

    /// Where the weight of an input for an output lies.
    #[inline]
    pub const fn slot(&self, output: usize, input: usize) -> usize {
        (input / 4 * self.outputs + output) * 4 + input % 4
    }
}

/// The layers behind the accumulators: two hidden ones and a single output.
#[derive(Clone, Debug)]
pub struct Network {
    pub(super) layers: [Affine; 2],
    pub(super) activations: [Activation; 2],
    pub(super) output_bias: i32,
    /// One weight per byte of the second hidden layer, padded to a multiple of 64.
    pub(super) output_weights: Aligned<i8>,
    /// The sum of the first layer that is added to the output.
    pub(super) shortcut: Option<usize>,
}

impl Network {
    /// Joins the layers. `output` is the last layer's bias and weights; `shortcut` names a sum of the first layer that
    /// is added to the result.
    ///
    /// # Panics
    /// If the sizes do not fit together: the first layer reads a multiple of 64 bytes, the second layer what the first
    /// one's activation makes of its padded outputs, and the second activation makes one byte per sum.
    pub fn new(
        layers: [Affine; 2],
        activations: [Activation; 2],
        output: (i32, &[i8]),
        shortcut: Option<usize>,
    ) -> Self {
        let [first, second] = &layers;
        assert!(
            first.inputs.is_multiple_of(64),
            "the first layer scans 64 bytes at a time"
        );
        assert!(
            first.inputs / 4 <= usize::from(u16::MAX),
            "blocks are counted in 16 bits"
        );
        assert_eq!(
            second.inputs,
            activations[0].outputs(first.outputs),
            "layers fit"
        );
        assert_ne!(
            activations[1],
            Activation::SquareAndClip,
            "one byte per sum"
        );
        assert!(output.1.len() <= second.outputs, "output layer fits");
        assert!(
            shortcut.is_none_or(|sum| sum < first.outputs),
            "shortcut is a sum"
        );
        let mut output_weights = Aligned::zeroed(second.outputs.next_multiple_of(64));
        output_weights[..output.1.len()].copy_from_slice(output.1);
        Self {
            layers,
            activations,
            output_bias: output.0,
            output_weights,
            shortcut,
        }
    }

    /// Bytes the first layer reads.
    #[inline]
    pub fn inputs(&self) -> usize {
        self.layers[0].inputs
    }

    /// The larger padded number of outputs of the hidden layers.
    fn widest(&self) -> usize {
        self.layers[0].outputs.max(self.layers[1].outputs)
    }
}

/// Buffers for the values between the layers; one per thread.
#[derive(Clone, Debug)]
pub struct Scratch {
    /// Most outputs of a hidden layer, and bytes of input, that fit.
    outputs: usize,
    inputs: usize,
    pub(super) sums: Aligned<i32>,
    pub(super) bytes: Aligned<u8>,
    pub(super) blocks: Aligned<u16>,
}

impl Scratch {
    /// Buffers large enough for each of the given networks.
    pub fn new<'a>(networks: impl IntoIterator<Item = &'a Network>) -> Self {
        let (mut outputs, mut inputs) = (0, 0);
        for network in networks {
            outputs = outputs.max(network.widest());
            inputs = inputs.max(network.inputs());
        }
        // Vectors of 64 bytes may overrun the last output.
        let rounded = outputs.next_multiple_of(64);
        Self {
            outputs,
            inputs,
            sums: Aligned::zeroed(rounded),
            bytes: Aligned::zeroed(outputs + rounded),
            blocks: Aligned::zeroed(inputs / 4 + 16),
        }
    }

    /// Whether `network` can use this room.
    #[inline]
    pub(super) fn fits(&self, network: &Network) -> bool {
        network.widest() <= self.outputs && network.inputs() <= self.inputs
    }
}

//! An architecture as data: what a net computes, and the sizes and hashes that follow from it.

use std::fmt;

use crate::eval::simd::{Activation, Product, Transform};

use super::buckets::StackRule;
use super::features::FeatureSet;

/// The version word of classic and SFNN files.
pub(super) const VERSION: u32 = 0x7AF3_2F16;
/// The version word of layer-stack files of other trainers; the second kind states the number of stacks.
pub(super) const VERSION_STACKS: [u32; 2] = [0x7AF3_2F20, 0x7AF3_2F21];
/// The hash before the transformer of an SFNN file, whatever its shape.
pub(super) const SFNN_TRANSFORMER_HASH: u32 = 0x5F13_4AB8;
/// The hash before each layer stack.
pub(super) const SFNN_NETWORK_HASH: u32 = 0x6333_718A;
/// The hash before a progress section.
pub(super) const PROGRESS_HASH: u32 = 0x6F50_524F;
/// The hash of an SFNN file, without the progress section's.
const SFNN_FILE_HASH: u32 = 0x3C20_3B32;

/// What a net computes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Architecture {
    /// The inputs of the first layer.
    pub features: FeatureSet,
    /// Outputs of the first layer (the feature transformer) per perspective.
    pub width: usize,
    /// Outputs of the hidden layers (L1 and L2).
    pub hidden: [usize; 2],
    /// The activations, and whether there are layer stacks.
    pub family: Family,
}

/// The two families of nets.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Family {
    /// A single network behind the transformer, as in the first NNUE nets.
    Classic(FirstActivation),
    /// SFNN: several small networks (layer stacks), one of which is chosen by position; the halves of each accumulator
    /// are multiplied (pairwise multiplication).
    Stacks(Stacks),
}

/// What a classic net does with the accumulators, and in its hidden layers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum FirstActivation {
    /// Clipped ReLU throughout: values clamped to 0..=127.
    #[default]
    Clip,
    /// Squared clipped ReLU (SCReLU) throughout: the squares of clamped values.
    Square(Product),
    /// Pairwise multiplication of the two halves of each accumulator, then clipped ReLU.
    Pair(Product),
}

/// The layer stacks of an SFNN net.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Stacks {
    /// How a position chooses its stack; the net has as many stacks as this rule.
    pub rule: StackRule,
    /// Which inputs each output of the first affine layer uses, if not all.
    pub shards: Option<Shards>,
    /// Whether the file carries weights for the progress of the game.
    pub progress: bool,
}

/// A block-sparse first affine layer: each output uses the common inputs and those of one shard only.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shards {
    /// Inputs that all outputs use, at the start.
    pub common: usize,
    /// Inputs of one shard.
    pub width: usize,
    /// Number of shards.
    pub count: usize,
}

impl Shards {
    /// Whether output number `output` of `outputs` uses input number `input`.
    pub const fn uses(&self, output: usize, outputs: usize, input: usize) -> bool {
        let from = self.common + output / (outputs / self.count) * self.width;
        input < self.common || (from <= input && input < from + self.width)
    }

    /// Whether the shards divide a layer of these sizes.
    pub const fn fit(&self, inputs: usize, outputs: usize) -> bool {
        let Some(shards) = self.width.checked_mul(self.count) else {
            return false;
        };
        self.count > 0
            && outputs.is_multiple_of(self.count)
            && inputs == self.common.saturating_add(shards)
    }
}

/// `n` rounded up to a multiple of 32: the length of a row of weights in files.
pub(super) const fn pad32(n: usize) -> usize {
    n.next_multiple_of(32)
}

impl Architecture {
    /// Whether the net chooses among layer stacks.
    pub const fn is_stacked(&self) -> bool {
        matches!(self.family, Family::Stacks(_))
    }

    /// The number of networks behind the transformer: one, or one for each stack.
    pub fn networks(&self) -> usize {
        match self.family {
            Family::Classic(_) => 1,
            Family::Stacks(stacks) => stacks.rule.stacks(),
        }
    }

    /// Whether the first hidden layer has one more output, which is added to the result (a skip connection).
    pub const fn has_shortcut(&self) -> bool {
        self.is_stacked() && self.hidden[0] % 8 == 7
    }

    /// How the accumulators become the input of the first affine layer.
    pub const fn transform(&self) -> Transform {
        match self.family {
            Family::Classic(FirstActivation::Clip) => Transform::Clip,
            Family::Classic(FirstActivation::Square(product)) => Transform::Square(product),
            Family::Classic(FirstActivation::Pair(product)) => Transform::Pair(product),
            Family::Stacks(_) => Transform::Pair(Product::Limit254),
        }
    }

    /// The activations of the hidden layers.
    pub const fn activations(&self) -> [Activation; 2] {
        match self.family {
            Family::Classic(FirstActivation::Square(_)) => [Activation::Square; 2],
            Family::Classic(_) => [Activation::Clip; 2],
            Family::Stacks(_) => [Activation::SquareAndClip, Activation::Clip],
        }
    }

    /// Inputs and outputs of the three affine layers, as in files.
    pub const fn layers(&self) -> [(usize, usize); 3] {
        let [first, second] = self.hidden;
        let inputs = 2 * self.transform().outputs(self.width);
        let outputs = first + self.has_shortcut() as usize;
        let middle = if self.is_stacked() { 2 * first } else { first };
        [(inputs, outputs), (middle, second), (second, 1)]
    }

    /// Bytes of one network in a file, its hash included.
    pub const fn network_bytes(&self) -> usize {
        let (mut bytes, layers, mut i) = (4, self.layers(), 0);
        while i < layers.len() {
            let (inputs, outputs) = layers[i];
            bytes += outputs * (4 + pad32(inputs));
            i += 1;
        }
        bytes
    }

    /// Bytes of the transformer without compression, its hash included.
    pub const fn transformer_bytes(&self) -> usize {
        4 + 2 * self.width * (1 + self.features.inputs())
    }

    /// The hash YaneuraOu writes before the transformer.
    pub const fn transformer_hash(&self) -> u32 {
        match self.family {
            Family::Classic(_) => self.features.hash() ^ (2 * self.width) as u32,
            Family::Stacks(_) => SFNN_TRANSFORMER_HASH,
        }
    }

    /// The hash YaneuraOu writes before the network.
    pub const fn network_hash(&self) -> u32 {
        const fn affine(previous: u32, outputs: usize) -> u32 {
            0xCC03_DAE4_u32.wrapping_add(outputs as u32) ^ (previous >> 1) ^ (previous << 31)
        }
        const fn clipped(previous: u32) -> u32 {
            0x538D_24C7_u32.wrapping_add(previous)
        }
        match self.family {
            Family::Classic(_) => {
                let input = 0xEC42_E90D ^ (2 * self.width) as u32;
                let first = clipped(affine(input, self.hidden[0]));
                affine(clipped(affine(first, self.hidden[1])), 1)
            }
            Family::Stacks(_) => SFNN_NETWORK_HASH,
        }
    }

    /// The hash YaneuraOu writes at the start of the file.
    pub const fn file_hash(&self) -> u32 {
        match self.family {
            Family::Classic(_) => self.transformer_hash() ^ self.network_hash(),
            Family::Stacks(stacks) if stacks.progress => SFNN_FILE_HASH ^ PROGRESS_HASH,
            Family::Stacks(_) => SFNN_FILE_HASH,
        }
    }
}

impl fmt::Display for Architecture {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (name, width, [first, second]) = (self.features.name(), self.width, self.hidden);
        match self.family {
            Family::Classic(activation) => {
                write!(f, "{name} {width}x2-{first}-{second}")?;
                match activation {
                    FirstActivation::Clip => Ok(()),
                    FirstActivation::Square(product) => write!(f, " SCReLU {}", product.limit()),
                    FirstActivation::Pair(product) => write!(f, " pairwise {}", product.limit()),
                }
            }
            Family::Stacks(stacks) => {
                write!(f, "SFNN {name} {width}-{first}-{second}")?;
                if let Some(Shards {
                    common,
                    width,
                    count,
                }) = stacks.shards
                {
                    write!(f, " c{common}_s{width}x{count}")?;
                }
                let count = stacks.rule.stacks();
                let plural = if count == 1 { "" } else { "s" };
                write!(f, " {} ({count} stack{plural})", stacks.rule)
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn classic(features: FeatureSet, width: usize, hidden: [usize; 2]) -> Architecture {
        Architecture {
            features,
            width,
            hidden,
            family: Family::Classic(FirstActivation::Clip),
        }
    }

    /// Sizes and hashes of YaneuraOu's files.
    #[test]
    fn sizes_and_hashes_are_those_of_the_files() {
        use FeatureSet::*;
        let sizes = [
            (Kp, 256, [32, 32], 893_740),
            (HalfKp, 128, [32, 32], 32_109_100),
            (HalfKp, 256, [32, 32], 64_216_876),
            (HalfKp, 512, [8, 64], 128_408_940),
            (HalfKp, 512, [8, 96], 128_410_124),
            (HalfKp, 512, [16, 32], 128_415_980),
            (HalfKp, 768, [16, 64], 192_624_524),
            (HalfKp, 1024, [8, 32], 256_814_284),
            (HalfKp, 1024, [8, 64], 256_815_468),
            (HalfKpVm, 256, [32, 32], 35_684_140),
            (HalfKpE9, 256, [32, 32], 577_806_124),
            (HalfKaHm2, 256, [32, 32], 37_550_380),
            (HalfKa2, 256, [32, 32], 67_576_108),
            (HalfKa1, 256, [32, 32], 70_935_340),
        ];
        for (features, width, hidden, bytes) in sizes {
            let arch = classic(features, width, hidden);
            assert_eq!(
                arch.transformer_bytes() + arch.network_bytes(),
                bytes,
                "{arch}"
            );
        }
        let hashes = [
            (Kp, 256, [32, 32], [0x3F57_15FF, 0x6333_7156, 0x5C64_64A9]),
            (
                HalfKp,
                256,
                [32, 32],
                [0x5D69_D7B8, 0x6333_7156, 0x3E5A_A6EE],
            ),
            (
                HalfKp,
                512,
                [16, 32],
                [0x5D69_D1B8, 0x6333_76CA, 0x3E5A_A772],
            ),
            (
                HalfKp,
                1024,
                [8, 32],
                [0x5D69_DDB8, 0x6333_6A54, 0x3E5A_B7EC],
            ),
            (
                HalfKaHm2,
                256,
                [32, 32],
                [0x7F23_4EB8, 0x6333_7156, 0x1C10_3FEE],
            ),
        ];
        for (features, width, hidden, expected) in hashes {
            let arch = classic(features, width, hidden);
            assert_eq!(
                [
                    arch.transformer_hash(),
                    arch.network_hash(),
                    arch.file_hash()
                ],
                expected,
                "{arch}"
            );
        }
    }

    #[test]
    fn layer_stacks_have_their_own_sizes() {
        let stacks = Stacks {
            rule: StackRule::K3K3,
            shards: None,
            progress: false,
        };
        let family = Family::Stacks(stacks);
        let arch = Architecture {
            features: FeatureSet::HalfKaHm2,
            width: 1536,
            hidden: [15, 32],
            family,
        };
        assert_eq!(arch.network_bytes(), 25_832);
        assert_eq!(
            arch.to_string(),
            "SFNN HalfKA_hm2 1536-15-32 k3k3 (9 stacks)"
        );
    }

    #[test]
    fn shards_cover_their_columns() {
        let shards = Shards {
            common: 128,
            width: 64,
            count: 8,
        };
        assert!(shards.fit(640, 8) && !shards.fit(641, 8) && !shards.fit(640, 12));
        for output in 0..8 {
            let used: Vec<usize> = (128..640)
                .filter(|&input| shards.uses(output, 8, input))
                .collect();
            assert_eq!((used[0], used.len()), (128 + 64 * output, 64));
            assert!((0..128).all(|input| shards.uses(output, 8, input)));
        }
    }
}

//! Detecting an architecture by the file's size: descriptions may be wrong, sizes are not.

use super::NetError;
use super::arch::{Architecture, Family, PROGRESS_HASH, SFNN_NETWORK_HASH, Stacks, pad32};
use super::buckets::{GameProgress, StackRule};
use super::description::Claims;
use super::features::FeatureSet;
use super::reader::{Reader, fillers, network};

/// Widths of transformers that are tried.
const WIDTHS: [usize; 18] = [
    32, 64, 96, 128, 192, 256, 320, 384, 448, 512, 640, 768, 896, 1024, 1280, 1536, 1792, 2048,
];
/// Outputs of hidden layers that are tried.
const FIRST_HIDDEN: [usize; 5] = [8, 16, 24, 32, 64];
const SECOND_HIDDEN: [usize; 5] = [32, 64, 16, 96, 128];
/// First hidden layers of layer stacks that are tried. One less than a multiple of 8 stands for the usual kind with a
/// shortcut, which has the same size as the multiple of 8 without.
const STACK_HIDDEN: [usize; 5] = [15, 7, 31, 23, 63];
/// The largest usual bias: 64 times a full input.
const MAX_BIAS: u32 = 64 * 127 * 64;
/// The largest width that a transformer hash is believed to state.
const MAX_WIDTH: usize = 8192;
/// The largest hidden layers considered when the network hash must confirm them.
const MAX_HIDDEN: usize = 512;

/// The classic architecture of a file whose transformer begins at the reader, or `None` if no shape has its size.
/// Where several fit, hashes decide, then the description.
pub(super) fn classic(
    reader: &Reader<'_>,
    transformer_hash: u32,
    claims: &Claims,
) -> Option<Architecture> {
    let bytes = 4 + reader.rest().len();
    let candidates = Candidates {
        reader,
        transformer_hash,
        claims,
        sizes: fillers(reader.rest())
            .map(|filler| bytes - filler)
            .collect(),
    };
    candidates
        .best(&usual_shapes(claims))
        .or_else(|| candidates.best_confirmed())
}

fn is_usual_bias(bias: &i32) -> bool {
    bias.unsigned_abs() <= MAX_BIAS
}

/// The hidden layers to try first: the usual ones and the claimed ones.
fn usual_shapes(claims: &Claims) -> Vec<[usize; 2]> {
    let usual = FIRST_HIDDEN
        .into_iter()
        .flat_map(|first| SECOND_HIDDEN.map(|second| [first, second]));
    usual.chain(claims.hidden).collect()
}

/// What is known about a file of unknown shape.
struct Candidates<'a> {
    reader: &'a Reader<'a>,
    transformer_hash: u32,
    claims: &'a Claims,
    /// Bytes of transformer and network, hashes included: one for each length of filler.
    sizes: Vec<usize>,
}

impl Candidates<'_> {
    /// The most plausible architecture with one of the hidden shapes.
    fn best(&self, shapes: &[[usize; 2]]) -> Option<Architecture> {
        let transformers = self.transformers();
        let all = transformers.iter().flat_map(|&arch| {
            shapes
                .iter()
                .map(move |&hidden| Architecture { hidden, ..arch })
        });
        let fitting = all.filter(|arch| self.fits(arch) && self.is_believable(arch));
        // Among equals the first: the usual shapes are listed by how common they are.
        fitting.rev().max_by_key(|arch| self.plausibility(arch))
    }

    /// An architecture of any size whose network hash is right.
    fn best_confirmed(&self) -> Option<Architecture> {
        let transformers = self.transformers();
        let firsts = transformers
            .iter()
            .flat_map(|&arch| (1..=MAX_HIDDEN).map(move |first| (arch, first)));
        let mut all = firsts.flat_map(|(arch, first)| {
            self.sizes
                .iter()
                .flat_map(move |&size| with_size(arch, first, size))
        });
        all.find(|arch| self.fits(arch) && self.network_hash_is_right(arch))
    }

    /// Feature sets and widths to try, without hidden layers: the usual widths, the claimed one, and those that the
    /// transformer hash implies.
    fn transformers(&self) -> Vec<Architecture> {
        let mut list = Vec::new();
        for features in FeatureSet::ALL {
            let implied = (self.transformer_hash ^ features.hash()) as usize / 2;
            let mut widths = WIDTHS.to_vec();
            widths.extend(self.claims.width.into_iter().chain([implied]));
            widths.retain(|width| (WIDTHS[0]..=MAX_WIDTH).contains(width));
            widths.sort_unstable();
            widths.dedup();
            let family = Family::Classic(self.claims.activation);
            list.extend(widths.into_iter().map(|width| Architecture {
                features,
                width,
                hidden: [0; 2],
                family,
            }));
        }
        list
    }

    fn fits(&self, arch: &Architecture) -> bool {
        let sizes = arch
            .hidden
            .iter()
            .all(|size| (1..=MAX_HIDDEN).contains(size));
        sizes
            && self
                .sizes
                .contains(&(arch.transformer_bytes() + arch.network_bytes()))
    }

    fn network_hash_is_right(&self, arch: &Architecture) -> bool {
        let at = self.reader.at + arch.transformer_bytes() - 4;
        Reader { at, ..*self.reader }.peek() == Some(arch.network_hash())
    }

    /// Whether something besides the size speaks for an architecture: a hash, the description, or biases as networks
    /// have them. A file that was cut short may by chance have the size of another shape.
    fn is_believable(&self, arch: &Architecture) -> bool {
        let at = self.reader.at + arch.transformer_bytes() - 4;
        let biases_are_small = || {
            let network = network(&mut Reader { at, ..*self.reader }, arch);
            network.is_ok_and(|network| {
                network
                    .layers
                    .iter()
                    .all(|layer| layer.biases().iter().all(is_usual_bias))
            })
        };
        self.plausibility(arch) > 0 || biases_are_small()
    }

    fn plausibility(&self, arch: &Architecture) -> u32 {
        let named = self.claims.features == Some(arch.features)
            && self.claims.width == Some(arch.width)
            && self.claims.hidden == Some(arch.hidden);
        2 * u32::from(arch.transformer_hash() == self.transformer_hash)
            + 2 * u32::from(self.network_hash_is_right(arch))
            + u32::from(named)
    }
}

/// The architectures, at most two, with this first hidden layer whose transformer and network have the given size.
fn with_size(arch: Architecture, first: usize, size: usize) -> impl Iterator<Item = Architecture> {
    let without = Architecture {
        hidden: [first, 0],
        ..arch
    };
    let left = size.saturating_sub(without.transformer_bytes() + without.network_bytes());
    // A second hidden output costs its bias, its row, and a byte of the output layer's row, which is padded by less
    // than two of these costs.
    let most = left / (5 + pad32(first));
    (most.saturating_sub(1)..=most).map(move |second| Architecture {
        hidden: [first, second],
        ..arch
    })
}

/// Width and features of a layer-stack file whose transformer is not compressed and begins at the reader: those that
/// leave room for stacks, each with the right hash.
pub(super) fn plain_stacked(reader: &Reader<'_>, claims: &Claims) -> Option<(usize, FeatureSet)> {
    let widths = claims
        .width
        .into_iter()
        .chain(WIDTHS.into_iter().rev())
        .filter(|width| width.is_multiple_of(2));
    let shapes = widths.flat_map(|width| FeatureSet::ALL.map(|features| (width, features)));
    shapes.into_iter().find(|&(width, features)| {
        let Some(at) = width
            .checked_mul(2 * (1 + features.inputs()))
            .and_then(|bytes| bytes.checked_add(reader.at))
        else {
            return false;
        };
        let mut at = Reader {
            at: at.min(reader.bytes.len()),
            ..*reader
        };
        if at.peek() == Some(PROGRESS_HASH) {
            at.at = (at.at + 4 * (2 + GameProgress::WEIGHTS)).min(at.bytes.len());
        }
        let stacks = Stacks {
            rule: StackRule::default(),
            shards: None,
            progress: false,
        };
        let mut arch = Architecture {
            features,
            width,
            hidden: [0; 2],
            family: Family::Stacks(stacks),
        };
        at.peek() == Some(SFNN_NETWORK_HASH) && stacks_at(&at, &mut arch, claims).is_some()
    })
}

/// Finds the hidden layers of the stacks that fill the rest of the file, and sets them in `arch`. Returns the number
/// of stacks.
pub(super) fn stacks(
    reader: &Reader<'_>,
    arch: &mut Architecture,
    claims: &Claims,
) -> Result<usize, NetError> {
    stacks_at(reader, arch, claims).ok_or_else(|| NetError::Stacks {
        bytes: reader.rest().len(),
        width: arch.width,
    })
}

fn stacks_at(reader: &Reader<'_>, arch: &mut Architecture, claims: &Claims) -> Option<usize> {
    let (rest, first) = (reader.rest(), reader.peek()?);
    let usual = SECOND_HIDDEN
        .into_iter()
        .flat_map(|second| STACK_HIDDEN.map(|first| [first, second]));
    let expected = claims.rule.map(|rule| rule.stacks()).or(claims.stacks);
    let mut found: Option<([usize; 2], usize)> = None;
    for hidden in claims.hidden.into_iter().chain(usual) {
        if !is_stack_shape(hidden) {
            continue;
        }
        let bytes = Architecture { hidden, ..*arch }.network_bytes();
        for filler in fillers(rest) {
            let length = rest.len() - filler;
            let count = length / bytes;
            let mut words = rest[..length]
                .chunks(bytes)
                .map(|stack| stack.first_chunk().copied().map(u32::from_le_bytes));
            let whole =
                count > 0 && length.is_multiple_of(bytes) && words.all(|word| word == Some(first));
            // Equal words are no proof when they are not the hash: then the number of stacks must be as expected.
            let believed = first == SFNN_NETWORK_HASH || expected.unwrap_or(9) == count;
            let better =
                found.is_none_or(|(_, other)| expected == Some(count) && expected != Some(other));
            if whole && believed && better {
                found = Some((hidden, count));
            }
        }
    }
    let (hidden, count) = found?;
    arch.hidden = hidden;
    Some(count)
}

/// The first hidden layer has 8n outputs, or 8n - 1 and the shortcut; both have the sizes that kernels like.
fn is_stack_shape([first, second]: [usize; 2]) -> bool {
    (7..=MAX_HIDDEN).contains(&first)
        && matches!(first % 8, 0 | 7)
        && (8..=MAX_HIDDEN).contains(&second)
}

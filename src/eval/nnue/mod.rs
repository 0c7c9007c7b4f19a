//! NNUE: evaluation by an efficiently updatable neural network (Nasu 2018), read from an `nn.bin` file.
//!
//! | file | about |
//! | --- | --- |
//! | `file` | [`NetFile`]: a net on disk and the files beside it |
//! | `format`, `reader`, `leb128` | the sections of a file |
//! | `description`, `detect`, `arch` | [`Architecture`]: what a net computes, found by description, size and hashes |
//! | `features` | which weight rows a position activates, and which a move changes |
//! | `transformer`, `neuron_order` | the first layer (feature transformer) |
//! | `accumulator` | its sums along a line of play, with a refresh cache (Finny tables) |
//! | `layers`, `buckets` | the small networks behind it, and how one of them is chosen (layer stacks) |
//! | `scale` | FV_SCALE: raw output per eval unit |
//! | `numbers`, `convert` | nets as numbers, for training; rewriting files |
//!
//! [`Net`] is immutable and shared; [`NnueState`] is what one thread needs. The arithmetic is in [`super::simd`].
//! Nothing here knows of options, or where files lie.
//!
//! Values equal those of YaneuraOu 9.70, whose file format this is; the tests compare them bit for bit.

mod accumulator;
pub mod arch;
pub mod buckets;
mod description;
mod neuron_order;

pub mod convert;
mod detect;
pub mod features;
mod file;
mod format;
mod layers;
mod leb128;
pub mod numbers;
mod reader;
mod scale;
mod transformer;

use crate::eval::simd::{Aligned, Kernels, Network, Scratch};
use crate::shogi::{Color, Position, Square};

use accumulator::Accumulators;
pub use arch::Architecture;
use arch::Family;
pub use buckets::{GameProgress, ParseStackRuleError, StackRule};
pub use file::{FileError, NetFile, read_bytes};
use format::Parsed;
pub use leb128::Leb128Error;
use reader::{Numbers, numbers32};
pub use scale::{ScaleSource, scale_in_options};
pub use transformer::Transformer;

/// Why a file is no usable net.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NetError {
    /// The file ends too early.
    #[error("the file is cut short: {section} at byte {at} takes {need} bytes, {left} are left")]
    Truncated {
        /// What was being read.
        section: &'static str,
        /// Where it begins.
        at: usize,
        /// Bytes it takes.
        need: usize,
        /// Bytes the file still has.
        left: usize,
    },
    /// Not a net, or of another kind.
    #[error("this is no NNUE file: it begins with {version:08X}, expected 7AF32F16")]
    Version {
        /// The first word.
        version: u32,
    },
    /// A header that makes no sense.
    #[error("the header is damaged: it announces a description of {length} bytes")]
    Description {
        /// The announced length.
        length: usize,
    },
    /// No architecture has this size.
    #[error(
        "no known architecture has {bytes} bytes (damaged, cut short, or with something added?){claim}"
    )]
    Shape {
        /// Bytes of the file.
        bytes: usize,
        /// What the description claims, as part of the message.
        claim: String,
    },
    /// The transformer's numbers fit no feature set.
    #[error(
        "the transformer's {numbers} numbers fit no known kind of input{}",
        .width.map_or(String::new(), |width| format!(" with {width} outputs"))
    )]
    Transformer {
        /// Numbers of bias and weights together.
        numbers: usize,
        /// Outputs, if known.
        width: Option<usize>,
    },
    /// A damaged compressed section.
    #[error("a compressed section is damaged: {0}")]
    Compressed(#[from] Leb128Error),
    /// The networks fit no size.
    #[error(
        "the {bytes} bytes behind a transformer of {width} outputs are no whole number of known layer stacks"
    )]
    Stacks {
        /// Bytes behind the transformer.
        bytes: usize,
        /// The transformer's outputs.
        width: usize,
    },
    /// The stacks do not fit the rule.
    #[error("the file has {stacks} layer stacks, but the rule {rule} needs {}", .rule.stacks())]
    Rule {
        /// The rule, from the file or the user.
        rule: StackRule,
        /// Stacks in the file.
        stacks: usize,
    },
    /// Neither the file nor the user says how to choose a stack.
    #[error(
        "the file has {stacks} layer stacks and does not say how one is chosen; set the layer-stack rule"
    )]
    NoRule {
        /// Stacks in the file.
        stacks: usize,
    },
    /// The rule needs the game's progress.
    #[error(
        "the rule {rule} needs progress weights, which the file does not have; put progress.bin beside it"
    )]
    NoProgress {
        /// The rule.
        rule: StackRule,
    },
    /// Shards that do not divide the first layer.
    #[error("{shards:?} do not divide a layer of {inputs} inputs and {outputs} outputs")]
    Shards {
        /// As claimed.
        shards: arch::Shards,
        /// Inputs of the layer.
        inputs: usize,
        /// Outputs of the layer.
        outputs: usize,
    },
    /// An architecture this program does not know.
    #[error("the description announces '{token}', which is not supported")]
    Unsupported {
        /// The part of the description.
        token: String,
    },
    /// Bytes behind the last section.
    #[error("{bytes} bytes follow the last section, which ends at byte {at}")]
    Surplus {
        /// How many.
        bytes: usize,
        /// Where they begin.
        at: usize,
    },
}

/// What the user may say about a net's file.
#[derive(Clone, Debug, Default)]
pub struct Hints {
    /// How a layer stack is chosen, if the file does not say it or says it wrongly.
    pub rule: Option<StackRule>,
    /// Progress weights for a rule that needs them and a file that lacks them.
    pub progress: Option<GameProgress>,
}

/// What was found in a net's file, for reports.
#[derive(Clone, Debug)]
pub struct NetInfo {
    /// Size in bytes.
    pub bytes: usize,
    /// The first word.
    pub version: u32,
    /// The description, often wrong.
    pub description: String,
    /// The hash of the file and the one that YaneuraOu would write.
    pub file_hash: [u32; 2],
    /// The same for the transformer.
    pub transformer_hash: [u32; 2],
    /// The same for the first network.
    pub network_hash: [u32; 2],
    /// Whether the transformer is compressed.
    pub compressed: bool,
    /// Filler bytes at the end.
    pub padding: usize,
    /// Layer stacks in the file, 1 for classic nets.
    pub stacks: usize,
    /// Raw output per eval unit, and where the number comes from.
    pub scale: (u32, ScaleSource),
}

impl NetInfo {
    /// Whether all hashes are those YaneuraOu would write.
    pub fn hashes_agree(&self) -> bool {
        let pairs = [self.file_hash, self.transformer_hash, self.network_hash];
        pairs.iter().all(|[found, expected]| found == expected)
    }
}

/// YaneuraOu's limit of evaluations: one below its lowest mate score (32000 less its 246 plies).
const MAX_VALUE: i32 = 31_753;

/// Raw output in eval units: divided by FV_SCALE, rounding towards zero, and clamped.
#[inline]
pub const fn scaled(raw: i32, fv_scale: u32) -> i32 {
    let value = raw / fv_scale as i32;
    if value > MAX_VALUE {
        MAX_VALUE
    } else if value < -MAX_VALUE {
        -MAX_VALUE
    } else {
        value
    }
}

/// A net in memory: immutable, shared by all threads.
#[derive(Clone, Debug)]
pub struct Net {
    arch: Architecture,
    info: NetInfo,
    transformer: Transformer,
    networks: Vec<Network>,
    progress: Option<GameProgress>,
}

impl Net {
    /// Reads a net from a file's contents.
    ///
    /// # Errors
    /// [`NetError`] tells what is wrong with the file. Memory in use is then at most a small multiple of its size.
    pub fn from_bytes(bytes: &[u8], hints: &Hints) -> Result<Self, NetError> {
        let parsed = Parsed::read(bytes, hints.rule)?;
        let progress = progress(&parsed, hints)?;
        let mut transformer = Transformer::read(&parsed)?;
        let order = neuron_order::order(&parsed.arch, &transformer);
        transformer.reorder(&order);
        let networks = parsed
            .networks
            .iter()
            .map(|network| layers::build(&parsed.arch, network, &order))
            .collect();
        Ok(Self {
            arch: parsed.arch,
            info: info(bytes, &parsed),
            transformer,
            networks,
            progress,
        })
    }

    /// What the net computes.
    pub fn architecture(&self) -> &Architecture {
        &self.arch
    }

    /// What was found in the file.
    pub fn info(&self) -> &NetInfo {
        &self.info
    }

    /// The raw output for the side to move, computed from scratch; `None` for a position that lacks a king.
    pub fn evaluate(&self, kernels: &Kernels, position: &Position) -> Option<i32> {
        self.evaluate_in(&mut Workspace::new(self), kernels, position)
    }

    /// The same without allocating.
    fn evaluate_in(
        &self,
        workspace: &mut Workspace,
        kernels: &Kernels,
        position: &Position,
    ) -> Option<i32> {
        let kings = both_kings(position)?;
        let us = position.side_to_move();
        let mut fresh = std::mem::take(&mut workspace.fresh);
        for (color, acc) in [us, !us].into_iter().zip(&mut fresh) {
            let view = self.arch.features.view(color, kings[color.index()]);
            self.transformer.refresh(kernels, acc, &view, position);
        }
        let accumulators = fresh.each_ref().map(|acc| &acc[..]);
        let output = self.output(kernels, position, kings, accumulators, workspace);
        workspace.fresh = fresh;
        Some(output)
    }

    /// The layer stack that a position chooses; 0 for classic nets, `None` without both kings.
    pub fn stack(&self, position: &Position) -> Option<usize> {
        both_kings(position).map(|kings| self.stack_of(position, kings))
    }

    /// How far the game has come by the net's progress weights, 0 to 255; `None` without weights or without both kings.
    pub fn progress(&self, position: &Position) -> Option<u8> {
        let kings = both_kings(position)?;
        self.progress
            .as_ref()
            .map(|progress| progress.of(position, kings))
    }

    #[inline]
    fn stack_of(&self, position: &Position, kings: [Square; 2]) -> usize {
        match self.arch.family {
            Family::Classic(_) => 0,
            Family::Stacks(stacks) => stacks.rule.stack(position, kings, || {
                self.progress
                    .as_ref()
                    .map_or(0, |progress| progress.of(position, kings))
            }),
        }
    }

    /// The output for given accumulators, the side to move's first.
    #[inline]
    fn output(
        &self,
        kernels: &Kernels,
        position: &Position,
        kings: [Square; 2],
        accumulators: [&[i16]; 2],
        workspace: &mut Workspace,
    ) -> i32 {
        let half = workspace.input.len() / 2;
        for (acc, bytes) in accumulators
            .into_iter()
            .zip(workspace.input.chunks_exact_mut(half))
        {
            kernels.transform(self.arch.transform(), acc, bytes);
        }
        let network = &self.networks[self.stack_of(position, kings)];
        kernels.network(network, &workspace.input, &mut workspace.scratch)
    }
}

/// The squares of both kings, Black's first.
#[inline]
fn both_kings(position: &Position) -> Option<[Square; 2]> {
    Some([position.king(Color::Black)?, position.king(Color::White)?])
}

/// The progress weights of the file, or else the user's; an error if the rule needs some and there are none.
fn progress(parsed: &Parsed<'_>, hints: &Hints) -> Result<Option<GameProgress>, NetError> {
    if let Some(bytes) = parsed.progress {
        let mut numbers = numbers32(bytes);
        let bias = numbers.next().unwrap_or(0);
        return Ok(Some(GameProgress::new(bias, numbers.collect())));
    }
    match parsed.arch.family {
        Family::Stacks(stacks) if stacks.rule.progress.is_some() => match &hints.progress {
            Some(progress) => Ok(Some(progress.clone())),
            None => Err(NetError::NoProgress { rule: stacks.rule }),
        },
        _ => Ok(None),
    }
}

fn info(bytes: &[u8], parsed: &Parsed<'_>) -> NetInfo {
    NetInfo {
        bytes: bytes.len(),
        version: parsed.version,
        description: parsed.description.clone(),
        file_hash: [parsed.hash, parsed.arch.file_hash()],
        transformer_hash: [parsed.transformer_hash, parsed.arch.transformer_hash()],
        network_hash: [parsed.networks[0].hash, parsed.arch.network_hash()],
        compressed: matches!(parsed.numbers[0], Numbers::Compressed(_)),
        padding: parsed.padding,
        stacks: parsed.networks.len(),
        scale: scale::of(parsed),
    }
}

/// Buffers for the values between features and output.
#[derive(Clone, Debug)]
struct Workspace {
    /// Accumulators made from scratch.
    fresh: [Aligned<i16>; 2],
    input: Aligned<u8>,
    scratch: Scratch,
}

impl Workspace {
    fn new(net: &Net) -> Self {
        Self {
            fresh: [(); 2].map(|()| Aligned::zeroed(net.transformer.width())),
            input: Aligned::zeroed(transformer::padded_inputs(&net.arch)),
            scratch: Scratch::new(&net.networks),
        }
    }
}

/// What one thread needs to evaluate positions along its line of play.
#[derive(Clone, Debug)]
pub struct NnueState {
    accumulators: Accumulators,
    workspace: Workspace,
}

impl NnueState {
    /// The state of a thread that evaluates with `net`; nothing is computed yet.
    pub fn new(net: &Net) -> Self {
        Self {
            accumulators: Accumulators::new(net.arch.features, &net.transformer),
            workspace: Workspace::new(net),
        }
    }

    /// The raw output for the side to move, the same as [`Net::evaluate`] gives; `None` without both kings. `net` is
    /// the one this was made for. Allocates nothing.
    #[inline]
    pub fn evaluate(&mut self, net: &Net, kernels: &Kernels, position: &Position) -> Option<i32> {
        let kings = both_kings(position)?;
        let accumulators = self
            .accumulators
            .of(&net.transformer, kernels, position, kings);
        Some(net.output(kernels, position, kings, accumulators, &mut self.workspace))
    }

    /// The same without using or keeping anything of other positions.
    pub fn evaluate_from_scratch(
        &mut self,
        net: &Net,
        kernels: &Kernels,
        position: &Position,
    ) -> Option<i32> {
        net.evaluate_in(&mut self.workspace, kernels, position)
    }
}

//! Nets of random numbers, the same bytes on every machine: the numbers of one splitmix64 stream in file order, in
//! the ranges that make all parts of an architecture work. The reference values were computed with these files.

use hien::shogi::SplitMix64;

/// A reproducible stream of random numbers.
pub struct Random(SplitMix64);

impl Random {
    /// The stream of a seed.
    pub fn new(seed: u64) -> Self {
        Self(SplitMix64::new(seed))
    }

    /// The next number of the stream.
    pub fn draw(&mut self) -> u64 {
        self.0.next_u64()
    }

    /// A number below `limit`.
    #[allow(dead_code, reason = "not every binary walks at random")]
    pub fn below(&mut self, limit: usize) -> usize {
        (self.draw() % limit as u64) as usize
    }
}

/// Maps a draw to `low..=high`.
fn uniform(draw: u64, low: i64, high: i64) -> i64 {
    let span = (high - low + 1) as u64;
    low + (((draw >> 32) * span) >> 32) as i64
}

/// A kind of input: name in descriptions, hash, inputs per perspective.
type Features = (&'static str, u32, usize);

const KP: Features = ("K+P", 0x3F57_17FF, 1710);
const KA2: Features = ("K+A2", 0x97D5_765E, 1791);
const HALFKP: Features = ("HalfKP(Friend)", 0x5D69_D5B8, 125_388);
const HALFKP_VM: Features = ("HalfKP_vm(Friend)", 0x0B6B_1D9A, 69_660);
const HALFKP_E9: Features = ("HalfKPE9(Friend)", 0x5D69_D5B8, 1_128_492);
const HALFKA1: Features = ("HalfKA1(Friend)", 0x5F13_4CB8, 138_510);
const HALFKA2: Features = ("HalfKA2(Friend)", 0x5F23_4CB8, 131_949);
const HALFKA_HM1: Features = ("HalfKA_hm1(Friend)", 0x7F13_4CB8, 76_950);
const HALFKA_HM2: Features = ("HalfKA_hm2(Friend)", 0x7F23_4CB8, 73_305);
const HALFKA_ZONES: Features = ("HalfKA_zones(Friend)", 0x7F13_5A4E, 18_810);

/// Layer stacks: their number, whether there are progress weights, the network's name.
#[derive(Clone, Copy)]
pub struct Stacks(pub usize, pub bool, pub &'static str);

/// Activation of a classic net, with the upper end of the first clamp.
#[allow(dead_code, reason = "benches have only the first")]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Activation {
    /// Clipped, as YaneuraOu.
    Clip,
    /// Squares.
    Square127,
    Square255,
    /// Products of the halves.
    Pair127,
    Pair255,
}

/// A synthetic net.
#[derive(Clone, Copy)]
pub struct Spec {
    /// Its name in the reference data.
    pub name: &'static str,
    /// The kind of input.
    pub features: Features,
    /// Outputs of the transformer per perspective.
    pub width: usize,
    /// Outputs of the hidden layers.
    pub hidden: [usize; 2],
    /// Activation of a classic net.
    pub activation: Activation,
    /// Where its random numbers begin.
    pub seed: u64,
    /// Largest usual weights of the three affine layers.
    pub weights: [i64; 3],
    /// Its layer stacks, if it is no classic net.
    pub stacks: Option<Stacks>,
}

const fn classic(
    name: &'static str,
    features: Features,
    width: usize,
    hidden: [usize; 2],
    seed: u64,
    weights: [i64; 3],
) -> Spec {
    Spec {
        name,
        features,
        width,
        hidden,
        seed,
        weights,
        activation: Activation::Clip,
        stacks: None,
    }
}

#[rustfmt::skip]
/// The nets of the reference data, and more shapes.
pub const NETS: [Spec; 17] = [
    classic("halfkp_256x2-32-32", HALFKP, 256, [32, 32], 0x4849_4F01, [5, 20, 45]),
    classic("halfkp_512x2-16-32", HALFKP, 512, [16, 32], 0x4849_4502, [4, 28, 45]),
    classic("halfkahm2_256x2-32-32", HALFKA_HM2, 256, [32, 32], 0x4849_4F03, [5, 20, 45]),
    Spec {
        stacks: Some(Stacks(9, false, "SFNN-1536")),
        ..classic("sfnn_halfkahm2_1536-15-32-k3k3", HALFKA_HM2, 1536, [15, 32], 0x4849_4504, [6, 20, 40])
    },
    classic("halfkpvm_64x2-8-32", HALFKP_VM, 64, [8, 32], 0x4849_4C11, [10, 40, 45]),
    classic("halfkpe9_32x2-8-32", HALFKP_E9, 32, [8, 32], 0x4849_4C12, [14, 40, 55]),
    classic("halfka1_64x2-16-32", HALFKA1, 64, [16, 32], 0x4849_4913, [10, 28, 45]),
    classic("halfka2_64x2-8-64", HALFKA2, 64, [8, 64], 0x4849_4714, [10, 40, 32]),
    classic("halfkahm1_64x2-8-96", HALFKA_HM1, 64, [8, 96], 0x4849_4815, [10, 40, 36]),
    classic("ka2_64x2-32-32", KA2, 64, [32, 32], 0x4849_4516, [10, 20, 60]),
    Spec {
        stacks: Some(Stacks(1, false, "SFNN_HALFKA2_128_7_64")),
        ..classic("sfnn_halfka2_128-7-64", HALFKA2, 128, [7, 64], 0x4849_4621, [24, 28, 32])
    },
    Spec {
        stacks: Some(Stacks(576, true, "SFNN_KA2_128_8_32_HAND16_K3K3_PROGRESS4")),
        ..classic("sfnn_ka2_128-8-32-hand16_k3k3_progress4", KA2, 128, [8, 32], 0x4849_4522, [24, 28, 40])
    },
    Spec {
        stacks: Some(Stacks(81, false, "SFNN_KA2_640_7_64_C128_S64X8_K9K9Z")),
        ..classic("sfnn_ka2_640-7-64-c128_s64x8-k9k9z", KA2, 640, [7, 64], 0x4849_4523, [24, 28, 32])
    },
    // Not in the reference data: the set of the usual small nets, sizes that need padding, a small stacked net, and
    // the program's own set.
    classic("kp_256x2-32-32", KP, 256, [32, 32], 0x4849_4601, [5, 20, 45]),
    classic("kp_72x2-24-10", KP, 72, [24, 10], 0x4849_4602, [5, 20, 45]),
    Spec {
        stacks: Some(Stacks(9, false, "SFNN_KA2_128_15_32_K3K3")),
        ..classic("sfnn_ka2_128-15-32-k3k3", KA2, 128, [15, 32], 0x4849_4603, [24, 28, 40])
    },
    classic("halfkazones_64x2-16-32", HALFKA_ZONES, 64, [16, 32], 0x4849_4604, [10, 28, 45]),
];

/// The net of a name.
pub fn spec(name: &str) -> Spec {
    *NETS
        .iter()
        .find(|spec| spec.name == name)
        .expect("a synthetic net has this name")
}

/// How files of other tools differ from YaneuraOu's.
#[allow(dead_code, reason = "benches write only the first")]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Dialect {
    /// As YaneuraOu.
    Plain,
    /// Description of the files of 2018 to 2023.
    Old,
    /// The constant description of nnue-pytorch.
    Pytorch,
    /// A description without any fact.
    Tanuki,
    /// All hashes zero.
    ZeroHash,
    /// Filled up to 64 bytes.
    Bullet,
    /// An underscore before compressed sections.
    Underscore,
    /// Bias and weights in one compressed section.
    OneBlock,
}

fn pad32(n: usize) -> usize {
    n.div_ceil(32) * 32
}

fn affine_hash(previous: u32, outputs: usize) -> u32 {
    0xCC03_DAE4_u32.wrapping_add(outputs as u32) ^ (previous >> 1) ^ (previous << 31)
}

impl Spec {
    fn transformer_hash(&self) -> u32 {
        if self.stacks.is_some() {
            0x5F13_4AB8
        } else {
            self.features.1 ^ (2 * self.width as u32)
        }
    }

    fn network_hash(&self) -> u32 {
        if self.stacks.is_some() {
            return 0x6333_718A;
        }
        let relu = |hash: u32| hash.wrapping_add(0x538D_24C7);
        let first = relu(affine_hash(
            0xEC42_E90D ^ (2 * self.width as u32),
            self.hidden[0],
        ));
        affine_hash(relu(affine_hash(first, self.hidden[1])), 1)
    }

    fn file_hash(&self) -> u32 {
        match self.stacks {
            Some(Stacks(_, true, _)) => 0x3C20_3B32 ^ 0x6F50_524F,
            Some(_) => 0x3C20_3B32,
            None => self.transformer_hash() ^ self.network_hash(),
        }
    }

    fn description(&self, dialect: Dialect) -> String {
        let (name, _, inputs) = self.features;
        let (width, [first, second]) = (self.width, self.hidden);
        match (dialect, self.stacks) {
            (Dialect::Tanuki, _) => "Network trained with https://github.com/official-stockfish/nnue-pytorch".to_owned(),
            (Dialect::Pytorch, Some(_)) => "ModelType=SFNNWithoutPsqt;Features=HalfKA_hm(Friend)[73305->1536x2],\
                Network=AffineTransform[1<-32](ClippedReLU[32](AffineTransform[32<-15](ClippedReLU[15]\
                (AffineTransform[15<-3072](InputSlice[3072(0:3072)])))))){LayerStack=9}"
                .to_owned(),
            (Dialect::Pytorch, None) => "Features=HalfKP(Friend)[125388->256x2],Network=AffineTransform[1<-256]\
                (ClippedReLU[256](AffineTransform[256<-256](ClippedReLU[256](AffineTransform[256<-512]\
                (InputSlice[512(0:512)])))))"
                .to_owned(),
            (_, Some(Stacks(stacks, _, network))) => format!(
                "ModelType=SFNNWithoutPsqt;Features={name}[{inputs}->{width}x2],Network={network}{{LayerStack={stacks}}}"
            ),
            (_, None) => {
                let sparse = if dialect == Dialect::Old { "" } else { "SparseInput" };
                let n = 2 * width;
                let (suffix, tokens) = match self.activation {
                    Activation::Clip => ("", ""),
                    Activation::Square127 => ("-SCReLU", ",qa=127"),
                    Activation::Square255 => ("-SCReLU", ",qa=255"),
                    Activation::Pair127 => ("-Pairwise", ",qa=127"),
                    Activation::Pair255 => ("-Pairwise", ",qa=255"),
                };
                format!(
                    "Features={name}{suffix}[{inputs}->{width}x2],Network=AffineTransform[1<-{second}](ClippedReLU[{second}]\
                     (AffineTransform[{second}<-{first}](ClippedReLU[{first}](AffineTransform{sparse}[{first}<-{n}]\
                     (InputSlice[{n}(0:{n})]))))){tokens}"
                )
            }
        }
    }

    /// Inputs and outputs of the affine layers.
    fn layers(&self) -> [(usize, usize); 3] {
        let [first, second] = self.hidden;
        match self.stacks {
            Some(_) => [
                (self.width, first + usize::from(first % 8 == 7)),
                (2 * first, second),
                (second, 1),
            ],
            None => {
                let inputs = match self.activation {
                    Activation::Pair127 | Activation::Pair255 => self.width,
                    _ => 2 * self.width,
                };
                [(inputs, first), (first, second), (second, 1)]
            }
        }
    }

    /// The file as YaneuraOu would write it.
    pub fn file(&self) -> Vec<u8> {
        self.file_in(Dialect::Plain)
    }

    /// The file as some tool would write it.
    pub fn file_in(&self, dialect: Dialect) -> Vec<u8> {
        let mut writer = Writer {
            bytes: Vec::new(),
            random: Random::new(self.seed),
            zero_hashes: dialect == Dialect::ZeroHash,
        };
        writer.word(0x7AF3_2F16);
        writer.hash(self.file_hash());
        let description = self.description(dialect);
        writer.word(description.len() as u32);
        writer.bytes.extend_from_slice(description.as_bytes());
        writer.hash(self.transformer_hash());
        let weights = self.width * self.features.2;
        match self.stacks {
            None => writer.plain_transformer(self.width, weights),
            Some(_) => writer.compressed_transformer(self.width, weights, dialect),
        }
        if let Some(Stacks(_, true, _)) = self.stacks {
            writer.hash(0x6F50_524F);
            writer.words(1, |x| uniform(x, -100_000, 100_000));
            writer.words(81 * 1548, |x| uniform(x, -40_000, 40_000));
        }
        for _ in 0..self.stacks.map_or(1, |stacks| stacks.0) {
            writer.hash(self.network_hash());
            for ((inputs, outputs), limit) in self.layers().into_iter().zip(self.weights) {
                let (low, high) = if outputs == 1 {
                    (-1600, 1600)
                } else {
                    (-4000, 8000)
                };
                writer.words(outputs, |x| uniform(x, low, high));
                writer.weights(outputs * pad32(inputs), limit);
            }
        }
        if dialect == Dialect::Bullet {
            let missing = writer.bytes.len().wrapping_neg() % 64;
            writer.bytes.extend(b"bullet".iter().cycle().take(missing));
        }
        writer.bytes
    }
}

struct Writer {
    bytes: Vec<u8>,
    random: Random,
    zero_hashes: bool,
}

impl Writer {
    fn word(&mut self, word: u32) {
        self.bytes.extend_from_slice(&word.to_le_bytes());
    }

    fn hash(&mut self, hash: u32) {
        self.word(if self.zero_hashes { 0 } else { hash });
    }

    fn words(&mut self, count: usize, number: impl Fn(u64) -> i64) {
        for _ in 0..count {
            let number = number(self.random.draw());
            self.word(number as u32);
        }
    }

    fn weights(&mut self, count: usize, limit: i64) {
        for _ in 0..count {
            let x = self.random.draw();
            let weight = if x & 0x1FF == 0 {
                uniform(x, -128, 127)
            } else {
                uniform(x, -limit, limit)
            };
            self.bytes.push(weight as u8);
        }
    }

    fn plain_transformer(&mut self, width: usize, weights: usize) {
        self.bytes.reserve(2 * (width + weights));
        for _ in 0..width {
            let value = bias(self.random.draw());
            self.bytes.extend_from_slice(&value.to_le_bytes());
        }
        for _ in 0..weights {
            let value = weight(self.random.draw());
            self.bytes.extend_from_slice(&value.to_le_bytes());
        }
    }

    fn compressed_transformer(&mut self, width: usize, weights: usize, dialect: Dialect) {
        let mark: &[u8] = if dialect == Dialect::Underscore {
            b"_COMPRESSED_LEB128"
        } else {
            b"COMPRESSED_LEB128"
        };
        let start = self.begin_section(mark);
        for _ in 0..width {
            let value = bias(self.random.draw());
            leb128(value, &mut self.bytes);
        }
        let start = match dialect {
            Dialect::OneBlock => start,
            _ => {
                self.end_section(start);
                self.begin_section(mark)
            }
        };
        self.bytes.reserve(weights);
        for _ in 0..weights {
            let value = weight(self.random.draw());
            leb128(value, &mut self.bytes);
        }
        self.end_section(start);
    }

    fn begin_section(&mut self, mark: &[u8]) -> usize {
        self.bytes.extend_from_slice(mark);
        self.word(0);
        self.bytes.len()
    }

    fn end_section(&mut self, start: usize) {
        let length = (self.bytes.len() - start) as u32;
        self.bytes[start - 4..start].copy_from_slice(&length.to_le_bytes());
    }
}

fn bias(x: u64) -> i16 {
    uniform(x, -40, 100) as i16
}

fn weight(x: u64) -> i16 {
    let limit = match (x & 0xFFFF, x & 0xFF) {
        (0, _) => 9000,
        (_, 0xFF) => 300,
        _ => 17,
    };
    uniform(x, -limit, limit) as i16
}

fn leb128(mut value: i16, bytes: &mut Vec<u8>) {
    while !(-64..64).contains(&value) {
        bytes.push(value as u8 | 0x80);
        value >>= 7;
    }
    bytes.push(value as u8 & 0x7F);
}

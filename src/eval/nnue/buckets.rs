//! Layer stacks (output buckets): how a position chooses one of a net's small networks.
//!
//! A rule combines zones of both hands, zones of both kings and the progress of the game, each of which may be
//! missing. Names and zones are YaneuraOu's (`source/eval/nnue`, layer stack choice of the SFNN architectures).

use std::fmt;
use std::str::FromStr;

use crate::shogi::{Color, Hand, HandPiece, Position, Square};

use super::features::FeatureSet;

/// A zone of one king, seen from its owner's side.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum KingRule {
    /// Thirds of the ranks.
    K3,
    /// Ranks.
    K9,
    /// Three zones in front, six on the two back ranks.
    K9Z,
    /// Seven ranks in front, six zones on the two back ranks.
    K13Z,
    /// Three zones in front, the squares of the two back ranks.
    K21,
    /// Two zones in front, the squares of the three back ranks.
    K29,
}

impl KingRule {
    const ALL: [(Self, &'static str, usize); 6] = [
        (Self::K3, "k3k3", 3),
        (Self::K9, "k9k9", 9),
        (Self::K9Z, "k9k9z", 9),
        (Self::K13Z, "k13k13z", 13),
        (Self::K21, "k21k21", 21),
        (Self::K29, "k29k29", 29),
    ];

    const fn zones(self) -> usize {
        Self::ALL[self as usize].2
    }

    /// The zone of a king on `square`, which is seen from its owner: rank 8 is the back rank.
    fn zone(self, square: Square) -> usize {
        let (file, rank) = (square.file().index(), square.rank().index());
        match self {
            Self::K3 => rank / 3,
            Self::K9 => rank,
            Self::K13Z if rank < 7 => rank,
            Self::K13Z => 7 + (rank - 7) * 3 + file / 3,
            _ if rank < 3 => 0,
            _ if rank < 6 => 1,
            Self::K29 => 2 + (rank - 6) * 9 + file,
            _ if rank == 6 => 2,
            Self::K9Z => 3 + (rank - 7) * 3 + file / 3,
            Self::K21 => 3 + (rank - 7) * 9 + file,
        }
    }
}

/// A zone of one hand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum HandRule {
    /// Bishops.
    H4,
    /// Pawns, bishops.
    H16,
    /// Small pieces, other pieces, bishops.
    H64,
    /// Eight steps of the hand's value.
    H64Z,
    /// Small pieces, generals, bishops, rooks.
    H256,
    /// Pawns, lances and knights, generals, bishops, rooks.
    H1024,
}

impl HandRule {
    const ALL: [(Self, &'static str, usize); 6] = [
        (Self::H4, "hand4", 2),
        (Self::H16, "hand16", 4),
        (Self::H64, "hand64", 8),
        (Self::H64Z, "hand64z", 8),
        (Self::H256, "hand256", 16),
        (Self::H1024, "hand1024", 32),
    ];

    const fn zones(self) -> usize {
        Self::ALL[self as usize].2
    }

    fn zone(self, hand: Hand) -> usize {
        use HandPiece::{Bishop, Gold, Knight, Lance, Pawn, Rook, Silver};
        // Bit `index` of the zone tells whether any piece of the group is held.
        let bits = |groups: &[&[HandPiece]]| {
            let held = |group: &&[HandPiece]| group.iter().any(|&kind| hand.has(kind));
            groups
                .iter()
                .enumerate()
                .map(|(index, group)| usize::from(held(group)) << index)
                .sum()
        };
        match self {
            Self::H4 => bits(&[&[Bishop]]),
            Self::H16 => bits(&[&[Pawn], &[Bishop]]),
            Self::H64 => bits(&[&[Pawn, Lance, Knight], &[Gold, Silver, Rook], &[Bishop]]),
            Self::H256 => bits(&[&[Pawn, Lance, Knight], &[Silver, Gold], &[Bishop], &[Rook]]),
            Self::H1024 => bits(&[
                &[Pawn],
                &[Lance, Knight],
                &[Silver, Gold],
                &[Bishop],
                &[Rook],
            ]),
            Self::H64Z => {
                let count = |kind| hand.count(kind) as usize;
                let value = count(Pawn)
                    + 2 * (count(Lance) + count(Knight))
                    + 3 * (count(Silver) + count(Gold))
                    + 5 * (count(Bishop) + count(Rook));
                value.div_ceil(4).min(7)
            }
        }
    }
}

/// How a position chooses its layer stack. The default has one stack for all positions.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct StackRule {
    /// Zones of the hands.
    pub hand: Option<HandRule>,
    /// Zones of the kings.
    pub king: Option<KingRule>,
    /// Number of steps of the game's progress: 2, 3, 4, 8, 16 or 32.
    pub progress: Option<u8>,
}

impl StackRule {
    /// The rule of the first SFNN nets.
    pub const K3K3: Self = Self {
        hand: None,
        king: Some(KingRule::K3),
        progress: None,
    };

    /// The number of stacks.
    pub fn stacks(&self) -> usize {
        let hands = self.hand.map_or(1, |rule| rule.zones() * rule.zones());
        let kings = self.king.map_or(1, |rule| rule.zones() * rule.zones());
        hands * kings * self.progress.map_or(1, usize::from)
    }

    /// The stack of a position with both kings, below [`StackRule::stacks`]. `progress` gives 0 to 255 and is asked
    /// only if the rule needs it.
    pub fn stack(
        &self,
        position: &Position,
        kings: [Square; 2],
        progress: impl FnOnce() -> u8,
    ) -> usize {
        let us = position.side_to_move();
        let home = |color: Color| match color {
            Color::Black => kings[0],
            Color::White => kings[1].flip(),
        };
        let sides = [us, !us];
        self.stack_of(
            sides.map(|side| position.hand(side)),
            sides.map(home),
            progress,
        )
    }

    /// The same from hands and kings alone: the side to move's first, each king seen from its owner.
    #[inline]
    pub(crate) fn stack_of(
        &self,
        hands: [Hand; 2],
        kings: [Square; 2],
        progress: impl FnOnce() -> u8,
    ) -> usize {
        let mut index = 0;
        if let Some(rule) = self.hand {
            index = rule.zone(hands[0]) * rule.zones() + rule.zone(hands[1]);
        }
        if let Some(rule) = self.king {
            for king in kings {
                index = index * rule.zones() + rule.zone(king);
            }
        }
        if let Some(steps) = self.progress {
            let steps = usize::from(steps);
            index = index * steps + usize::from(progress()) * steps / 256;
        }
        index
    }

    /// Reads the parts of a rule, in any case and order, from the words of an architecture name. Words it does not
    /// know are returned.
    pub fn from_words<'a>(words: impl IntoIterator<Item = &'a str>) -> (Self, Vec<&'a str>) {
        let (mut rule, mut unknown) = (Self::default(), Vec::new());
        for word in words {
            let lower = word.to_ascii_lowercase();
            let king = KingRule::ALL
                .into_iter()
                .find(|&(_, name, _)| name == lower);
            let hand = HandRule::ALL
                .into_iter()
                .find(|&(_, name, _)| name == lower);
            let steps = lower
                .strip_prefix("progress")
                .and_then(|steps| steps.parse().ok());
            match (king, hand, steps) {
                (Some((king, ..)), _, _) => rule.king = Some(king),
                (_, Some((hand, ..)), _) => rule.hand = Some(hand),
                (_, _, Some(steps)) if matches!(steps, 2 | 3 | 4 | 8 | 16 | 32) => {
                    rule.progress = Some(steps)
                }
                _ => unknown.push(word),
            }
        }
        (rule, unknown)
    }
}

impl fmt::Display for StackRule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let hand = self
            .hand
            .map(|rule| HandRule::ALL[rule as usize].1.to_owned());
        let king = self
            .king
            .map(|rule| KingRule::ALL[rule as usize].1.to_owned());
        let progress = self.progress.map(|steps| format!("progress{steps}"));
        let parts: Vec<String> = [hand, king, progress].into_iter().flatten().collect();
        f.write_str(if parts.is_empty() { "none" } else { "" })?;
        f.write_str(&parts.join("_"))
    }
}

/// A text that is no layer-stack rule.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "'{0}' is no layer-stack rule; expected parts such as k3k3, hand16, progress8 joined by '_', or none"
)]
pub struct ParseStackRuleError(String);

impl FromStr for StackRule {
    type Err = ParseStackRuleError;

    fn from_str(text: &str) -> Result<Self, ParseStackRuleError> {
        let words = long_names_cut(text);
        let words = words
            .split(['_', '+'])
            .filter(|word| !word.is_empty() && !word.eq_ignore_ascii_case("none"));
        let (rule, unknown) = Self::from_words(words);
        if unknown.is_empty() && !text.is_empty() {
            Ok(rule)
        } else {
            Err(ParseStackRuleError(text.to_owned()))
        }
    }
}

/// The short forms of names such as `king3_by_king3`.
pub(super) fn long_names_cut(text: &str) -> String {
    text.to_ascii_lowercase()
        .replace("_by_", "")
        .replace("king", "k")
}

/// The progress of a game, estimated by a linear function: a weight per king square and piece, for both perspectives.
#[derive(Clone, Debug)]
pub struct GameProgress {
    /// Fixed point with 16 fraction bits.
    bias: i32,
    /// `[81 king squares][1548 piece numbers]`, the same scale.
    weights: Vec<i32>,
}

impl GameProgress {
    /// Weights: one per feature of [`FeatureSet::HalfKp`].
    pub const WEIGHTS: usize = FeatureSet::HalfKp.inputs();

    /// # Panics
    /// Unless there are [`GameProgress::WEIGHTS`] weights.
    pub fn new(bias: i32, weights: Vec<i32>) -> Self {
        assert_eq!(weights.len(), Self::WEIGHTS);
        Self { bias, weights }
    }

    /// From the file `progress.bin` of other engines: a 64-bit floating-point number per weight, no bias. `None` if the
    /// length is wrong or a weight is not finite or far out of range. Engines differ in how they add these numbers up;
    /// here they are rounded to 16 fraction bits first.
    pub fn from_doubles(bytes: &[u8]) -> Option<Self> {
        let (numbers, rest) = bytes.as_chunks();
        if numbers.len() != Self::WEIGHTS || !rest.is_empty() {
            return None;
        }
        let fixed = |&bytes: &[u8; 8]| {
            let weight = f64::from_le_bytes(bytes);
            (weight.abs() < 1000.0).then(|| (weight * 65536.0).round() as i32)
        };
        let weights = numbers.iter().map(fixed).collect::<Option<Vec<i32>>>()?;
        Some(Self::new(0, weights))
    }

    /// 0 at the start of a game to 255 at its end: `256 * sigmoid(sum)`, rounded down at exact limits.
    pub fn of(&self, position: &Position, kings: [Square; 2]) -> u8 {
        let mut sum = i64::from(self.bias);
        for color in Color::ALL {
            let view = FeatureSet::HalfKp.view(color, kings[color.index()]);
            view.active(position, |index| {
                sum += i64::from(self.weights[index as usize])
            });
        }
        LIMITS.partition_point(|&limit| i64::from(limit) <= sum) as u8
    }
}

/// The sums from which on the progress is 1, 2, .. 255.
static LIMITS: [i32; 255] = {
    let mut limits = [0; 255];
    let mut i = 0;
    while i < HALF_LIMITS.len() {
        limits[i] = -HALF_LIMITS[i];
        limits[254 - i] = HALF_LIMITS[i];
        i += 1;
    }
    limits
};

/// `round(ln(q / (1 - q)) * 65536)` with `q = 1 - i / 256` for i = 1, 2, .. 127; written out because a logarithm may
/// differ between platforms.
#[rustfmt::skip]
static HALF_LIMITS: [i32; 127] = [
    363_152, 317_469, 290_638, 271_524, 256_640, 244_430, 234_065, 225_050, 217_066, 209_895, 203_382, 197_412,
    191_897, 186_770, 181_977, 177_475, 173_228, 169_207, 165_388, 161_749, 158_274, 154_945, 151_752, 148_680,
    145_722, 142_867, 140_108, 137_438, 134_850, 132_339, 129_900, 127_527, 125_217, 122_966, 120_771, 118_627,
    116_533, 114_485, 112_482, 110_520, 108_597, 106_713, 104_864, 103_049, 101_266, 99_514, 97_792, 96_098,
    94_431, 92_789, 91_173, 89_580, 88_009, 86_461, 84_933, 83_425, 81_937, 80_467, 79_015, 77_580, 76_161, 74_758,
    73_371, 71_999, 70_640, 69_296, 67_964, 66_646, 65_340, 64_045, 62_762, 61_490, 60_229, 58_979, 57_738, 56_507,
    55_285, 54_072, 52_868, 51_672, 50_485, 49_305, 48_133, 46_968, 45_810, 44_660, 43_515, 42_377, 41_246, 40_120,
    39_000, 37_885, 36_776, 35_671, 34_572, 33_477, 32_387, 31_302, 30_220, 29_143, 28_069, 27_000, 25_933, 24_870,
    23_811, 22_754, 21_700, 20_649, 19_601, 18_555, 17_511, 16_470, 15_431, 14_394, 13_358, 12_324, 11_292, 10_261,
    9_231, 8_203, 7_175, 6_149, 5_123, 4_097, 3_073, 2_048, 1_024,
];

//! Magic bitboards for the bishop: a multiplication that turns the relevant blockers into a table index.
//!
//! A board of 81 bits does not fit the 64-bit multiplication, so the blockers are folded first:
//! the squares 64 to 80 are put on the bits 1 to 17. No mask of a bishop has two members that fold onto
//! each other, so nothing is lost. The multipliers were found by a reproducible random search
//! which the tests repeat; none is looked for at start-up.
//!
//! Background: the chess programming literature on "magic bitboards" (fancy, one table of exact sizes).

use super::bitboard::Bitboard;
use super::lines::{DIRECTIONS, slide};
use super::square::{File, Rank, Square};

/// What the lookup for one square needs.
#[derive(Clone, Copy)]
struct Magic {
    /// The squares whose occupancy matters: the reach without the edge.
    mask: Bitboard,
    /// The multiplier.
    magic: u64,
    /// 64 minus the number of index bits.
    shift: u32,
    /// Where this square's part of the table begins.
    offset: usize,
}

/// The sum over all squares of 2 to the power of the number of relevant squares.
const TABLE_SIZE: usize = 20_224;

const DIAGONALS: std::ops::Range<usize> = 4..8;

/// The squares a bishop reaches, by walking.
const fn walk(from: usize, occupied: Bitboard) -> Bitboard {
    let mut reached = 0;
    let mut i = DIAGONALS.start;
    while i < DIAGONALS.end {
        reached |= slide(from, DIRECTIONS[i], occupied).bits();
        i += 1;
    }
    Bitboard::from_bits(reached)
}

/// The squares of the board that are not on its edge.
const INNER: u128 = {
    let mut inner = Bitboard::ALL.bits();
    let mut i = 0;
    while i < 2 {
        let edge = [0u8, 8][i];
        if let (Some(file), Some(rank)) = (File::try_new(edge), Rank::try_new(edge)) {
            inner &= !Bitboard::file(file).bits() & !Bitboard::rank(rank).bits();
        }
        i += 1;
    }
    inner
};

/// The blockers that matter for a bishop on a square. On the edge a blocker changes nothing.
const fn relevant(from: usize) -> Bitboard {
    Bitboard::from_bits(walk(from, Bitboard::EMPTY).bits() & INNER)
}

/// The index of an occupancy within a square's part of the table.
#[inline]
const fn index(occupied: Bitboard, mask: Bitboard, magic: u64, shift: u32) -> usize {
    (fold(occupied, mask).wrapping_mul(magic) >> shift) as usize
}

/// The occupied squares of the mask in 64 bits.
#[inline]
const fn fold(occupied: Bitboard, mask: Bitboard) -> u64 {
    let ([low, high], mask) = (occupied.words(), mask.words());
    (low & mask[0]) | (high & mask[1]) << 1
}

static MAGICS: [Magic; Square::COUNT] = magics();

const fn magics() -> [Magic; Square::COUNT] {
    let empty = Magic {
        mask: Bitboard::EMPTY,
        magic: 0,
        shift: 0,
        offset: 0,
    };
    let mut magics = [empty; Square::COUNT];
    let mut offset = 0;
    let mut from = 0;
    while from < Square::COUNT {
        let mask = relevant(from);
        magics[from] = Magic {
            mask,
            magic: MULTIPLIERS[from],
            shift: 64 - mask.count(),
            offset,
        };
        offset += 1 << mask.count();
        from += 1;
    }
    assert!(offset == TABLE_SIZE);
    magics
}

static TABLE: [Bitboard; TABLE_SIZE] = table();

// Twenty thousand entries are worth the second of the compiler's time: a table that is ready needs no
// check on access.
#[allow(long_running_const_eval)]
const fn table() -> [Bitboard; TABLE_SIZE] {
    let magics = magics();
    let mut table = [Bitboard::EMPTY; TABLE_SIZE];
    let mut from = 0;
    while from < Square::COUNT {
        let entry = magics[from];
        let mask = entry.mask.bits();
        let mut subset = 0u128;
        loop {
            let occupied = Bitboard::from_bits(subset);
            let i = entry.offset + index(occupied, entry.mask, entry.magic, entry.shift);
            table[i] = walk(from, occupied);
            // The next subset of the mask in counting order (carry rippler).
            subset = subset.wrapping_sub(mask) & mask;
            if subset == 0 {
                break;
            }
        }
        from += 1;
    }
    table
}

/// Squares a bishop attacks.
#[inline]
pub(super) fn bishop(from: Square, occupied: Bitboard) -> Bitboard {
    let entry = &MAGICS[from.index()];
    let i = index(occupied, entry.mask, entry.magic, entry.shift);
    TABLE[entry.offset + i]
}

/// The multipliers by square.
const MULTIPLIERS: [u64; Square::COUNT] = [
    0x0004_004a_0008_1012,
    0x2018_0080_0804_1011,
    0x2101_8083_3020_0400,
    0x3404_0481_2801_4900,
    0x0010_4182_1000_0601,
    0x0001_0182_0940_0008,
    0x8815_4020_1082_0000,
    0x2001_8100_4820_9140,
    0xc008_400c_0802_2010,
    0x0200_4802_8008_040c,
    0x1900_2400_a8a0_8105,
    0x4108_2105_8002_8204,
    0x0048_0142_0810_0808,
    0x2808_a080_4100_9006,
    0x2111_0580_a100_c210,
    0x8400_0098_4050_8500,
    0x0a00_0088_8020_4190,
    0x500a_0440_0402_1009,
    0x0204_8800_4020_8038,
    0x2012_1244_4100_6004,
    0x0408_1001_2110_2004,
    0x2115_2041_0014_020a,
    0x0002_0000_4110_2020,
    0x0849_0022_1108_2080,
    0x0204_4002_eb80_2820,
    0x2201_0400_0a08_1020,
    0x0800_0400_2008_0254,
    0x6108_0088_8418_4004,
    0x0401_00c1_2020_4008,
    0x2460_1200_0402_4204,
    0x800a_0008_2040_0902,
    0x0101_0300_0088_041a,
    0x1021_2004_0010_0080,
    0x0201_00e0_1000_8140,
    0x0a00_8440_4120_0102,
    0x0201_00a2_0402_2801,
    0x8415_880c_1840_4044,
    0x0101_0408_4001_8002,
    0x0081_0008_0408_2005,
    0x8100_8100_2002_0484,
    0x4000_2840_0200_0801,
    0x2000_8a18_0102_2402,
    0x8801_0004_0881_2803,
    0x2404_0c60_1000_8085,
    0x0400_c940_8501_008e,
    0x0400_2506_0440_0100,
    0x1110_8092_0104_8050,
    0x1080_0842_8500_00a0,
    0xa100_0040_8004_2010,
    0x2108_08a0_4020_0430,
    0xc008_2400_8402_0008,
    0x0c10_00e0_0588_0001,
    0x3884_0411_0820_0002,
    0x0032_1240_0809_0044,
    0x1000_4201_e011_0102,
    0xa001_0810_8040_2640,
    0x1008_8a04_0803_400b,
    0x0802_0148_00a0_1400,
    0x1400_0000_1410_0208,
    0x2030_1005_0010_4808,
    0x0060_8805_0001_0202,
    0x0020_9080_8040_1408,
    0x4a80_9080_8004_3040,
    0x0020_2100_8440_0810,
    0x0002_8044_2040_0930,
    0x4040_0224_3812_2040,
    0x0401_114a_0108_2010,
    0x0048_4010_0268_2110,
    0x8002_2408_c500_4908,
    0x2100_0801_2020_1c04,
    0x0802_1200_1080_1003,
    0x4031_2220_6021_0414,
    0x4000_0408_9020_4102,
    0x5020_1028_4010_0a04,
    0x1080_4000_2402_2090,
    0x0408_0001_02cc_0090,
    0x0200_0008_4010_5a08,
    0x0100_5000_0400_5043,
    0x0040_8148_0210_1110,
    0x8140_4824_0108_0504,
    0x8404_0401_1008_0818,
];

#[cfg(test)]
mod tests {
    use super::super::splitmix::SplitMix64;
    use super::*;

    /// Finds a multiplier for a bishop on `from`: sparse pseudo-random numbers, seeded by the square, are
    /// tried until all occupancies with different attacks have different indices.
    fn search(from: usize) -> u64 {
        let mask = relevant(from);
        let bits = mask.count();
        let subsets: Vec<(Bitboard, Bitboard)> = std::iter::successors(Some(0u128), |subset| {
            Some(subset.wrapping_sub(mask.bits()) & mask.bits()).filter(|&next| next != 0)
        })
        .map(Bitboard::from_bits)
        .map(|subset| (subset, walk(from, subset)))
        .collect();
        let mut random = SplitMix64::new(from as u64 + 1);
        let mut used = vec![(0u64, Bitboard::EMPTY); 1 << bits];
        (1u64..)
            .find_map(|attempt| {
                let magic = random.next_u64() & random.next_u64() & random.next_u64();
                let fits = subsets.iter().all(|&(subset, attacks)| {
                    let slot = &mut used[index(subset, mask, magic, 64 - bits)];
                    let free = slot.0 != attempt;
                    if free {
                        *slot = (attempt, attacks);
                    }
                    free || slot.1 == attacks
                });
                fits.then_some(magic)
            })
            .expect("the numbers do not run out")
    }

    #[test]
    fn the_stored_multipliers_are_those_the_search_finds() {
        let found: Vec<u64> = (0..Square::COUNT).map(search).collect();
        assert_eq!(found, MULTIPLIERS, "{found:#018x?}");
    }

    #[test]
    fn folding_loses_no_blocker() {
        for from in 0..Square::COUNT {
            let mask = relevant(from);
            assert_eq!(fold(mask, mask).count_ones(), mask.count());
        }
    }
}

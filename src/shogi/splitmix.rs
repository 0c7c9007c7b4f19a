//! splitmix64: random numbers that are the same on every machine, usable in constants, and their reduction to a range.

/// A splitmix64 generator (Steele, Lea and Flood, "Fast Splittable Pseudorandom Number Generators", 2014).
///
/// Zobrist keys, magic numbers, self-play, training and tests depend on its numbers, which therefore never change.
///
/// ```
/// use hien::shogi::SplitMix64;
/// let mut random = SplitMix64::new(1_234_567);
/// assert_eq!(random.next_u64(), 6_457_827_717_110_365_317);
/// ```
#[derive(Clone, Debug)]
pub struct SplitMix64(u64);

impl SplitMix64 {
    /// A generator; its numbers depend on the seed alone.
    pub const fn new(seed: u64) -> Self {
        Self(seed)
    }

    /// The next number, of 64 random bits.
    #[inline]
    pub const fn next_u64(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ z >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ z >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ z >> 31
    }
}

impl SplitMix64 {
    /// An independent generator for each number, such as that of a game, under one seed.
    pub const fn stream(seed: u64, number: u64) -> Self {
        Self::new(Self::new(seed ^ number.rotate_left(32)).next_u64())
    }

    /// A random number below `end`.
    #[inline]
    pub const fn below(&mut self, end: usize) -> usize {
        scale_down(self.next_u64(), end)
    }

    /// A random item; `None` if there are none.
    pub fn choose<'a, T>(&mut self, items: &'a [T]) -> Option<&'a T> {
        items.get(self.below(items.len()))
    }
}

/// A number below `end` from a random number or a key, whose high bits count: Lemire's multiplication in place of a
/// remainder.
///
/// ```
/// assert_eq!([0, 1 << 63, u64::MAX].map(|key| hien::shogi::scale_down(key, 10)), [0, 5, 9]);
/// ```
#[inline]
pub const fn scale_down(number: u64, end: usize) -> usize {
    ((number as u128 * end as u128) >> 64) as usize
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The numbers of Vigna's reference implementation for the seed that Rosetta Code uses.
    #[test]
    fn the_numbers_are_those_of_the_reference() {
        let mut random = SplitMix64::new(1_234_567);
        let numbers: [u64; 5] = std::array::from_fn(|_| random.next_u64());
        let expected = [
            6_457_827_717_110_365_317,
            3_203_168_211_198_807_973,
            9_817_491_932_198_370_423,
            4_593_380_528_125_082_431,
            16_408_922_859_458_223_821,
        ];
        assert_eq!(numbers, expected);
    }
}

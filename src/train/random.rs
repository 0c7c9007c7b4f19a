//! Random numbers for training, the same everywhere.

use crate::shogi::SplitMix64;

/// A random number generator. Its numbers depend on its seed alone.
#[derive(Clone, Debug)]
pub(super) struct Random(SplitMix64);

impl Random {
    /// A generator of its own for each purpose and number, such as an epoch.
    pub fn new(seed: u64, purpose: &str, number: u64) -> Self {
        let mut random = Self(SplitMix64::new(seed));
        for word in purpose.bytes().map(u64::from).chain([number]) {
            random.0 = SplitMix64::new(random.next() ^ word);
        }
        random
    }

    pub fn next(&mut self) -> u64 {
        self.0.next_u64()
    }

    /// A number below `end`.
    pub fn below(&mut self, end: usize) -> usize {
        self.0.below(end)
    }

    /// A number from -1 to 1.
    pub fn symmetric(&mut self) -> f32 {
        (self.next() >> 40) as f32 / (1 << 23) as f32 - 1.0
    }

    pub fn shuffle<T>(&mut self, items: &mut [T]) {
        for last in (1..items.len()).rev() {
            items.swap(last, self.below(last + 1));
        }
    }
}

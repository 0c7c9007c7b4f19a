//! The shuffle buffer: the samples in memory, and the random order in which they are used.
//!
//! Data that does not fit is streamed: each filling of the buffer holds blocks drawn at random from all files, and its
//! samples are shuffled among each other. Only one filling is in memory at a time.

use super::dataset::{BlockId, Dataset};
use super::progress::Cursor;
use super::random::Random;
use super::sample::Sample;
use crate::data::RecordError;

/// One filling of the buffer.
pub(super) struct ShuffleBuffer {
    blocks: Vec<BlockId>,
    samples: Vec<Sample>,
    order: Vec<u32>,
    /// The epoch and filling that the order is for.
    epoch: usize,
    filling: usize,
    /// Fillings of this epoch.
    fillings: usize,
}

impl ShuffleBuffer {
    /// Fills a buffer and shuffles it. What `before` holds is used again if it is the same blocks, and dropped first if
    /// not. `None` if there are no blocks, or none of their records passes the filter.
    ///
    /// # Errors
    ///
    /// If a file cannot be read or is damaged.
    pub fn fill(
        dataset: &Dataset,
        cursor: Cursor,
        seed: u64,
        before: Option<Self>,
    ) -> Result<Option<Self>, RecordError> {
        let Cursor { epoch, filling, .. } = cursor;
        let mut all = dataset.fillings(epoch);
        let fillings = all.len();
        if filling >= fillings {
            return Ok(None);
        }
        let blocks = all.swap_remove(filling);
        let kept = before.filter(|buffer| buffer.blocks == blocks);
        let samples = match kept {
            Some(buffer) => buffer.samples,
            None => dataset.load(&blocks)?,
        };
        let mut order: Vec<u32> = (0..samples.len() as u32).collect();
        let number = (epoch * fillings + filling) as u64;
        Random::new(seed, "order", number).shuffle(&mut order);
        Ok((!samples.is_empty()).then_some(Self {
            blocks,
            samples,
            order,
            epoch,
            filling,
            fillings,
        }))
    }

    /// Whether the cursor's batch is in this buffer.
    pub fn holds(&self, cursor: Cursor) -> bool {
        (self.epoch, self.filling) == (cursor.epoch, cursor.filling)
    }

    /// Fillings of this epoch.
    pub fn fillings(&self) -> usize {
        self.fillings
    }

    /// How many batches of about `size` samples the buffer holds.
    pub fn batches(&self, size: usize) -> usize {
        (self.samples.len() / size).max(1)
    }

    /// Batch `number` of `of` batches of nearly equal size: the numbers of its samples.
    pub fn batch(&self, number: usize, of: usize) -> &[u32] {
        let [start, end] = [number, number + 1].map(|batch| batch * self.order.len() / of);
        &self.order[start..end]
    }

    /// A sample by its number.
    pub fn sample(&self, number: u32) -> Sample {
        self.samples[number as usize]
    }
}

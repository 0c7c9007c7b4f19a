//! The data set: files of records, read in random order as samples.

use std::path::{Path, PathBuf};

use rayon::prelude::*;

use crate::data::{Label, RecordError, RecordFile, RecordPosition};

use super::random::Random;
use super::sample::Sample;
use super::settings::{Filter, Settings};
use super::shard::sigmoid;

/// A block of records: the number of its file, and its own.
pub(super) type BlockId = (usize, usize);

/// Files of records, split into training and validation blocks.
#[derive(Clone, Debug)]
pub(super) struct Dataset {
    files: Vec<RecordFile>,
    training: Vec<BlockId>,
    validation: Vec<BlockId>,
    filter: Filter,
    /// See [`Settings::next_target`].
    next_target: f32,
    /// See [`Settings::score_scale`].
    score_scale: f32,
    /// Most records of a filling of the shuffle buffer.
    capacity: usize,
    seed: u64,
}

impl Dataset {
    /// Finds the blocks of the files and splits them. The files' order does not matter, their names do.
    ///
    /// # Errors
    ///
    /// If a file cannot be read.
    pub fn open(paths: &[PathBuf], settings: &Settings) -> Result<Self, RecordError> {
        let mut paths: Vec<&Path> = paths.iter().map(PathBuf::as_path).collect();
        paths.sort_unstable();
        let files = paths
            .into_iter()
            .map(RecordFile::open)
            .collect::<Result<Vec<_>, _>>()?;
        let numbered = files.iter().enumerate();
        let mut blocks: Vec<BlockId> = numbered
            .flat_map(|(file, blocks)| (0..blocks.blocks()).map(move |block| (file, block)))
            .collect();
        Random::new(settings.seed, "split", 0).shuffle(&mut blocks);
        let share = (blocks.len() as f64 * settings.validation).ceil() as usize;
        let training = blocks.split_off(share);
        Ok(Self {
            files,
            training,
            validation: blocks,
            filter: settings.filter.clone(),
            next_target: settings.next_target,
            score_scale: settings.score_scale,
            capacity: settings.shuffle_buffer,
            seed: settings.seed,
        })
    }

    /// Name and size of each file, by which a resumed run recognises its data.
    pub fn files(&self) -> Vec<(String, u64)> {
        let files = self.files.iter();
        files.map(|file| (file.name(), file.bytes())).collect()
    }

    /// The fillings of the shuffle buffer in an epoch: lists of blocks drawn at random, of about equal size and with
    /// about as many records as fit at most. The blocks of a filling are in the same order in every epoch, so that a
    /// single one need not be read again.
    pub fn fillings(&self, epoch: usize) -> Vec<Vec<BlockId>> {
        let mut blocks = self.training.clone();
        Random::new(self.seed, "fillings", epoch as u64).shuffle(&mut blocks);
        let sizes = blocks.iter();
        let sizes = sizes.map(|&(file, block)| self.files[file].records_at_most(block));
        let sizes: Vec<usize> = sizes.collect();
        let total: usize = sizes.iter().sum::<usize>().max(1);
        let mut fillings = vec![Vec::new(); total.div_ceil(self.capacity)];
        let (mut before, count) = (0, fillings.len());
        for (block, size) in blocks.into_iter().zip(sizes) {
            fillings[before * count / total].push(block);
            before += size;
        }
        fillings.retain(|filling| !filling.is_empty());
        fillings
            .iter_mut()
            .for_each(|filling| filling.sort_unstable());
        fillings
    }

    /// The samples of some blocks that pass the filter.
    ///
    /// # Errors
    ///
    /// If a file cannot be read or is damaged.
    pub fn load(&self, blocks: &[BlockId]) -> Result<Vec<Sample>, RecordError> {
        let most = blocks.iter();
        let most = most.map(|&(file, block)| self.files[file].records_at_most(block));
        let mut samples = Vec::with_capacity(most.sum());
        // A few blocks at a time: otherwise all samples would be in memory twice.
        for blocks in blocks.chunks(4 * rayon::current_num_threads()) {
            let parts = blocks.par_iter().map(|&block| self.load_block(block));
            for part in parts.collect::<Vec<_>>() {
                samples.extend(part?);
            }
        }
        Ok(samples)
    }

    fn load_block(&self, (file, block): BlockId) -> Result<Vec<Sample>, RecordError> {
        let mut records: Vec<BlockRecord> = Vec::new();
        self.files[file].visit(block, &mut |position, label| {
            let passes = self.filter.passes(position, label);
            let before = records.last();
            records.push(BlockRecord {
                label: *label,
                follows: before.is_some_and(|record| record.leads_to(position, label)),
                sample: passes.then(|| Sample::new(position, label)).flatten(),
            });
        })?;
        if self.next_target > 0.0 {
            mix_next_targets(&mut records, self.next_target, self.score_scale);
        }
        let samples = records.into_iter();
        Ok(samples.filter_map(|record| record.sample).collect())
    }

    /// The samples to measure with, at most the number given, drawn at random.
    ///
    /// # Errors
    ///
    /// As for [`Dataset::load`].
    pub fn validation(&self, most: usize) -> Result<Vec<Sample>, RecordError> {
        let mut samples = self.load(&self.validation)?;
        Random::new(self.seed, "validation", 0).shuffle(&mut samples);
        samples.truncate(most);
        Ok(samples)
    }
}

/// A record among those of its block.
struct BlockRecord {
    label: Label,
    /// Whether its position came from the move of the record before.
    follows: bool,
    /// Its training sample, if it passes the filter.
    sample: Option<Sample>,
}

impl BlockRecord {
    /// Whether the recorded move seems to have led to this position, in the same game.
    fn leads_to(&self, position: RecordPosition, label: &Label) -> bool {
        self.label.ply.checked_add(1) == Some(label.ply)
            && self.label.best.is_some_and(|best| {
                let moved = position.piece_on(best.to());
                moved.is_some_and(|piece| piece.color() != position.side_to_move())
            })
    }
}

/// Mixes into each score the mixed score of the record that follows (negated: the other side moves), by the share
/// `next_target`, as winning probabilities: a lambda-return, TD(lambda). Within a block: where a block ends so does the
/// mixing. What a search overlooked shows a few moves later.
fn mix_next_targets(records: &mut [BlockRecord], next_target: f32, scale: f32) {
    let mut later = None;
    for record in records.iter_mut().rev() {
        let own = sigmoid(f32::from(record.label.score) / scale);
        let mixed = later.map_or(own, |later| own + next_target * (1.0 - later - own));
        if let Some(sample) = &mut record.sample {
            sample.set_score((scale * (mixed / (1.0 - mixed)).ln()).round() as i16);
        }
        later = record.follows.then_some(mixed);
    }
}

impl Filter {
    fn passes(&self, position: RecordPosition, label: &Label) -> bool {
        label.score.saturating_abs() <= self.max_abs_score
            && label.ply >= self.min_ply
            && (self.tactical || !is_tactical(position, label))
            && (self.in_check || !position.in_check())
    }
}

/// Whether the recorded move captures or promotes.
fn is_tactical(position: RecordPosition, label: &Label) -> bool {
    label.best.is_some_and(|best| {
        best.is_promotion() || (!best.is_drop() && position.piece_on(best.to()).is_some())
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::shogi::Position;

    fn label(score: i16, best: &str, ply: u16) -> Label {
        Label {
            score,
            best: Some(best.parse().expect("a move")),
            ply,
            outcome: None,
        }
    }

    fn record(score: i16, follows: bool) -> BlockRecord {
        let label = label(score, "7g7f", 1);
        BlockRecord {
            label,
            follows,
            sample: RecordPosition::with(&Position::startpos(), |start| Sample::new(start, &label)),
        }
    }

    fn mixed(records: &[(i16, bool)], next_target: f32) -> Vec<i16> {
        let mut records: Vec<BlockRecord> = records.iter().map(|&(s, f)| record(s, f)).collect();
        mix_next_targets(&mut records, next_target, 600.0);
        let samples = records.iter().filter_map(|record| record.sample);
        samples.map(|sample| sample.score()).collect()
    }

    /// 659 is 600 ln 3: three wins of four. From half of 1/2 and half of 1/4 come 3/8, -306.5 as a score.
    #[test]
    fn scores_of_later_positions_reach_back_while_records_follow_each_other() {
        assert_eq!(mixed(&[(0, false), (659, true)], 0.5), [-306, 659]);
        assert_eq!(mixed(&[(0, false), (659, false)], 0.5), [0, 659]);
        // One further back: from 1/2 and 1 - 5/8 come 7/16, -150.8 as a score.
        let three = [(0, false), (0, true), (-659, true)];
        assert_eq!(mixed(&three, 0.5), [-151, 306, -659]);
    }

    #[test]
    fn a_record_follows_the_move_that_led_to_it() {
        let first = BlockRecord {
            label: label(30, "7g7f", 1),
            follows: false,
            sample: None,
        };
        let start = Position::startpos();
        let mut next = start.clone();
        next.do_move("7g7f".parse().expect("a move"));
        let leads_to = |next: &Position, label: &Label| {
            RecordPosition::with(next, |next| first.leads_to(next, label))
        };
        assert!(leads_to(&next, &label(-30, "3c3d", 2)));
        assert!(!leads_to(&next, &label(-30, "3c3d", 3)));
        assert!(!leads_to(&start, &label(-30, "7g7f", 2)));
    }
}

//! From files of records to samples in random order.

use std::path::{Path, PathBuf};

use rayon::prelude::*;

use crate::records::{Label, RecordError, RecordFile, RecordPosition};

use super::random::Random;
use super::sample::Sample;
use super::settings::{Filter, Settings};

/// A block of records: the number of its file, and its own.
type BlockId = (usize, usize);

/// Files of records, divided into blocks to train on and blocks to measure with.
#[derive(Clone, Debug)]
pub(super) struct Data {
    files: Vec<RecordFile>,
    training: Vec<BlockId>,
    validation: Vec<BlockId>,
    filter: Filter,
    /// Most records of a pool.
    pool: usize,
    seed: u64,
}

impl Data {
    /// Looks where the blocks lie. The files' order does not matter, their names do.
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
            pool: settings.pool,
            seed: settings.seed,
        })
    }

    /// Name and size of each file, by which a resumed run recognises its data.
    pub fn files(&self) -> Vec<(String, u64)> {
        let name = |file: &RecordFile| {
            file.path()
                .file_name()
                .map(|name| name.to_string_lossy().into_owned())
        };
        self.files
            .iter()
            .map(|file| (name(file).unwrap_or_default(), file.bytes()))
            .collect()
    }

    /// The pools of an epoch: lists of blocks, each with no more records than fit. All the blocks of one pool are
    /// in the same order in every epoch, so that a single pool need not be read again.
    pub fn pools(&self, epoch: usize) -> Vec<Vec<BlockId>> {
        let mut blocks = self.training.clone();
        Random::new(self.seed, "pools", epoch as u64).shuffle(&mut blocks);
        let mut pools: Vec<Vec<BlockId>> = Vec::new();
        let mut room = 0;
        for (file, block) in blocks {
            let records = self.files[file].records_at_most(block);
            match pools.last_mut() {
                Some(pool) if records <= room => pool.push((file, block)),
                _ => {
                    pools.push(vec![(file, block)]);
                    room = self.pool;
                }
            }
            room = room.saturating_sub(records);
        }
        pools.iter_mut().for_each(|pool| pool.sort_unstable());
        pools
    }

    /// The samples of some blocks that the filter lets pass.
    ///
    /// # Errors
    ///
    /// If a file cannot be read or is damaged.
    pub fn load(&self, blocks: &[BlockId]) -> Result<Vec<Sample>, RecordError> {
        let parts = blocks.par_iter().map(|&(file, block)| {
            let mut samples = Vec::new();
            self.files[file].visit(block, &mut |position, label| {
                if self.filter.passes(position, label) {
                    samples.extend(Sample::new(position, label));
                }
            })?;
            Ok(samples)
        });
        let parts = parts.collect::<Result<Vec<_>, RecordError>>()?;
        let mut samples = Vec::with_capacity(parts.iter().map(Vec::len).sum());
        parts.into_iter().for_each(|part| samples.extend(part));
        Ok(samples)
    }

    /// The samples to measure with, at most so many, drawn at random.
    ///
    /// # Errors
    ///
    /// As for [`Data::load`].
    pub fn validation(&self, most: usize) -> Result<Vec<Sample>, RecordError> {
        let mut samples = self.load(&self.validation)?;
        Random::new(self.seed, "validation", 0).shuffle(&mut samples);
        samples.truncate(most);
        Ok(samples)
    }
}

impl Filter {
    fn passes(&self, position: &RecordPosition, label: &Label) -> bool {
        label.score.saturating_abs() <= self.score_most
            && label.ply >= self.ply_least
            && (self.tactical || !is_tactical(position, label))
            && (self.in_check || !position.is_in_check())
    }
}

/// Whether the recorded move captures or promotes.
fn is_tactical(position: &RecordPosition, label: &Label) -> bool {
    label.best.is_some_and(|best| {
        let to = rsshogi::types::Square::new(best.to().index() as i8);
        best.is_promotion() || (!best.is_drop() && !position.piece_on(to).is_empty())
    })
}

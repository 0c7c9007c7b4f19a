//! A run of relabelling: many blocks, on many threads.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering::Relaxed};
use std::sync::mpsc::{self, Receiver, SyncSender};
use std::thread::{self, Builder};

use super::options::Options;
use super::output::{Output, Tally};
use super::teacher::Teacher;
use super::variants::variant;
use crate::data::{DataError, Label, Psv, RecordFile, RecordWriter};
use crate::eval::Evaluator;
use crate::search::Solo;
use crate::selfplay::{StopAtEnd, StopIfFailed};
use crate::shogi::{Position, SplitMix64};

/// A block that was relabelled: its new records as bytes, and their number.
type Done = Result<(Vec<u8>, Tally), DataError>;

/// Labels the records of some files anew with the mean of some evaluations, from where `output` ends, until all are
/// done or `stop` is set; at the end it is set in any case. `progress` is called after each block.
///
/// Records labelled by static evaluation have no move, since the move has no part in their label: they fit PSV only.
///
/// # Errors
///
/// [`DataError`] if records cannot be read or written.
///
/// # Panics
///
/// If a search does, or no thread can be started.
pub fn relabel(
    files: &[RecordFile],
    evaluators: &[Evaluator],
    options: &Options,
    threads: usize,
    mut output: Output,
    stop: &AtomicBool,
    progress: &mut dyn FnMut(&Tally),
) -> Result<Tally, DataError> {
    let numbered = files.iter();
    let blocks: Vec<(&RecordFile, usize)> = numbered
        .flat_map(|file| (0..file.blocks()).map(move |block| (file, block)))
        .collect();
    let next = AtomicUsize::new(output.tally().blocks);
    let threads = threads.max(1);
    let (sender, done) = mpsc::sync_channel(threads);
    thread::scope(|scope| {
        let _stop = StopAtEnd(stop);
        for i in 0..threads {
            let (sender, next, blocks) = (sender.clone(), &next, &blocks[..]);
            Builder::new()
                .name(format!("hien-relabel-{i}"))
                .stack_size(Solo::STACK)
                .spawn_scoped(scope, move || {
                    let teacher = Teacher::new(evaluators, options.scoring, options.hash_mib);
                    work(blocks, teacher, options, next, stop, &sender);
                })
                .expect("the system starts a thread");
        }
        drop(sender);
        collect(&mut output, &done, progress)
    })?;
    Ok(*output.tally())
}

/// Relabels one block after the other.
fn work(
    blocks: &[(&RecordFile, usize)],
    mut teacher: Teacher,
    options: &Options,
    next: &AtomicUsize,
    stop: &AtomicBool,
    sender: &SyncSender<(usize, Done)>,
) {
    let _stop = StopIfFailed(stop);
    loop {
        let number = next.fetch_add(1, Relaxed);
        let Some(&(file, block)) = blocks.get(number) else {
            return;
        };
        let job = Block {
            teacher: &mut teacher,
            options,
            random: SplitMix64::stream(options.seed, number as u64),
            tally: Tally {
                blocks: 1,
                ..Tally::default()
            },
            writer: RecordWriter::new(Vec::new(), options.format),
        };
        let Some(done) = job.run(file, block, stop) else {
            return;
        };
        if sender.send((number, done)).is_err() {
            return; // a block before this one failed
        }
    }
}

/// One block at work.
struct Block<'a> {
    teacher: &'a mut Teacher,
    options: &'a Options,
    random: SplitMix64,
    tally: Tally,
    writer: RecordWriter<Vec<u8>>,
}

impl Block<'_> {
    /// Relabels the block; `None` if it was stopped.
    fn run(mut self, file: &RecordFile, block: usize, stop: &AtomicBool) -> Option<Done> {
        self.teacher.clear();
        let mut failure = None;
        let visited = file.visit(block, &mut |position, label| {
            if failure.is_some() || stop.load(Relaxed) {
                return;
            }
            self.tally.read += 1;
            match position.to_position() {
                Ok(position) => failure = self.record(&position, label).err(),
                Err(_) => self.tally.skipped += 1,
            }
        });
        if stop.load(Relaxed) {
            return None;
        }
        let finish = || {
            visited?;
            let bytes = match failure {
                Some(error) => Err(error),
                None => self.writer.finish(),
            };
            let bytes = bytes.map_err(DataError::Write)?;
            Ok((bytes, self.tally))
        };
        Some(finish())
    }

    /// Labels a recorded position and its variants.
    fn record(&mut self, position: &Position, label: &Label) -> std::io::Result<()> {
        self.position(position, *label)?;
        for _ in 0..self.options.variants {
            match variant(position, &mut self.random) {
                // Its game is not the recorded one.
                Some(variant) => self.position(
                    &variant,
                    Label {
                        outcome: None,
                        ..*label
                    },
                )?,
                None => self.tally.skipped += 1,
            }
        }
        Ok(())
    }

    fn position(&mut self, position: &Position, old: Label) -> std::io::Result<()> {
        let opinion = self.teacher.label(position);
        let record = opinion.and_then(|opinion| {
            let label = Label {
                score: opinion.score,
                best: opinion.best,
                ply: u16::try_from(position.ply()).unwrap_or(u16::MAX),
                ..old
            };
            Psv::of(position, label).ok()
        });
        let Some(record) = record else {
            self.tally.skipped += 1;
            return Ok(());
        };
        self.tally.written += 1;
        self.writer.write(&record)
    }
}

/// Appends blocks in the order of their numbers.
fn collect(
    output: &mut Output,
    done: &Receiver<(usize, Done)>,
    progress: &mut dyn FnMut(&Tally),
) -> Result<(), DataError> {
    // Blocks that were done before an earlier one.
    let mut early = BTreeMap::new();
    for (number, block) in done {
        early.insert(number, block);
        while let Some(block) = early.remove(&output.tally().blocks) {
            let (bytes, tally) = block?;
            output.append(&bytes, &tally)?;
            progress(output.tally());
        }
    }
    Ok(())
}

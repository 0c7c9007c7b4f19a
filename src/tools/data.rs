//! `hien data`: what files of training records hold, converting and relabelling them.

use std::error::Error;
use std::fs::{self, File};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

use super::common::format_name::FormatName;
use super::common::path_error::PathError;
use super::relabel;
use crate::data::{Outcome, Psv, RecordError, RecordFile, RecordWriter};

/// The arguments of `hien data`.
#[derive(clap::Args, Debug)]
#[command(args_conflicts_with_subcommands = true, arg_required_else_help = true)]
pub struct Arguments {
    /// Files to describe, sbinpack or PSV
    #[arg(value_name = "FILE")]
    files: Vec<PathBuf>,
    #[command(subcommand)]
    task: Option<Task>,
}

#[derive(clap::Subcommand, Debug)]
enum Task {
    /// Write the records of some files into a new one
    Convert {
        /// The files to read
        #[arg(value_name = "FILE", required = true)]
        from: Vec<PathBuf>,
        /// The file to write; it must not exist
        #[arg(long, value_name = "NEW FILE")]
        to: PathBuf,
        /// The format to write
        #[arg(long, value_enum)]
        format: FormatName,
    },
    /// Write the positions of some files with new scores, from nets or searches
    Relabel(relabel::Arguments),
}

impl Arguments {
    /// Describes, converts or relabels files.
    ///
    /// # Errors
    ///
    /// If a file cannot be read or written or is damaged; the message is for the user.
    pub fn run(&self, out: &mut dyn Write) -> Result<(), Box<dyn Error>> {
        match &self.task {
            Some(Task::Convert { from, to, format }) => convert(from, to, *format, out),
            Some(Task::Relabel(arguments)) => arguments.run(out),
            None => self.files.iter().try_for_each(|file| describe(file, out)),
        }
    }
}

/// Sums over the records of a file.
#[derive(Default)]
struct Summary {
    records: u64,
    in_check: u64,
    /// Lost, drawn, won by the side to move, and unknown.
    outcomes: [u64; 4],
    scores: f64,
}

fn describe(path: &Path, out: &mut dyn Write) -> Result<(), Box<dyn Error>> {
    let file = RecordFile::open(path)?;
    let mut sum = Summary::default();
    for block in 0..file.blocks() {
        file.visit(block, &mut |position, label| {
            sum.records += 1;
            sum.in_check += u64::from(position.in_check());
            sum.outcomes[label.outcome.map_or(3, outcome_index)] += 1;
            sum.scores += f64::from(label.score).abs();
        })?;
    }
    let share = |part: u64| 100.0 * part as f64 / sum.records.max(1) as f64;
    let [lost, drawn, won, unknown] = sum.outcomes.map(share);
    writeln!(out, "{}", path.display())?;
    writeln!(
        out,
        "  records     {} in {} blocks",
        sum.records,
        file.blocks()
    )?;
    writeln!(out, "  in check    {:.1} %", share(sum.in_check))?;
    writeln!(
        out,
        "  results     won {won:.1} %, drawn {drawn:.1} %, lost {lost:.1} %, unknown {unknown:.1} %"
    )?;
    writeln!(
        out,
        "  mean score  {:.0} either way",
        sum.scores / sum.records.max(1) as f64
    )?;
    Ok(())
}

fn outcome_index(outcome: Outcome) -> usize {
    match outcome {
        Outcome::Loss => 0,
        Outcome::Draw => 1,
        Outcome::Win => 2,
    }
}

fn convert(
    from: &[PathBuf],
    to: &Path,
    format: FormatName,
    out: &mut dyn Write,
) -> Result<(), Box<dyn Error>> {
    let files = from
        .iter()
        .map(|path| Ok((path.as_path(), RecordFile::open(path)?)))
        .collect::<Result<Vec<_>, RecordError>>()?;
    let target = File::create_new(to).map_err(PathError::at(to))?;
    let writer = RecordWriter::new(BufWriter::new(target), format.into());
    let written = write_all(&files, writer, to);
    let records = written.inspect_err(|_| {
        // An incomplete file must not be mistaken for a complete one.
        let _ = fs::remove_file(to);
    })?;
    writeln!(out, "{records} records written to {}", to.display())?;
    Ok(())
}

/// Writes all records of some files to `to`; returns how many there were.
fn write_all(
    files: &[(&Path, RecordFile)],
    mut writer: RecordWriter<BufWriter<File>>,
    to: &Path,
) -> Result<u64, Box<dyn Error>> {
    let mut records = 0;
    for &(path, ref file) in files {
        for block in 0..file.blocks() {
            let mut failure = None;
            file.visit(block, &mut |position, label| {
                if failure.is_some() {
                    return;
                }
                failure = match Psv::new(position, *label) {
                    Ok(record) => writer.write(&record).err().map(|error| match error.kind() {
                        io::ErrorKind::InvalidData => PathError::at(path)(error),
                        _ => PathError::at(to)(error),
                    }),
                    Err(error) => Some(PathError::at(path)(error)),
                };
                records += 1;
            })?;
            failure.map_or(Ok(()), Err)?;
        }
    }
    writer.finish().map_err(PathError::at(to))?;
    Ok(records)
}

//! `hien data relabel`: new scores for the positions of training files.

use std::error::Error;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::str::FromStr;
use std::time::Instant;

use crate::data::{Format, RecordFile};
use crate::eval::Evaluator;
use crate::eval::nnue::NetFile;
use crate::eval::simd::Kernels;
use crate::relabel::{Options, Output, Scoring, Tally, relabel};
use crate::settings::{INTERNAL_EVAL, MATERIAL_EVAL};

use super::common::format_name::FormatName;
use super::common::path_error::PathError;
use super::common::{interrupt, progress};

/// The arguments of `hien data relabel`.
#[derive(clap::Args, Debug)]
pub struct Arguments {
    /// The files to read, sbinpack or PSV
    #[arg(value_name = "FILE", required = true)]
    files: Vec<PathBuf>,
    /// The file to write, or to go on with
    #[arg(long, value_name = "FILE")]
    output: PathBuf,
    /// The format to write; sbinpack needs --nodes or --depth
    #[arg(long, value_enum, default_value = "psv")]
    format: FormatName,
    /// What scores come from: a net's file, perhaps with its FV_SCALE, `<internal>` or `material`. If given several
    /// times, the mean winning probability counts
    #[arg(long, value_name = "NET[:FV_SCALE]", default_value = INTERNAL_EVAL)]
    eval: Vec<Source>,
    /// Nodes of a search of each position, instead of its static evaluation
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..=1 << 40))]
    nodes: Option<u64>,
    /// Depth of a search of each position, instead of its static evaluation
    #[arg(long, value_name = "PLIES", conflicts_with = "nodes", value_parser = clap::value_parser!(u32).range(1..))]
    depth: Option<u32>,
    /// Also write this many variants of each position, each 1 to 3 random legal moves further
    #[arg(long, value_name = "N", default_value_t = 0, value_parser = clap::value_parser!(u16).range(..=1000))]
    variants: u16,
    /// Threads; all processors without it
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: Option<u16>,
    /// Hash table of each search in MiB
    #[arg(long, value_name = "MIB", default_value_t = 4)]
    hash: usize,
    /// Seed of the random moves
    #[arg(long, default_value_t = 1)]
    seed: u64,
}

/// Arguments that make no sense.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
enum ArgumentError {
    #[error("FV_SCALE lies between 1 and 128")]
    FvScale,
    #[error("sbinpack needs moves, so it needs --nodes or --depth")]
    NoMoves,
}

/// Where an evaluation comes from.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Source {
    Internal,
    Material,
    Net(PathBuf, Option<u32>),
}

impl FromStr for Source {
    type Err = ArgumentError;

    /// Any text is a file, unless it is one of the names; a number behind the last colon is a scale.
    fn from_str(text: &str) -> Result<Self, ArgumentError> {
        match text {
            INTERNAL_EVAL => return Ok(Self::Internal),
            MATERIAL_EVAL => return Ok(Self::Material),
            _ => {}
        }
        let scaled = text
            .rsplit_once(':')
            .and_then(|(path, scale)| Some((path, scale.parse::<u32>().ok()?)));
        match scaled {
            Some((path, scale @ 1..=128)) => Ok(Self::Net(path.into(), Some(scale))),
            Some(_) => Err(ArgumentError::FvScale),
            None => Ok(Self::Net(text.into(), None)),
        }
    }
}

impl Source {
    fn load(&self) -> Result<Evaluator, PathError> {
        match self {
            Self::Internal => Ok(Evaluator::internal()),
            Self::Material => Ok(Evaluator::material()),
            Self::Net(path, scale) => {
                let file = NetFile::read(path, None).map_err(PathError::at(path))?;
                let scale = scale.unwrap_or(file.scale.0);
                Ok(Evaluator::net(file.net.into(), Kernels::best(), scale))
            }
        }
    }
}

impl Arguments {
    /// Relabels the files until all is done or the user interrupts, and writes a summary.
    ///
    /// # Errors
    ///
    /// If a file cannot be read or written or is damaged, or the arguments make no sense; the message is for the user.
    pub fn run(&self, out: &mut dyn Write) -> Result<(), Box<dyn Error>> {
        let options = self.options()?;
        let files = self
            .files
            .iter()
            .map(|path| RecordFile::open(path))
            .collect::<Result<Vec<_>, _>>()?;
        let evaluators = self.eval.iter().map(Source::load);
        let evaluators = evaluators.collect::<Result<Vec<_>, _>>()?;
        let output = Output::open(&self.output, &options, &files, &evaluators)?;
        let stop = interrupt::flag()?;
        let threads = self
            .threads
            .map_or_else(rayon::current_num_threads, usize::from);
        let blocks: usize = files.iter().map(RecordFile::blocks).sum();
        let bar = progress::bar(
            Some(blocks as u64),
            "{wide_bar} {percent}% {msg} {eta} left",
        );
        let (begin, before) = (Instant::now(), *output.tally());
        bar.set_position(before.blocks as u64);
        bar.reset_eta();
        let tally = relabel(
            &files,
            &evaluators,
            &options,
            threads,
            output,
            &stop,
            &mut |tally| {
                bar.set_position(tally.blocks as u64);
                let written = (tally.written - before.written) as f64;
                let speed = written / begin.elapsed().as_secs_f64();
                bar.set_message(format!("{} positions, {speed:.0}/s", tally.written));
            },
        )?;
        bar.finish_and_clear();
        write_tally(out, &tally, blocks, &self.output)?;
        Ok(())
    }

    fn options(&self) -> Result<Options, ArgumentError> {
        let scoring = match (self.nodes, self.depth) {
            (Some(nodes), _) => Scoring::Nodes(nodes),
            (None, Some(depth)) => Scoring::Depth(depth),
            (None, None) => Scoring::Static,
        };
        let format = Format::from(self.format);
        if (scoring, format) == (Scoring::Static, Format::Sbinpack) {
            return Err(ArgumentError::NoMoves);
        }
        Ok(Options {
            scoring,
            variants: self.variants.into(),
            hash_mib: self.hash,
            format,
            seed: self.seed,
        })
    }
}

fn write_tally(
    out: &mut dyn Write,
    tally: &Tally,
    blocks: usize,
    path: &Path,
) -> std::io::Result<()> {
    let Tally {
        blocks: done,
        read,
        written,
        skipped,
    } = tally;
    writeln!(out, "blocks      {done} of {blocks}, {read} records read")?;
    writeln!(
        out,
        "written     {written} records to {}, {skipped} positions skipped",
        path.display()
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_number_behind_the_last_colon_is_a_scale() {
        let net = |path: &str, scale| Ok(Source::Net(path.into(), scale));
        assert_eq!("nn.bin".parse(), net("nn.bin", None));
        assert_eq!("nn.bin:24".parse(), net("nn.bin", Some(24)));
        assert_eq!(r"C:\eval\nn.bin".parse(), net(r"C:\eval\nn.bin", None));
        assert_eq!(r"C:\nn.bin:16".parse(), net(r"C:\nn.bin", Some(16)));
        assert!("nn.bin:0".parse::<Source>().is_err());
        assert_eq!("material".parse(), Ok(Source::Material));
        assert_eq!("<internal>".parse(), Ok(Source::Internal));
    }
}

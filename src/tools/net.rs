//! `hien net`: what an evaluation file is, and rewriting one.

use std::error::Error;
use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::time::Instant;

use crate::eval::nnue::arch::Family;
use crate::eval::nnue::convert::{Form, convert};
use crate::eval::nnue::{Net, NetFile, NetInfo, StackRule, read_bytes, scaled};
use crate::eval::simd::{self, Kernels};
use crate::score::Score;
use crate::shogi::{Position, SfenError};

use super::common::path_error::PathError;

/// The arguments of `hien net`.
#[derive(clap::Args, Debug)]
#[command(args_conflicts_with_subcommands = true, arg_required_else_help = true)]
pub struct Arguments {
    /// The file to describe
    #[arg(value_name = "FILE")]
    file: Option<PathBuf>,
    /// How a layer stack is chosen, if the file does not say it (k3k3, hand16_k3k3_progress4 ..)
    #[arg(long)]
    rule: Option<StackRule>,
    /// FV_SCALE of the sample evaluation, if not the one found
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=128))]
    fv_scale: Option<u32>,
    /// Position of the sample evaluation; the start position without it
    #[arg(long)]
    sfen: Option<String>,
    #[command(subcommand)]
    command: Option<NetCommand>,
}

#[derive(clap::Subcommand, Debug)]
enum NetCommand {
    /// Rewrite a net in another form; only nets with layer stacks have two
    Convert {
        /// The file to read
        #[arg(value_name = "FILE")]
        from: PathBuf,
        /// The file to write; it must not exist
        #[arg(value_name = "NEW FILE")]
        to: PathBuf,
        /// The form of the transformer's numbers
        #[arg(long, value_enum)]
        form: FormName,
    },
}

#[derive(clap::ValueEnum, Clone, Copy, Debug)]
enum FormName {
    /// Two bytes per number
    Plain,
    /// LEB128, as YaneuraOu reads it
    Compressed,
}

/// Why there is no sample evaluation.
#[derive(Debug, thiserror::Error)]
enum SampleError {
    #[error("{sfen}: {error}")]
    Sfen { sfen: String, error: SfenError },
    #[error("the CPU path {0} gives another value: please report this")]
    Disagreement(simd::CpuPath),
}

impl Arguments {
    /// Describes or rewrites a file.
    ///
    /// # Errors
    ///
    /// If the file is no usable net, or reading or writing fails; the message is for the user.
    pub fn run(&self, out: &mut dyn Write) -> Result<(), Box<dyn Error>> {
        match (&self.command, &self.file) {
            (Some(NetCommand::Convert { from, to, form }), _) => rewrite(from, to, *form, out),
            (None, Some(file)) => self.describe(file, out),
            (None, None) => Ok(()),
        }
    }

    fn describe(&self, path: &Path, out: &mut dyn Write) -> Result<(), Box<dyn Error>> {
        let position = match &self.sfen {
            Some(sfen) => Position::from_sfen(sfen).map_err(|error| SampleError::Sfen {
                sfen: sfen.clone(),
                error,
            })?,
            None => Position::startpos(),
        };
        let start = Instant::now();
        let file = NetFile::read(path, self.rule).map_err(PathError::at(path))?;
        writeln!(out, "file          {}", path.display())?;
        print_facts(&file.net, out)?;
        let (scale, source) = match self.fv_scale {
            Some(scale) => (scale, "as asked for".to_owned()),
            None => (file.scale.0, file.scale.1.to_string()),
        };
        writeln!(out, "FV_SCALE      {scale} ({source})")?;
        writeln!(out, "loading       {} ms", start.elapsed().as_millis())?;
        print_sample(&file.net, &position, scale, out)?;
        Ok(())
    }
}

fn print_facts(net: &Net, out: &mut dyn Write) -> io::Result<()> {
    let (info, arch) = (net.info(), net.architecture());
    let form = if info.compressed {
        "compressed"
    } else {
        "plain"
    };
    let kind = if arch.is_stacked() {
        "layer stacks"
    } else {
        "classic"
    };
    writeln!(out, "architecture  {arch}")?;
    writeln!(
        out,
        "format        {kind}, {form}, version {:08X}, {} bytes",
        info.version, info.bytes
    )?;
    if info.padding > 0 {
        writeln!(out, "filler        {} bytes", info.padding)?;
    }
    writeln!(out, "description   {:?}", info.description)?;
    writeln!(
        out,
        "inputs        {} per side, {}",
        arch.features.inputs(),
        arch.features.name()
    )?;
    let [first, second, output] = arch.layers();
    writeln!(
        out,
        "layers        {}x2 > {}-{} > {}-{} > {}-1",
        arch.width, first.0, first.1, second.0, second.1, output.0
    )?;
    if let Family::Stacks(stacks) = arch.family {
        let progress = if stacks.progress {
            ", with progress weights"
        } else {
            ""
        };
        writeln!(
            out,
            "stacks        {}, chosen by {}{progress}",
            info.stacks, stacks.rule
        )?;
    }
    print_hashes(info, out)
}

fn print_hashes(info: &NetInfo, out: &mut dyn Write) -> io::Result<()> {
    let hashes = [
        ("file", info.file_hash),
        ("transformer", info.transformer_hash),
        ("network", info.network_hash),
    ];
    let texts = hashes.map(|(name, [found, expected])| {
        if found == expected {
            format!("{name} {found:08X}")
        } else {
            format!("{name} {found:08X} (YaneuraOu: {expected:08X})")
        }
    });
    writeln!(out, "hashes        {}", texts.join(", "))
}

/// The value of a position on every CPU path.
fn print_sample(
    net: &Net,
    position: &Position,
    scale: u32,
    out: &mut dyn Write,
) -> Result<(), Box<dyn Error>> {
    writeln!(out, "position      {}", position.sfen())?;
    let raw = net.evaluate(Kernels::best(), position);
    let Some(raw) = raw else {
        writeln!(out, "evaluation    none: a king is missing")?;
        return Ok(());
    };
    let value = scaled(raw, scale);
    let cp = match Score::from_value(value.clamp(-crate::score::EVAL_MAX, crate::score::EVAL_MAX)) {
        Score::Cp(cp) => cp,
        Score::Mate(plies) => plies,
    };
    let stack = if net.architecture().is_stacked() {
        net.stack(position)
            .map_or(String::new(), |stack| format!(", stack {stack}"))
    } else {
        String::new()
    };
    writeln!(
        out,
        "evaluation    raw {raw}, value {value}, {cp} centipawns for the side to move{stack}"
    )?;
    let mut names = Vec::new();
    for path in simd::CpuPath::available() {
        let same =
            Kernels::of(path).and_then(|kernels| net.evaluate(kernels, position)) == Some(raw);
        names.push(path.name());
        if !same {
            return Err(SampleError::Disagreement(path).into());
        }
    }
    writeln!(
        out,
        "CPU paths     {}: all agree; the last is used",
        names.join(", ")
    )?;
    Ok(())
}

fn rewrite(
    from: &Path,
    to: &Path,
    form: FormName,
    out: &mut dyn Write,
) -> Result<(), Box<dyn Error>> {
    let form = match form {
        FormName::Plain => Form::Plain,
        FormName::Compressed => Form::Compressed,
    };
    let bytes = read_bytes(from).map_err(PathError::at(from))?;
    let converted = convert(&bytes, form).map_err(PathError::at(from))?;
    let write = || fs::File::create_new(to)?.write_all(&converted);
    write().map_err(PathError::at(to))?;
    writeln!(
        out,
        "{} bytes read, {} bytes written to {}",
        bytes.len(),
        converted.len(),
        to.display()
    )?;
    Ok(())
}

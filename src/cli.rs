//! The program: reads its arguments, prepares the log and hands over to the protocol or to a command.

use std::fmt::Display;
use std::io::{self, Write};
use std::path::PathBuf;
use std::process;

use clap::{CommandFactory, Parser, Subcommand};
use clap_complete::Shell;

use crate::tools::bench::{self, Bench};
use crate::tools::{
    self, analyze, book, convert, data, doctor, gensfen, mate, net, options, perft, train, validate,
};
use crate::usi::{self, output::Output};

/// A shogi engine. Without a subcommand it speaks USI on standard input and output.
#[derive(Parser)]
#[command(version)]
struct Arguments {
    /// Configuration to use instead of engine.toml beside the program or in the working directory
    #[arg(long, value_name = "FILE")]
    config: Option<PathBuf>,
    #[command(subcommand)]
    command: Option<Command>,
}

#[derive(Subcommand)]
enum Command {
    /// Count the legal move tree
    Perft(perft::Arguments),
    /// Solve mate problems
    Mate(mate::Arguments),
    /// Search a fixed list of positions
    Bench(bench::Arguments),
    /// Check the installation and show what a bug report needs
    Doctor,
    /// Describe an evaluation file, or rewrite one
    Net(net::Arguments),
    /// Describe, search, convert or make opening books
    Book(book::Arguments),
    /// Analyze games (1 s a position by default): judge every move, write an annotated record, JSON and a web page
    #[command(visible_alias = "analyse")]
    Analyze(analyze::Arguments),
    /// Convert game records between KIF, KI2, CSA, JKF and USI
    Convert(convert::Arguments),
    /// Tell whether positions are possible, and what is wrong with them
    Validate(validate::Arguments),
    /// Write the table of options, for documentation or as an engine.toml
    Options(options::Arguments),
    /// Write completions for a shell, to be sourced or put where it looks for them
    Completions { shell: Shell },
    /// Describe, convert or relabel training data
    Data(data::Arguments),
    /// Play games against itself and write their positions as training data
    Gensfen(gensfen::Arguments),
    /// Train a net on training data
    Train(train::Arguments),
}

/// Runs the program with the arguments of the process.
///
/// # Errors
///
/// Those of writing to standard output.
pub fn run() -> io::Result<()> {
    let arguments = Arguments::parse();
    // USI clients may never read standard error, or mistake it for answers: without a command nothing is written there
    // but reports of panics, unless RUST_LOG asks for more.
    let level = match arguments.command {
        None => "off",
        Some(_) => "warn",
    };
    let environment = env_logger::Env::default().default_filter_or(level);
    env_logger::Builder::from_env(environment)
        .format_timestamp(None)
        .format_target(false)
        .init();
    let output = Output::standard();
    let config = arguments.config.as_deref();
    match arguments.command {
        None => usi::run(config, output),
        Some(Command::Bench(bench)) => match Bench::try_from(bench) {
            Ok(bench) => bench.run(&mut output.writer()).map(drop),
            Err(error) => fail(error),
        },
        Some(Command::Doctor) => match doctor::run(config, &mut output.writer())? {
            0 => Ok(()),
            _ => process::exit(1),
        },
        Some(Command::Net(net)) => net.run(&mut output.writer()).or_else(|error| fail(error)),
        Some(Command::Book(book)) => {
            finish(book.run(&mut tools::configured_engine(config), &mut output.writer()))
        }
        Some(Command::Analyze(analyze)) => {
            finish(analyze.run(&mut tools::configured_engine(config), &mut output.writer()))
        }
        Some(Command::Convert(convert)) => finish(convert.run(&mut output.writer())),
        Some(Command::Options(options)) => options.run(&mut output.writer()),
        Some(Command::Validate(validate)) => finish(validate.run(&mut output.writer())),
        Some(Command::Completions { shell }) => {
            let mut command = Arguments::command();
            clap_complete::generate(shell, &mut command, "hien", &mut output.writer());
            Ok(())
        }
        Some(Command::Mate(mate)) => finish(mate.run(&mut output.writer())),
        Some(Command::Data(data)) => data.run(&mut output.writer()).or_else(|error| fail(error)),
        Some(Command::Gensfen(gensfen)) => gensfen
            .run(&mut tools::configured_engine(config), &mut output.writer())
            .or_else(|error| fail(error)),
        Some(Command::Train(train)) => train.run(&mut output.writer()).or_else(|error| fail(error)),
        Some(Command::Perft(perft)) => match perft.position() {
            Ok(position) => perft.run(&position, &mut output.writer()),
            Err(error) => fail(error),
        },
    }
}

/// Ends the program with 1 if a task was not fully done, and with a message if it could not be done at all.
fn finish<E: Display>(result: Result<bool, E>) -> io::Result<()> {
    match result {
        Ok(true) => Ok(()),
        Ok(false) => process::exit(1),
        Err(error) => fail(error),
    }
}

/// Ends the program with a message about what was asked for.
fn fail(error: impl Display) -> ! {
    // If standard error is closed nobody reads it anyway.
    let _ = writeln!(io::stderr(), "error: {error}");
    process::exit(2)
}

//! The USI protocol: how GUIs and match programs talk to the engine over standard input and output.
//!
//! A line goes through these files: `reader` timestamps it and has `command` parse it; `session`, the dispatcher, acts
//! on it, with `setup` for positions and `options` for settings; `reporter` connects a running search and the
//! dispatcher, `go_mate` does so for mate problems (tsume); `event` is what these threads send to it. `output` writes
//! in the `encoding` of the client, `crash_report` reports panics, `inspect` serves people who type commands. Start at
//! [`run`], then read `session`.
//!
//! Nothing here may panic on any input. Two threads work besides the search: the reader, which only waits for
//! input, and the dispatcher, which never waits for a search.

#![cfg_attr(
    not(test),
    deny(
        clippy::unwrap_used,
        clippy::expect_used,
        clippy::panic,
        clippy::indexing_slicing
    )
)]

pub mod command;
mod crash_report;
mod encoding;
mod event;
mod go_mate;
mod inspect;
pub mod options;
pub mod output;
mod reader;
mod reporter;
mod session;
pub mod setup;
#[cfg(feature = "tune")]
mod tunables;

use std::io::{self, IsTerminal, Read, Write};
use std::path::Path;
use std::process;
use std::sync::Arc;
use std::sync::mpsc;
use std::thread;
use std::time::Duration;

use crate::settings::Config;
use crate::threads;

use crash_report::CrashReporter;
use output::Output;
use session::Session;

/// Who wrote the engine.
const AUTHOR: &str = "the Hien developers";

/// The greeting for users who start the engine in a terminal.
const WELCOME: &str = "USI engine; type usi, or hien --help";

/// How long the dispatcher gets to end by itself once nobody is there any more.
const LAST_MOMENT: Duration = Duration::from_millis(50);

/// Serves a client on standard input and `output` until it leaves; ends the process. `config` is the file to use
/// instead of the usual `engine.toml`.
pub fn run(config: Option<&Path>, output: Output) -> ! {
    let config = Config::load(config);
    let crash_reporter = Arc::new(CrashReporter::default());
    crash_reporter.report_panics();
    threads::share_work();
    if io::stdin().is_terminal() {
        // If standard error is closed nobody reads it anyway.
        let _ = writeln!(io::stderr(), "{WELCOME}");
    }
    serve_recorded(
        io::stdin(),
        Arc::new(output),
        &config,
        crash_reporter,
        || {
            // Loading or counting may be under way, and nobody waits for its end.
            thread::sleep(LAST_MOMENT);
            process::exit(0);
        },
    );
    // Not by returning from main: freeing large tables would take time for nothing.
    process::exit(0);
}

/// Serves a client until `quit` or the end of `input`. `on_end` is called in the reading thread then.
pub fn serve(
    input: impl Read + Send + 'static,
    output: Arc<Output>,
    config: &Config,
    on_end: impl FnOnce() + Send + 'static,
) {
    serve_recorded(input, output, config, Arc::default(), on_end);
}

fn serve_recorded(
    input: impl Read + Send + 'static,
    output: Arc<Output>,
    config: &Config,
    crash_reporter: Arc<CrashReporter>,
    on_end: impl FnOnce() + Send + 'static,
) {
    let (events, inbox) = mpsc::channel();
    let mut session = Session::new(config, output.clone(), crash_reporter, events.clone());
    let read = move || {
        reader::read_all(input, &events);
        on_end();
    };
    match thread::Builder::new().name("reader".to_owned()).spawn(read) {
        Ok(_) => session.run(&inbox),
        Err(error) => output.note(&format!("no thread to read the input: {error}")),
    }
}

/// The lines that name engine and author.
fn identity(config: &Config) -> String {
    let name = config
        .name
        .as_deref()
        .unwrap_or(concat!("Hien ", env!("CARGO_PKG_VERSION")));
    let author = config.author.as_deref().unwrap_or(AUTHOR);
    format!("id name {name}\nid author {author}")
}

#[cfg(test)]
mod tests;

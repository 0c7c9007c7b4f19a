//! Crash reports: what a user should report when the engine panics. A panic never ends the session: the line that
//! caused it is dropped, or the search is answered from what is known.

use std::env::consts::{ARCH, OS};
use std::io::{self, Write};
use std::panic;
use std::sync::{Arc, Mutex, MutexGuard};

use crate::threads;

/// Remembers the last lines of input for the report of a panic.
#[derive(Default)]
pub struct CrashReporter {
    last: Mutex<LastLines>,
}

#[derive(Default)]
struct LastLines {
    position: String,
    command: String,
}

impl CrashReporter {
    /// Notes a line of input.
    pub fn note(&self, line: &str) {
        let mut last = self.lock();
        if line.starts_with("position") {
            line.clone_into(&mut last.position);
        } else {
            line.clone_into(&mut last.command);
        }
    }

    /// The text of a report: the program's version, and the last lines that matter.
    pub fn report(&self) -> String {
        let last = self.lock();
        format!(
            "Hien {} ({OS} {ARCH}) met a fault. Please report it with these lines.\n{}\n{}",
            env!("CARGO_PKG_VERSION"),
            last.position,
            last.command,
        )
    }

    /// Reports every panic of the process on standard error from now on.
    pub fn report_panics(self: &Arc<Self>) {
        let reporter = self.clone();
        let usual = panic::take_hook();
        panic::set_hook(Box::new(move |info| {
            // If standard error is closed nobody reads it anyway.
            let _ = writeln!(io::stderr(), "{}", reporter.report());
            usual(info);
        }));
    }

    fn lock(&self) -> MutexGuard<'_, LastLines> {
        threads::lock(&self.last)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_report_names_the_program_the_position_and_the_command() {
        let reporter = CrashReporter::default();
        for line in [
            "position startpos",
            "isready",
            "position startpos moves 7g7f",
            "go depth 3",
        ] {
            reporter.note(line);
        }
        let report = reporter.report();
        let lines: Vec<_> = report.lines().collect();
        assert!(lines[0].contains(env!("CARGO_PKG_VERSION")), "{report}");
        assert_eq!(lines[1..], ["position startpos moves 7g7f", "go depth 3"]);
    }
}

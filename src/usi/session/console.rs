//! Commands for people and scripts. Not part of the protocol: no client sends them unasked.

use std::sync::mpsc::Sender;

use clap::Parser;

use crate::settings::options::{self, OPTIONS};
use crate::shogi::{Color, Position};
use crate::tools::bench::{self, Bench};
use crate::tools::doctor::{self, Installation};
use crate::tools::perft;
use crate::usi::command::Command;
use crate::usi::inspect;

use super::{Mode, Session};

impl Session {
    pub(super) fn wait(&mut self, hold: Option<Sender<()>>) {
        match &self.job {
            None => {}
            Some(job) if job.mode == Mode::Normal => self.waiting.extend(hold),
            Some(_) => self.output.note("wait: this search ends only after stop"),
        }
    }

    /// The position, unless the last one was refused.
    fn position(&self) -> Option<&Position> {
        if self.is_refused {
            self.output
                .note("there is no position: the last one was rejected");
            return None;
        }
        Some(self.engine.position())
    }

    pub(super) fn inspect(&self, command: &Command) {
        let Some(position) = self.position() else {
            return;
        };
        let text = match command {
            Command::Moves => inspect::moves(position),
            Command::Eval => inspect::evaluation(self.engine.evaluate()),
            Command::Side => match position.side_to_move() {
                Color::Black => "black".to_owned(),
                Color::White => "white".to_owned(),
            },
            _ => inspect::display(position, self.engine.settings().search.entering_king_rule),
        };
        self.output.line(&text);
    }

    pub(super) fn show_options(&self, name: Option<&str>) {
        let options: Vec<_> = match name.map(options::find) {
            None => OPTIONS.iter().collect(),
            Some(Some(option)) => vec![option],
            Some(None) => return self.output.note("getoption: unknown option"),
        };
        for option in options {
            if let Some(value) = option.value(self.engine.settings()) {
                self.output
                    .line(format!("Options[{}] = {value}", option.name).trim_ascii_end());
            }
        }
    }

    pub(super) fn perft(&self, depth: u32) {
        let threads = self.engine.settings().threads;
        if let Some(position) = self.position() {
            let report = perft::run(position, depth, threads);
            self.output.line(&report.lines());
        }
    }

    pub(super) fn bench(&mut self, arguments: &[String]) {
        if self.job.is_some() {
            return self.output.note("bench: a search is running");
        }
        let arguments = match bench::Arguments::try_parse_from(arguments) {
            Ok(arguments) => arguments,
            Err(error) => return self.output.note(&error.to_string()),
        };
        match Bench::try_from(arguments) {
            // The writer never fails: a closed output is noticed by the output itself.
            Ok(bench) => drop(bench.run(&mut self.output.writer())),
            Err(error) => self.output.note(&error.to_string()),
        }
    }

    pub(super) fn examine(&mut self) {
        if self.job.is_some() {
            return self.output.note("doctor: a search is running");
        }
        let installation = Installation {
            config: self.config.clone(),
            problems: self
                .remarks
                .drain(..)
                .map(|remark| remark.to_string())
                .collect(),
            changed: options::changed(self.engine.settings()),
        };
        let mut out = self.output.writer();
        // The writer never fails: a closed output is noticed by the output itself.
        drop(doctor::examine(&mut self.engine, &installation, &mut out));
    }
}

//! `analyze`: searches every position of a game, judges the moves, and writes what was found: an annotated record
//! (`kif`), JSON, and a page for browsers (`html`). `report` is the data, `judge` the measure.

mod html;
mod judge;
mod kif;
mod report;
mod western;

use std::collections::{BTreeMap, BTreeSet};
use std::fs::{self, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use crate::engine::Engine;
use crate::shogi::Position;

use super::common::effort::Effort;
use super::common::progress;
use super::common::target::prepare_folder;
use super::common::think::{Thought, think};
use super::games::{self, Game, Games};

use judge::Judgement;
use report::{GameReport, LineReport, Totals};

/// The arguments of `hien analyze`.
#[derive(clap::Args, Clone, Debug)]
pub struct Arguments {
    /// Records in KIF, KI2, CSA, JKF or USI, UTF-8 or Shift_JIS; folders with such files
    #[arg(required = true, value_name = "GAME")]
    games: Vec<PathBuf>,
    /// How long to search each position
    #[command(flatten)]
    effort: Effort,
    /// Lines to show for each position
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..=600))]
    multipv: u32,
    /// Search threads; as in engine.toml without it
    #[arg(long, value_name = "N")]
    threads: Option<usize>,
    /// Hash table in MiB; as in engine.toml without it
    #[arg(long, value_name = "MIB")]
    hash: Option<usize>,
    /// Folder for the results; beside each game without it
    #[arg(long, value_name = "FOLDER")]
    out: Option<PathBuf>,
    /// What to write
    #[arg(long, value_enum, value_delimiter = ',', default_values_t = [OutputFormat::Kif, OutputFormat::Json, OutputFormat::Html])]
    format: Vec<OutputFormat>,
    /// Write the annotated record in Shift_JIS, as .kif, instead of UTF-8, as .kifu
    #[arg(long)]
    shift_jis: bool,
}

#[derive(clap::ValueEnum, Clone, Copy, Debug, PartialEq, Eq)]
enum OutputFormat {
    /// The record with comments
    Kif,
    /// All numbers
    Json,
    /// A page for browsers
    Html,
}

impl Arguments {
    /// Analyses the games with `engine` and writes a table of each to `out`. A game that cannot be read, or whose
    /// results cannot be written, is reported there, and the others are still analysed. Returns whether all went well.
    ///
    /// # Errors
    ///
    /// If a folder for results cannot be written into, or two games would have the same results, before anything is
    /// analysed; those of `out`.
    pub fn run(&self, engine: &mut Engine, out: &mut dyn Write) -> io::Result<bool> {
        let settings = engine.settings_mut();
        settings.book.own_book = false;
        settings.search.multi_pv = self.multipv;
        settings.threads = self.threads.unwrap_or(settings.threads);
        settings.hash_mib = self.hash.unwrap_or(settings.hash_mib);
        let files = games::find(&self.games)?;
        self.prepare_targets(&files)?;
        let mut are_all_done = true;
        for path in files {
            match games::read(&path) {
                Ok(Games { games, errors }) => {
                    are_all_done &= errors.is_empty();
                    for error in errors {
                        writeln!(out, "{error}")?;
                    }
                    for (game, number) in games.iter().zip(1..) {
                        let number = (games.len() > 1).then_some(number);
                        are_all_done &= self.analyze(engine, game, &path, number, out)?;
                    }
                }
                Err(error) => {
                    are_all_done = false;
                    writeln!(out, "{error}")?;
                }
            }
        }
        Ok(are_all_done)
    }

    /// Makes sure that results can be written beside `files`, or into the folder asked for, each in a place of its own.
    fn prepare_targets(&self, files: &[PathBuf]) -> io::Result<()> {
        let mut sources = BTreeMap::new();
        for path in files {
            let target = self.target(path, None, "*");
            if let Some(other) = sources.insert(target.clone(), path) {
                return Err(io::Error::other(format!(
                    "{} would be the results of both {} and {}",
                    target.display(),
                    other.display(),
                    path.display()
                )));
            }
        }
        let folders: BTreeSet<&Path> = match &self.out {
            Some(folder) => [folder.as_path()].into(),
            None => {
                let files = files.iter().filter(|file| file.is_file());
                files.filter_map(|file| file.parent()).collect()
            }
        };
        folders.into_iter().try_for_each(prepare_folder)
    }

    fn analyze(
        &self,
        engine: &mut Engine,
        game: &Game,
        path: &Path,
        number: Option<usize>,
        out: &mut dyn Write,
    ) -> io::Result<bool> {
        let targets: Vec<_> = self
            .format
            .iter()
            .map(|form| (form, self.target(path, number, self.extension(*form))))
            .collect();
        // Before the work: an existing file may be write-protected.
        for (_, target) in &targets {
            if let Err(error) = check_writable(target) {
                writeln!(out, "{}: {error}", target.display())?;
                return Ok(false);
            }
        }
        engine.new_game();
        let thoughts = self.think_through(engine, game);
        let rule = engine.settings().search.entering_king_rule;
        let report = GameReport::new(game, &thoughts, self.effort.describe(), rule);
        writeln!(
            out,
            "{}{}",
            path.display(),
            number.map_or(String::new(), |n| format!(" ({n})"))
        )?;
        write_table(&report, out)?;
        let mut is_all_written = true;
        for (form, target) in targets {
            let bytes = match form {
                OutputFormat::Kif => kif::write(game, &report, self.shift_jis),
                OutputFormat::Json => serde_json::to_vec_pretty(&report)?,
                OutputFormat::Html => html::page(&report)?.into_bytes(),
            };
            match fs::write(&target, bytes) {
                Ok(()) => writeln!(out, "wrote {}", target.display())?,
                Err(error) => {
                    is_all_written = false;
                    writeln!(out, "{}: {error}", target.display())?;
                }
            }
        }
        Ok(is_all_written)
    }

    /// Searches from the last position to the first, so that what was found later helps to judge what came before.
    fn think_through(&self, engine: &mut Engine, game: &Game) -> Vec<Thought> {
        let mut positions = vec![game.start.clone()];
        for &mv in &game.moves {
            let mut next = positions[positions.len() - 1].clone();
            next.do_move(mv);
            positions.push(next);
        }
        let bar = progress::bar(Some(positions.len() as u64), progress::COUNTED);
        let mut search = |position: &Position| {
            let thought = think(engine, position, self.effort.limits());
            bar.inc(1);
            thought
        };
        let mut thoughts: Vec<_> = positions.iter().rev().map(&mut search).collect();
        thoughts.reverse();
        bar.finish_and_clear();
        thoughts
    }

    const fn extension(&self, form: OutputFormat) -> &'static str {
        match form {
            OutputFormat::Kif if self.shift_jis => "kif",
            OutputFormat::Kif => "kifu",
            OutputFormat::Json => "json",
            OutputFormat::Html => "html",
        }
    }

    /// Where a result belongs: `game.analysis.html`, or `game-2.analysis.html` for the second game of a file.
    fn target(&self, path: &Path, number: Option<usize>, extension: &str) -> PathBuf {
        let mut name = path.file_stem().unwrap_or_default().to_owned();
        if let Some(number) = number {
            name.push(format!("-{number}"));
        }
        name.push(format!(".analysis.{extension}"));
        match &self.out {
            Some(folder) => folder.join(name),
            None => path.with_file_name(name),
        }
    }
}

/// Whether a file that may be there already can be written.
fn check_writable(path: &Path) -> io::Result<()> {
    match OpenOptions::new().write(true).open(path) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error),
        _ => Ok(()),
    }
}

fn write_table(report: &GameReport, out: &mut dyn Write) -> io::Result<()> {
    writeln!(
        out,
        "{:>4}  {:<10} {:>8} {:>7}  {:<10}  best line",
        "", "move", "score", "loss", ""
    )?;
    for mv in &report.moves {
        let before = report.positions[mv.number - 1].lines.first();
        let after = report.positions[mv.number].lines.first();
        let is_best = mv.judgement == Judgement::Best;
        let best = before.map_or(String::new(), |line| line.western.join(" "));
        writeln!(
            out,
            "{:>4}{} {:<10} {:>8} {:>6.1}%  {:<10}  {}",
            mv.number,
            if mv.is_black { '+' } else { '-' },
            mv.western,
            after.map_or(String::new(), score_text),
            100.0 * mv.loss,
            mv.judgement.english(),
            if is_best { "" } else { &best },
        )?;
    }
    for (totals, name) in report.players.iter().zip(["Black", "White"]) {
        writeln!(out, "{name}: {}", totals_text(totals))?;
    }
    Ok(())
}

/// A score from Black's side.
fn score_text(line: &LineReport) -> String {
    match (line.mate, line.cp) {
        (Some(plies), _) => format!("mate {plies}"),
        (None, cp) => format!("{:+}", cp.unwrap_or_default()),
    }
}

fn totals_text(totals: &Totals) -> String {
    let counts = Judgement::ALL.iter().zip(totals.judgements);
    let counts: Vec<_> = counts
        .map(|(judgement, count)| format!("{count} {}", judgement.english()))
        .collect();
    let average = 100.0 * totals.loss / totals.moves.max(1) as f64;
    format!(
        "{} moves, {}, {average:.1}% lost a move",
        totals.moves,
        counts.join(", ")
    )
}

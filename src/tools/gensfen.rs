//! `hien gensfen`: self-play games, written as training records.

use std::error::Error;
use std::fs;
use std::io::Write;
use std::path::PathBuf;
use std::time::Instant;

use indicatif::ProgressBar;

use crate::data::{Label, PackError, Psv};
use crate::engine::Engine;
use crate::selfplay::{
    Adjudication, Choice, Effort, Openings, Run, Settings, Store, Streak, Tally, generate,
};
use crate::shogi::{Position, SfenError};

use super::common::format_name::FormatName;
use super::common::path_error::PathError;
use super::common::{interrupt, progress};

/// The arguments of `hien gensfen`.
#[derive(clap::Args, Debug)]
pub struct Arguments {
    /// The file to write, or to go on with
    #[arg(long, value_name = "FILE")]
    output: PathBuf,
    /// The format to write
    #[arg(long, value_enum, default_value = "sbinpack")]
    format: FormatName,
    /// End after the game with which the file reaches this many positions; without it, when interrupted
    #[arg(long, value_name = "N")]
    positions: Option<u64>,
    /// Nodes of each search
    #[arg(long, value_name = "N", default_value_t = 1500, value_parser = clap::value_parser!(u64).range(1..=1 << 40))]
    nodes: u64,
    /// Draw the nodes of each search from 0.6 to 1.6 times --nodes
    #[arg(long)]
    vary_nodes: bool,
    /// Depth of each search, instead of nodes
    #[arg(long, value_name = "PLIES", conflicts_with_all = ["nodes", "vary_nodes"], value_parser = clap::value_parser!(u32).range(1..))]
    depth: Option<u32>,
    /// Games played at the same time; all processors without it
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: Option<u16>,
    /// Hash table of each thread in MiB
    #[arg(long, value_name = "MIB", default_value_t = Settings::default().hash_mib)]
    hash: usize,
    /// Evaluation file, `<internal>` or `material`; as in engine.toml without it
    #[arg(long, value_name = "NET")]
    eval: Option<String>,
    /// Seed of all that is random
    #[arg(long, default_value_t = Settings::default().seed)]
    seed: u64,
    /// File of positions to begin games from, an SFEN a line, instead of the start position
    #[arg(long, value_name = "FILE")]
    starts: Option<PathBuf>,
    /// Random moves in each game, at least and at most
    #[arg(long, value_name = "N,N", value_delimiter = ',', default_values_t = [2, 6])]
    random_moves: Vec<usize>,
    /// Last move number of the random moves
    #[arg(long, value_name = "PLIES", default_value_t = Settings::default().openings.before)]
    random_before: usize,
    /// Draw them from the best moves of a search for this many lines, instead of from all legal moves
    #[arg(long, value_name = "LINES", value_parser = clap::value_parser!(u32).range(2..=593))]
    random_multipv: Option<u32>,
    /// With --random-multipv: only moves at most this much worse than the best one
    #[arg(long, value_name = "SCORE", default_value_t = 100, requires = "random_multipv", value_parser = clap::value_parser!(i32).range(0..=10_000))]
    random_margin: i32,
    /// Drop a game if the random moves gave one player more than this
    #[arg(long, value_name = "SCORE", default_value_t = Settings::default().openings.imbalance)]
    imbalance: i32,
    /// A player who is behind by this score for --resign-plies positions loses
    #[arg(long, value_name = "SCORE", default_value_t = Settings::default().adjudication.resign.score)]
    resign_score: i32,
    /// 0 = nobody resigns
    #[arg(long, value_name = "PLIES", default_value_t = Settings::default().adjudication.resign.plies)]
    resign_plies: u32,
    /// Nobody ahead by more than this score for --draw-plies positions is a draw
    #[arg(long, value_name = "SCORE", default_value_t = Settings::default().adjudication.draw.score)]
    draw_score: i32,
    /// 0 = draws by repetition and length only
    #[arg(long, value_name = "PLIES", default_value_t = Settings::default().adjudication.draw.plies)]
    draw_plies: u32,
    /// Last move number; the game is drawn then
    #[arg(long, value_name = "PLY", default_value_t = Settings::default().adjudication.max_ply)]
    max_ply: u32,
    /// Also write positions that occurred before
    #[arg(long)]
    keep_duplicates: bool,
}

impl Arguments {
    /// Plays games with the evaluation of `engine` until there are enough or the user interrupts, and writes a summary.
    ///
    /// # Errors
    ///
    /// If the arguments make no sense, or reading or writing fails; the message is for the user.
    pub fn run(&self, engine: &mut Engine, out: &mut dyn Write) -> Result<(), Box<dyn Error>> {
        let settings = self.settings()?;
        let starts = self.start_positions()?;
        if let Some(eval) = &self.eval {
            eval.clone_into(&mut engine.settings_mut().eval_file);
        }
        engine.load_evaluation()?;
        let stop = interrupt::flag()?;
        let run = Run {
            settings: &settings,
            starts: &starts,
            evaluator: engine.evaluator(),
            threads: self
                .threads
                .map_or_else(rayon::current_num_threads, usize::from),
            positions: self.positions,
        };
        let store = Store::open(&self.output, &settings, &starts, run.evaluator)?;
        let bar = progress_bar(self.positions);
        let (begin, before) = (Instant::now(), *store.tally());
        bar.reset_eta();
        let tally = generate(&run, store, &stop, &mut |tally| {
            bar.set_position(tally.positions);
            let speed = (tally.positions - before.positions) as f64 / begin.elapsed().as_secs_f64();
            bar.set_message(format!("{} games, {speed:.0} positions/s", tally.games));
        })?;
        bar.finish_and_clear();
        write_tally(out, &tally)?;
        Ok(())
    }

    fn settings(&self) -> Result<Settings, ArgumentError> {
        let [least, most] = self.random_moves[..] else {
            return Err(ArgumentError::RandomMoves);
        };
        let before = self.random_before;
        if least > most || most > before {
            return Err(ArgumentError::RandomRange {
                least,
                most,
                before,
            });
        }
        Ok(Settings {
            effort: match self.depth {
                Some(depth) => Effort::Depth(depth),
                None if self.vary_nodes => Effort::NodesAbout(self.nodes),
                None => Effort::Nodes(self.nodes),
            },
            hash_mib: self.hash,
            openings: Openings {
                least,
                most,
                before,
                choice: self
                    .random_multipv
                    .map_or(Choice::Legal, |lines| Choice::Best {
                        lines,
                        margin: self.random_margin,
                    }),
                imbalance: self.imbalance,
            },
            adjudication: Adjudication {
                resign: Streak {
                    score: self.resign_score,
                    plies: self.resign_plies,
                },
                draw: Streak {
                    score: self.draw_score,
                    plies: self.draw_plies,
                },
                max_ply: self.max_ply,
            },
            keep_duplicates: self.keep_duplicates,
            format: self.format.into(),
            seed: self.seed,
        })
    }

    /// The positions of the file of start positions.
    fn start_positions(&self) -> Result<Vec<Position>, PathError> {
        let Some(path) = &self.starts else {
            return Ok(Vec::new());
        };
        let text = fs::read_to_string(path).map_err(PathError::at(path))?;
        read_starts(&text).map_err(PathError::at(path))
    }
}

/// Arguments that make no sense together.
#[derive(Debug, thiserror::Error)]
enum ArgumentError {
    #[error("--random-moves takes two numbers, as 2,6")]
    RandomMoves,
    #[error("--random-moves {least},{most} do not fit into {before} moves")]
    RandomRange {
        least: usize,
        most: usize,
        before: usize,
    },
}

/// What is wrong with start positions.
#[derive(Debug, thiserror::Error)]
enum StartsError {
    #[error("no positions")]
    None,
    #[error("line {number}: {fault}")]
    Line { number: usize, fault: StartFault },
}

/// What is wrong with one of them.
#[derive(Debug, thiserror::Error)]
enum StartFault {
    #[error(transparent)]
    Sfen(#[from] SfenError),
    #[error(transparent)]
    Pack(#[from] PackError),
}

/// Reads positions, an SFEN a line.
fn read_starts(text: &str) -> Result<Vec<Position>, StartsError> {
    let mut starts = Vec::new();
    for (line, number) in text.lines().zip(1..) {
        let sfen = line.trim().trim_start_matches("sfen ");
        if !sfen.is_empty() {
            let start = start_position(sfen);
            starts.push(start.map_err(|fault| StartsError::Line { number, fault })?);
        }
    }
    if starts.is_empty() {
        Err(StartsError::None)
    } else {
        Ok(starts)
    }
}

/// A position that games can begin from.
fn start_position(sfen: &str) -> Result<Position, StartFault> {
    let position = Position::from_sfen(sfen)?;
    let label = Label {
        score: 0,
        best: None,
        ply: 0,
        outcome: None,
    };
    Psv::of(&position, label)?;
    Ok(position)
}

fn progress_bar(positions: Option<u64>) -> ProgressBar {
    let template = match positions {
        Some(_) => "{wide_bar} {pos}/{len} {msg} {eta} left",
        None => "{spinner} {pos} positions, {msg}",
    };
    progress::bar(positions, template)
}

fn write_tally(out: &mut dyn Write, tally: &Tally) -> std::io::Result<()> {
    let Tally {
        games,
        dropped,
        positions,
        duplicates,
        black_wins,
        white_wins,
        draws,
        unusual,
    } = tally;
    writeln!(out, "games       {games}, {dropped} of them dropped")?;
    writeln!(
        out,
        "results     Black won {black_wins}, White won {white_wins}, drawn {draws}"
    )?;
    writeln!(
        out,
        "endings     {unusual} by repetition, declaration, length or an even score"
    )?;
    writeln!(
        out,
        "positions   {positions}, and {duplicates} that had occurred before"
    )
}

//! Counting the legal move tree on several threads.

use std::io::{self, Write};
use std::time::{Duration, Instant};

use rayon::prelude::*;
use rayon::{ThreadPool, ThreadPoolBuilder};

use crate::shogi::{Move, Position, SfenError, perft};

/// The arguments of `hien perft`.
#[derive(clap::Args, Debug)]
pub struct Arguments {
    /// Length of the move sequences to count
    pub depth: u32,
    /// Position, quoted or not; without it the start position
    #[arg(value_name = "SFEN")]
    pub sfen: Vec<String>,
    /// Number of threads; without it all cores
    #[arg(long)]
    pub threads: Option<usize>,
}

impl Arguments {
    /// The position to count from.
    ///
    /// # Errors
    ///
    /// If it cannot be read.
    pub fn position(&self) -> Result<Position, SfenError> {
        match self.sfen.join(" ").as_str() {
            "" | "startpos" => Ok(Position::startpos()),
            sfen => Position::from_sfen(sfen),
        }
    }

    /// Counts from `position`, writes the result and the speed.
    ///
    /// # Errors
    ///
    /// Those of writing.
    pub fn run(&self, position: &Position, out: &mut dyn Write) -> io::Result<()> {
        let report = run(position, self.depth, self.threads.unwrap_or(0));
        writeln!(out, "{}", report.lines())?;
        writeln!(out, "Time (ms): {}", report.elapsed.as_millis())?;
        writeln!(out, "Nodes/second: {}", report.nodes_per_second())
    }
}

/// What was counted.
#[derive(Clone, Debug)]
pub struct PerftReport {
    /// The leaves behind each root move, moves sorted as text.
    pub counts: Vec<(Move, u64)>,
    /// All leaves.
    pub nodes: u64,
    /// How long it took.
    pub elapsed: Duration,
}

impl PerftReport {
    /// `<move>: <count>` for each root move, then `Nodes searched: <total>`.
    pub fn lines(&self) -> String {
        let mut text = String::new();
        for (mv, count) in &self.counts {
            text += &format!("{mv}: {count}\n");
        }
        text + &format!("Nodes searched: {}", self.nodes)
    }

    /// Leaves per second.
    pub fn nodes_per_second(&self) -> u64 {
        (self.nodes as f64 / self.elapsed.as_secs_f64().max(1e-9)) as u64
    }
}

/// Counts the move sequences of length `depth`. `threads` 0 = one per core.
pub fn run(position: &Position, depth: u32, threads: usize) -> PerftReport {
    let start = Instant::now();
    let mut counts = if depth == 0 {
        Vec::new()
    } else {
        divide(position, depth, threads)
    };
    counts.sort_by_key(|(mv, _)| mv.to_string());
    let nodes = match depth {
        0 => 1,
        _ => counts.iter().map(|(_, count)| count).sum(),
    };
    PerftReport {
        counts,
        nodes,
        elapsed: start.elapsed(),
    }
}

fn divide(position: &Position, depth: u32, threads: usize) -> Vec<(Move, u64)> {
    let alone = |position: &Position| perft::divide(&mut position.clone(), depth);
    if threads == 1 || depth < 3 {
        return alone(position);
    }
    let pool: Option<ThreadPool> = ThreadPoolBuilder::new().num_threads(threads).build().ok();
    pool.map_or_else(
        || alone(position),
        |pool| pool.install(|| divide_in_parallel(position, depth)),
    )
}

/// Two plies are split into tasks: the sizes of the root moves' trees differ too much.
fn divide_in_parallel(position: &Position, depth: u32) -> Vec<(Move, u64)> {
    let count = |mv: &Move| {
        let mut position = position.clone();
        position.do_move(*mv);
        let replies = position.legal_moves();
        let count_reply = |reply: &Move| {
            let mut position = position.clone();
            position.do_move(*reply);
            perft::perft(&mut position, depth - 2)
        };
        (*mv, replies.as_slice().par_iter().map(count_reply).sum())
    };
    position
        .legal_moves()
        .as_slice()
        .par_iter()
        .map(count)
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn threads_change_nothing() {
        let position = Position::startpos();
        let alone = run(&position, 4, 1);
        assert_eq!(alone.nodes, 719_731);
        assert_eq!(run(&position, 4, 3).counts, alone.counts);
        assert!(
            alone
                .counts
                .iter()
                .map(|(mv, _)| mv.to_string())
                .is_sorted()
        );
    }

    #[test]
    fn small_depths() {
        let position = Position::startpos();
        assert_eq!(run(&position, 0, 2).lines(), "Nodes searched: 1");
        let one = run(&position, 1, 2);
        assert_eq!(one.nodes, 30);
        assert!(one.lines().starts_with("1g1f: 1\n1i1h: 1\n"));
        assert!(one.lines().ends_with("\nNodes searched: 30"));
    }

    #[test]
    fn no_move_no_leaf() {
        let mated = Position::from_sfen("4k4/4G4/4P4/9/9/9/9/9/4K4 w - 1").unwrap();
        assert_eq!(run(&mated, 3, 2).lines(), "Nodes searched: 0");
    }

    #[test]
    fn the_shell_form_adds_the_speed() {
        let arguments = Arguments {
            depth: 2,
            sfen: [
                "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL",
                "b",
                "-",
                "1",
            ]
            .map(str::to_owned)
            .to_vec(),
            threads: Some(1),
        };
        let mut text = Vec::new();
        let position = arguments.position().unwrap();
        arguments.run(&position, &mut text).unwrap();
        let text = String::from_utf8(text).unwrap();
        let lines: Vec<_> = text.lines().collect();
        assert_eq!(lines.len(), 33);
        assert_eq!(lines[30], "Nodes searched: 900");
        assert!(lines[31].starts_with("Time (ms): ") && lines[32].starts_with("Nodes/second: "));
    }
}

//! Solves a mate problem (詰将棋, tsume shogi).
//!
//!     cargo run --release --example solve_mate "7k1/9/5+R3/6pl1/9/9/9/9/4K4 b RG 1"

use std::process::ExitCode;

use hien::mate::{Answer, MateLimits, Solver};
use hien::shogi::Position;

/// Mate in three.
const PROBLEM: &str = "7k1/9/5+R3/6pl1/9/9/9/9/4K4 b RG 1";

fn main() -> ExitCode {
    let sfen = std::env::args().nth(1);
    let problem = match Position::from_sfen(sfen.as_deref().unwrap_or(PROBLEM)) {
        Ok(problem) => problem,
        Err(error) => {
            eprintln!("{error}");
            return ExitCode::FAILURE;
        }
    };
    let limits = MateLimits {
        nodes: Some(10_000_000),
        ..MateLimits::default()
    };
    // Progress, such as a mate that may still be shortened, is ignored.
    let report = Solver::new(256).solve(&problem, limits, &());
    match report.answer {
        Answer::Mate(mate) => {
            let line: Vec<_> = mate.line.iter().map(ToString::to_string).collect();
            println!("mate in {}: {}", line.len(), line.join(" "));
        }
        Answer::NoMate => println!("no mate"),
        Answer::Unknown => println!("not decided within the limits"),
    }
    ExitCode::SUCCESS
}

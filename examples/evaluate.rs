//! Evaluates a position, the start position if none is given, by the embedded net and by material.
//!
//!     cargo run --release --example evaluate "4k4/9/9/9/9/9/9/9/4K4 b RB 1"

use std::process::ExitCode;

use hien::eval::Evaluator;
use hien::score::Score;
use hien::shogi::Position;

fn main() -> ExitCode {
    let position = match std::env::args()
        .nth(1)
        .map(|sfen| Position::from_sfen(&sfen))
    {
        None => Position::startpos(),
        Some(Ok(position)) => position,
        Some(Err(error)) => {
            eprintln!("{error}");
            return ExitCode::FAILURE;
        }
    };
    println!("{position}");
    for (name, evaluator) in [
        ("net", Evaluator::internal()),
        ("material", Evaluator::material()),
    ] {
        let value = evaluator.evaluate(&position).value;
        println!("{name}: {} for the side to move", Score::from_value(value));
    }
    ExitCode::SUCCESS
}

//! Searches a position, the start position if none is given, for its three best moves and shows the lines.
//!
//!     cargo run --release --example multipv "4k4/9/9/9/9/9/9/9/4K4 b RB 1"

use std::process::ExitCode;
use std::sync::Arc;

use hien::engine::Engine;
use hien::search::{BestMove, Info, Limits, Listener};
use hien::shogi::Position;

/// Prints what a search reports; called from the search's threads.
struct Printer;

impl Listener for Printer {
    fn info(&self, info: &Info) {
        let line: Vec<_> = info.pv.iter().map(ToString::to_string).collect();
        println!(
            "depth {:>2}, line {}: {:>9}  {}",
            info.depth,
            info.multipv.unwrap_or(1),
            info.score.to_string(),
            line.join(" ")
        );
    }

    fn note(&self, text: &str) {
        eprintln!("{text}");
    }

    fn done(&self, best: BestMove) {
        println!("best move: {best}");
    }
}

fn main() -> ExitCode {
    let mut engine = Engine::new();
    engine.settings_mut().search.multi_pv = 3;
    if let Some(sfen) = std::env::args().nth(1) {
        match Position::from_sfen(&sfen) {
            Ok(position) => engine.set_position(position),
            Err(error) => {
                eprintln!("{error}");
                return ExitCode::FAILURE;
            }
        }
    }
    let limits = Limits {
        nodes: Some(100_000),
        ..Limits::default()
    };
    engine.go(limits, Arc::new(Printer));
    engine.wait();
    ExitCode::SUCCESS
}

//! Hien plays a game against itself and prints it as a USI `position` command.
//!
//!     cargo run --release --example play_game

use hien::engine::Engine;
use hien::search::{BestMove, Limits};
use hien::shogi::Repetition;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut engine = Engine::new();
    engine.settings_mut().hash_mib = 16;
    let mut record = String::from("position startpos moves");
    let result = loop {
        if engine.position().ply() > 320 {
            break "a draw by length";
        }
        match engine.position().repetition() {
            Repetition::None => {}
            Repetition::Draw => break "a draw by repetition",
            Repetition::Win => break "a win by perpetual check of the opponent",
            Repetition::Lose => break "a loss by perpetual check",
        }
        let limits = Limits {
            nodes: Some(2000),
            ..Limits::default()
        };
        match engine.search(limits) {
            BestMove::Move { best, .. } => {
                engine.position_mut().try_move(best)?;
                record += &format!(" {best}");
            }
            BestMove::Resign => break "a loss",
            BestMove::Win => break "a win by declaration",
        }
    };
    println!("{record}");
    println!("{:?} to move: {result}", engine.position().side_to_move());
    Ok(())
}

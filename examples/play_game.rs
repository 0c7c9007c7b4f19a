//! Hien plays a game against itself and prints it as a USI `position` command.
//!
//!     cargo run --release --example play_game

use hien::engine::Engine;
use hien::search::{BestMove, Limits};
use hien::shogi::{Color, Repetition};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut engine = Engine::new();
    engine.settings_mut().hash_mib = 16;
    let mut record = String::from("position startpos moves");
    let result = loop {
        if engine.position().ply() > 320 {
            break "drawn by its length";
        }
        match engine.position().repetition() {
            Repetition::None => {}
            Repetition::Draw => break "drawn by repetition",
            Repetition::Win => break "won by perpetual check of the opponent",
            Repetition::Lose => break "lost by perpetual check",
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
            BestMove::Resign => break "lost by resignation",
            BestMove::Win => break "won by declaration",
        }
    };
    let player = match engine.position().side_to_move() {
        Color::Black => "Black",
        Color::White => "White",
    };
    println!("{record}");
    println!("The game is {result} for {player}.");
    Ok(())
}

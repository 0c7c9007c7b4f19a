//! What must hold for any input, one function per kind of input. Each takes the bytes of one input and panics if
//! something does not hold.

mod files;
mod net;
mod usi;

use hien::settings::Config;
use hien::settings::options::{changed, configured};
use hien::shogi::perft::perft;
use hien::shogi::{Move, Position};
use hien::usi::command::{Command, PositionCommand};
use hien::usi::options;
use hien::usi::setup::set_up;

pub use files::{book, record, training};
pub use net::net;
pub use usi::usi;

/// A text that is read as a position has an SFEN that is read as the same position, whose moves can be played and
/// taken back.
pub fn sfen(data: &[u8]) {
    let Ok(text) = std::str::from_utf8(data) else {
        return;
    };
    if let Ok(position) = Position::from_sfen(text) {
        sound(position, |sfen| Position::from_sfen(sfen).ok());
    }
    // Positions that break the rules remain what they are.
    let read = |text: &str| Position::from_sfen_tolerant(text).ok();
    if let Some((position, _)) = read(text) {
        sound(position, |sfen| read(sfen).map(|(position, _)| position));
    }
}

fn sound(mut position: Position, read: impl Fn(&str) -> Option<Position>) {
    let sfen = position.sfen();
    let again = read(&sfen).expect("an SFEN of our own");
    assert_eq!(again.sfen(), sfen);
    assert_eq!(again.key(), position.key());
    playable(&mut position);
}

/// The moves can be played and taken back.
fn playable(position: &mut Position) {
    let before = (position.sfen(), position.key());
    let moves = position.legal_moves();
    assert_eq!(moves.len() as u64, perft(position, 1));
    for &mv in &moves {
        position.do_move(mv);
        position.undo_move();
    }
    assert_eq!((position.sfen(), position.key()), before);
}

/// Moves as text, in a game: those that are refused change nothing, the others are legal.
pub fn moves(data: &[u8]) {
    let text = String::from_utf8_lossy(data);
    let mut position = Position::startpos();
    for word in text.split_ascii_whitespace().take(200) {
        let Ok(mv) = word.parse::<Move>() else {
            continue;
        };
        assert_eq!(mv.to_string(), word);
        let is_legal = position.legal_moves().contains(&mv);
        assert_eq!(position.is_legal(mv), is_legal, "{word}");
        let before = position.sfen();
        assert_eq!(position.try_move(mv).is_ok(), is_legal, "{word}");
        if !is_legal {
            assert_eq!(position.sfen(), before);
        }
    }
    sound(position, |sfen| Position::from_sfen(sfen).ok());
}

/// What follows `position` is refused with a reason, or leads to a position that can be taken back to its root.
pub fn position(data: &[u8]) {
    let command = PositionCommand::parse(&String::from_utf8_lossy(data));
    let mut position = match set_up(&command) {
        Ok((position, _)) => position,
        Err(reason) => return assert!(!reason.to_string().is_empty()),
    };
    assert!(position.is_consistent());
    assert!(position.occurrences() > 0);
    // A foul may lead to a position that no command can begin with.
    playable(&mut position);
    for _ in 0..position.game_len() {
        match position.last_move() {
            Some(_) => position.undo_move(),
            None => position.undo_null_move(),
        }
    }
    let root = PositionCommand {
        moves: Vec::new(),
        ..command
    };
    let (root, _) = set_up(&root).expect("the root of a game that was accepted");
    assert_eq!(position.sfen(), root.sfen());
}

/// A configuration changes settings only to allowed values: the same values can be set again, and stay.
pub fn config(data: &[u8]) {
    let Ok(text) = std::str::from_utf8(data) else {
        return;
    };
    let (settings, _) = configured(&Config::parse(text));
    let mut again = settings.clone();
    for (name, value) in changed(&settings) {
        // A line of the protocol cannot carry everything that a file can.
        let line = format!("setoption name {name} value {value}");
        if let Command::SetOption { name, value } = Command::parse(&line) {
            options::set(&mut again, &name, value.as_deref()).expect("a value that was accepted");
        }
    }
    let plain = |text: &str| text.trim_ascii() == text && !text.is_empty();
    if [
        &settings.eval_file,
        &settings.eval_dir,
        &settings.debug_log_file,
    ]
    .into_iter()
    .all(|text| plain(text))
    {
        assert_eq!(again, settings);
    }
}

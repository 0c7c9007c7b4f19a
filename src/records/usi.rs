//! USI: one game a line, as the command `position` has it, with ShogiGUI's words for the end behind the moves:
//! `position startpos moves 7g7f 3c3d resign`.

use crate::shogi::sfen::STARTPOS;
use crate::shogi::{Move, Position};

use super::draft::Draft;
use super::end::End;
use super::error::{Fault, ReadError, Warning};
use super::format::Games;
use super::lines;
use super::record::{Record, Step};
use super::source::Source;
use super::walk::Walk;
use super::write::{Losses, Written};

/// Reads the games of a file. Blank lines and those that begin with `#` are skipped.
pub(super) fn read(text: &str) -> Games {
    let mut games = Games::default();
    for (line, number) in lines(text).zip(1..) {
        if !line.trim().is_empty() && !line.trim_start().starts_with('#') {
            let game = read_line(&Source { line, number });
            games.add(game.map(|(record, warnings)| (Some(record), warnings)));
        }
    }
    games
}

fn read_line(at: &Source) -> Result<(Record, Vec<Warning>), ReadError> {
    let mut rest = at.line;
    if peek(rest) == "position" {
        next(&mut rest);
    }
    let mut draft = start(at, &mut rest)?;
    match peek(rest) {
        "moves" => drop(next(&mut rest)),
        "" => return draft.finish(),
        word => return Err(at.error(&rest[start_of(rest)..], Fault::expected("moves", word))),
    }
    while !peek(rest).is_empty() {
        let before = &rest[start_of(rest)..];
        let word = next(&mut rest);
        let place = || at.place(before);
        match (word.parse::<Move>(), End::from_usi(word)) {
            (Ok(mv), _) => {
                draft.goes_on(|| at.number, place)?;
                draft.play(mv, place, word)?;
            }
            (Err(_), Some(end)) => draft.end(end, || at.number, place)?,
            _ => return Err(at.error(before, Fault::expected("a move", word))),
        }
    }
    draft.finish()
}

/// The start position: `startpos`, `sfen` and a position, a position, or nothing before `moves`.
fn start(at: &Source, rest: &mut &str) -> Result<Draft, ReadError> {
    match peek(rest) {
        "startpos" => {
            next(rest);
            return Ok(Draft::new(Position::startpos()));
        }
        "moves" => return Ok(Draft::new(Position::startpos())),
        "sfen" => drop(next(rest)),
        _ => {}
    }
    let before = &rest[start_of(rest)..];
    let mut fields = Vec::new();
    while fields.len() < 4 && !matches!(peek(rest), "" | "moves") {
        fields.push(next(rest));
    }
    let position = Position::from_sfen_tolerant(&fields.join(" "));
    let (position, oddities) = position.map_err(|error| at.error(before, error.into()))?;
    let mut draft = Draft::new(position);
    for oddity in oddities {
        draft.warn(at.number, format!("start position: {oddity}"));
    }
    Ok(draft)
}

/// Where the next word begins.
fn start_of(text: &str) -> usize {
    text.len() - text.trim_start().len()
}

/// The next word; empty at the end.
fn peek(text: &str) -> &str {
    text.split_whitespace().next().unwrap_or_default()
}

/// Takes the next word.
fn next<'a>(text: &mut &'a str) -> &'a str {
    let word = peek(text);
    *text = &text[start_of(text) + word.len()..];
    word
}

/// A record's main line as USI.
pub(super) fn write_usi(record: &Record) -> Written {
    let mut losses = Losses::default();
    let text = format!("position {}", main_line(record, true, &mut losses));
    losses.written(text)
}

/// A record's main line as YaneuraOu's tools have it: without `position` and without an end.
pub(super) fn write_sfen(record: &Record) -> Written {
    let mut losses = Losses::default();
    let text = main_line(record, false, &mut losses);
    losses.written(text)
}

fn main_line(record: &Record, has_end: bool, losses: &mut Losses) -> String {
    losses.all_branches(record);
    losses.headers = record
        .headers
        .iter()
        .map(|(key, _)| key.to_owned())
        .collect();
    let sfen = record.start().sfen();
    let mut words = match sfen == STARTPOS {
        true => vec!["startpos".to_owned()],
        false => vec![format!("sfen {sfen}")],
    };
    let start = words.len();
    let mut walk = Walk::new(record);
    while let Some(visit) = walk.next().filter(|visit| !visit.starts_branch) {
        losses.count(visit.node, true, true, true);
        match visit.node.step() {
            None => {}
            Some(Step::Move(mv)) => words.push(mv.to_string()),
            Some(Step::Foul(mv)) if has_end => words.push(mv.to_string()),
            Some(Step::Foul(_)) => losses.fouls += 1,
            Some(Step::End(end)) => match end.usi().filter(|_| has_end) {
                Some(word) => words.push(word.to_owned()),
                None => losses.ends.push((end.clone(), None)),
            },
        }
    }
    if words.len() > start {
        words.insert(start, "moves".to_owned());
    }
    words.join(" ") + "\n"
}

//! Reading JKF. Moves without an origin (minimal JKF) are found by what the piece and the position tell.

use std::cell;
use std::collections::BTreeMap;
use std::time::Duration;

use serde::Deserialize;
use serde::de::IgnoredAny;
use serde_json::value::RawValue;

use crate::shogi::{Color, File, HandPiece, Move, Piece, Position, Rank, Square};

use super::super::csa::kind_of_code;
use super::super::draft::Draft;
use super::super::end::End;
use super::super::error::{Fault, Foul, Place, ReadError, Warning};
use super::super::handicap::Handicap;
use super::super::notation::{Relation, moved, resolve};
use super::super::record::Record;
use super::super::setup::Setup;
use super::MAX_NESTING;
use super::model::{Board, Cell, Clock, Entry, Initial, MoveEntry, Point, RecordText};

/// Reads a record.
///
/// # Errors
///
/// JSON that is malformed or no record, or the first move that is wrong, with the place where its entry begins.
pub fn read(text: &str) -> Result<(Record, Vec<Warning>), ReadError> {
    let source = Text::new(text);
    let parsed: RecordText = serde_json::from_str(text).map_err(|error| source.json(&error, 0))?;
    let handicap = parsed.header.0.iter().find(|(key, _)| key == "手合割");
    let handicap = handicap.and_then(|(_, value)| value.as_str());
    let start = start(parsed.initial.as_ref(), handicap);
    let (setup, place) = (
        start.map_err(|fault| source.error(0, fault))?,
        source.place(0),
    );
    let (position, oddities) = setup.position().map_err(|error| ReadError {
        place,
        fault: error.into(),
    })?;
    let mut draft = Draft::new(position);
    for oddity in oddities {
        draft.warn(1, format!("start position: {oddity}"));
    }
    for (key, value) in &parsed.header.0 {
        match value.as_str() {
            // Already used for the start position, unless `initial` has one.
            Some(_) if key == "手合割" => {}
            Some(value) => {
                let replaced = draft.builder().headers().set(key, value);
                let warning = replaced.and_then(|old| Warning::replaced(1, key, &old, value));
                draft.extend(warning);
            }
            None => draft.warn(1, format!("left out: header {key}, which is no text")),
        }
    }
    for key in other_keys(text, &["header", "initial", "moves"]) {
        draft.leave_out(1, &key);
    }
    // Branches wait until the line that they leave has been read.
    let mut waiting = vec![Line {
        steps: 0,
        depth: 0,
        entries: parsed.moves,
    }];
    while let Some(line) = waiting.pop() {
        draft.go_to(line.steps)?;
        let branches = read_line(&source, &mut draft, line)?;
        waiting.extend(branches);
    }
    draft.finish()
}

/// A line that waits to be read.
struct Line<'a> {
    /// The steps before it in the line that it leaves.
    steps: usize,
    /// How many branches it is nested in.
    depth: usize,
    entries: Vec<&'a RawValue>,
}

/// Reads a line; returns the branches that leave it, the one to be read first at the end.
fn read_line<'a>(
    source: &Text<'a>,
    draft: &mut Draft,
    line: Line<'a>,
) -> Result<Vec<Line<'a>>, ReadError> {
    let mut branches = Vec::new();
    for raw in line.entries {
        let at = source.offset(raw);
        let entry: Entry<&RawValue> = source.parse(raw)?;
        for key in other_keys(raw.get(), &["move", "comments", "time", "special", "forks"]) {
            draft.leave_out(source.line(at), &key);
        }
        // A move after an end replaces it.
        let is_replaced = entry.mv.is_some() && draft.has_ended();
        let steps = draft.steps() - usize::from(is_replaced);
        read_entry(source, draft, &entry, at)?;
        let depth = line.depth + 1;
        let forks = entry.forks.unwrap_or_default();
        if depth > MAX_NESTING && !forks.is_empty() {
            return Err(source.error(at, Fault::TooDeep));
        }
        branches.extend(forks.into_iter().rev().map(|entries| Line {
            steps,
            depth,
            entries,
        }));
    }
    Ok(branches)
}

/// The keys of an object of JSON but those that are known.
fn other_keys<'a>(object: &str, known: &'a [&str]) -> impl Iterator<Item = String> + use<'a> {
    let values: BTreeMap<String, IgnoredAny> = serde_json::from_str(object).unwrap_or_default();
    let keys = values.into_keys();
    keys.filter(move |key| !known.contains(&key.as_str()))
}

fn read_entry(
    source: &Text,
    draft: &mut Draft,
    entry: &Entry<&RawValue>,
    at: usize,
) -> Result<(), ReadError> {
    let place = || source.place(at);
    let line = || source.line(at);
    if let Some(written) = &entry.mv {
        let text = describe(written);
        let mv = find(written, draft.goes_on(line, place)?, &text)
            .map_err(|fault| source.error(at, fault))?;
        draft.play(mv, place, &text)?;
    }
    if let Some(word) = &entry.special {
        // A word of CSA, or else a Japanese one.
        let end = match End::from_csa(word, draft.side()) {
            End::Other(word) => End::from_japanese(&word),
            end => end,
        };
        draft.end(end, line, place)?;
    }
    let has_step = entry.mv.is_some() || entry.special.is_some();
    if let Some(time) = entry.time.as_ref().filter(|_| has_step) {
        draft.node().time = Some(time.now.duration());
    }
    for comment in entry.comments.iter().flatten() {
        draft.node().comment(comment);
    }
    Ok(())
}

fn find(written: &MoveEntry, position: &Position, text: &str) -> Result<Move, Fault> {
    let illegal = |foul| Fault::Illegal {
        text: text.to_owned(),
        foul,
    };
    let expected = |expected, found: &str| Fault::Expected {
        expected,
        found: format!("'{found}'"),
    };
    let kind = kind_of_code(&written.piece);
    let kind = kind.ok_or_else(|| expected("a piece (FU, KY ..)", &written.piece))?;
    let side = position.side_to_move();
    if written.color.is_some_and(|color| color != side as u8) {
        return Err(illegal(Foul::WrongSide));
    }
    let to = match written.to {
        Some(point) => point.square().ok_or_else(|| expected("a square", text))?,
        None => position
            .last_move()
            .map(Move::to)
            .ok_or_else(|| expected("a square to go to", text))?,
    };
    let promote = written.promote.unwrap_or(false);
    let Some(from) = written.from else {
        let relation = written.relative.as_deref().unwrap_or_default();
        let relation = Relation::from_letters(relation);
        let relation = relation.ok_or_else(|| expected("letters of LCRUMDH", text))?;
        return resolve(position, kind, to, relation, promote, text);
    };
    let from = from.square().ok_or_else(|| expected("a square", text))?;
    if from == to {
        return Err(illegal(Foul::Impossible));
    }
    let mv = Move::board(from, to, promote);
    match moved(position, mv) == Some(kind) {
        true => Ok(mv),
        false => Err(illegal(Foul::Impossible)),
    }
}

/// A move for messages: `7776FU`.
fn describe(written: &MoveEntry) -> String {
    let point = |point: Option<Point>, other: &str| {
        point.map_or(other.to_owned(), |Point { x, y }| format!("{x}{y}"))
    };
    let (from, to) = (point(written.from, "00"), point(written.to, "同"));
    format!("{from}{to}{}", written.piece)
}

/// The start position: a preset, a board, or what the header says.
fn start(initial: Option<&Initial>, handicap: Option<&str>) -> Result<Setup, Fault> {
    let named = |handicap: Option<Handicap>, name: &str| match handicap {
        Some(handicap) => Ok(Setup::of(&handicap.position())),
        None => Err(Fault::Handicap(name.to_owned())),
    };
    match (initial, handicap) {
        (None, None) => Ok(Setup::even()),
        (None, Some(name)) => named(Handicap::from_name(name), name),
        (Some(Initial { preset, data }), _) => match data {
            Some(board) if preset == "OTHER" => draw(board),
            _ => named(Handicap::from_preset(preset), preset),
        },
    }
}

fn draw(board: &Board) -> Result<Setup, Fault> {
    let expected = |expected, found: &str| Fault::Expected {
        expected,
        found: format!("'{found}'"),
    };
    let mut setup = Setup::EMPTY;
    setup.side = color(board.color);
    for (x, file) in (1..).zip(&board.board) {
        for (y, cell) in (1..).zip(file) {
            let Some(Cell {
                color: owner,
                kind: Some(code),
            }) = cell
            else {
                continue;
            };
            let kind = kind_of_code(code).ok_or_else(|| expected("a piece (FU, KY ..)", code))?;
            let square = Point { x, y }.square();
            let square = square.ok_or_else(|| expected("a board of 9 x 9 squares", code))?;
            let owner = color(owner.unwrap_or(0));
            setup.set(square, Some(Piece::new(owner, kind)));
        }
    }
    for (owner, hand) in Color::ALL.into_iter().zip(&board.hands) {
        for (code, &count) in hand {
            let kind = kind_of_code(code)
                .and_then(|kind| HandPiece::from_captured(kind).filter(|hand| hand.kind() == kind));
            match kind {
                Some(kind) => setup.add(owner, kind, count),
                None if count == 0 => {}
                None => return Err(expected("a piece in hand", code)),
            }
        }
    }
    Ok(setup)
}

const fn color(number: u8) -> Color {
    match number {
        0 => Color::Black,
        _ => Color::White,
    }
}

impl Clock {
    fn duration(self) -> Duration {
        let minutes = self
            .h
            .unwrap_or(0)
            .saturating_mul(60)
            .saturating_add(self.m);
        let seconds = minutes.saturating_mul(60).saturating_add(self.s);
        Duration::from_secs(seconds)
    }
}

impl Point {
    fn square(self) -> Option<Square> {
        let file = File::try_new(self.x.wrapping_sub(1))?;
        let rank = Rank::try_new(self.y.wrapping_sub(1))?;
        Some(Square::new(file, rank))
    }
}

/// The whole text, to find line and column of its parts.
struct Text<'a> {
    text: &'a str,
    /// The last place asked for and its line: the next one is mostly after it.
    last: cell::Cell<(usize, usize)>,
}

impl<'a> Text<'a> {
    const fn new(text: &'a str) -> Self {
        let last = cell::Cell::new((0, 1));
        Self { text, last }
    }

    /// Where a part of the text begins, in bytes.
    fn offset(&self, raw: &RawValue) -> usize {
        (raw.get().as_ptr() as usize).saturating_sub(self.text.as_ptr() as usize)
    }

    fn line(&self, offset: usize) -> usize {
        let (start, line) = match self.last.get() {
            (start, line) if start <= offset => (start, line),
            _ => (0, 1),
        };
        let between = self.text.get(start..offset).unwrap_or_default();
        let line = line + between.matches('\n').count();
        self.last.set((offset, line));
        line
    }

    fn place(&self, offset: usize) -> Place {
        let before = self.text.get(..offset).unwrap_or_default();
        let in_line = before.rsplit('\n').next().unwrap_or_default();
        Place {
            line: self.line(offset),
            column: in_line.chars().count() + 1,
        }
    }

    fn error(&self, offset: usize, fault: Fault) -> ReadError {
        let place = self.place(offset);
        ReadError { place, fault }
    }

    fn parse<T: Deserialize<'a>>(&self, raw: &'a RawValue) -> Result<T, ReadError> {
        serde_json::from_str(raw.get()).map_err(|error| self.json(&error, self.offset(raw)))
    }

    /// An error in the JSON of a part that begins at `offset`.
    fn json(&self, error: &serde_json::Error, offset: usize) -> ReadError {
        let start = self.place(offset);
        let place = match error.line() {
            0 | 1 => Place {
                line: start.line,
                column: start.column + error.column().saturating_sub(1),
            },
            line => Place {
                line: start.line + line - 1,
                // 0 stands for the line feed before the line.
                column: error.column().max(1),
            },
        };
        let text = error.to_string();
        // The place stands at its end, too.
        let text = text.split(" at line ").next().unwrap_or_default();
        let fault = Fault::Json(text.to_owned());
        ReadError { place, fault }
    }
}

//! Reading KIF and KI2 line by line. Both kinds of moves are understood in both.

use winnow::Parser;

use super::super::error::{ReadError, Warning};
use super::super::headers::Headers;
use super::super::lines;
use super::super::record::{Node, Record};
use super::super::source::Source;
use super::super::words::{is_blank, number};
use super::board;
use super::body::Body;
use super::line::Line;
use super::moves::written_move;
use super::preface::Preface;

/// Reads a record.
///
/// # Errors
///
/// The first line that cannot be understood.
pub fn read(text: &str) -> Result<(Record, Vec<Warning>), ReadError> {
    let mut reader = Reader::default();
    for (line, number) in lines(text).zip(1..) {
        reader.read(&Source { line, number })?;
    }
    reader.finish()
}

/// A file that is read line by line.
#[derive(Default)]
struct Reader {
    headers: Headers,
    preface: Preface,
    /// From the first move on.
    body: Option<Body>,
    warnings: Vec<Warning>,
}

impl Reader {
    fn read(&mut self, at: &Source) -> Result<(), ReadError> {
        match Line::of(at.line) {
            Line::Nothing => {}
            Line::Comment(text) => self.node().comments.push(text.to_owned()),
            Line::Bookmark(text) => self.node().bookmarks.push(text.to_owned()),
            Line::Header(key, value) => self.header(at, key, value),
            Line::Numbered(text) => self.body(first_numbered(text))?.numbered(at, text)?,
            Line::Moves(text) => self.body(text)?.moves(at, text)?,
            Line::Summary(text) => self.body("")?.summary(at, text)?,
            // Some programs have such a line among the headers.
            Line::Branch(_) if self.body.is_none() => self.leave_out(at),
            Line::Branch(text) => self.body("")?.branch(at, text)?,
            Line::Text(_) => self.leave_out(at),
            _ if self.body.is_some() => self.leave_out(at),
            Line::Handicap(name) => {
                let replaced = self
                    .preface
                    .handicap
                    .replace((at.number, name.trim().to_owned()));
                let warning = replaced
                    .and_then(|(_, old)| Warning::replaced(at.number, "手合割", &old, name.trim()));
                self.warnings.extend(warning);
            }
            Line::Hand(color, mut rest) => {
                self.preface.hands[color.index()] = at.parse(board::hand, &mut rest)?;
            }
            Line::Row(mut rest) => {
                let (pieces, rank) = at.parse(board::row, &mut rest)?;
                self.preface.rows.push((at.number, rank, pieces));
            }
            Line::Turn(color) => self.preface.turn = Some(color),
            Line::MoveCount(mut rest) => {
                let moves = at.parse(number, &mut rest)?;
                self.preface.moves_before = u32::try_from(moves).unwrap_or(u32::MAX);
            }
        }
        Ok(())
    }

    /// The moves. The sign of the first one tells who is to move where nothing before it does.
    fn body(&mut self, first_move: &str) -> Result<&mut Body, ReadError> {
        if self.body.is_none() {
            let sign = written_move.parse_peek(first_move).ok();
            let side = sign.and_then(|(_, written)| written.color);
            let preface = std::mem::take(&mut self.preface);
            self.body = Some(Body::new(preface.finish(side)?));
        }
        Ok(self.body.as_mut().expect("made above"))
    }

    fn node(&mut self) -> &mut Node {
        match &mut self.body {
            Some(body) => body.draft.node(),
            None => &mut self.preface.node,
        }
    }

    fn header(&mut self, at: &Source, key: &str, value: &str) {
        let replaced = self.headers.set(key, value);
        let warning = replaced.and_then(|old| Warning::replaced(at.number, key, &old, value));
        self.warnings.extend(warning);
    }

    fn leave_out(&mut self, at: &Source) {
        self.warnings.push(Warning::left_out(at.number, at.line));
    }

    fn finish(mut self) -> Result<(Record, Vec<Warning>), ReadError> {
        self.body("")?;
        let body = self.body.expect("made above");
        let (mut record, warnings) = body.finish()?;
        record.headers = self.headers;
        self.warnings.extend(warnings);
        self.warnings.sort_by_key(|warning| warning.line);
        Ok((record, self.warnings))
    }
}

/// The move behind a number.
fn first_numbered(text: &str) -> &str {
    let is_digit = |c: char| c.is_ascii_digit() || ('０'..='９').contains(&c);
    text.trim_start_matches(is_digit)
        .trim_start_matches(is_blank)
}

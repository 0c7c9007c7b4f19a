//! Reading CSA statement by statement.

use crate::shogi::{Color, HandPiece, Piece, Rank, SfenError};

use super::super::draft::Draft;
use super::super::end::End;
use super::super::error::{Fault, Place, ReadError, Warning};
use super::super::format::Games;
use super::super::headers::Headers;
use super::super::lines;
use super::super::record::{Node, Record};
use super::super::setup::Setup;
use super::super::source::Source;
use super::super::words::digit;
use super::statement::{Placed, color, placed, row, seconds, special, squares_of, written_move};
use super::words::KEYWORDS;

/// Reads the games of a file, which lines with `/` separate. What cannot be understood ends a game, and the next is
/// read.
pub fn read(text: &str) -> Games {
    let mut games = Games::default();
    let mut reader = Some(Reader::default());
    for (line, number) in lines(text).zip(1..) {
        if line.trim_end() == "/" {
            let game = reader.replace(Reader::default());
            games.add(game.unwrap_or_default().finish());
        } else if let Some(game) = &mut reader
            && let Err(fault) = game.read_line(line, number)
        {
            games.faults.push(fault);
            reader = None;
        }
    }
    games.add(reader.unwrap_or_default().finish());
    games
}

/// A game while it is read line by line.
#[derive(Default)]
struct Reader {
    headers: Headers,
    /// The start position and the line where it begins.
    setup: Option<(usize, Setup)>,
    /// Comments on the start position.
    node: Node,
    /// From the line with the player to move on.
    draft: Option<Draft>,
    warnings: Vec<Warning>,
}

impl Reader {
    fn read_line(&mut self, line: &str, number: usize) -> Result<(), ReadError> {
        let mut rest = line;
        // Commas separate statements, except in comments, names and headers.
        while !rest.starts_with(['\'', 'N', '$', 'V']) {
            let Some(comma) = rest.find(',') else { break };
            let (statement, after) = rest.split_at(comma);
            // The line is cut at the comma, so that the statement is at its end.
            let line = &line[..line.len() - after.len()];
            self.statement(&Source { line, number }, statement)?;
            rest = &after[1..];
        }
        self.statement(&Source { line, number }, rest)
    }

    fn statement(&mut self, at: &Source, text: &str) -> Result<(), ReadError> {
        let mut rest = text;
        let mut take = |start: &str| match rest.strip_prefix(start) {
            Some(after) => {
                rest = after;
                true
            }
            None => false,
        };
        if text.trim_end().is_empty() || take("V") {
            return Ok(());
        }
        if take("'*") {
            self.node().comments.push(rest.to_owned());
        } else if take("'") {
            // Remarks that programs skip.
        } else if take("N+") {
            self.set_header(at, "先手", rest);
        } else if take("N-") {
            self.set_header(at, "後手", rest);
        } else if take("$") {
            self.header(at, rest);
        } else if self.draft.is_some() && is_of_start(text) {
            self.leave_out(at, text);
        } else if take("PI") {
            let without = at.parse(placed, &mut rest)?;
            self.remove(at, &without);
        } else if take("P+") {
            let pieces = at.parse(placed, &mut rest)?;
            self.put(at, Color::Black, &pieces)?;
        } else if take("P-") {
            let pieces = at.parse(placed, &mut rest)?;
            self.put(at, Color::White, &pieces)?;
        } else if take("P") {
            self.row(at, rest)?;
        } else if take("T") {
            self.time(at, text, rest);
        } else if take("%") {
            self.end(at, rest)?;
        } else if matches!(text.trim_end(), "+" | "-") {
            let side = at.parse(color, &mut rest)?;
            self.begin(at, side)?;
        } else if text.starts_with(['+', '-']) {
            self.play(at, rest)?;
        } else {
            self.leave_out(at, text);
        }
        Ok(())
    }

    fn header(&mut self, at: &Source, text: &str) {
        match text.split_once(':') {
            Some((name, value)) => {
                let keyword = KEYWORDS.iter().find(|keyword| keyword.csa == name);
                self.set_header(at, keyword.map_or(name, |keyword| keyword.key), value);
            }
            None => self.leave_out(at, text),
        }
    }

    fn set_header(&mut self, at: &Source, key: &str, value: &str) {
        let replaced = self.headers.set(key, value);
        let warning = replaced.and_then(|old| Warning::replaced(at.number, key, &old, value));
        self.warnings.extend(warning);
    }

    fn setup(&mut self, at: &Source) -> &mut Setup {
        &mut self.setup.get_or_insert((at.number, Setup::EMPTY)).1
    }

    /// The even game, some pieces taken away.
    fn remove(&mut self, at: &Source, pieces: &[Placed]) {
        let setup = self.setup(at);
        *setup = Setup::even();
        let squares = pieces.iter().filter_map(|(square, _)| *square);
        squares.for_each(|square| setup.set(square, None));
    }

    fn put(&mut self, at: &Source, color: Color, pieces: &[Placed]) -> Result<(), ReadError> {
        let setup = self.setup(at);
        for &(square, kind) in pieces {
            match (square, kind) {
                (Some(square), Some(kind)) => setup.set(square, Some(Piece::new(color, kind))),
                (None, Some(kind)) => match HandPiece::from_captured(kind) {
                    Some(kind) => setup.add(color, kind, 1),
                    None => return Err(at.error(at.line, SfenError::KingInHand.into())),
                },
                (_, None) => setup.add_rest(color),
            }
        }
        Ok(())
    }

    fn row(&mut self, at: &Source, mut rest: &str) -> Result<(), ReadError> {
        let before = rest;
        let rank = at.parse(digit, &mut rest)?;
        let rank = Rank::try_new((rank as u8).wrapping_sub(1));
        let rank = rank.ok_or_else(|| at.error(before, Fault::expected("a rank", before)))?;
        let pieces = at.parse(row, &mut rest)?;
        let setup = self.setup(at);
        for (square, piece) in squares_of(rank).zip(pieces) {
            setup.set(square, piece);
        }
        Ok(())
    }

    /// The start position is complete.
    fn begin(&mut self, at: &Source, side: Color) -> Result<&mut Draft, ReadError> {
        let (line, mut setup) = self.setup.take().unwrap_or_else(|| {
            self.warnings.push(Warning {
                line: at.number,
                text: "no start position: an even game".to_owned(),
            });
            (at.number, Setup::even())
        });
        setup.side = side;
        let (position, oddities) = setup.position().map_err(|error| ReadError {
            place: Place::line(line),
            fault: error.into(),
        })?;
        for oddity in oddities {
            let text = format!("start position: {oddity}");
            self.warnings.push(Warning { line, text });
        }
        let mut draft = Draft::new(position);
        draft.node().comments = std::mem::take(&mut self.node.comments);
        Ok(self.draft.insert(draft))
    }

    fn play(&mut self, at: &Source, mut rest: &str) -> Result<(), ReadError> {
        let before = rest;
        let written = at.parse(written_move, &mut rest)?;
        let text = &before[..before.len() - rest.len()];
        if self.draft.is_none() {
            let line = at.number;
            let text = "no line says who is to move".to_owned();
            self.warnings.push(Warning { line, text });
            self.begin(at, written.color)?;
        }
        if !rest.trim_end().is_empty() {
            self.leave_out(at, rest);
        }
        let Some(draft) = &mut self.draft else {
            return Ok(());
        };
        let position = draft.goes_on(|| at.number, || at.place(before))?;
        let mv = written.find(position, text);
        let mv = mv.map_err(|fault| at.error(before, fault))?;
        draft.play(mv, || at.place(before), text)
    }

    fn end(&mut self, at: &Source, mut rest: &str) -> Result<(), ReadError> {
        let before = rest;
        let word = at.parse(special, &mut rest)?;
        let draft = match &mut self.draft {
            Some(draft) => draft,
            None => self.begin(at, Color::Black)?,
        };
        let end = End::from_csa(word, draft.side());
        if let End::Other(word) = &end {
            draft.warn(at.number, format!("'%{word}' is taken for an end"));
        }
        draft.end(end, || at.number, || at.place(before))
    }

    fn time<'a>(&mut self, at: &Source, statement: &'a str, mut rest: &'a str) {
        match (seconds(&mut rest), &mut self.draft) {
            (Ok(time), Some(draft)) if !draft.is_new() => draft.node().time = Some(time),
            _ => rest = statement,
        }
        if !rest.trim_end().is_empty() {
            self.leave_out(at, rest);
        }
    }

    fn node(&mut self) -> &mut Node {
        match &mut self.draft {
            Some(draft) => draft.node(),
            None => &mut self.node,
        }
    }

    fn leave_out(&mut self, at: &Source, text: &str) {
        self.warnings.push(Warning::left_out(at.number, text));
    }

    /// The game; `None` if there was nothing.
    fn finish(mut self) -> Result<(Option<Record>, Vec<Warning>), ReadError> {
        if self.draft.is_none() {
            let Some((line, setup)) = &self.setup else {
                return Ok((None, self.warnings));
            };
            let at = Source {
                line: "",
                number: *line,
            };
            let side = setup.side;
            self.begin(&at, side)?;
        }
        let Some(draft) = self.draft else {
            return Ok((None, self.warnings));
        };
        let (mut record, warnings) = draft.finish()?;
        record.headers = self.headers;
        self.warnings.extend(warnings);
        self.warnings.sort_by_key(|warning| warning.line);
        Ok((Some(record), self.warnings))
    }
}

/// Whether a statement belongs to the start position.
fn is_of_start(text: &str) -> bool {
    text.starts_with('P') || matches!(text.trim_end(), "+" | "-")
}

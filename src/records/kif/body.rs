//! The part from the first move on: moves, ends, branches.

use winnow::Parser;

use super::super::draft::Draft;
use super::super::end::End;
use super::super::error::{Fault, ReadError, Warning};
use super::super::record::Record;
use super::super::source::Source;
use super::super::words::{blanks, is_blank, number, square};
use super::line::is_numbered_move;
use super::moves::{WrittenMove, time, word, written_move};
use super::summary::summary;

/// The moves of a file.
pub struct Body {
    pub draft: Draft,
    /// The number of the first step.
    first: usize,
    /// The numbers of the steps in the line. Those that do not follow each other are read with a warning.
    numbers: Vec<usize>,
    /// The line of the first numbered move without an origin, and how many there are.
    without_origin: Option<(usize, usize)>,
}

impl Body {
    pub const fn new(draft: Draft) -> Self {
        Self {
            draft,
            first: 1,
            numbers: Vec::new(),
            without_origin: None,
        }
    }

    /// One or several moves or ends after their number, with their times.
    pub fn numbered(&mut self, at: &Source, mut rest: &str) -> Result<(), ReadError> {
        loop {
            self.one_numbered(at, &mut rest)?;
            rest = rest.trim_start_matches(is_blank);
            if !is_numbered_move(rest) {
                break;
            }
        }
        if !rest.is_empty() {
            self.draft.leave_out(at.number, rest);
        }
        Ok(())
    }

    fn one_numbered(&mut self, at: &Source, rest: &mut &str) -> Result<(), ReadError> {
        let before = *rest;
        let found = usize::try_from(at.parse(number, rest)?).unwrap_or(usize::MAX);
        at.parse(blanks, rest)?;
        if self.draft.is_new() {
            self.first = found;
        }
        if begins_like_move(rest) {
            self.check_number(found)
                .map_err(|fault| at.error(before, fault))?;
            if !self.play(at, rest, Some(found))?.has_origin() {
                let (_, count) = self.without_origin.get_or_insert((at.number, 0));
                *count += 1;
            }
        } else {
            let before = *rest;
            let end = End::from_japanese(at.parse(word, rest)?);
            if let End::Other(word) = &end {
                let text = format!("'{word}' is taken for an end");
                self.draft.warn(at.number, text);
            }
            self.draft.end(end, || at.number, || at.place(before))?;
            self.count(at, Some(found));
        }
        self.time(rest);
        Ok(())
    }

    /// Whether a move can have the number `found` here. After an end, the end's own number begins a branch; with any
    /// other, what was read as an end may have been a move. A number below the last would begin a branch or another
    /// game, which only programs that go by numbers can know; the last number may be repeated by mistake.
    fn check_number(&self, found: usize) -> Result<(), Fault> {
        let Some(&last) = self.numbers.last() else {
            return Ok(());
        };
        match self.draft.has_ended() {
            true if found != last => Err(Fault::AfterEnd),
            false if found < last => Err(Fault::Number {
                found,
                expected: self.next_number(),
            }),
            _ => Ok(()),
        }
    }

    /// Moves one after the other.
    pub fn moves(&mut self, at: &Source, mut rest: &str) -> Result<(), ReadError> {
        at.parse(blanks, &mut rest)?;
        while !rest.is_empty() {
            self.play(at, &mut rest, None)?;
            at.parse(blanks, &mut rest)?;
        }
        Ok(())
    }

    fn play(
        &mut self,
        at: &Source,
        rest: &mut &str,
        number: Option<usize>,
    ) -> Result<WrittenMove, ReadError> {
        let before = *rest;
        let written = at.parse(written_move, rest)?;
        let text = before[..before.len() - rest.len()].trim_end();
        let position = self.draft.goes_on(|| at.number, || at.place(before))?;
        let mv = written.find(position, text);
        let mv = mv.map_err(|fault| at.error(before, fault))?;
        self.draft.play(mv, || at.place(before), text)?;
        self.count(at, number);
        Ok(written)
    }

    /// Keeps the number of a step that was added: the one that is written, or else the next.
    fn count(&mut self, at: &Source, number: Option<usize>) {
        let steps = self.draft.steps();
        if self.numbers.len() >= steps {
            // A second end was left out.
            return;
        }
        let expected = self.next_number();
        let number = number.unwrap_or(expected);
        if number != expected {
            let text = format!("move number {number} where {expected} should stand");
            self.draft.warn(at.number, text);
        }
        self.numbers.push(number);
    }

    fn next_number(&self) -> usize {
        let last = self.numbers.last();
        last.map_or(self.first, |number| number.saturating_add(1))
    }

    /// Takes the time behind a move, and the mark for branches.
    fn time(&mut self, rest: &mut &str) {
        let mut after = rest.trim_start_matches(is_blank);
        if let Ok(time) = time.parse_next(&mut after) {
            self.draft.node().time = Some(time);
            *rest = after;
        }
        *rest = rest.trim_start_matches(is_blank).trim_start_matches('+');
    }

    /// The beginning of a branch.
    pub fn branch(&mut self, at: &Source, mut rest: &str) -> Result<(), ReadError> {
        at.parse(blanks, &mut rest)?;
        let before = rest;
        let number = usize::try_from(at.parse(number, &mut rest)?).unwrap_or(usize::MAX);
        let steps = self.steps_before(number).ok_or_else(|| {
            let moves = self.draft.moves();
            at.error(before, Fault::Branch { number, moves })
        })?;
        self.numbers.truncate(steps);
        self.draft.go_to(steps)
    }

    /// The number of steps in the line before the step `number`, which may be the next one.
    fn steps_before(&self, number: usize) -> Option<usize> {
        let by_count = number.checked_sub(self.first);
        let by_count = by_count.filter(|&steps| self.numbers.get(steps) == Some(&number));
        let is_it = |&known: &usize| known == number;
        by_count
            .or_else(|| self.numbers.iter().rposition(is_it))
            .or_else(|| (number == self.next_number()).then_some(self.numbers.len()))
    }

    /// How the line ended: the end itself, or what a numbered line has already said.
    pub fn summary(&mut self, at: &Source, mut rest: &str) -> Result<(), ReadError> {
        let before = rest;
        let found = at.parse(summary, &mut rest)?;
        let draft = &mut self.draft;
        let moves = draft.moves().saturating_add(self.first).saturating_sub(1) as u64;
        if let Some(found) = found.moves.filter(|&found| found != moves) {
            draft.warn(at.number, format!("{moves} moves stand here, not {found}"));
        }
        let end = found.end(draft.side());
        match draft.node().end().cloned() {
            Some(known) if known == end => {}
            Some(known) => {
                let (known, end) = (known.japanese(), end.japanese());
                draft.warn(at.number, format!("{end}, but the line ends with {known}"));
            }
            None => {
                if let End::Other(words) = &end {
                    draft.warn(at.number, format!("'{words}' is kept as it is"));
                }
                draft.end(end, || at.number, || at.place(before))?;
                self.count(at, None);
            }
        }
        Ok(())
    }

    /// The record and what was left out of it.
    pub fn finish(mut self) -> Result<(Record, Vec<Warning>), ReadError> {
        if let Some((line, count)) = self.without_origin {
            let more = match count {
                1 => String::new(),
                count => format!(", like {} more", count - 1),
            };
            let text = format!("a numbered move without its origin{more}: found by the rules");
            self.draft.warn(line, text);
        }
        self.draft.finish()
    }
}

/// Whether a word of a numbered line is read as an end with just this word.
pub fn is_end_word(text: &str) -> bool {
    let is_whole = word.parse_peek(text).is_ok_and(|(rest, _)| rest.is_empty());
    is_whole && !text.contains('\n') && !begins_like_move(text)
}

/// Whether a text begins as a move does, so that it must be one.
fn begins_like_move(text: &str) -> bool {
    let is_digit = |c: char| c.is_ascii_digit() || ('１'..='９').contains(&c);
    let begins = |c: char| is_digit(c) || "同▲△▼▽☗☖".contains(c);
    text.starts_with(begins) || square.parse_peek(text).is_ok()
}

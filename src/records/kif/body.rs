//! From the first move on: moves, ends, branches.

use winnow::Parser;

use super::super::draft::Draft;
use super::super::end::End;
use super::super::error::{Fault, ReadError};
use super::super::source::Source;
use super::super::words::{blanks, is_blank, number};
use super::moves::{time, word, written_move};
use super::summary::summary;

/// The moves of a file.
pub struct Body {
    pub draft: Draft,
    /// The number of the first move in the file, less one.
    offset: usize,
}

impl Body {
    pub const fn new(draft: Draft) -> Self {
        Self { draft, offset: 0 }
    }

    /// A move or an end behind its number, with its time.
    pub fn numbered(&mut self, at: &Source, mut rest: &str) -> Result<(), ReadError> {
        let before = rest;
        let found = usize::try_from(at.parse(number, &mut rest)?).unwrap_or(usize::MAX);
        at.parse(blanks, &mut rest)?;
        if self.draft.has_ended() {
            return Err(at.error(before, Fault::AfterEnd));
        }
        if self.draft.is_new() {
            self.offset = found.saturating_sub(1);
        }
        let expected = self.draft.moves() + 1 + self.offset;
        if found != expected {
            return Err(at.error(before, Fault::Number { found, expected }));
        }
        if begins_like_move(rest) {
            self.play(at, &mut rest)?;
        } else {
            let before = rest;
            let end = End::from_japanese(at.parse(word, &mut rest)?);
            if let End::Other(word) = &end {
                let text = format!("'{word}' is taken for an end");
                self.draft.warn(at.number, text);
            }
            self.draft.end(end, || at.place(before))?;
        }
        self.time(at, rest);
        Ok(())
    }

    /// Moves one after the other.
    pub fn moves(&mut self, at: &Source, mut rest: &str) -> Result<(), ReadError> {
        at.parse(blanks, &mut rest)?;
        while !rest.is_empty() {
            self.play(at, &mut rest)?;
            at.parse(blanks, &mut rest)?;
        }
        Ok(())
    }

    fn play(&mut self, at: &Source, rest: &mut &str) -> Result<(), ReadError> {
        let before = *rest;
        let written = at.parse(written_move, rest)?;
        let text = before[..before.len() - rest.len()].trim_end();
        let mv = written.find(self.draft.goes_on(|| at.place(before))?, text);
        let mv = mv.map_err(|fault| at.error(before, fault))?;
        self.draft.play(mv, || at.place(before), text)
    }

    /// The time behind a move, and the mark for branches; anything else is left out.
    fn time(&mut self, at: &Source, text: &str) {
        let mut rest = text.trim_start_matches(is_blank);
        if rest.starts_with('(') {
            match time.parse_next(&mut rest) {
                Ok(time) => self.draft.node().time = Some(time),
                Err(_) => rest = text,
            }
        }
        let rest = rest.trim_matches(is_blank).trim_start_matches('+').trim();
        if !rest.is_empty() {
            self.draft.warn(at.number, format!("left out: {rest}"));
        }
    }

    /// The beginning of a branch.
    pub fn branch(&mut self, at: &Source, mut rest: &str) -> Result<(), ReadError> {
        at.parse(blanks, &mut rest)?;
        let place = at.place(rest);
        let number = usize::try_from(at.parse(number, &mut rest)?).unwrap_or(usize::MAX);
        self.draft.branch(number.saturating_sub(self.offset), place)
    }

    /// How the line ended: the end itself, or what a numbered line has already said.
    pub fn summary(&mut self, at: &Source, mut rest: &str) -> Result<(), ReadError> {
        let before = rest;
        let found = at.parse(summary, &mut rest)?;
        let draft = &mut self.draft;
        let moves = (draft.moves() + self.offset) as u64;
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
                draft.end(end, || at.place(before))?;
            }
        }
        Ok(())
    }
}

/// Whether a word of a numbered line is read as an end with just this word.
pub fn is_end_word(text: &str) -> bool {
    let is_whole = word.parse_peek(text).is_ok_and(|(rest, _)| rest.is_empty());
    is_whole && !text.contains('\n') && !begins_like_move(text)
}

/// Whether a text begins as a move does, so that it must be one.
fn begins_like_move(text: &str) -> bool {
    let first = text.chars().next().unwrap_or_default();
    let is_digit = first.is_ascii_digit() || ('１'..='９').contains(&first);
    is_digit || "同▲△▼▽☗☖".contains(first)
}

//! A line of a text and the places in it.

use super::error::{Fault, Place, ReadError};
use super::words::{self, Parse};

/// A line with its number, from 1.
#[derive(Clone, Copy)]
pub struct Source<'a> {
    pub line: &'a str,
    pub number: usize,
}

impl Source<'_> {
    /// The place where `rest`, an end of the line, begins.
    pub fn place(&self, rest: &str) -> Place {
        Place::of_rest(self.number, self.line, rest)
    }

    /// What is wrong where `rest` begins.
    pub fn error(&self, rest: &str, fault: Fault) -> ReadError {
        let place = self.place(rest);
        ReadError { place, fault }
    }

    /// Reads something at the beginning of `rest`, an end of the line.
    pub fn parse<'t, T>(
        &self,
        mut parser: impl FnMut(&mut &'t str) -> Parse<T>,
        rest: &mut &'t str,
    ) -> Result<T, ReadError> {
        parser(rest).map_err(|error| self.error(rest, words::fault(&error, rest)))
    }
}

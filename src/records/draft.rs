//! A record while it is read: a [`Builder`] that knows its place in the text.

use crate::shogi::{Color, Move, Position};

use super::end::End;
use super::error::{BuildError, Fault, Place, ReadError, Warning};
use super::record::{Builder, Node, Record, Step};

/// Adds what is read to a record, and keeps what was left out.
pub(super) struct Draft {
    builder: Builder,
    warnings: Vec<Warning>,
    /// Set if the last move breaks a rule: accepted without a warning if an end says so, an error if the line goes on.
    foul: Option<ReadError>,
}

impl Draft {
    pub fn new(start: Position) -> Self {
        Self {
            builder: Builder::new(start),
            warnings: Vec::new(),
            foul: None,
        }
    }

    pub const fn builder(&mut self) -> &mut Builder {
        &mut self.builder
    }

    /// The node that comments and times belong to.
    pub fn node(&mut self) -> &mut Node {
        self.builder.node()
    }

    /// The position in which the next move is played. A move after the end of the line begins a branch. `line` and
    /// `place` are asked only if there is something to say, as counting lines and characters takes longer than playing
    /// moves.
    ///
    /// # Errors
    ///
    /// That the last move breaks a rule, so that nothing can follow it.
    pub fn goes_on(
        &mut self,
        line: impl FnOnce() -> usize,
        place: impl FnOnce() -> Place,
    ) -> Result<&Position, ReadError> {
        if let Some(error) = self.foul.take() {
            return Err(error);
        }
        if let Some(Step::End(end)) = self.builder.step() {
            let text = format!(
                "the line has ended with {}: a branch begins",
                end.japanese()
            );
            self.builder.back_to(self.builder.steps() - 1);
            if matches!(self.builder.step(), Some(Step::Foul(_))) {
                let (place, fault) = (place(), Fault::AfterEnd);
                return Err(ReadError { place, fault });
            }
            self.warn(line(), text);
        }
        Ok(self.builder.position())
    }

    /// The player to move, also after a move that broke a rule.
    pub fn side(&self) -> Color {
        self.builder.side()
    }

    /// Whether nothing has been read yet.
    pub fn is_new(&self) -> bool {
        self.builder.record().is_empty()
    }

    /// The number of moves and ends in the line.
    pub fn steps(&self) -> usize {
        self.builder.steps()
    }

    /// The number of moves in the line.
    pub fn moves(&self) -> usize {
        self.builder.steps() - usize::from(self.has_ended())
    }

    /// Whether the line has its end.
    pub fn has_ended(&self) -> bool {
        matches!(self.builder.step(), Some(Step::End(_)))
    }

    pub fn extend(&mut self, warnings: impl IntoIterator<Item = Warning>) {
        self.warnings.extend(warnings);
    }

    pub fn leave_out(&mut self, line: usize, text: &str) {
        self.warnings.push(Warning::left_out(line, text));
    }

    pub fn warn(&mut self, line: usize, text: impl Into<String>) {
        let text = text.into();
        self.warnings.push(Warning { line, text });
    }

    /// Goes on with a move; `text` is how it was written. `place` is asked only if something is wrong.
    pub fn play(
        &mut self,
        mv: Move,
        place: impl FnOnce() -> Place,
        text: &str,
    ) -> Result<(), ReadError> {
        let illegal = |foul| Fault::Illegal {
            text: text.to_owned(),
            foul,
        };
        match self.builder.play(mv) {
            Err(BuildError::Illegal(_, foul)) => {
                let place = place();
                let fault = illegal(foul);
                let error = ReadError { place, fault };
                match self.builder.foul(mv) {
                    Ok(()) => self.foul = Some(error),
                    Err(_) => return Err(error),
                }
                Ok(())
            }
            result => result.map_err(|error| refused(error, place())),
        }
    }

    /// Ends the line; a second end is left out. After a move that breaks a rule, "the player loses by a foul" means the
    /// one who made that move: the other wins.
    pub fn end(
        &mut self,
        end: End,
        line: impl FnOnce() -> usize,
        place: impl FnOnce() -> Place,
    ) -> Result<(), ReadError> {
        let end = match self.foul {
            Some(_) if end.is_foul() => {
                self.foul = None;
                End::FoulWin
            }
            _ => end,
        };
        self.keep_foul()?;
        match self.node().end() {
            // Floodgate writes some ends twice.
            Some(known) if *known == end => {}
            Some(known) => {
                let (known, end) = (known.japanese(), end.japanese());
                let text = format!("left out: {end}, as the line has ended with {known}");
                self.warn(line(), text);
            }
            None => {
                let result = self.builder.end(end);
                result.map_err(|error| refused(error, place()))?;
            }
        }
        Ok(())
    }

    /// Goes back to where the line had `steps` steps.
    pub fn go_to(&mut self, steps: usize) -> Result<(), ReadError> {
        self.keep_foul()?;
        self.builder.back_to(steps);
        Ok(())
    }

    /// The record and what was left out of it.
    pub fn finish(mut self) -> Result<(Record, Vec<Warning>), ReadError> {
        self.keep_foul()?;
        Ok((self.builder.finish(), self.warnings))
    }

    /// The line ends with a move that breaks a rule, and nothing says so. A foul that a player can make is kept with a
    /// warning; what no piece can do is an error in the text.
    fn keep_foul(&mut self) -> Result<(), ReadError> {
        let Some(error) = self.foul.take() else {
            return Ok(());
        };
        match error.fault {
            Fault::Illegal { foul, .. } if foul.can_be_made() => {
                self.warn(error.place.line, format!("{}; kept as a foul", error.fault));
                Ok(())
            }
            _ => Err(error),
        }
    }
}

fn refused(error: BuildError, place: Place) -> ReadError {
    let fault = match error {
        BuildError::TooManyBranches => Fault::TooManyBranches,
        _ => Fault::AfterEnd,
    };
    ReadError { place, fault }
}

//! What a book knows of a position: moves with scores and counts, and their text in DB2016 books.

use std::fmt;

use crate::shogi::Move;

use super::key::{Key, flip_move};

/// A position of a book with its moves.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BookEntry {
    /// The position.
    pub key: Key,
    /// The move number; `None` if the book does not tell.
    pub ply: Option<u32>,
    /// The moves, in the book's order.
    pub moves: Vec<Candidate>,
}

/// A move of a book. What the book does not state is 0, a count 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Candidate {
    /// The move; not yet known to be legal.
    pub mv: Move,
    /// The expected reply.
    pub ponder: Option<Move>,
    /// The score in centipawns for the side to move.
    pub value: i32,
    /// The depth at which the score was found, in plies.
    pub depth: u32,
    /// How often the move was played.
    pub count: u64,
}

/// A line of a book that should begin with a move but does not.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("'{}' is no move", .0.escape_debug())]
pub struct NotAMove(pub String);

impl Candidate {
    /// A move of which nothing is known.
    pub const fn new(mv: Move) -> Self {
        Self {
            mv,
            ponder: None,
            value: 0,
            depth: 0,
            count: 1,
        }
    }

    /// Reads a line `move ponder value depth count`; what follows is a comment. `Ok(None)` if it says that there is no
    /// move.
    ///
    /// # Errors
    ///
    /// If the line does not begin with a move.
    pub fn read(line: &str) -> Result<Option<Self>, NotAMove> {
        let mut words = line.split_ascii_whitespace();
        let first = words.next().unwrap_or_default();
        if matches!(first, "none" | "None" | "resign") {
            return Ok(None);
        }
        let mv = first.parse().map_err(|_| NotAMove(first.to_owned()))?;
        let mut candidate = Self::new(mv);
        candidate.ponder = words.next().and_then(|word| word.parse().ok());
        let mut number = |default: i64| {
            let word = words.next();
            word.and_then(|word| word.parse::<i64>().ok())
                .unwrap_or(default)
        };
        candidate.value = number(0).clamp(i32::MIN.into(), i32::MAX.into()) as i32;
        candidate.depth = number(0).clamp(0, u32::MAX.into()) as u32;
        candidate.count = number(1).max(0) as u64;
        Ok(Some(candidate))
    }

    /// The same move on the board turned by 180 degrees.
    pub fn flipped(self) -> Self {
        Self {
            mv: flip_move(self.mv),
            ponder: self.ponder.map(flip_move),
            ..self
        }
    }
}

impl fmt::Display for Candidate {
    /// The line of a DB2016 book.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self {
            mv,
            value,
            depth,
            count,
            ..
        } = self;
        match self.ponder {
            Some(ponder) => write!(f, "{mv} {ponder} {value} {depth} {count}"),
            None => write!(f, "{mv} none {value} {depth} {count}"),
        }
    }
}

/// Adds moves to a list that holds each move once: the counts of equal moves add up; of all else the later value holds.
pub fn merge(moves: &mut Vec<Candidate>, more: impl IntoIterator<Item = Candidate>) {
    for new in more {
        match moves.iter_mut().find(|known| known.mv == new.mv) {
            Some(known) => {
                *known = Candidate {
                    count: known.count.saturating_add(new.count),
                    ponder: new.ponder.or(known.ponder),
                    ..new
                }
            }
            None => moves.push(new),
        }
    }
}

/// Puts the best move first: by score, then by count.
pub fn sort(moves: &mut [Candidate]) {
    moves.sort_by_key(|known| std::cmp::Reverse((known.value, known.count)));
}

/// Sorts a whole book as DB2016 wants it and joins entries for the same position and move number.
pub fn sort_entries(mut entries: Vec<BookEntry>) -> Vec<BookEntry> {
    entries.sort_by(|a, b| (&a.key, a.ply).cmp(&(&b.key, b.ply)));
    let mut sorted: Vec<BookEntry> = Vec::with_capacity(entries.len());
    for entry in entries {
        match sorted.last_mut() {
            Some(last) if last.key == entry.key && last.ply == entry.ply => {
                merge(&mut last.moves, entry.moves);
            }
            _ => sorted.push(entry),
        }
    }
    sorted
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(line: &str) -> Candidate {
        Candidate::read(line).unwrap().unwrap()
    }

    #[test]
    fn missing_and_odd_columns_count_as_the_default() {
        let full = read("2g2f 8c8d 38 24 25 //main line");
        assert_eq!(full.to_string(), "2g2f 8c8d 38 24 25");
        assert_eq!(read("2g2f").to_string(), "2g2f none 0 0 1");
        assert_eq!(read("2g2f none x -7 -1").to_string(), "2g2f none 0 0 0");
        let wide = read("P*5e none 99999999999 9999 3");
        assert_eq!((wide.value, wide.depth), (i32::MAX, 9999));
    }

    #[test]
    fn no_move_and_nonsense_are_told_apart() {
        for word in ["none", "None 0 0", "resign none 0 0 1"] {
            assert_eq!(Candidate::read(word), Ok(None), "{word}");
        }
        for word in ["", "7g", "sfen", "7g7f+x"] {
            assert!(Candidate::read(word).is_err(), "{word}");
        }
    }

    #[test]
    fn equal_moves_are_joined() {
        let mut moves = vec![read("7g7f 3c3d 40 24 70"), read("2g2f none 10 1 2")];
        merge(&mut moves, [read("7g7f none 35 30 5")]);
        assert_eq!(moves.len(), 2);
        assert_eq!(moves[0].to_string(), "7g7f 3c3d 35 30 75");
    }
}

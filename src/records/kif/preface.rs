//! The part before the first move: handicap or board, and comments on the start position.

use crate::shogi::{Color, HandPiece, Piece, Rank};

use super::super::draft::Draft;
use super::super::error::{Fault, Place, ReadError, Warning};
use super::super::handicap::Handicap;
use super::super::record::Node;
use super::super::setup::Setup;
use super::board::place_row;

/// Names of handicaps that say nothing about the pieces: the board shows them.
const BOARD_TELLS: [&str; 3] = ["その他", "詰将棋", "任意局面"];

/// The lines before the first move.
#[derive(Default)]
pub struct Preface {
    /// The 手合割 and its line.
    pub handicap: Option<(usize, String)>,
    /// The rows of the board with their lines, and the ranks that are named.
    pub rows: Vec<(usize, Option<Rank>, [Option<Piece>; 9])>,
    /// Black's and White's hand.
    pub hands: [Vec<(HandPiece, u32)>; 2],
    /// Who is said to move.
    pub turn: Option<Color>,
    /// The number of moves before the board.
    pub moves_before: u32,
    /// Comments and bookmarks.
    pub node: Node,
}

impl Preface {
    /// Begins with the moves. `side` is to move where nothing else says otherwise.
    ///
    /// # Errors
    ///
    /// That the start position is unknown or impossible.
    pub fn finish(self, side: Option<Color>) -> Result<Draft, ReadError> {
        let mut warnings = Vec::new();
        let mut warn = |line, text| warnings.push(Warning { line, text });
        let mut setup = Setup::even();
        let mut line = 1;
        if let Some((at, name)) = &self.handicap {
            line = *at;
            match Handicap::from_name(name) {
                Some(handicap) => setup = Setup::of(&handicap.position()),
                None if self.rows.is_empty() => {
                    return Err(at_line(line, Fault::Handicap(name.clone())));
                }
                None if BOARD_TELLS.contains(&name.as_str()) => {}
                None => warn(line, format!("unknown handicap {name}: the board counts")),
            }
        }
        if let Some(&(first, ..)) = self.rows.first() {
            line = first;
            self.draw(&mut setup)
                .map_err(|fault| at_line(line, fault))?;
        } else if self.hands.iter().any(|hand| !hand.is_empty()) {
            warn(
                line,
                "pieces in hand without a board are left out".to_owned(),
            );
        }
        setup.side = self.turn.or(side).unwrap_or(setup.side);
        setup.ply = self.moves_before.saturating_add(1);
        let (position, oddities) = setup
            .position()
            .map_err(|error| at_line(line, error.into()))?;
        for oddity in oddities {
            warn(line, format!("start position: {oddity}"));
        }
        let mut draft = Draft::new(position);
        draft.node().comments = self.node.comments;
        draft.node().bookmarks = self.node.bookmarks;
        for Warning { line, text } in warnings {
            draft.warn(line, text);
        }
        Ok(draft)
    }

    /// Puts the pieces of the board and in hand into place.
    fn draw(&self, setup: &mut Setup) -> Result<(), Fault> {
        if self.rows.len() != 9 {
            return Err(Fault::Expected {
                expected: "9 rows of a board",
                found: self.rows.len().to_string(),
            });
        }
        setup.clear();
        for ((_, named, pieces), in_order) in self.rows.iter().zip(Rank::all()) {
            place_row(setup, named.unwrap_or(in_order), *pieces);
        }
        for color in Color::ALL {
            for &(kind, count) in &self.hands[color.index()] {
                setup.add(color, kind, count);
            }
        }
        Ok(())
    }
}

const fn at_line(line: usize, fault: Fault) -> ReadError {
    let place = Place::line(line);
    ReadError { place, fault }
}

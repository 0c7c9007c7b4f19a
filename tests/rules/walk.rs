//! Random games that both this crate and `rsshogi` play, move by move.

use hien::shogi::{Move, Position};
use rsshogi::board::{Position as Referee, movegen};

use crate::common::random::Random;

/// The same game on both boards.
pub struct Walk {
    pub pos: Position,
    pub referee: Referee,
    pub line: Line,
}

/// Where a game began, and its moves so far, for messages.
pub struct Line {
    root: String,
    played: Vec<Move>,
}

impl std::fmt::Display for Line {
    /// The command that leads here.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "position sfen {} moves", self.root)?;
        self.played.iter().try_for_each(|mv| write!(f, " {mv}"))
    }
}

/// What a random game prefers now and then.
#[derive(Clone, Copy)]
enum Taste {
    Anything,
    Captures,
    Drops,
    Checks,
    KingMoves,
}

impl Walk {
    pub fn from(root: &str) -> Self {
        let pos = Position::from_sfen(root).unwrap_or_else(|e| panic!("{root}: {e}"));
        // The referee counts moves in 16 bits, so it is not told the number of the first one.
        let fields: Vec<_> = root.split_whitespace().take(3).collect();
        let mut referee = rsshogi::board::position_from_sfen(&fields.join(" "))
            .unwrap_or_else(|e| panic!("{root}: {e}"));
        referee.init_stack();
        let line = Line {
            root: root.to_owned(),
            played: Vec::new(),
        };
        Self { pos, referee, line }
    }

    /// The legal moves of the referee as raw bits, sorted.
    pub fn referee_moves(&self) -> Vec<u16> {
        let mut list = rsshogi::board::MoveList::new();
        movegen::generate_legal_all(&self.referee, &mut list);
        let mut moves: Vec<_> = list.iter().map(|mv| mv.raw()).collect();
        moves.sort_unstable();
        moves
    }

    /// A move to go on with, if there is any: now and then a capture, a drop, a check or a king move, so that
    /// hands fill and empty and kings run.
    pub fn choose(&self, random: &mut Random) -> Option<Move> {
        let moves = self.pos.legal_moves();
        let taste = match random.below(100) {
            0..30 => Taste::Anything,
            30..50 => Taste::Captures,
            50..65 => Taste::Drops,
            65..90 => Taste::Checks,
            _ => Taste::KingMoves,
        };
        let king = self.pos.king(self.pos.side_to_move());
        let liked: Vec<_> = moves
            .iter()
            .copied()
            .filter(|&mv| match taste {
                Taste::Anything => true,
                Taste::Captures => self.pos.piece_on(mv.to()).is_some(),
                Taste::Drops => mv.is_drop(),
                Taste::Checks => self.pos.gives_check(mv),
                Taste::KingMoves => king.is_some() && mv.from() == king,
            })
            .collect();
        let candidates = if liked.is_empty() {
            moves.as_slice()
        } else {
            &liked
        };
        (!candidates.is_empty()).then(|| random.pick(candidates))
    }

    /// Plays a legal move on both boards.
    pub fn play(&mut self, mv: Move) {
        self.pos.do_move(mv);
        self.referee
            .apply_move(rsshogi::types::Move::from_raw(mv.raw()));
        self.line.played.push(mv);
    }
}

/// The moves as raw bits, sorted; two equal moves in the list fail the test.
pub fn sorted_bits(moves: &[Move], context: impl Fn() -> String) -> Vec<u16> {
    let mut bits: Vec<_> = moves.iter().map(|mv| mv.raw()).collect();
    bits.sort_unstable();
    if let Some(twice) = bits.windows(2).find(|pair| pair[0] == pair[1]) {
        panic!(
            "{} is listed twice: {}",
            Move::from_raw(twice[0]).unwrap(),
            context()
        );
    }
    bits
}

/// Says which moves are too many and which are missing.
pub fn difference(found: &[u16], expected: &[u16]) -> String {
    let names = |list: &[u16], other: &[u16]| {
        let only: Vec<_> = list
            .iter()
            .filter(|bits| !other.contains(bits))
            .map(|&bits| {
                Move::from_raw(bits).map_or_else(|| format!("{bits:#06x}"), |mv| mv.to_string())
            })
            .collect();
        only.join(" ")
    };
    format!(
        "too many: [{}], missing: [{}]",
        names(found, expected),
        names(expected, found)
    )
}

//! Mate in one by bitboards, quick enough for every node of a search, and mate in three on top of it.
//!
//! The flight squares of the king are found once. A move can only mate if the moved piece, where it arrives,
//! attacks all of them (or stands on one), or if it uncovers another piece. Few moves pass, and those are tried.

use crate::shogi::{
    Bitboard, CheckInfo, Color, HandPiece, Move, MoveList, PieceType, Position, Promotions, Square,
    attacks,
};

/// A move of the side to move that mates at once, if there is one. The position is as before in the end.
///
/// ```
/// use hien::{mate::mate_in_one, shogi::Position};
/// let mut position = Position::from_sfen("4k4/9/4P4/9/9/9/9/9/9 b G 1").unwrap();
/// assert_eq!(mate_in_one(&mut position).unwrap().to_string(), "G*5b");
/// ```
pub fn mate_in_one(position: &mut Position) -> Option<Move> {
    mate_in_one_with(position, &position.check_info())
}

/// As [`mate_in_one`], with the position's [`check_info`](Position::check_info) at hand.
pub fn mate_in_one_with(position: &mut Position, checks: &CheckInfo) -> Option<Move> {
    if position.in_check() {
        return any_mating(position, checks);
    }
    let finder = MateInOne::new(position, checks)?;
    finder
        .mating_drop(position)
        .or_else(|| finder.mating_move(position))
}

/// A check after which every reply is answered by mate at once, if there is one. Checks that repeat a position of the
/// last `reach` plies are left out. The position is as before in the end.
pub fn mate_in_three(position: &mut Position, reach: usize) -> Option<Move> {
    mate_in_three_with(position, &position.check_info(), reach)
}

/// As [`mate_in_three`], with the position's [`check_info`](Position::check_info) at hand.
pub fn mate_in_three_with(
    position: &mut Position,
    checks: &CheckInfo,
    reach: usize,
) -> Option<Move> {
    let mut moves = MoveList::new();
    position.checks_with(checks, &mut moves, Promotions::Sensible);
    moves.into_iter().find(|&mv| {
        position.do_move(mv);
        let is_forced = position.last_cycle(reach).is_none() && is_mated_in_two(position);
        position.undo_move();
        is_forced
    })
}

/// Whether the side to move, in check, is mated whatever it replies.
fn is_mated_in_two(position: &mut Position) -> bool {
    let mut replies = MoveList::new();
    position.evasions(&mut replies, Promotions::All);
    replies.into_iter().all(|mv| {
        position.do_move(mv);
        let is_answered = mate_in_one(position).is_some();
        position.undo_move();
        is_answered
    })
}

/// All checks are tried. In check there are few.
fn any_mating(position: &mut Position, checks: &CheckInfo) -> Option<Move> {
    let mut moves = MoveList::new();
    position.checks_with(checks, &mut moves, Promotions::All);
    moves.into_iter().find(|&mv| mates(position, mv))
}

/// Whether a legal move mates.
fn mates(position: &mut Position, mv: Move) -> bool {
    position.do_move(mv);
    let is_mate = position.in_check() && position.count_legal() == 0;
    position.undo_move();
    is_mate
}

/// What the search for a mate in one knows of the enemy king.
struct MateInOne<'a> {
    /// The side to move.
    us: Color,
    king: Square,
    checks: &'a CheckInfo,
    /// For each kind the squares from which it gives check and leaves the king no flight.
    decisive: [Bitboard; PieceType::COUNT],
    /// Whether there is such a square at all. In most positions there is none.
    has_decisive: bool,
}

impl<'a> MateInOne<'a> {
    fn new(position: &Position, checks: &'a CheckInfo) -> Option<Self> {
        let us = position.side_to_move();
        let them = !us;
        let king = position.king(them)?;
        let neighbours = attacks::king(king);
        let attacked = position.attacked_near(king, neighbours, us);
        let flights = neighbours & !position.pieces(them) & !attacked;
        // Next to the king the piece must be protected; if it moves there, it attacks the square now.
        let own = position.pieces(us);
        let landing = !own & (attacked | !neighbours);
        // The king does not shield the squares behind it.
        let occupied = position.occupied().without(king);
        let decisive = |kind: PieceType| {
            let mut squares = checks.direct(kind) & landing;
            // On an empty board nearly all squares are ruled out, without a look at what stands on the lines.
            for flight in flights.squares() {
                if squares.is_empty() {
                    return squares;
                }
                squares &= attacks::reach(kind, them, flight).with(flight);
            }
            if !squares.is_empty() {
                for flight in flights.squares() {
                    squares &= attacks::attacks(kind, them, flight, occupied).with(flight);
                }
            }
            squares
        };
        let hand = position.hand(us);
        // Whether we have a piece that is or may become one of a kind.
        let has = |kind: PieceType| {
            HandPiece::from_captured(kind).is_some_and(|base| {
                let on_board = position.by_kind(base.kind()) | position.by_kind(kind);
                hand.has(base) || own.intersects(on_board)
            })
        };
        let gold = decisive(PieceType::Gold);
        let decisive = PieceType::ALL.map(|kind| match kind {
            _ if kind.moves_like_gold() => gold,
            _ if has(kind) => decisive(kind),
            _ => Bitboard::EMPTY,
        });
        let anywhere = decisive.into_iter().fold(Bitboard::EMPTY, |a, b| a | b);
        Some(Self {
            us,
            king,
            checks,
            decisive,
            has_decisive: !anywhere.is_empty(),
        })
    }

    fn mating_drop(&self, position: &mut Position) -> Option<Move> {
        if !self.has_decisive {
            return None;
        }
        let hand = position.hand(self.us);
        let free = !position.occupied();
        // A dropped pawn must not mate.
        for kind in HandPiece::ALL
            .into_iter()
            .skip(1)
            .filter(|&kind| hand.has(kind))
        {
            for to in (self.decisive[kind.kind().index()] & free).squares() {
                let mv = Move::drop(kind, to);
                if position.is_legal(mv) && mates(position, mv) {
                    return Some(mv);
                }
            }
        }
        None
    }

    fn mating_move(&self, position: &mut Position) -> Option<Move> {
        let openers = self.openers(position);
        let own = position.pieces(self.us);
        for from in (own & (openers | self.decisive_pieces(position))).squares() {
            let kind = position.piece_on(from)?.kind();
            // From where it may mate. A piece that opens a line need not attack the flights itself.
            let promising = |kind: PieceType| {
                if openers.contains(from) {
                    self.checks.direct(kind) | self.checks.uncovering(from)
                } else {
                    self.decisive[kind.index()]
                }
            };
            let plain = promising(kind);
            let promoted = kind.promoted().map_or(Bitboard::EMPTY, promising);
            if (plain | promoted).is_empty() {
                continue;
            }
            let reach = attacks::attacks(kind, self.us, from, position.occupied()) & !own;
            for (squares, promote) in [(promoted, true), (plain, false)] {
                for to in (reach & squares).squares() {
                    let mv = Move::board(from, to, promote);
                    if position.is_legal(mv) && mates(position, mv) {
                        return Some(mv);
                    }
                }
            }
        }
        None
    }

    /// The pieces of the kinds that could mate from some square, as they are or promoted.
    fn decisive_pieces(&self, position: &Position) -> Bitboard {
        if !self.has_decisive {
            return Bitboard::EMPTY;
        }
        let is_decisive = |kind: PieceType| !self.decisive[kind.index()].is_empty();
        let may_mate =
            |kind: &PieceType| is_decisive(*kind) || kind.promoted().is_some_and(is_decisive);
        PieceType::ALL
            .into_iter()
            .filter(may_mate)
            .fold(Bitboard::EMPTY, |pieces, kind| {
                pieces | position.by_kind(kind)
            })
    }

    /// Our pieces that stand between one of our sliders and the king or its neighbours: when they go, more of these are
    /// attacked.
    fn openers(&self, position: &Position) -> Bitboard {
        let near = attacks::king(self.king).with(self.king);
        let own = position.pieces(self.us);
        let mut openers = Bitboard::EMPTY;
        for kind in [
            PieceType::Lance,
            PieceType::Bishop,
            PieceType::Rook,
            PieceType::Horse,
            PieceType::Dragon,
        ] {
            for from in position.pieces_of(self.us, kind).squares() {
                if !attacks::reach(kind, self.us, from).intersects(near) {
                    continue;
                }
                let attacked = attacks::attacks(kind, self.us, from, position.occupied());
                let hidden = near & !attacked;
                for piece in (attacked & own).squares() {
                    if attacks::ray(from, piece).intersects(hidden) {
                        openers = openers.with(piece);
                    }
                }
            }
        }
        openers
    }
}

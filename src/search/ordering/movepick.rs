//! Move ordering: a staged move picker. Moves are generated in stages, each only if the ones before did not end the
//! node: TT move, good captures, good quiet moves (by history), bad captures, bad quiet moves; in check all evasions at
//! once. Captures are ordered by victim (MVV) and capture history, which takes the place of the attacker in MVV-LVA,
//! and are good if SEE confirms it. There are no killer moves and no countermoves: continuation history replaces both.
//! Knows nothing of pruning.
//!
//! Stages, the limit -14000 of good quiet moves and -75 of checks, the weight 7 of victims and the SEE divisor 18 are
//! those of Stockfish and YaneuraOu 9.70.

use std::cell::OnceCell;

use arrayvec::ArrayVec;

use super::history::{ByTarget, History, Origin, PawnIndex, PieceTo, Row, of_piece};
use super::scored_moves::{ScoredMove, ScoredMoves};
use crate::search::params;
use crate::shogi::moves::MAX_MOVES;
use crate::shogi::piece_value;
use crate::shogi::{
    Bitboard, CheckInfo, Color, HandPiece, Move, MoveList, MoveSink, Piece, PieceType, Position,
    Promotions, Square, attacks,
};

/// Puts captures before all other evasions.
const CAPTURE_FIRST: i32 = 1 << 19;
/// How many plies back the continuation history looks.
pub const CONTINUATIONS: usize = 6;

/// What the order of a node's moves depends on, apart from position and histories. Made once per node.
pub struct MoveContext {
    /// The moves 1, 2, .. plies ago.
    pub previous: [PieceTo; CONTINUATIONS],
    pub pawn_index: PawnIndex,
    /// Distance from the root.
    pub ply: usize,
    checks: OnceCell<CheckInfo>,
}

impl MoveContext {
    pub fn new(previous: [PieceTo; CONTINUATIONS], pawn_index: PawnIndex, ply: usize) -> Self {
        Self {
            previous,
            pawn_index,
            ply,
            checks: OnceCell::new(),
        }
    }

    /// How the side to move can give check; found out when first asked for. `position` is that of the node.
    #[inline]
    pub fn checks(&self, position: &Position) -> &CheckInfo {
        self.checks.get_or_init(|| position.check_info())
    }
}

/// Scores moves of a node.
#[derive(Clone, Copy)]
struct Scorer<'a> {
    position: &'a Position,
    history: &'a History,
    context: &'a MoveContext,
}

impl Scorer<'_> {
    fn capture(self, mv: Move) -> i32 {
        let Some(captured) = self.position.captured_by(mv) else {
            return 0;
        };
        let moved = PieceTo::of(self.position, mv);
        params::order_victim() * piece_value::value(captured)
            + self.history.capture(moved, captured)
    }

    fn evasion(self, mv: Move) -> i32 {
        if self.position.captured_by(mv).is_some() {
            return CAPTURE_FIRST + self.capture(mv);
        }
        let moved = PieceTo::of(self.position, mv);
        self.history.main(self.position.side_to_move(), mv)
            + self.history.continuation(self.context.previous[0], moved)
    }
}

/// Lists quiet moves with their history scores as they are generated.
struct QuietScorer<'a> {
    scorer: Scorer<'a>,
    checks: &'a CheckInfo,
    /// Continuation history after the moves some plies ago.
    continuations: [&'a Row; 5],
    pawn_row: &'a Row,
    /// A move that is not to be listed.
    except: Option<(Origin, Square)>,
    list: &'a mut ScoredMoves,
}

impl<'a> QuietScorer<'a> {
    fn new(scorer: Scorer<'a>, except: Option<Move>, list: &'a mut ScoredMoves) -> Self {
        let Scorer {
            position,
            history,
            context,
        } = scorer;
        Self {
            scorer,
            checks: context.checks(position),
            continuations: [1, 2, 3, 4, 6]
                .map(|back| history.continuation_row(context.previous[back - 1])),
            pawn_row: history.pawn_row(context.pawn_index),
            except: except.map(|mv| (Origin::of(mv), mv.to())),
            list,
        }
    }

    /// Lists the moves of a piece to the squares of `to`. `piece` is as it will stand there, `uncovering` are the
    /// squares where its departure gives check.
    #[inline]
    fn add(
        &mut self,
        piece: Piece,
        origin: Origin,
        uncovering: Bitboard,
        to: Bitboard,
        make: impl Fn(Square) -> Move,
    ) {
        let Scorer {
            position,
            history,
            context,
        } = self.scorer;
        let [c1, c2, c3, c4, c6] = &self.continuations;
        let [c1, c2, c3, c4, c6] = [c1, c2, c3, c4, c6].map(|row| of_piece(row, piece));
        let pawn = of_piece(self.pawn_row, piece);
        let main = history.main_from(position.side_to_move(), origin);
        let near_root = history.low_ply_from(context.ply, origin);
        // Plain sums instead of loops over tables: this is the hottest place of the search.
        let score = |to: Square| {
            let to = to.index();
            let at = |table: &ByTarget| i32::from(table[to]);
            let near_root = near_root.map_or(0, |table| {
                params::order_low_ply() * at(table) / (1 + context.ply as i32)
            });
            params::order_main() * at(main)
                + (at(c1) + at(c2) + at(c3) + at(c4) + at(c6))
                + params::order_pawn_history() * at(pawn)
                + near_root
        };
        let to = match self.except {
            Some((from, except)) if from == origin => to.without(except),
            _ => to,
        };
        let checks = to & (self.checks.direct(piece.kind()) | uncovering);
        for to in (to & !checks).squares() {
            self.list.push(make(to), score(to));
        }
        for to in checks.squares() {
            let score = score(to) + params::order_check();
            self.list.push_unverified(make(to), score);
        }
    }
}

impl MoveSink for QuietScorer<'_> {
    #[inline]
    fn piece(&mut self, _: PieceType, from: Square, plain: Bitboard, promoting: Bitboard) {
        let Some(piece) = self.scorer.position.piece_on(from) else {
            return;
        };
        let uncovering = self.checks.uncovering(from);
        for (to, promote) in [(promoting, true), (plain, false)] {
            if !to.is_empty() {
                let (piece, origin) = (piece.promoted_if(promote), Origin::board(from, promote));
                self.add(piece, origin, uncovering, to, |to| {
                    Move::board(from, to, promote)
                });
            }
        }
    }

    #[inline]
    fn pawns(&mut self, color: Color, plain: Bitboard, promoting: Bitboard) {
        for to in (plain | promoting).squares() {
            if let Some(from) = attacks::pawn(!color, to).first() {
                let to = Bitboard::from_square(to);
                self.piece(PieceType::Pawn, from, plain & to, promoting & to);
            }
        }
    }

    #[inline]
    fn drops(&mut self, kind: HandPiece, to: Bitboard) {
        let piece = Piece::new(self.scorer.position.side_to_move(), kind.kind());
        self.add(piece, Origin::hand(kind), Bitboard::EMPTY, to, |to| {
            Move::drop(kind, to)
        });
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Stage {
    TtMove,
    GenerateCaptures,
    GoodCaptures,
    GenerateQuiets,
    GoodQuiets,
    BadCaptures,
    BadQuiets,
    GenerateEvasions,
    Listed,
    Done,
}

/// Which moves a node tries.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Purpose {
    /// All moves.
    Search,
    /// Captures, or all evasions when in check.
    Captures,
}

/// Hands out the moves of one node, one by one.
pub struct MovePicker {
    stage: Stage,
    purpose: Purpose,
    tt_move: Option<Move>,
    promotions: Promotions,
    skip_quiets: bool,
    /// The moves of the current stage.
    list: ScoredMoves,
    bad_captures: ArrayVec<Move, MAX_MOVES>,
    /// The next bad capture to try.
    next_bad: usize,
}

impl MovePicker {
    /// For a node of the main search. The TT move must be legal.
    pub fn new(tt_move: Option<Move>, promotions: Promotions) -> Self {
        Self::with_purpose(Purpose::Search, tt_move, promotions)
    }

    /// For quiescence search and ProbCut: captures only, good and bad, or all evasions when in check. The TT move must
    /// be legal; it comes first.
    pub fn captures(tt_move: Option<Move>, promotions: Promotions) -> Self {
        Self::with_purpose(Purpose::Captures, tt_move, promotions)
    }

    fn with_purpose(purpose: Purpose, tt_move: Option<Move>, promotions: Promotions) -> Self {
        Self {
            stage: Stage::TtMove,
            purpose,
            tt_move,
            promotions,
            skip_quiets: false,
            list: ScoredMoves::new(),
            bad_captures: ArrayVec::new(),
            next_bad: 0,
        }
    }

    /// Hands out no quiet moves from now on (late move pruning).
    pub fn skip_quiets(&mut self) {
        self.skip_quiets = true;
    }

    /// The next move to try. All moves are legal, none comes twice. `position` and `context` are always those of the
    /// node.
    pub fn next(
        &mut self,
        position: &Position,
        history: &History,
        context: &MoveContext,
    ) -> Option<Move> {
        let scorer = Scorer {
            position,
            history,
            context,
        };
        loop {
            match self.stage {
                Stage::TtMove => {
                    self.stage = if position.in_check() {
                        Stage::GenerateEvasions
                    } else {
                        Stage::GenerateCaptures
                    };
                    if self.tt_move.is_some() {
                        return self.tt_move;
                    }
                }
                Stage::GenerateCaptures => {
                    self.generate_captures(scorer);
                    self.stage = Stage::GoodCaptures;
                }
                Stage::GoodCaptures => match self.list.pop_best() {
                    Some(capture) if self.is_good(position, capture) => return Some(capture.mv),
                    Some(capture) => self.bad_captures.push(capture.mv),
                    None => self.stage = self.after_captures(),
                },
                Stage::GenerateQuiets => {
                    self.list.clear();
                    if !self.skip_quiets {
                        self.generate_quiets(scorer);
                    }
                    self.stage = Stage::GoodQuiets;
                }
                Stage::GoodQuiets => {
                    if let Some(quiet) = self.best_quiet(position)
                        && quiet.score() > params::order_good_quiet()
                    {
                        self.list.remove(quiet);
                        return Some(quiet.mv);
                    }
                    self.stage = Stage::BadCaptures;
                }
                Stage::BadCaptures => {
                    if let Some(&capture) = self.bad_captures.get(self.next_bad) {
                        self.next_bad += 1;
                        return Some(capture);
                    }
                    self.stage = Stage::BadQuiets;
                }
                Stage::BadQuiets => match self.best_quiet(position) {
                    Some(quiet) => {
                        self.list.remove(quiet);
                        return Some(quiet.mv);
                    }
                    None => self.stage = Stage::Done,
                },
                Stage::GenerateEvasions => {
                    self.generate_evasions(scorer);
                    self.stage = Stage::Listed;
                }
                Stage::Listed => match self.list.pop_best() {
                    Some(ScoredMove { mv, .. }) => return Some(mv),
                    None => self.stage = Stage::Done,
                },
                Stage::Done => return None,
            }
        }
    }

    /// After the last move: continues with the unpromoted moves that were left out so far. Returns whether there are
    /// any. Without them no position may be called lost: they may avoid uchifuzume (打ち歩詰め), or being mated.
    pub fn add_unpromoted(&mut self, position: &Position) -> bool {
        if self.promotions == Promotions::All {
            return false;
        }
        self.promotions = Promotions::All;
        let mut sensible = MoveList::new();
        position.evasions(&mut sensible, Promotions::Sensible);
        let mut all = MoveList::new();
        position.evasions(&mut all, Promotions::All);
        self.list.clear();
        for mv in all {
            if !sensible.contains(&mv) && Some(mv) != self.tt_move {
                self.list.push(mv, 0);
            }
        }
        self.stage = Stage::Listed;
        self.list.best().is_some()
    }

    fn after_captures(&self) -> Stage {
        match self.purpose {
            Purpose::Search => Stage::GenerateQuiets,
            Purpose::Captures => Stage::Done,
        }
    }

    fn generate_captures(&mut self, scorer: Scorer) {
        let mut moves = MoveList::new();
        scorer.position.captures(&mut moves, self.promotions);
        self.add(&moves, |mv| scorer.capture(mv));
    }

    fn generate_quiets(&mut self, scorer: Scorer) {
        let (except, list) = (self.tt_move, &mut self.list);
        let mut sink = QuietScorer::new(scorer, except, list);
        scorer.position.quiets(&mut sink, self.promotions);
    }

    fn generate_evasions(&mut self, scorer: Scorer) {
        let mut moves = MoveList::new();
        scorer.position.evasions(&mut moves, self.promotions);
        self.add(&moves, |mv| scorer.evasion(mv));
    }

    /// Appends moves to the list, without the TT move.
    fn add(&mut self, moves: &MoveList, score: impl Fn(Move) -> i32) {
        for &mv in moves {
            if Some(mv) != self.tt_move {
                let score = score(mv);
                self.list.push(mv, score);
            }
        }
    }

    /// The best quiet move that is left, unless they are to be skipped. A check that loses material earns no bonus;
    /// that is verified (by SEE) only once the check is about to be tried.
    fn best_quiet(&mut self, position: &Position) -> Option<ScoredMove> {
        if self.skip_quiets {
            return None;
        }
        loop {
            let best = self.list.best()?;
            if !best.is_unverified() || position.see_ge(best.mv, -params::order_check_see()) {
                return Some(best);
            }
            self.list.demote(best, params::order_check());
        }
    }

    /// Whether a capture loses no more in the exchange (SEE) than its history makes up for. In quiescence search all
    /// captures count as good: the search itself prunes them.
    fn is_good(&self, position: &Position, capture: ScoredMove) -> bool {
        self.purpose != Purpose::Search
            || position.see_ge(capture.mv, -capture.score() / params::order_see_divisor())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const MIDDLEGAME: &str =
        "l6nl/5+P1gk/2np1S3/p1p4Pp/3P2Sp1/1PPb2P1P/P5GS1/R8/LN4bKL w RGgsn5p 1";
    const IN_CHECK: &str = "9/5g1s1/8k/6+R2/9/6R1S/5B3/9/9 w b3g2s4n4l18p 1";

    fn context() -> MoveContext {
        MoveContext::new([PieceTo::NONE; CONTINUATIONS], PawnIndex::new(0), 0)
    }

    fn pick_all(position: &Position, mut picker: MovePicker, history: &History) -> Vec<Move> {
        let context = context();
        let mut moves: Vec<_> =
            std::iter::from_fn(|| picker.next(position, history, &context)).collect();
        if picker.add_unpromoted(position) {
            moves.extend(std::iter::from_fn(|| {
                picker.next(position, history, &context)
            }));
        }
        assert!(!picker.add_unpromoted(position));
        moves
    }

    fn sorted(mut moves: Vec<Move>) -> Vec<Move> {
        moves.sort();
        moves
    }

    #[test]
    fn every_legal_move_comes_exactly_once() {
        let history = History::new();
        for sfen in [
            MIDDLEGAME,
            IN_CHECK,
            "4k4/9/4P4/9/9/9/9/9/4K4 b G2r2b3g4s4n4l17p 1",
        ] {
            let position = Position::from_sfen(sfen).unwrap();
            let legal = sorted(position.legal_moves().to_vec());
            for promotions in [Promotions::Sensible, Promotions::All] {
                for tt_move in [None, legal.first().copied(), legal.last().copied()] {
                    let picker = MovePicker::new(tt_move, promotions);
                    let picked = pick_all(&position, picker, &history);
                    if tt_move.is_some() {
                        assert_eq!(picked.first().copied(), tt_move);
                    }
                    assert_eq!(sorted(picked), legal, "{sfen} {tt_move:?}");
                }
            }
        }
    }

    #[test]
    fn a_picker_of_captures_lists_no_other_moves() {
        let history = History::new();
        let position = Position::from_sfen(MIDDLEGAME).unwrap();
        let mut expected = MoveList::new();
        position.captures(&mut expected, Promotions::All);
        let picked = pick_all(
            &position,
            MovePicker::captures(None, Promotions::All),
            &history,
        );
        assert_eq!(sorted(picked), sorted(expected.to_vec()));
    }

    #[test]
    fn quiets_can_be_skipped_at_any_moment() {
        let history = History::new();
        let position = Position::from_sfen(MIDDLEGAME).unwrap();
        let context = context();
        let next = |picker: &mut MovePicker| picker.next(&position, &history, &context);
        let mut captures = MoveList::new();
        position.captures(&mut captures, Promotions::Sensible);
        for skip_after in 0..40 {
            let mut picker = MovePicker::new(None, Promotions::Sensible);
            let mut before = Vec::new();
            before.extend(std::iter::from_fn(|| next(&mut picker)).take(skip_after));
            picker.skip_quiets();
            let after: Vec<_> = std::iter::from_fn(|| next(&mut picker)).collect();
            assert!(after.iter().all(|mv| captures.contains(mv)));
            let taken = before
                .iter()
                .chain(&after)
                .filter(|mv| captures.contains(mv));
            assert_eq!(taken.count(), captures.len());
        }
    }

    #[test]
    fn good_captures_come_before_quiets_and_bad_ones_after_good_quiets() {
        let history = History::new();
        // Rook takes an undefended gold, or a defended pawn.
        let position = Position::from_sfen("4k4/4g4/4p4/g3R4/9/9/9/9/4K4 b - 1").unwrap();
        let picker = MovePicker::new(None, Promotions::Sensible);
        let picked = pick_all(&position, picker, &history);
        let place = |text: &str| picked.iter().position(|mv| mv.to_string() == text).unwrap();
        assert_eq!(place("5d9d"), 0);
        assert!(place("5d5c+") > place("5d5e"));
    }
}

//! The root moves with their results, and principal variations fit to be shown.

use arrayvec::ArrayVec;

use super::limits::{Limits, SearchOptions};
use super::report::Bound;
use crate::score::{self, Value};
use crate::shogi::piece_value;
use crate::shogi::{Declaration, Move, MoveKind, Position, Repetition};

/// The longest line that is kept and shown.
pub(super) const PV_LEN: usize = 64;

/// A principal variation from some node on.
pub(super) type PvLine = ArrayVec<Move, PV_LEN>;

/// A move at the root with the results of the search so far.
#[derive(Clone, Debug)]
pub(super) struct RootMove {
    pub mv: Move,
    /// The value in the current iteration; `-INFINITE` if it is no candidate for the best move there.
    pub value: Value,
    /// The kind of bound that `value` is.
    pub bound: Bound,
    /// The value as it stood at the end of the last iteration.
    pub previous_value: Value,
    /// A running average of the values, the centre of the next aspiration window (as in Stockfish).
    pub average: Value,
    /// The depth at which `line` and `value` were found.
    pub depth: u32,
    /// The greatest ply reached while `line` was found.
    pub seldepth: u32,
    /// Nodes searched below the move.
    pub nodes: u64,
    /// The expected line, starting with the move.
    pub line: PvLine,
}

impl RootMove {
    fn new(mv: Move) -> Self {
        Self {
            mv,
            value: -score::INFINITE,
            bound: Bound::Exact,
            previous_value: -score::INFINITE,
            average: -score::INFINITE,
            depth: 0,
            seldepth: 0,
            nodes: 0,
            line: PvLine::from_iter([mv]),
        }
    }

    /// Records a result that makes the move a candidate for the best one.
    pub fn set(&mut self, value: Value, bound: Bound, depth: u32, seldepth: u32, rest: &[Move]) {
        self.value = value;
        self.bound = bound;
        self.depth = depth;
        self.seldepth = seldepth;
        self.average = if self.average == -score::INFINITE {
            value
        } else {
            (self.average + value) / 2
        };
        self.line.clear();
        self.line.push(self.mv);
        self.line.extend(rest.iter().copied().take(PV_LEN - 1));
    }

    /// The value to show: that of this iteration, or of the last one if this one has none.
    pub fn shown_value(&self) -> Value {
        if self.value == -score::INFINITE {
            self.previous_value
        } else {
            self.value
        }
    }
}

/// The moves to search at the root, most promising first: all legal ones or those asked for, but none that loses
/// at once by completing a perpetual check, unless all do.
pub(super) fn root_moves(root: &Position, limits: &Limits) -> Vec<RootMove> {
    let legal = root.legal_moves();
    let mut moves: Vec<Move> = legal
        .iter()
        .copied()
        .filter(|mv| limits.searchmoves.contains(mv))
        .collect();
    if moves.is_empty() {
        moves.extend(&legal);
    }
    let mut position = root.clone();
    let playable: Vec<Move> = moves
        .iter()
        .copied()
        .filter(|&mv| {
            position.do_move(mv);
            let loses = position.repetition() == Repetition::Win;
            position.undo_move();
            !loses
        })
        .collect();
    if !playable.is_empty() {
        moves = playable;
    }
    moves.sort_by_cached_key(|&mv| std::cmp::Reverse(first_impression(root, mv)));
    moves.into_iter().map(RootMove::new).collect()
}

/// Takes the moves that decline a promotion without need off the list and returns them, unless they are asked for. They
/// are searched only if all others lose.
pub(super) fn set_aside_unpromoted(
    moves: &mut Vec<RootMove>,
    root: &Position,
    limits: &Limits,
    options: &SearchOptions,
) -> Vec<RootMove> {
    let is_asked_for = |mv: Move| options.all_promotions || limits.searchmoves.contains(&mv);
    let is_useless = |root_move: &mut RootMove| {
        let mv = root_move.mv;
        root.declines_promotion(mv) && !is_asked_for(mv)
    };
    let unpromoted: Vec<_> = moves.extract_if(.., is_useless).collect();
    if moves.is_empty() {
        std::mem::replace(moves, unpromoted)
    } else {
        unpromoted
    }
}

/// A score that orders the root moves before the first search.
fn first_impression(root: &Position, mv: Move) -> i32 {
    let captured = root
        .piece_on(mv.to())
        .map_or(0, |piece| piece_value::value(piece.kind()));
    let promoted = match mv.kind() {
        MoveKind::Board { from, promote } => {
            let gain = root
                .piece_on(from)
                .map_or(0, |piece| piece_value::promotion_gain(piece.kind()));
            // A promotion that is possible but declined comes last.
            let possible = root.is_legal(Move::board(from, mv.to(), true));
            match (promote, possible) {
                (true, _) => gain,
                (false, true) => -gain / 2,
                (false, false) => 0,
            }
        }
        MoveKind::Drop(_) => 0,
    };
    let safe = if root.see_ge(mv, 0) { 0 } else { -2000 };
    captured + promoted + safe
}

/// A line cut to what may be shown: legal moves only, up to the end of the game or a repetition.
pub(super) fn presentable(root: &Position, line: &[Move], options: &SearchOptions) -> Vec<Move> {
    let mut position = root.clone();
    let mut shown = Vec::with_capacity(line.len());
    for &mv in line.iter().take(PV_LEN) {
        if !position.is_legal(mv) {
            break;
        }
        position.do_move(mv);
        shown.push(mv);
        if is_end_of_line(&position, options) {
            break;
        }
    }
    shown
}

/// Whether a line of play should not go beyond this position.
pub(super) fn is_end_of_line(position: &Position, options: &SearchOptions) -> bool {
    position.occurrences() > 1
        || is_beyond_last_move(position, options)
        || position.declaration(options.entering_king_rule) == Declaration::Win
        || position.count_legal() == 0
}

/// Whether the game is drawn by its length, unless the side to move is mated.
pub(super) fn is_beyond_last_move(position: &Position, options: &SearchOptions) -> bool {
    options.max_moves_to_draw > 0 && position.ply() > options.max_moves_to_draw
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::shogi::EnteringKingRule;

    fn moves(text: &str) -> Vec<Move> {
        text.split_whitespace()
            .map(|mv| mv.parse().unwrap())
            .collect()
    }

    fn played(sfen: &str, line: &str) -> Position {
        let mut position = Position::from_sfen(sfen).unwrap();
        for mv in moves(line) {
            position.try_move(mv).unwrap();
        }
        position
    }

    #[test]
    fn lines_end_at_illegal_moves_and_repetitions() {
        let options = SearchOptions::default();
        let root = Position::startpos();
        let legal = moves("7g7f 3c3d 8h2b+ 3a2b");
        assert_eq!(presentable(&root, &legal, &options), legal);
        let broken = moves("7g7f 3c3d 8h2b+ 7g7f 3a2b");
        assert_eq!(presentable(&root, &broken, &options), broken[..3]);
        let cycle = moves("2h3h 8b7b 3h2h 7b8b 2h3h 8b7b");
        assert_eq!(presentable(&root, &cycle, &options), cycle[..4]);
        // The return may also be to a position before the root.
        let root = played(&root.sfen(), "2h3h 8b7b 3h2h");
        assert_eq!(presentable(&root, &cycle[3..], &options), cycle[3..4]);
    }

    #[test]
    fn lines_end_with_the_game() {
        let options = SearchOptions {
            max_moves_to_draw: 2,
            ..SearchOptions::default()
        };
        let line = moves("7g7f 3c3d 8h2b+ 3a2b");
        assert_eq!(
            presentable(&Position::startpos(), &line, &options),
            line[..2]
        );

        // Black's king stands in the camp with enough pieces; White's move lets Black declare.
        let root = Position::from_sfen("4K4/+R+RGGGGSSS/2S6/9/9/9/9/9/4k4 w 2B4N4L18P 1").unwrap();
        let line = moves("5i5h P*5g");
        let options = SearchOptions::default();
        assert_eq!(presentable(&root, &line, &options), line[..1]);
        let options = SearchOptions {
            entering_king_rule: EnteringKingRule::NoEnteringKing,
            ..options
        };
        assert_eq!(presentable(&root, &line, &options), line);
    }

    #[test]
    fn moves_can_be_chosen_and_unknown_choices_are_ignored() {
        let root = Position::startpos();
        let all = root_moves(&root, &Limits::default());
        assert_eq!(all.len(), 30);
        let chosen = Limits {
            searchmoves: moves("2g2f 7g7f 3c3d"),
            ..Limits::default()
        };
        let mut found: Vec<_> = root_moves(&root, &chosen)
            .iter()
            .map(|m| m.mv.to_string())
            .collect();
        found.sort();
        assert_eq!(found, ["2g2f", "7g7f"]);
        let useless = Limits {
            searchmoves: moves("3c3d"),
            ..Limits::default()
        };
        assert_eq!(root_moves(&root, &useless).len(), 30);
    }

    #[test]
    fn promotions_are_declined_on_request_only() {
        let root = played(&Position::startpos().sfen(), "7g7f 3c3d");
        let (plain, promoted) = (moves("8h2b 8h3c"), moves("8h2b+ 8h3c+"));
        let set_aside = |searchmoves: &[Move], all_promotions| {
            let limits = Limits {
                searchmoves: searchmoves.to_vec(),
                ..Limits::default()
            };
            let options = SearchOptions {
                all_promotions,
                ..SearchOptions::default()
            };
            let mut moves = root_moves(&root, &limits);
            let aside = set_aside_unpromoted(&mut moves, &root, &limits, &options);
            let names = |moves: &[RootMove]| -> Vec<_> {
                let mut names: Vec<_> = moves.iter().map(|m| m.mv).collect();
                names.sort_by_key(Move::to_string);
                names
            };
            (names(&moves), names(&aside))
        };
        let (usual, aside) = set_aside(&[], false);
        assert!(promoted.iter().all(|mv| usual.contains(mv)));
        assert!(plain.iter().all(|mv| !usual.contains(mv)));
        assert_eq!(aside, plain);
        assert!(set_aside(&[], true).1.is_empty());
        assert_eq!(set_aside(&plain, false), (plain.clone(), vec![]));
        // A wish that cannot be met is none.
        assert_eq!(set_aside(&moves("5e5d"), false).1, plain);
    }

    #[test]
    fn completing_an_own_perpetual_check_is_no_option() {
        let cycle = "5a4a 5i4i 4a5a 4i5i";
        let root = played(
            "4k4/9/9/9/9/9/9/9/K3R4 w - 1",
            &format!("{cycle} {cycle} 5a4a 5i4i 4a5a"),
        );
        let perpetual: Move = "4i5i".parse().unwrap();
        assert!(root.is_legal(perpetual));
        let found = root_moves(&root, &Limits::default());
        assert!(found.iter().all(|m| m.mv != perpetual));
        assert_eq!(found.len() as u32, root.count_legal() - 1);
        let only = Limits {
            searchmoves: vec![perpetual],
            ..Limits::default()
        };
        assert_eq!(root_moves(&root, &only)[0].mv, perpetual);
    }
}

//! What must hold in any position, whatever the moves are.

use hien::shogi::piece_value;
use hien::shogi::{
    Color, Move, MoveKind, MoveList, Piece, PieceType, Position, Promotions, Square,
};

use crate::common::slow::{Board, Cell, Man};
use crate::walk::{difference, sorted_bits};

/// Everything about a position that undo must bring back.
fn snapshot(pos: &Position) -> impl PartialEq + std::fmt::Debug + use<> {
    (
        pos.sfen(),
        [pos.key(), pos.board_key()],
        pos.checkers().bits(),
        pos.material(),
        pos.hands_at(0),
        (pos.last_move(), pos.diff(0), pos.game_len()),
        Color::ALL.map(|color| pos.pieces(color).bits()),
        PieceType::ALL.map(|kind| pos.by_kind(kind).bits()),
    )
}

fn list(fill: impl FnOnce(&mut MoveList)) -> MoveList {
    let mut moves = MoveList::new();
    fill(&mut moves);
    moves
}

/// Whether a non-promotion is one that the search may leave out: the promoted piece could do all the same.
fn is_useless(pos: &Position, mv: Move) -> bool {
    let us = pos.side_to_move();
    let Some(from) = mv.from().filter(|_| !mv.is_promotion()) else {
        return false;
    };
    if !from.is_in_zone(us) && !mv.to().is_in_zone(us) {
        return false;
    }
    match pos.piece_on(from).expect("a legal move").kind() {
        PieceType::Pawn | PieceType::Bishop | PieceType::Rook => true,
        PieceType::Lance => mv.to().rank().from_far_edge(us) == 1,
        _ => false,
    }
}

/// Laws that are checked at every position. `legal` are the legal moves as sorted bits.
pub fn cheap(pos: &mut Position, legal: &[u16], context: impl Fn() -> String) {
    assert_eq!(pos.count_legal() as usize, legal.len(), "{}", context());
    for &bits in legal {
        let mv = Move::from_raw(bits).expect("a legal move");
        assert_eq!(
            pos.declines_promotion(mv),
            is_useless(pos, mv),
            "{mv} {}",
            context()
        );
    }
    assert!(pos.is_consistent(), "{}", context());
    staged_generators(pos, legal, &context);

    let sfen = pos.sfen();
    let again = Position::from_sfen(&sfen).unwrap_or_else(|e| panic!("{e}: {}", context()));
    assert_eq!(again.sfen(), sfen, "{}", context());
    assert_eq!(
        (again.key(), again.board_key()),
        (pos.key(), pos.board_key()),
        "{}",
        context()
    );
    assert_eq!(
        again.checkers().bits(),
        pos.checkers().bits(),
        "{}",
        context()
    );
    assert_eq!(again.material(), pos.material(), "{}", context());

    let before = snapshot(pos);
    for &bits in legal {
        let mv = Move::from_raw(bits).expect("a legal move");
        let expected = (pos.key_after(mv), pos.gives_check(mv));
        pos.do_move(mv);
        assert_eq!((pos.key(), pos.in_check()), expected, "{mv}: {}", context());
        pos.undo_move();
    }
    assert_eq!(snapshot(pos), before, "{}", context());
}

/// The generators of the search give what the full list has, neither more nor less.
fn staged_generators(pos: &Position, legal: &[u16], context: &impl Fn() -> String) {
    let same = |name: &str, found: &[Move], expected: &[u16]| {
        let found = sorted_bits(found, || format!("{name}: {}", context()));
        assert!(
            found == expected,
            "{name}: {}: {}",
            difference(&found, expected),
            context()
        );
    };
    let only = |keep: &dyn Fn(Move) -> bool| -> Vec<u16> {
        legal
            .iter()
            .copied()
            .filter(|&bits| keep(Move::from_raw(bits).unwrap()))
            .collect()
    };
    let captures = |mv: Move| pos.piece_on(mv.to()).is_some();
    for promotions in [Promotions::All, Promotions::Sensible] {
        let wanted = |mv: Move| promotions == Promotions::All || !is_useless(pos, mv);
        if pos.in_check() {
            let found = list(|moves| pos.evasions(moves, promotions));
            same("evasions", &found, &only(&wanted));
        } else {
            let found = list(|moves| pos.captures(moves, promotions));
            same("captures", &found, &only(&|mv| wanted(mv) && captures(mv)));
            let found = list(|moves| pos.quiets(moves, promotions));
            same("quiets", &found, &only(&|mv| wanted(mv) && !captures(mv)));
        }
        let found = list(|moves| pos.quiet_checks(moves, promotions));
        same(
            "quiet checks",
            &found,
            &only(&|mv| wanted(mv) && !captures(mv) && pos.gives_check(mv)),
        );
        let found = list(|moves| pos.checks(moves, promotions));
        same(
            "checks",
            &found,
            &only(&|mv| wanted(mv) && pos.gives_check(mv)),
        );
    }
}

/// Laws that are too slow for every position.
pub fn thorough(pos: &mut Position, legal: &[u16], context: impl Fn() -> String) {
    let slow = Board::from_sfen(&pos.sfen());
    let before = snapshot(pos);
    for bits in 0..=u16::MAX {
        let Some(mv) = Move::from_raw(bits) else {
            continue;
        };
        let expected = legal.binary_search(&bits).is_ok();
        assert_eq!(pos.is_legal(mv), expected, "{mv}: {}", context());
        let playable = slow.is_playable(&mv.to_string());
        assert_eq!(pos.is_playable(mv), playable, "{mv}: {}", context());
        assert!(playable || !expected, "{mv}: {}", context());
        if playable {
            // Fouls too: they arise in the histories that a GUI sends.
            let key = pos.key_after(mv);
            let board: Vec<_> = Square::all().map(|square| pos.piece_on(square)).collect();
            pos.do_move(mv);
            assert_eq!(pos.key(), key, "{mv}: {}", context());
            assert!(pos.is_consistent(), "{mv}: {}", context());
            tells_what_changed(pos, mv, board, &context);
            pos.undo_move();
        }
    }
    pos.do_null_move();
    assert!(pos.is_consistent(), "null move: {}", context());
    assert_eq!(
        (pos.diff(0), pos.last_move()),
        (None, None),
        "{}",
        context()
    );
    pos.undo_null_move();
    assert_eq!(snapshot(pos), before, "{}", context());
    attacks(pos, &slow, &context);
    exchanges(pos, &slow, legal, &context);
}

/// The diff of the move just played turns the board before it into this one.
fn tells_what_changed(
    pos: &Position,
    mv: Move,
    mut board: Vec<Option<Piece>>,
    context: &impl Fn() -> String,
) {
    let diff = pos.diff(0).unwrap_or_else(|| panic!("{mv}: {}", context()));
    assert_eq!(
        (diff.from, diff.to),
        (mv.from(), mv.to()),
        "{mv}: {}",
        context()
    );
    assert_eq!(diff.captured, board[diff.to.index()], "{mv}: {}", context());
    match diff.from {
        Some(from) => assert_eq!(
            board[from.index()].take(),
            Some(diff.before),
            "{mv}: {}",
            context()
        ),
        None => assert_eq!(diff.before, diff.after, "{mv}: {}", context()),
    }
    board[diff.to.index()] = Some(diff.after);
    let now: Vec<_> = Square::all().map(|square| pos.piece_on(square)).collect();
    assert!(board == now, "{mv}: {diff:?}: {}", context());
}

fn cell_of(square: Square) -> Cell {
    (square.file().index() as i8, square.rank().index() as i8)
}

/// Attackers of every square and pinned pieces, against the walker.
fn attacks(pos: &Position, slow: &Board, context: &impl Fn() -> String) {
    for color in Color::ALL {
        let white = color == Color::White;
        for square in Square::all() {
            let found: Vec<_> = pos
                .attackers_of(square, color, pos.occupied())
                .squares()
                .map(cell_of)
                .collect();
            let mut expected = slow.attackers(cell_of(square), white);
            expected.sort_unstable();
            assert_eq!(
                found,
                expected,
                "attackers of {square} by {color:?}: {}",
                context()
            );
            let shields =
                slow.at(cell_of(square)).is_some() && slow.shields_king_of(white, cell_of(square));
            assert_eq!(
                pos.blockers_for(color).contains(square),
                shields,
                "{square} {color:?}: {}",
                context()
            );
        }
    }
    assert_eq!(
        pos.pinned().bits(),
        (pos.blockers_for(pos.side_to_move()) & pos.pieces(pos.side_to_move())).bits(),
        "{}",
        context()
    );
}

/// Static exchanges: the threshold test against the value found by playing the captures one by one.
fn exchanges(pos: &Position, slow: &Board, legal: &[u16], context: &impl Fn() -> String) {
    for &bits in legal {
        let mv = Move::from_raw(bits).expect("a legal move");
        let value = exchange_value(pos, slow, mv);
        for threshold in [
            -2000,
            value - 100,
            value - 1,
            value,
            value + 1,
            value + 100,
            0,
            1,
            2000,
        ] {
            assert_eq!(
                pos.see_ge(mv, threshold),
                value >= threshold,
                "{mv} is worth {value}, threshold {threshold}: {}",
                context()
            );
        }
    }
}

/// What a move gains if both sides then take on its target, always with the cheapest piece and only while it
/// pays. Pieces pinned at the start take part only along their pin; the king takes last and only when that is
/// safe; nothing promotes.
fn exchange_value(pos: &Position, slow: &Board, mv: Move) -> i32 {
    let to = cell_of(mv.to());
    let gain = pos
        .piece_on(mv.to())
        .map_or(0, |piece| piece_value::value(piece.kind()));
    let mut board = slow.clone();
    let mover = match mv.kind() {
        MoveKind::Drop(kind) => kind.kind(),
        MoveKind::Board { from, .. } => {
            board.put(cell_of(from), None);
            pos.piece_on(from).expect("a legal move").kind()
        }
    };
    // Somebody stands there; who it is does not matter to those who look at the square.
    board.put(
        to,
        Some(Man {
            white: false,
            letter: b'G',
            promoted: false,
        }),
    );
    gain - answer_value(
        pos,
        slow,
        &board,
        to,
        !pos.side_to_move(),
        piece_value::value(mover),
    )
}

/// What `side` gains by taking a piece of this value on `to`, or 0 if it had better not.
fn answer_value(
    pos: &Position,
    start: &Board,
    board: &Board,
    to: Cell,
    side: Color,
    prize: i32,
) -> i32 {
    let white = side == Color::White;
    let is_free = |from: Cell| {
        !start.shields_king_of(white, from) || start.is_on_ray_from_king(white, from, to)
    };
    let cost = |from: Cell| {
        let kind = pos
            .piece_on(Square::all().find(|&s| cell_of(s) == from).unwrap())
            .unwrap()
            .kind();
        (kind == PieceType::King, piece_value::value(kind), kind)
    };
    let takers = board
        .attackers(to, white)
        .into_iter()
        .filter(|&from| from != to && is_free(from));
    let Some(taker) =
        takers.min_by_key(|&from| (cost(from).0, cost(from).1, cost(from).2 as u8, from))
    else {
        return 0;
    };
    let (is_king, value, _) = cost(taker);
    if is_king {
        let is_guarded = board.attackers(to, !white).iter().any(|&from| from != to);
        return if is_guarded { 0 } else { prize };
    }
    let mut after = board.clone();
    after.put(taker, None);
    (prize - answer_value(pos, start, &after, to, !side, value)).max(0)
}

/// Takes a whole game back and looks at each position again.
pub fn whole_game(pos: &mut Position, root: &str, context: impl Fn() -> String) {
    let keys: Vec<_> = (0..=pos.game_len())
        .map(|back| pos.key_at(back).expect("a played position"))
        .collect();
    assert_eq!(pos.key_at(keys.len()), None, "{}", context());
    for (back, key) in keys.iter().enumerate() {
        assert_eq!(pos.key(), *key, "{back} back: {}", context());
        assert!(pos.is_consistent(), "{back} back: {}", context());
        if back + 1 < keys.len() {
            pos.undo_move();
        }
    }
    assert_eq!(pos.game_len(), 0, "{}", context());
    let fresh = Position::from_sfen(root).unwrap();
    assert_eq!(snapshot(pos), snapshot(&fresh), "{}", context());
}

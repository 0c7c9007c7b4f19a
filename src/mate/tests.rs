//! The solver against an exhaustive solution: every position that checks and answers can reach from a small random
//! one is listed, and the distances to mate are worked out backwards. Loops, pawn drops, double checks and kings on
//! both sides occur by themselves.

use std::collections::HashMap;
use std::fmt::Write;

use super::*;
use crate::shogi::{Color, HandPiece, Piece, PieceType, Position, Square};

/// A reproducible source of random numbers (splitmix64).
struct Random(u64);

impl Random {
    fn below(&mut self, bound: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ z >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ z >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((z ^ z >> 31) % bound as u64) as usize
    }

    fn within(&mut self, range: std::ops::Range<usize>) -> usize {
        range.start + self.below(range.len())
    }

    fn square(&mut self) -> Square {
        Square::try_new(self.below(81) as u8).expect("below 81")
    }

    /// A square at most two steps from another.
    fn near(&mut self, center: Square) -> Square {
        loop {
            let square = self.square();
            let files = square.file().index().abs_diff(center.file().index());
            let ranks = square.rank().index().abs_diff(center.rank().index());
            if files <= 2 && ranks <= 2 {
                return square;
            }
        }
    }
}

/// A position with few pieces near the king of the side that is not to move.
fn random_position(random: &mut Random) -> Option<Position> {
    let attacker = Color::ALL[random.below(2)];
    let mut board: HashMap<Square, Piece> = HashMap::new();
    let king = random.square();
    board.insert(king, Piece::new(!attacker, PieceType::King));
    if random.below(3) == 0 {
        board.insert(random.near(king), Piece::new(attacker, PieceType::King));
    }
    for (color, pieces) in [(attacker, 1..5), (!attacker, 0..5)] {
        for _ in 0..random.within(pieces) {
            let kind = PieceType::ALL[random.below(PieceType::COUNT)];
            if kind != PieceType::King {
                let square = random.near(king);
                board.entry(square).or_insert(Piece::new(color, kind));
            }
        }
    }
    let mut hands = String::new();
    for (color, pieces) in [(attacker, 0..4), (!attacker, 0..2)] {
        for _ in 0..random.within(pieces) {
            let kind = HandPiece::ALL[random.below(7)].kind();
            let letter = kind.letter();
            match color {
                Color::Black => hands.push(letter),
                Color::White => hands.extend(letter.to_lowercase()),
            }
        }
    }
    Position::from_sfen(&sfen(&board, attacker, &hands)).ok()
}

fn sfen(board: &HashMap<Square, Piece>, side: Color, hands: &str) -> String {
    let mut text = String::new();
    for rank in crate::shogi::Rank::all() {
        for file in crate::shogi::File::all().rev() {
            match board.get(&Square::new(file, rank)) {
                None => text.push('1'),
                Some(piece) => {
                    let plain = piece.kind().unpromoted();
                    if plain != piece.kind() {
                        text.push('+');
                    }
                    let letter = plain.letter();
                    match piece.color() {
                        Color::Black => text.push(letter),
                        Color::White => text.extend(letter.to_lowercase()),
                    }
                }
            }
        }
        text.push('/');
    }
    text.pop();
    for n in (2..=9).rev() {
        text = text.replace(&"1".repeat(n), &n.to_string());
    }
    let mut letters: Vec<char> = hands.chars().collect();
    letters.sort_unstable();
    let mut hands = String::new();
    for run in letters.chunk_by(|a, b| a == b) {
        if run.len() > 1 {
            write!(hands, "{}", run.len()).unwrap();
        }
        hands.push(run[0]);
    }
    if hands.is_empty() {
        hands.push('-');
    }
    let side = if side == Color::Black { 'b' } else { 'w' };
    format!("{text} {side} {hands} 1")
}

/// All positions that checks and answers reach, with their successors; `None` if there are too many.
fn reachable(root: &Position, most: usize) -> Option<Vec<(bool, Vec<usize>)>> {
    let attacker = root.side_to_move();
    let mut numbers = HashMap::from([(root.key(), 0)]);
    let mut positions = vec![root.clone()];
    let mut graph = Vec::new();
    while graph.len() < positions.len() {
        let mut position = positions[graph.len()].clone();
        let attacks = position.side_to_move() == attacker;
        let mut successors = Vec::new();
        let mut moves = position.legal_moves();
        let checks = position.check_info();
        moves.retain(|mv| !attacks || checks.gives_check(&position, *mv));
        for mv in moves {
            position.do_move(mv);
            let number = *numbers.entry(position.key()).or_insert_with(|| {
                positions.push(position.clone());
                positions.len() - 1
            });
            successors.push(number);
            position.undo_move();
        }
        graph.push((attacks, successors));
        if positions.len() > most {
            return None;
        }
    }
    Some(graph)
}

/// The shortest mate from the first position against the longest defence, in plies.
fn exhaustive(graph: &[(bool, Vec<usize>)]) -> Option<usize> {
    let mut distance: Vec<Option<usize>> = vec![None; graph.len()];
    for plies in 0.. {
        let mut is_new = false;
        let before = distance.clone();
        for (i, (attacks, successors)) in graph.iter().enumerate() {
            let mut known = successors.iter().map(|&s| before[s].is_some());
            let decided = if *attacks {
                known.any(|known| known)
            } else {
                known.all(|known| known)
            };
            if decided && before[i].is_none() {
                distance[i] = Some(plies);
                is_new = true;
            }
        }
        if distance[0].is_some() || !is_new {
            return distance[0];
        }
    }
    None
}

fn solve(solver: &mut Solver, position: &Position) -> Answer {
    let limits = Limits {
        nodes: Some(3_000_000),
        ..Limits::default()
    };
    solver.solve(position, limits, &|_| {}, &|_, _| {}).answer
}

/// Whether a line is a mate by consecutive checks without repetition.
fn is_mate(position: &Position, line: &[crate::shogi::Move]) -> bool {
    let mut position = position.clone();
    let mut seen = vec![position.key()];
    for (i, &mv) in line.iter().enumerate() {
        if position.try_move(mv).is_err() || (i % 2 == 0 && !position.in_check()) {
            return false;
        }
        if seen.contains(&position.key()) {
            return false;
        }
        seen.push(position.key());
    }
    position.in_check() && position.count_legal() == 0
}

fn compare(solver: &mut Solver, seed: u64, wanted: usize) {
    let mut random = Random(seed);
    let (mut mates, mut refuted, mut longest) = (0, 0, 0);
    while mates + refuted < wanted {
        let Some(position) = random_position(&mut random) else {
            continue;
        };
        let Some(graph) = reachable(&position, 300) else {
            continue;
        };
        let truth = exhaustive(&graph);
        // Most random positions hold a mate in one, or show at once that they hold none.
        let is_easy = match truth {
            Some(plies) => plies == 1,
            None => refuted * 2 > wanted || graph.len() < 30,
        };
        if is_easy {
            continue;
        }
        let sfen = position.sfen();
        match (truth, solve(solver, &position)) {
            (None, Answer::NoMate) => refuted += 1,
            (Some(plies), Answer::Mate(mate)) => {
                assert!(is_mate(&position, &mate.line), "{sfen}: {:?}", mate.line);
                assert!(mate.is_shortest, "{sfen}");
                assert_eq!(mate.line.len(), plies, "{sfen}: {:?}", mate.line);
                mates += 1;
                longest = longest.max(plies);
            }
            (truth, answer) => panic!("{sfen}: {answer:?} instead of {truth:?}"),
        }
    }
    assert!(longest > 3, "{mates} mates, up to {longest} plies");
}

#[test]
fn answers_agree_with_exhaustive_solutions() {
    compare(&mut Solver::new(16), 1, 100);
}

#[test]
#[ignore = "takes minutes"]
fn thousands_of_answers_agree_with_exhaustive_solutions() {
    compare(&mut Solver::new(16), 4, 2000);
}

#[test]
fn answers_agree_when_memory_is_short() {
    compare(&mut Solver::with_bytes(64 << 10), 2, 30);
}

fn answer_to(sfen: &str) -> Answer {
    solve(&mut Solver::new(16), &Position::from_sfen(sfen).unwrap())
}

#[test]
fn a_pawn_drop_does_not_mate() {
    // Only a pawn dropped at 1b would mate; moved there it may.
    assert_eq!(answer_to("7nk/9/7G1/9/9/9/9/9/9 b P 1"), Answer::NoMate);
    let mate = answer_to("7nk/9/7GP/9/9/9/9/9/9 b - 1");
    assert!(matches!(mate, Answer::Mate(mate) if mate.line.len() == 1));
}

#[test]
fn no_check_is_no_mate() {
    assert_eq!(answer_to("4k4/9/9/9/9/9/9/9/4K4 b - 1"), Answer::NoMate);
    let start = "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1";
    assert_eq!(answer_to(start), Answer::NoMate);
}

/// The first mate found is longer, and leaves numbers in the table for positions after the last check allowed.
#[test]
fn the_shortest_mate_is_proved_with_a_used_table() {
    let Answer::Mate(mate) = answer_to("9/9/1l7/9/K1+S6/N8/1ps6/9/9 w Pl 1") else {
        panic!("there is a mate");
    };
    assert_eq!((mate.line.len(), mate.is_shortest), (3, true));
}

#[test]
fn limits_end_the_work() {
    let position = Position::from_sfen(
        "g1+P1k1+P+L1/1p3P3/+R+p2pp1pl/1NNsg+p2+R/+b+nL+P1+p3/1P3ssP1/2P1+Ps2N/4+P1P1L/+B5G1g b - 1",
    )
    .unwrap();
    let mut solver = Solver::new(1);
    let limits = Limits {
        nodes: Some(1000),
        ..Limits::default()
    };
    let report = solver.solve(&position, limits, &|_| {}, &|_, _| {});
    assert_eq!(report.answer, Answer::Unknown);
    assert!(report.progress.nodes <= 1001);
}

/// Compares [`mate_in_one`] with trying all moves; returns the mating move.
fn compare_one_ply(position: &mut Position) -> Option<crate::shogi::Move> {
    let before = position.sfen();
    let found = mate_in_one(position);
    assert_eq!(position.sfen(), before);
    let mut mating = Vec::new();
    for mv in position.legal_moves() {
        position.do_move(mv);
        if position.in_check() && position.count_legal() == 0 {
            mating.push(mv);
        }
        position.undo_move();
    }
    match found {
        Some(mv) => assert!(mating.contains(&mv), "{before}: {mv} does not mate"),
        None => assert!(mating.is_empty(), "{before}: {mating:?} mates"),
    }
    found
}

#[test]
fn mates_in_one_agree_with_all_moves() {
    let mut random = Random(3);
    let (mut positions, mut mates) = (0, 0);
    for _ in 0..100 {
        let mut position = Position::startpos();
        for _ in 0..300 {
            positions += 1;
            let mating = compare_one_ply(&mut position);
            mates += usize::from(mating.is_some());
            let moves = position.legal_moves();
            if moves.is_empty() {
                break;
            }
            position.do_move(moves[random.below(moves.len())]);
        }
    }
    for _ in 0..30_000 {
        if let Some(mut position) = random_position(&mut random) {
            positions += 1;
            mates += usize::from(compare_one_ply(&mut position).is_some());
        }
    }
    assert!(
        positions > 30_000 && mates > 1_000,
        "{mates} of {positions}"
    );
}

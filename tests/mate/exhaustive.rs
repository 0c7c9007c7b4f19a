//! The solver against an exhaustive solution: every position that checks and answers can reach from a small random
//! one is listed, and the distances to mate are worked out backwards.

use std::collections::HashMap;

use hien::mate::{Answer, MateLimits, Solver, mate_in_one};
use hien::shogi::{HandPiece, Move, PieceType, Position};

use rayon::prelude::*;

use crate::common::random::Random;
use crate::positions::random_position;
use crate::referee::is_mate;

/// A position of a graph: whether the attacker is to move, and the numbers of the positions that follow.
type Node = (bool, Vec<usize>);

/// What makes a position difficult to get right.
#[derive(Clone, Copy, Debug, Default)]
struct Traps {
    /// Lines that lead back to where they were.
    loops: usize,
    double_checks: usize,
    /// Pawn drops that are illegal because they would mate.
    pawn_drops: usize,
}

impl Traps {
    fn note(&mut self, position: &Position, attacks: bool) {
        self.double_checks += usize::from(position.checkers().count() > 1);
        let us = position.side_to_move();
        if attacks && !position.in_check() && position.hand(us).has(HandPiece::Pawn) {
            let own_files = position.pieces_of(us, PieceType::Pawn).files_touched();
            let heads = position.check_info().direct(PieceType::Pawn) & !position.occupied();
            let is_trap = |to| !position.is_legal(Move::drop(HandPiece::Pawn, to));
            self.pawn_drops += (heads & !own_files)
                .squares()
                .filter(|&to| is_trap(to))
                .count();
        }
    }

    /// Adds those that occur at all.
    fn count(&mut self, other: Self) {
        self.loops += other.loops.min(1);
        self.double_checks += other.double_checks.min(1);
        self.pawn_drops += other.pawn_drops.min(1);
    }
}

/// All positions that checks and answers reach; `None` if there are too many.
fn reachable(root: &Position, most: usize) -> Option<(Vec<Node>, Traps)> {
    let attacker = root.side_to_move();
    let mut numbers = HashMap::from([(root.key(), 0)]);
    let mut positions = vec![root.clone()];
    let mut graph = Vec::new();
    let mut traps = Traps::default();
    while graph.len() < positions.len() {
        let mut position = positions[graph.len()].clone();
        let attacks = position.side_to_move() == attacker;
        traps.note(&position, attacks);
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
    traps.loops = usize::from(has_loop(&graph));
    Some((graph, traps))
}

/// Whether a line can return to a position: if not, positions without predecessors can be taken away until none is
/// left.
fn has_loop(graph: &[Node]) -> bool {
    let mut predecessors = vec![0; graph.len()];
    for &next in graph.iter().flat_map(|(_, successors)| successors) {
        predecessors[next] += 1;
    }
    let mut free: Vec<usize> = (0..graph.len()).filter(|&i| predecessors[i] == 0).collect();
    let mut taken = 0;
    while let Some(i) = free.pop() {
        taken += 1;
        for &next in &graph[i].1 {
            predecessors[next] -= 1;
            if predecessors[next] == 0 {
                free.push(next);
            }
        }
    }
    taken < graph.len()
}

/// The shortest mate from the first position against the longest defence, in plies.
fn exhaustive(graph: &[Node]) -> Option<usize> {
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
    let limits = MateLimits {
        nodes: Some(3_000_000),
        ..MateLimits::default()
    };
    solver.solve(position, limits, &()).answer
}

/// Solves random positions until so many answers were compared; returns the traps that they held.
fn compare(solver: &mut Solver, seed: u64, wanted: usize) -> Traps {
    let mut random = Random::new(seed);
    let mut traps = Traps::default();
    let (mut mates, mut refuted, mut longest) = (0, 0, 0);
    while mates + refuted < wanted {
        let Some(mut position) = random_position(&mut random) else {
            continue;
        };
        // Most random positions hold a mate in one, or show at once that they hold none.
        if mate_in_one(&mut position).is_some() {
            continue;
        }
        let Some((graph, traps_here)) = reachable(&position, 300) else {
            continue;
        };
        let truth = exhaustive(&graph);
        if truth.is_none() && (refuted * 2 > wanted || graph.len() < 30) {
            continue;
        }
        let sfen = position.sfen();
        match (truth, solve(solver, &position)) {
            (None, Answer::NoMate) => refuted += 1,
            (Some(plies), Answer::Mate(mate)) => {
                assert!(is_mate(&sfen, &mate.line), "{sfen}: {:?}", mate.line);
                assert!(mate.is_shortest, "{sfen}");
                assert_eq!(mate.line.len(), plies, "{sfen}: {:?}", mate.line);
                mates += 1;
                longest = longest.max(plies);
            }
            (truth, answer) => panic!("{sfen}: {answer:?} instead of {truth:?}"),
        }
        traps.count(traps_here);
    }
    assert!(longest > 3, "{mates} mates, up to {longest} plies");
    traps
}

#[test]
fn answers_agree_with_exhaustive_solutions() {
    let traps = compare(&mut Solver::new(16), 1, 60);
    assert!(traps.loops > 0 && traps.pawn_drops > 0, "{traps:?}");
}

#[test]
#[ignore = "takes minutes"]
fn thousands_of_answers_agree_with_exhaustive_solutions() {
    let seeds: Vec<u64> = (100..130).collect();
    let samples: Vec<Traps> = seeds
        .par_iter()
        .map(|&seed| {
            let traps = compare(&mut Solver::new(16), seed, 100);
            println!("seed {seed}: 100 answers agree, {traps:?}");
            traps
        })
        .collect();
    let sum = |count: fn(&Traps) -> usize| samples.iter().map(count).sum::<usize>();
    let (loops, double_checks) = (sum(|s| s.loops), sum(|s| s.double_checks));
    let pawn_drops = sum(|s| s.pawn_drops);
    println!("loops {loops}, double checks {double_checks}, pawn drops {pawn_drops}");
    assert!(loops > 50 && double_checks > 2 && pawn_drops > 20);
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
    let limits = MateLimits {
        nodes: Some(1000),
        ..MateLimits::default()
    };
    let report = solver.solve(&position, limits, &());
    assert_eq!(report.answer, Answer::Unknown);
    assert!(report.progress.nodes <= 1001);
}

//! The solver on collected problems: every answer is right, every line is a mate, and problems that are easy are
//! solved within a few nodes.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::time::Duration;

use hien::mate::{Answer, Mate, MateLimits, MateReport, Solver};
use hien::shogi::Position;
use rayon::prelude::*;
use serde::Deserialize;

use crate::referee::is_mate;

/// A problem with its solution. Where it comes from is told in `source`.
#[derive(Debug, Deserialize)]
pub struct Problem {
    pub id: String,
    pub sfen: String,
    /// `mate` or `nomate`.
    result: String,
    class: String,
    /// The length of the shortest mate.
    pub mate_len: Option<usize>,
}

impl Problem {
    pub fn position(&self) -> Position {
        Position::from_sfen(&self.sfen).unwrap_or_else(|error| panic!("{}: {error}", self.id))
    }
}

pub fn problems(classes: &[&str]) -> Vec<Problem> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/tsume.jsonl");
    let text = fs::read_to_string(path).expect("the data is there");
    text.lines()
        .map(|line| serde_json::from_str::<Problem>(line).expect("a problem"))
        .filter(|problem| classes.contains(&problem.class.as_str()))
        .collect()
}

/// Solves within some nodes; the line is shortened only if asked for.
pub fn solve(position: &Position, nodes: u64, shortens: bool, hash_mib: usize) -> MateReport {
    let limits = MateLimits {
        nodes: Some(nodes),
        shortening: (!shortens).then_some(Duration::ZERO),
        ..MateLimits::default()
    };
    Solver::new(hash_mib).solve(position, limits, &())
}

fn checked_mate<'a>(problem: &Problem, answer: &'a Answer) -> &'a Mate {
    let Answer::Mate(mate) = answer else {
        panic!("{}: {answer:?}", problem.id);
    };
    assert_eq!(problem.result, "mate", "{}", problem.id);
    assert!(
        is_mate(&problem.sfen, &mate.line),
        "{}: {:?}",
        problem.id,
        mate.line
    );
    if let Some(plies) = problem.mate_len {
        assert!(
            mate.line.len() >= plies || !mate.is_shortest,
            "{}",
            problem.id
        );
        assert!(
            !mate.is_shortest || mate.line.len() == plies,
            "{}",
            problem.id
        );
    }
    mate
}

#[test]
fn short_problems_are_solved_in_the_fewest_moves() {
    problems(&["short"]).par_iter().for_each(|problem| {
        let report = solve(&problem.position(), 300_000, true, 16);
        let mate = checked_mate(problem, &report.answer);
        assert!(mate.is_shortest, "{}", problem.id);
    });
}

/// The line that is found first shows a weak defence: it is shorter than the shortest mate.
#[test]
fn the_longest_defence_is_shown() {
    let problems = problems(&["medium"]);
    let problem = problems
        .iter()
        .find(|problem| problem.id == "ts-medium-070");
    let problem = problem.expect("it is in the file");
    let report = solve(&problem.position(), 1_000_000, true, 64);
    let mate = checked_mate(problem, &report.answer);
    assert!(mate.is_shortest);
    assert_eq!(Some(mate.line.len()), problem.mate_len);
}

#[test]
fn longer_problems_are_solved() {
    problems(&["medium", "long", "huge"])
        .par_iter()
        .for_each(|problem| {
            let report = solve(&problem.position(), 200_000, false, 16);
            checked_mate(problem, &report.answer);
        });
}

#[test]
fn the_absence_of_mates_is_proved() {
    problems(&["nomate"]).par_iter().for_each(|problem| {
        let report = solve(&problem.position(), 200_000, true, 16);
        assert_eq!(report.answer, Answer::NoMate, "{}", problem.id);
    });
}

/// Whatever the defender plays, a mate remains, and it is not longer than promised.
#[test]
fn other_defences_are_mated_as_well() {
    problems(&["short"]).par_iter().for_each(|problem| {
        let report = solve(&problem.position(), 300_000, true, 16);
        let mate = checked_mate(problem, &report.answer);
        let mut position = problem.position();
        for (i, &mv) in mate.line.iter().enumerate() {
            if i % 2 == 1 {
                for answer in position.legal_moves() {
                    position.do_move(answer);
                    let left = mate.line.len() - i - 1;
                    let report = solve(&position, 300_000, true, 16);
                    let Answer::Mate(rest) = &report.answer else {
                        panic!("{}: {answer} refutes", problem.id);
                    };
                    assert!(rest.line.len() <= left, "{}: {answer}", problem.id);
                    position.undo_move();
                }
            }
            position.do_move(mv);
        }
    });
}

/// Memory that is far too small costs time, but neither truth nor the end.
#[test]
fn little_memory_changes_no_answer() {
    let mut solved = BTreeMap::new();
    for problem in problems(&["medium", "nomate"]).iter().step_by(5) {
        let report = solve(&problem.position(), 150_000, false, 1);
        match &report.answer {
            Answer::Mate(_) => drop(checked_mate(problem, &report.answer)),
            Answer::NoMate => assert_eq!(problem.result, "nomate", "{}", problem.id),
            Answer::Unknown => continue,
        }
        *solved.entry(problem.class.clone()).or_insert(0) += 1;
    }
    assert!(solved["medium"] > 10 && solved["nomate"] > 10, "{solved:?}");
}

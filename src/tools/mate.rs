//! `mate`: solves mate problems (tsume shogi). Prints a table, the totals by class, and verifies every line.

use std::collections::BTreeMap;
use std::fs;
use std::io::{self, Write};
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use std::sync::mpsc;
use std::thread;
use std::time::{Duration, Instant};

use serde::Deserialize;

use crate::mate::{Answer, Mate, MateLimits, MateReport, Solver};
use crate::records::decode;
use crate::shogi::{Move, Position, SfenError};

use super::common::progress;

/// The arguments of `hien mate`.
#[derive(clap::Parser, Clone, Debug)]
pub struct Arguments {
    /// A file with one problem a line, as SFEN or as JSON object with "sfen", or an SFEN
    #[arg(required = true, value_name = "FILE|SFEN")]
    problems: Vec<String>,
    /// Time for each problem in ms
    #[arg(long, value_name = "MS", default_value_t = 10_000)]
    time: u64,
    /// Memory in MiB, shared by the threads
    #[arg(long, value_name = "MIB", default_value_t = 256)]
    hash: usize,
    /// Problems to be solved at the same time
    #[arg(long, default_value_t = 1)]
    threads: usize,
    /// Leave the first mate found as it is
    #[arg(long)]
    no_shortening: bool,
}

/// A problem with what is known of its solution.
#[derive(Clone, Debug, Deserialize)]
struct Problem {
    #[serde(default)]
    id: String,
    sfen: String,
    /// `mate` or `nomate`.
    result: Option<String>,
    class: Option<String>,
    /// The length of the shortest mate.
    mate_len: Option<usize>,
}

impl Problem {
    fn position(&self) -> Result<Position, ProblemError> {
        Position::from_sfen(&self.sfen).map_err(|error| ProblemError::Sfen {
            id: self.id.clone(),
            error,
        })
    }
}

/// Why problems cannot be solved.
#[derive(Debug, thiserror::Error)]
pub enum ProblemError {
    /// The file cannot be read, or the results cannot be written.
    #[error(transparent)]
    Io(#[from] io::Error),
    /// A line is no JSON of a problem.
    #[error("line {number}: {error}")]
    Json {
        /// The line, from 1.
        number: usize,
        /// What is wrong with it.
        error: serde_json::Error,
    },
    /// A problem has no position.
    #[error("{id}: {error}")]
    Sfen {
        /// The name or number of the problem.
        id: String,
        /// What is wrong with its position.
        error: SfenError,
    },
    /// The file is empty.
    #[error("no problems")]
    None,
}

/// How well a problem was solved.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Grade {
    Solved,
    Unsolved,
    /// The answer contradicts the rules or what is known of the problem.
    Wrong,
}

/// The result of one problem.
struct ProblemOutcome {
    report: MateReport,
    time: Duration,
    grade: Grade,
}

/// The totals of a class of problems.
#[derive(Default)]
struct Totals {
    problems: usize,
    solved: usize,
    wrong: usize,
    shortest: usize,
    nodes: u64,
    times: Vec<Duration>,
}

impl Arguments {
    /// Solves the problems and writes the table. Returns whether all were solved.
    ///
    /// # Errors
    ///
    /// Those of reading the problems, a malformed problem included, and of `out`.
    pub fn run(&self, out: &mut dyn Write) -> Result<bool, ProblemError> {
        let problems = self.load()?;
        let positions = problems.iter().map(Problem::position);
        let positions = positions.collect::<Result<Vec<_>, _>>()?;
        let bar = progress::bar(
            Some(problems.len() as u64),
            "{bar:40} {pos}/{len} {elapsed} {msg}",
        );
        writeln!(
            out,
            "{:<16} {:<12} {:>9} {:>10} {:>12}",
            "problem", "answer", "time (s)", "nodes", "line"
        )?;
        let mut totals: BTreeMap<String, Totals> = BTreeMap::new();
        self.solve_all(&problems, &positions, |i, outcome| {
            let class = problems[i].class.clone().unwrap_or_default();
            totals.entry(class).or_default().add(&outcome);
            bar.suspend(|| write_row(out, &problems[i], &outcome))?;
            bar.set_message(problems[i].id.clone());
            bar.inc(1);
            Ok(())
        })?;
        bar.finish_and_clear();
        write_totals(out, &totals)?;
        Ok(totals.values().all(|class| class.solved == class.problems))
    }

    fn load(&self) -> Result<Vec<Problem>, ProblemError> {
        let text = self.problems.join(" ");
        let is_sfen = text.contains(' ') || text.starts_with('{');
        let text = match fs::read(&text) {
            Ok(bytes) => decode(&bytes).0,
            Err(error) if !is_sfen => {
                return Err(io::Error::new(error.kind(), format!("{text}: {error}")).into());
            }
            Err(_) => text,
        };
        let lines = text.lines().map(str::trim).enumerate();
        let problems: Vec<_> = lines
            .filter(|(_, line)| !line.is_empty() && !line.starts_with('#'))
            .map(|(i, line)| read_problem(line, i + 1))
            .collect::<Result<_, _>>()?;
        if problems.is_empty() {
            Err(ProblemError::None)
        } else {
            Ok(problems)
        }
    }

    /// Solves with several threads; `finished` gets the outcomes in the order of the problems.
    fn solve_all(
        &self,
        problems: &[Problem],
        positions: &[Position],
        mut finished: impl FnMut(usize, ProblemOutcome) -> io::Result<()>,
    ) -> io::Result<()> {
        let threads = self.threads.clamp(1, problems.len());
        let next = AtomicUsize::new(0);
        let (sender, outcomes) = mpsc::channel();
        thread::scope(|scope| {
            for _ in 0..threads {
                let (sender, next) = (sender.clone(), &next);
                scope.spawn(move || {
                    let mut solver = Solver::new((self.hash / threads).max(1));
                    loop {
                        let i = next.fetch_add(1, Relaxed);
                        let (Some(problem), Some(position)) = (problems.get(i), positions.get(i))
                        else {
                            return;
                        };
                        let outcome = self.solve(&mut solver, problem, position);
                        if sender.send((i, outcome)).is_err() {
                            return;
                        }
                    }
                });
            }
            drop(sender);
            let mut waiting = BTreeMap::new();
            let mut due = 0;
            for (i, outcome) in outcomes {
                waiting.insert(i, outcome);
                while let Some(outcome) = waiting.remove(&due) {
                    finished(due, outcome)?;
                    due += 1;
                }
            }
            Ok(())
        })
    }

    fn solve(&self, solver: &mut Solver, problem: &Problem, position: &Position) -> ProblemOutcome {
        let start = Instant::now();
        let limits = MateLimits {
            deadline: Some(start + Duration::from_millis(self.time)),
            shortening: self.no_shortening.then_some(Duration::ZERO),
            ..MateLimits::default()
        };
        let report = solver.solve(position, limits, &());
        let grade = grade(problem, position, &report.answer);
        ProblemOutcome {
            report,
            time: start.elapsed(),
            grade,
        }
    }
}

impl Totals {
    fn add(&mut self, outcome: &ProblemOutcome) {
        self.problems += 1;
        self.solved += usize::from(outcome.grade == Grade::Solved);
        self.wrong += usize::from(outcome.grade == Grade::Wrong);
        self.nodes += outcome.report.progress.nodes;
        self.times.push(outcome.time);
        let is_shortest = matches!(&outcome.report.answer, Answer::Mate(mate) if mate.is_shortest);
        self.shortest += usize::from(is_shortest);
    }
}

fn read_problem(line: &str, number: usize) -> Result<Problem, ProblemError> {
    let mut problem = if line.starts_with('{') {
        serde_json::from_str(line).map_err(|error| ProblemError::Json { number, error })?
    } else {
        let sfen = line.strip_prefix("position ").unwrap_or(line);
        Problem {
            id: String::new(),
            sfen: sfen.strip_prefix("sfen ").unwrap_or(sfen).to_owned(),
            result: None,
            class: None,
            mate_len: None,
        }
    };
    if problem.id.is_empty() {
        problem.id = number.to_string();
    }
    Ok(problem)
}

fn grade(problem: &Problem, position: &Position, answer: &Answer) -> Grade {
    let expected = problem.result.as_deref();
    let is_right = match answer {
        Answer::Unknown => return Grade::Unsolved,
        Answer::NoMate => expected != Some("mate"),
        Answer::Mate(mate) => {
            let has_right_length = !mate.is_shortest
                || problem
                    .mate_len
                    .is_none_or(|plies| plies == mate.line.len());
            expected != Some("nomate") && has_right_length && mates(position, &mate.line)
        }
    };
    if is_right {
        Grade::Solved
    } else {
        Grade::Wrong
    }
}

/// Whether a line is a mate by consecutive checks, by the rules and without repetition.
fn mates(position: &Position, line: &[Move]) -> bool {
    let mut position = position.clone();
    for (i, &mv) in line.iter().enumerate() {
        let is_check = position.try_move(mv).is_ok() && (i % 2 == 1 || position.in_check());
        if !is_check || position.occurrences() > 1 {
            return false;
        }
    }
    position.in_check() && position.count_legal() == 0
}

fn write_row(out: &mut dyn Write, problem: &Problem, outcome: &ProblemOutcome) -> io::Result<()> {
    let MateReport {
        answer, progress, ..
    } = &outcome.report;
    let (text, line) = match answer {
        Answer::Mate(mate) => (mate_text(mate), line_text(&mate.line)),
        Answer::NoMate => ("nomate".to_owned(), String::new()),
        Answer::Unknown => ("timeout".to_owned(), String::new()),
    };
    let wrong = if outcome.grade == Grade::Wrong {
        " WRONG"
    } else {
        ""
    };
    writeln!(
        out,
        "{:<16} {:<12} {:>9.3} {:>10} {line}{wrong}",
        problem.id,
        text,
        outcome.time.as_secs_f64(),
        progress.nodes
    )
}

/// The length; `=` if it is proved to be the shortest.
fn mate_text(mate: &Mate) -> String {
    let sign = if mate.is_shortest { "=" } else { "" };
    format!("mate {sign}{}", mate.line.len())
}

fn line_text(line: &[Move]) -> String {
    let moves: Vec<_> = line.iter().map(Move::to_string).collect();
    moves.join(" ")
}

fn write_totals(out: &mut dyn Write, totals: &BTreeMap<String, Totals>) -> io::Result<()> {
    writeln!(
        out,
        "\n{:<8} {:>8} {:>7} {:>9} {:>6} {:>10} {:>10} {:>12}",
        "class", "problems", "solved", "shortest", "wrong", "median (s)", "most (s)", "nodes"
    )?;
    for (class, totals) in totals {
        let mut times = totals.times.clone();
        times.sort_unstable();
        let median = times[times.len() / 2].as_secs_f64();
        let most = times[times.len() - 1].as_secs_f64();
        writeln!(
            out,
            "{class:<8} {:>8} {:>7} {:>9} {:>6} {median:>10.3} {most:>10.3} {:>12}",
            totals.problems, totals.solved, totals.shortest, totals.wrong, totals.nodes
        )?;
    }
    let sum = |count: fn(&Totals) -> u64| totals.values().map(count).sum::<u64>();
    let nodes = sum(|class| class.nodes);
    let seconds: Duration = totals.values().flat_map(|class| &class.times).sum();
    writeln!(
        out,
        "Solved: {} of {}, wrong: {}\nNodes/second: {:.0}",
        sum(|class| class.solved as u64),
        sum(|class| class.problems as u64),
        sum(|class| class.wrong as u64),
        nodes as f64 / seconds.as_secs_f64().max(1e-6)
    )
}

#[cfg(test)]
mod tests {
    use clap::Parser;

    use super::*;

    fn run(words: &[&str]) -> Result<(bool, String), ProblemError> {
        let words = ["mate"].iter().chain(words);
        let arguments = Arguments::try_parse_from(words).unwrap();
        let mut out = Vec::new();
        let success = arguments.run(&mut out)?;
        Ok((success, String::from_utf8(out).unwrap()))
    }

    #[test]
    fn a_position_is_solved() {
        let (success, text) = run(&["8l/6S1k/9/9/8g/9/9/9/9 b GS2r2b2g2s4n3l18p 1"]).unwrap();
        assert!(success);
        assert!(text.contains("mate =1"), "{text}");
        assert!(text.contains("Solved: 1 of 1, wrong: 0"), "{text}");
    }

    #[test]
    fn unsolved_problems_and_wrong_claims_fail() {
        let json = r#"{"sfen": "4k4/9/9/9/9/9/9/9/4K4 b - 1", "result": "mate"}"#;
        let (success, text) = run(&[json]).unwrap();
        assert!(!success);
        assert!(text.contains("WRONG"), "{text}");
        let hard = "l6n1/b+R4glK/n4s1p1/p5kl1/2sp2n2/P1p1P3P/1P3P3/2P1G4/2+b6 b R2G2SNL7Pp 1";
        let (success, text) = run(&["--time", "1", hard]).unwrap();
        assert!(!success);
        assert!(text.contains("timeout"), "{text}");
    }

    #[test]
    fn malformed_problems_are_reported() {
        let error = |problem: &str| run(&[problem]).unwrap_err();
        assert!(matches!(error("no position"), ProblemError::Sfen { .. }));
        assert!(matches!(error("{}"), ProblemError::Json { number: 1, .. }));
        assert!(matches!(error("# none"), ProblemError::None));
        let missing = error("問題/無い.txt").to_string();
        assert!(missing.starts_with("問題/無い.txt: "), "{missing}");
    }
}

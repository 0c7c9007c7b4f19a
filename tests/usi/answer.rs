//! The forms of `info` and `bestmove`, and what must hold between the lines of one search.

use std::time::Duration;

use crate::boards::Root;

/// Longest line of moves that may be printed.
const MAX_PV: usize = 64;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Score {
    Cp(i64),
    /// Signed plies; 0 for the side that is mated on the board, printed `-0`.
    Mate(i64),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Bound {
    Exact,
    Lower,
    Upper,
}

/// An `info` line of a search.
#[derive(Clone, Debug)]
pub struct Info {
    pub depth: u64,
    pub seldepth: u64,
    pub multipv: Option<u64>,
    pub score: Score,
    pub bound: Bound,
    pub nodes: u64,
    pub nps: u64,
    pub hashfull: u64,
    pub time: u64,
    pub pv: Vec<String>,
}

/// What stands after `bestmove`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Best {
    Move(String),
    Resign,
    Win,
}

/// A whole search, checked.
#[derive(Clone, Debug)]
pub struct Answer {
    pub infos: Vec<Info>,
    pub notes: Vec<String>,
    pub best: Best,
    pub ponder: Option<String>,
    /// From the last line sent to `bestmove`.
    pub elapsed: Duration,
}

const MATED_LINE: &str = "info depth 0 score mate -0 nodes 0 nps 0 hashfull 0 time 0";
const DECLARED_LINE: &str = "info depth 0 score mate 1 nodes 0 nps 0 hashfull 0 time 0";

/// The words of a line, taken one by one.
struct Words<'a> {
    line: &'a str,
    words: std::iter::Peekable<std::str::Split<'a, char>>,
}

impl<'a> Words<'a> {
    fn of(line: &'a str) -> Self {
        Self {
            line,
            words: line.split(' ').peekable(),
        }
    }

    fn wrong(&self, what: &str) -> String {
        format!("{what}: {}", self.line)
    }

    /// Takes the next word if it is this one.
    fn accept(&mut self, word: &str) -> bool {
        self.words.next_if_eq(&word).is_some()
    }

    fn require(&mut self, word: &str) -> Result<(), String> {
        if self.accept(word) {
            Ok(())
        } else {
            Err(self.wrong(&format!("expected {word}")))
        }
    }

    /// A number in plain digits, without leading zeros.
    fn number(&mut self) -> Result<u64, String> {
        let word = self.words.next().unwrap_or_default();
        match word.parse::<u64>() {
            Ok(number) if number.to_string() == word => Ok(number),
            _ => Err(self.wrong(&format!("'{word}' is no number"))),
        }
    }

    fn signed(&mut self) -> Result<i64, String> {
        let negative = self.words.peek().is_some_and(|word| word.starts_with('-'));
        let word = self.words.next().unwrap_or_default();
        match word.parse::<i64>() {
            Ok(number) if number.to_string() == word && negative == (number < 0) => Ok(number),
            _ => Err(self.wrong(&format!("'{word}' is no number"))),
        }
    }

    fn field(&mut self, name: &str) -> Result<u64, String> {
        self.require(name)?;
        self.number()
    }
}

impl Info {
    /// Reads a line in the one order of fields that satisfies every client.
    pub fn parse(line: &str) -> Result<Self, String> {
        let mut words = Words::of(line);
        words.require("info")?;
        let depth = words.field("depth")?;
        let seldepth = words.field("seldepth")?;
        let multipv = if words.accept("multipv") {
            Some(words.number()?)
        } else {
            None
        };
        words.require("score")?;
        let score = if words.accept("mate") {
            Score::Mate(words.signed()?)
        } else {
            words.require("cp")?;
            Score::Cp(words.signed()?)
        };
        let bound = if words.accept("lowerbound") {
            Bound::Lower
        } else if words.accept("upperbound") {
            Bound::Upper
        } else {
            Bound::Exact
        };
        let nodes = words.field("nodes")?;
        let nps = words.field("nps")?;
        let hashfull = words.field("hashfull")?;
        let time = words.field("time")?;
        words.require("pv")?;
        let pv: Vec<_> = words.words.map(str::to_owned).collect();
        Ok(Self {
            depth,
            seldepth,
            multipv,
            score,
            bound,
            nodes,
            nps,
            hashfull,
            time,
            pv,
        })
    }

    /// What must hold for a line by itself, at this root.
    fn check(&self, root: &Root) -> Result<(), String> {
        if self.depth < 1 || self.seldepth < 1 {
            return Err("depth 0 with moves".into());
        }
        match self.score {
            Score::Cp(value) if value.abs() > 29_999 => {
                return Err(format!("cp {value} reads as a mate"));
            }
            Score::Mate(plies) if plies > 0 && plies % 2 == 0 => {
                return Err(format!("mates after {plies} plies"));
            }
            Score::Mate(plies) if plies <= 0 && (plies == 0 || plies % 2 != 0) => {
                return Err(format!("is mated after {plies} plies"));
            }
            _ => {}
        }
        if self.hashfull > 1000 {
            return Err(format!("hashfull {}", self.hashfull));
        }
        if self.time >= 200 {
            let expected = self.nodes * 1000 / self.time;
            if self.nps.abs_diff(expected) > expected / 50 + 10 {
                return Err(format!(
                    "nps {}, but nodes and time make it {expected}",
                    self.nps
                ));
            }
        }
        self.check_pv(root)
    }

    /// Legal moves only, and none after a repetition or the end of the game.
    fn check_pv(&self, root: &Root) -> Result<(), String> {
        if self.pv.is_empty() || self.pv.len() > MAX_PV {
            return Err(format!("{} moves in the pv", self.pv.len()));
        }
        let mut line = root.clone();
        for (ply, text) in self.pv.iter().enumerate() {
            if !line.board.is_legal(text) {
                return Err(format!("pv move {} is not legal: {text}", ply + 1));
            }
            if ply > 0 && line.is_repeated() {
                return Err(format!(
                    "the pv goes on with move {} after a repetition: {text}",
                    ply + 1
                ));
            }
            line.play(text);
        }
        Ok(())
    }
}

impl Answer {
    /// Checks all lines of a search, `bestmove` last.
    pub fn check(lines: &[&str], elapsed: Duration, root: &Root) -> Result<Self, String> {
        let (last, before) = lines.split_last().ok_or("no bestmove")?;
        let (best, ponder) = read_bestmove(last)?;
        let mut answer = Self {
            infos: Vec::new(),
            notes: Vec::new(),
            best,
            ponder,
            elapsed,
        };
        let mut final_line = None;
        for line in before {
            final_line = Some(*line);
            if let Some(note) = line.strip_prefix("info string ") {
                answer.notes.push(note.to_owned());
            } else if ![MATED_LINE, DECLARED_LINE].contains(line) {
                let info = Info::parse(line)?;
                info.check(root)
                    .map_err(|complaint| format!("{complaint}: {line}"))?;
                answer.infos.push(info);
            }
        }
        answer.check_order()?;
        answer.check_end(final_line, root)?;
        Ok(answer)
    }

    /// Depth and nodes never fall, and time only by the moments between the lines of one block.
    fn check_order(&self) -> Result<(), String> {
        for pair in self.infos.windows(2) {
            let falls = pair[1].depth < pair[0].depth
                || pair[1].nodes < pair[0].nodes
                || pair[1].time + 20 < pair[0].time;
            if falls {
                return Err(format!(
                    "depth, nodes or time falls: {:?} then {:?}",
                    pair[0], pair[1]
                ));
            }
        }
        if self.notes.len() > 2 {
            return Err(format!("{} info strings in one search", self.notes.len()));
        }
        Ok(())
    }

    /// How the last lines fit together and to the position.
    fn check_end(&self, final_line: Option<&str>, root: &Root) -> Result<(), String> {
        match &self.best {
            Best::Resign if !root.board.has_move() => {
                return (final_line == Some(MATED_LINE))
                    .then_some(())
                    .ok_or_else(|| {
                        format!("no legal move, but before bestmove stands {final_line:?}")
                    });
            }
            Best::Win => {
                return (final_line == Some(DECLARED_LINE))
                    .then_some(())
                    .ok_or_else(|| {
                        format!("a declaration, but before bestmove stands {final_line:?}")
                    });
            }
            _ => {}
        }
        let line = final_line.ok_or("nothing before bestmove")?;
        let info = Info::parse(line)
            .map_err(|e| format!("before bestmove stands no line of moves: {e}"))?;
        if info.multipv.is_some_and(|k| k != 1) {
            return Err(format!(
                "the last line is not that of the best move: {line}"
            ));
        }
        if info.bound != Bound::Exact {
            return Err(format!("the last line is only a bound: {line}"));
        }
        let Best::Move(best) = &self.best else {
            return Ok(());
        };
        if !root.board.is_legal(best) {
            return Err(format!("bestmove {best} is not legal"));
        }
        let first = &info;
        if first.pv[0] != *best {
            return Err(format!(
                "bestmove {best} is not the first move of the last line: {:?}",
                first.pv
            ));
        }
        let mut after = root.clone();
        after.play(best);
        let Some(ponder) = &self.ponder else {
            return Ok(());
        };
        if !after.board.is_legal(ponder) {
            return Err(format!("ponder move {ponder} is not legal after {best}"));
        }
        if first.pv.get(1).is_some_and(|second| second != ponder) {
            return Err(format!(
                "ponder move {ponder} is not the second of the last line: {:?}",
                first.pv
            ));
        }
        Ok(())
    }

    /// The last line of the best move (`multipv 1`, or no number).
    pub fn final_best_line(&self) -> &Info {
        let best = self
            .infos
            .iter()
            .rev()
            .find(|info| info.multipv.is_none_or(|k| k == 1));
        best.expect("every search prints its best line")
    }

    /// The move played; panics on `resign` and `win`.
    pub fn best_move(&self) -> &str {
        match &self.best {
            Best::Move(text) => text,
            other => panic!("bestmove is {other:?}"),
        }
    }

    pub fn score(&self) -> Score {
        self.final_best_line().score
    }

    pub fn nodes(&self) -> u64 {
        self.infos.iter().map(|info| info.nodes).max().unwrap_or(0)
    }

    /// The lines of each completed iteration with several lines of moves, in blocks: numbers 1, 2, .. with
    /// the same depth and scores that do not rise. Fails on a block that is cut short; the best line alone at
    /// the very end, which clients read the evaluation from, is none.
    pub fn blocks(&self, lines_per_block: usize) -> Result<usize, String> {
        let mut exact: Vec<_> = self
            .infos
            .iter()
            .filter(|info| info.bound == Bound::Exact)
            .collect();
        if lines_per_block > 1 && exact.len() % lines_per_block == 1 {
            exact.pop();
        }
        if !exact.len().is_multiple_of(lines_per_block) {
            return Err(format!(
                "{} lines are no whole number of blocks",
                exact.len()
            ));
        }
        for block in exact.chunks(lines_per_block) {
            for (i, info) in block.iter().enumerate() {
                if info.multipv != Some(i as u64 + 1) || info.depth != block[0].depth {
                    return Err(format!("line {} of a block: {info:?}", i + 1));
                }
                if i > 0 && rank(info.score) > rank(block[i - 1].score) {
                    return Err(format!("a better move comes later in the block: {info:?}"));
                }
            }
        }
        Ok(exact.len() / lines_per_block)
    }
}

/// Scores as one scale: being mated late is better than early, mating soon better than late.
fn rank(score: Score) -> i64 {
    match score {
        Score::Cp(value) => value,
        Score::Mate(plies) if plies > 0 => 1_000_000 - plies,
        Score::Mate(plies) => -1_000_000 - plies,
    }
}

/// Reads `bestmove` in its exact forms.
pub fn read_bestmove(line: &str) -> Result<(Best, Option<String>), String> {
    let words: Vec<_> = line.split(' ').collect();
    match words[..] {
        ["bestmove", "resign"] => Ok((Best::Resign, None)),
        ["bestmove", "win"] => Ok((Best::Win, None)),
        ["bestmove", best] => Ok((Best::Move(best.into()), None)),
        ["bestmove", best, "ponder", ponder] if !["resign", "win"].contains(&best) => {
            Ok((Best::Move(best.into()), Some(ponder.into())))
        }
        _ => Err(format!("not a form of bestmove: {line}")),
    }
}

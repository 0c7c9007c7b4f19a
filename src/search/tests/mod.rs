//! The search as a whole, through its interface: what it finds, and how it behaves.

mod conduct;
mod proofs;
mod results;
mod unpromoted;

use std::sync::{Arc, Condvar, Mutex};
use std::time::{Duration, Instant};

use super::{BestMove, Bound, Clock, Info, Limits, Listener, SearchOptions, Searcher};
use crate::score::Score;
use crate::shogi::{EnteringKingRule, Move, Position};

/// Collects what a search says and lets the test wait for it.
#[derive(Default)]
struct Ear {
    heard: Mutex<Heard>,
    changed: Condvar,
}

#[derive(Default)]
struct Heard {
    infos: Vec<Info>,
    notes: Vec<String>,
    answers: Vec<BestMove>,
}

impl Listener for Ear {
    fn info(&self, info: &Info) {
        let mut heard = self.heard.lock().unwrap();
        assert!(heard.answers.is_empty(), "nothing follows the answer");
        heard.infos.push(info.clone());
        self.changed.notify_all();
    }

    fn note(&self, text: &str) {
        self.heard.lock().unwrap().notes.push(text.to_owned());
    }

    fn done(&self, best: BestMove) {
        self.heard.lock().unwrap().answers.push(best);
        self.changed.notify_all();
    }
}

impl Ear {
    /// Waits, not for ever, until something is the case.
    fn wait_for(&self, what: impl Fn(&Heard) -> bool) {
        let heard = self.heard.lock().unwrap();
        let limit = Duration::from_secs(60);
        let (_heard, timeout) = self
            .changed
            .wait_timeout_while(heard, limit, |heard| !what(heard))
            .unwrap();
        assert!(!timeout.timed_out(), "the search does not answer");
    }

    fn answer(&self) -> BestMove {
        self.wait_for(|heard| !heard.answers.is_empty());
        self.heard.lock().unwrap().answers[0]
    }

    fn infos(&self) -> Vec<Info> {
        self.heard.lock().unwrap().infos.clone()
    }
}

const STARTPOS: &str = "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1";
const MIDDLEGAME: &str =
    "8l/1l+R2P3/p2pBG1pp/kps1p4/Nn1P2G2/P1P1P2PP/1PS6/1KSG3+r1/LN2+p3L w Sbgn3p 124";
const MATE_IN_1: &str = "4k4/9/4P4/9/9/9/9/9/4K4 b G2r2b3g4s4n4l17p 1";
const MATE_IN_3: &str = "7k1/9/5+R3/6pl1/9/9/9/9/4K4 b RG 1";
const MATED: &str = "4k4/4G4/4P4/9/9/9/9/9/4K4 w 2r2b3g4s4n4l17p 1";
const STUCK: &str = "8k/6+R2/9/9/9/9/9/9/K8 w - 1";
const ONE_MOVE: &str = "8k/9/7G1/9/9/9/9/9/K8 w - 1";
const DECLARABLE: &str = "4K4/+R+RGGGGSSS/2S6/9/9/9/9/9/4k4 b 2B4N4L18P 1";

fn position(sfen: &str, line: &str) -> Position {
    let mut position = Position::from_sfen(sfen).unwrap();
    for mv in line.split_whitespace() {
        position.try_move(mv.parse().unwrap()).unwrap();
    }
    position
}

fn depth(depth: u32) -> Limits {
    Limits {
        depth: Some(depth),
        ..Limits::default()
    }
}

fn nodes(nodes: u64) -> Limits {
    Limits {
        nodes: Some(nodes),
        ..Limits::default()
    }
}

/// The laws that hold for every search that has a move to play: the line before the answer is exact and begins with
/// it, lines are legal, counters never fall.
fn check_laws(root: &Position, infos: &[Info], answer: BestMove) {
    let last = infos.last().expect("there is a line before the answer");
    let BestMove::Move { best, ponder } = answer else {
        return;
    };
    assert_eq!(last.bound, Bound::Exact);
    let block = last.multipv.unwrap_or(1) as usize;
    let first = &infos[infos.len() - block];
    assert_eq!(first.multipv.unwrap_or(1), 1);
    assert_eq!(first.pv.first(), Some(&best), "{}", root.sfen());
    assert_eq!(first.pv.get(1).copied(), ponder);
    for info in infos {
        let mut position = root.clone();
        assert!(info.pv.len() <= 64 && !info.pv.is_empty());
        for &mv in &info.pv {
            position.try_move(mv).expect("lines are legal");
        }
        if let Score::Mate(plies) = info.score {
            assert_eq!(plies > 0, plies % 2 != 0, "{info:?}");
        }
    }
    for pair in infos.windows(2) {
        assert!(pair[0].depth <= pair[1].depth, "{pair:?}");
        assert!(pair[0].nodes <= pair[1].nodes && pair[0].time_ms <= pair[1].time_ms);
    }
}

fn run(root: &Position, limits: Limits, options: SearchOptions) -> (BestMove, Vec<Info>) {
    run_with(&Searcher::new(), root, limits, options)
}

fn run_with(
    searcher: &Searcher,
    root: &Position,
    limits: Limits,
    options: SearchOptions,
) -> (BestMove, Vec<Info>) {
    let ear = Arc::new(Ear::default());
    searcher.start(root.clone(), limits, options, ear.clone());
    let answer = ear.answer();
    searcher.wait();
    let infos = ear.infos();
    check_laws(root, &infos, answer);
    assert_eq!(ear.heard.lock().unwrap().answers.len(), 1);
    (answer, infos)
}

fn best_move(answer: BestMove) -> String {
    match answer {
        BestMove::Move { best, .. } => best.to_string(),
        other => format!("{other:?}"),
    }
}

fn last_score(infos: &[Info]) -> Score {
    infos.last().unwrap().score
}

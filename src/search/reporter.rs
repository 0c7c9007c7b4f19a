//! Decides when a search reports what: enough to follow it, but not so much that it floods the host. The main thread
//! owns it, then the driver.

use std::sync::Arc;
use std::time::{Duration, Instant};

use super::job::SearchJob;
use super::report::{Bound, Info, Listener};
use super::root::{self, RootMove};
use crate::score::{Score, Value};
use crate::shogi::Move;

/// If everything is to be reported: the first results are reported as they are found, later ones at most once in this
/// time. Otherwise: the least time before a new best move is reported.
const SHORT_INTERVAL: Duration = Duration::from_millis(50);
const UNLIMITED: Duration = Duration::from_secs(1);
/// Analysis that has nothing new to report still shows that it continues.
const HEARTBEAT: Duration = Duration::from_secs(3);
/// Results outside the aspiration window are reported only in searches that take this long.
const BOUNDS_FROM: Duration = Duration::from_secs(3);

/// Passes results on to the listener of a search.
pub(super) struct Reporter {
    listener: Arc<dyn Listener>,
    start: Instant,
    /// Whether only a stop ends the search.
    is_endless: bool,
    /// Whether everything is to be reported.
    reports_all: bool,
    interval: Duration,
    last: Option<Instant>,
    /// The lines of the latest complete report.
    shown: Vec<Info>,
    /// The greatest depth mentioned so far: it never falls.
    depth: u32,
}

impl Reporter {
    pub fn new(job: &SearchJob) -> Self {
        Self {
            listener: Arc::clone(&job.listener),
            start: job.start,
            is_endless: job.limits.infinite || job.limits.ponder,
            reports_all: job.options.analysis,
            interval: Duration::from_millis(job.options.report_interval_ms),
            last: None,
            shown: Vec::new(),
            depth: 0,
        }
    }

    /// An iteration was completed.
    pub fn iteration(&mut self, job: &SearchJob, root_moves: &[RootMove], depth: u32) {
        if self.is_due(root_moves[0].mv) {
            self.depth = self.depth.max(depth);
            let lines = self.lines(job, root_moves);
            self.show(lines);
        }
    }

    /// A value outside the window was found for the line being searched.
    pub fn bound(
        &mut self,
        job: &SearchJob,
        root_move: &RootMove,
        value: Value,
        bound: Bound,
        depth: u32,
    ) {
        let wanted = job.options.report_bounds && job.multi_pv() == 1;
        if wanted && self.start.elapsed() >= BOUNDS_FROM && self.is_due(root_move.mv) {
            self.depth = self.depth.max(depth);
            let pv = root::presentable(&job.root, &root_move.line, &job.options);
            let info = Info {
                score: Score::from_value(value),
                bound,
                ..self.info(job, root_move, None, pv)
            };
            self.last = Some(Instant::now());
            self.shown.clear();
            self.listener.info(&info);
        }
    }

    /// Repeats the last report of an analysis that has been silent for long. To be called regularly.
    pub fn heartbeat(&mut self, job: &SearchJob) {
        let is_long = self.is_endless || self.reports_all;
        if is_long && self.last.is_some_and(|last| last.elapsed() >= HEARTBEAT) {
            let mut lines = std::mem::take(&mut self.shown);
            for info in &mut lines {
                self.count(job, info);
            }
            self.show(lines);
        }
    }

    /// The search has ended with these root moves: shows them, unless that has just been done, and returns the
    /// best line.
    pub fn end(&mut self, job: &SearchJob, root_moves: &[RootMove]) -> Vec<Move> {
        self.depth = self.depth.max(root_moves[0].depth).max(1);
        let lines = self.lines(job, root_moves);
        let line = lines[0].pv.clone();
        let same = |a: &Info, b: &Info| {
            (a.depth, a.score, a.nodes, &a.pv) == (b.depth, b.score, b.nodes, &b.pv)
        };
        let is_shown = lines.len() == self.shown.len()
            && lines.iter().zip(&self.shown).all(|(a, b)| same(a, b));
        if !is_shown {
            self.show(lines);
        }
        line
    }

    /// Whether it is time for a report on `best`.
    fn is_due(&self, best: Move) -> bool {
        let Some(last) = self.last else {
            return true;
        };
        let is_news = |info: &Info| info.pv.first() != Some(&best);
        let interval = match self.reports_all {
            true if self.start.elapsed() < UNLIMITED => Duration::ZERO,
            true => SHORT_INTERVAL,
            false if self.shown.first().is_some_and(is_news) => self.interval.min(SHORT_INTERVAL),
            false => self.interval,
        };
        last.elapsed() >= interval
    }

    fn show(&mut self, lines: Vec<Info>) {
        for info in &lines {
            self.listener.info(info);
        }
        self.last = Some(Instant::now());
        self.shown = lines;
    }

    /// The reports of all lines asked for.
    fn lines(&self, job: &SearchJob, root_moves: &[RootMove]) -> Vec<Info> {
        let count = job.shown_lines();
        root_moves[..count]
            .iter()
            .enumerate()
            .map(|(i, root_move)| {
                let mut pv = root::presentable(&job.root, &root_move.line, &job.options);
                if i == 0 && pv.len() == 1 {
                    pv.extend(expected_reply(job, pv[0]));
                }
                self.info(job, root_move, (count > 1).then_some(i as u32 + 1), pv)
            })
            .collect()
    }

    fn info(
        &self,
        job: &SearchJob,
        root_move: &RootMove,
        multipv: Option<u32>,
        pv: Vec<Move>,
    ) -> Info {
        let mut info = Info {
            depth: self.depth,
            seldepth: root_move.seldepth.max(self.depth),
            multipv,
            score: Score::from_value(root_move.shown_value()),
            bound: Bound::Exact,
            nodes: 0,
            nps: 0,
            hashfull: 0,
            time_ms: 0,
            pv,
        };
        self.count(job, &mut info);
        info
    }

    /// Updates time, nodes and table usage.
    fn count(&self, job: &SearchJob, info: &mut Info) {
        info.time_ms = (self.start.elapsed().as_millis() as u64).max(1);
        info.nodes = job.nodes();
        info.nps = (u128::from(info.nodes) * 1000 / u128::from(info.time_ms)) as u64;
        info.hashfull = job.tt.hashfull();
    }
}

/// Reports a position that is decided without a search: by the rules, or by a move that ends the game.
pub(super) fn decided(listener: &dyn Listener, score: Score, mv: Option<Move>) {
    let depth = u32::from(mv.is_some());
    listener.info(&Info {
        depth,
        seldepth: depth,
        multipv: None,
        score,
        bound: Bound::Exact,
        nodes: 0,
        nps: 0,
        hashfull: 0,
        time_ms: 0,
        pv: Vec::from_iter(mv),
    });
}

/// The reply that the table expects to a move at the root, unless the line ends there.
fn expected_reply(job: &SearchJob, mv: Move) -> Option<Move> {
    let mut position = job.root.clone();
    position.do_move(mv);
    if root::is_end_of_line(&position, &job.options) {
        return None;
    }
    let reply = job.tt.probe(position.key())?.mv?;
    let is_sensible = job.options.all_promotions || !position.declines_promotion(reply);
    (is_sensible && position.is_legal(reply)).then_some(reply)
}

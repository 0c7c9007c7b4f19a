//! The thread behind [`Searcher`](crate::search::Searcher). It owns the pool and the table, carries out one command
//! after another, and gives the answers, also those that need no search.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::mpsc::{Receiver, Sender};
use std::sync::{Arc, Condvar, Mutex, MutexGuard};
use std::time::{Duration, Instant};

use fastrand::Rng;

use super::control::Control;
use super::pool::{Pool, elect};
use crate::eval::Evaluator;
use crate::mate::is_solved;
use crate::score::{Score, Value, mate_in};
use crate::search::job::{NodeCounter, SearchJob};
use crate::search::limits::{Clock, Limits, SearchOptions};
use crate::search::report::{BestMove, Listener, Remark};
use crate::search::reporter::{self, Reporter};
use crate::search::root::{self, RootMove};
use crate::search::skill::SkillLevel;
use crate::search::time::lateness::Lateness;
use crate::search::tt::{Fetcher, TranspositionTable, fetch_rest};
use crate::search::worker::WorkerResult;
use crate::shogi::{Declaration, EnteringKingRule, Position};
use crate::threads;

/// Threads and MiB of a searcher that was never configured.
const DEFAULT_THREADS: usize = 1;
const DEFAULT_HASH: usize = 16;
/// How long the memory of a table may take before a search that cannot wait.
const IMPATIENCE: Duration = Duration::from_millis(20);
/// The most that is kept back for threads to wake up: a machine that was busy once must not cost every move more.
const MOST_WAKE_LAG: Duration = Duration::from_millis(1);
/// Memory that takes longer than this is worth a remark.
const SLOW: Duration = Duration::from_secs(1);
/// From here on `resign_value` means "never".
const NEVER_RESIGN: i32 = 99_999;
/// Resign after a hopeless score on this many own moves in a row.
const HOPELESS_MOVES: u32 = 2;

/// What the driver and its users both see.
#[derive(Default)]
pub struct Shared {
    state: Mutex<SharedState>,
    /// Signals that no search is pending.
    pub idle: Condvar,
}

#[derive(Default)]
pub struct SharedState {
    /// Searches that were started and have not ended.
    pub pending: usize,
    /// The control of the search started last.
    pub current: Option<Arc<Control>>,
    /// The counters of the search that runs, or ran last.
    pub counters: Option<Arc<[NodeCounter]>>,
}

impl Shared {
    pub fn lock(&self) -> MutexGuard<'_, SharedState> {
        threads::lock(&self.state)
    }
}

/// A command to the driver, with the channel for the reply.
pub enum DriverCommand {
    Configure(usize, usize, Duration, Sender<Vec<Remark>>),
    Clear(Sender<()>),
    SetEvaluator(Evaluator, Sender<()>),
    Search(Box<Request>),
}

/// A search as it was asked for.
pub struct Request {
    pub root: Position,
    pub limits: Limits,
    /// When the request arrived.
    pub start: Instant,
    pub options: SearchOptions,
    pub listener: Arc<dyn Listener>,
    pub control: Arc<Control>,
    /// When the driver, which had nothing to do, was woken up for it.
    pub handed_over: Option<Instant>,
}

/// What is kept from one move of a game to the next.
#[derive(Default)]
struct GameMemory {
    /// The value of the last search.
    value: Option<Value>,
    /// The clocks to expect at the next move.
    clock: Option<Clock>,
    /// For how many own moves in a row the score has been hopeless.
    hopeless_for: u32,
}

/// The options that change the values of positions.
type Rules = (EnteringKingRule, u32, i32, i32);

/// How a search ended.
struct SearchResult {
    answer: BestMove,
    /// The value of the best line, if an iteration was completed.
    value: Option<Value>,
    /// When the time was up, if that has ended the search.
    over_since: Option<Instant>,
}

/// The state of the thread.
pub struct Driver {
    shared: Arc<Shared>,
    pool: Option<Pool>,
    table: Option<Arc<TranspositionTable>>,
    /// Fetches memory that the table lacks.
    fetcher: Option<Fetcher>,
    threads: usize,
    hash_mib: usize,
    evaluator: Evaluator,
    game: GameMemory,
    /// From the end of searches to their answers.
    answer_lag: Lateness,
    /// How long threads take to wake up.
    wake_lag: Lateness,
    /// The rules behind the values in the table.
    rules: Option<Rules>,
}

impl Driver {
    pub fn new(shared: Arc<Shared>) -> Self {
        Self {
            shared,
            pool: None,
            table: None,
            fetcher: None,
            threads: DEFAULT_THREADS,
            hash_mib: DEFAULT_HASH,
            evaluator: Evaluator::material(),
            game: GameMemory::default(),
            answer_lag: Lateness::new(),
            wake_lag: Lateness::new(),
            rules: None,
        }
    }

    /// Carries out commands until nobody can send any more.
    pub fn run(mut self, commands: &Receiver<DriverCommand>) {
        for command in commands {
            // A reply that nobody waits for is no failure.
            match command {
                DriverCommand::Configure(threads, hash_mib, patience, reply) => {
                    let _ = reply.send(self.configure(threads, hash_mib, patience));
                }
                DriverCommand::Clear(reply) => {
                    self.clear();
                    let _ = reply.send(());
                }
                DriverCommand::SetEvaluator(evaluator, reply) => {
                    self.evaluator = evaluator;
                    self.clear();
                    if let Some(pool) = &self.pool {
                        pool.fetch_memory(&self.evaluator);
                    }
                    let _ = reply.send(());
                }
                DriverCommand::Search(request) => {
                    self.search(*request);
                    self.note_end();
                }
            }
        }
    }

    fn note_end(&self) {
        let mut state = self.shared.lock();
        state.pending -= 1;
        if state.pending == 0 {
            state.current = None;
            self.shared.idle.notify_all();
        }
    }

    /// Applies the settings. Waits up to `patience` for the memory of a new table.
    fn configure(&mut self, threads: usize, hash_mib: usize, patience: Duration) -> Vec<Remark> {
        let mut remarks = Vec::new();
        if self.pool.is_none() || self.threads != threads {
            self.pool = None; // the old threads make room first
            self.threads = threads;
            match Pool::new(threads) {
                Ok(pool) => {
                    if pool.len() < threads {
                        remarks.push(Remark::FewerThreads {
                            started: pool.len(),
                            wanted: threads,
                        });
                    }
                    pool.fetch_memory(&self.evaluator);
                    self.pool = Some(pool);
                }
                Err(error) => remarks.push(Remark::NoThread(error.to_string())),
            }
        }
        if self.table.is_none() || self.hash_mib != hash_mib {
            (self.fetcher, self.table) = (None, None); // the old one makes room first
            self.hash_mib = hash_mib;
            let (table, size) = TranspositionTable::new(hash_mib);
            if size < hash_mib {
                remarks.push(Remark::SmallerHash {
                    mib: size,
                    wanted: hash_mib,
                });
            }
            let begin = Instant::now();
            let there = table.fetch_memory(patience);
            let time = begin.elapsed();
            if there < size {
                remarks.push(Remark::MemoryPending {
                    mib: there,
                    wanted: size,
                    time,
                });
            } else if time >= SLOW {
                remarks.push(Remark::MemorySlow { mib: size, time });
            }
            let table = Arc::new(table);
            self.fetcher = fetch_rest(&table);
            self.table = Some(table);
        }
        remarks
    }

    fn clear(&mut self) {
        if let Some(pool) = &self.pool {
            pool.clear();
        }
        if let Some(table) = &self.table {
            table.clear();
        }
        self.game = GameMemory::default();
    }

    /// Runs a search to its end, its answer included.
    fn search(&mut self, request: Request) {
        if let Some(time) = request.handed_over {
            self.wake_lag.add(time.elapsed());
        }
        let control = Arc::clone(&request.control);
        if control.is_abandoned() {
            return;
        }
        let search = AssertUnwindSafe(|| self.find_answer(&request));
        let result = catch_unwind(search).unwrap_or_else(|_| {
            request.listener.note(&Remark::SearchFailed.to_string());
            SearchResult {
                answer: BestMove::any(&request.root, None),
                value: None,
                over_since: None,
            }
        });
        control.wait_until_due(request.limits.infinite, request.limits.ponder);
        if !control.is_abandoned() {
            let answer = self.conclude(&request, &result);
            request.listener.done(answer);
            if let Some(time) = result.over_since {
                self.answer_lag.add(time.elapsed());
            }
        }
    }

    /// The answer by the rules alone, or by a search.
    fn find_answer(&mut self, request: &Request) -> SearchResult {
        let root = &request.root;
        let listener = &*request.listener;
        let root_moves = root::root_moves(root, &request.limits);
        // Analysis does not resign.
        let is_solved = !request.limits.infinite && is_solved(root);
        if root_moves.is_empty() || is_solved {
            reporter::decided(listener, Score::Mate(0), None);
            return decided(BestMove::Resign);
        }
        if root.declaration(request.options.entering_king_rule) == Declaration::Win {
            let win = match request.options.entering_king_rule {
                EnteringKingRule::TryRule => root.try_rule_move(),
                _ => None,
            };
            reporter::decided(listener, Score::from_value(mate_in(1)), win);
            return decided(win.map_or(BestMove::Win, BestMove::only));
        }
        self.search_with_pool(request, root_moves)
    }

    fn search_with_pool(
        &mut self,
        request: &Request,
        mut root_moves: Vec<RootMove>,
    ) -> SearchResult {
        for remark in self.configure(self.threads, self.hash_mib, IMPATIENCE) {
            request.listener.note(&remark.to_string());
        }
        let (Some(pool), Some(table)) = (&self.pool, &self.table) else {
            return decided(BestMove::any(&request.root, None));
        };
        let rules = rules(&request.options);
        if self.rules.replace(rules).is_some_and(|old| old != rules) {
            table.clear();
        }
        table.advance();
        let counters: Arc<[NodeCounter]> =
            (0..pool.len()).map(|_| NodeCounter::default()).collect();
        self.shared.lock().counters = Some(Arc::clone(&counters));
        let Request {
            root,
            limits,
            options,
            ..
        } = request;
        let unpromoted = root::set_aside_unpromoted(&mut root_moves, root, limits, options);
        let level = level(request);
        let budget = level.map(|level| level.nodes(root_moves.len()));
        let job = SearchJob {
            root: root.clone(),
            root_moves,
            unpromoted,
            limits: Limits {
                nodes: limits.nodes.into_iter().chain(budget).min(),
                ..limits.clone()
            },
            start: request.start,
            options: options.clone(),
            level,
            control: Arc::clone(&request.control),
            tt: Arc::clone(table),
            evaluator: self.evaluator.clone(),
            listener: Arc::clone(&request.listener),
            counters,
            clock_estimate: self.game.clock,
            // Host and engine each have to wake up to read what the other wrote. That cannot be measured here, but one
            // of our threads takes as long to wake up for another.
            answer_lag: self.answer_lag.reserve()
                + (2 * self.wake_lag.reserve()).min(MOST_WAKE_LAG),
            previous_value: self.game.value,
        };
        result_of(&job, pool.search(&job))
    }

    /// Updates what is kept between the moves of a game, and resigns if the score has been hopeless for long enough.
    fn conclude(&mut self, request: &Request, result: &SearchResult) -> BestMove {
        let Request {
            limits, options, ..
        } = request;
        let hit = request.control.hit();
        if limits.infinite || (limits.ponder && hit.is_none()) {
            return result.answer; // not a move of the game
        }
        let start = hit.map_or(request.start, |hit| hit.at);
        let used = i64::try_from(start.elapsed().as_millis()).unwrap_or(i64::MAX);
        let clock = hit.and_then(|hit| hit.clock).unwrap_or(limits.clock);
        let side = request.root.side_to_move();
        self.game.value = result.value;
        self.game.clock = clock.is_given().then(|| clock.after_move(side, used));

        let hopeless = match result.value.map(Score::from_value) {
            Some(Score::Cp(cp)) => {
                options.resign_value < NEVER_RESIGN && cp <= -options.resign_value
            }
            _ => false,
        };
        self.game.hopeless_for = if hopeless {
            self.game.hopeless_for + 1
        } else {
            0
        };
        if self.game.hopeless_for >= HOPELESS_MOVES && !options.analysis {
            return BestMove::Resign;
        }
        result.answer
    }
}

/// Chooses among the results of the threads and reports the best line for the last time.
fn result_of(job: &SearchJob, results: Vec<Result<WorkerResult, Remark>>) -> SearchResult {
    let mut outcomes = Vec::new();
    let (mut reporter, mut over_since) = (None, None);
    for result in results {
        match result {
            Ok(mut outcome) => {
                reporter = reporter.or(outcome.reporter.take());
                over_since = over_since.or(outcome.over_since);
                outcomes.push(outcome);
            }
            Err(failure) => job.listener.note(&failure.to_string()),
        }
    }
    if outcomes.is_empty() {
        return decided(BestMove::any(&job.root, None));
    }
    let electable: Vec<&WorkerResult> = outcomes.iter().collect();
    let is_fixed = job.multi_pv() > 1 || job.limits.depth.is_some();
    let elected = if is_fixed { 0 } else { elect(&electable) };
    let outcome = &mut outcomes[elected];
    if let Some(level) = job.level {
        let chosen = level.choose(&outcome.root_moves, &mut Rng::new());
        outcome.root_moves[..=chosen].rotate_right(1);
    }
    let mut reporter = reporter.unwrap_or_else(|| Reporter::new(job));
    let line = reporter.end(job, &outcome.root_moves);
    SearchResult {
        answer: BestMove::Move {
            best: line[0],
            ponder: line.get(1).copied(),
        },
        value: (outcome.completed > 0).then(|| outcome.root_moves[0].shown_value()),
        over_since,
    }
}

/// The skill level; analysis is always at full strength.
fn level(request: &Request) -> Option<SkillLevel> {
    let is_analysis = request.limits.infinite || request.options.analysis;
    SkillLevel::of(request.options.skill_level).filter(|_| !is_analysis)
}

fn decided(answer: BestMove) -> SearchResult {
    SearchResult {
        answer,
        value: None,
        over_since: None,
    }
}

fn rules(options: &SearchOptions) -> Rules {
    (
        options.entering_king_rule,
        options.max_moves_to_draw,
        options.draw_value_black,
        options.draw_value_white,
    )
}

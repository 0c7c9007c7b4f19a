//! What a search reports while it runs and when it ends. Plain data, independent of any protocol.

use std::fmt;
use std::time::Duration;

use crate::score::Score;
use crate::shogi::{Move, Position};

/// The kind of bound that a value is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum Bound {
    /// The true value is this or less.
    Upper = 1,
    /// The true value is this or more.
    Lower = 2,
    /// The true value.
    Exact = 3,
}

/// One principal variation, as reported.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Info {
    /// The iteration; 0 if the game ends at the root, without any move.
    pub depth: u32,
    /// The greatest ply reached in this iteration; 0 if nothing was searched.
    pub seldepth: u32,
    /// Which of several lines this is, from 1; `None` if only one is searched.
    pub multipv: Option<u32>,
    /// The score for the side to move at the root.
    pub score: Score,
    /// Whether the score is exact.
    pub bound: Bound,
    /// Nodes searched by all threads.
    pub nodes: u64,
    /// Nodes per second.
    pub nps: u64,
    /// How full the hash table is with entries of this search, in thousandths.
    pub hashfull: u32,
    /// Milliseconds since the request.
    pub time_ms: u64,
    /// Legal moves from the root, at most 64; empty only if the game ends at the root.
    pub pv: Vec<Move>,
}

/// The answer of a search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BestMove {
    /// A legal move, with the reply expected if one is known (legal after `best`).
    Move {
        /// The move.
        best: Move,
        /// The expected reply.
        ponder: Option<Move>,
    },
    /// No move is possible, or none is worth playing.
    Resign,
    /// The side to move declares its win (入玉宣言).
    Win,
}

impl BestMove {
    /// A move without a ponder move.
    pub fn only(best: Move) -> Self {
        Self::Move { best, ponder: None }
    }

    /// The last resort where no search has an answer: `preferred` if it is legal, else any legal move, else resigning.
    pub fn any(root: &Position, preferred: Option<Move>) -> Self {
        preferred
            .filter(|&mv| root.is_legal(mv))
            .or_else(|| root.any_move())
            .map_or(Self::Resign, Self::only)
    }
}

/// As after `bestmove` in USI: the move, with `ponder` and the reply if one is expected, or `resign` or `win`.
impl fmt::Display for BestMove {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Move { best, ponder: None } => write!(f, "{best}"),
            Self::Move {
                best,
                ponder: Some(ponder),
            } => write!(f, "{best} ponder {ponder}"),
            Self::Resign => f.write_str("resign"),
            Self::Win => f.write_str("win"),
        }
    }
}

/// Something that differs from what was asked, or went wrong without ending the search. Its text is meant for the user.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Remark {
    /// The system started fewer threads than wanted, or memory is short.
    #[error("only {started} of {wanted} threads started")]
    FewerThreads {
        /// The number of threads in use.
        started: usize,
        /// The number asked for.
        wanted: usize,
    },
    /// The system started no thread at all, with its reason.
    #[error("no search thread started: {0}")]
    NoThread(String),
    /// The hash table is smaller than wanted.
    #[error("a hash of {wanted} MiB does not fit into memory, using {mib} MiB")]
    SmallerHash {
        /// The size in use.
        mib: usize,
        /// The size asked for.
        wanted: usize,
    },
    /// The memory of the hash table took long to come.
    #[error("fetched {mib} MiB of memory in {:.1} s", .time.as_secs_f64())]
    MemorySlow {
        /// The size of the table.
        mib: usize,
        /// How long it took.
        time: Duration,
    },
    /// Some memory of the hash table has not come yet.
    #[error(
        "{mib} of {wanted} MiB of memory came within {:.1} s; the rest is fetched in the background and used from the \
         next game on",
        .time.as_secs_f64()
    )]
    MemoryPending {
        /// The size in use.
        mib: usize,
        /// The size of the table.
        wanted: usize,
        /// How long the memory in use took.
        time: Duration,
    },
    /// A search thread panicked; the others gave the answer.
    #[error("search thread {id} failed: {reason}")]
    ThreadFailed {
        /// The number of the thread, from 0.
        id: usize,
        /// The message of the panic.
        reason: String,
    },
    /// The search as a whole panicked; some legal move was answered.
    #[error("the search failed")]
    SearchFailed,
}

impl Remark {
    /// Whether everything was done as asked, only more slowly than it should be.
    pub fn is_about_time(&self) -> bool {
        matches!(self, Self::MemorySlow { .. } | Self::MemoryPending { .. })
    }
}

/// The receiver of a search's reports. Called from search threads, one call at a time. `()` only logs remarks.
pub trait Listener: Send + Sync {
    /// A principal variation.
    fn info(&self, _info: &Info) {}
    /// A remark for the user: something went wrong or differs from what was asked. Logged if nobody else wants it.
    fn note(&self, text: &str) {
        log::warn!("{text}");
    }
    /// The answer; nothing follows it.
    fn done(&self, best: BestMove);
}

impl Listener for () {
    fn done(&self, _: BestMove) {}
}

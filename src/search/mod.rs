//! The search: which move to play, from the rules and the evaluation. It knows no USI text, no files and no option
//! names, and prints nothing: it reports to a [`Listener`].
//!
//! Start at [`Searcher`], the interface. Inside, from the outermost to the innermost:
//!
//! | file | about |
//! | --- | --- |
//! | `limits`, `report` | what is asked, and what is reported: plain data |
//! | `searcher`, `smp::driver`, `smp::control` | the interface, the thread behind it; stop, pondering, ponderhit |
//! | `solo` | a second interface: searches in the calling thread, for tools |
//! | `smp::pool` | Lazy SMP: the search threads, and their vote on the result (thread voting) |
//! | `job`, `worker`, `stack` | one search; iterative deepening and aspiration windows; the search stack |
//! | `time` | time management: `budget` from the clocks, `manager` when to stop, `lateness` measured lag |
//! | `reporter`, `root`, `skill` | when to report what; root moves, MultiPV and principal variations; skill levels |
//! | `mate_search` | a df-pn mate search at the root, beside the main search |
//! | `tree` | the alpha-beta node and quiescence search, step by step (below) |
//! | `ordering` | move picker, history tables and correction history, with their updates |
//! | `tt` | the transposition table (hash table), shared by all threads |
//! | `params` | the numbers to tune |
//!
//! # The steps of a node
//!
//! `tree::alphabeta` is a fail-soft principal variation search (PVS). Its steps, with their files:
//!
//! 1. Limits reached, repetition, declaration, last move of the game: `tree::game_end`.
//! 2. Mate distance pruning: `tree::alphabeta`.
//! 3. Transposition table cutoff: `tree::state` (probe, store), `tt`.
//! 4. Static evaluation with correction history, improving and opponent worsening: `tree::state`,
//!    `ordering::correction_history`; hindsight adjustment: `tree::alphabeta`.
//! 5. Mate in one and three, razoring, reverse futility pruning (RFP), null move pruning (NMP) with verification
//!    search: `tree::pruning`.
//! 6. Internal iterative reduction (IIR): `tree::alphabeta`.
//! 7. Small ProbCut, ProbCut: `tree::pruning`.
//! 8. Move ordering: TT move, captures by victim (MVV), history and SEE, quiet moves by history: `ordering::movepick`,
//!    `ordering::history`.
//! 9. Late move pruning (LMP), futility pruning, history pruning, SEE pruning: `tree::pruning`.
//! 10. Singular extensions, multi-cut, negative extensions: `tree::singular`.
//! 11. Late move reductions (LMR): `tree::lmr`.
//! 12. Beta cutoff or a new best move: `tree::alphabeta`.
//! 13. Checkmate: `tree::alphabeta`.
//! 14. History updates, correction history and the table: `ordering::update`, `tree::state`.
//!
//! `tree::qsearch`, the quiescence search, has six steps of its own: game end, table, mate in one, stand pat, captures
//! with futility (delta) pruning and SEE pruning, the table.
//!
//! Every node knows repetition (sennichite, 千日手), perpetual check, superior and inferior positions (優等局面, 劣等局面),
//! the entering-king declaration (nyugyoku, 入玉宣言), draws by length, and a draw value for either colour (contempt).
//!
//! # Sources
//!
//! The techniques are common knowledge of the field. Many numbers, and the shape of the history updates, started from
//! those of Stockfish (development version of August 2026) and of YaneuraOu 9.70, its port to shogi, and were then
//! tuned; the files that use them say so. No code was taken from either.
//!
//! What each technique was worth in matches is listed in `benches/results`.

mod job;
mod limits;
mod mate_search;
mod ordering;
pub mod params;
mod report;
mod reporter;
mod root;
mod searcher;
mod skill;
mod smp;
mod solo;
mod stack;
#[cfg(test)]
mod tests;
mod time;
mod tree;
mod tt;
mod worker;

pub use limits::{Clock, Limits, SearchOptions};
pub use report::{BestMove, Bound, Info, Listener, Remark};
pub use searcher::Searcher;
pub use solo::{Found, Solo};

/// The last iteration of a search without a depth limit.
const MAX_DEPTH: u32 = 200;

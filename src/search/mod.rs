//! The search: which move to play, from the rules and the evaluation. It knows no USI text, no files and no option
//! names, and prints nothing: it reports to a [`Listener`].
//!
//! Start at [`Searcher`], the interface. Inside, from the outermost to the innermost:
//!
//! | file | about |
//! | --- | --- |
//! | `limits`, `report` | what is asked, and what is reported: plain data |
//! | `searcher`, `smp::driver`, `smp::control` | the interface and the thread behind it; stop and ponderhit |
//! | `solo` | a second interface: searches in the calling thread, for tools |
//! | `smp::pool` | Lazy SMP: the searching threads and their vote |
//! | `job`, `worker`, `stack` | one search; iterative deepening and aspiration windows; the search stack |
//! | `time::manager`, `time::budget` | time management: when to stop; from clocks to a time budget |
//! | `reporter`, `root`, `skill` | what to show when; root moves and principal variations; weaker play |
//! | `mate_search` | a df-pn mate search at the root, beside the main search |
//! | `tree` | the alpha-beta node and quiescence search, step by step (below) |
//! | `ordering` | move picker, history tables and correction history, with their updates |
//! | `tt` | the transposition table, shared by all threads |
//! | `params` | every number to tune |
//!
//! # The steps of a node
//!
//! `tree::alphabeta` is a fail-soft principal variation search (PVS). Its steps, with the files where they are done:
//!
//! | step | file |
//! | --- | --- |
//! | 1. limits reached, repetition, declaration, last move of the game | `tree::game_end` |
//! | 2. mate distance pruning | `tree::alphabeta` |
//! | 3. transposition table cutoff | `tree::state` (probe, store), `tt` |
//! | 4. static evaluation with correction history, hindsight adjustment | `tree::state`, `ordering::correction_history` |
//! | 5. mate in one and three, razoring, reverse futility, null move with verification | `tree::pruning` |
//! | 6. internal iterative reduction (IIR) | `tree::alphabeta` |
//! | 7. ProbCut | `tree::pruning` |
//! | 8. move ordering: TT move, captures by MVV, history and SEE, quiet moves by history | `ordering::movepick`, `ordering::history` |
//! | 9. late move pruning (LMP), futility, history and SEE pruning | `tree::pruning` |
//! | 10. singular extensions, multi-cut, negative extensions | `tree::singular` |
//! | 11. late move reductions (LMR) | `tree::lmr` |
//! | 12. beta cutoff or a new best move | `tree::alphabeta` |
//! | 13. checkmate | `tree::alphabeta` |
//! | 14. history updates and the table | `ordering::update`, `tree::state` |
//!
//! `tree::qsearch`, the quiescence search, has five steps of its own: game end, table, stand pat, captures and checks
//! with futility and SEE pruning, the table.
//!
//! Repetitions include superior and inferior ones (優等局面, 劣等局面); entering-king declarations, draws by length and a
//! draw value per colour are known everywhere in the tree.
//!
//! # Sources
//!
//! The techniques are common knowledge of the field. Many numbers and the shape of the history updates started from
//! those of Stockfish (development version of August 2026) and YaneuraOu 9.70, its port to shogi, and were then tuned;
//! the files that use them say so. No code was taken from either.
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

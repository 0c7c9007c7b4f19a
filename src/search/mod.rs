//! The search: what to play, from rules and evaluation. Knows no USI text, no files, no option names, and
//! prints nothing: it reports to a [`Listener`].
//!
//! Start at [`Searcher`], the interface. Inside, from the outermost to the innermost:
//!
//! | file | about |
//! | --- | --- |
//! | `limits`, `report` | what is asked and what is told: plain data |
//! | `searcher`, `driver`, `control` | the interface and the thread behind it: special positions, the answer; stop and ponderhit |
//! | `pool` | the searching threads and their vote |
//! | `levels` | weaker play |
//! | `solo` | another interface: searches in the calling thread, for tools |
//! | `worker`, `timer`, `time`, `reporter` | iterative deepening, when to stop, what to show |
//! | `root`, `matefinder` | moves at the root, lines of play; mates by consecutive checks |
//! | `node`, `qsearch` | the alpha-beta node, quiescence |
//! | `ending`, `knowledge`, `shortcuts` | steps of a node: the end of the game, table and evaluation, whole-node pruning |
//! | `futility`, `extensions`, `reductions` | which moves are skipped, and how deeply the others are searched |
//! | `movepick`, `history`, `corrections`, `learn` | the order of moves, experience with moves and with evaluation |
//! | `tt` | the table shared by all threads |
//! | `params` | every number to tune |
//!
//! # Techniques
//!
//! Principal variation search with aspiration windows and iterative deepening, fail-soft. A lock-free table
//! in clusters. Moves in stages: table move, captures by victim, experience and exchange, quiet moves by
//! experience: in general, near the root, after the last moves, under the pawn structure. Static evaluation is
//! corrected by what searches of similar positions found.
//!
//! Whole nodes: razoring, reverse futility, null move with verification, ProbCut, internal iterative reductions,
//! a second thought about nodes that were reduced. Moves: late move, futility, history and exchange pruning;
//! singular extensions with multi-cut and negative extensions; late move reductions.
//!
//! Repetition including superior and inferior ones, declarations, draws by length and by value per colour. Lazy
//! SMP: threads search the same root and share the table.
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
pub use report::{BestMove, Bound, Info, Listener};
pub use searcher::Searcher;
pub use solo::{Found, Solo};

/// The last iteration of a search without a depth limit.
const MAX_DEPTH: u32 = 200;

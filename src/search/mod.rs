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
//! | `worker`, `timer`, `time`, `reporter` | iterative deepening, when to stop, what to show |
//! | `root` | moves at the root, lines of play |
//! | `node`, `qsearch` | the alpha-beta node, quiescence |
//! | `ending`, `knowledge`, `shortcuts` | steps of a node: the end of the game, table and evaluation, whole-node pruning |
//! | `movepick`, `history`, `learn`, `reductions` | the order of moves, experience, late move reductions |
//! | `tt`, `memory` | the table shared by all threads |
//! | `params` | every number to tune |
//!
//! # Techniques
//!
//! Principal variation search with aspiration windows and iterative deepening, fail-soft. A lock-free table
//! in clusters. Moves in stages: table move, captures by victim, experience and exchange, quiet moves by
//! experience (main, capture and continuation history). Razoring, reverse futility, null move with
//! verification, internal iterative reductions; late move, futility, history and exchange pruning; late move
//! reductions. Repetition including superior and inferior ones, declarations, draws by length and by value
//! per colour. Lazy SMP: threads search the same root and share the table.

mod control;
mod driver;
mod ending;
mod history;
mod knowledge;
mod learn;
mod limits;
mod memory;
mod movepick;
mod node;
pub mod params;
mod pool;
mod qsearch;
mod reductions;
mod report;
mod reporter;
mod root;
mod searcher;
mod shortcuts;
#[cfg(test)]
mod tests;
mod time;
mod timer;
mod tt;
mod worker;

pub use limits::{Clock, Limits, SearchOptions};
pub use memory::available as available_memory;
pub use report::{BestMove, Bound, Info, Listener};
pub use searcher::Searcher;

/// The last iteration of a search without a depth limit.
const MAX_DEPTH: u32 = 200;

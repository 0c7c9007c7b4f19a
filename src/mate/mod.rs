//! Forced mates (詰み, tsumi) and mate problems (詰将棋, tsume shogi): the side to move mates by consecutive checks. A
//! solver by df-pn, and mate searches for play. Knows the rules only: no scores, no evaluation, and not the search's
//! transposition table.
//!
//! [`Solver`] answers mate problems of any length exactly: it claims a mate, or that there is none, only with a proof.
//! [`RootMateSearch`], [`mate_in_one`] and [`mate_in_three`] serve the search of game moves. Inside:
//!
//! | file | about |
//! | --- | --- |
//! | `solver`, `limits`, `answer` | solve a problem, extract the line, shorten it; limits; the answer |
//! | `root_search` | mates beside the search of a game move |
//! | `dfpn`, `results`, `init` | df-pn search, results of solved nodes, initial proof and disproof numbers |
//! | `expand` | move generation with delayed expansion |
//! | `proof_number` | proof and disproof numbers, lengths of mates |
//! | `hands` | proof and disproof hands: for which hands a result holds |
//! | `path` | repetitions (graph-history interaction) |
//! | `table` | transposition table with garbage collection |
//! | `line` | the principal variation of a mate |
//! | `one_ply` | mate in one by bitboards, mate in three |
//! | `mudaai` | futile interpositions |
//!
//! An answer is exact because of three rules. A *proof* relies only on proofs found before it, so it is never circular.
//! A *disproof* that relies on a repetition is kept for its path alone, until the position that is repeated is
//! disproved itself. And hands are compared only in the direction in which more cannot hurt.
//!
//! ```
//! use hien::mate::{Answer, MateLimits, Solver};
//! use hien::shogi::Position;
//!
//! let problem = Position::from_sfen("7k1/9/5+R3/6pl1/9/9/9/9/4K4 b RG 1")?;
//! let report = Solver::new(16).solve(&problem, MateLimits::default(), &());
//! assert!(matches!(report.answer, Answer::Mate(mate) if mate.line.len() == 3));
//! # Ok::<(), hien::shogi::SfenError>(())
//! ```

mod answer;
mod dfpn;
mod expand;
mod hands;
mod init;
mod limits;
mod line;
mod mudaai;
mod one_ply;
mod path;
mod proof_number;
mod results;
mod root_search;
mod solver;
mod table;

pub use answer::{Answer, Mate};
pub use limits::{MateLimits, MateProgress, SolverListener};
pub use mudaai::is_solved;
pub use one_ply::{mate_in_one, mate_in_one_with, mate_in_three, mate_in_three_with};
pub use root_search::RootMateSearch;
pub use solver::{MateReport, Solver};

//! Forced mates (詰み, tsumi) and mate problems (詰将棋, tsume shogi): the side to move mates by consecutive checks.
//! Knows the rules only: no scores, no evaluation, and not the search's transposition table.
//!
//! [`Solver`] answers mate problems of any length, exactly: a mate or the absence of one is proved or not claimed.
//! [`RootMateSearch`], [`mate_in_one`] and [`mate_in_three`] serve play. Inside:
//!
//! | file | about |
//! | --- | --- |
//! | `solver`, `limits`, `answer` | solve, write down, shorten; when to stop; what comes of it |
//! | `root_search` | mates beside the search of a game move |
//! | `dfpn`, `results`, `init` | the search: its course, the results of nodes, initial numbers |
//! | `expand` | the moves of a node, in groups |
//! | `proof_number` | proof numbers, lengths |
//! | `hands` | for which hands a result holds |
//! | `path` | repetitions |
//! | `table` | what is known, in bounded memory |
//! | `line` | the moves of a mate |
//! | `one_ply` | mate in one by bitboards, mate in three |
//! | `mudaai` | interpositions that do not count |
//!
//! An answer is exact because of three rules. A *proof* relies on proofs found before it only, so it never goes
//! round in circles. A *disproof* that relies on a repetition is kept for its path alone, until the position that
//! is repeated is disproved itself. And hands are compared only in the direction in which more cannot hurt.
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

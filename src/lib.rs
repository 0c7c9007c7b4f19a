//! Hien (飛燕), a shogi engine.
//!
//! The modules, lowest layer first; each uses only those listed before it:
//!
//! - [`shogi`]: the rules. Board, moves, legality, repetition, declarations, SFEN.
//! - [`score`]: values and scores, plain arithmetic.
//! - `memory`, `threads`: what large tables and many threads need of the operating system.
//! - [`eval`]: static evaluation by NNUE nets or material. Start at [`eval::Evaluator`].
//! - [`book`]: opening books. Start at [`book::Book`].
//! - [`mate`]: mate problems (詰将棋) by df-pn search. Start at [`mate::Solver`].
//! - [`search`]: alpha-beta search for the best move. Start at [`search::Searcher`].
//! - [`data`]: labelled positions in files, what nets are trained on.
//! - [`train`]: training nets. Start at [`train::Trainer`].
//! - [`selfplay`]: games of the engine against itself, for training. Start at [`selfplay::generate`].
//! - [`relabel`]: new scores for positions in files. Start at [`relabel::relabel`].
//! - [`settings`]: all user settings, and the file `engine.toml`.
//! - [`engine`]: the engine as a library, joining all of the above. Start at [`engine::Engine`].
//! - [`tools`]: the commands of the shell.
//! - [`usi`]: the USI protocol. Start at [`usi::run`].

pub mod book;
pub mod data;
pub mod engine;
pub mod eval;
pub mod mate;
mod memory;

pub mod relabel;
pub mod score;
pub mod search;
pub mod selfplay;
pub mod settings;
pub mod shogi;
mod threads;
pub mod tools;
pub mod train;
pub mod usi;

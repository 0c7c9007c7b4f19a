//! Hien (飛燕), a shogi engine.
//!
//! The modules, lowest layer first; each uses only those listed before it:
//!
//! - [`shogi`]: the rules. Board, moves, legality, repetition, declarations, SFEN.
//! - [`score`]: values and scores, plain arithmetic.
//! - `memory`, `threads`: memory for large tables, and threads, from the operating system.
//! - [`eval`]: static evaluation by NNUE nets or material. Start at [`eval::Evaluator`].
//! - [`book`]: opening books. Start at [`book::Book`].
//! - [`mate`]: mate problems (詰将棋, tsume shogi) by df-pn search, and mates in one and three. Start at [`mate::Solver`].
//! - [`search`]: alpha-beta search for the best move. Start at [`search::Searcher`].
//! - [`records`]: game records in KIF, KI2, CSA, JKF and USI. Start at [`records::read`].
//! - [`data`]: training records, labelled positions in PSV and sbinpack files.
//! - [`train`]: quantization-aware training of NNUE nets. Start at [`train::Trainer`].
//! - [`selfplay`]: games of the engine against itself, for training. Start at [`selfplay::generate`].
//! - [`relabel`]: new scores for training records. Start at [`relabel::relabel`].
//! - [`settings`]: all user settings, and the file `engine.toml`.
//! - [`engine`]: the engine as a library, joining all of the above. Start at [`engine::Engine`].
//! - [`tools`]: the commands of the shell.
//! - [`usi`]: the USI protocol. Start at [`usi::run`].
//! - [`cli`]: the program. Start at [`cli::run`].
//!
//! # As a library
//!
//! Without default features there are [`shogi`], [`score`], [`eval`], [`mate`] and [`search`], with few dependencies.
//! Features add the rest: `embedded-net` the net inside the library, `book` opening books, `engine` settings and
//! [`engine`] (which need the two before), `records` game records, `train` [`data`], [`train`], [`selfplay`] and
//! [`relabel`], and `cli`, the default, everything that the program needs.
//!
//! A position knows the rules; an engine thinks about it:
//!
//! ```
//! use hien::engine::Engine;
//! use hien::search::{BestMove, Limits};
//! use hien::shogi::Position;
//!
//! let position = Position::from_sfen("4k4/9/4P4/9/9/9/9/9/4K4 b G 1")?;
//! let mut engine = Engine::new();
//! engine.settings_mut().hash_mib = 16;
//! engine.set_position(position);
//! let best = engine.search(Limits { nodes: Some(1000), ..Limits::default() });
//! assert_eq!(best, BestMove::Move { best: "G*5b".parse()?, ponder: None });
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! The folder `examples` has small programs that play a game, evaluate a position, solve a mate problem, and search for
//! the best moves (MultiPV).

#![cfg_attr(docsrs, feature(doc_cfg))]

#[cfg(feature = "book")]
pub mod book;
#[cfg(feature = "cli")]
pub mod cli;
#[cfg(feature = "train")]
pub mod data;
#[cfg(feature = "engine")]
pub mod engine;
pub mod eval;
pub mod mate;
mod memory;
#[cfg(feature = "records")]
pub mod records;
#[cfg(feature = "train")]
pub mod relabel;
pub mod score;
pub mod search;
#[cfg(feature = "train")]
pub mod selfplay;
#[cfg(feature = "engine")]
pub mod settings;
pub mod shogi;
#[cfg_attr(
    not(feature = "cli"),
    allow(dead_code, reason = "the program shares work")
)]
mod threads;
#[cfg(feature = "cli")]
pub mod tools;
#[cfg(feature = "train")]
pub mod train;
#[cfg(feature = "cli")]
pub mod usi;

/// The code in the README, for `cargo test --doc`.
#[cfg(all(doctest, feature = "cli"))]
#[doc = include_str!("../README.md")]
mod readme {}

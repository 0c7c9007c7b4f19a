//! Hien (飛燕), a shogi engine.
//!
//! The rooms of the house, each using only those above it:
//!
//! - [`shogi`]: the rules. Board, moves, legality, repetition, declarations, SFEN.
//! - [`score`]: values and scores, plain arithmetic for all rooms below.
//! - `memory`, `threads`: what large tables and many threads need of the system.
//! - [`eval`]: a position's value.
//! - [`book`]: opening books. Start at [`book::Book`].
//! - [`mate`]: forced mates by consecutive checks. Start at [`mate::Solver`].
//! - [`search`]: what to play. Start at [`search::Searcher`].
//! - [`data`]: labelled positions in files, what nets are trained on.
//! - [`train`]: training nets. Start at [`train::Trainer`].
//! - [`selfplay`]: games of the engine against itself, for training. Start at [`selfplay::generate`].
//! - [`settings`]: what a user can set, and the file `engine.toml`.
//! - [`engine`]: the engine as a library, all of the above joined. Start at [`engine::Engine`].
//! - [`tools`]: commands for developers.
//! - [`usi`]: the protocol. Start at [`usi::run`].

pub mod book;
pub mod data;
pub mod engine;
pub mod eval;
pub mod mate;
mod memory;

pub mod score;
pub mod search;
pub mod selfplay;
pub mod settings;
pub mod shogi;
mod threads;
pub mod tools;
pub mod train;
pub mod usi;

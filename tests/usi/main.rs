//! The engine as its users meet it: the real binary, driven line by line.
//!
//! `driver` starts it and checks every line it prints, `answer` knows the forms of `info` and `bestmove`.

#[path = "../common/mod.rs"]
mod common;

mod answer;
mod boards;
mod book;
mod driver;
mod endings;
mod extras;
mod faults;
mod games;
mod handshake;
mod installation;
mod limits;
mod load;
mod mate;
mod memory;
mod options;
mod ponder;
mod positions;
mod referee;
mod scripts;
mod search;
mod soak;

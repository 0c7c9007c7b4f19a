//! The mate solver: on collected problems, against exhaustive solutions of random positions, and its mate in one
//! against trying all moves; and the engine as defender. Lines are judged by the crate `rsshogi`.

#[path = "../common/mod.rs"]
mod common;

mod collection;
mod defence;
mod exhaustive;
mod in_play;
mod one_ply;
mod positions;
mod referee;

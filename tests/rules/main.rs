//! The rules as a library, against the case collection, two independent move generators and their own laws.
//!
//! One binary for all of it, since linking is what costs time. `common::slow` and the crate `rsshogi` are the referees.

#[path = "../common/mod.rs"]
mod common;

mod collection;
mod differential;
mod laws;
mod layers;
mod mate;
mod openings;
mod positions;
mod repetition;
mod tuning;
mod walk;

//! What the test binaries share: the case collection, a reproducible source of random numbers, and a slow
//! referee of the rules that has nothing in common with the crate under test.
#![allow(dead_code, reason = "each binary uses its own part")]

pub mod cases;
pub mod folder;
pub mod random;
pub mod slow;

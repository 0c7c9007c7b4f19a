//! Game records: files that programs write, what is written and read back, and damage.

mod cases;
mod large;
mod oracle;
mod programs;
#[path = "../common/random.rs"]
mod random;
mod round_trip;
mod trees;

//! Commands beside play: counting, measuring, checking. They know the engine and what is below it, no protocol, and
//! write to whatever their caller gives them.

pub mod analyze;
pub mod bench;
pub mod book;
mod common;
pub mod data;
pub mod doctor;
pub mod gensfen;
pub mod mate;
pub mod net;
pub mod perft;
pub mod records;
pub mod relabel;
pub mod train;
pub mod validate;

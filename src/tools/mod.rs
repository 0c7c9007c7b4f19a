//! Commands beside play: counting, measuring, checking. They know the engine and what is below it, no protocol, and
//! write to whatever their caller gives them.

pub mod analyze;
pub mod bench;
pub mod book;
pub mod data;
pub mod doctor;
pub mod gensfen;
pub mod mate;
pub mod net;
pub mod perft;
mod progress;
pub mod records;
pub mod think;
pub mod train;
pub mod validate;

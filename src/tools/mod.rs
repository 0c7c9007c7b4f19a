//! Commands beside play: counting, measuring, checking. They know the engine and what is below it, no protocol, and
//! write to whatever their caller gives them.

pub mod bench;
pub mod doctor;
pub mod mate;
pub mod net;
pub mod perft;

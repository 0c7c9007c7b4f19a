//! Commands for developers: counting and measuring. They know the engine and what is below it, no protocol, and
//! write to whatever their caller gives them.

pub mod bench;
pub mod mate;
pub mod net;
pub mod perft;

//! Searching with several threads (Lazy SMP): the thread behind the interface, the pool, and the flags they share.

pub mod control;
pub mod driver;
pub mod pool;

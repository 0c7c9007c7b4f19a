//! Games of the engine against itself, and their positions as training records.
//!
//! Every game is a function of the settings and its number, and games are written in the order of their numbers:
//! the same file comes out whatever the number of threads, and whether or not the work was interrupted.
//!
//! | file | about |
//! | --- | --- |
//! | `settings` | all that decides on the games |
//! | `opening` | how games are led astray |
//! | `judge` | how games end |
//! | `player` | one game |
//! | `run`, `guard` | many games on many threads |
//! | `store`, `seen` | the file and what is needed to go on with it; positions met before |
//!
//! Knows nothing of where evaluations come from, nor of who watches.

mod guard;
mod judge;
mod opening;
mod player;
mod run;
mod seen;
mod settings;
mod store;

pub(crate) use guard::{StopAtEnd, StopIfFailed};
pub use judge::{End, Judge, Reason};
pub use opening::{Opening, random_move};
pub use player::{Game, Player};
pub use run::{Run, generate};
pub use settings::{Choice, Effort, Ends, Openings, Settings, Streak};
pub(crate) use store::fingerprint;
pub use store::{Store, StoreError, Tally};

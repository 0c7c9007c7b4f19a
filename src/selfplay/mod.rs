//! Self-play: games of the engine against itself, and their positions as training records (`gensfen` in other engines).
//!
//! Every game is a function of the settings and its number, and games are written in the order of their numbers:
//! the same file comes out whatever the number of threads, and whether or not the work was interrupted.
//!
//! | file | about |
//! | --- | --- |
//! | `settings` | everything that determines the games |
//! | `opening` | random moves early in a game |
//! | `adjudicator` | how games end |
//! | `player` | one game |
//! | `run`, `guard` | many games on many threads |
//! | `store`, `seen` | the file, resuming it, and duplicate positions |
//!
//! Does not know where evaluations come from, nor how progress is shown.

mod adjudicator;
mod guard;
mod opening;
mod player;
mod run;
mod seen;
mod settings;
mod store;

pub use adjudicator::{Adjudicator, End, Reason};
pub(crate) use guard::{StopAtEnd, StopIfFailed};
pub use opening::{Opening, random_move};
pub use player::{Game, Player};
pub use run::{Run, generate};
pub use settings::{Adjudication, Choice, Effort, Openings, Settings, Streak};
pub(crate) use store::fingerprint;
pub use store::{Store, Tally};

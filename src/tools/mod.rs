//! The commands of the shell, beside play: counting, measuring, checking, making. They know the engine and what is
//! below it, no protocol, and write to whatever their caller gives them.

pub mod analyze;
pub mod bench;
pub mod book;
mod common;
pub mod data;
pub mod doctor;
pub mod gensfen;
pub mod mate;
pub mod net;
pub mod options;
pub mod perft;
pub mod records;
pub mod relabel;
pub mod train;
pub mod validate;

use std::path::Path;

use crate::engine::Engine;
use crate::settings::Config;
use crate::settings::options::configured;

/// An engine with the settings of the configuration: of `config`, else of the usual `engine.toml`. What is wrong there
/// is logged.
pub fn configured_engine(config: Option<&Path>) -> Engine {
    let (settings, complaints) = configured(&Config::load(config));
    for complaint in complaints {
        log::warn!("{complaint}");
    }
    let mut engine = Engine::new();
    *engine.settings_mut() = settings;
    engine
}

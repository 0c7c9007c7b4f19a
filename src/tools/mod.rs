//! The commands of the shell. They know the engine and what is below it, no protocol, and write to whatever their
//! caller gives them. Public is only what tests of the crate need.

pub(crate) mod analyze;
pub mod bench;
pub(crate) mod book;
mod common;
pub(crate) mod convert;
pub(crate) mod data;
pub(crate) mod doctor;
pub mod games;
pub(crate) mod gensfen;
pub(crate) mod mate;
pub(crate) mod net;
pub(crate) mod options;
pub(crate) mod perft;
pub(crate) mod relabel;
pub(crate) mod train;
pub(crate) mod validate;

use std::path::Path;

use crate::engine::Engine;
use crate::settings::Config;
use crate::settings::options::configured;

/// An engine with the settings of the configuration: of `config`, else of the usual `engine.toml`. What is wrong there
/// is logged.
pub(crate) fn configured_engine(config: Option<&Path>) -> Engine {
    let (settings, remarks) = configured(&Config::load(config));
    for remark in remarks {
        log::warn!("{remark}");
    }
    let mut engine = Engine::new();
    *engine.settings_mut() = settings;
    engine
}

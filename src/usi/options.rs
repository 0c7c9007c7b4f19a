//! Options in USI: their declarations, `setoption`, and names that clients send to every engine.

use std::fmt::Write as _;

use crate::settings::Settings;
use crate::settings::options::{self, Button, EMPTY, Kind, Opt, OptionError, Range};

/// Why a `setoption` had no effect.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SetOptionError {
    /// No name was given.
    #[error("setoption without a name")]
    NoName,
    /// The client wants another game.
    #[error("variant {0} is not supported, this is shogi")]
    Variant(String),
    /// The option or its value is unknown.
    #[error(transparent)]
    Option(#[from] OptionError),
}

/// Names that clients send unasked and that mean nothing here.
const IGNORED: &[&str] = &[
    "USI_LimitStrength",
    "UCI_LimitStrength",
    "USI_Elo",
    "UCI_Elo",
    "USI_Strength",
    "USI_ShowCurrLine",
    "USI_ShowRefutations",
    "Eval_Dir",
    "Book_File",
    "Byoyomi_Margin",
    "Time_Margin",
];

/// Options by which some clients name the game.
const VARIANTS: &[&str] = &["USI_Variant", "UCI_Variant"];

/// The line that declares an option, with the value in `defaults` as its default.
pub fn declaration(option: &Opt, defaults: &Settings) -> String {
    let mut line = format!(
        "option name {} type {}",
        option.name,
        option.kind.type_name()
    );
    if let Some(value) = option.value(defaults) {
        let value = if value.is_empty() { EMPTY } else { &value };
        let _ = write!(line, " default {value}");
    }
    match &option.kind {
        Kind::Spin { min, max, .. } => {
            // Some clients read 32 bits.
            let max = (*max).min(i64::from(i32::MAX));
            let _ = write!(line, " min {min} max {max}");
        }
        Kind::Combo { choices, .. } => {
            for choice in choices() {
                let _ = write!(line, " var {choice}");
            }
        }
        _ => {}
    }
    line
}

/// Sets an option as a client asks: numbers are clamped, names that clients send unasked are accepted silently.
/// Returns the button that was pressed, if it was one.
///
/// # Errors
///
/// [`SetOptionError`] says what cannot be used; the settings are unchanged then.
pub fn set(
    settings: &mut Settings,
    name: &str,
    value: Option<&str>,
) -> Result<Option<Button>, SetOptionError> {
    let is_in = |names: &[&str]| names.iter().any(|known| known.eq_ignore_ascii_case(name));
    if let Some(option) = options::find(name) {
        return Ok(option.store(settings, value, Range::Clamp)?);
    }
    if name.is_empty() {
        return Err(SetOptionError::NoName);
    }
    if is_in(VARIANTS) {
        return match value.map(str::trim_ascii) {
            Some(variant) if !variant.eq_ignore_ascii_case("shogi") => {
                Err(SetOptionError::Variant(variant.to_owned()))
            }
            _ => Ok(None),
        };
    }
    if is_in(IGNORED) {
        return Ok(None);
    }
    Err(options::unknown(name).into())
}

#[cfg(test)]
mod tests;

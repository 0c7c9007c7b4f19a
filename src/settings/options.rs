//! The options, in one table: [`OPTIONS`] is where their names, kinds, ranges and help stand. From it they are declared
//! to clients, read, clamped, stored, and documented. The defaults are those of [`Settings`].

mod table;

use std::path::PathBuf;

use super::{Config, ConfigFault, Settings};

pub use table::OPTIONS;

use table::ALIASES;

/// One option.
pub struct Opt {
    /// The name as declared; compared without regard to case.
    pub name: &'static str,
    /// One sentence for users, in Markdown.
    pub help: &'static str,
    /// The same in Japanese.
    pub help_ja: &'static str,
    /// Its type, range and place in the settings.
    pub kind: Kind,
}

/// What values an option has and where they are kept.
pub enum Kind {
    /// True or false.
    Check {
        /// Reads it.
        get: fn(&Settings) -> bool,
        /// Stores it.
        set: fn(&mut Settings, bool),
    },
    /// A number.
    Spin {
        /// The least value.
        min: i64,
        /// The greatest value.
        max: i64,
        /// Reads it.
        get: fn(&Settings) -> i64,
        /// Stores it, after the range was checked.
        set: fn(&mut Settings, i64),
    },
    /// One of several words.
    Combo {
        /// All words there are.
        words: fn() -> Vec<&'static str>,
        /// Those that this machine offers.
        choices: fn() -> Vec<&'static str>,
        /// Reads it.
        get: fn(&Settings) -> &'static str,
        /// Stores it, after it was found among the choices.
        set: fn(&mut Settings, &str),
    },
    /// Any text.
    Text {
        /// Whether it names a file.
        is_file: bool,
        /// Reads it.
        get: fn(&Settings) -> &str,
        /// Stores it.
        set: fn(&mut Settings, &str),
    },
    /// No value, but something to be done.
    Button(Button),
}

/// What pressing a button asks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Button {
    /// Forget everything searched so far.
    ClearHash,
}

/// Why an option was not set.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum OptionError {
    /// There is no such option; there may be one with a similar name.
    #[error("unknown option: {name}{}", similar.map(|name| format!("; did you mean {name}?")).unwrap_or_default())]
    Unknown {
        /// The name as given.
        name: String,
        /// An option whose name is much like it.
        similar: Option<&'static str>,
    },
    /// A value that cannot be read.
    #[error("option {name}: '{got}' is not {expected}")]
    Value {
        /// The option.
        name: &'static str,
        /// The value as given.
        got: String,
        /// What values there are.
        expected: String,
    },
}

/// How similar a name must be to that of an option (1 = equal) to count as a misspelling. Misspellings measured above
/// this, other names below.
const ALIKE: f64 = 0.88;

/// Longer names are no misspellings, and would take long to compare.
const MAX_SLIP: usize = 64;

/// How an empty text is written.
pub const EMPTY: &str = "<empty>";

/// What to do with numbers outside an option's range.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Range {
    /// They are taken as the nearest value in it.
    Clamp,
    /// They are errors.
    Refuse,
}

impl Opt {
    /// The value in `settings` as text; `None` for a button.
    pub fn value(&self, settings: &Settings) -> Option<String> {
        match &self.kind {
            Kind::Check { get, .. } => Some(get(settings).to_string()),
            Kind::Spin { get, .. } => Some(get(settings).to_string()),
            Kind::Combo { get, .. } => Some(get(settings).to_owned()),
            Kind::Text { get, .. } => Some(get(settings).to_owned()),
            Kind::Button(_) => None,
        }
    }

    /// Stores a value given as text; returns the button if the option is one. Without a value texts become empty, and
    /// other options stay as they are.
    ///
    /// # Errors
    ///
    /// [`OptionError::Value`]; the settings are unchanged then.
    pub fn store(
        &self,
        settings: &mut Settings,
        value: Option<&str>,
        range: Range,
    ) -> Result<Option<Button>, OptionError> {
        let text = value.unwrap_or_default().trim_ascii();
        match &self.kind {
            Kind::Button(button) => return Ok(Some(*button)),
            Kind::Text { set, .. } => set(settings, clean_text(text)),
            // Without a value there is nothing to store.
            _ if text.is_empty() => {}
            Kind::Check { set, .. } => match parse_bool(text) {
                Some(value) => set(settings, value),
                None => return Err(self.refuse(text, "true or false".to_owned())),
            },
            Kind::Spin { min, max, set, .. } => {
                match parse_number(text)
                    .filter(|number| range == Range::Clamp || (min..=max).contains(&number))
                {
                    Some(number) => set(settings, number.clamp(*min, *max)),
                    None => return Err(self.refuse(text, format!("a number from {min} to {max}"))),
                }
            }
            Kind::Combo { choices, set, .. } => {
                match choices()
                    .iter()
                    .find(|choice| choice.eq_ignore_ascii_case(text))
                {
                    Some(choice) => set(settings, choice),
                    None => {
                        return Err(self.refuse(text, format!("one of {}", choices().join(" "))));
                    }
                }
            }
        }
        Ok(None)
    }

    fn refuse(&self, got: &str, expected: String) -> OptionError {
        OptionError::Value {
            name: self.name,
            got: got.to_owned(),
            expected,
        }
    }
}

impl Kind {
    /// The name of the type in USI.
    pub fn type_name(&self) -> &'static str {
        match self {
            Self::Check { .. } => "check",
            Self::Spin { .. } => "spin",
            Self::Combo { .. } => "combo",
            Self::Text { is_file: true, .. } => "filename",
            Self::Text { is_file: false, .. } => "string",
            Self::Button(_) => "button",
        }
    }
}

/// The option of this name, or of one that clients use for it, in any case.
pub fn find(name: &str) -> Option<&'static Opt> {
    let name = ALIASES
        .iter()
        .find(|(alias, _)| alias.eq_ignore_ascii_case(name))
        .map_or(name, |(_, name)| name);
    OPTIONS
        .iter()
        .find(|option| option.name.eq_ignore_ascii_case(name))
}

/// The error for a name that no option has.
pub fn unknown(name: &str) -> OptionError {
    let word = name.to_ascii_lowercase();
    let likeness = |option: &Opt| strsim::jaro_winkler(&option.name.to_ascii_lowercase(), &word);
    let nearest = OPTIONS
        .iter()
        .filter(|_| name.len() <= MAX_SLIP)
        .map(|option| (likeness(option), option.name))
        .filter(|(likeness, _)| *likeness >= ALIKE)
        .max_by(|(a, _), (b, _)| a.total_cmp(b));
    OptionError::Unknown {
        name: name.to_owned(),
        similar: nearest.map(|(_, name)| name),
    }
}

/// Something in a configuration file that cannot be used.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{}: {fault}", source_file.display())]
pub struct ConfigRemark {
    /// The file.
    pub source_file: PathBuf,
    /// What is wrong with it.
    pub fault: SettingFault,
}

/// What cannot be used of a configuration file.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SettingFault {
    /// The file, or an entry in it.
    #[error(transparent)]
    Config(#[from] ConfigFault),
    /// An option.
    #[error(transparent)]
    Option(#[from] OptionError),
}

/// The settings that a configuration file makes the defaults, and remarks for the user on what is wrong with it.
pub fn configured(config: &Config) -> (Settings, Vec<ConfigRemark>) {
    let mut settings = Settings::default();
    let errors = apply_config(&mut settings, config);
    let faults = config.faults.iter().cloned().map(SettingFault::from);
    let faults = faults.chain(errors.into_iter().map(SettingFault::from));
    let remark = |fault| ConfigRemark {
        source_file: config.source.clone(),
        fault,
    };
    let remarks = faults.map(remark).collect();
    (settings, remarks)
}

/// Names and values of the options that differ from the engine's own defaults.
pub fn changed(settings: &Settings) -> Vec<(&'static str, String)> {
    let defaults = Settings::default();
    let is_changed = |option: &&Opt| option.value(settings) != option.value(&defaults);
    let pair = |option: &Opt| Some((option.name, option.value(settings)?));
    OPTIONS.iter().filter(is_changed).filter_map(pair).collect()
}

/// Stores the options of a configuration file; returns what is wrong with them.
pub fn apply_config(settings: &mut Settings, config: &Config) -> Vec<OptionError> {
    let apply = |(name, value): &(String, String)| match find(name) {
        Some(option) => option.store(settings, Some(value), Range::Refuse).err(),
        None => Some(unknown(name)),
    };
    config.options.iter().filter_map(apply).collect()
}

/// Reads a number the way clients write them: an optional sign, digits, perhaps decimals (dropped). Saturates.
pub fn parse_number(text: &str) -> Option<i64> {
    let negative = text.starts_with('-');
    let digits = text.strip_prefix(['-', '+']).unwrap_or(text);
    let (whole, decimals) = digits.split_once('.').unwrap_or((digits, ""));
    let all_digits = |part: &str| part.bytes().all(|byte| byte.is_ascii_digit());
    if whole.is_empty() || !all_digits(whole) || !all_digits(decimals) {
        return None;
    }
    let magnitude = whole.bytes().fold(0i64, |number, byte| {
        number
            .saturating_mul(10)
            .saturating_add(i64::from(byte - b'0'))
    });
    Some(if negative { -magnitude } else { magnitude })
}

fn parse_bool(text: &str) -> Option<bool> {
    let is_one_of = |words: [&str; 4]| words.iter().any(|word| word.eq_ignore_ascii_case(text));
    if is_one_of(["true", "1", "on", "yes"]) {
        Some(true)
    } else if is_one_of(["false", "0", "off", "no"]) {
        Some(false)
    } else {
        None
    }
}

/// Without one pair of surrounding quotes; `<empty>` is the empty text.
fn clean_text(text: &str) -> &str {
    let unquoted = text
        .strip_prefix('"')
        .and_then(|text| text.strip_suffix('"'));
    match unquoted.unwrap_or(text) {
        EMPTY => "",
        text => text,
    }
}

#[cfg(test)]
mod tests;

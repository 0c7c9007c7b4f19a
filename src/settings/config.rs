//! The file `engine.toml`, which may change the defaults of options for an installation.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use super::paths::places;

/// The name of the configuration file.
const CONFIG_NAME: &str = "engine.toml";

/// A larger file is no configuration.
const MAX_CONFIG_BYTES: u64 = 1 << 20;

/// Some clients have no room for more.
const MAX_NAME_BYTES: usize = 50;

/// What an `engine.toml` says, still as text.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Config {
    /// Where it was found; empty if nowhere.
    pub source: PathBuf,
    /// The engine's name as shown to users.
    pub name: Option<String>,
    /// The author as shown to users.
    pub author: Option<String>,
    /// Option names and values, in the order of the file.
    pub options: Vec<(String, String)>,
    /// What could not be used and why.
    pub faults: Vec<ConfigFault>,
}

/// Why a configuration, or something in it, cannot be used.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ConfigFault {
    /// The system gives no such file, for the reason stated.
    #[error("cannot be read: {0}")]
    Unreadable(String),
    /// The text is no TOML.
    #[error("not valid TOML, ignored: {0}")]
    Syntax(String),
    /// An entry has a value of the wrong type, or does not belong there.
    #[error("'{key}' {what}")]
    Entry {
        /// The name of the entry.
        key: String,
        /// What is wrong with it.
        what: EntryFault,
    },
}

/// What is wrong with an entry of a configuration.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum EntryFault {
    /// A name that some clients could not show.
    #[error("is no short plain text")]
    Name,
    /// The options are a table.
    #[error("is no table")]
    Table,
    /// There is no such entry.
    #[error("is unknown; options belong below [options]")]
    Unknown,
    /// Options have simple values.
    #[error("is neither text, number nor truth value")]
    Value,
}

impl Config {
    /// Reads `file` if given, else the `engine.toml` beside the executable, else the one in the working
    /// directory, else nothing. Never fails: see [`Config::faults`].
    pub fn load(file: Option<&Path>) -> Self {
        let Some(path) = file.map(Path::to_owned).or_else(find_config) else {
            return Self::default();
        };
        let config = match read_limited(&path) {
            Ok(text) => Self::parse(&text),
            Err(error) => Self::failed(ConfigFault::Unreadable(error.to_string())),
        };
        Self {
            source: path,
            ..config
        }
    }

    /// Where it was found, if anywhere.
    pub fn path(&self) -> Option<PathBuf> {
        Some(self.source.clone()).filter(|source| !source.as_os_str().is_empty())
    }

    /// Reads the text of a configuration. Top-level `name` and `author` are short plain texts; a table `options` holds
    /// texts, numbers and truth values by option name.
    pub fn parse(text: &str) -> Self {
        let table: toml::Table = match text.parse() {
            Ok(table) => table,
            Err(error) => {
                return Self::failed(ConfigFault::Syntax(first_line(&error)));
            }
        };
        let mut config = Self::default();
        for (key, value) in table {
            match (key.as_str(), value) {
                ("name", toml::Value::String(text)) if is_plain(&text) => config.name = Some(text),
                ("author", toml::Value::String(text)) if is_plain(&text) => {
                    config.author = Some(text);
                }
                ("name" | "author", _) => config.blame(key, EntryFault::Name),
                ("options", toml::Value::Table(options)) => config.read_options(options),
                ("options", _) => config.blame(key, EntryFault::Table),
                _ => config.blame(key, EntryFault::Unknown),
            }
        }
        config
    }

    fn read_options(&mut self, options: toml::Table) {
        for (name, value) in options {
            match value {
                toml::Value::String(text) => self.options.push((name, text)),
                toml::Value::Integer(_) | toml::Value::Float(_) | toml::Value::Boolean(_) => {
                    self.options.push((name, value.to_string()));
                }
                _ => self.blame(name, EntryFault::Value),
            }
        }
    }

    fn blame(&mut self, key: String, what: EntryFault) {
        self.faults.push(ConfigFault::Entry { key, what });
    }

    fn failed(fault: ConfigFault) -> Self {
        Self {
            faults: vec![fault],
            ..Self::default()
        }
    }
}

fn find_config() -> Option<PathBuf> {
    places(CONFIG_NAME).into_iter().find(|path| path.is_file())
}

fn read_limited(path: &Path) -> io::Result<String> {
    let meta = fs::metadata(path)?;
    if !meta.is_file() || meta.len() > MAX_CONFIG_BYTES {
        return Err(io::Error::other("not a small text file"));
    }
    fs::read_to_string(path)
}

/// Whether clients can show a text: ASCII, words separated by single blanks, not too long.
fn is_plain(text: &str) -> bool {
    let is_word = |word: &str| !word.is_empty() && word.bytes().all(|byte| byte.is_ascii_graphic());
    text.len() <= MAX_NAME_BYTES && text.split(' ').all(is_word)
}

/// TOML errors draw the place over several lines; the message itself is one.
fn first_line(error: &toml::de::Error) -> String {
    let place = error
        .span()
        .map_or(String::new(), |span| format!(" (at byte {})", span.start));
    error
        .message()
        .lines()
        .next()
        .unwrap_or_default()
        .to_owned()
        + &place
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_and_options_are_read() {
        let config = Config::parse(
            "name = 'Swallow'\n[options]\nUSI_Hash = 64\nUSI_Ponder = true\nEvalFile = 'a b'",
        );
        assert_eq!(config.name.as_deref(), Some("Swallow"));
        assert_eq!(config.author, None);
        let options = [
            ("USI_Hash", "64"),
            ("USI_Ponder", "true"),
            ("EvalFile", "a b"),
        ];
        let mut found = config.options.clone();
        found.sort_by_key(|(name, _)| options.iter().position(|(option, _)| option == name));
        assert_eq!(
            found,
            options.map(|(name, value)| (name.to_owned(), value.to_owned()))
        );
        assert!(config.faults.is_empty());
    }

    #[test]
    fn what_is_wrong_is_reported_and_left_out() {
        let config = Config::parse("name = 5\nfoo = 1\nUSI_Hash = 3\n[options]\nThreads = [1]");
        assert_eq!(config.name, None);
        assert!(config.options.is_empty());
        let mut faults: Vec<_> = config.faults.iter().map(ConfigFault::to_string).collect();
        faults.sort();
        assert_eq!(
            faults,
            [
                "'Threads' is neither text, number nor truth value",
                "'USI_Hash' is unknown; options belong below [options]",
                "'foo' is unknown; options belong below [options]",
                "'name' is no short plain text",
            ]
        );
        assert_eq!(Config::parse("options = 1").faults.len(), 1);
        for name in ["caf\u{e9}", "", " x", "a  b", "a\tb", &"x".repeat(51)] {
            let config = Config::parse(&format!("name = \"{name}\""));
            assert_eq!((config.name, config.faults.len()), (None, 1), "{name}");
        }
    }

    #[test]
    fn a_broken_file_is_one_complaint() {
        let config = Config::parse("name = \n[[");
        let [fault @ ConfigFault::Syntax(_)] = &config.faults[..] else {
            panic!("{:?}", config.faults);
        };
        assert!(!fault.to_string().contains('\n'));
        let config = Config::load(Some(Path::new("/no/such/engine.toml")));
        assert!(matches!(config.faults[..], [ConfigFault::Unreadable(_)]));
        assert_eq!(config.source, Path::new("/no/such/engine.toml"));
    }
}

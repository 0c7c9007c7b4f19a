//! `options`: the table of options as documentation, or as an `engine.toml`. The tables in `docs` and the sample file
//! in the repository are what this command writes.

use std::io::{self, Write};

use crate::settings::Settings;
use crate::settings::options::{EMPTY, Kind, OPTIONS, Opt};

/// The arguments of `hien options`.
#[derive(clap::Args, Clone, Debug)]
pub struct Arguments {
    #[command(flatten)]
    format: Format,
    /// Write the Markdown table in Japanese: | オプション | 種類 | 初期値 | 意味 |
    #[arg(long, requires = "markdown")]
    ja: bool,
}

#[derive(clap::Args, Clone, Copy, Debug)]
#[group(required = true, multiple = false)]
struct Format {
    /// A Markdown table, a line for each option: | name | type | default | meaning |
    #[arg(long)]
    markdown: bool,
    /// A sample engine.toml: every option commented out, with its help and its default
    #[arg(long)]
    toml: bool,
}

/// The language of the Markdown table.
#[derive(Clone, Copy)]
enum Language {
    English,
    Japanese,
}

impl Arguments {
    /// Writes what was asked for.
    ///
    /// # Errors
    ///
    /// Those of `out`.
    pub fn run(&self, out: &mut dyn Write) -> io::Result<()> {
        match (self.format.toml, self.ja) {
            (true, _) => write_toml(out),
            (false, true) => write_markdown(Language::Japanese, out),
            (false, false) => write_markdown(Language::English, out),
        }
    }
}

fn write_markdown(language: Language, out: &mut dyn Write) -> io::Result<()> {
    writeln!(
        out,
        "{}",
        match language {
            Language::English => "| name | type | default | meaning |",
            Language::Japanese => "| オプション | 種類 | 初期値 | 意味 |",
        }
    )?;
    writeln!(out, "| --- | --- | --- | --- |")?;
    let defaults = Settings::default();
    for option in OPTIONS {
        let default = match option.value(&defaults) {
            None => "-".to_owned(),
            Some(value) if value.is_empty() => format!("`{EMPTY}`"),
            Some(value) => format!("`{value}`"),
        };
        writeln!(
            out,
            "| `{}` | {} | {default} | {} |",
            option.name,
            option.kind.type_name(),
            meaning(option, language),
        )?;
    }
    Ok(())
}

/// The help, then the values that the option can have.
fn meaning(option: &Opt, language: Language) -> String {
    match (language, &option.kind) {
        (Language::English, Kind::Spin { min, max, .. }) => {
            format!("{} {min} to {max}.", option.help)
        }
        (Language::English, Kind::Combo { words, .. }) => {
            format!("{} One of {}.", option.help, words().join(", "))
        }
        (Language::English, _) => option.help.to_owned(),
        (Language::Japanese, Kind::Spin { min, max, .. }) => {
            format!("{}。{min} 〜 {max}", option.help_ja)
        }
        (Language::Japanese, Kind::Combo { words, .. }) => {
            format!("{}。{} のどれか", option.help_ja, words().join("、"))
        }
        (Language::Japanese, _) => option.help_ja.to_owned(),
    }
}

/// What the sample file says before the options.
const TOML_HEAD: &str = r#"# Settings of this installation of Hien.
#
# The engine works without this file. It looks for it beside the program, then in the working directory, or where
# --config says. Remove the '#' before a line to change a default; GUIs show the new default and may still override it.
# Whatever is wrong here is reported once by the engine ("info string ...") and ignored.

# The engine's name and author as GUIs show them (plain ASCII, at most 50 characters).
#name = "Hien"
#author = "the Hien developers"

# Every option of the engine can stand below this line, under its USI name.
[options]
"#;

fn write_toml(out: &mut dyn Write) -> io::Result<()> {
    write!(out, "{TOML_HEAD}")?;
    let defaults = Settings::default();
    for option in OPTIONS {
        let Some(value) = option.value(&defaults) else {
            continue;
        };
        let value = match option.kind {
            Kind::Text { .. } | Kind::Combo { .. } => toml::Value::String(value).to_string(),
            _ => value,
        };
        let help = option.help.replace('`', "");
        write!(out, "\n# {help}\n#{} = {value}\n", option.name)?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::settings::Config;
    use crate::settings::options::configured;

    fn written(write: impl Fn(&mut dyn Write) -> io::Result<()>) -> String {
        let mut out = Vec::new();
        write(&mut out).unwrap();
        String::from_utf8(out).unwrap()
    }

    #[test]
    fn the_sample_configuration_is_up_to_date_and_changes_nothing() {
        let sample = include_str!("../../engine.toml");
        assert_eq!(
            sample,
            written(|out| write_toml(out)),
            "hien options --toml"
        );
        assert_eq!(Config::parse(sample), Config::default());
    }

    #[test]
    fn the_settings_in_the_sample_configuration_are_the_defaults() {
        let uncommented: String = written(|out| write_toml(out))
            .lines()
            .map(|line| match line.strip_prefix('#') {
                Some(setting) if setting.contains(" = ") && !setting.starts_with(' ') => {
                    format!("{setting}\n")
                }
                _ => format!("{line}\n"),
            })
            .collect();
        let config = Config::parse(&uncommented);
        assert!(config.name.is_some() && config.author.is_some());
        assert_eq!(configured(&config), (Settings::default(), Vec::new()));
    }

    #[test]
    fn the_documented_options_are_up_to_date() {
        for (page, language) in [
            (include_str!("../../docs/options.md"), Language::English),
            (include_str!("../../docs/ja/options.md"), Language::Japanese),
        ] {
            let table = written(|out| write_markdown(language, out));
            let first = table.lines().next().unwrap();
            let start = page
                .find(first)
                .unwrap_or_else(|| panic!("no table {first}"));
            for (found, expected) in page[start..].lines().zip(table.lines()) {
                assert_eq!(found, expected, "hien options --markdown [--ja]");
            }
            assert!(
                page.contains(&format!("{table}\n")),
                "rows that are no options"
            );
        }
    }
}

//! The options of the protocol, in one table: [`OPTIONS`] is where their names, kinds, ranges and help stand, and
//! from it they are declared, read, clamped and stored. The defaults are those of [`Settings`].

use std::fmt::Write as _;

use crate::eval::simd;
use crate::settings::{AUTO, Config, Settings};
use crate::shogi::EnteringKingRule;

use super::command::parse_number;

/// One option.
pub struct Opt {
    /// The name as declared; compared without regard to case.
    pub name: &'static str,
    /// One sentence for users.
    pub help: &'static str,
    kind: Kind,
}

/// What values an option has and where they are kept.
enum Kind {
    Check {
        get: fn(&Settings) -> bool,
        set: fn(&mut Settings, bool),
    },
    Spin {
        min: i64,
        max: i64,
        get: fn(&Settings) -> i64,
        set: fn(&mut Settings, i64),
    },
    Combo {
        choices: fn() -> Vec<&'static str>,
        get: fn(&Settings) -> &'static str,
        set: fn(&mut Settings, &str),
    },
    Text {
        is_file: bool,
        get: fn(&Settings) -> &str,
        set: fn(&mut Settings, &str),
    },
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
    /// No name was given.
    #[error("setoption without a name")]
    NoName,
    /// There is no such option; perhaps one with a similar name.
    #[error("unknown option: {0}{suggestion}", suggestion = .1.map(|name| format!("; did you mean {name}?")).unwrap_or_default())]
    Unknown(String, Option<&'static str>),
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
    /// The client wants another game.
    #[error("variant {0} is not supported, this is shogi")]
    Variant(String),
}

macro_rules! check {
    ($name:literal, $($field:ident).+, $help:literal) => {
        Opt { name: $name, help: $help, kind: Kind::Check {
            get: |settings| settings.$($field).+,
            set: |settings, value| settings.$($field).+ = value,
        } }
    };
}

macro_rules! spin {
    ($name:literal, $($field:ident).+, $min:literal, $max:literal, $help:literal) => {
        Opt { name: $name, help: $help, kind: Kind::Spin {
            min: $min,
            max: $max,
            get: |settings| settings.$($field).+ as i64,
            // The range fits the field's type.
            set: |settings, value| settings.$($field).+ = value as _,
        } }
    };
}

macro_rules! text {
    ($name:literal, $($field:ident).+, $is_file:literal, $help:literal) => {
        Opt {
            name: $name,
            help: $help,
            kind: Kind::Text {
                is_file: $is_file,
                get: |settings| &settings.$($field).+,
                set: |settings, value| settings.$($field).+ = value.to_owned(),
            },
        }
    };
}

/// All options, in the order in which they are declared.
pub static OPTIONS: &[Opt] = &[
    spin!(
        "USI_Hash",
        hash_mib,
        1,
        1048576,
        "Hash table size in MiB; allocated at isready."
    ),
    spin!("Threads", threads, 1, 1024, "Search threads."),
    check!(
        "USI_Ponder",
        search.ponder,
        "The GUI lets the engine think on the opponent's time."
    ),
    check!(
        "Stochastic_Ponder",
        search.stochastic_ponder,
        "Ponder from before the predicted move, so that every reply profits."
    ),
    spin!(
        "MultiPV",
        search.multi_pv,
        1,
        600,
        "Lines to search and show; the best one is played."
    ),
    spin!(
        "SkillLevel",
        search.skill_level,
        0,
        20,
        "Playing strength: 0 errs like a beginner, 20 is the best."
    ),
    text!(
        "EvalFile",
        eval_file,
        true,
        "Evaluation file, or <internal>, or material."
    ),
    text!(
        "EvalDir",
        eval_dir,
        false,
        "Folder with an evaluation file nn.bin, used where EvalFile is <internal>."
    ),
    spin!(
        "FV_SCALE",
        fv_scale,
        0,
        128,
        "Units of a net's raw output per eval unit; 0 = as the net's files say."
    ),
    text!(
        "LayerStackRule",
        layer_stack_rule,
        false,
        "How nets choose a layer stack (k3k3, hand16_k3k3_progress4 ..); auto = as the file says."
    ),
    Opt {
        name: "CPU",
        help: "Instructions used to evaluate nets; auto = the fastest.",
        kind: Kind::Combo {
            choices: || {
                let paths = simd::CpuPath::available().map(simd::CpuPath::name);
                [AUTO].into_iter().chain(paths).collect()
            },
            get: |settings| settings.cpu.map_or(AUTO, simd::CpuPath::name),
            set: |settings, value| settings.cpu = value.parse().ok(),
        },
    },
    check!("USI_OwnBook", book.own_book, "Play from the opening book."),
    text!(
        "BookFile",
        book.file,
        true,
        "Opening book (.db, .ybb or .sbk), <internal>, or no_book."
    ),
    text!(
        "BookDir",
        book.dir,
        false,
        "Folder of the book, beside the program or in the working directory."
    ),
    check!(
        "BookOnTheFly",
        book.on_the_fly,
        "Look positions up in the file instead of loading it; done for large files anyway."
    ),
    check!(
        "IgnoreBookPly",
        book.ignore_ply,
        "Find positions whatever their move number."
    ),
    check!(
        "FlippedBook",
        book.flipped,
        "Find positions also with the board turned round."
    ),
    spin!(
        "BookIgnoreRate",
        book.ignore_rate,
        0,
        100,
        "Percentage of moves at which the book is skipped at random."
    ),
    spin!(
        "BookMoves",
        book.moves,
        0,
        10000,
        "Use the book up to this move number."
    ),
    check!(
        "NarrowBook",
        book.narrow,
        "Leave out book moves played in less than a tenth of the games."
    ),
    spin!(
        "BookDepthLimit",
        book.depth_limit,
        0,
        99999,
        "Use an entry only if its best move was searched to this depth."
    ),
    spin!(
        "BookEvalDiff",
        book.eval_diff,
        0,
        99999,
        "Centipawns by which a book move may be worse than the best."
    ),
    spin!(
        "BookEvalBlackLimit",
        book.eval_black_limit,
        -99999,
        99999,
        "Least score in centipawns of a book move for Black."
    ),
    spin!(
        "BookEvalWhiteLimit",
        book.eval_white_limit,
        -99999,
        99999,
        "Least score in centipawns of a book move for White."
    ),
    check!(
        "ConsiderBookMoveCount",
        book.consider_count,
        "Choose book moves by how often they were played, not evenly."
    ),
    spin!(
        "BookPvMoves",
        book.pv_moves,
        1,
        64,
        "Length of the lines shown for book moves."
    ),
    spin!(
        "NetworkDelay",
        search.lag_ms,
        0,
        10000,
        "Expected lag in ms, taken off planned thinking times."
    ),
    spin!(
        "NetworkDelay2",
        search.max_lag_ms,
        0,
        10000,
        "Worst lag in ms, taken off the last possible time (at most half of it)."
    ),
    spin!(
        "MinimumThinkingTime",
        search.min_think_ms,
        0,
        100000,
        "Least thinking time in ms, where all clock values are whole seconds and leave that much time."
    ),
    spin!(
        "SlowMover",
        search.slow_mover,
        1,
        1000,
        "Percentage of the planned time that is used."
    ),
    check!(
        "RoundUpToFullSecond",
        search.use_full_seconds,
        "Use up a second that has begun, where all clock values are whole seconds."
    ),
    spin!(
        "MaxMovesToDraw",
        search.max_moves_to_draw,
        0,
        100000,
        "Positions beyond this move number are a draw; 0 = no limit."
    ),
    spin!(
        "DrawValueBlack",
        search.draw_value_black,
        -30000,
        30000,
        "Centipawns a draw is worth to the engine as Black."
    ),
    spin!(
        "DrawValueWhite",
        search.draw_value_white,
        -30000,
        30000,
        "Centipawns a draw is worth to the engine as White."
    ),
    Opt {
        name: "EnteringKingRule",
        help: "The rule for declaring a win; must be the one the GUI plays by.",
        kind: Kind::Combo {
            choices: || EnteringKingRule::ALL.map(EnteringKingRule::name).to_vec(),
            get: |settings| settings.search.entering_king_rule.name(),
            set: |settings, value| {
                if let Ok(rule) = value.parse() {
                    settings.search.entering_king_rule = rule;
                }
            },
        },
    },
    spin!(
        "ResignValue",
        search.resign_value,
        0,
        99999,
        "Resign when this many centipawns behind on two moves in a row; 99999 = never."
    ),
    spin!(
        "DepthLimit",
        depth_limit,
        0,
        2147483647,
        "Depth that no search exceeds; 0 = no limit."
    ),
    spin!(
        "NodesLimit",
        nodes_limit,
        0,
        9223372036854775807,
        "Nodes that no search exceeds; 0 = no limit."
    ),
    spin!(
        "PvInterval",
        search.report_interval_ms,
        0,
        100000,
        "Least time in ms between two reports during a game."
    ),
    check!(
        "ConsiderationMode",
        search.analysis,
        "Analysis: report everything."
    ),
    check!(
        "OutputFailLHPV",
        search.report_bounds,
        "Also report scores that are only bounds."
    ),
    check!(
        "GenerateAllLegalMoves",
        search.all_promotions,
        "Also search moves that decline a promotion without need."
    ),
    check!(
        "IgnoreGameHistory",
        ignore_history,
        "Analysis: what was played before the position does not influence its score (no repetition with it)."
    ),
    text!(
        "DebugLogFile",
        debug_log_file,
        false,
        "File to which the protocol is logged."
    ),
    Opt {
        name: "ClearHash",
        help: "Forget everything searched so far.",
        kind: Kind::Button(Button::ClearHash),
    },
];

/// Other names that clients use for an option.
const ALIASES: &[(&str, &str)] = &[
    ("Hash", "USI_Hash"),
    ("Ponder", "USI_Ponder"),
    ("USI_MultiPV", "MultiPV"),
    ("NumberOfThreads", "Threads"),
    ("USI_Threads", "Threads"),
    ("Clear Hash", "ClearHash"),
    ("Clear_Hash", "ClearHash"),
    ("USI_AnalyseMode", "ConsiderationMode"),
    ("UCI_AnalyseMode", "ConsiderationMode"),
    ("OwnBook", "USI_OwnBook"),
    ("Book_Enable", "USI_OwnBook"),
    ("Skill Level", "SkillLevel"),
    ("USI_SkillLevel", "SkillLevel"),
    ("Slow_Mover", "SlowMover"),
    ("PV_Interval", "PvInterval"),
    ("Draw_Ply", "MaxMovesToDraw"),
];

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

/// How much a name must be like that of an option (1 = equal) to be a slip of it; between those of slips and of other names.
const ALIKE: f64 = 0.88;

/// Longer names are no slips, and would take long to compare.
const MAX_SLIP: usize = 64;

/// How an empty text is written.
const EMPTY: &str = "<empty>";

/// Whether numbers beyond an option's range are taken as its end or refused.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Range {
    Clamp,
    Refuse,
}

impl Opt {
    /// The line that declares this option, with the value in `defaults` as its default.
    pub fn declaration(&self, defaults: &Settings) -> String {
        let mut line = format!("option name {} type {}", self.name, self.kind.type_name());
        if let Some(value) = self.value(defaults) {
            let value = if value.is_empty() { EMPTY } else { &value };
            let _ = write!(line, " default {value}");
        }
        match &self.kind {
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

    /// Stores a value, or says which button was pressed.
    fn apply(
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
    fn type_name(&self) -> &'static str {
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

/// The option of this name or alias.
pub fn find(name: &str) -> Option<&'static Opt> {
    let name = ALIASES
        .iter()
        .find(|(alias, _)| alias.eq_ignore_ascii_case(name))
        .map_or(name, |(_, name)| name);
    OPTIONS
        .iter()
        .find(|option| option.name.eq_ignore_ascii_case(name))
}

/// Sets an option as a client asks: numbers are clamped, names that clients send unasked are accepted silently.
/// Returns the button that was pressed, if it was one.
///
/// # Errors
///
/// [`OptionError`] says what cannot be used; the settings are unchanged then.
pub fn set(
    settings: &mut Settings,
    name: &str,
    value: Option<&str>,
) -> Result<Option<Button>, OptionError> {
    let is_in = |names: &[&str]| names.iter().any(|known| known.eq_ignore_ascii_case(name));
    if let Some(option) = find(name) {
        return option.apply(settings, value, Range::Clamp);
    }
    if name.is_empty() {
        return Err(OptionError::NoName);
    }
    if is_in(VARIANTS) {
        return match value.map(str::trim_ascii) {
            Some(variant) if !variant.eq_ignore_ascii_case("shogi") => {
                Err(OptionError::Variant(variant.to_owned()))
            }
            _ => Ok(None),
        };
    }
    if is_in(IGNORED) {
        return Ok(None);
    }
    Err(unknown(name))
}

/// The error for a name that no option has.
fn unknown(name: &str) -> OptionError {
    let word = name.to_ascii_lowercase();
    let likeness = |option: &Opt| strsim::jaro_winkler(&option.name.to_ascii_lowercase(), &word);
    let nearest = OPTIONS
        .iter()
        .filter(|_| name.len() <= MAX_SLIP)
        .map(|option| (likeness(option), option.name))
        .filter(|(likeness, _)| *likeness >= ALIKE)
        .max_by(|(a, _), (b, _)| a.total_cmp(b));
    OptionError::Unknown(name.to_owned(), nearest.map(|(_, name)| name))
}

/// The settings that a configuration file makes the defaults, and remarks for people on what is wrong with it.
pub fn configured(config: &Config) -> (Settings, Vec<String>) {
    let mut settings = Settings::default();
    let errors = apply_config(&mut settings, config);
    let errors = errors.iter().map(ToString::to_string);
    let source = config.source.display();
    let notes = config.complaints.iter().cloned().chain(errors);
    let notes = notes.map(|note| format!("{source}: {note}")).collect();
    (settings, notes)
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
        Some(option) => option.apply(settings, Some(value), Range::Refuse).err(),
        None => Some(unknown(name)),
    };
    config.options.iter().filter_map(apply).collect()
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

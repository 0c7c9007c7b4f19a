//! The options, in one table: [`OPTIONS`] is where their names, kinds, ranges and help stand. From it they are declared
//! to clients, read, clamped, stored, and documented. The defaults are those of [`Settings`].

use std::path::PathBuf;

use super::{AUTO, Config, ConfigFault, Settings};
use crate::eval::simd;
use crate::shogi::EnteringKingRule;

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
    /// There is no such option; perhaps one with a similar name.
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

macro_rules! check {
    ($name:literal, $($field:ident).+, $help:literal, $help_ja:literal) => {
        Opt { name: $name, help: $help, help_ja: $help_ja, kind: Kind::Check {
            get: |settings| settings.$($field).+,
            set: |settings, value| settings.$($field).+ = value,
        } }
    };
}

macro_rules! spin {
    ($name:literal, $($field:ident).+, $min:literal, $max:literal, $help:literal, $help_ja:literal) => {
        Opt { name: $name, help: $help, help_ja: $help_ja, kind: Kind::Spin {
            min: $min,
            max: $max,
            get: |settings| settings.$($field).+ as i64,
            // The range fits the field's type.
            set: |settings, value| settings.$($field).+ = value as _,
        } }
    };
}

macro_rules! text {
    ($name:literal, $($field:ident).+, $is_file:literal, $help:literal, $help_ja:literal) => {
        Opt {
            name: $name,
            help: $help,
            help_ja: $help_ja,
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
        "Hash table size in MiB; allocated at isready.",
        "置換表の大きさ(MiB)。`isready` で確保します。大きすぎるときは確保できる大きさにして知らせます"
    ),
    spin!(
        "Threads",
        threads,
        1,
        1024,
        "Search threads.",
        "探索スレッド数"
    ),
    check!(
        "USI_Ponder",
        search.ponder,
        "The GUI lets the engine think on the opponent's time.",
        "相手の手番にも考えるかどうか(GUI が決めます)"
    ),
    check!(
        "Stochastic_Ponder",
        search.stochastic_ponder,
        "Ponder from before the predicted move, so that every reply profits.",
        "予想手の一手前の局面から先読みします"
    ),
    spin!(
        "MultiPV",
        search.multi_pv,
        1,
        600,
        "Lines to search and show; the best one is played.",
        "候補手の数"
    ),
    spin!(
        "SkillLevel",
        search.skill_level,
        0,
        20,
        "Playing strength: 0 errs like a beginner, 20 is the best.",
        "強さ。0 は初心者のように間違え、20 が最強"
    ),
    text!(
        "EvalFile",
        eval_file,
        true,
        "Evaluation file, or `<internal>`; `material` counts pieces.",
        "評価関数ファイル。`material` は駒得のみ"
    ),
    text!(
        "EvalDir",
        eval_dir,
        false,
        "Folder with an evaluation file `nn.bin`, used where EvalFile is `<internal>`.",
        "`nn.bin` を置くフォルダ(`EvalFile` が `<internal>` のとき)"
    ),
    spin!(
        "FV_SCALE",
        fv_scale,
        0,
        128,
        "Units of a net's raw output per eval unit; 0 = as the net's files say.",
        "評価関数の出力の倍率。0 は自動"
    ),
    text!(
        "LayerStackRule",
        layer_stack_rule,
        false,
        "How nets choose a layer stack (k3k3, hand16_k3k3_progress4 ..); auto = as the file says.",
        "レイヤースタックの選び方。auto はファイルに従います"
    ),
    Opt {
        name: "CPU",
        help: "Instructions used to evaluate nets, of those that the processor has; auto = the fastest.",
        help_ja: "評価に使う CPU 命令(プロセッサーにあるものの中から)。auto は最速のもの",
        kind: Kind::Combo {
            words: || {
                let paths = simd::CpuPath::ALL.map(simd::CpuPath::name);
                [AUTO].into_iter().chain(paths).collect()
            },
            choices: || {
                let paths = simd::CpuPath::available().map(simd::CpuPath::name);
                [AUTO].into_iter().chain(paths).collect()
            },
            get: |settings| settings.cpu.map_or(AUTO, simd::CpuPath::name),
            set: |settings, value| settings.cpu = value.parse().ok(),
        },
    },
    check!(
        "USI_OwnBook",
        book.own_book,
        "Play from the opening book.",
        "定跡を使う"
    ),
    text!(
        "BookFile",
        book.file,
        true,
        "Opening book (.db, .ybb or .sbk), `<internal>`, or `no_book`.",
        "定跡ファイル(.db、.ybb、.sbk)。`<internal>` は内蔵の小さな定跡、`no_book` は使わない"
    ),
    text!(
        "BookDir",
        book.dir,
        false,
        "Folder of the book, beside the program or in the working directory.",
        "定跡のフォルダ"
    ),
    check!(
        "BookOnTheFly",
        book.on_the_fly,
        "Look positions up in the file instead of loading it; done for large files anyway.",
        "定跡を読み込まず、その都度ファイルを検索します"
    ),
    check!(
        "IgnoreBookPly",
        book.ignore_ply,
        "Find positions whatever their move number.",
        "手数を無視して局面を探します"
    ),
    check!(
        "FlippedBook",
        book.flipped,
        "Find positions also with the board turned round.",
        "先後を入れ替えた局面も探します"
    ),
    spin!(
        "BookIgnoreRate",
        book.ignore_rate,
        0,
        100,
        "Percentage of moves at which the book is skipped at random.",
        "定跡を使わない確率(%)"
    ),
    spin!(
        "BookMoves",
        book.moves,
        0,
        10000,
        "Use the book up to this move number.",
        "定跡を使う手数"
    ),
    check!(
        "NarrowBook",
        book.narrow,
        "Leave out book moves played in less than a tenth of the games.",
        "採択率 10% 未満の手を除きます"
    ),
    spin!(
        "BookDepthLimit",
        book.depth_limit,
        0,
        99999,
        "Use an entry only if its best move was searched to this depth.",
        "最善手の探索深さがこれに満たない局面は使いません。0 は制限なし"
    ),
    spin!(
        "BookEvalDiff",
        book.eval_diff,
        0,
        99999,
        "Centipawns by which a book move may be worse than the best.",
        "最善手との評価値の差の上限"
    ),
    spin!(
        "BookEvalBlackLimit",
        book.eval_black_limit,
        -99999,
        99999,
        "Least score in centipawns of a book move for Black.",
        "先手の定跡手の評価値の下限"
    ),
    spin!(
        "BookEvalWhiteLimit",
        book.eval_white_limit,
        -99999,
        99999,
        "Least score in centipawns of a book move for White.",
        "後手の定跡手の評価値の下限"
    ),
    check!(
        "ConsiderBookMoveCount",
        book.consider_count,
        "Choose book moves by how often they were played, not evenly.",
        "採択回数に応じて手を選びます"
    ),
    spin!(
        "BookPvMoves",
        book.pv_moves,
        1,
        64,
        "Length of the lines shown for book moves.",
        "定跡手の読み筋の長さ"
    ),
    spin!(
        "NetworkDelay",
        search.lag_ms,
        0,
        10000,
        "Expected lag in ms, taken off planned thinking times.",
        "通信の平均の遅れ(ms)"
    ),
    spin!(
        "NetworkDelay2",
        search.max_lag_ms,
        0,
        10000,
        "Worst lag in ms, taken off the last possible time; where that is short only a fifth of it, or NetworkDelay.",
        "通信の最大の遅れ(ms)。時間が短いときは、その 5 分の 1 か NetworkDelay までしか引きません"
    ),
    spin!(
        "MinimumThinkingTime",
        search.min_think_ms,
        0,
        100000,
        "Least thinking time in ms, where all clock values are whole seconds and leave that much time.",
        "最小の思考時間(ms、時計が秒単位のとき)"
    ),
    spin!(
        "SlowMover",
        search.slow_mover,
        1,
        1000,
        "Percentage of the planned time that is used.",
        "予定した思考時間を使う割合(%)"
    ),
    check!(
        "RoundUpToFullSecond",
        search.use_full_seconds,
        "Use up a second that has begun, where all clock values are whole seconds.",
        "秒未満を切り上げて使います(時計が秒単位のとき)"
    ),
    spin!(
        "MaxMovesToDraw",
        search.max_moves_to_draw,
        0,
        100000,
        "Positions beyond this move number are a draw; 0 = no limit.",
        "この手数を超えると引き分け。0 は制限なし"
    ),
    spin!(
        "DrawValueBlack",
        search.draw_value_black,
        -30000,
        30000,
        "Centipawns a draw is worth to the engine as Black.",
        "先手のときの引き分けの評価値"
    ),
    spin!(
        "DrawValueWhite",
        search.draw_value_white,
        -30000,
        30000,
        "Centipawns a draw is worth to the engine as White.",
        "後手のときの引き分けの評価値"
    ),
    Opt {
        name: "EnteringKingRule",
        help: "The rule for declaring a win; must be the one the GUI plays by.",
        help_ja: "入玉ルール(27点法、24点法、トライルールなど)",
        kind: Kind::Combo {
            words: || EnteringKingRule::ALL.map(EnteringKingRule::name).to_vec(),
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
        "Resign when this many centipawns behind on two moves in a row; 99999 = never.",
        "二手続けてこの評価値だけ不利なら投了します。99999 は投了しない"
    ),
    spin!(
        "DepthLimit",
        depth_limit,
        0,
        2147483647,
        "Depth that no search exceeds; 0 = no limit.",
        "探索深さの上限。0 は制限なし"
    ),
    spin!(
        "NodesLimit",
        nodes_limit,
        0,
        9223372036854775807,
        "Nodes that no search exceeds; 0 = no limit.",
        "探索ノード数の上限。0 は制限なし"
    ),
    spin!(
        "PvInterval",
        search.report_interval_ms,
        0,
        100000,
        "Least time in ms between two reports on the same move.",
        "同じ手の読み筋を出す間隔(ms)"
    ),
    check!(
        "ConsiderationMode",
        search.analysis,
        "Analysis: report everything.",
        "検討用にすべての読み筋を出します"
    ),
    check!(
        "OutputFailLHPV",
        search.report_bounds,
        "Also report scores that are only bounds.",
        "上限・下限だけの評価値も出します"
    ),
    check!(
        "GenerateAllLegalMoves",
        search.all_promotions,
        "Also search moves that decline a promotion without need.",
        "意味のない不成も読みます"
    ),
    check!(
        "IgnoreGameHistory",
        ignore_history,
        "Analysis: what was played before the position does not influence its score (no repetition with it).",
        "それまでの手順を評価に影響させません(千日手など)"
    ),
    text!(
        "DebugLogFile",
        debug_log_file,
        false,
        "File to which the protocol is logged.",
        "通信記録のファイル"
    ),
    Opt {
        name: "ClearHash",
        help: "Forget everything searched so far.",
        help_ja: "置換表などを消します",
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

/// How much a name must be like that of an option (1 = equal) to be a slip of it; between those of slips and of other
/// names.
const ALIKE: f64 = 0.88;

/// Longer names are no slips, and would take long to compare.
const MAX_SLIP: usize = 64;

/// How an empty text is written.
pub const EMPTY: &str = "<empty>";

/// What becomes of numbers beyond an option's range.
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

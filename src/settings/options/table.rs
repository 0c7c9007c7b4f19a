//! The options themselves.

use super::{Button, Kind, Opt};
use crate::eval::simd;
use crate::settings::AUTO;
use crate::shogi::EnteringKingRule;

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
pub(super) const ALIASES: &[(&str, &str)] = &[
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

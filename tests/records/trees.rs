//! Random records: trees with everything that a record can hold.

use std::time::Duration;

use hien::records::{Builder, End, Record};
use hien::shogi::{Move, Position};

use crate::random::Random;

/// What a record may have beside moves.
#[derive(Clone, Copy, Debug)]
pub struct Shape {
    /// Branches, of branches as well.
    pub branches: bool,
    /// Comments, of several lines, blank ones among them.
    pub comments: bool,
    pub bookmarks: bool,
    /// Times in whole seconds.
    pub times: bool,
    /// Times in milliseconds.
    pub millis: bool,
    pub headers: Headers,
    pub ends: Ends,
    /// Moves that break a rule, with the end that says so.
    pub fouls: bool,
    /// First moves with another number than 1.
    pub move_numbers: bool,
    /// Handicaps that not every program knows.
    pub rare_handicaps: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Headers {
    None,
    /// Those that CSA has.
    Csa,
    /// Any.
    All,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ends {
    None,
    Kif,
    Ki2,
    Csa,
    Jkf,
    Usi,
}

impl Shape {
    /// Everything.
    pub const ALL: Self = Self {
        branches: true,
        comments: true,
        bookmarks: true,
        times: true,
        millis: false,
        headers: Headers::All,
        ends: Ends::Kif,
        fouls: true,
        move_numbers: true,
        rare_handicaps: true,
    };
}

/// Even games, handicaps, hands with 18 pawns, White to move, one king, an endgame.
const STARTS: [&str; 12] = [
    "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1",
    "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1",
    "lnsgkgsn1/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1",
    LEFT_SEVEN,
    "4k4/9/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1",
    "4k4/9/9/9/9/9/9/9/4K4 w 2R2B4G4S4N4L18P 1",
    "4k4/9/9/9/9/9/9/9/4K4 b 2r2b4g4s4n4l18p 1",
    "8k/9/8P/9/9/9/9/9/9 b 2G2R2BG2s2n2l16p 1",
    "7k1/9/2S1S4/9/2S1S4/1G1G5/1N1N5/1G1G5/K8 b 2N2R2B4L17Pp 1",
    "4k4/9/9/3+P+P4/3+P1+P3/2+p+p5/2+b6/2+r6/6K2 w GSN 1",
    "l6nl/5+P1gk/2np1S3/p1p4Pp/3P2Sp1/1PPb2P1P/P5GS1/R8/LN4bKL w RGgsn5p 1",
    "4k4/9/3+n+n4/9/+L+S+L+S5/9/2+p+p5/9/4K4 b 2R2B4G2S2N2L14P 1",
];

const LEFT_SEVEN: &str = "2sgkg3/9/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1";

const TEXTS: [&str; 8] = [
    "ここまで定跡",
    "*対局 評価値 -18 読み筋 △３四歩(33)",
    "  字下げ",
    "",
    "１手目 ▲７六歩：変化",
    "#評価値=-73",
    "'quoted, with commas",
    "まで4手で中断",
];

/// A record that depends on `random` alone.
pub fn tree(random: &mut Random, shape: Shape) -> Record {
    let sfen = match random.pick(&STARTS) {
        LEFT_SEVEN if !shape.rare_handicaps => STARTS[0],
        sfen => sfen,
    };
    let mut start = Position::from_sfen(sfen).expect("a start position");
    if shape.move_numbers && random.percent(20) {
        let sfen = format!("{} {}", sfen.trim_end_matches(" 1"), 2 + random.below(200));
        start = Position::from_sfen(&sfen).expect("a start position");
    }
    let mut builder = Builder::new(start);
    headers(random, shape, &mut builder);
    notes(random, shape, &mut builder);
    line(random, shape, &mut builder, 40);
    if shape.branches {
        for _ in 0..random.below(8) {
            let steps = builder.steps();
            builder.back_to(random.below(steps + 1));
            line(random, shape, &mut builder, 8);
        }
    }
    builder.finish()
}

fn line(random: &mut Random, shape: Shape, builder: &mut Builder, most: usize) {
    for _ in 0..random.below(most) {
        let moves = builder.position().legal_moves();
        if moves.is_empty() {
            break;
        }
        // Captures on the square of the last move, so that 同 occurs.
        let last = builder.position().last_move().map(Move::to);
        let same: Vec<_> = moves
            .iter()
            .copied()
            .filter(|mv| Some(mv.to()) == last)
            .collect();
        let mv = match same.is_empty() || random.percent(50) {
            true => random.pick(&moves),
            false => random.pick(&same),
        };
        if builder.play(mv).is_err() {
            return;
        }
        notes(random, shape, builder);
        time(random, shape, builder);
    }
    if shape.fouls && random.percent(15) && foul(random, builder) {
        notes(random, shape, builder);
        time(random, shape, builder);
        let _ = builder.end(End::FoulWin);
    } else if random.percent(60) {
        let Some(end) = end(random, shape.ends) else {
            return;
        };
        if builder.end(end).is_err() {
            return;
        }
    } else {
        return;
    }
    notes(random, shape, builder);
    time(random, shape, builder);
}

/// A move that can be made but breaks a rule.
fn foul(random: &mut Random, builder: &mut Builder) -> bool {
    let position = builder.position().clone();
    let fouls: Vec<_> = (0..=u16::MAX)
        .filter_map(Move::from_raw)
        .filter(|&mv| position.is_playable(mv) && !position.is_legal(mv))
        .collect();
    !fouls.is_empty() && builder.foul(random.pick(&fouls)).is_ok()
}

fn end(random: &mut Random, ends: Ends) -> Option<End> {
    use End::*;
    let common = [
        Interrupted,
        Resignation,
        Impasse,
        Repetition,
        Mate,
        NoMate,
        Timeout,
    ];
    let more: &[End] = match ends {
        Ends::None => return None,
        Ends::Kif => &[
            FoulWin,
            FoulLoss,
            Declaration,
            DefaultWin,
            DefaultLoss,
            Try,
            TakeBack,
        ],
        Ends::Ki2 => &[FoulWin, FoulLoss, Declaration, DefaultWin, Draw, MaxMoves],
        Ends::Csa => &[
            FoulWin,
            FoulLoss,
            Declaration,
            Draw,
            MaxMoves,
            TakeBack,
            Error,
        ],
        Ends::Jkf => &[
            FoulWin,
            FoulLoss,
            Declaration,
            Draw,
            MaxMoves,
            TakeBack,
            DefaultLoss,
        ],
        Ends::Usi => &[FoulWin, Declaration, Draw, MaxMoves],
    };
    let index = random.below(common.len() + more.len());
    let mut all = common.iter().chain(more);
    let end = all.nth(index).cloned()?;
    Some(match (ends, random.percent(10)) {
        (Ends::Kif | Ends::Ki2 | Ends::Jkf, true) => Other("封じ手".to_owned()),
        _ => end,
    })
}

fn notes(random: &mut Random, shape: Shape, builder: &mut Builder) {
    if shape.comments && random.percent(20) {
        for _ in 0..1 + random.below(3) {
            let text = random.pick(&TEXTS).to_owned();
            builder.node().comments.push(text);
        }
    }
    if shape.bookmarks && random.percent(10) {
        for _ in 0..1 + random.below(2) {
            builder.node().bookmarks.push("しおり & 図".to_owned());
        }
    }
}

fn time(random: &mut Random, shape: Shape, builder: &mut Builder) {
    if shape.times && random.percent(70) {
        let millis = if shape.millis { random.below(1000) } else { 0 };
        let seconds = random.pick(&[0, 1, 59, 60, 3599, 3600, 360_000, 9_999_999_999]);
        let time = Duration::from_millis(seconds * 1000 + millis as u64);
        builder.node().time = Some(time);
    }
}

fn headers(random: &mut Random, shape: Shape, builder: &mut Builder) {
    let csa = [
        ("先手", "飛車 一"),
        ("後手", "角田：二, 三段"),
        ("棋戦", "第1回　試合"),
        ("場所", "東京 "),
        ("開始日時", "2024/05/14 10:00:00"),
        ("終了日時", "2024/05/14 19:12:00"),
        ("持ち時間", "00:15+60"),
        ("戦型", "角換わり"),
    ];
    let all = [
        ("表題", "題"),
        ("備考", "* 振り駒"),
        ("下手", ""),
        ("秒読み", "30秒"),
        ("作品番号", "1"),
        ("記録係", "丙"),
    ];
    let headers: Vec<_> = match shape.headers {
        Headers::None => return,
        Headers::Csa => csa.to_vec(),
        Headers::All => csa.into_iter().chain(all).collect(),
    };
    for (key, value) in headers {
        if random.percent(40) {
            builder.headers().set(key, value);
        }
    }
}

//! How a line ends, and the words for it.

use std::fmt;

use crate::shogi::Color;

/// How a line ends. "The player" is the one to move.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum End {
    /// Broken off (中断).
    Interrupted,
    /// The player resigns (投了).
    Resignation,
    /// A draw, since the game has grown too long (最大手数).
    MaxMoves,
    /// A draw by impasse (持将棋).
    Impasse,
    /// A draw (引き分け).
    Draw,
    /// A draw by repetition (千日手).
    Repetition,
    /// The player is mated (詰み).
    Mate,
    /// There is no mate (不詰), the end of a failed solution.
    NoMate,
    /// The player's time is up (切れ負け).
    Timeout,
    /// The player wins, since the opponent has broken a rule (反則勝ち).
    FoulWin,
    /// The player loses by breaking a rule (反則負け).
    FoulLoss,
    /// The player wins by declaration (入玉勝ち).
    Declaration,
    /// The player wins without playing (不戦勝).
    DefaultWin,
    /// The player loses without playing (不戦敗).
    DefaultLoss,
    /// The player has won under the try rule (トライ).
    Try,
    /// The last move is taken back (待った).
    TakeBack,
    /// An error in a program or on its way (エラー).
    Error,
    /// Another word, as it was written.
    Other(String),
}

/// The words for an end: Japanese, as KIF files have them; CSA, without `%`; USI, as ShogiGUI appends them to the
/// moves.
struct Words(
    End,
    &'static str,
    Option<&'static str>,
    Option<&'static str>,
);

const WORDS: [Words; 17] = [
    Words(End::Interrupted, "中断", Some("CHUDAN"), Some("break")),
    Words(End::Resignation, "投了", Some("TORYO"), Some("resign")),
    Words(
        End::MaxMoves,
        "最大手数",
        Some("MAX_MOVES"),
        Some("max_moves"),
    ),
    Words(End::Impasse, "持将棋", Some("JISHOGI"), Some("jishogi")),
    Words(End::Draw, "引き分け", Some("HIKIWAKE"), Some("draw")),
    Words(
        End::Repetition,
        "千日手",
        Some("SENNICHITE"),
        Some("rep_draw"),
    ),
    Words(End::Mate, "詰み", Some("TSUMI"), Some("mate")),
    Words(End::NoMate, "不詰", Some("FUZUMI"), Some("nomate")),
    Words(End::Timeout, "切れ負け", Some("TIME_UP"), Some("timeout")),
    // CSA names the player who broke the rule, see `End::csa`.
    Words(End::FoulWin, "反則勝ち", None, Some("foul_win")),
    Words(
        End::FoulLoss,
        "反則負け",
        Some("ILLEGAL_MOVE"),
        Some("foul_lose"),
    ),
    Words(End::Declaration, "入玉勝ち", Some("KACHI"), Some("win")),
    Words(End::DefaultWin, "不戦勝", None, None),
    Words(End::DefaultLoss, "不戦敗", None, None),
    Words(End::Try, "トライ", None, None),
    Words(End::TakeBack, "待った", Some("MATTA"), None),
    Words(End::Error, "エラー", Some("ERROR"), None),
];

/// Other words that are understood; ShogiHome writes the CSA word where KIF has none.
const JAPANESE_TOO: [(&str, End); 7] = [
    ("詰", End::Mate),
    ("不詰み", End::NoMate),
    ("引分け", End::Draw),
    ("引分", End::Draw),
    ("時間切れ", End::Timeout),
    ("MATTA", End::TakeBack),
    ("ERROR", End::Error),
];

/// Other words that are understood, of the CSA protocol and of other programs.
const USI_TOO: [(&str, End); 14] = [
    ("interrupt", End::Interrupted),
    ("chudan", End::Interrupted),
    ("toryo", End::Resignation),
    ("maxmoves", End::MaxMoves),
    ("impasse", End::Impasse),
    ("hikiwake", End::Draw),
    ("sennichite", End::Repetition),
    ("repetition", End::Repetition),
    ("tsumi", End::Mate),
    ("no_mate", End::NoMate),
    ("fuzumi", End::NoMate),
    ("time_up", End::Timeout),
    ("kachi", End::Declaration),
    ("illegal", End::FoulLoss),
];

/// Words of YaneuraOu for repetitions that are no draw: kept as they are.
const USI_KEPT: [&str; 4] = ["rep_win", "rep_lose", "rep_sup", "rep_inf"];

impl End {
    /// The end that a Japanese word names; another word is kept as it is.
    pub fn from_japanese(word: &str) -> Self {
        let known = WORDS.iter().map(|Words(end, word, ..)| (*word, end));
        let too = JAPANESE_TOO.iter().map(|(word, end)| (*word, end));
        let end = known.chain(too).find(|(known, _)| *known == word);
        end.map_or_else(|| Self::Other(word.to_owned()), |(_, end)| end.clone())
    }

    /// The Japanese word.
    pub fn japanese(&self) -> &str {
        match self {
            Self::Other(word) => word,
            end => end.words().map_or("", |Words(_, word, ..)| word),
        }
    }

    /// The end that a word of CSA names, without `%`, where `side` is to move; another word is kept as it is.
    pub fn from_csa(word: &str, side: Color) -> Self {
        let foul_of = |color| {
            if side == color {
                Self::FoulLoss
            } else {
                Self::FoulWin
            }
        };
        match word {
            "+ILLEGAL_ACTION" => foul_of(Color::Black),
            "-ILLEGAL_ACTION" => foul_of(Color::White),
            // JKF files converted from KIF have this.
            "ILLEGAL_ACTION" => Self::FoulWin,
            _ => {
                let is_word = |words: &&Words| words.2 == Some(word);
                let end = WORDS.iter().find(is_word);
                end.map_or_else(|| Self::Other(word.to_owned()), |words| words.0.clone())
            }
        }
    }

    /// The word of CSA without `%` where `side` is to move; `None` if there is none.
    pub fn csa(&self, side: Color) -> Option<&str> {
        match (self, side) {
            (Self::FoulWin, Color::Black) => Some("-ILLEGAL_ACTION"),
            (Self::FoulWin, Color::White) => Some("+ILLEGAL_ACTION"),
            (Self::Other(word), _) => is_csa_word(word).then_some(word),
            (end, _) => end.words()?.2,
        }
    }

    /// The end that a word after the moves of a USI line names.
    pub fn from_usi(word: &str) -> Option<Self> {
        let known = WORDS.iter().find(|words| words.3 == Some(word));
        let too = || USI_TOO.iter().find(|(known, _)| *known == word);
        let kept = || {
            USI_KEPT
                .contains(&word)
                .then(|| Self::Other(word.to_owned()))
        };
        known
            .map(|words| words.0.clone())
            .or_else(|| too().map(|(_, end)| end.clone()))
            .or_else(kept)
    }

    /// The word of a USI line; `None` if there is none.
    pub fn usi(&self) -> Option<&str> {
        match self {
            Self::Other(word) => USI_KEPT.contains(&word.as_str()).then_some(word),
            end => end.words()?.3,
        }
    }

    /// Whether it says that a rule was broken.
    pub const fn is_foul(&self) -> bool {
        matches!(self, Self::FoulWin | Self::FoulLoss)
    }

    fn words(&self) -> Option<&'static Words> {
        WORDS.iter().find(|words| words.0 == *self)
    }
}

/// Whether a word can stand after `%`.
fn is_csa_word(word: &str) -> bool {
    let is_letter = |c: char| c.is_ascii_uppercase() || matches!(c, '_' | '+' | '-');
    !word.is_empty() && word.chars().all(is_letter)
}

impl fmt::Display for End {
    /// The end in English.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Interrupted => "broken off",
            Self::Resignation => "resignation",
            Self::MaxMoves => "draw by length",
            Self::Impasse => "draw by impasse",
            Self::Draw => "draw",
            Self::Repetition => "draw by repetition",
            Self::Mate => "mate",
            Self::NoMate => "no mate",
            Self::Timeout => "loss on time",
            Self::FoulWin => "win by the opponent's foul",
            Self::FoulLoss => "loss by a foul",
            Self::Declaration => "win by declaration",
            Self::DefaultWin => "win by default",
            Self::DefaultLoss => "loss by default",
            Self::Try => "win by try",
            Self::TakeBack => "move taken back",
            Self::Error => "error",
            Self::Other(word) => word,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_word_is_read_back() {
        for Words(end, japanese, csa, usi) in &WORDS {
            assert_eq!(End::from_japanese(japanese), *end);
            assert_eq!(end.japanese(), *japanese);
            for side in Color::ALL {
                if let Some(word) = end.csa(side) {
                    assert_eq!(End::from_csa(word, side), *end);
                }
                assert!(csa.is_none() || end.csa(side) == *csa);
            }
            if let Some(word) = usi {
                assert_eq!(End::from_usi(word).as_ref(), Some(end));
            }
        }
        assert_eq!(End::FoulWin.csa(Color::Black), Some("-ILLEGAL_ACTION"));
        assert_eq!(
            End::from_csa("+ILLEGAL_ACTION", Color::Black),
            End::FoulLoss
        );
        assert_eq!(End::from_csa("ILLEGAL_ACTION", Color::White), End::FoulWin);
    }

    #[test]
    fn other_words_are_kept() {
        assert_eq!(End::from_japanese("封じ手"), End::Other("封じ手".into()));
        assert_eq!(End::Other("封じ手".into()).csa(Color::Black), None);
        assert_eq!(
            End::from_csa("OHNO", Color::White).csa(Color::White),
            Some("OHNO")
        );
        assert_eq!(End::from_usi("7g7f"), None);
        assert_eq!(End::from_usi("rep_sup").unwrap().usi(), Some("rep_sup"));
    }
}

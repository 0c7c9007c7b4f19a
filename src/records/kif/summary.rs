//! The last line of a game: `まで112手で先手の勝ち`.

use winnow::Parser;
use winnow::combinator::{alt, opt};

use crate::shogi::Color;

use super::super::end::End;
use super::super::words::{Parse, blanks, count};

/// What the line says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Summary {
    /// The number of moves.
    pub moves: Option<u64>,
    /// Who is named.
    player: Option<Color>,
    /// What is said, the player left out.
    words: String,
}

/// What follows まで.
pub fn summary(input: &mut &str) -> Parse<Summary> {
    opt(alt(('、', ','))).parse_next(input)?;
    blanks.parse_next(input)?;
    let moves = opt((count, blanks, '手', blanks, opt('で'), blanks)).parse_next(input)?;
    let text: String = input.chars().filter(|c| !c.is_whitespace()).collect();
    let text = text.trim_end_matches('。');
    let (text, is_timeout) = match text.strip_prefix("時間切れにより") {
        Some(rest) => (rest, true),
        None => (text, false),
    };
    let named = [
        ("先手", Color::Black),
        ("下手", Color::Black),
        ("▲", Color::Black),
        ("後手", Color::White),
        ("上手", Color::White),
        ("△", Color::White),
    ];
    let named = named
        .iter()
        .find_map(|(name, color)| Some((*color, text.strip_prefix(name)?.strip_prefix('の')?)));
    *input = "";
    Ok(Summary {
        moves: moves.map(|(moves, ..)| moves),
        player: named.map(|(color, _)| color),
        words: match (is_timeout, named) {
            (true, _) => "時間切れ".to_owned(),
            (_, Some((_, words))) => words.to_owned(),
            _ => text.to_owned(),
        },
    })
}

impl Summary {
    /// The end where `side` is to move; what does not fit is kept in words.
    pub fn end(&self, side: Color) -> End {
        let is_side = self.player.is_none_or(|player| player == side);
        match (self.words.as_str(), is_side) {
            ("勝ち" | "勝", _) if self.player == Some(!side) => End::Resignation,
            ("反則勝ち", false) | ("反則負け", true) => End::FoulLoss,
            ("反則負け", false) | ("反則勝ち", true) => End::FoulWin,
            ("時間切れ", _) if self.player == Some(side) => self.other(),
            ("宣言勝ち" | "入玉宣言勝ち", true) => End::Declaration,
            ("切れ負け" | "投了" | "入玉勝ち", false) | ("勝ち" | "勝", _) => {
                self.other()
            }
            (words, _) => End::from_japanese(words),
        }
    }

    fn other(&self) -> End {
        let player = match self.player {
            Some(Color::Black) => "先手の",
            Some(Color::White) => "後手の",
            None => "",
        };
        let words = match self.words.as_str() {
            "時間切れ" => "時間切れ勝ち",
            words => words,
        };
        End::Other(format!("{player}{words}"))
    }
}

/// What a whole line says.
pub fn of(line: &str) -> Option<Summary> {
    let rest = line.strip_prefix("まで")?;
    let (_, summary) = summary.parse_peek(rest).ok()?;
    Some(summary).filter(|_| !line.contains('\n'))
}

/// The line for an end; `names` are those of the player to move and of the other.
pub fn text(end: &End, moves: usize, names: [&str; 2]) -> String {
    let [side, other] = names;
    let words = match end {
        End::Resignation => format!("{other}の勝ち"),
        End::Timeout => format!("時間切れにより{other}の勝ち"),
        End::FoulWin => format!("{side}の反則勝ち"),
        End::FoulLoss => format!("{side}の反則負け"),
        End::Declaration => format!("{side}の入玉勝ち"),
        End::Mate => "詰".to_owned(),
        end => end.japanese().to_owned(),
    };
    format!("まで{moves}手で{words}")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn end(text: &str, side: Color) -> End {
        summary.parse_peek(text).unwrap().1.end(side)
    }

    #[test]
    fn ends_are_told_from_who_is_to_move() {
        use Color::{Black, White};
        for (text, side, expected) in [
            ("5手で先手の勝ち", White, End::Resignation),
            ("、5手で先手の勝ち。", White, End::Resignation),
            ("4手で先手の勝ち", Black, End::Other("先手の勝ち".into())),
            ("3手で時間切れにより上手の勝ち", Black, End::Timeout),
            ("9手で後手の反則勝ち", White, End::FoulWin),
            ("9手で先手の反則負け", White, End::FoulWin),
            ("9手で後手の反則負け", White, End::FoulLoss),
            ("百手で千日手", White, End::Other("百手で千日手".into())),
            ("十七手で千日手", White, End::Repetition),
            ("3手で詰", White, End::Mate),
            ("9手詰", White, End::Mate),
            ("３手で中断", White, End::Interrupted),
            ("88手で先手の入玉勝ち", Black, End::Declaration),
            ("持将棋", Black, End::Impasse),
        ] {
            assert_eq!(end(text, side), expected, "{text}");
        }
    }

    #[test]
    fn lines_that_are_written_are_understood() {
        for side in Color::ALL {
            let names = match side {
                Color::Black => ["先手", "後手"],
                Color::White => ["後手", "先手"],
            };
            for word in [
                "中断",
                "投了",
                "持将棋",
                "千日手",
                "詰み",
                "不詰",
                "切れ負け",
                "反則勝ち",
                "反則負け",
                "入玉勝ち",
                "不戦勝",
                "不戦敗",
                "封じ手",
            ] {
                let expected = End::from_japanese(word);
                let line = text(&expected, 4, names);
                assert_eq!(
                    end(line.strip_prefix("まで").unwrap(), side),
                    expected,
                    "{line}"
                );
            }
        }
    }
}
